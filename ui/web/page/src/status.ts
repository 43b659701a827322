// An answer in words and figures.
import type { BoardAnswer } from "./api";
import { counted } from "./board";
import { byId, duration, html, plural, thousands, worked } from "./dom";
import type { Mode } from "./state";
import { capital } from "./why";

/** summary is the sentence that a screen reader speaks about an answer. */
export function summary(a: BoardAnswer, forced: Mode): string {
  if (a.refused) return `${capital(a.refused.text)}.`;
  if (!a.satisfiable) return `A board of size ${a.n} has no solution.`;
  if (a.complete) return "Solved: no queen attacks another.";
  const parts = [`${a.placed.length} of ${a.n} queens placed`, plural(a.valid.length, "valid cell")];
  if (a.forced.length && forced !== "off") parts.push(`${a.forced.length} forced`);
  if (a.counts) parts.push(`${plural(a.counts.total, "solution")} left`);
  return parts.join(", ") + ".";
}

/** status shows an answer's figures, its work and its time; roundTrip is in seconds. */
export function status(a: BoardAnswer, forced: Mode, roundTrip: number): void {
  const put = (id: string, text: string): void => { byId(id).textContent = text; };
  put("solutions-left", a.complete ? "Solved" : !a.satisfiable ? "0" : a.counts ? thousands(a.counts.total) : "many");
  put("solutions-word", a.complete ? "no queen attacks another"
    : a.counts?.total === "1" ? "solution left" : "solutions left");
  put("queens-placed", `${a.placed.length + (forced === "place" ? a.forced.length : 0)} / ${a.n}`);
  put("valid-count", a.complete ? "–" : thousands(a.valid.length));
  put("forced-count", forced === "off" || a.complete ? "–" : String(a.forced.length));
  byId<HTMLInputElement>("heat").disabled = a.n > counted;
  put("heat-note", a.n > counted ? `cells have no room for numbers beyond n = ${counted}` : "");
  const e = a.engine;
  const work = worked(Object.assign({ nodes: 0 }, e.work, { nodes: e.nodes ?? 0 }));
  byId("engine-line").replaceChildren(html("b", {}, e.nodes ? `${e.name}, ${e.order}` : e.name),
    ` answered in ${duration(e.seconds)}, ${duration(Math.max(0, roundTrip - e.seconds))} more on the way`,
    e.compile ? `; compiled in ${duration(e.compile)}` : "", work.length ? `; ${work.join(", ")}` : "");
  document.body.classList.toggle("complete", a.complete);
}

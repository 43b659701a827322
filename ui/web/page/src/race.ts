// The race: one question to every back-end on this board, and over board sizes, with
// the number of questions from which a diagram has paid for itself.
import type { Compare, CompareRow, Lap } from "./api";
import { bar, logLines, type Points } from "./chart";
import { saveButtons } from "./download";
import { button, duration, html, select, thousands } from "./dom";
import type { Context, Panel } from "./panels";

/** asked is the time of a question: the median of the answers after the first. */
export function asked(r: CompareRow): number { return r.runs ? r.again : r.first; }

const kinds: Record<string, string> = { bdd: "first", portfolio: "second", sat: "third", search: "fourth" };

/** curves puts laps together, a curve for the best way of each back-end at each size. */
export function curves(laps: Lap[], of: (lap: Lap, row: number) => number): Points[] {
  const best = new Map<string, [number, number][]>();
  for (const lap of laps) {
    const at = new Map<string, number>();
    lap.rows.forEach((r, i) => {
      const old = at.get(r.backend);
      if (!r.failed && (old === undefined || asked(r) < asked(lap.rows[old]!))) at.set(r.backend, i);
    });
    for (const [backend, i] of at) best.set(backend, [...(best.get(backend) ?? []), [lap.n, of(lap, i)]]);
  }
  return [...best].map(([label, points]) => ({ label, points, kind: kinds[label] ?? "first" }));
}

export class ComparePanel implements Panel {
  private table = html("div", { id: "compare-table" });
  private race = html("div", { id: "race" });
  private laps: Lap[] = [];
  private share = "0.5";
  private running: AbortController | null = null;
  private start = button("Race over n", () => void this.run(), { id: "race-start", class: "primary" });

  constructor(private host: HTMLElement, private c: Context) {
    this.host.replaceChildren(
      html("p", { class: "hint" },
        "The same question to each back-end, one after the other: the valid cells of this board. The number and the " +
          "bar (logarithmic, from 1 µs to 1 s) are the median of the answers after the first."),
      this.table,
      html("h2", {}, "Over board sizes"),
      html("p", { class: "hint" },
        "Each size with the first queens of a solution placed. A diagram is built once and then asked; from how many " +
          "questions on has it cost less?"),
      html("div", { class: "row" },
        select("Queens placed", [["0", "no queen placed"], ["0.33", "a third placed"], ["0.5", "half placed"]],
        this.share, (v) => {
        this.share = v;
      }, { id: "race-share" }), this.start),
      this.race);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const { n, placed, blocked, order } = this.c.body();
    const answer = await this.c.api.call<Compare>("compare", { n, placed, blocked, order }, signal);
    const rows = answer.rows.map((r) => {
      const work = Object.entries(r.work).filter(([, v]) => v > 0).map(([k, v]) => `${thousands(v)} ${k}`).join(", ");
      return html("div", { class: "contestant", "data-name": r.name },
        html("div", { class: "contestant-head" }, html("span", {}, r.name), html("span", { class: "number" },
          r.failed ?? duration(asked(r)))),
        bar(r.failed ? 1 : asked(r), r.backend),
        html("div", { class: "work" }, r.failed ? "no answer" :
          `built in ${duration(r.build)}, first answer ${duration(r.first)}${r.runs ? `, median of ${r.runs} more ${duration(r.again)}` : ""}; ${r.valid} cells${work ? `; ${work}` : ""}`));
    });
    this.table.replaceChildren(...rows,
      html("p", { class: answer.agree ? "verdict good" : "verdict bad", id: "compare-verdict" },
      answer.agree ? "✓ All that answered found the same cells." : "✗ The back-ends disagree: this is a defect."));
  }
  leave(): void { this.stop(); }

  private stop(): void {
    this.running?.abort();
    this.running = null;
    this.start.textContent = "Race over n";
  }

  private async run(): Promise<void> {
    if (this.running) return this.stop();
    const running = (this.running = new AbortController());
    this.start.textContent = "Stop";
    this.laps = [];
    const last = Math.min(12, this.c.maxBDD());
    try {
      for (let n = 4; n <= last && !running.signal.aborted; n++) {
        this.laps.push(await this.c.api.call<Lap>("race", { n, placed: Math.floor(n * Number(this.share)), seed: n,
          order: this.c.body()["order"] }, running.signal));
        this.show();
      }
      this.c.say(`The race is over: n = 4 to ${last}.`);
    } catch (err) { if (!running.signal.aborted) this.c.fail(err); }
    if (this.running === running) this.stop();
  }

  private show(): void {
    const query = curves(this.laps, (lap, i) => asked(lap.rows[i]!));
    const build: Points = { label: "building the diagram", points: this.laps.map((lap) => [lap.n, lap.rows[0]!.build]),
      kind: "first pale" };
    const pays = curves(this.laps, (lap, i) => lap.break_even[i]!).filter((p) => p.label !== "bdd");
    const never = this.laps.flatMap((lap) => lap.rows.filter((_, i) => lap.break_even[i] === -1)
      .map((r) => `${r.name} at n = ${lap.n}`));
    const times = logLines("Seconds for a question, by board size", [...query, build], "s", (v) => duration(v));
    const even = logLines("Questions from which the diagram has cost less, by board size", pays, "questions",
      (v) => thousands(v));
    this.race.replaceChildren(
      html("h2", {}, "Time of a question"), times, legend([...query, build], (l) => this.c.title(l)),
      html("h2", {}, "Questions until the diagram has paid"), even, legend(pays, (l) => this.c.title(l)),
      html("p", { class: "hint" },
        never.length ? `Never, since they answer faster than the diagram: ${never.join(", ")}.`
        : "The best way of each back-end at each size."),
      saveButtons("race", () => times), saveButtons("break-even", () => even));
  }
}

function legend(series: Points[], title: (name: string) => string): HTMLElement {
  return html("p", { class: "legend" }, ...series.map((s) => html("span", { class: `key ${s.kind}` }, title(s.label))));
}

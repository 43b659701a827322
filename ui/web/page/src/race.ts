// The Compare panel: one question to every back-end, on this board and over board sizes,
// and the number of questions until a diagram has paid for itself, next to the same curve
// from the records shipped with the project.
import type { Entrant } from "./api";
import { bar, logLines, type Points } from "./chart";
import { figure, saver, savers, saveText } from "./download";
import { duration, html, select, thousands, worked } from "./dom";
import { Loop, type Panel, type Page } from "./panels";
import records from "./records.json";

/** Way is one way to answer, and what it took. */
export type Way = Pick<Entrant, "name" | "backend" | "build" | "first" | "again" | "runs" | "failed">;

/** asked returns the time per question: the median of the answers after the first. */
export function asked(r: Way): number { return r.runs ? r.again : r.first; }

/** pays returns the number of questions at which the ZDD, including building it, has
    cost no more than another way: 1 at once, -1 never. */
export function pays(diagram: Way, other: Way): number {
  const before = (w: Way): number => w.build + w.first - asked(w); // what only the first question pays
  const [a, b] = [asked(diagram), asked(other)];
  if (before(diagram) + a <= before(other) + b) return a <= b ? 1 : -1; // else it would lose its lead
  return a < b ? Math.ceil((before(diagram) - before(other)) / (b - a)) : -1;
}

const kinds: Record<string, string> = { bdd: "first", portfolio: "second", sat: "third", search: "fourth",
  table: "fifth", mdd: "sixth" };
/** The diagrams of two back-ends by their kinds: the race leaves the slower BDD out. */
const diagrams: Record<string, string> = { bdd: "ZDD", mdd: "MDD" };
const kind = (backend: string): string => kinds[backend] ?? "first";

export interface Size { n: number; ways: Way[] }

/** best returns the fastest way of each back-end at a size. */
export function best(size: Size): Way[] {
  const found = new Map<string, Way>();
  for (const w of size.ways) {
    const old = found.get(w.backend);
    if (!w.failed && (!old || asked(w) < asked(old))) found.set(w.backend, w);
  }
  return [...found.values()];
}

/** curves returns one curve per back-end, of its fastest way at each size. */
export function curves(sizes: Size[], of: (way: Way, size: Size) => number): Points[] {
  const found = new Map<string, [number, number][]>();
  for (const s of sizes) {
    for (const w of best(s)) found.set(w.backend, [...(found.get(w.backend) ?? []), [s.n, of(w, s)]]);
  }
  return [...found].map(([label, points]) => ({ label, points, kind: kind(label) }));
}

/** breakEvens returns the curves of the number of questions until the ZDD has paid for itself. */
export function breakEvens(sizes: Size[]): Points[] {
  const built = sizes.filter((s) => s.ways.some((w) => w.backend === "bdd" && !w.failed));
  const of = (w: Way, s: Size): number => pays(best(s).find((d) => d.backend === "bdd")!, w);
  return curves(built, of).filter((c) => c.label !== "bdd");
}

/** shipped returns, by size, the shipped records of boards with this share of their queens placed. */
export function shipped(share: number): Size[] {
  const sizes = new Map<number, Way[]>();
  for (const [n, placed, backend, build, first, again] of records as [number, number, string, number, number,
    number][]) {
    if (placed !== Math.floor(n * share)) continue;
    sizes.set(n, [...(sizes.get(n) ?? []), { name: backend, backend, build, first, again, runs: 1 }]);
  }
  return [...sizes].map(([n, ways]) => ({ n, ways })).sort((a, b) => a.n - b.n);
}

/** spans writes consecutive numbers as ranges: 4–7, 9. */
export function spans(list: number[]): string {
  const found: [number, number][] = [];
  for (const n of list) {
    const last = found.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else found.push([n, n]);
  }
  return found.map(([a, b]) => (a === b ? `${a}` : `${a}–${b}`)).join(", ");
}

export class ComparePanel implements Panel {
  private table = html("div", { id: "compare-table" });
  private race = html("div", { id: "race" });
  private laps: Size[] = [];
  private share = "0.25";
  private loop: Loop;

  constructor(host: HTMLElement, private c: Page) {
    this.loop = new Loop(c, "Race over n", "race-start", (signal) => this.run(signal));
    host.append(this.table, html("div", {}, html("h2", {}, "Over board sizes"),
      html("p", { class: "hint" },
        "At each size, the first queens of a solution are placed. The ZDD is built once and then asked: after how " +
          "many questions has it cost less than another back-end?"),
      html("div", { class: "row" },
        select("Queens placed", [["0", "no queen placed"], ["0.25", "a quarter placed"], ["0.5", "half placed"],
          ["0.75", "three quarters placed"]],
          this.share, (v) => { this.share = v; }, { id: "race-share" }),
        this.loop.button),
      this.race));
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const answer = await this.c.api.call("compare", this.c.ordered(), signal);
    const rows = [...answer.rows].sort((a, b) => Number(!!a.failed) - Number(!!b.failed) || asked(a) - asked(b));
    this.table.replaceChildren(contestants(rows), savers(saver("Text", "comparison", "txt",
      () => this.save(rows))),
      html("p", { class: answer.agree ? "verdict good" : "verdict bad", id: "compare-verdict" },
        answer.agree ? "✓ All that answered found the same cells." : "✗ The back-ends disagree: this is a bug."));
  }
  leave(): void { this.loop.stop(); }

  private save(rows: Entrant[]): void {
    const text = rows.map((r) =>
      [r.name, r.failed ?? "", r.build, r.first, r.again, r.runs, r.valid, worked(r.work).join(" ")].join("\t"));
    const head = "who\tfailed\tbuild_seconds\tfirst_seconds\tmedian_seconds\truns\tvalid_cells\twork";
    saveText("comparison.tsv", [head, ...text, ""].join("\n"));
  }

  private async run(signal: AbortSignal): Promise<void> {
    this.laps = [];
    const last = Math.min(12, this.c.about.max_bdd);
    for (let n = 4; n <= last; n++) {
      const lap = await this.c.api.call("race", { n, placed: Math.floor(n * Number(this.share)), seed: n,
        order: this.c.ordered().order }, signal);
      this.laps.push({ n, ways: lap.rows.filter((r) => r.backend !== "bdd" || r.name.includes("ZDD")) });
      this.show();
    }
    this.c.say(`The race has finished: n = 4 to ${last}.`);
  }

  private show(): void {
    const live = breakEvens(this.laps), old = breakEvens(shipped(Number(this.share)));
    const title = (backend: string): string => diagrams[backend] ?? this.c.titleOf(backend);
    const named = (c: Points): Points => ({ ...c, label: title(c.label) });
    const build: Points = { label: "building the ZDD", kind: "first pale",
      points: this.laps.flatMap((s) => best(s).filter((w) => w.backend === "bdd")
        .map((w) => [s.n, w.build] as [number, number])) };
    const times = logLines("Time per question, by board size",
      [...curves(this.laps, asked).map(named), build], (s) => duration(s).replace(/\.0+ /, " "));
    const even = logLines("Questions until the ZDD has paid for itself, by board size",
      [...live.map(named), ...old.map((c) => ({ ...named(c), label: `${title(c.label)}, shipped`,
        kind: `${c.kind} pale` }))],
      thousands);
    const never = live.map((c) => ({ c, at: c.points.filter(([, v]) => v < 0).map(([n]) => n) }))
      .filter(({ at }) => at.length).map(({ c, at }) => `${title(c.label)} at n = ${spans(at)}`);
    this.race.replaceChildren(
      html("h2", {}, "Time per question"), figure("race", times),
      html("h2", {}, "Questions until the ZDD has paid for itself"), figure("break-even", even),
      html("p", { class: "hint", id: "race-told" },
        "The fastest method of each back-end at each size. " +
          (never.length ? `The ZDD never pays off against ${never.join("; ")}. ` : "") +
          (old.length ? "Pale: the same from the records shipped with the project (results/reference/break-even)." :
            "The shipped records have at least one queen placed.")));
  }
}

/** contestants returns the table of a comparison: a line for each way. */
function contestants(rows: Entrant[]): HTMLElement {
  const number = (text: string): HTMLElement => html("td", { class: "number" }, text);
  return html("table", { class: "contestants" },
    html("thead", {}, html("tr", {}, ...["Back-end", "Built in", "First answer", "Later answers"].map((title) =>
      html("th", { scope: "col" }, title)))),
    html("tbody", {}, ...rows.map((r) => {
      const often = [r.builds > 1 ? `built: median of ${r.builds}` : "", r.runs ? `later: median of ${r.runs}` : "",
        ...worked(r.work)].filter(Boolean).join("; ");
      return html("tr", { class: "contestant", "data-name": r.name, title: often },
        html("th", { scope: "row" }, r.name),
        ...r.failed ? [html("td", { colspan: 3 }, `no answer: ${r.failed}`)]
          : [number(duration(r.build)), number(duration(r.first)),
            html("td", { class: "number" }, html("span", {}, bar(asked(r), kind(r.backend)), duration(asked(r))))]);
    })));
}

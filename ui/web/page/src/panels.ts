// The interface of the panels next to the board, and the simple ones: solutions and local search.
import type { AboutAnswer, Api, Board, Course, NamedOrder } from "./api";
import { file, name } from "./cells";
import { lines } from "./chart";
import { figure, saver, saveText } from "./download";
import { button, html, select, thousands } from "./dom";
import { Lesson } from "./lesson";
import { Player, speed } from "./player";
import { Viewport } from "./view";
import type { State } from "./state";
import type { BoardView } from "./board";

export interface Context {
  api: Api;
  board: BoardView;
  /** body returns a request about the current placement. */
  body(): Required<Board>;
  state(): State;
  /** adopt makes s the person's board. */
  adopt(s: State): void;
  say(text: string): void;
  /** restore draws the person's board again. */
  restore(): void;
  /** orders returns the variable orders that exist for the board's size. */
  orders(): NamedOrder[];
  /** about returns what the server offers. */
  about(): AboutAnswer;
  fail(err: unknown): void;
  /** title returns a back-end's display name. */
  title(backend: string): string;
  /** question returns, or sets, which question is asked, as in queen-hard-7. */
  question(asked?: string): string;
}

export interface Panel {
  /** refresh is called when the panel is opened and after each change. */
  refresh(signal: AbortSignal): Promise<void>;
  /** leave is called when another panel is opened, or the board changes. */
  leave(): void;
  /** viewport zooms the panel's picture; undefined if it cannot be zoomed. */
  readonly viewport?: Viewport | undefined;
}

/** tooLarge says in a panel up to which size it has something to show, and offers such a board. */
export function tooLarge(body: HTMLElement, c: Context, text: string): void {
  body.replaceChildren(html("p", {}, text),
    button("Show n = 4", () => c.adopt({ n: 4, placed: [], blocked: [] }), { id: body.id.replace("body", "small") }));
}

export class SolutionsPanel implements Panel {
  private at = -1;
  private cols: number[] | null = null;
  private text = html("p", { id: "solution-text", role: "status" });
  constructor(private host: HTMLElement, private c: Context) {
    this.host.append(html("div", { class: "row" },
        button("‹ Previous", () => void this.go(this.at - 1), { id: "solution-previous" }),
        button("Next ›", () => void this.go(this.at + 1), { id: "solution-next" }),
        button("Place these queens", () => this.take(), { id: "solution-take" })),
      this.text, html("div", { class: "row saves" }, html("span", { class: "hint" }, "Save as"),
        saver("Text", "solutions", "txt", () => void this.save())));
  }
  /** save writes up to a thousand solutions to a file, one per line. */
  private async save(): Promise<void> {
    const n = this.c.state().n;
    const rows: string[] = [];
    try {
      for (let more = true; more && rows.length < 1000;) {
        const answer = await this.c.api.call("solutions", { ...this.c.body(), offset: rows.length,
          limit: 100 });
        rows.push(...answer.solutions.map((cols) => cols.map((col, row) => name({ row, col })).join(",")));
        more = answer.more;
      }
      saveText(`solutions-n${n}.txt`, rows.join("\n") + "\n");
      this.c.say(`${thousands(rows.length)} solutions saved.`);
    } catch (err) { this.c.fail(err); }
  }
  async refresh(): Promise<void> {
    this.at = -1;
    this.cols = null;
    this.text.textContent = "Press Next for the first solution.";
  }
  leave(): void { this.c.board.solution(null, []); }
  private async go(to: number): Promise<void> {
    if (to < 0) return;
    try {
      const answer = await this.c.api.call("solutions", { ...this.c.body(), offset: to, limit: 1 });
      const cols = answer.solutions[0];
      if (!cols) {
        this.text.textContent = to === 0 ? "There is no solution." : `That was the last of ${thousands(to)}.`;
        return;
      }
      this.at = to;
      this.cols = cols;
      this.c.board.solution(cols, this.c.state().placed);
      this.text.textContent = `Solution ${thousands(to + 1)}: ${cols.map((col, row) => name({ row, col })).join(" ")}`
        + (answer.more ? "" : " (the last one)");
    } catch (err) { this.text.textContent = "No answer."; this.c.fail(err); }
  }
  private take(): void {
    if (!this.cols) return;
    const s = this.c.state();
    const rest = this.cols.map((col, row) => name({ row, col })).filter((cell) => !s.placed.includes(cell));
    this.c.adopt({ ...s, placed: [...s.placed, ...rest] });
  }
}

/** repairCode is what each method of local search does. */
const repairCode: Record<string, string[]> = {
  "min-conflicts": ["place a queen in every column", "while a queen is attacked:",
    "  choose an attacked queen at random", "  move it to a row of its column with the fewest attacks",
    "  after too many steps: begin again"],
  swap: ["place queens in different rows and columns", "while a queen is attacked:",
    "  choose an attacked queen at random", "  exchange its row with another's so that the two are least attacked",
    "  after too many steps: begin again"],
  "most-conflicts": ["place a queen in every column", "while a queen is attacked:",
    "  consider a most attacked queen and those it attacks", "  make the one of their moves that gains most",
    "  if no move gains: begin again"],
};

export class RepairPanel implements Panel {
  private course: Course | null = null;
  private player: Player | null = null; // of the course
  private boards: number[][] = []; // rows of each event
  private seed = 1;
  private method = "min-conflicts";
  private init = "random";
  private text = html("p", { id: "repair-text", role: "status" });
  private code = html("div");
  private lesson = new Lesson("repair", []);
  private chart = html("div");
  private slider = html("input", { type: "range", min: 0, max: 0, value: 0, id: "repair-slider",
    "aria-label": "Step" });
  private run = button("Run", () => void this.toggle(), { id: "repair-run", class: "primary" });
  constructor(private host: HTMLElement, private c: Context) {
    this.slider.addEventListener("input", () => this.player?.go(Number(this.slider.value)));
    const pairs = (words: string[]): [string, string][] => words.map((w) => [w, w]);
    this.host.append(html("div", { class: "row" },
        select("Method", pairs(["min-conflicts", "swap", "most-conflicts"]), this.method, (v) => {
          this.method = v;
          if (v === "swap" && this.init === "random") this.setInit("permutation");
          this.reset();
        }, { id: "repair-method" }),
        select("Initial board", pairs(["random", "permutation", "greedy", "even-odd"]), this.init, (v) => {
          this.init = v;
          this.reset();
        }, { id: "repair-init" }), speed()),
      html("div", { class: "row" }, this.run,
        button("Step", () => void this.step(), { id: "repair-step" }),
        button("New run", () => { this.seed++; void this.start(); }, { id: "repair-new" })),
      this.slider, this.text, this.code, this.chart);
  }
  private setInit(v: string): void {
    this.init = v;
    this.host.querySelector<HTMLSelectElement>("#repair-init")!.value = v;
  }
  async refresh(): Promise<void> { this.reset(); }
  leave(): void { this.reset(); }
  private reset(): void {
    this.player?.stop();
    if (this.course) { this.c.board.freeze(false); this.c.restore(); }
    this.course = this.player = null;
    this.text.textContent = "Press Run to begin.";
    this.lesson = new Lesson("repair", repairCode[this.method]!);
    this.code.replaceChildren(this.lesson.element);
    this.chart.replaceChildren();
    this.slider.max = "0";
  }
  private async start(): Promise<boolean> {
    this.reset();
    const s = this.c.state();
    try {
      const course = await this.c.api.call("repair", { n: s.n, placed: s.placed, blocked: s.blocked,
        method: this.method, init: this.init, seed: this.seed });
      if (!course.events.length) { this.text.textContent = "No starting board could be set up."; return false; }
      this.course = course;
      this.boards = [];
      let rows: number[] = [];
      for (const e of course.events) {
        rows = e.rows ? [...e.rows] : [...rows];
        for (const m of e.moves) rows[m.col] = m.to;
        this.boards.push(rows);
      }
      this.slider.max = String(course.events.length - 1);
      this.c.board.freeze(true);
      this.player = new Player(course.events.length, () => this.show(), 220);
      this.show();
      return true;
    } catch (err) { this.text.textContent = String((err as Error).message); return false; }
  }
  private show(): void {
    if (!this.course || !this.player) return;
    const i = this.player.at;
    this.run.textContent = this.player.playing ? "Pause" : "Run";
    const e = this.course.events[i]!;
    const rows = this.boards[i]!;
    const conflicted = new Set<number>();
    rows.forEach((r, c) => rows.forEach((s, d) => {
      if (d > c && (r === s || Math.abs(r - s) === d - c)) { conflicted.add(c); conflicted.add(d); }
    }));
    this.c.board.repair(rows, e.moves, conflicted);
    this.slider.value = String(i);
    const moves = e.moves.map((m) => `${file(m.col)}${m.from + 1} to ${file(m.col)}${m.to + 1}`).join(", ");
    const did = e.step ? `Step ${e.step}: ${moves}` : e.try ? `Restart ${e.try}: a new board` : "The initial board";
    this.text.textContent = `${did}; ${e.conflicts} pair${e.conflicts === 1 ? "" : "s"} in conflict.` +
      (this.player.atEnd ? (this.course.found ? " Solved." : this.course.cut ? " The animation ends here."
        : " No solution found, which proves nothing.") : "");
    this.lesson.at(this.player.atEnd && this.course.found ? [] : e.step ? [1, 2, 3] : e.try ? [4, 0] : [0], "");
    this.chart.replaceChildren(figure("local-search", lines("Pairs of queens in conflict after each step", [
      { label: "conflicts", values: this.course.events.map((x) => x.conflicts), kind: "first pale" },
      { label: "so far", values: this.course.events.slice(0, i + 1).map((x) => x.conflicts), kind: "first" },
    ], "step")));
  }
  private async toggle(): Promise<void> {
    if (this.player?.playing) return this.player.stop();
    if (!this.player || this.player.atEnd) {
      if (this.player) this.seed++;
      if (!(await this.start())) return;
    }
    this.player!.toggle();
  }
  private async step(): Promise<void> {
    if (this.player) this.player.next();
    else await this.start();
  }
}

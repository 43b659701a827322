// The interface of the panels next to the board, and the simple ones: solutions and local search.
import type { AboutAnswer, Api, Board, Course, NamedOrder, Ordered } from "./api";
import type { BoardView } from "./board";
import { file, queens } from "./cells";
import { lines } from "./chart";
import { figure, saver, savers, saveText } from "./download";
import { button, byId, html, plural, select, thousands } from "./dom";
import { Lesson } from "./lesson";
import { Player, speed } from "./player";
import type { State } from "./state";
import type { Viewport } from "./view";

/** Page is a panel's view of the page. */
export interface Page {
  readonly api: Api;
  readonly about: AboutAnswer;
  readonly board: BoardView;
  readonly state: State;
  /** act asks about a board, which becomes the current one when its answer arrives. */
  act(state: State): void;
  takeBack(cell: string): void;
  /** body returns a request about a board, by default the current one. */
  body(s?: State): Board;
  /** ordered returns a request about a board's diagram, by default the current board's. */
  ordered(s?: State): Required<Ordered>;
  /** question returns or sets the current question, as in queen-hard-7. */
  question(asked?: string): string;
  /** orders returns the variable orders of a board size, by default the current one. */
  orders(n?: number): NamedOrder[];
  /** titleOf returns a back-end's display name. */
  titleOf(name: string): string;
  say(text: string): void;
  /** fail shows what went wrong, and offers to try again. */
  fail(err: unknown, again?: () => void): void;
  /** refreshPanel makes the open panel ask again. */
  refreshPanel(): void;
  render(): void;
  unpin(): void;
}

export interface Panel {
  /** refresh is called when the panel is opened and after each change. */
  refresh(signal: AbortSignal): Promise<void>;
  /** leave is called when another panel is opened, or the board changes. */
  leave(): void;
  /** viewport zooms the panel's picture; undefined if it cannot be zoomed. */
  readonly viewport?: Viewport | undefined;
}

/** Loop is work that a button starts and stops. */
export class Loop {
  private running: AbortController | null = null;
  readonly button: HTMLButtonElement;
  constructor(private c: Page, private label: string, id: string,
      private work: (signal: AbortSignal) => Promise<void>) {
    this.button = button(label, () => void this.toggle(), { id, class: "primary" });
  }
  stop(): void {
    this.running?.abort();
    this.running = null;
    this.button.textContent = this.label;
  }
  private async toggle(): Promise<void> {
    if (this.running) return this.stop();
    const running = (this.running = new AbortController());
    this.button.textContent = "Stop";
    try { await this.work(running.signal); } catch (err) { this.c.fail(err); }
    if (this.running === running) this.stop();
  }
}

/** tooLarge says in a panel why it shows nothing, and offers a small board. */
export function tooLarge(body: HTMLElement, c: Page, text: string): void {
  body.replaceChildren(html("p", {}, text),
    button("Show n = 4", () => c.act({ n: 4, placed: [], blocked: [] }), { id: body.id.replace("body", "small") }));
}

const mostListed = 1000; // solutions

export class SolutionsPanel implements Panel {
  private at = -1;
  private cols: number[] | null = null;
  private signal: AbortSignal | null = null; // of the board that is asked about
  private text = html("p", { id: "solution-text", role: "status" });
  private list = html("ol", { id: "solution-list", class: "steps" });
  constructor(host: HTMLElement, private c: Page) {
    host.append(html("div", { class: "row" },
        button("‹ Previous", () => void this.go(this.at - 1), { id: "solution-previous" }),
        button("Next ›", () => void this.go(this.at + 1), { id: "solution-next" }),
        button("All", () => void this.all(), { id: "solution-all" }),
        button("Place these queens", () => this.take(), { id: "solution-take" })),
      this.text, this.list, savers(saver("Text", "solutions", "txt", () => void this.save())));
  }

  /** some returns all solutions, or the first thousand. */
  private async some(): Promise<{ found: number[][]; more: boolean }> {
    const found: number[][] = [];
    for (let more = true; more;) {
      const answer = await this.c.api.call("solutions", { ...this.c.body(), offset: found.length, limit: 100 });
      found.push(...answer.solutions);
      more = answer.more;
      if (more && found.length >= mostListed) return { found, more };
    }
    return { found, more: false };
  }

  /** all lists the solutions; a click on one shows it. */
  private async all(): Promise<void> {
    const signal = this.signal;
    try {
      const { found, more } = await this.some();
      if (signal?.aborted) return;
      const pick = (cols: number[], i: number): HTMLElement => html("li", {}, button(queens(cols).join(" "),
        () => this.show(i, cols, `Solution ${thousands(i + 1)}`), { class: "step-button" }));
      this.list.replaceChildren(...found.map(pick));
      this.text.textContent = !more ? `All ${plural(found.length, "solution")}.`
        : `The first ${thousands(found.length)} solutions; harness list writes all of them.`;
    } catch (err) { this.c.fail(err); }
  }

  /** save writes the solutions to a file, one per line. */
  private async save(): Promise<void> {
    try {
      const { found, more } = await this.some();
      saveText(`solutions-n${this.c.state.n}.txt`, found.map((cols) => queens(cols).join(",")).join("\n") + "\n");
      this.c.say(`${more ? "The first " : ""}${plural(found.length, "solution")} saved.`);
    } catch (err) { this.c.fail(err); }
  }
  async refresh(signal: AbortSignal): Promise<void> {
    this.signal = signal;
    this.at = -1;
    this.cols = null;
    this.list.replaceChildren();
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
      this.show(to, cols, `Solution ${thousands(to + 1)}: ${queens(cols).join(" ")}`
        + (answer.more ? "" : " (the last one)"));
    } catch (err) { this.text.textContent = "No answer."; this.c.fail(err); }
  }
  private show(at: number, cols: number[], told: string): void {
    [this.at, this.cols, this.text.textContent] = [at, cols, told];
    this.c.board.solution(cols, this.c.state.placed);
  }
  private take(): void {
    if (!this.cols) return;
    const s = this.c.state;
    const rest = queens(this.cols).filter((cell) => !s.placed.includes(cell));
    this.c.act({ ...s, placed: [...s.placed, ...rest] });
  }
}

/** repairCode is the pseudocode of each method of local search. */
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
  private method = this.choice("Method", "repair-method", Object.keys(repairCode));
  private init = this.choice("Initial board", "repair-init", ["random", "permutation", "greedy", "even-odd"]);
  private text = html("p", { id: "repair-text", role: "status" });
  private code = html("div");
  private lesson = new Lesson("repair", []);
  private chart = html("div");
  private slider = html("input", { type: "range", min: 0, max: 0, value: 0, id: "repair-slider",
    "aria-label": "Step", input: () => this.player?.go(Number(this.slider.value)) });
  private run = button("Run", () => void this.toggle(), { id: "repair-run", class: "primary" });
  constructor(host: HTMLElement, private c: Page) {
    host.append(html("div", { class: "row" }, this.method, this.init, speed()),
      html("div", { class: "row" }, this.run,
        button("Step", () => void (this.player ? this.player.next() : this.start()), { id: "repair-step" }),
        button("New run", () => { this.seed++; void this.start(); }, { id: "repair-new" })),
      this.slider, this.text, this.code, this.chart);
  }
  private choice(label: string, id: string, words: string[]): HTMLSelectElement {
    return select(label, words.map((w) => [w, w]), words[0]!, () => {
      if (this.method.value === "swap" && this.init.value === "random") this.init.value = "permutation";
      this.reset();
    }, { id });
  }
  async refresh(): Promise<void> { this.reset(); }
  leave(): void { this.reset(); }
  private reset(): void {
    this.player?.stop();
    if (this.course) {
      delete document.body.dataset["other"];
      this.c.board.freeze(false);
      this.c.render();
    }
    this.course = this.player = null;
    this.text.textContent = "Press Run to begin.";
    this.lesson = new Lesson("repair", repairCode[this.method.value]!);
    this.code.replaceChildren(this.lesson.element);
    this.chart.replaceChildren();
    this.slider.max = "0";
  }
  private async start(): Promise<void> {
    this.reset();
    const { n, placed, blocked } = this.c.state;
    try {
      const course = await this.c.api.call("repair", { n, placed, blocked, method: this.method.value,
        init: this.init.value, seed: this.seed });
      if (!course.events.length) throw new Error("No starting board could be set up.");
      this.boards = [];
      for (const e of course.events) {
        const rows = [...(e.rows ?? this.boards.at(-1)!)];
        for (const m of e.moves) rows[m.col] = m.to;
        this.boards.push(rows);
      }
      this.course = course;
      this.slider.max = String(course.events.length - 1);
      this.c.board.freeze(true);
      document.body.dataset["other"] = "search";
      this.player = new Player(course.events.length, () => this.show(), 220);
      this.show();
    } catch (err) { this.text.textContent = String((err as Error).message); }
  }
  private show(): void {
    if (!this.course || !this.player) return;
    const { at, atEnd, playing } = this.player, { events, found, cut } = this.course;
    const e = events[at]!, rows = this.boards[at]!;
    const attacked = rows.map((r, c) => rows.some((s, d) =>
      d !== c && (r === s || Math.abs(r - s) === Math.abs(d - c))));
    this.c.board.repair(rows, e.moves, attacked);
    byId("other-board").textContent =
      `The search's board: ${rows.length} queens, ${plural(e.conflicts, "pair")} in conflict.`;
    this.run.textContent = playing ? "Pause" : "Run";
    this.slider.value = String(at);
    const moves = e.moves.map((m) => `${file(m.col)}${m.from + 1} to ${file(m.col)}${m.to + 1}`).join(", ");
    const did = e.step ? `Step ${e.step}: ${moves}` : e.try ? `Restart ${e.try}: a new board` : "The initial board";
    const end = found ? " Solved." : cut ? " The animation ends here." : " No solution found, which proves nothing.";
    this.text.textContent = `${did}; ${plural(e.conflicts, "pair")} in conflict.${atEnd ? end : ""}`;
    this.lesson.at(atEnd && found ? [] : e.step ? [1, 2, 3] : e.try ? [4, 0] : [0], "");
    const values = events.map((x) => x.conflicts);
    this.chart.replaceChildren(figure("local-search", lines("Pairs of queens in conflict after each step", [
      { label: "conflicts", values, kind: "first pale" },
      { label: "so far", values: values.slice(0, at + 1), kind: "first" },
    ], "step")));
  }
  private async toggle(): Promise<void> {
    if (!this.player || this.player.atEnd) {
      if (this.player) this.seed++;
      await this.start();
    }
    this.player?.toggle();
  }
}

// The panels beside the board that ask a question of their own: solutions,
// comparison of back-ends, variable orders, the diagram, local search.
import type { Api, Compare, Diagram, OrderAnswer, Repair, Solutions } from "./api";
import { at, file, name } from "./cells";
import { bar, lines } from "./chart";
import { dot, draw, path } from "./diagram";
import { saveButtons, saveText } from "./download";
import { button, duration, html, select, svg, thousands } from "./dom";
import { Viewport } from "./view";
import type { State } from "./state";
import type { BoardView } from "./board";

export interface Context {
  api: Api;
  board: BoardView;
  /** body is a request about the present placement. */
  body(): Record<string, unknown>;
  state(): State;
  /** adopt makes the board the person's. */
  adopt(s: State): void;
  say(text: string): void;
  /** restore draws the person's board again. */
  restore(): void;
  orders(): { name: string; reason: string }[];
  maxBDD(): number;
  maxDiagram(): number;
  maxBuilt(): number;
  fail(err: unknown): void;
}

export interface Panel {
  /** refresh is called when the panel is opened and after each change. */
  refresh(signal: AbortSignal): Promise<void>;
  /** leave is called when another panel is opened, or the board changes. */
  leave(): void;
}

export class SolutionsPanel implements Panel {
  private at = -1;
  private cols: number[] | null = null;
  private text = html("p", { id: "solution-text", role: "status" });
  constructor(private host: HTMLElement, private c: Context) {
    this.host.replaceChildren(
      html("p", { class: "hint" }, "Every completion of the board, one by one, in the back-end's order."),
      html("div", { class: "row" },
        button("‹ Previous", () => void this.go(this.at - 1), { id: "solution-previous" }),
        button("Next ›", () => void this.go(this.at + 1), { id: "solution-next" }),
        button("Take it", () => this.take(), { id: "solution-take" })),
      this.text, html("div", { class: "row saves" }, html("span", { class: "hint" }, "Save as"),
        button("Text", () => void this.save(), { class: "small", id: "solution-save", "aria-label": "Save the solutions as text" })));
  }
  /** save writes up to a thousand solutions to a file, a line each. */
  private async save(): Promise<void> {
    const n = this.c.state().n;
    const rows: string[] = [];
    try {
      for (let more = true; more && rows.length < 1000;) {
        const answer = await this.c.api.call<Solutions>("solutions", { ...this.c.body(), offset: rows.length, limit: 100 });
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
      const answer = await this.c.api.call<Solutions>("solutions", { ...this.c.body(), offset: to, limit: 1 });
      const cols = answer.solutions[0];
      if (!cols) {
        this.text.textContent = to === 0 ? "There is no solution." : `That was the last of ${thousands(to)}.`;
        return;
      }
      this.at = to;
      this.cols = cols;
      this.c.board.solution(cols, this.c.state().placed);
      this.text.textContent = `Solution ${thousands(to + 1)}: ${cols.map((col, row) => name({ row, col })).join(" ")}` + (answer.more ? "" : " (the last one)");
    } catch (err) { this.text.textContent = "No answer."; this.c.fail(err); }
  }
  private take(): void {
    if (!this.cols) return;
    const s = this.c.state();
    const rest = this.cols.map((col, row) => name({ row, col })).filter((cell) => !s.placed.includes(cell));
    this.c.adopt({ ...s, placed: [...s.placed, ...rest] });
  }
}

export class ComparePanel implements Panel {
  private table = html("div", { id: "compare-table" });
  constructor(private host: HTMLElement, private c: Context) {
    this.host.replaceChildren(
      html("p", { class: "hint" }, "The same question to each back-end, one after the other: the valid cells of this board. The number and the bar (logarithmic, from 1 µs to 1 s) are the median of the answers after the first."),
      this.table);
  }
  async refresh(signal: AbortSignal): Promise<void> {
    const { n, placed, blocked, order } = this.c.body();
    const answer = await this.c.api.call<Compare>("compare", { n, placed, blocked, order }, signal);
    const rows = answer.rows.map((r) => {
      const work = Object.entries(r.work).filter(([, v]) => v > 0).map(([k, v]) => `${thousands(v)} ${k}`).join(", ");
      return html("div", { class: "contestant", "data-name": r.name },
        html("div", { class: "contestant-head" }, html("span", {}, r.name), html("span", { class: "number" }, r.failed ?? duration(r.runs ? r.again : r.first))),
        bar(r.failed ? 1 : r.runs ? r.again : r.first, r.backend),
        html("div", { class: "work" }, r.failed ? "no answer" :
          `built in ${duration(r.build)}, first answer ${duration(r.first)}${r.runs ? `, median of ${r.runs} more ${duration(r.again)}` : ""}; ${r.valid} cells${work ? `; ${work}` : ""}`));
    });
    this.table.replaceChildren(...rows, html("p", { class: answer.agree ? "verdict good" : "verdict bad", id: "compare-verdict" },
      answer.agree ? "✓ All that answered found the same cells." : "✗ The back-ends disagree: this is a defect."));
  }
  leave(): void {}
}

export class OrdersPanel implements Panel {
  private pair = ["row-major", "best-bdd"];
  private body = html("div", { id: "orders-body" });
  private pickers = html("div", { class: "row" });
  constructor(private host: HTMLElement, private c: Context) {
    this.host.replaceChildren(
      html("p", { class: "hint" }, "Two variable orders of the same board: the level of each cell, the diagram's width on each level (filled: what the placement still reaches), and, for small boards, the nodes held while it is built by conjunction."),
      this.pickers, this.body);
  }
  async refresh(signal: AbortSignal): Promise<void> {
    const names = this.c.orders().map((o): [string, string] => [o.name, o.name]);
    if (!this.pickers.childElementCount) {
      this.pair.forEach((value, i) => this.pickers.append(select(`Order ${i + 1}`, names, value, (v) => {
        this.pair[i] = v;
        void this.refresh(new AbortController().signal).catch((err) => this.fail(err));
      }, { id: `order-${i + 1}` })));
    }
    const s = this.c.state();
    if (s.n > this.c.maxBDD()) {
      this.body.replaceChildren(html("p", { class: "hint" }, `Diagrams are compiled here for n up to ${this.c.maxBDD()}.`));
      return;
    }
    const answer = await this.c.api.call<{ orders: OrderAnswer[] }>("orders", { n: s.n, placed: s.placed, blocked: s.blocked, orders: this.pair }, signal);
    const kinds = ["first", "second"];
    const widest = Math.max(...answer.orders.flatMap((o) => o.widths)); // one scale for both
    const columns = answer.orders.map((o, i) => html("section", { class: `order-column ${kinds[i]}` },
      html("h2", {}, o.order),
      levelBoard(s.n, o.levels),
      html("dl", { class: "facts" },
        html("dt", {}, "Nodes"), html("dd", { class: "number" }, thousands(o.nodes)),
        html("dt", {}, "Reached now"), html("dd", { class: "number" }, thousands(o.reached_total)),
        html("dt", {}, "Compiled in"), html("dd", { class: "number" }, duration(o.compile))),
      lines(`Width of each level, ${o.order}`, [
        { label: "width", values: o.widths, kind: `${kinds[i]} pale`, area: true },
        { label: "reached", values: o.reached, kind: kinds[i]!, area: true },
      ], "level", widest)));
    const growth = answer.orders.map((o, i) => ({ label: o.order, values: o.growth, kind: kinds[i]! }));
    const nodes: Node[] = [html("div", { class: "columns" }, ...columns)];
    if (growth.some((g) => g.values.length > 1)) {
      nodes.push(html("h2", {}, `Growth while building (${answer.orders[0]!.construction})`), lines("Nodes held after each step of the construction", growth, "step"));
      nodes.push(html("p", { class: "legend" }, html("span", { class: "key first" }, this.pair[0]!), html("span", { class: "key second" }, this.pair[1]!)));
    }
    this.body.replaceChildren(...nodes);
  }
  private fail(err: unknown): void { this.body.replaceChildren(html("p", { class: "hint" }, String((err as Error).message))); }
  leave(): void {}
}

/** levelBoard shows each cell's level, pale at the top of the order. */
function levelBoard(n: number, levels: number[]): SVGSVGElement {
  const e = svg("svg", { class: "level-board", viewBox: `0 0 ${n * 20} ${n * 20}`, role: "img", "aria-label": "Level of each cell in the order" });
  levels.forEach((level, i) => {
    const c = at(n, i);
    const [x, y] = [c.col * 20, (n - 1 - c.row) * 20];
    const part = level / Math.max(1, n * n - 1);
    e.append(svg("rect", { x, y, width: 20, height: 20, class: "level", "fill-opacity": (0.08 + 0.62 * part).toFixed(3) }));
    if (n <= 10) e.append(svg("text", { x: x + 10, y: y + 13.5, class: "level-text" }, String(level)));
  });
  return e;
}

export class DiagramPanel implements Panel {
  private body = html("div", { id: "diagram-body" });
  constructor(private host: HTMLElement, private c: Context) {
    this.host.replaceChildren(
      html("p", { class: "hint" }, "Each node asks whether its cell holds a queen: solid edges say yes, dashed ones no; edges to false are left out. Bright: the ways to ⊤ that the placement allows, a solution each. Point at a node to see on the board what a way to it has decided."),
      this.body);
  }
  async refresh(signal: AbortSignal): Promise<void> {
    const s = this.c.state();
    if (s.n > this.c.maxDiagram()) {
      this.body.replaceChildren(html("p", {}, `A diagram can be taken in at one glance up to n = ${this.c.maxDiagram()}.`),
        button("Show n = 4", () => this.c.adopt({ n: 4, placed: [], blocked: [] }), { id: "diagram-small" }));
      return;
    }
    const { n, placed, blocked, order } = this.c.body();
    const d = await this.c.api.call<Diagram>("diagram", { n, placed, blocked, order }, signal);
    const drawn = draw(d.nodes, `Decision diagram of ${d.nodes.length} nodes`, (id) => this.c.board.partial(id === null ? null : path(d.nodes, id)));
    new Viewport(drawn.element, () => document.body.dataset["stage"] === "panel").reset({ x: 0, y: 0, w: drawn.layout.width, h: drawn.layout.height });
    this.body.replaceChildren(
      html("p", { class: "number" }, `${d.nodes.length} nodes, ${d.nodes.filter((x) => x.live).length} of them on a way to a solution; order ${d.order}`),
      html("div", { class: "diagram-scroll stageable", tabindex: 0, role: "region", "aria-label": "The diagram" }, drawn.element),
      saveButtons("diagram", () => drawn.element, button("DOT", () => saveText(`diagram-n${s.n}.dot`, dot(d.nodes)), { class: "small", "data-save": "diagram-dot", "aria-label": "Save the diagram as DOT" })));
  }
  leave(): void { this.c.board.partial(null); }
}

export class RepairPanel implements Panel {
  private course: Repair | null = null;
  private at = 0;
  private boards: number[][] = []; // rows of each event
  private timer = 0;
  private seed = 1;
  private method = "min-conflicts";
  private init = "random";
  private speed = 220;
  private text = html("p", { id: "repair-text", role: "status" });
  private chart = html("div");
  private slider = html("input", { type: "range", min: 0, max: 0, value: 0, id: "repair-slider", "aria-label": "Step" });
  private run = button("Run", () => void this.toggle(), { id: "repair-run", class: "primary" });
  constructor(private host: HTMLElement, private c: Context) {
    this.slider.addEventListener("input", () => { this.pause(); this.show(Number(this.slider.value)); });
    const pairs = (words: string[]): [string, string][] => words.map((w) => [w, w]);
    this.host.replaceChildren(
      html("p", { class: "hint" }, "Iterative repair on the board: every column has its queen from the start, and attacked ones (red, marked !) are moved until none is. Placed queens stay."),
      html("div", { class: "row" },
        select("Method", pairs(["min-conflicts", "swap", "most-conflicts"]), this.method, (v) => { this.method = v; if (v === "swap" && this.init === "random") this.setInit("permutation"); this.reset(); }, { id: "repair-method" }),
        select("Set-up", pairs(["random", "permutation", "greedy", "even-odd"]), this.init, (v) => { this.init = v; this.reset(); }, { id: "repair-init" }),
        select("Speed", [["600", "slow"], ["220", "medium"], ["50", "fast"]], String(this.speed), (v) => { this.speed = Number(v); if (this.timer) { this.pause(); this.play(); } }, { id: "repair-speed" })),
      html("div", { class: "row" }, this.run,
        button("Step", () => void this.step(), { id: "repair-step" }),
        button("New start", () => { this.seed++; void this.start(); }, { id: "repair-new" })),
      this.slider, this.text, this.chart);
  }
  private setInit(v: string): void {
    this.init = v;
    this.host.querySelector<HTMLSelectElement>("#repair-init")!.value = v;
  }
  async refresh(): Promise<void> { this.reset(); }
  leave(): void { this.reset(); }
  private reset(): void {
    this.pause();
    if (this.course) { this.c.board.freeze(false); this.c.restore(); }
    this.course = null;
    this.text.textContent = "Press Run to begin.";
    this.chart.replaceChildren();
    this.slider.max = "0";
  }
  private async start(): Promise<boolean> {
    this.reset();
    const s = this.c.state();
    try {
      const course = await this.c.api.call<Repair>("repair", { n: s.n, placed: s.placed, blocked: s.blocked, method: this.method, init: this.init, seed: this.seed });
      if (!course.events.length) { this.text.textContent = "Not found: there is nothing to repair to."; return false; }
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
      this.show(0);
      return true;
    } catch (err) { this.text.textContent = String((err as Error).message); return false; }
  }
  private show(i: number): void {
    if (!this.course) return;
    this.at = i;
    const e = this.course.events[i]!;
    const rows = this.boards[i]!;
    const conflicted = new Set<number>();
    rows.forEach((r, c) => rows.forEach((s, d) => { if (d > c && (r === s || Math.abs(r - s) === d - c)) { conflicted.add(c); conflicted.add(d); } }));
    this.c.board.repair(rows, e.moves, conflicted);
    this.slider.value = String(i);
    const end = i === this.course.events.length - 1;
    const moves = e.moves.map((m) => `${file(m.col)}${m.from + 1} to ${file(m.col)}${m.to + 1}`).join(", ");
    this.text.textContent = `${e.step === 0 ? (e.try ? `Restart ${e.try}: a new board` : "The board as set up") : `Step ${e.step}: ${moves}`}; ${e.conflicts} pair${e.conflicts === 1 ? "" : "s"} in conflict.` +
      (end ? (this.course.found ? " Solved." : this.course.cut ? " The animation ends here." : " Not found, which proves nothing.") : "");
    this.chart.replaceChildren(lines("Pairs of queens in conflict after each step", [
      { label: "conflicts", values: this.course.events.map((x) => x.conflicts), kind: "first pale" },
      { label: "so far", values: this.course.events.slice(0, i + 1).map((x) => x.conflicts), kind: "first" },
    ], "step"));
    if (end && this.timer) this.pause();
  }
  private async toggle(): Promise<void> {
    if (this.timer) return this.pause();
    if (!this.course || this.at === this.course.events.length - 1) { if (this.course) this.seed++; if (!(await this.start())) return; }
    this.play();
  }
  private play(): void {
    this.run.textContent = "Pause";
    this.timer = window.setInterval(() => {
      if (!this.course || this.at >= this.course.events.length - 1) return this.pause();
      this.show(this.at + 1);
    }, this.speed);
  }
  private pause(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    this.run.textContent = "Run";
  }
  private async step(): Promise<void> {
    this.pause();
    if (!this.course) { await this.start(); return; }
    if (this.at < this.course.events.length - 1) this.show(this.at + 1);
  }
}

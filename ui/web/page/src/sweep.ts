// The Diagram panel: the diagram of this board, and how one pass down and one up find the valid cells.
import type { DrawnNode } from "./api";
import { dot, draw, framed, path } from "./diagram";
import { saveButtons, saver, saveText } from "./download";
import { button, html, plural, select, thousands } from "./dom";
import { tooLarge, type Panel, type Page } from "./panels";
import { Player, speed } from "./player";
import { Lesson } from "./lesson";
import type { Viewport } from "./view";

const pseudocode = [
  "reach the root",
  "for each level downwards, each reached node:",
  "  reach its low child, unless a queen is placed",
  "  reach its high child, unless the cell is blocked",
  "for each level upwards, each reached node:",
  "  alive if such an edge leads to ⊤ or to an alive node",
  "  cell valid if the high edge does",
];

/** Step is the state of a sweep after a level: the current lines, and the nodes reached and alive so far. */
export interface Step { lines: number[]; text: string; reached: Set<number>; alive: Set<number>; valid: string[] }

/** sweep returns the steps of finding the valid cells: one per level downwards and one per level upwards. */
export function sweep(nodes: DrawnNode[]): Step[] {
  const root = nodes[0];
  if (!root) return [];
  const levels = [...new Set(nodes.map((n) => n.level))];
  const reached = new Set([root.id]), alive = new Set([-1]), valid: string[] = [];
  const steps: Step[] = [];
  const note = (lines: number[], text: string): void => {
    steps.push({ lines, text, reached: new Set(reached), alive: new Set(alive), valid: [...valid] });
  };
  const at = (level: number): DrawnNode[] => nodes.filter((n) => n.level === level && reached.has(n.id));
  note([0], `The root, ${root.cell}, is reached.`);
  for (const level of levels) {
    const row = at(level);
    for (const n of row) {
      if (n.low_open) reached.add(n.low);
      if (n.high_open) reached.add(n.high);
    }
    if (row[0]) note([1, 2, 3], `Down, ${row[0].cell}: ${plural(row.length, "reached node")} on its level.`);
  }
  for (const level of levels.reverse()) {
    const row = at(level);
    for (const n of row) {
      const low = n.low_open && alive.has(n.low), high = n.high_open && alive.has(n.high);
      if (low || high) alive.add(n.id);
      if (high && !valid.includes(n.cell)) valid.push(n.cell);
    }
    const living = row.filter((n) => alive.has(n.id)).length;
    if (row[0]) note([4, 5, 6], `Up, ${row[0].cell}: ${plural(living, "node")} alive; ` +
      `${row[0].cell} ${valid.includes(row[0].cell) ? "can hold a queen" : "cannot hold a queen"}.`);
  }
  note([], `Done: ${plural(valid.length, "cell")} can hold a queen, found by visiting each reached node twice.`);
  return steps;
}

export class DiagramPanel implements Panel {
  viewport: Viewport | undefined;
  private chosen = ""; // bdd, zdd; empty: a BDD, or if the board is large a ZDD, since it has fewer nodes
  private kind = select("Kind of diagram", [["bdd", "BDD"], ["zdd", "ZDD"]], "bdd",
    (v) => { this.chosen = v; this.c.refreshPanel(); }, { id: "diagram-kind" });
  private live = html("input", { type: "checkbox", id: "diagram-live", change: () => this.show() });
  private nodes: DrawnNode[] = [];
  private told = "";
  private player: Player | null = null;
  private body = html("div", { id: "diagram-body" });
  private lesson = new Lesson("sweep", pseudocode);
  constructor(host: HTMLElement, private c: Page) {
    host.append(html("div", { class: "row" }, this.kind,
        html("label", { class: "check" }, this.live, " only what the placement reaches")), this.body);
  }
  async refresh(signal: AbortSignal): Promise<void> {
    const s = this.c.state;
    const most = this.c.about.max_bdd;
    if (s.n > most) return tooLarge(this.body, this.c, `Diagrams are drawn for n up to ${most}.`);
    this.kind.value = this.chosen || (s.n > this.c.about.max_diagram ? "zdd" : "bdd");
    const d = await this.c.api.call("diagram", { ...this.c.ordered(), kind: this.kind.value }, signal);
    this.nodes = d.nodes;
    this.told = `${this.kind.value.toUpperCase()}, ${d.order}: ${plural(String(d.whole), "node")}, ` +
      `${thousands(d.reached)} on a path to a solution`;
    if (d.reached > d.nodes.length) {
      return tooLarge(this.body, this.c, `${this.told}, too many to draw. Place a queen.`);
    }
    if (s.n > this.c.about.max_diagram) this.told += ", which are drawn";
    this.show();
  }
  leave(): void {
    this.close();
    this.c.board.partial(null);
  }
  private close(): void {
    this.player?.stop();
    this.player = null;
    document.body.classList.remove("sweeping");
  }

  private show(): void {
    this.close();
    const nodes = !this.live.checked ? this.nodes : this.nodes.filter((n) => n.live).map((n) => ({ ...n,
      low: n.low_live ? n.low : -2, high: n.high_live ? n.high : -2 }));
    const drawn = draw(nodes, `Decision diagram of ${nodes.length} nodes`,
      (id) => this.c.board.partial(id === null ? null : path(nodes, id)));
    const { host, viewport } = framed(drawn, "The diagram", [["edge", "a queen"], ["edge low", "none"],
      ["edge live", "allowed"]]);
    this.viewport = viewport;
    const steps = sweep(nodes);
    const paint = (): void => {
      const player = this.player!, step = steps[player.at]!;
      for (const e of drawn.element.querySelectorAll<SVGGElement>("[data-node]")) {
        const id = Number(e.dataset["node"]);
        e.classList.toggle("reached", step.reached.has(id));
        e.classList.toggle("alive", step.alive.has(id));
      }
      this.lesson.at(step.lines, step.text);
      this.c.board.outline(step.valid);
      play.textContent = player.playing ? "Pause" : "Sweep";
    };
    const go = (act: (p: Player) => void): void => {
      this.player ??= new Player(steps.length, paint, 700);
      document.body.classList.add("sweeping"); // the diagram makes room for the pseudocode
      act(this.player);
    };
    const play = button("Sweep", () => go((p) => p.toggle()), { id: "sweep-play", class: "primary",
      title: "how the valid cells are found" });
    const lesson = html("div", {}, html("div", { class: "row playing" }, play,
        button("Back", () => go((p) => p.back()), { id: "sweep-back" }),
        button("Next", () => go((p) => p.next()), { id: "sweep-next" }), speed(),
        button("✕", () => { this.show(); this.c.board.partial(null); }, { id: "sweep-close", class: "small",
          "aria-label": "Close the sweep" })), this.lesson.element);
    this.body.replaceChildren(html("p", { class: "number" }, this.told), html("div", { class: "sweep" }, lesson, host),
      saveButtons("diagram", () => drawn.element,
        saver("DOT", "diagram", "dot", () => saveText(`diagram-n${this.c.state.n}.dot`, dot(nodes)))));
    this.lesson.at([], "");
  }
}

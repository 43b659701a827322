// The Orders panel: two variable orders of the same board. An order is a named one, one
// painted by hand, or one that a search improves while you watch.
import type { Profile } from "./api";
import { at, name, parse } from "./cells";
import { lines } from "./chart";
import { figure } from "./download";
import { button, duration, html, select, svg, thousands } from "./dom";
import { Loop, type Panel, type Page } from "./panels";

/** moved returns an order with a cell moved to a level; the cells from there on move down. */
export function moved(order: string[], cell: string, level: number): string[] {
  const rest = order.filter((c) => c !== cell);
  return [...rest.slice(0, level), cell, ...rest.slice(level)];
}

/** listed returns the cells in order, given their levels row by row. */
export function listed(n: number, levels: number[]): string[] {
  const order = new Array<string>(n * n);
  levels.forEach((level, i) => { order[level] = name(at(n, i)); });
  return order;
}

const own = "my order";
const largest = 9; // n up to which an order can be painted

export class OrdersPanel implements Panel {
  private pair = ["row-major", "best-bdd"];
  private cells: string[] = []; // my order
  private painted = 0; // levels painted so far
  private n = 0;
  private falls: number[] = []; // nodes after each round of the search
  private loop: Loop;
  private seed = 1;
  private last: Profile[] = [];
  private body = html("div", { id: "orders-body" });
  private pickers = html("div", { class: "row" });
  private tools = html("div", { class: "row" });
  constructor(host: HTMLElement, private c: Page) {
    this.loop = new Loop(c, "Search for a better order", "order-search", (signal) => this.search(signal));
    host.append(this.pickers, this.tools, this.body);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const s = this.c.state;
    if (s.n !== this.n) {
      this.n = s.n;
      this.cells = [];
      this.falls = [];
      this.painted = 0;
      const names = this.c.orders().map((o) => o.name); // a painted order belongs to another board
      if (!this.pair.every((o) => names.includes(o))) this.pair = ["row-major", "best-bdd"];
    }
    this.pick();
    const most = this.c.about.max_bdd;
    if (s.n > most) {
      return this.body.replaceChildren(html("p", { class: "hint" }, `Diagrams are compiled here for n up to ${most}.`));
    }
    const answer = await this.c.api.call("orders", { n: s.n, placed: s.placed,
      blocked: s.blocked, orders: this.pair.map((o) => (o === own ? this.cells.join(",") : o)) }, signal);
    this.last = answer.orders;
    this.show();
  }
  leave(): void { this.loop.stop(); }

  private pick(): void {
    const names = this.c.orders().map((o): [string, string] => [o.name, o.name]);
    if (this.n <= largest && this.cells.length) names.push([own, own]);
    this.pickers.replaceChildren(...this.pair.map((value, i) => select(`Order ${i + 1}`, names, value, (v) => {
      this.pair[i] = v;
      this.c.refreshPanel();
    }, { id: `order-${i + 1}` })));
    this.tools.replaceChildren(
      button("Paint an order", () => this.adopt(), { id: "order-paint", disabled: this.n > largest,
        title: this.n > largest ? `for n up to ${largest}`
        : "start from the second order, then click its cells" }), this.loop.button);
    this.loop.button.disabled = this.n > largest;
  }
  /** copy makes the second order the person's own. */
  private copy(): boolean {
    const second = this.last[1];
    if (!second) return false;
    this.cells = listed(this.n, second.levels);
    [this.painted, this.falls, this.pair[1]] = [0, [], own];
    return true;
  }
  private adopt(): void {
    if (!this.copy()) return;
    this.c.say("Click the cells of the second board in the order you want them, from the top level down.");
    this.c.refreshPanel();
  }
  private paint(cell: string): void {
    this.cells = moved(this.cells, cell, this.painted);
    this.painted = (this.painted + 1) % this.cells.length;
    this.c.say(`${cell} is level ${(this.painted || this.cells.length) - 1}.`);
    this.c.refreshPanel();
  }

  private async search(signal: AbortSignal): Promise<void> {
    if (this.pair[1] !== own && !this.copy()) return;
    this.pick();
    for (let quiet = 0; quiet < 12;) {
      const i = await this.c.api.call("improve", { n: this.n, order: this.cells.join(","), seed: this.seed++ }, signal);
      if (!this.falls.length) this.falls = [i.start];
      quiet = i.nodes < i.start ? 0 : quiet + 1;
      this.falls.push(i.nodes);
      this.cells = i.order;
      await this.refresh(signal);
    }
    this.c.say(`The search stops at ${this.falls.at(-1)} nodes: it found nothing smaller for a while.`);
  }

  private show(): void {
    const kinds = ["first", "second"];
    const widest = Math.max(...this.last.flatMap((o) => o.widths)); // one scale for both
    const columns = this.last.map((o, i) => {
      const mine = this.pair[i] === own;
      const board = levelBoard(this.n, o.levels, mine ? (cell) => this.paint(cell) : undefined);
      const widths = lines(`Width of each level, ${this.pair[i]}`, [
        { label: "width", values: o.widths, kind: `${kinds[i]} pale`, area: true },
        { label: "reached", values: o.reached, kind: kinds[i]!, area: true },
      ], "level", widest);
      return html("section", { class: `order-column ${kinds[i]}`, "aria-label": `Order ${i + 1}` },
        html("h2", {}, this.pair[i]!), figure(`levels-${i + 1}`, board),
        html("dl", { class: "facts" },
          html("dt", {}, "BDD nodes"), html("dd", { class: "number" }, thousands(o.nodes)),
          html("dt", {}, "Reached now"), html("dd", { class: "number" }, thousands(o.reached_total)),
          html("dt", {}, "Compiled in"), html("dd", { class: "number",
            title: `median of ${o.compiles}` }, duration(o.compile))),
        figure(`widths-${i + 1}`, widths));
    });
    const nodes: Node[] = [html("div", { class: "columns" }, ...columns)];
    if (this.falls.length > 1) {
      nodes.push(html("h2", {}, "Nodes during the search"),
        figure("search", lines("Nodes of the best order after each round of the search",
          [{ label: "nodes", values: this.falls, kind: "second" }], "round")),
        html("p", { class: "number", id: "order-fall" },
          `${thousands(this.falls[0]!)} → ${thousands(this.falls.at(-1)!)} nodes`));
    }
    const focused = (document.activeElement as SVGElement | null)?.dataset?.["orderCell"];
    this.body.replaceChildren(...nodes);
    if (focused) this.body.querySelector<SVGElement>(`.paintable [data-order-cell="${focused}"]`)?.focus();
  }
}

/** levelBoard shows each cell's level, pale at the top of the order. When paint is given, its cells are
    buttons; the arrow keys go from one to the next. */
function levelBoard(n: number, levels: number[], paint?: (cell: string) => void): SVGSVGElement {
  const e = svg("svg", { class: `level-board${paint ? " paintable" : ""}`, viewBox: `0 0 ${n * 20} ${n * 20}`,
    role: paint ? "group" : "img", "aria-label": "Level of each cell in the order" });
  levels.forEach((level, i) => {
    const c = at(n, i);
    const [x, y] = [c.col * 20, (n - 1 - c.row) * 20];
    const part = level / Math.max(1, n * n - 1);
    const g = svg("g", { "data-order-cell": name(c) },
      svg("rect", { x, y, width: 20, height: 20, class: "level", "fill-opacity": (0.08 + 0.62 * part).toFixed(3) }));
    if (n <= 10) g.append(svg("text", { x: x + 10, y: y + 13.5, class: "level-text" }, String(level)));
    if (paint) {
      for (const [key, value] of Object.entries({ role: "button", tabindex: i ? "-1" : "0",
        "aria-label": `${name(c)}, level ${level}` })) g.setAttribute(key, value);
      g.addEventListener("click", () => paint(name(c)));
    }
    e.append(g);
  });
  if (paint) e.addEventListener("keydown", (event) => {
    const cell = parse((event.target as SVGElement).dataset["orderCell"] ?? "");
    if (!cell) return;
    const step = { ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter" || event.key === " ") paint(name(cell));
    else if (step) {
      const to = { row: cell.row + step[0]!, col: cell.col + step[1]! };
      e.querySelector<SVGElement>(`[data-order-cell="${name(to)}"]`)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return e;
}

// Options on a board: numbers in cells, pieces on them, tiles over them. Each is a button; the arrow keys go to the
// nearest one.
import type { Picture } from "./api";
import { file } from "./cells";
import { html, svg } from "./dom";

const side = 48; // of a cell
const glyphs: Record<string, string> = { Q: "♛", R: "♜", O: "●" };

interface Spot { g: SVGGElement; x: number; y: number }

/** slots divides a cell among the texts that it can hold. It returns their centres and their side, in cells. */
export function slots(count: number): { at: [number, number][]; size: number } {
  const n = Math.ceil(Math.sqrt(count));
  return { at: Array.from({ length: count }, (_, i) => [(i % n + .5) / n, (Math.floor(i / n) + .5) / n]), size: 1 / n };
}

export class PictureView {
  readonly element: SVGSVGElement;
  readonly legend: HTMLElement;
  private spots: Spot[] = [];
  private focused = 0;
  private edge: number; // the margin with the names of rows and columns

  constructor(private picture: Picture, private names: string[], click: (name: string, no: boolean) => void) {
    const { n, spots } = picture;
    const edge = this.edge = n * side * .05, whole = n * side + edge;
    this.element = svg("svg", { viewBox: `0 0 ${whole} ${whole}`, class: "picture", role: "group",
      "aria-label": "The board" });
    const holds = new Map<number, number[]>(); // the options of each cell that holds texts
    spots.forEach((s, i) => { if (s.text) holds.set(s.cells[0]!, [...holds.get(s.cells[0]!) ?? [], i]); });
    for (let c = 0; c < n * n; c++) {
      const [x, y] = this.corner(c);
      this.element.append(svg("rect", { x, y, width: side, height: side,
        class: (c % n + Math.floor(c / n)) % 2 ? "square" : "square dark" }));
    }
    for (let i = 0; i < n; i++) {
      const along = edge + (i + .5) * side;
      const small = { class: "rim", "font-size": edge * .55 };
      this.element.append(svg("text", { x: along, y: whole - edge / 2, ...small }, file(i)),
        svg("text", { x: edge / 2, y: n * side - (i + .5) * side, ...small }, String(i + 1)));
    }
    spots.forEach((s, i) => {
      const g = svg("g", { role: "button", tabindex: i ? -1 : 0, "data-spot": names[i]!,
        click: () => { this.focus(i); click(names[i]!, false); },
        contextmenu: (e: Event) => { e.preventDefault(); click(names[i]!, true); },
        keydown: (e: KeyboardEvent) => this.pressed(e, i, click) });
      const corners = s.cells.map((c) => this.corner(c));
      const middle = (k: 0 | 1): number => corners.reduce((sum, c) => sum + c[k], 0) / corners.length + side / 2;
      let [x, y] = [middle(0), middle(1)];
      if (s.text) {
        const among = holds.get(s.cells[0]!)!, { at, size } = slots(among.length);
        const [dx, dy] = at[among.indexOf(i)]!;
        const [left, top] = corners[0]!;
        g.append(svg("text", { x, y, class: "large" }, s.text));
        [x, y] = [left + dx * side, top + dy * side];
        g.append(svg("rect", { x: x - size * side / 2, y: y - size * side / 2, width: size * side, height: size * side,
          class: "hit" }), svg("text", { x, y, class: "little", "font-size": .55 * size * side }, s.text));
      } else {
        const xs = corners.map((c) => c[0]), ys = corners.map((c) => c[1]);
        const wide = Math.max(...xs) - Math.min(...xs), high = Math.max(...ys) - Math.min(...ys);
        const box = (width: number, height: number): Record<string, number> =>
          ({ x: x - width / 2, y: y - height / 2, width, height, rx: Math.min(width, height) / 5 });
        const along = (length: number, across: number): Record<string, number> =>
          box(wide ? length : across, high ? length : across);
        g.append(...corners.length > 1 ? [
          svg("rect", { ...box(wide + side - 10, high + side - 10), class: "large tile" }),
          svg("rect", { ...along(36, 16), class: "hit" }), svg("rect", { ...along(26, 6), class: "little" }),
        ] : [
          svg("text", { x, y, class: "large" }, glyphs[picture.piece] ?? picture.piece),
          svg("rect", { ...box(side - 6, side - 6), class: "hit" }),
          svg("circle", { cx: x, cy: y, r: 4, class: "little" }),
        ]);
      }
      this.spots.push({ g, x, y });
      this.element.append(g);
    });
    this.legend = this.key();
  }

  /** key says what the signs mean, each beside a sample. */
  private key(): HTMLElement {
    const { piece, name, spots } = this.picture;
    const tile = spots[0]!.cells.length > 1, text = spots[0]!.text !== "";
    const little = (): SVGElement => text ? svg("text", { x: 12, y: 12, class: "little", "font-size": 18 }, "7")
      : tile ? svg("rect", { x: 3, y: 9, width: 18, height: 6, rx: 2, class: "little" })
      : svg("circle", { cx: 12, cy: 12, r: 4, class: "little" });
    const large = (): SVGElement => tile
      ? svg("rect", { x: 2, y: 5, width: 20, height: 14, rx: 3, class: "large tile" })
      : svg("text", { x: 12, y: 12, class: "large tiny" }, text ? "7" : glyphs[piece] ?? piece);
    const sign = (state: string, what: string): HTMLElement => html("span", {},
      svg("svg", { class: "picture tiny", viewBox: "0 0 24 24", "aria-hidden": "true" },
        svg("g", { "data-state": state }, "+!".includes(state) ? large() : little())), what);
    return html("p", { class: "legend signs", id: "picture-legend" }, sign("?", `clear: a possible ${name}`),
      sign("x", "pale: ruled out"), sign("+", `${name}, chosen`), sign("!", `${name}, forced`));
  }

  private corner(cell: number): [number, number] {
    const { n } = this.picture;
    return [this.edge + cell % n * side, (n - 1 - Math.floor(cell / n)) * side];
  }

  private focus(i: number): void {
    this.spots[this.focused]!.g.setAttribute("tabindex", "-1");
    this.focused = i;
    this.spots[i]!.g.setAttribute("tabindex", "0");
    this.spots[i]!.g.focus();
  }

  private pressed(e: KeyboardEvent, i: number, click: (name: string, no: boolean) => void): void {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[e.key];
    if (e.key === "Enter" || e.key === " ") click(this.names[i]!, false);
    else if (e.key === "x") click(this.names[i]!, true);
    else if (step) this.go(i, step[0]!, step[1]!);
    else return;
    e.preventDefault();
  }

  /** go moves to the nearest spot in a direction, and prefers spots straight ahead. */
  private go(from: number, dx: number, dy: number): void {
    const here = this.spots[from]!;
    let best = -1, least = Infinity;
    this.spots.forEach((s, i) => {
      const ahead = (s.x - here.x) * dx + (s.y - here.y) * dy, aside = Math.abs((s.x - here.x) * dy) +
        Math.abs((s.y - here.y) * dx);
      if (ahead > 1 && !s.g.matches(".gone") && ahead + 2 * aside < least) [best, least] = [i, ahead + 2 * aside];
    });
    if (best >= 0) this.focus(best);
  }

  /** show shows each option's state, also in words. A cell that holds something hides its other options. */
  show(states: string, words: Record<string, string>): void {
    const taken = new Set<number>();
    this.picture.spots.forEach((s, i) => { if ("+!".includes(states[i]!)) s.cells.forEach((c) => taken.add(c)); });
    this.spots.forEach(({ g }, i) => {
      const state = states[i]!, on = "+!".includes(state);
      g.dataset["state"] = state;
      g.classList.toggle("gone", !on && this.picture.spots[i]!.cells.some((c) => taken.has(c)));
      g.setAttribute("aria-pressed", String(on));
      g.setAttribute("aria-label", `${this.names[i]}, ${words[state] || "open"}`);
    });
  }
}

// The board: one SVG, a grid for assistive technology, crisp at any size.
import { at, file, name, parse, queens, type Cell } from "./cells";
import type { BoardAnswer, Frame, Quiz, Walk } from "./api";
import { html, svg, thousands } from "./dom";
import { onHold } from "./hold";
import { palette, Sheet, snapped, type Palette } from "./marks";
import { Viewport, type Box } from "./view";

const unit = 100; // the side of a cell in the drawing
const painted = 32; // n from which cells are painted on a canvas

/** counted is the largest board whose cells have room for a number. */
export const counted = 14;

const words: Record<string, string> = {
  Q: "queen", q: "queen, placed automatically", "!": "forced", o: "valid", x: "attacked", ".": "impossible",
    "#": "blocked",
};

/** shapes are the paths of the other marks, in a square of unit. */
const shapes: Record<string, [kind: string, d: string][]> = {
  "!": [["forced", "M50 22 L78 50 L50 78 L22 50 Z"],
    ["bang", "M46 36 h8 l-2 17 h-4 z M50 57 a4.5 4.5 0 1 1 0 9 a4.5 4.5 0 1 1 0 -9"]],
  x: [["attacked", "M42 42 L58 58 M58 42 L42 58"]],
  ".": [["invalid", "M38 50 H62"]],
  "#": [["blocked", "M0 0 H100 V100 H0 Z"],
    ["hatch", "M0 33 L33 0 M0 67 L67 0 M0 100 L100 0 M33 100 L100 33 M67 100 L100 67"]],
};

/** Clicks tells the page what the person does with a cell. */
interface Clicks {
  look(cell: string | null): void; // the pointer or the focus is on a cell, or on none
  activate(cell: string): void;
  block(cell: string): void;
  move(from: string, to: string | null): void; // a queen; null: off the board
}

export class BoardView {
  readonly element: SVGSVGElement;
  private n = 0;
  private cells: SVGGElement[] = [];
  private marks = "";
  private layers = { cells: svg("g"), over: svg("g",
    { class: "over", "aria-hidden": "true" }) };
  private focus = 0;
  private frozen = false; // clicks are ignored, or go to pick
  private pick: ((cell: string) => void) | undefined;
  private canvas = html("canvas", { class: "marks", "aria-hidden": "true" });
  private due = false; // a repaint is scheduled
  private sheet = new Sheet();
  private colours: Palette | null = null; // of the current theme
  private hovered: string | null = null;
  private all: Box = { x: 0, y: 0, w: unit, h: unit }; // the whole picture
  readonly viewport: Viewport;

  constructor(host: HTMLElement, private c: Clicks) {
    this.element = svg("svg", { class: "board", role: "grid", "aria-label": "Chessboard", id: "board" });
    this.element.append(this.layers.cells, this.layers.over);
    host.replaceChildren(this.canvas, this.element);
    this.viewport = new Viewport(this.element, () => document.body.dataset["stage"] === "board", () => this.repaint());
    const resized = new ResizeObserver(() => this.repaint());
    for (const e of [this.element, host.parentElement!]) resized.observe(e); // a painted board has a width of its own
    const cellOf = (e: Event): string | null => {
      if (this.frozen && !(this.pick && e.type === "click")) return null;
      const drawn = (e.target as Element).closest?.("[data-cell]")?.getAttribute("data-cell");
      if (drawn || !this.onCanvas || !(e instanceof MouseEvent)) return drawn ?? null;
      const p = this.viewport.toPicture(e.clientX, e.clientY);
      const c = { row: this.n - 1 - Math.floor(p.y / unit), col: Math.floor(p.x / unit) };
      return c.row >= 0 && c.row < this.n && c.col >= 0 && c.col < this.n ? name(c) : null;
    };
    onHold(this.element, cellOf, (cell) => { if (!this.frozen) this.c.block(cell); });
    this.dragQueens(cellOf);
    this.element.addEventListener("click", (e) => {
      const cell = cellOf(e);
      if (cell) { this.moveFocus(parse(cell)!, false); this.hit(cell); }
    });
    this.element.addEventListener("pointerover", (e) => {
      const cell = cellOf(e);
      if (cell && e.pointerType !== "touch") this.c.look(cell);
    });
    this.element.addEventListener("pointermove", (e) => {
      if (!this.onCanvas || e.pointerType === "touch" || e.buttons) return;
      const cell = cellOf(e);
      if (cell && cell !== this.hovered) this.c.look(cell);
      this.hovered = cell;
    });
    this.element.addEventListener("pointerleave", () => {
      this.hovered = null;
      if (!this.frozen) this.c.look(null);
    });
    this.element.addEventListener("focusin", (e) => {
      const cell = cellOf(e);
      if (cell && (e.target as Element).matches(":focus-visible")) this.c.look(cell);
    });
    this.element.addEventListener("keydown", (e) => this.key(e));
  }

  /** dragQueens lets a placed queen be dragged to another cell, or off the board. */
  private dragQueens(cellOf: (e: Event) => string | null): void {
    let from: string | null = null, start: PointerEvent | null = null, ghost: SVGElement | null = null;
    const end = (): void => {
      ghost?.remove();
      from = start = ghost = null;
    };
    this.element.addEventListener("pointerdown", (e) => {
      const cell = cellOf(e);
      if (this.frozen || e.button !== 0 || !e.isPrimary || !cell || this.mark(cell) !== "Q") return;
      [from, start] = [cell, e];
    });
    window.addEventListener("pointermove", (e) => {
      if (!from || e.pointerId !== start!.pointerId) return;
      if (!ghost) {
        if (Math.hypot(e.clientX - start!.clientX, e.clientY - start!.clientY) < 8) return;
        ghost = svg("g", { class: "dragged-queen" }, queen("queen"));
        this.element.append(ghost);
      }
      const p = this.viewport.toPicture(e.clientX, e.clientY);
      ghost.setAttribute("transform", `translate(${p.x - unit / 2} ${p.y - unit / 2})`);
    });
    window.addEventListener("pointerup", (e) => {
      if (!from || e.pointerId !== start!.pointerId) return;
      const [cell, dragged] = [from, ghost !== null];
      end();
      if (!dragged) return;
      const p = this.viewport.toPicture(e.clientX, e.clientY);
      const to = { row: this.n - 1 - Math.floor(p.y / unit), col: Math.floor(p.x / unit) };
      const inside = Math.min(to.row, to.col) >= 0 && Math.max(to.row, to.col) < this.n;
      // Some browsers end the drag with a click, which would take a queen back.
      const click = (c: Event): void => { c.stopPropagation(); c.preventDefault(); };
      window.addEventListener("click", click, { capture: true, once: true });
      window.setTimeout(() => window.removeEventListener("click", click, { capture: true }));
      if (!inside || name(to) !== cell) this.c.move(cell, inside ? name(to) : null);
    });
    window.addEventListener("pointercancel", end);
  }

  private get onCanvas(): boolean { return this.n >= painted; }

  /** picture returns the board to save, with the canvas as an image. */
  picture(): SVGSVGElement {
    if (!this.onCanvas) return this.element;
    const copy = this.element.cloneNode(true) as SVGSVGElement;
    const image = svg("image", { href: this.canvas.toDataURL("image/png"), x: this.viewport.box.x,
      y: this.viewport.box.y, width: this.viewport.box.w, height: this.viewport.box.h });
    copy.prepend(image);
    return copy;
  }

  /** recolour applies the theme's current colours. */
  recolour(): void {
    this.colours = null;
    this.repaint();
  }

  /** repaint paints the canvas before the next frame. */
  repaint(): void {
    if (!this.onCanvas || this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      if (!this.onCanvas) return;
      const side = this.snap();
      const [w, h] = [this.all.w, this.all.h].map((length) => Math.round(length / unit * side)) as [number, number];
      if (this.canvas.width !== w || this.canvas.height !== h) { this.canvas.width = w; this.canvas.height = h; }
      this.colours ??= palette();
      const look = { unit, side, colours: this.colours, queen: `${crown} ${foot}` };
      this.sheet.show(this.canvas, this.n, this.marks, this.viewport.box, look);
    });
  }

  /** snap sets a painted board's width so that all cells are equal, and returns their side in pixels. */
  private snap(): number {
    const host = this.element.parentElement!;
    host.style.width = "";
    if (!this.onCanvas) return 0;
    const density = Math.min(2, window.devicePixelRatio || 1);
    const side = snapped(host.clientWidth * density * unit / this.all.w);
    host.style.width = `${side * this.all.w / unit / density}px`;
    return side;
  }
  get focused(): string { return name(at(this.n, this.focus)); }

  /** freeze ignores clicks while the board shows other queens than the person's, or lets the person pick a cell. */
  freeze(on: boolean, pick?: (cell: string) => void): void {
    this.frozen = on;
    this.pick = pick;
    this.element.classList.toggle("frozen", on);
  }

  private hit(cell: string): void {
    if (this.pick) this.pick(cell);
    else this.c.activate(cell);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const c = at(this.n, this.focus);
    const steps: Record<string, [number, number]> = {
      ArrowUp: [1, 0], ArrowDown: [-1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      Home: [0, -this.n], End: [0, this.n], PageUp: [this.n, 0], PageDown: [-this.n, 0],
    };
    const step = steps[e.key];
    const clamp = (x: number): number => Math.max(0, Math.min(this.n - 1, x));
    if (step) this.moveFocus({ row: clamp(c.row + step[0]), col: clamp(c.col + step[1]) }, true);
    else if ((e.key === "Enter" || e.key === " ") && (this.pick || !this.frozen)) this.hit(this.focused);
    else if (e.key === "x" && !this.frozen) this.c.block(this.focused);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  /** moveFocus makes one cell the grid's tab stop (roving focus). */
  private moveFocus(c: Cell, take: boolean): void {
    this.cells[this.focus]?.setAttribute("tabindex", "-1");
    this.focus = c.row * this.n + c.col;
    this.viewport.reveal(c.col * unit, (this.n - 1 - c.row) * unit, unit);
    if (this.onCanvas) return this.caret(take);
    const e = this.cells[this.focus];
    e?.setAttribute("tabindex", "0");
    if (take) e?.focus();
  }

  /** caret moves a painted board's only cell element to the focused cell. */
  private caret(take: boolean): void {
    const c = at(this.n, this.focus);
    let g = this.layers.cells.querySelector<SVGGElement>("[data-cell]");
    if (!g) {
      g = svg("g", { role: "gridcell", tabindex: 0, class: "cell caret" }, svg("rect",
        { width: unit, height: unit, class: "square" }));
      this.layers.cells.append(svg("g", { role: "row" }, g));
    }
    g.setAttribute("data-cell", name(c));
    g.setAttribute("data-mark", this.mark(name(c)));
    g.setAttribute("aria-label", `${name(c)}, ${words[this.mark(name(c))]}`);
    g.setAttribute("aria-rowindex", String(this.n - c.row));
    g.setAttribute("aria-colindex", String(c.col + 1));
    g.setAttribute("transform", this.shift(c));
    if (take) { g.focus(); if (!this.frozen) this.c.look(name(c)); }
  }

  /** resize draws an empty board. */
  private resize(n: number): void {
    const focused = this.element.contains(document.activeElement); // on a cell that is replaced
    this.n = n;
    this.marks = "";
    this.cells = this.onCanvas ? [] : new Array(n * n);
    this.canvas.hidden = !this.onCanvas;
    // The labels' font size: about the same on the screen for every board.
    const type = Math.max(14, Math.min(n < painted ? 64 : 2.6 * n, 3.4 * n));
    // Whole cells, so that a painted cell can be whole pixels.
    const whole = (size: number): number => this.onCanvas ? Math.ceil(size / unit) * unit : size;
    const margin = whole(type * 1.7 * (n > 99 ? 1.5 : 1));
    const edge = whole(n >= painted ? type * 0.7 : 8); // room for the last labels, or for what surrounds a cell
    this.all = { x: -margin, y: -edge, w: n * unit + margin + edge, h: n * unit + margin + edge };
    this.element.setAttribute("aria-rowcount", String(n));
    this.element.setAttribute("aria-colcount", String(n));
    this.element.classList.toggle("fine", n > 24);
    const rows: Node[] = [];
    for (let row = n - 1; row >= 0 && !this.onCanvas; row--) {
      const line = svg("g", { role: "row", "aria-rowindex": n - row });
      for (let col = 0; col < n; col++) {
        const c = { row, col };
        const g = svg("g", {
          role: "gridcell", tabindex: -1, "data-cell": name(c), "aria-colindex": col + 1,
          transform: this.shift(c), class: (row + col) % 2 ? "cell pale" : "cell deep",
        }, svg("rect", { width: unit, height: unit, class: "square" }));
        this.cells[row * n + col] = g;
        line.append(g);
      }
      rows.push(line);
    }
    this.layers.cells.replaceChildren(...rows);
    const labels = svg("g", { class: "labels", "aria-hidden": "true", "font-size": type.toFixed(1) });
    const every = n <= 26 ? 1 : n <= 60 ? 5 : n <= 120 ? 10 : 20;
    for (let i = 0; i < n; i++) {
      if ((every === 1 ? 0 : (i + 1) % every) && i !== 0) continue;
      labels.append(svg("text", { x: i * unit + unit / 2, y: n * unit + type * 1.25 }, file(i)));
      labels.append(svg("text", { x: -margin / 2, y: (n - 1 - i) * unit + unit / 2 + type * 0.36 }, String(i + 1)));
    }
    this.layers.cells.append(labels);
    this.focus = 0;
    this.cells[0]?.setAttribute("tabindex", "0");
    this.viewport.reset(this.all);
    this.snap();
    if (this.onCanvas) this.caret(false);
    if (focused) this.element.querySelector<SVGGElement>('[data-cell][tabindex="0"]')?.focus();
  }

  /** show draws an answer; it updates only cells that changed. */
  show(answer: BoardAnswer, heat: boolean): void {
    if (this.pick) return; // a question keeps its board until it is closed
    if (answer.n !== this.n) this.resize(answer.n);
    const n = this.n;
    if (this.onCanvas) {
      this.element.classList.remove("warm");
      this.marks = answer.marks;
      this.repaint();
      return this.caret(false);
    }
    const through = answer.counts?.through;
    const warm = heat && n <= counted && through !== undefined;
    const most = Math.max(1, ...(through ?? []).filter((_, i) => "o!q".includes(answer.marks[i]!)).map(Number));
    this.element.classList.toggle("warm", warm);
    for (let i = 0; i < n * n; i++) {
      const mark = answer.marks[i]!;
      const count = through?.[i] ?? "";
      const key = warm ? `${mark}${count}/${most}` : mark;
      const g = this.cells[i]!;
      if (g.getAttribute("data-key") !== key) {
        g.setAttribute("data-key", key);
        g.setAttribute("data-mark", mark);
        g.replaceChildren(g.firstChild!, ...this.signs(mark, warm ? count : "", most));
      }
      g.setAttribute("aria-label", `${name(at(n, i))}, ${words[mark]}`
        + (count && "o!".includes(mark) ? `, ${count} solutions` : ""));
      g.setAttribute("aria-selected", mark === "Q" ? "true" : "false");
    }
    this.marks = answer.marks;
  }

  mark(cell: string): string {
    const c = parse(cell)!;
    return this.marks[c.row * this.n + c.col] ?? ".";
  }

  private signs(mark: string, count: string, most: number): Node[] {
    const nodes: Node[] = [];
    if (count && count !== "0" && "o!".includes(mark)) {
      nodes.push(svg("rect", { width: unit, height: unit, class: "heat",
        "fill-opacity": (0.1 + 0.8 * Number(count) / most).toFixed(3) }));
      const long = count.length > 4;
      nodes.push(svg("text", { x: 50, y: long ? 58 : 62, class: long ? "count long" : "count" },
        count.length > 7 ? Number(count).toExponential(1) : thousands(count)));
      if (mark === "!") nodes.push(svg("path", { d: "M50 6 L94 50 L50 94 L6 50 Z", class: "forced thin" }));
      return nodes;
    }
    if (mark === "Q" || mark === "q") nodes.push(queen(mark === "Q" ? "queen" : "queen auto"));
    if (mark === "o") nodes.push(svg("circle", { cx: 50, cy: 50, r: 13, class: "valid" }));
    for (const [kind, d] of shapes[mark] ?? []) nodes.push(svg("path", { d, class: kind }));
    return nodes;
  }

  /** shift moves a picture of a cell to its place. */
  private shift(c: Cell): string { return `translate(${c.col * unit} ${(this.n - 1 - c.row) * unit})`; }

  private center(c: Cell): [number, number] {
    return [c.col * unit + unit / 2, (this.n - 1 - c.row) * unit + unit / 2];
  }

  private frame(cells: string[], kind: string): Node {
    return svg("g", {}, ...cells.map((word) =>
      svg("rect", { transform: this.shift(parse(word)!), width: unit, height: unit, class: kind })));
  }

  private ghost(cell: string, kind: string, label?: string | undefined): Node {
    const g = svg("g", { transform: this.shift(parse(cell)!), class: kind }, queen("queen"));
    if (label) g.append(svg("circle", { cx: 80, cy: 20, r: 17, class: "badge" }),
      svg("text", { x: 80, y: 28, class: "badge-text" }, label));
    return g;
  }

  private ray(from: string, to: string, kind: string): Node {
    const [x1, y1] = this.center(parse(from)!);
    const [x2, y2] = this.center(parse(to)!);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    return svg("line", { x1: x1 + ux * 30, y1: y1 + uy * 30, x2: x2 - ux * 16, y2: y2 - uy * 16, class: kind });
  }

  /** draw draws over the board; if alone is set, it dims the board below. */
  private draw(nodes: Node[], alone: boolean): void {
    this.element.classList.toggle("alone", alone);
    this.layers.over.replaceChildren(...nodes);
  }

  /** explain draws a whole walk, or one frame with the rest dimmed. */
  explain(w: Walk | null, frame?: Frame): void {
    const nodes: Node[] = [];
    if (w) {
      nodes.push(this.frame([w.cell], w.valid ? "asked good" : "asked bad"));
      for (const q of w.witness ?? []) if (!"Qq".includes(this.mark(q))) nodes.push(this.ghost(q, "ghost witness"));
      if (frame) {
        nodes.push(this.frame(frame.line, frame.kind === "emptied" ? "emptied" : "reason-line"),
          ...frame.rays.map((r) => this.ray(r.from, r.to, "ray thin")), ...frame.supposed.map((cell, i) =>
            this.ghost(cell, i === 0 ? "ghost asked-queen" : "ghost step", i === 0 ? "?" : String(i))));
      } else nodes.push(...w.attacked_by.map((q) => this.ray(q, w.cell, "ray")));
      if (!frame || frame.kind === "verdict") nodes.push(...w.blame.map((q) => this.ring(q)));
    }
    this.draw(nodes, frame !== undefined);
  }

  private ring(cell: string): Node {
    const [x, y] = this.center(parse(cell)!);
    return svg("circle", { cx: x, cy: y, r: 46, class: "blame" });
  }

  /** line draws the line that a walk is about. */
  line(w: Walk): void {
    this.draw([this.frame(w.line?.cells ?? [], "reason-line"), this.frame([w.cell], "asked bad")], true);
  }

  /** outline draws a frame around cells, and dims the rest. */
  outline(cells: string[]): void { this.draw([this.frame(cells, "asked good")], true); }

  /** reason draws why a cell is forced. */
  reason(cell: string, line: string[]): void {
    this.draw([this.frame(line, "reason-line"), this.frame([cell], "asked good")], false);
  }

  /** solution draws a full board in place of the person's. */
  solution(cols: number[] | null, placed: string[]): void {
    const more = queens(cols ?? []).filter((cell) => !placed.includes(cell));
    this.draw(more.map((cell) => this.ghost(cell, "ghost witness")), cols !== null);
  }

  /** partial draws the decisions of a path through a diagram: queens, and empty cells. */
  partial(way: { cell: string; queen: boolean }[] | null): void {
    this.draw((way ?? []).map((step) => step.queen ? this.ghost(step.cell, "ghost calm")
      : svg("path", { transform: this.shift(parse(step.cell)!), d: "M36 36 L64 64 M64 36 L36 64", class: "no" })),
      way !== null);
  }

  /** question draws the board of a question, with its answers or a cell that is not one; null ends that. */
  question(quiz: Quiz | null, answers: string[], pick?: (cell: string) => void, wrong?: string): void {
    if (quiz && quiz.n !== this.n) this.resize(quiz.n);
    this.freeze(quiz !== null, pick);
    if (!quiz) return this.draw([], false);
    const marked = quiz.choices.filter((cell) => !quiz.queens.includes(cell));
    this.draw([...quiz.queens.map((q) => this.ghost(q, "ghost calm")),
      ...marked.map((cell) => this.ghost(cell, "ghost choice", "?")),
      this.frame(answers, "asked good"), this.frame(wrong ? [wrong] : [], "asked bad")], false);
  }

  /** repair draws a local search's board; rows holds the row of each column's queen. */
  repair(rows: number[], moved: { col: number; from: number; to: number }[], attacked: boolean[]): void {
    const over = moved.flatMap(({ col, from, to }) => {
      const [a, b] = [name({ row: from, col }), name({ row: to, col })];
      return [this.frame([a], "move-from"), this.frame([b], "move-to"), ...a === b ? [] : [this.ray(a, b, "ray move")]];
    });
    this.draw([...over, ...rows.map((row, col) => this.ghost(name({ row, col }), attacked[col] ? "ghost conflict"
      : "ghost calm", attacked[col] ? "!" : undefined))], false);
  }
}

const [crown, foot] = ["M26 66 L17 35 L33 49 L37 25 L50 45 L63 25 L67 49 L83 35 L74 66 Z", "M26 71 H74 V80 H26 Z"];

function queen(kind: string): SVGElement {
  return svg("g", { class: kind },
    svg("path", { d: crown }), svg("path", { d: foot }),
    svg("circle", { cx: 17, cy: 30, r: 5.5 }), svg("circle", { cx: 37, cy: 20, r: 5.5 }),
    svg("circle", { cx: 63, cy: 20, r: 5.5 }), svg("circle", { cx: 83, cy: 30, r: 5.5 }));
}

// The cells of large boards, painted on a canvas. Elements for 40,000 cells would be too many for a browser, and as
// one SVG path per mark, a frame of zooming at n = 200 takes 317 ms; on the canvas, 17.
import type { Box } from "./view";

const names = ["pale", "deep", "queen", "auto", "valid", "forced", "attacked", "bad", "blocked"] as const;

/** Palette holds the colours of the current theme. */
export type Palette = Record<typeof names[number], string>;

export function palette(): Palette {
  const looks = getComputedStyle(document.documentElement);
  return Object.fromEntries(names.map((name) => [name, looks.getPropertyValue(`--${name}`).trim()])) as Palette;
}

/** inSight returns the rows and columns that a view box shows. */
export function inSight(n: number, unit: number, seen: Box): { row0: number; row1: number; col0: number;
  col1: number } {
  const clamp = (x: number): number => Math.max(0, Math.min(n - 1, x));
  return {
    col0: clamp(Math.floor(seen.x / unit)), col1: clamp(Math.floor((seen.x + seen.w) / unit)),
    row1: clamp(n - 1 - Math.floor(seen.y / unit)), row0: clamp(n - 1 - Math.floor((seen.y + seen.h) / unit)),
  };
}

/** Look says how to paint cells: the palette, the queen as a path in a square of unit, and a cell's side in pixels
    when the whole board is visible. */
export interface Look { unit: number; side: number; colours: Palette; queen: string }

const tiny = 9; // pixels of a cell below which marks are plain rectangles
const flat = 4; // and below which they fill it, on a board of one colour: any pattern would shimmer (moire)
const whole = "M0 0 H100 V100 H0 Z";

/** plain are the marks of small cells, which have no room for their shapes; the others fill the cell. */
const plain: Record<string, string> = { x: "", ".": "M20 40 H80 V60 H20 Z", o: "M30 30 H70 V70 H30 Z",
  "!": "M15 15 H85 V85 H15 Z" };

/** shapes are the others' outlines; lines are drawn, the rest is filled. */
const shapes: Record<string, string> = { x: "M42 42 L58 58 M58 42 L42 58", ".": "M30 50 H70",
  o: "M64 50 a14 14 0 1 1 -28 0 a14 14 0 1 1 28 0", "!": "M50 20 L80 50 L50 80 L20 50 Z",
  "#": "M10 10 H90 V90 H10 Z" };

/** snapped returns a cell's side in pixels, at most the available room. It is a whole number, so that all cells are
    equal, unless cells are painted flat. */
export function snapped(side: number): number { return side < flat ? side : Math.floor(side); }

/** sprite paints a cell with a mark, on a pale or a deep square, to be copied. */
function sprite(kind: string, pale: boolean, side: number, look: Look): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.max(1, Math.ceil(side));
  const c = canvas.getContext("2d")!;
  const { colours } = look;
  c.scale(canvas.width / look.unit, canvas.width / look.unit);
  c.fillStyle = pale && look.side >= flat ? colours.pale : colours.deep;
  c.fill(new Path2D(whole));
  c.fillStyle = c.strokeStyle = { x: colours.attacked, ".": colours.bad, o: colours.valid, "!": colours.forced,
    "#": colours.blocked, Q: colours.queen, q: colours.auto }[kind]!;
  c.lineWidth = look.unit * Math.max(1 / side, 0.07);
  const filled = look.side < flat && side < tiny;
  c.globalAlpha = kind === "o" && filled ? 0.5 : 1;
  if (side >= tiny) c["xo.q".includes(kind) ? "stroke" : "fill"](
    new Path2D(shapes[kind] ?? look.queen));
  else c.fill(new Path2D(filled && kind !== "x" ? whole : plain[kind] ?? whole));
  return canvas;
}

/** paint draws the visible cells, or only those of a list. */
export function paint(canvas: HTMLCanvasElement, n: number, marks: string, seen: Box, look: Look,
  list?: number[]): void {
  const c = canvas.getContext("2d")!;
  const scale = canvas.width / seen.w;
  const side = look.unit * scale; // of a cell, in pixels of the canvas
  const sprites = new Map<string, HTMLCanvasElement>();
  const draw = (i: number): void => {
    const row = Math.floor(i / n), col = i % n, pale = (row + col) % 2 === 1;
    const key = marks[i]! + pale;
    let cell = sprites.get(key);
    if (!cell) sprites.set(key, cell = sprite(marks[i]!, pale, side, look));
    c.drawImage(cell, (col * look.unit - seen.x) * scale, ((n - 1 - row) * look.unit - seen.y) * scale, side, side);
  };
  c.setTransform(1, 0, 0, 1, 0, 0);
  if (list) return list.forEach(draw);
  const { row0, row1, col0, col1 } = inSight(n, look.unit, seen);
  c.clearRect(0, 0, canvas.width, canvas.height);
  for (let row = row0; row <= row1; row++) for (let col = col0; col <= col1; col++) draw(row * n + col);
}

const [sheetSide, fewCells] = [1600, 2200]; // a sheet has about this side, in pixels

/** Sheet is the whole board painted once, for frames that show many cells: moving and
    scaling a picture takes 3 ms, painting 6,000 cells takes 10 ms. */
export class Sheet {
  private canvas = document.createElement("canvas");
  private key = "";
  private marks = "";

  /** show draws the visible cells, from the sheet if they are many. */
  show(canvas: HTMLCanvasElement, n: number, marks: string, seen: Box, look: Look): void {
    const { row0, row1, col0, col1 } = inSight(n, look.unit, seen);
    if ((row1 - row0 + 1) * (col1 - col0 + 1) <= fewCells) return paint(canvas, n, marks, seen, look);
    this.update(n, marks, look);
    const c = canvas.getContext("2d")!;
    const scale = canvas.width / seen.w;
    const side = n * look.unit * scale;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, canvas.width, canvas.height);
    c.imageSmoothingEnabled = side < this.canvas.width;
    c.imageSmoothingQuality = look.side < flat ? "low" : "medium"; // thin lines survive
    c.drawImage(this.canvas, -seen.x * scale, -seen.y * scale, side, side);
  }

  /** update paints the cells that changed, or all if the board size or the colours changed. */
  private update(n: number, marks: string, look: Look): void {
    // A multiple, so that cells stay equal when it is scaled.
    const side = look.side < flat ? tiny - 1 : look.side * Math.max(1, Math.round(sheetSide / n / look.side));
    const key = `${n} ${side} ${look.colours.pale}`;
    const changed: number[] = [];
    if (key !== this.key) this.canvas.width = this.canvas.height = n * side;
    else for (let i = 0; i < marks.length; i++) if (marks[i] !== this.marks[i]) changed.push(i);
    const all = { x: 0, y: 0, w: n * look.unit, h: n * look.unit };
    if (key !== this.key || changed.length) paint(this.canvas, n, marks, all, look,
      key === this.key ? changed : undefined);
    this.key = key;
    this.marks = marks;
  }
}

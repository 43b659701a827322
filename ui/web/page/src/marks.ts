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

/** inSight returns the rows and columns that a box of the picture shows. */
export function inSight(n: number, unit: number, seen: Box): { row0: number; row1: number; col0: number;
  col1: number } {
  const clamp = (x: number): number => Math.max(0, Math.min(n - 1, x));
  return {
    col0: clamp(Math.floor(seen.x / unit)), col1: clamp(Math.floor((seen.x + seen.w) / unit)),
    row1: clamp(n - 1 - Math.floor(seen.y / unit)), row0: clamp(n - 1 - Math.floor((seen.y + seen.h) / unit)),
  };
}

/** Look is what cells are painted with: a palette, the queen as a path in a square of unit, and a cell's side in
    pixels when all of the board is seen. */
export interface Look { unit: number; side: number; colours: Palette; queen: Path2D }

/** paint draws the cells that are in sight, or only those of a list. */
export function paint(canvas: HTMLCanvasElement, n: number, marks: string, seen: Box, look: Look,
  list?: number[]): void {
  const c = canvas.getContext("2d")!;
  const { unit, colours } = look;
  const scale = canvas.width / seen.w;
  const side = unit * scale; // of a cell, in pixels of the canvas
  const at = (i: number): [number, number] =>
    [((i % n) * unit - seen.x) * scale, ((n - 1 - Math.floor(i / n)) * unit - seen.y) * scale];
  const cells = new Map<string, number[]>(); // by kind
  const take = (i: number): void => {
    const same = cells.get(marks[i]!);
    if (same) same.push(i);
    else cells.set(marks[i]!, [i]);
  };
  c.setTransform(1, 0, 0, 1, 0, 0);
  if (list) {
    for (const i of list) {
      c.fillStyle = (Math.floor(i / n) + (i % n)) % 2 && look.side >= flat ? colours.pale : colours.deep;
      c.fillRect(...at(i), side, side);
      take(i);
    }
  } else {
    const { row0, row1, col0, col1 } = inSight(n, unit, seen);
    c.clearRect(0, 0, canvas.width, canvas.height);
    c.fillStyle = colours.deep; // the whole board in one colour, every other cell in the other
    c.fillRect(...at((n - 1) * n), n * side, n * side);
    c.fillStyle = colours.pale;
    for (let row = row0; row <= row1; row++) {
      for (let col = col0; col <= col1; col++) {
        if ((row + col) % 2 && look.side >= flat) c.fillRect(...at(row * n + col), side, side);
        take(row * n + col);
      }
    }
  }
  for (const [kind, same] of cells) {
    c.fillStyle = c.strokeStyle = colourOf(kind, colours);
    c.lineWidth = Math.max(1, side * 0.07);
    c.globalAlpha = kind === "x" || kind === "o" && look.side < flat && side < tiny ? 0.5 : 1;
    c.beginPath();
    for (const i of same) {
      if (look.side < flat && side < tiny) { if (kind !== "x") c.rect(...at(i), side, side); }
      else if (side < tiny) dot(c, kind, ...at(i), side);
      else mark(c, kind, ...at(i), side, scale, look.queen);
    }
    if (side >= tiny && "xo.".includes(kind)) c.stroke();
    else c.fill();
    c.globalAlpha = 1;
  }
}

const colourOf = (kind: string, c: Palette): string =>
  ({ x: c.attacked, ".": c.bad, o: c.valid, "!": c.forced, "#": c.blocked, Q: c.queen, q: c.auto })[kind]!;

const tiny = 9; // pixels of a cell below which marks are plain rectangles
const flat = 4; // and below which they fill it, on a board of one colour: any pattern would shimmer (moire)

/** snapped returns a cell's side in pixels, given what there is room for: a whole number, so that all cells are
    alike, unless they are painted flat. */
export function snapped(side: number): number { return side < flat ? side : Math.floor(side); }

function dot(c: CanvasRenderingContext2D, kind: string, x: number, y: number, side: number): void {
  switch (kind) {
    case "x": return; // too small to tell from noise: the square alone
    case ".": return c.fillRect(x + side * 0.2, y + side * 0.4, side * 0.6, Math.max(1, side * 0.2));
    case "o": return c.fillRect(x + side * 0.3, y + side * 0.3, side * 0.4, side * 0.4);
    case "!": return c.fillRect(x + side * 0.15, y + side * 0.15, side * 0.7, side * 0.7);
    default: return c.fillRect(x, y, side, side);
  }
}

function mark(c: CanvasRenderingContext2D, kind: string, x: number, y: number, side: number, scale: number,
  queen: Path2D): void {
  const mid = side / 2;
  switch (kind) {
    case "x":
      c.moveTo(x + mid - side * 0.08, y + mid - side * 0.08); c.lineTo(x + mid + side * 0.08, y + mid + side * 0.08);
      c.moveTo(x + mid + side * 0.08, y + mid - side * 0.08); c.lineTo(x + mid - side * 0.08, y + mid + side * 0.08);
      return;
    case ".":
      c.moveTo(x + side * 0.3, y + mid); c.lineTo(x + side * 0.7, y + mid);
      return;
    case "o":
      c.moveTo(x + mid + side * 0.14, y + mid);
      c.arc(x + mid, y + mid, side * 0.14, 0, 2 * Math.PI);
      return;
    case "!":
      c.moveTo(x + mid, y + side * 0.2); c.lineTo(x + side * 0.8, y + mid); c.lineTo(x + mid, y + side * 0.8);
      c.lineTo(x + side * 0.2, y + mid); c.closePath();
      return;
    case "#":
      c.rect(x + side * 0.1, y + side * 0.1, side * 0.8, side * 0.8);
      return;
    default: {
      c.save();
      c.translate(x, y);
      c.scale(scale, scale);
      c.fill(queen);
      c.restore();
    }
  }
}

const [sheetSide, fewCells] = [1600, 2200]; // a sheet has about this side, in pixels

/** Sheet is the whole board painted once, for frames that show many cells: moving and
    scaling a picture takes 3 ms, painting 6,000 cells takes 10 ms. */
export class Sheet {
  private canvas = document.createElement("canvas");
  private key = "";
  private marks = "";

  /** show draws what is in sight, from the sheet if that is many cells. */
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
    c.drawImage(this.canvas, -seen.x * scale, -seen.y * scale, side, side);
  }

  /** update paints the cells that have changed, or all if the board size or the colours have. */
  private update(n: number, marks: string, look: Look): void {
    // A multiple, so that cells stay alike when it is scaled.
    const side = look.side < flat ? tiny - 1 : look.side * Math.max(1, Math.round(sheetSide / n / look.side));
    const key = `${n} ${side} ${look.colours.pale}`;
    const changed: number[] = [];
    if (key !== this.key) this.canvas.width = this.canvas.height = n * side;
    else for (let i = 0; i < marks.length; i++) if (marks[i] !== this.marks[i]) changed.push(i);
    const whole = { x: 0, y: 0, w: n * look.unit, h: n * look.unit };
    if (key !== this.key || changed.length) paint(this.canvas, n, marks, whole, look,
      key === this.key ? changed : undefined);
    this.key = key;
    this.marks = marks;
  }
}

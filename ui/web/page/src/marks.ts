// The cells of large boards, painted on a canvas: tens of thousands of elements would
// be too many for a browser to keep.
import type { Box } from "./view";

/** Palette holds the colours of the present theme. */
export interface Palette { pale: string; deep: string; queen: string; auto: string; valid: string; forced: string;
  attacked: string; bad: string; blocked: string; focus: string; card: string; heat: string }

export function palette(): Palette {
  const looks = getComputedStyle(document.documentElement);
  const of = (name: string): string => looks.getPropertyValue(`--${name}`).trim();
  return { pale: of("pale"), deep: of("deep"), queen: of("queen"), auto: of("auto"), valid: of("valid"),
    forced: of("forced"), attacked: of("attacked"), bad: of("bad"), blocked: of("blocked"), focus: of("focus"),
    card: of("card"), heat: of("heat") };
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

/** paint draws the cells that are in sight. The queen is a path in a square of unit. */
export function paint(canvas: HTMLCanvasElement, n: number, unit: number, marks: string, seen: Box, colours: Palette,
  queen: Path2D): void {
  const c = canvas.getContext("2d")!;
  const scale = canvas.width / seen.w;
  c.setTransform(1, 0, 0, 1, 0, 0);
  c.clearRect(0, 0, canvas.width, canvas.height);
  const { row0, row1, col0, col1 } = inSight(n, unit, seen);
  const side = unit * scale; // of a cell, in pixels of the canvas
  const at = (row: number, col: number): [number, number] => [(col * unit - seen.x) * scale,
    ((n - 1 - row) * unit - seen.y) * scale];
  // The squares: the whole board in one colour, every other cell in the other.
  const [left, upper] = at(n - 1, 0);
  c.fillStyle = colours.deep;
  c.fillRect(left, upper, n * side, n * side);
  c.fillStyle = colours.pale;
  for (let row = row0; row <= row1; row++) {
    for (let col = col0 + ((row + col0) % 2 ? 0 : 1); col <= col1; col += 2) {
      const [x, y] = at(row, col);
      c.fillRect(x, y, side, side);
    }
  }
  const cells = new Map<string, number[]>(); // in sight, by kind
  for (let row = row0; row <= row1; row++) {
    for (let i = row * n + col0; i <= row * n + col1; i++) {
      const kind = marks[i]!;
      const list = cells.get(kind);
      if (list) list.push(i);
      else cells.set(kind, [i]);
    }
  }
  const kinds: [string, string][] = [["x", colours.attacked], [".", colours.bad], ["o", colours.valid],
    ["!", colours.forced], ["#", colours.blocked], ["Q", colours.queen], ["q", colours.auto]];
  for (const [kind, colour] of kinds) {
    c.fillStyle = c.strokeStyle = colour;
    c.lineWidth = Math.max(1, side * 0.07);
    c.globalAlpha = kind === "x" ? 0.5 : 1;
    c.beginPath();
    for (const i of cells.get(kind) ?? []) {
      const [x, y] = at(Math.floor(i / n), i % n);
      if (side < tiny) dot(c, kind, x, y, side);
      else mark(c, kind, x, y, side, scale, queen);
    }
    if (side >= tiny && "xo.".includes(kind)) c.stroke();
    else c.fill();
    c.globalAlpha = 1;
  }
}

const tiny = 9; // pixels of a cell below which marks are plain rectangles

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

/** Sheet is the whole board painted once, small, for the frames that show most of it:
    a picture is moved and scaled faster than its cells are painted. */
export class Sheet {
  private canvas = document.createElement("canvas");
  private key = "";
  private static readonly side = 8; // pixels of a cell

  /** show draws what is in sight, from the sheet where that is many cells. */
  show(canvas: HTMLCanvasElement, n: number, unit: number, marks: string, seen: Box, colours: Palette,
    queen: Path2D): void {
    const { row0, row1, col0, col1 } = inSight(n, unit, seen);
    if ((row1 - row0 + 1) * (col1 - col0 + 1) <= 6000) return paint(canvas, n, unit, marks, seen, colours, queen);
    const key = `${n} ${colours.pale} ${marks}`;
    if (key !== this.key) {
      this.key = key;
      this.canvas.width = this.canvas.height = n * Sheet.side;
      paint(this.canvas, n, unit, marks, { x: 0, y: 0, w: n * unit, h: n * unit }, colours, queen);
    }
    const c = canvas.getContext("2d")!;
    const scale = canvas.width / seen.w;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, canvas.width, canvas.height);
    c.drawImage(this.canvas, -seen.x * scale, -seen.y * scale, n * unit * scale, n * unit * scale);
  }
}

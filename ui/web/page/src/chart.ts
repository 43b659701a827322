// Line and bar charts as SVG, only what the panels need.
import { svg } from "./dom";

export interface Series { label: string; values: number[]; kind: string; area?: boolean }

/** Axes say where values go: the names of rows and columns, how far up a value is, from 0 to 1, and the range of x. */
interface Axes { left: number; bottom: number; height: number; rows: [number, string][]; columns: number[];
  up: (value: number) => number; from: number; to: number }

/** plot draws series of points, and a key of the named ones. */
function plot(label: string, series: Points[], named: Points[], a: Axes): SVGSVGElement {
  const w = 400, right = 8, key = keys(named, a.left, w), top = key.height, h = top + a.height;
  const x = (v: number): string => (a.left + (w - a.left - right) * (v - a.from) / (a.to - a.from)).toFixed(1);
  const y = (v: number): string => (h - a.bottom - (h - a.bottom - top) * a.up(v)).toFixed(1);
  const e = svg("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": label }, ...key.nodes);
  for (const [v, text] of a.rows) {
    e.append(svg("line", { x1: a.left, x2: w - right, y1: y(v), y2: y(v), class: "gridline" }),
      svg("text", { x: a.left - 6, y: Number(y(v)) + 4, class: "tick end" }, text));
  }
  for (const n of a.columns) e.append(svg("text", { x: x(n), y: h - 7, class: "tick middle" }, String(n)));
  for (const s of series) {
    const d = s.points.map(([n, v]) => `${x(n)} ${y(v)}`).join(" L");
    const first = s.points[0], last = s.points.at(-1);
    if (s.area && first && last) e.append(svg("path", { class: `area ${s.kind}`,
      d: `M${x(first[0])} ${y(0)} L${d} L${x(last[0])} ${y(0)} Z` }));
    else if (s.points.length > 1) e.append(svg("path", { d: `M${d}`, class: `line ${s.kind}` }));
    if (a.columns.length) e.append(...s.points.map(([n, v]) =>
      svg("circle", { cx: x(n), cy: y(v), r: 3, class: `dot ${s.kind}` })));
  }
  return e;
}

/** lines plots series against their index, on a scale from 0 to the largest value or atLeast. */
export function lines(label: string, series: Series[], unit: string, atLeast = 1): SVGSVGElement {
  const most = Math.max(atLeast, ...series.flatMap((s) => s.values));
  const shown = series.map((s) => ({ ...s, points: s.values.map((v, i): [number, number] => [i, v]) }));
  const e = plot(label, shown, series.length > 1 && !series.some((s) => s.area) ? shown : [], {
    left: 46, bottom: 22, height: 140, rows: [0, most / 2, most].map((v) => [v, short(v)]), columns: [],
    up: (v) => v / most, from: 0, to: Math.max(1, ...series.map((s) => s.values.length - 1)) });
  e.append(svg("text", { x: 394, y: e.viewBox.baseVal.height - 5, class: "tick end" }, unit));
  return e;
}

export function short(v: number): string {
  if (v >= 1e6) return `${(v / 1e6).toPrecision(2)}M`;
  if (v >= 1e4) return `${Math.round(v / 1e3)}k`;
  if (v >= 1e3) return `${(v / 1e3).toPrecision(2)}k`;
  return v % 1 ? v.toFixed(1) : String(v);
}

const share = (seconds: number): number => // of the way from 100 ns to 1 s, on a logarithmic scale
  Math.max(0.015, Math.min(1, Math.log10(Math.max(seconds, 1e-7) / 1e-7) / 7));

/** bar returns one horizontal bar on a logarithmic scale from 100 ns to 1 s. */
export function bar(seconds: number, kind: string): SVGSVGElement {
  return svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { width: 100, height: 10, class: "bar-back" }),
    svg("rect", { width: (100 * share(seconds)).toFixed(2), height: 10, class: `bar-fill ${kind}` }));
}

/** keys returns the legend above a chart, row by row, and its height. */
function keys(series: { label: string; kind: string }[], left: number, width: number): { nodes: Node[];
  height: number } {
  const nodes: Node[] = [];
  let [x, y] = [left, 12];
  for (const s of series) {
    const wide = 40 + 6.6 * s.label.length;
    if (x > left && x + wide > width) [x, y] = [left, y + 17];
    nodes.push(svg("line", { x1: x, x2: x + 18, y1: y - 4, y2: y - 4, class: `line ${s.kind}` }),
      svg("text", { x: x + 23, y, class: "tick" }, s.label));
    x += wide;
  }
  return { nodes, height: y + 12 };
}

export interface Points { label: string; points: [number, number][]; kind: string; area?: boolean }

/** logLines plots series of points on a logarithmic scale; points at or below 0 are left out. */
export function logLines(label: string, series: Points[], write: (value: number) => string): SVGSVGElement {
  const shown = series.map((s) => ({ ...s, points: s.points.filter(([, v]) => v > 0) }));
  const all = shown.flatMap((s) => s.points);
  const xs = all.map(([x]) => x), ys = all.length ? all.map(([, y]) => Math.log10(y)) : [0, 1];
  const from = Math.min(...xs, 4), to = Math.max(...xs, 5);
  const low = Math.floor(Math.min(...ys)), high = Math.ceil(Math.max(...ys));
  const up = (v: number): number => (Math.log10(v) - low) / Math.max(1, high - low);
  const powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  const columns = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return plot(label, shown, series, { left: 62, bottom: 30, height: 190, rows: powers.map((v) => [v, write(v)]),
    columns, up, from, to });
}

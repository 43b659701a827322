// Line and bar charts as SVG, just what the panels need.
import { svg } from "./dom";

export interface Series { label: string; values: number[]; kind: string; area?: boolean }

/** lines plots series against their index, on a scale from 0 to the largest value or atLeast. */
export function lines(label: string, series: Series[], unit: string, atLeast = 1): SVGSVGElement {
  const [w, left, bottom] = [400, 46, 22];
  const key = keys(series.length > 1 && !series.some((s) => s.area) ? series : [], left, w);
  const [top, h] = [key.height - 4, key.height + 140];
  const most = Math.max(atLeast, ...series.flatMap((s) => s.values));
  const longest = Math.max(2, ...series.map((s) => s.values.length));
  const x = (i: number): number => left + ((w - left - 6) * i) / (longest - 1);
  const y = (v: number): number => h - bottom - ((h - bottom - top) * v) / most;
  const e = svg("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": label }, ...key.nodes);
  for (const part of [0, 0.5, 1]) {
    const v = part * most;
    e.append(svg("line", { x1: left, x2: w - 6, y1: y(v), y2: y(v), class: "gridline" }));
    e.append(svg("text", { x: left - 6, y: y(v) + 4, class: "tick end" }, short(v)));
  }
  for (const s of series) {
    if (!s.values.length) continue;
    const points = s.values.map((v, i) => `${x(i).toFixed(1)} ${y(v).toFixed(1)}`);
    if (s.area) e.append(svg("path", { d: `M${x(0)} ${y(0)} L${points.join(" L")} L${x(s.values.length - 1)} ${y(0)} Z`,
      class: `area ${s.kind}` }));
    else e.append(svg("path", { d: `M${points.join(" L")}`, class: `line ${s.kind}` }));
  }
  e.append(svg("text", { x: w - 6, y: h - 5, class: "tick end" }, unit));
  return e;
}

export function short(v: number): string {
  if (v >= 1e6) return `${(v / 1e6).toPrecision(2)}M`;
  if (v >= 1e4) return `${Math.round(v / 1e3)}k`;
  if (v >= 1e3) return `${(v / 1e3).toPrecision(2)}k`;
  return v % 1 ? v.toFixed(1) : String(v);
}

const share = (seconds: number): number => // of the way from 1 µs to 1 s, on a logarithmic scale
  Math.max(0.015, Math.min(1, Math.log10(Math.max(seconds, 1e-6) / 1e-6) / 6));

/** bar returns one horizontal bar on a logarithmic scale from 1 µs to 1 s. */
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

export interface Points { label: string; points: [number, number][]; kind: string }

/** logLines plots series of points on a logarithmic scale; points at or below 0 are left out. */
export function logLines(label: string, series: Points[], write: (value: number) => string): SVGSVGElement {
  const [w, left, bottom] = [400, 62, 30];
  const key = keys(series, left, w);
  const [top, h] = [key.height + 4, key.height + 190];
  const shown = series.map((s) => ({ ...s, points: s.points.filter(([, v]) => v > 0) }));
  const all = shown.flatMap((s) => s.points);
  const xs = all.map(([x]) => x), ys = all.map(([, y]) => Math.log10(y));
  const [x0, x1] = [Math.min(...xs, 4), Math.max(...xs, 5)];
  const [y0, y1] = ys.length ? [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))] : [0, 1];
  const x = (v: number): number => left + ((w - left - 10) * (v - x0)) / Math.max(1, x1 - x0);
  const y = (v: number): number => h - bottom - ((h - bottom - top) * (Math.log10(v) - y0)) / Math.max(1, y1 - y0);
  const e = svg("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": label }, ...key.nodes);
  for (let p = y0; p <= y1; p++) {
    e.append(svg("line", { x1: left, x2: w - 10, y1: y(10 ** p), y2: y(10 ** p), class: "gridline" }),
      svg("text", { x: left - 6, y: y(10 ** p) + 4, class: "tick end" }, write(10 ** p)));
  }
  for (let n = x0; n <= x1; n++) e.append(svg("text", { x: x(n), y: h - 7, class: "tick middle" }, String(n)));
  for (const s of shown) {
    const d = s.points.map(([n, v]) => `${x(n).toFixed(1)} ${y(v).toFixed(1)}`);
    if (d.length > 1) e.append(svg("path", { d: `M${d.join(" L")}`, class: `line ${s.kind}` }));
    for (const [n, v] of s.points) e.append(svg("circle", { cx: x(n), cy: y(v), r: 3, class: `dot ${s.kind}` }));
  }
  return e;
}

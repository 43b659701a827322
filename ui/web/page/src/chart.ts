// Line and bar charts as SVG, only what the panels need.
import { svg } from "./dom";

export interface Series { label: string; values: number[]; kind: string; area?: boolean }

/** lines plots series against their index, on a scale from 0 to the largest value or atLeast. */
export function lines(label: string, series: Series[], unit: string, atLeast = 1): SVGSVGElement {
  const most = Math.max(atLeast, ...series.flatMap((s) => s.values));
  const last = Math.max(1, ...series.map((s) => s.values.length - 1));
  const w = 400, left = 46, right = 8, bottom = 22;
  const key = keys(series.length > 1 && !series.some((s) => s.area) ? series : [], left, w);
  const top = key.height, h = top + 140;
  const x = (v: number): string => (left + (w - left - right) * v / last).toFixed(1);
  const y = (v: number): string => (h - bottom - (h - bottom - top) * v / most).toFixed(1);
  const e = svg("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": label }, ...key.nodes);
  for (const v of [0, most / 2, most]) {
    e.append(svg("line", { x1: left, x2: w - right, y1: y(v), y2: y(v), class: "gridline" }),
      svg("text", { x: left - 6, y: Number(y(v)) + 4, class: "tick end" }, short(v)));
  }
  for (const s of series) {
    const d = s.values.map((v, i) => `${x(i)} ${y(v)}`).join(" L");
    if (s.area && d) e.append(svg("path", { class: `area ${s.kind}`,
      d: `M${x(0)} ${y(0)} L${d} L${x(s.values.length - 1)} ${y(0)} Z` }));
    else if (s.values.length > 1) e.append(svg("path", { d: `M${d}`, class: `line ${s.kind}` }));
  }
  e.append(svg("text", { x: 394, y: h - 5, class: "tick end" }, unit));
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

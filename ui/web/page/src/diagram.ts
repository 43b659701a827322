// Diagrams: where the nodes go, how they are drawn, how one drawing becomes the next.
import type { DrawnNode } from "./api";
import { button, html, svg, type Attributes } from "./dom";
import { Viewport } from "./view";

export interface Node2 extends DrawnNode { key?: string }
export interface Layout { width: number; height: number; x: Map<number, number>; y: Map<number, number>;
  top: [number, number]; levels: { cell: string; y: number }[] }

const [dx, margin, radius] = [34, 44, 12];
const [room, tight] = [54, 28]; // between levels: to tell dashed edges from solid ones, and if there are many levels

function byLevel(nodes: DrawnNode[]): Map<number, DrawnNode[]> {
  const levels = new Map<number, DrawnNode[]>();
  for (const node of nodes) levels.set(node.level, [...(levels.get(node.level) ?? []), node]);
  return levels;
}

/** layout places the nodes by level, each near its neighbours above and below: a few
    sweeps of the barycentre method of Sugiyama, Tagawa and Toda (1981). */
export function layout(nodes: DrawnNode[]): Layout {
  const levels = byLevel(nodes);
  const used = [...levels.keys()].sort((a, b) => a - b);
  const widest = Math.max(1, ...used.map((i) => levels.get(i)!.length));
  const dy = Math.max(tight, Math.min(room, room * 16 / used.length));
  const width = Math.max(360, used.length * tight, Math.min(widest * dx, 2600) + margin + 20);
  const x = new Map<number, number>();
  const parents = new Map<number, number[]>();
  for (const node of nodes) {
    for (const child of [node.low, node.high]) if (child >= 0) parents.set(child,
      [...(parents.get(child) ?? []), node.id]);
  }
  const place = (row: DrawnNode[], key: (node: DrawnNode) => number): void => {
    const sorted = row.map((node) => ({ node, key: key(node) })).sort((a, b) => a.key - b.key || a.node.id - b.node.id);
    const gap = Math.min(dx * 1.6 * room / dy, (width - margin - 20) / sorted.length);
    sorted.forEach(({ node }, i) => x.set(node.id, margin + (width - margin - 20) / 2
      + (i - (sorted.length - 1) / 2) * gap));
  };
  const mean = (ids: number[]): number => (ids.length ? ids.reduce((sum, id) => sum + (x.get(id) ?? width / 2),
    0) / ids.length : width / 2);
  const above = (node: DrawnNode): number => mean(parents.get(node.id) ?? []);
  const below = (node: DrawnNode): number => mean([node.low, node.high].filter((child) => child >= 0));
  for (const i of used) place(levels.get(i)!, above);
  for (let sweep = 0; sweep < (nodes.length > 400 ? 2 : 6); sweep++) {
    for (const i of [...used].reverse()) place(levels.get(i)!, below);
    for (const i of used) place(levels.get(i)!, above);
  }
  const y = new Map<number, number>();
  used.forEach((level, i) => levels.get(level)!.forEach((node) => y.set(node.id, 24 + i * dy)));
  const bottom = 24 + used.length * dy;
  return {
    width, height: bottom + 36, x, y, top: [margin + (width - margin - 20) / 2, bottom + 12],
    levels: used.map((level, i) => ({ cell: levels.get(level)![0]!.cell, y: 24 + i * dy })),
  };
}

/** path returns the decisions on a path from the root to a node, cell by cell. */
export function path(nodes: DrawnNode[], to: number): { cell: string; queen: boolean }[] {
  const from = new Map<number, { node: DrawnNode; queen: boolean }>();
  for (const node of nodes) { // top level first
    // A path over high edges says more, so these come first.
    for (const [child, queen] of [[node.high, true], [node.low, false]] as const) {
      if (child >= 0 && !from.has(child)) from.set(child, { node, queen });
    }
  }
  const way: { cell: string; queen: boolean }[] = [];
  for (let step = from.get(to); step; step = from.get(step.node.id)) way.unshift({ cell: step.node.cell,
    queen: step.queen });
  return way;
}

/** dot writes a diagram for Graphviz. */
export function dot(nodes: DrawnNode[]): string {
  const name = (id: number): string => (id === -1 ? "true" : id === -2 ? "false" : `n${id}`);
  const lines = ["digraph queens {", "\trankdir=TB;"];
  for (const row of byLevel(nodes).values()) {
    const same = row.map((n) => `n${n.id} [label="${n.cell}", shape=circle];`);
    lines.push(`\t{ rank=same; ${same.join(" ")} }`);
  }
  lines.push('\ttrue [label="1", shape=box];', '\tfalse [label="0", shape=box];');
  for (const n of nodes) lines.push(`\tn${n.id} -> ${name(n.low)} [style=dashed];`, `\tn${n.id} -> ${name(n.high)};`);
  return [...lines, "}", ""].join("\n");
}

/** change counts the nodes that stay, appear and vanish from one diagram to the next. */
export function change(before: Node2[], after: Node2[]): { stayed: number; appeared: number; vanished: number } {
  const old = new Set(before.map((n) => n.key));
  const stayed = after.filter((n) => old.has(n.key)).length;
  return { stayed, appeared: after.length - stayed, vanished: before.length - stayed };
}

export interface Drawn { element: SVGSVGElement; layout: Layout; nodes: Node2[] }

/** draw draws a diagram. Nodes of the previous drawing move from their old places. */
export function draw(nodes: Node2[], label: string, hover: (id: number | null) => void, before?: Drawn): Drawn {
  const l = layout(nodes);
  const e = svg("svg", { class: "diagram", viewBox: `0 0 ${l.width} ${l.height}`, role: "img", "aria-label": label,
    "data-whole": `0 0 ${l.width} ${l.height}`, width: l.width, height: l.height });
  const target = (id: number): [number, number] => (id === -1 ? [l.top[0], l.top[1] - 12]
    : [l.x.get(id)!, l.y.get(id)! - radius]);
  const pale: Node[] = [], bright: Node[] = [];
  for (const node of nodes) {
    for (const [child, live, kind] of [[node.low, node.low_live, "low"], [node.high, node.high_live,
      "high"]] as const) {
      if (child === -2) continue;
      const [x1, y1] = [l.x.get(node.id)!, l.y.get(node.id)! + radius];
      const [x2, y2] = target(child);
      const bend = (y2 - y1) / 2;
      (live ? bright : pale).push(svg("path", { d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`,
        class: `edge ${kind}${live ? " live" : ""}${before ? " fresh" : ""}` }));
    }
  }
  e.append(...pale, ...bright);
  for (const level of l.levels) e.append(svg("text", { x: 6, y: level.y + 4, class: "tick" }, level.cell));
  const circle = (node: Node2, at: Layout, attributes: Attributes, ...more: Node[]): SVGGElement =>
    svg("g", { transform: `translate(${at.x.get(node.id)} ${at.y.get(node.id)})`, ...attributes }, ...more,
      svg("circle", { r: radius }), svg("text", { y: 3.5 }, node.cell));
  const old = new Map(before?.nodes.map((n) => [n.key, n.id]) ?? []), now = new Set(nodes.map((n) => n.key));
  const moving: [SVGGElement, Node2][] = [];
  for (const node of nodes) {
    const was = old.get(node.key);
    const kind = `node${node.live ? " live" : ""}${before && was === undefined ? " appeared" : ""}`;
    const g = circle(node, l, { class: kind, "data-node": node.id,
      pointerenter: () => hover(node.id), pointerleave: () => hover(null) },
      svg("title", {}, `${node.cell}: solid if it holds a queen, dashed if not`));
    if (was !== undefined) {
      g.style.transform = `translate(${before!.layout.x.get(was)}px, ${before!.layout.y.get(was)}px)`;
      moving.push([g, node]);
    }
    e.append(g);
  }
  for (const n of before?.nodes ?? []) {
    if (!now.has(n.key)) e.append(circle(n, before!.layout, { class: "node vanished", "aria-hidden": "true" }));
  }
  if (nodes.length) {
    e.append(svg("g", { class: "node live", transform: `translate(${l.top[0]} ${l.top[1]})` },
      svg("rect", { x: -12, y: -12, width: 24, height: 24 }), svg("text", { y: 5 }, "⊤")));
  }
  if (moving.length) requestAnimationFrame(() => requestAnimationFrame(() => {
    for (const [g, node] of moving) g.style.transform = `translate(${l.x.get(node.id)}px, ${l.y.get(node.id)}px)`;
  }));
  return { element: e, layout: l, nodes };
}

/** framed returns a drawn diagram in a box of its own with its key and buttons to zoom. The diagram is fitted
    again when the width of its box or the height of the window changes. A small diagram is shown as a whole, and so
    is one that fills the window; a large one begins at its top. */
export function framed(d: Drawn, label: string, keys: [kind: string, text: string][]): { host: HTMLElement;
  viewport: Viewport } {
  const viewport = new Viewport(d.element, () => document.body.dataset["stage"] === "panel");
  const scroll = html("div", { class: "diagram-scroll", tabindex: 0, role: "region", "aria-label": label }, d.element);
  const zoom = (word: string, name: string, act: () => void): HTMLElement =>
    button(word, act, { class: "small", "aria-label": name });
  const sample = (kind: string): SVGSVGElement => svg("svg",
    { class: "key", viewBox: "0 0 26 14", "aria-hidden": "true" },
    kind.startsWith("edge") ? svg("path", { d: "M1 7 H25", class: kind })
      : svg("g", { class: kind }, svg("circle", { cx: 13, cy: 7, r: 6 })));
  const host = html("div", {}, scroll, html("div", { class: "row keys" },
    ...keys.map(([kind, text]) => html("span", {}, sample(kind), text)),
    html("div", { class: "group", role: "group", "aria-label": "Zoom the diagram" },
      zoom("−", "Zoom out", () => viewport.zoom(1 / 1.5)), zoom("All", "Show all", () => viewport.home()),
      zoom("+", "Zoom in", () => viewport.zoom(1.5)))));
  let fitted = "";
  const fit = (): void => {
    const { width, height } = d.layout, staged = document.body.dataset["stage"] !== undefined;
    const sweeping = document.body.classList.contains("sweeping");
    const box = [scroll.clientWidth, innerHeight, staged, sweeping].join();
    if (box === fitted || !scroll.clientWidth) return; // the person's zoom stays
    fitted = box;
    const wide = Math.max(200, scroll.clientWidth);
    const top = scroll.getBoundingClientRect().top + (scroll.closest("#panels")?.scrollTop ?? 0) + scrollY;
    const free = innerHeight - 20 - top - (staged ? 0 : 60); // for the key and the buttons below it
    const high = staged ? free : Math.min(height, Math.max(0.2 * innerHeight, free));
    d.element.setAttribute("width", String(wide));
    d.element.setAttribute("height", String(high));
    const w = Math.max(width, height * wide / high); // of a box in the element's proportions
    viewport.reset({ x: (width - w) / 2, y: 0, w, h: w * high / wide });
    const scale = wide / w;
    const seen = d.element.getBoundingClientRect();
    if (scale < 0.6 && !staged && !sweeping && d.nodes.length > 60) {
      viewport.zoom(1 / scale, { x: seen.x + seen.width / 2, y: seen.y });
    }
  };
  const watch = new ResizeObserver(() => {
    if (fitted && !scroll.isConnected) watch.disconnect();
    else fit();
  });
  for (const e of [scroll, document.body]) watch.observe(e);
  return { host, viewport };
}

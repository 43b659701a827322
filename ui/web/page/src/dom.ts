// Small helpers to make elements. Styles are classes and SVG attributes only,
// since the page's security policy allows no style attributes.

/** Attributes are an element's attributes and event handlers. */
export type Attributes = Record<string, string | number | boolean | undefined | ((e: never) => void)>;
type Child = Node | string | null | undefined;

function fill<E extends Element>(e: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(name, value as EventListener);
    else e.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined) e.append(child);
  return e;
}

export function html<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {},
  ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {},
  ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function byId<T extends Element = HTMLElement>(id: string): T {
  const e = document.getElementById(id);
  if (!e) throw new Error(`the page has no element #${id}`);
  return e as unknown as T;
}

/** on calls a function when an element of the page is clicked. */
export function on(id: string, act: () => void): void { byId(id).addEventListener("click", act); }

export function button(label: string, act: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return html("button", { type: "button", click: act, ...attributes }, label);
}

/** select makes a drop-down of [value, label] pairs. */
export function select(label: string, options: [string, string][], value: string, change: (value: string) => void,
  attributes: Attributes = {}): HTMLSelectElement {
  return html("select", { "aria-label": label, ...attributes,
    change: (e: Event) => change((e.target as HTMLSelectElement).value) },
    ...options.map(([v, text]) => html("option", { value: v, selected: v === value }, text)));
}

/** remembered returns what the browser stores under a key, or null if there is nothing or storage is off. */
export function remembered(key: string): string | null {
  try { return localStorage.getItem(key); } catch { return null; } // a private window
}

export function remember(key: string, value: string): void {
  try { localStorage.setItem(key, value); } catch { /* a private window */ }
}

/** copyText copies a text to the clipboard and reports whether that worked. Without a secure context, as on
    http://192.168.0.2:8095, a browser has only the old way. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).then(() => true, () => false);
  const area = html("textarea", { class: "unseen", "aria-hidden": "true" }, text);
  const focused = document.activeElement as HTMLElement | null;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

/** duration formats seconds for people: 1.24 ms, 870 µs, 42 ns. */
export function duration(seconds: number): string {
  if (seconds >= 1) return `${seconds.toPrecision(3)} s`;
  if (seconds >= 1e-3) return `${(seconds * 1e3).toPrecision(3)} ms`;
  if (seconds >= 10e-6) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds >= 1e-6) return `${(seconds * 1e6).toFixed(1)} µs`;
  return `${Math.max(1, Math.round(seconds * 1e9))} ns`;
}

/** worked lists an answer's work, without zeros: 1 model, 19 solves. */
export function worked(work: Record<string, number> = {}): string[] {
  const one = /(?<=match)es$|s$|s(?= (visited|created|recalled))/; // the ending of the plural
  return Object.entries(work).filter(([, count]) => count > 0).map(([unit, count]) =>
    `${thousands(count)} ${count === 1 ? unit.replace(one, "") : unit}`);
}

/** plural writes a number of things: 1 valid cell, 2 valid cells. */
export function plural(count: string | number, what: string): string {
  return `${thousands(count)} ${what}${String(count) === "1" ? "" : "s"}`;
}

/** thousands groups the digits of a decimal number. */
export function thousands(decimal: string | number): string {
  return String(decimal).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** big writes a decimal number that may have hundreds of digits. */
export function big(decimal: string): string {
  if (decimal.length <= 12) return thousands(decimal);
  return `${Number(`${decimal[0]}.${decimal.slice(1, 4)}`).toFixed(2)} · 10^${decimal.length - 1}`;
}

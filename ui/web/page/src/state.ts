// The person's decisions and settings, and the link that holds them.
import type { AboutAnswer, NamedOrder } from "./api";
import { parse } from "./cells";

const modes = ["off", "suggest", "place"] as const;
export type Mode = typeof modes[number];

export interface State {
  n: number;
  placed: string[];
  blocked: string[];
}

/** Settings say who answers and what is shown; undo does not affect them. */
export interface Settings {
  forced: Mode;
  backend: string; // empty: the one that suits n
  order: string;
  heat: boolean;
  tab: string;
  why: string; // a cell whose explanation is open
  ask: string; // a question, as in queen-hard-7
}

export const defaults: Settings = { forced: "suggest", backend: "", order: "row-major", heat: false, tab: "why",
  why: "", ask: "" };

export function toLink(s: State, v: Settings): string {
  const parts = [`n=${s.n}`];
  if (s.placed.length) parts.push(`q=${s.placed.join(",")}`);
  if (s.blocked.length) parts.push(`x=${s.blocked.join(",")}`);
  for (const key of Object.keys(defaults) as (keyof Settings)[]) {
    if (v[key] !== defaults[key]) parts.push(`${key}=${v[key] === true ? 1 : encodeURIComponent(v[key])}`);
  }
  return "#" + parts.join("&");
}

/** fromLink reads a link. Invalid parts are ignored, and listed in wrong. */
export function fromLink(hash: string, maxN: number): { state: State; settings: Settings; wrong: string[] } {
  const values = new URLSearchParams(hash.replace(/^[#?]/, ""));
  const wrong: string[] = [];
  let n = Number(values.get("n") ?? 8);
  if (!Number.isInteger(n) || n < 1 || n > maxN) {
    wrong.push(`n=${values.get("n")} is not a board size from 1 to ${maxN}`);
    n = 8;
  }
  const isCell = (w: string): boolean => {
    const c = parse(w);
    return c !== null && c.row < n && c.col < n;
  };
  const cells = (key: string): string[] => {
    const list = (values.get(key) ?? "").split(",").map((w) => w.trim().toLowerCase()).filter((w) => w !== "");
    const off = list.filter((w) => !isCell(w)), more = off.length > 3 ? ` and ${off.length - 3} more` : "";
    if (off.length) {
      const are = off.length > 1 ? "are" : "is";
      wrong.push(`${key}=${off.slice(0, 3).join(",")}${more} ${are} not on the board for n = ${n}`);
    }
    return [...new Set(list)].filter(isCell);
  };
  const placed = cells("q");
  const blocked = cells("x").filter((c) => !placed.includes(c));
  const settings = { ...defaults, heat: values.get("heat") === "1" };
  for (const key of ["backend", "order", "tab", "ask"] as const) settings[key] = values.get(key) ?? defaults[key];
  const forced = values.get("forced") ?? defaults.forced, mode = modes.find((m) => m === forced);
  if (mode) settings.forced = mode;
  else wrong.push(`forced=${forced} is not one of off, suggest and place`);
  const why = (values.get("why") ?? "").toLowerCase();
  if (isCell(why)) settings.why = why;
  else if (why) wrong.push(`why=${why} is not on the board for n = ${n}`);
  const known = ["n", "q", "x", ...Object.keys(defaults)];
  for (const key of new Set(values.keys())) if (!known.includes(key)) wrong.push(`${key} is no part of a link`);
  return { state: { n, placed, blocked }, settings, wrong };
}

/** ordersOf returns the variable orders that exist for a board size. */
export function ordersOf(about: AboutAnswer, n: number): NamedOrder[] {
  return about.orders.filter((o) => (o.n ?? n) === n);
}

/** heed replaces a back-end or an order that does not exist for a board size, and says so in lost. */
export function heed(about: AboutAnswer, n: number, wanted: Settings): { settings: Settings; lost: string } {
  const settings = { ...wanted };
  const { order, backend } = wanted;
  const kind = (name: string): string => name.split(":")[0]!; // random:7 is the same kind as random:1
  const lost: string[] = [];
  if (about.orders.length && !ordersOf(about, n).some((o) => kind(o.name) === kind(order))) {
    settings.order = defaults.order;
    lost.push(`There is no order ${order} for n = ${n}: ${defaults.order} is used instead.`);
  }
  if (backend && about.backends.length && !about.backends.some((b) => b.name === backend)) {
    settings.backend = defaults.backend;
    lost.push(`There is no back-end ${backend}: the best one for this n is used instead.`);
  }
  return { settings, lost: lost.join(" ") };
}

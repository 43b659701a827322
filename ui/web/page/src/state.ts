// What the person has decided, with undo and redo, and all of it as a link.
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
  if (v.forced !== defaults.forced) parts.push(`forced=${v.forced}`);
  if (v.backend !== defaults.backend) parts.push(`backend=${v.backend}`);
  if (v.order !== defaults.order) parts.push(`order=${encodeURIComponent(v.order)}`);
  if (v.heat) parts.push("heat=1");
  if (v.tab !== defaults.tab) parts.push(`tab=${v.tab}`);
  if (v.why) parts.push(`why=${v.why}`);
  if (v.ask) parts.push(`ask=${encodeURIComponent(v.ask)}`);
  return "#" + parts.join("&");
}

/** fromLink reads a link. Invalid parts are ignored, and listed in wrong. */
export function fromLink(hash: string, maxN: number): { state: State; settings: Settings; wrong: string[] } {
  const values = new URLSearchParams(hash.replace(/^[#?]/, ""));
  const wrong: string[] = [];
  let n = 8;
  const size = values.get("n");
  if (size !== null) {
    const given = Number(size);
    if (!Number.isInteger(given) || given < 1) wrong.push(`n=${size} is not a board size`);
    else if (given > maxN) wrong.push(`n=${size} is too large: boards go up to ${maxN} here`);
    n = Number.isInteger(given) && given >= 1 && given <= maxN ? given : 8;
  }
  const isCell = (w: string): boolean => {
    const c = parse(w);
    return c !== null && c.row < n && c.col < n;
  };
  const cells = (key: string): string[] => {
    const list = (values.get(key) ?? "").split(",").map((w) => w.trim().toLowerCase()).filter((w) => w !== "");
    for (const w of list) if (!isCell(w)) wrong.push(`${key}=${w} is not on the board for n = ${n}`);
    return [...new Set(list)].filter(isCell);
  };
  const placed = cells("q");
  const blocked = cells("x").filter((c) => !placed.includes(c));
  const forced = values.get("forced");
  const mode = modes.find((m) => m === forced);
  if (forced !== null && !mode) wrong.push(`forced=${forced} is not one of off, suggest and place`);
  const why = (values.get("why") ?? "").toLowerCase();
  return {
    state: { n, placed, blocked }, wrong,
    settings: {
      forced: mode ?? defaults.forced,
      backend: values.get("backend") ?? defaults.backend,
      order: values.get("order") ?? defaults.order,
      heat: values.get("heat") === "1",
      tab: values.get("tab") ?? defaults.tab,
      why: isCell(why) ? why : "",
      ask: values.get("ask") ?? "",
    },
  };
}

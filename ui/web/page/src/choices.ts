// The second view: the options of a problem without a board, in groups. Exactly-one groups are choices, the others
// switches; each option is open, decided, forced or ruled out, and says why.
import type { Api, Group, Outlook, ProblemAbout } from "./api";
import { Banner, explainFailure } from "./banner";
import { copies } from "./controls";
import { big, button, byId, html, thousands } from "./dom";
import { PictureView } from "./picture";

const words: Record<string, string> = { "+": "chosen", "-": "excluded", "!": "forced", x: "ruled out", "?": "" };
const folded = 100; // options from which groups start folded

/** filters are the states by which options can be filtered, with their characters in an outlook. */
const filters = { all: "+-!x?", decided: "+-", forced: "!", "ruled out": "x", open: "?" };
type Filter = keyof typeof filters;

const said = (literal: string): string => literal.replace(/^-/, "not ");

/** decisions reads decided literals from a link, and link writes them. */
export function decisions(hash: string): string[] {
  return hash.replace(/^#(d=)?/, "").split(",").filter((word) => word !== "").map(decodeURIComponent);
}
export function link(decided: string[]): string {
  return `#d=${decided.map((d) => encodeURIComponent(d).replaceAll("%3D", "=")).join(",")}`;
}

/** decide returns the decisions after a click on an option, which makes it true or false or, if it is so already,
    open; in a choice, another option gives way. */
export function decide(decided: string[], group: Group, name: string, no: boolean): string[] {
  const literal = no ? `-${name}` : name;
  const rest = decided.filter((d) => d !== name && d !== `-${name}` && !(group.one && !no && group.names.includes(d)));
  return decided.includes(literal) ? rest : [...rest, literal];
}

interface Option { name: string; group: Group; row: HTMLElement; yes: HTMLButtonElement; no: HTMLButtonElement | null;
  state: HTMLElement; now: string }

/** Card shows a group: its heading names the chosen and the forced options. */
interface Card { group: Group; element: HTMLDetailsElement; heads: Record<string, HTMLElement>; options: Option[] }

export class ChoicesView {
  private banner = new Banner();
  private decided: string[] = [];
  private options = new Map<string, Option>();
  private cards: Card[];
  private asking: AbortController | null = null;
  private why = html("div", { id: "choice-why", role: "status" });
  private left = html("b", { id: "choices-left" });
  private told = html("span", { id: "choices-told", class: "hint", role: "status" });
  private strip = html("div", { id: "choices-decided", class: "row", role: "group", "aria-label": "Decisions" });
  private undo = button("Undo", () => history.back(), { id: "choices-undo", disabled: true });
  private clear = button("Clear", () => void this.ask([], true), { id: "choices-clear" });
  private search = html("input", { type: "search", id: "choices-search", placeholder: "Search", "aria-label":
    "Search the options", input: () => this.filter() });
  private filters: [Filter, HTMLButtonElement][];
  private shown: Filter = "all";
  private picture: PictureView | null;

  constructor(private api: Api, about: ProblemAbout) {
    const host = byId("choices");
    const names = about.groups.flatMap((g) => g.names);
    const bare = about.groups.filter((g) => g.bare).flatMap((g) => g.names).length;
    this.picture = about.picture ? new PictureView(about.picture, names, (name, no) => this.click(name, no)) : null;
    this.filters = (Object.keys(filters) as Filter[]).map((f) =>
      [f, button(f, () => this.choose(f), { class: "small", "data-filter": f, "aria-pressed": String(f === "all") })]);
    const fold = names.length > folded || this.picture !== null;
    this.cards = about.groups.map((g) => this.card(g, fold || g.bare === true));
    const groups = html("div", { class: "choices-groups" }, ...this.cards.map((card) => card.element));
    host.replaceChildren(html("h1", {}, about.title),
      html("div", { class: "choices-bar" },
        html("div", { class: "row" }, html("p", {}, this.left, this.told), this.search, this.undo, this.clear),
        html("div", { class: "row", role: "group", "aria-label": "Options to show" },
          ...this.filters.map(([, b]) => b),
          bare ? html("span", { class: "hint", id: "choices-bare" }, `${thousands(bare)} more without a name`) : ""),
        this.strip),
      this.why, this.picture ? html("div", { class: "choices-both" },
        html("div", { class: "choices-picture" }, this.picture.legend, this.picture.element), groups) : groups);
    document.body.dataset["view"] = "choices";
    document.title = about.title;
    copies((text) => { this.told.textContent = text; });
    window.addEventListener("popstate", () => void this.ask(decisions(location.hash), false));
    document.addEventListener("keydown", (e) => this.key(e));
  }

  start(): Promise<void> { return this.ask(decisions(location.hash), false); }

  private card(g: Group, fold: boolean): Card {
    const options = g.names.map((name): Option => {
      const state = html("span", { class: "choice-state" });
      const yes = button(name, () => this.click(name, false), { class: "choice-yes", "aria-pressed": "false" });
      const no = g.one ? null : button("no", () => this.click(name, true), { class: "small", "aria-pressed": "false",
        "aria-label": `not ${name}` });
      const row = html("li", { class: "choice", "data-option": name }, html("span", { class: g.one ? "radio" : "switch",
        "aria-hidden": "true" }), yes, no, state);
      const option = { name, group: g, row, yes, no, state, now: "" };
      this.options.set(name, option);
      return option;
    });
    const heads = { "+": html("span", { class: "chosen" }), "!": html("span", { class: "chosen forced-names" }) };
    const element = html("details", { class: "card choices-group", open: !fold, "data-group": g.name },
      html("summary", {}, html("b", {}, g.name || "Options"), html("span", { class: "hint" }, ` ${g.rule}`),
        ...Object.values(heads)), html("ul", {}, ...options.map((o) => o.row)));
    return { group: g, element, heads, options };
  }

  private key(e: KeyboardEvent): void {
    if (e.key === "Escape") this.why.replaceChildren();
    if ((e.target as Element).closest?.("input") || e.altKey || e.ctrlKey || e.metaKey) return;
    if (e.key === "/") this.search.focus();
    else if (e.key === "u") this.undo.click();
    else if (e.key === "p") byId("projector").click();
    else return;
    e.preventDefault();
  }

  private choose(f: Filter): void {
    this.shown = f;
    for (const [other, b] of this.filters) b.setAttribute("aria-pressed", String(other === f));
    this.filter();
  }

  /** filter shows the options in the chosen states whose names, or whose group's name, contain the search text. */
  private filter(): void {
    const text = this.search.value.trim().toLowerCase(), states = filters[this.shown];
    for (const { group, element, options } of this.cards) {
      let found = false;
      const whole = group.name.toLowerCase().includes(text);
      for (const o of options) {
        const hidden = !states.includes(o.now) || !whole && !o.name.toLowerCase().includes(text);
        if (o.row.hidden !== hidden) o.row.hidden = hidden;
        found ||= !hidden;
      }
      element.hidden = !found;
      if (text || this.shown === "decided") element.open = found;
    }
  }

  private click(name: string, no: boolean): void {
    const o = this.options.get(name)!;
    const state = o.now;
    const literal = no ? `-${name}` : name;
    if (this.asking) return; // one click at a time
    const wanted = decide(this.decided, o.group, name, no);
    if (state === "x" && !no) { // perhaps only another option of the choice is in its way
      if (wanted.length > this.decided.length) return void this.explain(literal);
      return void this.ask(wanted, true, literal);
    }
    if (state === "x" || state === "!") return void this.explain(state === "x" ? name : `-${name}`);
    void this.ask(wanted, true);
  }

  /** explain says which decisions rule a literal out, with a button to take each back; without a literal, why there
      is no configuration. */
  private async explain(literal = ""): Promise<void> {
    try {
      const { decisions, steps, constraints } = await this.api.call("why", { decided: this.decided, literal });
      const name = literal.replace(/^-/, ""), must = literal.startsWith("-");
      const what = !literal ? ["There is no configuration"]
        : [html("b", {}, name), must ? " must be chosen" : " cannot be chosen"];
      const list = (items: string[]): HTMLElement => html("ol", {}, ...items.map((text) => html("li", {}, text)));
      this.why.replaceChildren(html("p", {}, ...what, decisions.length ? ", because of "
        : constraints ? ", since these constraints contradict each other:"
          : ": the problem itself allows nothing else."),
      ...decisions.map((d) =>
        button(`Take back ${said(d)}`, () => this.takeBack(d), { class: "blame-button", "data-blame": d })),
      button("✕", () => this.why.replaceChildren(), { class: "small", "aria-label": "Close the explanation" }),
      constraints ? list(constraints) : steps.length ? list(steps)
        : html("p", { class: "hint" }, "There are no steps, since only a search shows this."));
    } catch (err) { this.banner.show(explainFailure(err)); }
  }

  private takeBack(literal: string): void { void this.ask(this.decided.filter((d) => d !== literal), true); }

  /** ask asks about decisions, which become the current ones when the answer arrives. If they leave no solution and
      there is a literal to explain, ask explains that and drops them. */
  private async ask(decided: string[], push: boolean, otherwise = ""): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      const found = await this.api.call("choose", { decided }, asking.signal);
      if (asking.signal.aborted) return;
      if (otherwise && !found.satisfiable) return void this.explain(otherwise);
      this.decided = decided = found.decided; // by name
      const at = push ? (history.state?.at ?? 0) + 1 : history.state?.at ?? 0;
      history[push ? "pushState" : "replaceState"]({ at }, "", link(decided));
      this.undo.disabled = at === 0;
      this.clear.disabled = decided.length === 0;
      this.banner.hide();
      this.show(found);
      document.body.setAttribute("data-shown", link(decided));
    } catch (err) {
      if (!asking.signal.aborted) this.banner.show(explainFailure(err), true, () => void this.ask(decided, push));
    } finally { if (this.asking === asking) this.asking = null; }
  }

  private show(found: Outlook): void {
    this.why.replaceChildren();
    let i = 0;
    for (const o of this.options.values()) {
      const state = found.states[i++]!;
      if (o.now === state) continue;
      o.row.dataset["state"] = o.now = state;
      o.state.textContent = words[state]!;
      o.yes.setAttribute("aria-pressed", String(state === "+" || state === "!"));
      o.no?.setAttribute("aria-pressed", String(state === "-" || state === "x"));
    }
    this.picture?.show(found.states, words);
    const count: Record<string, number> = {}; // of named options, by state
    for (const { group, heads, options } of this.cards) {
      for (const [kind, head] of Object.entries(heads)) {
        const names = options.filter((o) => o.now === kind).map((o) => o.name);
        const few = names.length > 4 ? [...names.slice(0, 3), `and ${names.length - 3} more`] : names;
        head.textContent = names.length ? (kind === "!" ? "forced: " : "") + few.join(", ") : "";
      }
      if (!group.bare) for (const o of options) count[o.now] = (count[o.now] ?? 0) + 1;
    }
    this.strip.replaceChildren(...this.decided.length ? this.decided.map((d) =>
      button(`${said(d)} ✕`, () => this.takeBack(d), { class: "chip", "data-decision": d,
        "aria-label": `Take back ${said(d)}` }))
      : [html("span", { class: "hint" }, "Nothing is decided yet.")]);
    for (const [f, b] of this.filters) {
      b.textContent = `${f} ${thousands([...filters[f]].reduce((sum, state) => sum + (count[state] ?? 0), 0))}`;
    }
    this.filter();
    const { left, satisfiable } = found;
    this.left.textContent = left ? big(left) : "";
    this.told.textContent = !satisfiable ? this.decided.length
      ? "These decisions contradict each other: take one back." : "There is no configuration." :
      left ? `configuration${left === "1" ? "" : "s"} left` : "Too many configurations to count.";
    if (!satisfiable) void this.explain();
  }
}

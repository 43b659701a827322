// The second view: the options of a problem without a board, in groups. Exactly-one groups are choices, the others
// switches; each option is open, decided, forced or ruled out, and says why.
import type { Api, Group, Outlook, ProblemAbout } from "./api";
import { Banner, explainFailure } from "./banner";
import { big, button, byId, html } from "./dom";
import { PictureView } from "./picture";

const words: Record<string, string> = { "+": "chosen", "-": "excluded", "!": "forced", x: "ruled out", "?": "" };
const folded = 100; // options from which groups start folded

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

interface Option { group: Group; row: HTMLElement; yes: HTMLButtonElement; no: HTMLButtonElement | null;
  state: HTMLElement }

export class ChoicesView {
  private banner = new Banner();
  private decided: string[] = [];
  private options = new Map<string, Option>();
  private asking: AbortController | null = null;
  private why = html("div", { id: "choice-why", role: "status" });
  private left = html("b", { id: "choices-left" });
  private told = html("span", { id: "choices-told", class: "hint" });
  private undo = button("Undo", () => history.back(), { id: "choices-undo", disabled: true });
  private picture: PictureView | null;
  private clear = button("Clear", () => void this.ask([], true), { id: "choices-clear" });

  constructor(private api: Api, about: ProblemAbout) {
    const search = html("input", { type: "search", id: "choices-search", placeholder: "Search", "aria-label":
      "Search the options", input: () => this.filter(search.value.trim().toLowerCase()) });
    const host = byId("choices");
    const names = about.groups.flatMap((g) => g.names);
    this.picture = about.picture ? new PictureView(about.picture, names, (name, no) => this.click(name, no)) : null;
    const groups = html("div", { class: "choices-groups" },
      ...about.groups.map((g) => this.group(g, names.length > folded || this.picture !== null)));
    host.replaceChildren(html("h1", {}, about.title),
      html("div", { class: "row choices-bar" }, html("p", {}, this.left, " ", this.told), search, this.undo,
        this.clear),
      this.why, this.picture ? html("div", { class: "choices-both" }, this.picture.element, groups) : groups);
    document.body.dataset["view"] = "choices";
    document.title = about.title;
    for (const e of document.querySelectorAll(".name")) e.textContent = about.title;
    window.addEventListener("popstate", () => void this.ask(decisions(location.hash), false));
  }

  start(): Promise<void> { return this.ask(decisions(location.hash), false); }

  private group(g: Group, fold: boolean): HTMLElement {
    const rows = g.names.map((name) => {
      const state = html("span", { class: "choice-state" });
      const yes = button(name, () => this.click(name, false), { class: "choice-yes", "aria-pressed": "false" });
      const no = g.one ? null : button("no", () => this.click(name, true), { class: "small", "aria-pressed": "false",
        "aria-label": `not ${name}` });
      const row = html("li", { class: "choice", "data-option": name }, html("span", { class: g.one ? "radio" : "switch",
        "aria-hidden": "true" }), yes, no, state);
      this.options.set(name, { group: g, row, yes, no, state });
      return row;
    });
    return html("details", { class: "card choices-group", open: !fold, "data-group": g.name },
      html("summary", {}, html("b", {}, g.name || "Options"), html("span", { class: "hint" }, ` ${g.rule}`),
      html("span", { class: "chosen" })), html("ul", {}, ...rows));
  }

  private filter(text: string): void {
    for (const e of document.querySelectorAll<HTMLDetailsElement>(".choices-group")) {
      let found = false;
      const whole = e.dataset["group"]!.toLowerCase().includes(text);
      for (const row of e.querySelectorAll<HTMLElement>(".choice")) {
        row.hidden = !whole && !row.dataset["option"]!.toLowerCase().includes(text);
        found ||= !row.hidden;
      }
      e.hidden = !found;
      if (text) e.open = found;
    }
  }

  private click(name: string, no: boolean): void {
    const o = this.options.get(name)!;
    const state = o.row.dataset["state"];
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

  /** explain says which decisions rule a literal out, with a button to take each back. */
  private async explain(literal: string): Promise<void> {
    try {
      const { decisions, steps } = await this.api.call("why", { decided: this.decided, literal });
      const name = literal.replace(/^-/, ""), must = literal.startsWith("-");
      this.why.replaceChildren(html("p", {}, html("b", {}, name), must ? " must be chosen" : " cannot be chosen",
        decisions.length ? ", because of " : ": the problem itself allows nothing else."), ...decisions.map((d) =>
        button(`Take back ${d.startsWith("-") ? `not ${d.slice(1)}` : d}`, () =>
          void this.ask(this.decided.filter((x) => x !== d), true), { class: "blame-button", "data-blame": d })),
      button("✕", () => this.why.replaceChildren(), { class: "small", "aria-label": "Close the explanation" }),
      steps.length ? html("ol", {}, ...steps.map((text) => html("li", {}, text)))
        : html("p", { class: "hint" }, "There are no steps, since only a search shows this."));
    } catch (err) { this.banner.show(explainFailure(err)); }
  }

  /** ask asks about decisions, which become the current ones when the answer arrives. If they leave no solution and
      there is a literal to explain, ask explains that and drops them. */
  private async ask(decided: string[], push: boolean, otherwise = ""): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      const found = await this.api.call("choose", { decided }, asking.signal);
      if (asking.signal.aborted) return;
      if (otherwise && !found.satisfiable) return void this.explain(otherwise);
      this.decided = decided;
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
      if (o.row.dataset["state"] === state) continue;
      o.row.dataset["state"] = state;
      o.state.textContent = words[state]!;
      o.yes.setAttribute("aria-pressed", String(state === "+" || state === "!"));
      o.no?.setAttribute("aria-pressed", String(state === "-" || state === "x"));
    }
    this.picture?.show(found.states, words);
    for (const e of document.querySelectorAll<HTMLElement>(".choices-group")) {
      const chosen = [...e.querySelectorAll<HTMLElement>('[data-state="+"], [data-state="!"]')];
      e.querySelector(".chosen")!.textContent = chosen.map((row) => row.dataset["option"]).slice(0, 4).join(", ");
    }
    this.left.textContent = found.left ? big(found.left) : "";
    this.told.textContent = !found.satisfiable ? "These decisions contradict each other: take one back." :
      `${found.left ? `configuration${found.left === "1" ? "" : "s"} left; ` : ""}${this.decided.length} decided`;
  }
}

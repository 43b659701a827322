// The Build panel: conjoin rules one at a time, swap neighbours in the order, and watch
// the diagram change.
import type { BuildStep, Construction, Rule } from "./api";
import { lines } from "./chart";
import { change, dot, draw, framed, path, type Drawn } from "./diagram";
import { onDrag } from "./hold";
import { figure, saveButtons, saver, saveText } from "./download";
import { big, button, html, select, thousands } from "./dom";
import { paced, speed } from "./player";
import { tooLarge, type Panel, type Page } from "./panels";
import type { Viewport } from "./view";

/** due returns the rules of a group that have not been conjoined yet, in order. */
export function due(all: Construction["groups"], group: string, done: string[]): Rule[] {
  const rules = all.find((g) => g.name === group)?.rules ?? [];
  const first = group === "kinds" ? [] : all.find((g) => g.name === "occupied")?.rules ?? [];
  return [...first, ...rules].filter((r) => !done.includes(r.id));
}

/** swapped returns a list with the element at a position and the next one exchanged. */
export function swapped<T>(list: T[], at: number): T[] {
  const copy = [...list];
  const next = copy[at + 1];
  if (next === undefined) return copy;
  copy[at + 1] = copy[at]!;
  copy[at] = next;
  return copy;
}

/** told says in a sentence what a step did. */
export function told(before: BuildStep | undefined, now: BuildStep, moved: { stayed: number; appeared: number;
  vanished: number }): string {
  if (!before) return "No rule yet: every placement is allowed, and the diagram is the constant true.";
  const nodes = (count: number): string => `${thousands(count)} node${count === 1 ? "" : "s"}`;
  const did = (count: number, verb: string): string => `${thousands(count)} ${verb}${count === 1 ? "s" : ""}`;
  return `${nodes(before.nodes)} become${before.nodes === 1 ? "s" : ""} ${thousands(now.nodes)}: ` +
    `${did(moved.stayed, "stay")}, ${did(moved.appeared, "appear")}, ${did(moved.vanished, "vanish")}.`;
}

const pace = 900; // milliseconds per rule at normal speed

export class BuildPanel implements Panel {
  private rules: string[] = [];
  private order: string[] = []; // the cells; empty: row-major
  private group = "kinds";
  private n = 0;
  private now: Construction | null = null;
  private drawn: Drawn | null = null;
  private timer = 0;
  private said = ""; // what the last step was
  private held = -1; // the position in the order that has the focus
  viewport: Viewport | undefined;
  private body = html("div", { id: "build-body" });

  constructor(host: HTMLElement, private c: Page) {
    host.append(this.body);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const { n, placed, blocked } = this.c.state;
    const most = this.c.about.max_built;
    if (n > most) return tooLarge(this.body, this.c, `Nothing is built for n = ${n}: on the way the ` +
      `diagram has more nodes than can be drawn. Rules are conjoined here for n up to ${most}.`);
    if (n !== this.n) { this.n = n; this.rules = []; this.order = []; this.drawn = null; }
    try {
      this.now = await this.c.api.call("build", { n, placed, blocked, order: this.order.join(","), rules: this.rules },
        signal);
    } catch (err) {
      if (!signal.aborted) {
        this.stop();
        this.rules.pop();
      }
      throw err;
    }
    this.show();
  }
  leave(): void {
    this.stop();
    this.said = "";
    this.c.board.partial(null);
  }

  private stop(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
  }

  /** ask makes the engine conjoin the rules; said describes the last step. */
  private ask(said = ""): void {
    this.said = said;
    this.c.refreshPanel();
  }
  private add(rule: Rule): void {
    this.rules.push(rule.id);
    this.ask();
  }
  private undo(): void {
    this.stop();
    this.rules.pop();
    this.ask();
  }
  private play(): void {
    if (this.timer) { this.stop(); return this.show(); }
    this.step();
  }
  private step(): void {
    const next = due(this.now!.groups, this.group, this.rules)[0];
    if (!next) return this.stop();
    this.timer = window.setTimeout(() => this.step(), paced(pace));
    this.add(next);
  }
  /** swap exchanges the cell at a position with the next in the order; the focus follows the cell at from. */
  private swap(at: number, from = at): void {
    this.held = from === at ? at + 1 : at;
    const order = this.now!.order;
    this.order = swapped(order, at);
    this.ask(`${order[at + 1]} before ${order[at]}: `);
  }

  private show(): void {
    const c = this.now!;
    const before = this.drawn;
    const last = c.steps.at(-1)!;
    const text = this.said + told(c.steps.at(-2), last, change(before?.nodes ?? [], c.nodes));
    if (this.said) this.c.say(text);
    const rule = c.groups.flatMap((g) => g.rules).find((r) => r.id === last.rule);
    this.drawn = draw(c.nodes, `Diagram after ${c.steps.length - 1} rules: ${last.nodes} nodes`,
      (id) => this.c.board.partial(id === null ? null : path(c.nodes, id)), before ?? undefined);
    const left = due(c.groups, this.group, this.rules);
    if (!left.length) this.stop(); // nothing more to play
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.body.replaceChildren(
      html("div", {},
        this.controls(left),
        html("p", { class: "formula", id: "build-formula" },
          rule ? html("b", {}, `${rule.title}: `) : "", rule ? short(rule.formula) : ""),
        html("p", { id: "build-told", role: "status" }, text),
        this.facts()),
      this.picture(),
      html("div", { class: "build-rest" },
        html("h2", {}, left.length === 0 ? "All rules conjoined"
          : left.length === 1 ? "1 rule left" : `${left.length} rules left`),
        html("div", { class: "chips", id: "build-rules" }, ...left.slice(0, 80).map((r) =>
          button(r.title, () => this.add(r), { class: "chip", title: r.formula.slice(0, 300) }))),
        html("h2", {}, "Order"),
        html("p", { class: "hint" }, "Swap neighbours: drag a cell onto the next one, or press an arrow key on it."),
        this.strip(c.order), this.growth()));
    if (focused) this.body.querySelector<HTMLElement>(focused.id ? `#${focused.id}`
      : `[data-at="${this.held}"]`)?.focus();
  }

  private controls(left: Rule[]): HTMLElement {
    const groups = this.now!.groups.filter((g) => g.name !== "occupied");
    return html("div", { class: "row" },
      select("Rules", groups.map((g) => [g.name, g.title]), this.group, (v) => this.again(v), { id: "build-group" }),
      button(this.timer ? "Pause" : "Play", () => this.play(),
        { id: "build-play", class: "primary", disabled: !left.length && !this.timer }),
      button("Next rule", () => left[0] && this.add(left[0]), { id: "build-next", disabled: !left.length }), speed(),
      button("Undo", () => this.undo(), { id: "build-undo", disabled: !this.rules.length }),
      button("Start over", () => { this.order = []; this.again(this.group); }, { id: "build-reset" }));
  }

  /** again starts over without rules. */
  private again(group: string): void {
    this.stop();
    this.group = group;
    this.rules = [];
    this.drawn = null;
    this.ask();
  }

  private facts(): HTMLElement {
    const steps = this.now!.steps;
    const last = steps.at(-1)!;
    const list: [word: string, value: string, id: string][] = [
      ["Nodes", thousands(last.nodes), "build-nodes"],
      ["Peak", thousands(Math.max(...steps.map((s) => s.nodes))), "build-peak"],
      ["Created by this rule", thousands(last.created), "build-created"],
      ["Placements allowed", big(last.solutions), "build-solutions"],
    ];
    return html("dl", { class: "facts wide" }, ...list.map(([word, value, id]) =>
      html("div", {}, html("dt", {}, word), html("dd", { id }, value))));
  }

  /** picture returns the drawn diagram, or a text if it is a constant or too large. */
  private picture(): HTMLElement {
    const c = this.now!;
    const large = `${thousands(c.steps.at(-1)!.nodes)} nodes: too many to draw.`;
    const why = { true: "⊤: true for every placement", false: "⊥: false, no placement satisfies all the rules" }[
      c.constant ?? ""] ?? (c.drawn ? "" : large);
    const drawing = why ? undefined : framed(this.drawn!, "The diagram so far", [["edge", "a queen"],
      ["edge low", "none"], ["node", "stays"], ["node appeared", "appears"], ["node vanished", "vanishes"]]);
    this.viewport = drawing?.viewport;
    return html("div", { class: "build-picture" }, drawing?.host ?? html("div", { class: "diagram-scroll", tabindex: 0,
      role: "region", "aria-label": "The diagram so far" }, html("p", { class: "constant" }, why)),
    saveButtons("construction", () => (drawing ? this.drawn!.element : null),
      saver("DOT", "construction", "dot", () => saveText(`construction-n${c.n}.dot`, dot(c.nodes)), !c.drawn)));
  }

  /** growth returns the curve of the node count after each rule, once there are two steps. */
  private growth(): HTMLElement {
    const steps = this.now!.steps;
    if (steps.length < 2) return html("span");
    return figure("growth", lines("Nodes after each rule", [{ label: "nodes", values: steps.map((s) => s.nodes),
      kind: "first" }], "rule"));
  }

  /** strip returns the order as a row of cells whose neighbours can be swapped. */
  private strip(order: string[]): HTMLElement {
    return html("div", { class: "chips strip", id: "build-order", role: "group",
      "aria-label": "Variable order, top level first" }, ...order.map((cell, i) => {
      const b = button(cell, () => this.swap(Math.min(i, order.length - 2)), { class: "chip", "data-at": i,
        "aria-label": `${cell}, level ${i + 1}: swap with the next`, keydown: (e: KeyboardEvent) => {
          const step = { ArrowLeft: -1, ArrowRight: 0 }[e.key];
          if (step === undefined || i + step < 0 || i + step > order.length - 2) return;
          e.preventDefault();
          e.stopPropagation();
          this.swap(i + step, i);
        } });
      onDrag(b, (over) => {
        const to = Number(over?.closest<HTMLElement>("#build-order [data-at]")?.dataset["at"] ?? NaN);
        if (Math.abs(to - i) === 1) this.swap(Math.min(to, i), i);
        else this.c.say("Only neighbours can be swapped: drag a cell onto the one before or after it.");
      });
      return b;
    }));
  }
}

function short(formula: string): string { return formula.length > 240 ? `${formula.slice(0, 220)} …` : formula; }

// Build the diagram before one's eyes: rules conjoined one at a time, and neighbours in
// the order swapped.
import type { BuildStep, Construction, Rule } from "./api";
import { lines } from "./chart";
import { change, dot, draw, path, type Drawn } from "./diagram";
import { saveButtons, saveText } from "./download";
import { button, html, select, thousands } from "./dom";
import type { Context, Panel } from "./panels";
import { Viewport } from "./view";

/** due lists the rules of a group that have not been conjoined, in their order. */
export function due(all: Construction["groups"], group: string, done: string[]): Rule[] {
  const rules = all.find((g) => g.name === group)?.rules ?? [];
  const first = group === "kinds" ? [] : all.find((g) => g.name === "occupied")?.rules ?? [];
  return [...first, ...rules].filter((r) => !done.includes(r.id));
}

/** swapped exchanges a place of a list with the next. */
export function swapped<T>(list: T[], at: number): T[] {
  const copy = [...list];
  const next = copy[at + 1];
  if (next === undefined) return copy;
  copy[at + 1] = copy[at]!;
  copy[at] = next;
  return copy;
}

/** told says what a step did, in a sentence. */
export function told(before: BuildStep | undefined, now: BuildStep, moved: { stayed: number; appeared: number;
  vanished: number }): string {
  if (!before) return "Nothing is asked yet: every placement is allowed, and the diagram is the constant true.";
  return `${thousands(before.nodes)} nodes become ${thousands(now.nodes)}: ` +
    `${moved.stayed} stay, ${moved.appeared} appear, ${moved.vanished} vanish.`;
}

const pace = 900; // milliseconds a rule, when it plays

export class BuildPanel implements Panel {
  private rules: string[] = [];
  private order: string[] = []; // the cells; empty: row-major
  private group = "kinds";
  private n = 0;
  private now: Construction | null = null;
  private drawn: Drawn | null = null;
  private timer = 0;
  private asking: AbortController | null = null;
  private body = html("div", { id: "build-body" });

  constructor(private host: HTMLElement, private c: Context) {
    this.host.replaceChildren(html("p", { class: "hint" },
      "Conjoin the rules one at a time and watch the diagram: nodes appear, merge and vanish. The peak on the way, " +
        "not the result, is what building costs."), this.body);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const n = this.c.state().n;
    if (n > this.c.maxBuilt()) {
      this.body.replaceChildren(html("p", {}, `A diagram is built step by step for boards up to ${this.c.maxBuilt()}.`),
        button("Show n = 4", () => this.c.adopt({ n: 4, placed: [], blocked: [] }), { id: "build-small" }));
      return;
    }
    if (n !== this.n) { this.n = n; this.rules = []; this.order = []; this.drawn = null; this.now = null; }
    await this.ask("", signal);
  }
  leave(): void { this.stop(); this.c.board.partial(null); }

  private stop(): void {
    window.clearInterval(this.timer);
    this.timer = 0;
  }

  /** ask has the engine conjoin the rules, and draws what comes of it. */
  private async ask(said: string, signal?: AbortSignal): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    signal?.addEventListener("abort", () => asking.abort());
    const s = this.c.state();
    try {
      const answer = await this.c.api.call<Construction>("build", { n: s.n, placed: s.placed, blocked: s.blocked,
        order: this.order.join(","), rules: this.rules }, asking.signal);
      if (asking.signal.aborted) return;
      this.now = answer;
      this.show(said);
    } catch (err) {
      if (asking.signal.aborted) return;
      this.stop();
      this.rules.pop();
      this.c.fail(err);
    }
  }

  private add(rule: Rule): void {
    this.rules.push(rule.id);
    void this.ask("");
  }
  private undo(): void {
    this.stop();
    this.rules.pop();
    void this.ask("");
  }
  private play(): void {
    if (this.timer) { this.stop(); return this.show(""); }
    const step = (): void => {
      const next = this.now && due(this.now.groups, this.group, this.rules)[0];
      if (!next) { this.stop(); return this.show(""); }
      this.add(next);
    };
    this.timer = window.setInterval(step, pace);
    step();
  }
  private swap(at: number): void {
    const order = this.now!.order;
    const before = this.now!.steps.at(-1)!.nodes;
    this.order = swapped(order, at);
    void this.ask(`${order[at + 1]} before ${order[at]}: `).then(() => {
      const after = this.now!.steps.at(-1)!.nodes;
      this.c.say(`${order[at + 1]} before ${order[at]}: ${after} nodes instead of ${before}. Only two levels changed.`);
    });
  }

  private show(said: string): void {
    const c = this.now!;
    const before = this.drawn;
    const steps = c.steps;
    const last = steps.at(-1)!;
    const peak = steps.reduce((most, s) => (s.nodes > most.nodes ? s : most));
    const moved = change(before?.nodes ?? [], c.nodes);
    const rule = c.groups.flatMap((g) => g.rules).find((r) => r.id === last.rule);
    this.drawn = draw(c.nodes, `Diagram after ${steps.length - 1} rules: ${last.nodes} nodes`,
      (id) => this.c.board.partial(id === null ? null : path(c.nodes, id)), before ?? undefined);
    const picture = this.drawn.element;
    const left = due(c.groups, this.group, this.rules);
    const scroll = html("div", { class: "diagram-scroll stageable", tabindex: 0, role: "region",
      "aria-label": "The diagram so far" });
    if (c.constant) scroll.append(html("p", { class: "constant" }, c.constant === "true" ? "⊤: true, whatever is placed"
      : "⊥: false: no placement keeps all the rules"));
    else if (c.drawn) scroll.append(picture);
    else scroll.append(html("p", { class: "constant" }, `${thousands(last.nodes)} nodes are too many to draw.`));
    if (c.drawn && !c.constant) new Viewport(picture, () => document.body.dataset["stage"] === "panel")
      .reset({ x: 0, y: 0, w: this.drawn.layout.width, h: this.drawn.layout.height });
    this.body.replaceChildren(
      html("div", { class: "row" },
        select("Rules", c.groups.filter((g) => g.name !== "occupied").map((g) => [g.name, g.title]), this.group,
          (v) => {
          this.stop();
          this.group = v;
          this.rules = [];
          this.drawn = null;
          void this.ask("");
        }, { id: "build-group" }),
        button(this.timer ? "Pause" : "Play", () => this.play(), { id: "build-play", class: "primary",
          disabled: !left.length && !this.timer }),
        button("Next rule", () => left[0] && this.add(left[0]), { id: "build-next", disabled: !left.length }),
        button("Undo", () => this.undo(), { id: "build-undo", disabled: !this.rules.length }),
        button("Start over", () => {
          this.stop();
          this.rules = [];
          this.order = [];
          this.drawn = null;
          void this.ask("");
        }, { id: "build-reset" })),
      html("p", { class: "formula", id: "build-formula" }, rule ? html("b", {}, `${rule.title}: `) : "",
        rule ? short(rule.formula) : ""),
      html("p", { id: "build-told", role: "status" }, said + told(steps.at(-2), last, moved)),
      html("dl", { class: "facts wide" },
        ...([["Nodes", thousands(last.nodes), "build-nodes"], ["Peak", thousands(peak.nodes), "build-peak"],
        ["Made in this step", thousands(last.created), "build-created"], ["Placements allowed", big(last.solutions),
        "build-solutions"]] as const)
        .map(([word, value, id]) => html("div", {}, html("dt", {}, word), html("dd", { id }, value)))),
      scroll,
      saveButtons("construction", () => (c.drawn ? picture : null), button("DOT",
        () => saveText(`construction-n${c.n}.dot`, dot(c.nodes)), { class: "small", disabled: !c.drawn,
        "aria-label": "Save the diagram as DOT" })),
      ...(steps.length > 1 ? [lines("Nodes after each rule",
        [{ label: "nodes", values: steps.map((s) => s.nodes), kind: "first" }], "rule")] : []),
      html("h2", {}, `${left.length} rules to come`),
      html("div", { class: "chips", id: "build-rules" }, ...left.slice(0, 80).map((r) =>
        button(r.title, () => this.add(r), { class: "chip", title: r.formula.slice(0, 300) }))),
      html("h2", {}, "Order"), html("p", { class: "hint" },
        "Swap neighbours: drag a cell onto the next one, or press an arrow key on it."),
      this.strip(c.order));
  }

  /** strip is the order, whose neighbours can be exchanged. */
  private strip(order: string[]): HTMLElement {
    const row = html("div", { class: "chips strip", id: "build-order", role: "group",
      "aria-label": "Variable order, top level first" });
    order.forEach((cell, i) => {
      const b = button(cell, () => this.swap(Math.min(i, order.length - 2)), { class: "chip", draggable: true,
        "data-at": i, "aria-label": `${cell}, level ${i + 1}: swap with the next` });
      b.addEventListener("keydown", (e) => {
        const step = { ArrowLeft: -1, ArrowRight: 0 }[e.key];
        if (step === undefined || i + step < 0 || i + step > order.length - 2) return;
        e.preventDefault();
        e.stopPropagation();
        this.swap(i + step);
      });
      b.addEventListener("dragstart", (e) => e.dataTransfer?.setData("text/plain", String(i)));
      b.addEventListener("dragover", (e) => e.preventDefault());
      b.addEventListener("drop", (e) => {
        e.preventDefault();
        const from = Number(e.dataTransfer?.getData("text/plain"));
        if (Math.abs(from - i) === 1) this.swap(Math.min(from, i));
        else this.c.say("Only neighbours can be swapped: drag a cell onto the one before or after it.");
      });
      row.append(b);
    });
    return row;
  }
}

function short(formula: string): string { return formula.length > 420 ? `${formula.slice(0, 400)} …` : formula; }

function big(decimal: string): string {
  return decimal.length > 12 ? Number(decimal).toExponential(2).replace("e+", " · 10^") : thousands(decimal);
}

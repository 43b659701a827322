// Why a cell can or cannot hold a queen, step by step, with the queens to blame.
import type { Explanation, Reason } from "./api";
import { button, html } from "./dom";

export interface WhyEvents {
  /** The explanation is to be drawn up to a step (all when undefined). */
  step(e: Explanation, upTo?: number): void;
  takeBack(cell: string): void;
}

const headings: Record<string, string> = {
  queen: "A queen stands here", blocked: "Blocked", valid: "Valid", attacked: "Attacked",
  emptied: "It would empty a line", chain: "Forced moves end in a contradiction",
  choice: "Every choice fails", search: "No solution has a queen here",
};

export class WhyPanel {
  private shown: Explanation | null = null;
  private at = 0;
  constructor(private host: HTMLElement, private events: WhyEvents) {}

  /** idle tells what the panel is for, and the forced cells with their reasons. */
  idle(reasons: Reason[], look: (r: Reason | null) => void, refused?: { text: string; blame: string[] }): void {
    this.shown = null;
    const nodes: Node[] = [];
    if (refused) {
      nodes.push(html("p", { class: "refused", role: "alert" }, `${capital(refused.text)}.`), this.takeBack(refused.blame));
    }
    if (reasons.length) {
      nodes.push(html("h3", {}, reasons.length === 1 ? "One forced queen" : `${reasons.length} forced queens`));
      const list = html("ol", { class: "steps", id: "reasons" });
      for (const r of reasons.slice(0, 60)) {
        const b = button(`${r.text}.`, () => look(r), { class: "step-button" });
        b.addEventListener("pointerenter", () => look(r));
        b.addEventListener("pointerleave", () => look(null));
        b.addEventListener("focus", () => look(r));
        list.append(html("li", {}, b));
      }
      nodes.push(list);
    }
    if (!refused) nodes.push(html("p", { class: "hint" }, "Point at a cell, or move to it with the arrow keys, to see why it can or cannot hold a queen."));
    this.host.replaceChildren(...nodes);
  }

  show(e: Explanation, pinned: boolean): void {
    this.shown = e;
    this.at = e.steps.length - 1;
    const nodes: Node[] = [
      html("h3", {}, html("span", { class: `cell-name ${e.valid ? "good" : "bad"}` }, e.cell), ` ${headings[e.verdict] ?? e.verdict}`),
      html("p", { id: "why-text" }, `${capital(e.text)}.`),
    ];
    if (e.steps.length) {
      const list = html("ol", { class: "steps", id: "why-steps" });
      e.steps.forEach((step, i) => {
        const b = button(`${capital(step.text)}.`, () => this.go(i), { class: `step-button ${step.kind}` });
        b.addEventListener("pointerenter", () => this.go(i));
        list.append(html("li", {}, b));
      });
      nodes.push(list);
      if (e.steps.length > 1) {
        nodes.push(html("div", { class: "row" },
          button("‹ Back", () => this.go(Math.max(0, this.at - 1)), { id: "step-back" }),
          button("Next ›", () => this.go(Math.min(e.steps.length - 1, this.at + 1)), { id: "step-next" })));
      }
    }
    if (!e.valid) nodes.push(this.takeBack(e.blame));
    if (pinned) nodes.push(html("p", { class: "hint" }, "Held: press Esc to let go."));
    this.host.replaceChildren(...nodes);
    this.mark();
  }

  private takeBack(blame: string[]): Node {
    if (!blame.length) return html("span");
    const row = html("div", { class: "row blame-row" }, html("span", { class: "blame-label" }, blame.length === 1 ? "To blame:" : "To blame, together:"));
    for (const cell of blame) {
      row.append(button(`Take back ${cell}`, () => this.events.takeBack(cell), { class: "blame-button", "data-blame": cell }));
    }
    return row;
  }

  go(step: number): void {
    if (!this.shown) return;
    this.at = step;
    this.events.step(this.shown, step);
    this.mark();
  }

  private mark(): void {
    this.host.querySelectorAll("#why-steps li").forEach((li, i) => li.classList.toggle("now", i === this.at));
  }
}

export function capital(text: string): string { return text.charAt(0).toUpperCase() + text.slice(1); }

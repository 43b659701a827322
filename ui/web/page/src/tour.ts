// A tour of six steps, which a newcomer can leave at any time.
import { button, byId, html } from "./dom";

interface Stop { at: string; title: string; text: string }

const stops: Stop[] = [
  { at: "board-host", title: "The board",
    text: "Place n queens so that no two attack each other. Click a cell with a ring to place a queen; click a " +
      "queen to take it back." },
  { at: "board-host", title: "It reacts",
    text: "A ring marks a cell that can still hold a queen, a diamond one that must, and a dash one that cannot, " +
      "although nothing attacks it." },
  { at: "summary", title: "What is left",
    text: "How many solutions are left from here, which back-end answered, and at what cost." },
  { at: "panel-why", title: "Why?",
    text: "Point at a cell to read why it can or cannot hold a queen. Click one that cannot to go through the " +
      "argument step by step." },
  { at: "tabs", title: "Look closer",
    text: "Solutions, back-ends racing each other, variable orders, the decision diagram, how it is built rule by " +
      "rule, and local search." },
  { at: "header-tools", title: "For an audience",
    text: "Press p for projector mode, f to fill the window with a panel, b to fill it with the board. The address " +
      "contains the whole board: share it as a link." },
];

export class Tour {
  private at = -1;
  private host = byId("tour");
  constructor(private ended: () => void) {
    this.host.addEventListener("keydown", (e) => {
      if (e.key === "Escape") { e.stopPropagation(); this.leave(); }
    });
  }
  start(): void { this.go(0); }
  leave(): void {
    if (this.at < 0) return;
    this.at = -1;
    this.mark();
    this.host.hidden = true;
    this.ended();
  }
  private go(to: number): void {
    const stop = stops[to];
    if (!stop) return this.leave();
    this.at = to;
    const last = to === stops.length - 1;
    const next = button(last ? "Done" : "Next", () => this.go(to + 1), { class: "primary", id: "tour-next" });
    this.host.replaceChildren(
      html("p", { class: "hint number" }, `${to + 1} of ${stops.length}`),
      html("h2", { id: "tour-title" }, stop.title), html("p", {}, stop.text),
      html("div", { class: "row" }, button("Back", () => this.go(to - 1), { disabled: to === 0, id: "tour-back" }),
        next,
        button("Leave the tour", () => this.leave(), { id: "tour-leave" })));
    this.host.hidden = false;
    this.mark();
    next.focus();
  }
  private mark(): void {
    document.querySelectorAll(".tour-here").forEach((e) => e.classList.remove("tour-here"));
    const stop = stops[this.at];
    if (!stop) return;
    const there = byId(stop.at);
    const e = there.offsetParent ? there : byId("more"); // where it is folded away
    e.classList.add("tour-here");
    e.scrollIntoView({ block: "nearest" });
  }
}

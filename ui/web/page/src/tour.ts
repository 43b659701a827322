// A tour of the page, which a newcomer can leave at any time. Its stops are in the page's HTML.
import { byId, on } from "./dom";
import { touched } from "./why";

export class Tour {
  private at = -1;
  private host = byId("tour");
  private stops = [...this.host.querySelectorAll<HTMLElement>("[data-at]")];

  /** place puts a queen on the board, for the stop that shows how it reacts. */
  constructor(private ended: () => void, private place: () => void) {
    if (touched()) for (const p of this.host.querySelectorAll<HTMLElement>("[data-touch]")) {
      p.textContent = p.dataset["touch"]!;
    }
    on("tour-back", () => this.go(this.at - 1));
    on("tour-next", () => this.go(this.at + 1));
    on("tour-leave", () => this.go(-1));
    this.host.addEventListener("keydown", (e) => {
      if (e.key !== "Escape") return;
      e.stopPropagation();
      this.go(-1);
    });
  }

  /** go shows a stop, by its number from 0; the tour ends if there is none. */
  go(to: number): void {
    document.querySelectorAll(".tour-here").forEach((e) => e.classList.remove("tour-here"));
    this.at = to;
    const stop = this.stops[to];
    this.host.hidden = !stop;
    if (!stop) return this.ended();
    for (const s of this.stops) s.hidden = s !== stop;
    if (to === 1) this.place();
    byId("tour-number").textContent = `${to + 1} of ${this.stops.length}`;
    byId<HTMLButtonElement>("tour-back").disabled = to === 0;
    byId("tour-next").textContent = to === this.stops.length - 1 ? "Done" : "Next";
    byId("tour-next").focus();
    const there = byId(stop.dataset["at"]!);
    const e = there.offsetParent ? there : byId("more"); // where it is folded away
    e.classList.add("tour-here");
    e.scrollIntoView({ block: "nearest" });
  }
}

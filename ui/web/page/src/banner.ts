// The banner: what went wrong, and what to do about it.
import { Gone } from "./api";
import { byId, button, html } from "./dom";

export class Banner {
  private host = byId("banner");

  /** show displays a message over the page, with a button if again is set; stale greys the board, which may be out
      of date. */
  show(text: string, stale = false, again?: () => void): void {
    this.host.replaceChildren(html("p", {}, text),
      again ? button("Try again", () => { this.hide(); again(); }, { class: "primary" }) : "",
      button("Dismiss", () => this.hide(), { id: "banner-dismiss" }));
    this.host.hidden = false;
    document.body.classList.toggle("stale", stale);
  }
  hide(): void {
    this.host.hidden = true;
    this.host.replaceChildren();
    document.body.classList.remove("stale");
  }
}

/** explainFailure returns a sentence that describes an error and, if possible, what to do. */
export function explainFailure(err: unknown): string {
  if (err instanceof Gone) {
    return "The server is not responding. If you run it yourself, restart it with harness serve: the page waits for " +
      "it. The board shows its last answer.";
  }
  const message = String((err as Error).message ?? err);
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
}

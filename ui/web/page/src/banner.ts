// The banner: what went wrong, and what to do about it.
import { byId, button, html } from "./dom";

export interface Help { label: string; act: () => void }

export class Banner {
  private host = byId("banner");
  private failing = false;

  /** show displays a message; stale greys the board below, which is out of date. */
  show(text: string, stale: boolean, ...helps: Help[]): void {
    this.host.replaceChildren(html("p", {}, text),
      ...helps.map((h) => button(h.label, () => { this.hide(); h.act(); }, { class: "primary" })),
      button("Dismiss", () => this.hide(), { id: "banner-dismiss" }));
    this.host.hidden = false;
    this.failing = helps.length > 0;
    document.body.classList.toggle("stale", stale);
  }
  /** recovered hides a failure, but not a hint, once an answer has arrived. */
  recovered(): void { if (this.failing) this.hide(); }
  hide(): void {
    this.failing = false;
    this.host.hidden = true;
    this.host.replaceChildren();
    document.body.classList.remove("stale");
  }
}

/** explainFailure returns a sentence that describes an error and, if possible, what to do. */
export function explainFailure(err: unknown): string {
  const message = String((err as Error).message ?? err);
  if (err instanceof TypeError || /failed to fetch|networkerror|load failed/i.test(message)) {
    return "The server is not responding. If you run it yourself, restart it with harness serve and try again. " +
      "The board below shows its last answer.";
  }
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
}

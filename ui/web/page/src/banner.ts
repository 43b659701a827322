// What went wrong, where everyone sees it, and what to do about it.
import { byId, button, html } from "./dom";

export interface Help { label: string; act: () => void }

export class Banner {
  private host = byId("banner");
  private failing = false;

  /** show says what went wrong; the board that is shown may be an old one. */
  show(text: string, stale: boolean, ...helps: Help[]): void {
    this.host.replaceChildren(html("p", {}, text),
      ...helps.map((h) => button(h.label, () => { this.hide(); h.act(); }, { class: "primary" })),
      button("Dismiss", () => this.hide(), { id: "banner-dismiss" }));
    this.host.hidden = false;
    this.failing = helps.length > 0;
    document.body.classList.toggle("stale", stale);
  }
  /** recovered takes back what an answer has proved past: a failure, not a hint. */
  recovered(): void { if (this.failing) this.hide(); }
  hide(): void {
    this.failing = false;
    this.host.hidden = true;
    this.host.replaceChildren();
    document.body.classList.remove("stale");
  }
}

/** explainFailure puts an error into words, with what to do. */
export function explainFailure(err: unknown): string {
  const message = String((err as Error).message ?? err);
  if (err instanceof TypeError || /failed to fetch|networkerror|load failed/i.test(message)) {
    return "The server does not answer. If you run it yourself, start it again with harness serve, and then try " +
      "again; the board below is the last one it answered.";
  }
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
}

// The Compare panel: a session of clicks, put to every back-end.
import type { Entrant } from "./api";
import { bar } from "./chart";
import { saver, savers, saveText } from "./download";
import { duration, html, plural, worked } from "./dom";
import type { Panel, Page } from "./panels";

const kinds: Record<string, string> = { bdd: "first", portfolio: "second", sat: "third", search: "fourth",
  table: "fifth", mdd: "sixth" };

export class ComparePanel implements Panel {
  private table = html("div", { id: "compare-table" });
  constructor(host: HTMLElement, private c: Page) {
    host.append(this.table);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const answer = await this.c.api.call("compare", this.c.ordered(), signal);
    const rows = [...answer.rows].sort((a, b) => Number(!!a.failed) - Number(!!b.failed) || a.first - b.first);
    this.table.replaceChildren(contestants(rows, answer.clicks), savers(saver("Text", "comparison", "txt",
      () => this.save(rows))),
      html("p", { class: answer.agree ? "verdict good" : "verdict bad", id: "compare-verdict" },
        answer.agree ? "✓ All that answered found the same cells." : "✗ The back-ends disagree: this is a bug."));
  }
  leave(): void {}

  private save(rows: Entrant[]): void {
    const text = rows.map((r) => [r.name, r.remembers, r.failed ?? "", r.build, r.first, r.next, r.sessions, r.valid,
      worked(r.work).join(" ")].join("\t"));
    const head = "who\tremembers\tfailed\tbuild_seconds\tfirst_seconds\tnext_seconds\tsessions\tvalid_cells\twork";
    saveText("comparison.tsv", [head, ...text, ""].join("\n"));
  }
}

/** contestants returns the table of a comparison: a line for each way, with the time of the first click as a bar. */
function contestants(rows: Entrant[], clicks: number): HTMLElement {
  const number = (text: string): HTMLElement => html("td", { class: "number" }, text);
  return html("table", { class: "contestants" },
    html("thead", {}, html("tr", {}, ...["Back-end", "Built in", "First click (log)",
      clicks ? `Next ${clicks === 1 ? "one" : clicks}, mean` : "Next clicks"].map((title) =>
      html("th", { scope: "col" }, title)))),
    html("tbody", {}, ...rows.map((r) => {
      const often = [`median of ${plural(r.sessions, "session")}`, ...worked(r.work)].join("; ");
      return html("tr", { class: "contestant", "data-name": r.name, title: r.failed ? "" : often },
        html("th", { scope: "row" }, r.name, r.remembers ? html("span", { class: "remembers" }, " remembers") : ""),
        ...r.failed ? [html("td", { colspan: 3 }, `no answer: ${r.failed}`)]
          : [number(duration(r.build)),
            html("td", { class: "number" },
              html("span", {}, bar(r.first, kinds[r.backend] ?? "first"), html("b", {}, duration(r.first)))),
            number(r.next ? duration(r.next) : "–")]);
    })));
}

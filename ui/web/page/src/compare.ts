// The Compare panel: one question to every back-end.
import type { Entrant } from "./api";
import { bar } from "./chart";
import { saver, savers, saveText } from "./download";
import { duration, html, worked } from "./dom";
import type { Panel, Page } from "./panels";

/** asked returns the time per question: the median of the answers after the first. */
function asked(r: Entrant): number { return r.runs ? r.again : r.first; }

const kinds: Record<string, string> = { bdd: "first", portfolio: "second", sat: "third", search: "fourth",
  table: "fifth", mdd: "sixth" };

export class ComparePanel implements Panel {
  private table = html("div", { id: "compare-table" });
  constructor(host: HTMLElement, private c: Page) {
    host.append(this.table);
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const answer = await this.c.api.call("compare", this.c.ordered(), signal);
    const rows = [...answer.rows].sort((a, b) => Number(!!a.failed) - Number(!!b.failed) || asked(a) - asked(b));
    this.table.replaceChildren(contestants(rows), savers(saver("Text", "comparison", "txt",
      () => this.save(rows))),
      html("p", { class: answer.agree ? "verdict good" : "verdict bad", id: "compare-verdict" },
        answer.agree ? "✓ All that answered found the same cells." : "✗ The back-ends disagree: this is a bug."));
  }
  leave(): void {}

  private save(rows: Entrant[]): void {
    const text = rows.map((r) =>
      [r.name, r.failed ?? "", r.build, r.first, r.again, r.runs, r.valid, worked(r.work).join(" ")].join("\t"));
    const head = "who\tfailed\tbuild_seconds\tfirst_seconds\tmedian_seconds\truns\tvalid_cells\twork";
    saveText("comparison.tsv", [head, ...text, ""].join("\n"));
  }
}

/** contestants returns the table of a comparison: a line for each way. */
function contestants(rows: Entrant[]): HTMLElement {
  const number = (text: string): HTMLElement => html("td", { class: "number" }, text);
  return html("table", { class: "contestants" },
    html("thead", {}, html("tr", {}, ...["Back-end", "Built in", "First answer", "Later answers (log)"].map((title) =>
      html("th", { scope: "col" }, title)))),
    html("tbody", {}, ...rows.map((r) => {
      const often = [r.builds > 1 ? `built: median of ${r.builds}` : "", r.runs ? `later: median of ${r.runs}` : "",
        ...worked(r.work)].filter(Boolean).join("; ");
      return html("tr", { class: "contestant", "data-name": r.name, title: often },
        html("th", { scope: "row" }, r.name),
        ...r.failed ? [html("td", { colspan: 3 }, `no answer: ${r.failed}`)]
          : [number(duration(r.build)), number(duration(r.first)),
            html("td", { class: "number" },
              html("span", {}, bar(asked(r), kinds[r.backend] ?? "first"), duration(asked(r))))]);
    })));
}

// The tabs beside the board: nothing else lists them.
import { BuildPanel } from "./build";
import { ComparePanel } from "./compare";
import { byId, html } from "./dom";
import { OrdersPanel } from "./orders";
import { RepairPanel, SolutionsPanel, type Page, type Panel } from "./panels";
import { QuizPanel } from "./quiz";
import { DiagramPanel } from "./sweep";

interface Tab {
  id: string; // in links, and of the elements tab-ID and panel-ID
  label: string;
  title: string;
  hint?: string; // the first paragraph of the panel
  make?(host: HTMLElement, page: Page): Panel; // the explanation, which the page fills itself, has none
}

export const tabs: Tab[] = [
  { id: "why", label: "Why", title: "why a cell can or cannot hold a queen" },
  { id: "solutions", label: "Solutions", title: "every completion, one by one",
    hint: "Every completion of the board, in the back-end's order.",
    make: (host, page) => new SolutionsPanel(host, page) },
  { id: "compare", label: "Compare", title: "the same clicks to every back-end",
    hint: "Each back-end in turn is built afresh and asked for the valid cells of this board: the first click. The " +
      "next clicks place one more queen each. Those that remember keep what they find for later clicks.",
    make: (host, page) => new ComparePanel(host, page) },
  { id: "orders", label: "Orders", title: "two variable orders side by side",
    hint: "Two orders on one scale: each cell's level, and the diagram's width at each level (filled: still reached).",
    make: (host, page) => new OrdersPanel(host, page) },
  { id: "diagram", label: "Diagram", title: "the decision diagram of this board",
    hint: "Each node asks whether its cell holds a queen; edges to false are not drawn. Bright: the paths to ⊤ " +
      "that the placement allows, one per solution. Point at a node, or tap it, to see on the board what a " +
      "path to it has decided.",
    make: (host, page) => new DiagramPanel(host, page) },
  { id: "build", label: "Build", title: "a diagram, rule by rule",
    hint: "Conjoin the rules one at a time and watch the diagram: nodes appear, merge and vanish. The cost of " +
      "building it is the peak on the way, not the final size.",
    make: (host, page) => new BuildPanel(host, page) },
  { id: "repair", label: "Local search", title: "min-conflicts on this board",
    hint: "Iterative repair: every column has a queen from the start, and attacked queens (red, marked !) are " +
      "moved until none is attacked. The queens you placed stay where they are.",
    make: (host, page) => new RepairPanel(host, page) },
  { id: "quiz", label: "Questions", title: "questions for a class",
    make: (host, page) => new QuizPanel(host, page) },
];

/** layTabs adds the tabs and their empty panels to the page. */
export function layTabs(): void {
  for (const t of tabs) {
    byId("tabs").append(html("button", { type: "button", role: "tab", id: `tab-${t.id}`,
      title: t.title, "aria-controls": `panel-${t.id}` }, t.label));
    byId("panels").append(html("div", { id: `panel-${t.id}`, class: "panel", role: "tabpanel",
      "aria-labelledby": `tab-${t.id}` }, ...(t.hint ? [html("p", { class: "hint" }, t.hint)] : [])));
  }
  showTab(tabs[0]!.id);
}

/** fillTabs makes the panels, by the id of their tab. */
export function fillTabs(page: Page): Record<string, Panel> {
  return Object.fromEntries(tabs.flatMap((t) => t.make ? [[t.id, t.make(byId(`panel-${t.id}`), page)]] : []));
}

/** showTab marks a tab as the open one, and shows its panel. */
export function showTab(open: string): void {
  document.body.dataset["tab"] = open;
  for (const { id } of tabs) {
    byId(`tab-${id}`).setAttribute("aria-selected", String(id === open));
    byId(`tab-${id}`).setAttribute("tabindex", id === open ? "0" : "-1");
    byId(`panel-${id}`).hidden = id !== open;
  }
}

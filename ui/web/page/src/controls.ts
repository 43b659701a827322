// The page's controls: buttons, tabs, keys, and full-window mode.
import type { BoardView } from "./board";
import { saveButtons } from "./download";
import { byId, copyText, on } from "./dom";
import type { Panel } from "./panels";
import type { Mode, State } from "./state";
import { tabs } from "./tabs";

/** Steered is the controls' view of the page. */
export interface Steered {
  readonly board: BoardView;
  /** wanted is the board that the person asked for last, answered or not. */
  readonly wanted: State;
  /** tab is the open one, and panel what it shows, if that is not the explanation. */
  readonly tab: string;
  readonly panel: Panel | undefined;
  undo(): void;
  redo(): void;
  clear(): void;
  resize(n: number): void;
  set(key: "backend" | "order" | "forced", value: string): void;
  heat(on: boolean): void;
  openTab(tab: string): void;
  /** inquire explains a cell, and unpin ends that. */
  inquire(cell: string): void;
  unpin(): void;
  /** press passes a key to the explanation, and reports whether it was used. */
  press(key: string): boolean;
  say(text: string): void;
}

/** copies makes the button copy the link. */
export function copies(say: (text: string) => void): void {
  on("copy", () => void copyText(location.href).then((done) =>
    say(done ? "Link copied." : "Copy the link from the address bar.")));
}

/** Controls carries out what buttons and keys ask for. */
export class Controls {
  constructor(private c: Steered) {
    this.buttons();
    this.fields();
    for (const { id } of tabs) on(`tab-${id}`, () => c.openTab(id));
    byId("tabs").addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[(e as KeyboardEvent).key];
      if (!step) return;
      const at = tabs.findIndex((t) => t.id === c.tab);
      const next = tabs[(at + step + tabs.length) % tabs.length]!;
      c.openTab(next.id);
      byId(`tab-${next.id}`).focus();
    });
    document.addEventListener("keydown", (e) => this.key(e));
  }

  private buttons(): void {
    const c = this.c;
    on("undo", () => c.undo());
    on("redo", () => c.redo());
    on("clear", () => c.clear());
    on("smaller", () => c.resize(c.wanted.n - 1));
    on("larger", () => c.resize(c.wanted.n + 1));
    copies((text) => c.say(text));
    on("stage-board", () => this.stage("board"));
    on("stage-panel", () => this.stage("panel"));
    on("stage-close", () => this.stage(null));
    on("zoom-in", () => this.zoom(1.5));
    on("zoom-out", () => this.zoom(1 / 1.5));
    on("zoom-all", () => this.zoom(null));
    on("more", () => {
      const open = byId("more").getAttribute("aria-expanded") !== "true";
      byId("more").setAttribute("aria-expanded", String(open));
      document.body.classList.toggle("more-open", open);
    });
    for (const name of ["boards", "help"]) {
      const dialog = byId<HTMLDialogElement>(`${name}-dialog`);
      on(name, () => dialog.showModal());
      on(`${name}-close`, () => dialog.close());
    }
    byId("board-saves").append(saveButtons("board", () => c.board.picture()));
  }

  private fields(): void {
    const size = byId<HTMLInputElement>("size");
    size.addEventListener("change", () => this.c.resize(Number(size.value)));
    for (const key of ["backend", "order", "forced"] as const) {
      const select = byId<HTMLSelectElement>(key);
      select.addEventListener("change", () => this.c.set(key, select.value as Mode));
    }
    const heat = byId<HTMLInputElement>("heat");
    heat.addEventListener("change", () => this.c.heat(heat.checked));
  }

  /** stage fills the window with the board or the open panel; null ends that. */
  private stage(what: "board" | "panel" | null): void {
    const root = document.body;
    if (what === null || root.dataset["stage"] === what) delete root.dataset["stage"];
    else root.dataset["stage"] = what;
    const staged = root.dataset["stage"] !== undefined;
    byId("stage-close").hidden = !staged;
    if (!staged) this.c.board.viewport.home();
    this.c.board.repaint();
  }

  /** zoom zooms the open panel's picture if that fills the window, and otherwise the board; null resets it. */
  private zoom(factor: number | null): void {
    const panel = document.body.dataset["stage"] === "panel" ? this.c.panel : undefined;
    const view = panel?.viewport ?? this.c.board.viewport;
    if (factor === null) view.home();
    else view.zoom(factor);
  }

  private key(e: KeyboardEvent): void {
    const c = this.c;
    const within = (what: string): boolean => (e.target as Element).closest?.(what) != null;
    if (e.key === "Escape" && !within("dialog")) {
      if (document.body.dataset["stage"]) this.stage(null);
      else c.unpin();
      return;
    }
    if (within("input, select, dialog") || e.altKey) return;
    const control = e.ctrlKey || e.metaKey;
    const pressed = control ? { z: "u", Z: "r", y: "r" }[e.key] ?? "" : e.key;
    const buttons: Record<string, string> = { c: "clear", h: "heat", p: "projector", f: "stage-panel", b: "stage-board",
      z: "zoom-in", Z: "zoom-out", "0": "zoom-all", "?": "help", "+": "larger", "-": "smaller" };
    if (pressed === "u") c.undo();
    else if (pressed === "r") c.redo();
    else if (pressed === "e") c.inquire(c.board.focused);
    else if (buttons[pressed]) byId(buttons[pressed]!).click();
    else if (!pressed || !c.press(pressed)) return;
    e.preventDefault();
  }
}

// The page: one board, what follows from it, and panels that ask more.
import { connect, Gone, type AboutAnswer, type Board, type BoardAnswer, type NamedOrder, type Ordered } from "./api";
import { Banner, explainFailure } from "./banner";
import { BoardView } from "./board";
import { parse } from "./cells";
import { ChoicesView } from "./choices";
import { Controls, type Steered } from "./controls";
import { byId, html, on, remember, remembered, thousands } from "./dom";
import type { Page, Panel } from "./panels";
import { defaults, fromLink, heed, ordersOf, toLink, type Settings, type State } from "./state";
import { status, summary } from "./status";
import { fillTabs, layTabs, showTab, tabs } from "./tabs";
import { theme } from "./theme";
import { Tour } from "./tour";
import { WhyPanel } from "./why";

/** without returns a board with a cell that is neither placed nor blocked. */
function without(s: State, cell: string): State {
  const other = (c: string): boolean => c !== cell;
  return { ...s, placed: s.placed.filter(other), blocked: s.blocked.filter(other) };
}

/** Wish is a board that the person asked for. It becomes the current board when its answer arrives. */
interface Wish {
  state: State;
  settings?: Settings;
  push?: boolean; // a move, which the browser's Back takes back
  cell?: string; // that was clicked
  note?: string; // to show with the answer
}

/** App is the page: the board, and the panels beside it. */
export class App implements Page, Steered {
  private banner = new Banner();
  readonly api = connect();
  about: AboutAnswer = { backends: [], orders: [], max_n: 200, max_bdd: 13, max_diagram: 5, max_built: 6 };
  state: State = { n: 8, placed: [], blocked: [] };
  private settings: Settings = { ...defaults };
  private answer: BoardAnswer | null = null; // about the state, with the settings
  private asking: (Wish & { control: AbortController }) | null = null; // the wish under way
  private next: (() => void) | null = null; // a click that waits for its answer
  private at = 0; // the position in this page's browser history, which undo and redo step through
  private last = 0;
  private watching = 0;
  readonly board: BoardView = new BoardView(byId("board-host"), this);
  private why = new WhyPanel(byId("panel-why"), this);
  private panels = fillTabs(this);
  private asked: Record<string, AbortController> = {}; // by kind of question
  private lookTimer = 0;
  private pinned: string | null = null;

  async start(): Promise<void> {
    theme(() => this.board.recolour());
    try {
      this.about = await this.api.call("about", {});
    } catch (err) { this.fail(err); }
    if (this.about.problem) return new ChoicesView(this.api, this.about.problem).start();
    new Controls(this);
    byId<HTMLSelectElement>("backend")
      .append(...this.about.backends.map((b) => html("option", { value: b.name, title: b.doc }, b.title)));
    byId<HTMLInputElement>("size").max = String(this.about.max_n);
    this.at = this.last = history.state?.at ?? 0;
    window.addEventListener("popstate", () => {
      const before = this.at;
      this.at = history.state?.at ?? before + 1; // a link has no number yet
      this.last = history.state ? Math.max(this.last, this.at) : this.at;
      if (location.hash !== this.link()) void this.fromURL();
    });
    await this.fromURL();
    this.welcome();
  }

  /** welcome explains the page in a sentence until the person dismisses it. */
  private welcome(): void {
    const host = byId("welcome");
    host.hidden = remembered("welcome") !== null;
    const done = (): void => {
      host.hidden = true;
      remember("welcome", "seen");
    };
    const tour = new Tour(done, () => {
      const cell = this.answer?.valid[0];
      if (cell && this.wanted.placed.length === 0) this.act({ ...this.wanted, placed: [cell] });
    });
    on("tour-start", () => { byId<HTMLDialogElement>("help-dialog").close(); tour.go(0); });
    on("welcome-tour", () => { host.hidden = true; tour.go(0); });
    on("welcome-close", done);
    byId("samples").addEventListener("click", (e) => {
      if ((e.target as Element).closest("a")) byId<HTMLDialogElement>("boards-dialog").close();
    });
  }

  private link(): string { return toLink(this.state, this.settings); }

  /** fromURL asks about the board that the address describes, and explains the cell that it names. Undo and redo
      are about the board alone: the settings stay. */
  private async fromURL(): Promise<void> {
    const { state, settings, wrong } = fromLink(location.hash, this.about.max_n);
    if (history.state && this.answer) return this.ask({ state });
    if (!tabs.some((t) => t.id === settings.tab)) {
      wrong.push(`tab=${settings.tab} is not one of ${tabs.map((t) => t.id).join(", ")}`);
      settings.tab = "why";
    }
    const why = settings.why;
    settings.why = "";
    await this.ask({ state, settings,
      note: wrong.length ? `Parts of the link are invalid and were ignored: ${wrong.join("; ")}.` : "" });
    if (why) void this.explain(why, true);
  }

  /** body returns a request about a board, by default the current one; a back-end without an order gets none. */
  body(s = this.state, v = this.settings): Board {
    const { order, ...placement } = this.ordered(s, v);
    const by = this.about.backends.find((b) => b.name === v.backend);
    return { ...placement, backend: v.backend, ...(by && !by.uses.includes("order") ? {} : { order }) };
  }

  /** ordered returns a request about a board's diagram, by default the current board's. */
  ordered(s = this.state, v = this.settings): Required<Ordered> {
    return { n: s.n, placed: s.placed, blocked: s.blocked, forced: v.forced, order: v.order };
  }

  /** question returns or sets the current question, as in queen-hard-7. */
  question(asked?: string): string {
    if (asked !== undefined) { this.settings.ask = asked; this.relink(); }
    return this.settings.ask;
  }

  // ---- what the person does

  /** activate handles a click on a cell, and block a long press. */
  activate(cell: string): void { this.decide(cell, () => this.toggle(cell)); }
  block(cell: string): void { this.decide(cell, () => this.toggleBlock(cell)); }

  /** move moves a queen to an empty cell. */
  move(from: string, to: string | null): void {
    this.decide(to ?? from, () => {
      if (to && "Q#".includes(this.board.mark(to))) return this.say(`${to} is taken.`);
      const rest = without(this.state, from);
      this.act(to ? { ...rest, placed: [...rest.placed, to] } : rest, to ?? from);
    });
  }

  /** act asks about a board, which becomes the current one when its answer arrives. */
  act(state: State, cell = ""): void { void this.ask({ state, cell, push: true }); }

  /** wanted is the board that the person asked for last, answered or not. */
  get wanted(): State { return this.asking?.state ?? this.state; }

  /** decide acts on a cell at once, or when the pending answer has arrived. A second click on the same cell before
      that is half of a double click. */
  private decide(cell: string, act: () => void): void {
    if (!this.answer || this.asking?.cell === cell) return;
    if (this.asking) this.next = act;
    else act();
  }

  private toggle(cell: string): void {
    const mark = this.board.mark(cell);
    if ("o!".includes(mark)) return this.act({ ...this.state, placed: [...this.state.placed, cell] }, cell);
    if ("Q#".includes(mark)) return this.act(without(this.state, cell), cell);
    const reason = mark === "q" && this.answer!.reasons.find((r) => r.cell === cell);
    if (reason) {
      this.say(`${reason.text}. It follows from the other queens; take one of them back.`);
      return this.board.reason(cell, reason.cells);
    }
    this.inquire(cell);
  }

  private toggleBlock(cell: string): void {
    const mark = this.board.mark(cell), s = this.state;
    if (mark === "#") this.act(without(s, cell), cell);
    else if (mark === "Q") this.say(`There is a queen on ${cell}.`);
    else if (this.answer!.forced.includes(cell)) {
      this.say(`${cell} cannot be blocked: every completion has a queen there.`);
    } else if (!this.answer!.satisfiable) this.say("Nothing can be blocked: this board has no solution.");
    else this.act({ ...s, blocked: [...s.blocked, cell] }, cell);
  }

  takeBack(cell: string): void {
    const s = this.wanted;
    this.unpin();
    this.act(without(s, cell));
  }

  /** undo goes back one entry of the history, or drops a move that has no answer yet. */
  undo(): void {
    if (this.asking?.push) return this.settle();
    if (this.at > 0) history.back();
  }
  redo(): void { if (this.at < this.last) history.forward(); }
  clear(): void {
    const { n, placed, blocked } = this.wanted;
    if (placed.length + blocked.length) this.act({ n, placed: [], blocked: [] });
  }
  resize(n: number): void {
    if (!Number.isInteger(n) || n < 1 || n > this.about.max_n) {
      this.banner.show(`n = ${n} is not possible here: choose n from 1 to ${this.about.max_n}.`);
      return this.syncControls();
    }
    const fits = (cell: string): boolean => { const c = parse(cell)!; return c.row < n && c.col < n; };
    const { placed, blocked } = this.wanted;
    if (n !== this.wanted.n) this.act({ n, placed: placed.filter(fits), blocked: blocked.filter(fits) });
  }
  set(key: "backend" | "order" | "forced", value: string): void {
    void this.ask({ state: this.wanted, settings: { ...(this.asking?.settings ?? this.settings), [key]: value } });
  }

  /** moves disables buttons that would have no effect. */
  private moves(a: BoardAnswer): void {
    const nothing = { undo: this.at === 0, redo: this.at === this.last,
      clear: a.placed.length + a.blocked.length === 0 };
    for (const [id, disabled] of Object.entries(nothing)) byId<HTMLButtonElement>(id).disabled = disabled;
  }

  // ---- looking at a cell

  look(cell: string | null): void {
    window.clearTimeout(this.lookTimer);
    if (this.pinned || this.settings.tab !== "why") return;
    if (cell === null) return void this.fresh("look"); // keep what is shown while the pointer moves on
    this.lookTimer = window.setTimeout(() => void this.explain(cell, false), 70);
  }

  inquire(cell: string): void {
    this.openTab("why");
    void this.explain(cell, true);
  }

  private async explain(cell: string, pin: boolean): Promise<void> {
    if (!this.answer?.satisfiable && this.state.placed.length + this.state.blocked.length > 0) return;
    window.clearTimeout(this.lookTimer);
    const signal = this.fresh("look");
    if (pin) this.pinned = cell; // before the answer, so no look overtakes it
    try {
      const e = await this.api.call("explain", { ...this.body(), cell }, signal);
      if (signal.aborted) return;
      if (pin) {
        const steps = e.frames.length; // the conclusion is left to the last step
        this.say(steps > 1 ? `${e.cell} cannot hold a queen: ${e.technique}, in ${steps} steps.` : e.text);
        this.why.hold(e);
      }
      else this.why.peek(e);
    } catch (err) { this.fail(err); }
  }

  unpin(): void {
    if (!this.pinned && !this.why.holding) return;
    this.pinned = null;
    this.fresh("look");
    this.idle();
  }

  private idle(): void {
    if (this.settings.tab === "why") this.why.idle(this.answer, this.settings.forced !== "off");
  }

  // ---- asking and showing

  /** ask asks what follows from a board. The board becomes the current one only with its answer: if anything fails,
      the current board, its link and its history stay as they are. */
  private async ask(wish: Wish): Promise<void> {
    this.settle();
    const asking = (this.asking = { ...wish, control: new AbortController() });
    this.syncControls();
    const { settings, lost } = heed(this.about, wish.state.n, wish.settings ?? this.settings);
    window.clearTimeout(this.lookTimer);
    this.fresh("look");
    const started = performance.now();
    const busy = window.setTimeout(() => document.body.classList.add("busy"), 250);
    try {
      const answer = await this.api.call("board", { ...this.body(wish.state, settings), counts: true },
        asking.control.signal);
      if (asking.control.signal.aborted) return;
      this.panel?.leave();
      [this.state, this.settings, this.answer, this.asking] = [wish.state, settings, answer, null];
      this.pinned = null;
      if (wish.push) this.last = ++this.at;
      history[wish.push ? "pushState" : "replaceState"]({ at: this.at }, "", this.link());
      this.banner.hide();
      if (lost || wish.note) this.banner.show([lost, wish.note].filter(Boolean).join(" "));
      showTab(this.settings.tab);
      this.syncControls();
      this.render();
      status(answer, settings.forced, (performance.now() - started) / 1000);
      this.moves(answer);
      this.say(summary(answer, settings.forced));
      this.refreshPanel();
      document.body.setAttribute("data-shown", this.link());
      if (!answer.counts && answer.satisfiable && !answer.complete) void this.countLater(answer);
    } catch (err) {
      if (asking.control.signal.aborted) return;
      this.settle();
      this.fail(err, () => void this.ask(wish));
    } finally {
      window.clearTimeout(busy);
      if (!this.asking) document.body.classList.remove("busy");
    }
    const next = this.next;
    this.next = null;
    next?.();
  }

  /** fresh cancels the pending question of a kind, and returns the signal for the next one. */
  private fresh(kind: string): AbortSignal {
    this.asked[kind]?.abort();
    return (this.asked[kind] = new AbortController()).signal;
  }

  /** settle drops the pending wish, and the click that waits for it. */
  private settle(): void {
    this.asking?.control.abort();
    this.fresh("count");
    this.asking = this.next = null;
    this.syncControls();
  }

  /** countLater asks for counts that were not ready with the board. */
  private async countLater(answer: BoardAnswer): Promise<void> {
    if (answer.n - answer.placed.length > 16) return; // longer than anyone would wait
    byId("solutions-left").textContent = "…";
    const signal = this.fresh("count");
    try {
      const { counts } = await this.api.call("count", this.body(), signal);
      if (signal.aborted) return;
      if (counts) answer.counts = counts;
      byId("solutions-left").textContent = counts ? thousands(counts.total) : "many";
      if (counts && this.settings.heat) this.board.show(answer, true);
    } catch (err) { this.fail(err); }
  }

  render(): void {
    if (!this.answer) return;
    this.board.show(this.answer, this.settings.heat);
    this.board.explain(null);
    this.idle();
  }

  /** refreshPanel makes the open panel ask again. */
  refreshPanel(): void {
    this.panel?.refresh(this.fresh("panel")).catch((err) => this.fail(err));
  }

  /** titleOf returns a back-end's display name. */
  titleOf(name: string): string { return this.about.backends.find((b) => b.name === name)?.title ?? name; }

  say(text: string): void { byId("live").textContent = text; }
  /** fail shows what went wrong, and offers to try again. */
  fail(err: unknown, again = (): void => this.refreshPanel()): void {
    if ((err as Error).name === "AbortError") return;
    this.banner.show(explainFailure(err), err instanceof Gone, again);
    if (err instanceof Gone) this.watch();
  }

  /** watch waits until the server is back, and then shows the board in the address. */
  private watch(): void {
    if (this.watching) return;
    this.watching = window.setInterval(async () => {
      if (!(await this.api.alive()) || !this.watching) return;
      window.clearInterval(this.watching);
      this.watching = 0;
      if (!this.about.orders.length) return location.reload();
      this.banner.hide();
      if (location.hash !== this.link()) void this.fromURL();
    }, 1000);
  }

  // ---- for the controls

  get tab(): string { return this.settings.tab; }
  get panel(): Panel | undefined { return this.panels[this.settings.tab]; }
  press(key: string): boolean { return this.why.press(key); }
  heat(on: boolean): void {
    this.settings.heat = on;
    this.relink();
    if (this.answer) this.board.show(this.answer, on);
  }

  openTab(tab: string): void {
    if (this.settings.tab === tab) return;
    this.panel?.leave();
    this.settings.tab = tab;
    this.pinned = null;
    showTab(this.settings.tab);
    this.relink();
    this.render();
    if (this.answer) this.say(summary(this.answer, this.settings.forced));
    this.refreshPanel();
  }

  /** relink writes a setting into the address, if it needs no answer. */
  private relink(): void {
    history.replaceState({ at: this.at }, "", this.link());
    document.body.setAttribute("data-shown", this.link());
  }

  orders(n = this.state.n): NamedOrder[] { return ordersOf(this.about, n); }

  private syncControls(): void {
    if (this.about.orders.length) byId("order").replaceChildren(...this.orders().map((o) =>
      html("option", { value: o.name, title: o.reason }, o.name)));
    byId<HTMLInputElement>("size").value = String(this.wanted.n);
    const v = this.asking?.settings ?? this.settings;
    for (const key of ["backend", "order", "forced"] as const) byId<HTMLSelectElement>(key).value = v[key];
    byId<HTMLInputElement>("heat").checked = v.heat;
  }

}

try {
  if (location.protocol !== "file:") {
    layTabs();
    void new App().start();
  } else byId("board-host").replaceChildren(html("p", { class: "hint" },
    "This page was opened as a file, and browsers do not run it so. Serve its folder (python3 -m http.server) and " +
    "open http://localhost:8000/."));
} catch (err) {
  new Banner().show(explainFailure(err), true);
}

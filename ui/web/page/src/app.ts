// The page: one board, what follows from it, and panels that ask more.
import { connect, type About, type BoardAnswer, type Counts, type Order, type Walk } from "./api";
import { Banner, explainFailure } from "./banner";
import { BoardView, counted } from "./board";
import { BuildPanel } from "./build";
import { attacks, parse } from "./cells";
import { saveButtons } from "./download";
import { byId, duration, html, remember, remembered, thousands, worked } from "./dom";
import { OrdersPanel } from "./orders";
import { DiagramPanel, RepairPanel, SolutionsPanel, type Context, type Panel } from "./panels";
import { ComparePanel } from "./race";
import { defaults, fromLink, History, toLink, type Mode, type Settings, type State } from "./state";
import { samples } from "./samples";
import { Tour } from "./tour";
import type { Viewport } from "./view";
import { capital, WhyPanel } from "./why";

const tabs = ["why", "solutions", "compare", "orders", "diagram", "build", "repair"];

class App {
  private banner = new Banner();
  private api = connect();
  private about: About = { backends: [], orders: [], max_n: 200, max_bdd: 13, max_diagram: 5, max_built: 6 };
  private history!: History;
  private settings!: Settings;
  private answer: BoardAnswer | null = null;
  private board: BoardView;
  private why: WhyPanel;
  private panels: Record<string, Panel>;
  private asking: AbortController | null = null;
  private panelAsking: AbortController | null = null;
  private looking: AbortController | null = null;
  private lookTimer = 0;
  private pinned: string | null = null;
  private cache = new Map<string, Walk>();

  constructor() {
    this.board = new BoardView(byId("board-host"), {
      activate: (cell) => this.activate(cell),
      block: (cell) => this.toggleBlock(cell),
      look: (cell) => this.look(cell),
    });
    this.why = new WhyPanel(byId("panel-why"), {
      show: (w, frame) => this.board.explain(w, frame),
      line: (w) => this.board.line(w),
      takeBack: (cell) => this.takeBack(cell),
    });
    const context: Context = {
      api: this.api, board: this.board,
      body: () => this.body(),
      state: () => this.history.present,
      adopt: (s) => this.act(s),
      say: (text) => this.say(text),
      restore: () => this.render(),
      orders: () => this.orders(),
      about: () => this.about,
      fail: (err) => this.fail(err),
      title: (name) => this.titleOf(name),
    };
    this.panels = {
      solutions: new SolutionsPanel(byId("panel-solutions"), context),
      compare: new ComparePanel(byId("panel-compare"), context),
      orders: new OrdersPanel(byId("panel-orders"), context),
      diagram: new DiagramPanel(byId("panel-diagram"), context),
      build: new BuildPanel(byId("panel-build"), context),
      repair: new RepairPanel(byId("panel-repair"), context),
    };
  }

  async start(): Promise<void> {
    this.theme();
    this.controls();
    this.fromURL(false);
    try {
      this.about = await this.api.call<About>("about", {});
    } catch (err) { this.fail(err); }
    byId<HTMLSelectElement>("backend")
      .append(...this.about.backends.map((b) => html("option", { value: b.name, title: b.doc }, b.title)));
    byId<HTMLInputElement>("size").max = String(this.about.max_n);
    const why = this.fromURL(true);
    window.addEventListener("hashchange", () => { if (location.hash !== this.link()) this.fromURL(true); });
    await this.refresh();
    if (why) void this.explain(why, true);
    this.welcome();
  }

  /** welcome explains the page in a sentence until the person dismisses it. */
  private welcome(): void {
    const host = byId("welcome");
    const done = (): void => {
      host.hidden = true;
      remember("welcome", "seen");
    };
    const tour = new Tour(done);
    byId("tour-start").addEventListener("click", () => {
      byId<HTMLDialogElement>("help-dialog").close();
      tour.start();
    });
    byId("welcome-tour").addEventListener("click", () => { host.hidden = true; tour.start(); });
    byId("welcome-close").addEventListener("click", done);
    host.hidden = remembered("welcome") !== null;
    byId("samples").append(...samples.map((s) => html("li", {}, html("a", { href: s.link, class: "sample" },
      html("b", {}, s.title), html("span", { class: "hint" }, s.text)))));
    byId("samples").addEventListener("click", (e) => {
      if ((e.target as Element).closest("a")) byId<HTMLDialogElement>("boards-dialog").close();
    });
  }

  private link(): string { return toLink(this.history.present, this.settings); }

  /** fromURL reads the board from the address and returns the cell to explain. */
  private fromURL(tell: boolean): string {
    const { state, settings, wrong } = fromLink(location.hash, this.about.max_n);
    if (!tabs.includes(settings.tab)) settings.tab = "why";
    const why = settings.why;
    settings.why = "";
    const known = this.history !== undefined;
    if (known) this.panels[this.settings.tab]?.leave();
    this.settings = settings;
    if (known) { this.history.do(state); } else this.history = new History(state);
    if (known && this.answer === null) this.history = new History(state);
    this.syncControls();
    this.openTab(settings.tab, false);
    if (tell && wrong.length) {
      this.banner.show(`Parts of the link are invalid and were ignored: ${wrong.join("; ")}.`, false);
    }
    if (this.answer) void this.refresh().then(() => { if (why) void this.explain(why, true); });
    return why;
  }

  /** body returns a request about the current placement. */
  private body(): Record<string, unknown> {
    const s = this.history.present;
    const v = this.settings;
    return { n: s.n, placed: s.placed, blocked: s.blocked, forced: v.forced, backend: v.backend, order: v.order };
  }

  // ---- what the person does

  private act(next: State): void {
    this.history.do(next);
    void this.refresh();
  }

  private activate(cell: string): void {
    const s = this.history.present;
    if (!this.answer) return;
    switch (this.board.mark(cell)) {
      case "Q":
        return this.act({ ...s, placed: s.placed.filter((q) => q !== cell) });
      case "o": case "!":
        return this.act({ ...s, placed: [...s.placed, cell] });
      case "#":
        return this.act({ ...s, blocked: s.blocked.filter((q) => q !== cell) });
      case "q": {
        const reason = this.answer.reasons.find((r) => r.cell === cell);
        this.say(reason ? `${reason.text}. It follows from the other queens; take one of them back.`
          : `${cell} follows from the other queens.`);
        if (reason) this.board.reason(cell, reason.cells);
        return;
      }
    }
    this.openTab("why", true);
    void this.explain(cell, true);
  }

  private toggleBlock(cell: string): void {
    const s = this.history.present;
    const mark = this.board.mark(cell);
    if (mark === "#") return this.act({ ...s, blocked: s.blocked.filter((q) => q !== cell) });
    if ("Q!q".includes(mark) || this.answer?.forced.includes(cell)) {
      return this.say(mark === "Q" ? `There is a queen on ${cell}.`
        : `${cell} cannot be blocked: every completion has a queen there.`);
    }
    if (!this.answer?.satisfiable) return this.say("Nothing can be blocked: this board has no solution.");
    this.act({ ...s, blocked: [...s.blocked, cell] });
  }

  private takeBack(cell: string): void {
    const s = this.history.present;
    this.unpin();
    this.act({ ...s, placed: s.placed.filter((q) => q !== cell), blocked: s.blocked.filter((q) => q !== cell) });
  }

  private undo(): void { if (this.history.undo()) void this.refresh("Undone. "); }
  private redo(): void { if (this.history.redo()) void this.refresh("Redone. "); }
  private clear(): void {
    const s = this.history.present;
    if (s.placed.length + s.blocked.length) this.act({ n: s.n, placed: [], blocked: [] });
  }
  private resize(n: number): void {
    if (!Number.isInteger(n) || n < 1 || n > this.about.max_n) {
      this.say(`Board size: from 1 to ${this.about.max_n}.`);
      this.banner.show(`n = ${n} is not possible here: choose n from 1 to ${this.about.max_n}.`, false);
      return this.syncControls();
    }
    if (n !== this.history.present.n) this.act({ n, placed: [], blocked: [] });
  }
  private set<K extends keyof Settings>(key: K, value: Settings[K]): void {
    this.settings[key] = value;
    this.syncControls();
    void this.refresh();
  }

  // ---- looking at a cell

  private look(cell: string | null): void {
    window.clearTimeout(this.lookTimer);
    if (this.pinned || this.settings.tab !== "why") return;
    if (cell === null) return void this.looking?.abort(); // keep what is shown while the pointer moves on
    this.lookTimer = window.setTimeout(() => void this.explain(cell, false), 70);
  }

  private async explain(cell: string, pin: boolean): Promise<void> {
    if (!this.answer?.satisfiable && this.history.present.placed.length
      + this.history.present.blocked.length > 0) return;
    window.clearTimeout(this.lookTimer);
    this.looking?.abort();
    const looking = (this.looking = new AbortController());
    if (pin) this.pinned = cell; // before the answer, so no look overtakes it
    const key = JSON.stringify([this.history.present, this.settings.forced, cell]);
    try {
      let e = this.cache.get(key);
      if (!e) {
        e = await this.api.call<Walk>("explain", { ...this.body(), cell }, looking.signal);
        if (this.cache.size > 2000) this.cache.clear();
        this.cache.set(key, e);
      }
      if (looking.signal.aborted) return;
      if (pin) {
        const steps = e.frames.length; // the conclusion is left to the last step
        this.say(steps > 1 ? `${e.cell} cannot hold a queen: ${e.technique}, in ${steps} steps.` : e.text);
        this.why.hold(e);
      }
      else this.why.peek(e);
    } catch (err) { this.fail(err); }
  }

  private unpin(): void {
    this.pinned = null;
    this.looking?.abort();
    this.idle();
  }

  private idle(): void {
    if (this.settings.tab !== "why") return;
    const a = this.answer;
    const refused = a?.refused ? { text: a.refused.text, blame: this.toTakeBack(a), walk: a.refused.explanation }
      : undefined;
    this.why.idle(a && this.settings.forced !== "off" ? a.reasons : [], (r) => {
      if (r) this.board.reason(r.cell, r.cells);
      else this.board.explain(null);
    }, refused);
    this.board.explain(a?.refused?.explanation ?? null);
  }

  /** toTakeBack lists what to take back from a placement without a completion. */
  private toTakeBack(a: BoardAnswer): string[] {
    const cell = a.refused!.action.split(" ")[1] ?? "";
    const blame = a.refused!.explanation?.blame ?? [];
    const c = parse(cell);
    const more = c ? a.placed.filter((q) => attacks(parse(q)!, c)) : [];
    return [...new Set([cell, ...blame, ...more])].filter((q) => a.placed.includes(q) || a.blocked.includes(q));
  }

  // ---- asking and showing

  private async refresh(said = ""): Promise<void> {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    window.clearTimeout(this.lookTimer);
    this.looking?.abort();
    this.pinned = null;
    this.panels[this.settings.tab]?.leave();
    this.heed();
    this.syncControls();
    history.replaceState(null, "", this.link());
    const started = performance.now();
    const busy = window.setTimeout(() => document.body.classList.add("busy"), 250);
    try {
      const answer = await this.api.call<BoardAnswer>("board", { ...this.body(), counts: true }, asking.signal);
      if (asking.signal.aborted) return;
      this.answer = answer;
      this.banner.recovered();
      this.render();
      this.status(answer, (performance.now() - started) / 1000);
      this.say(said + this.summary(answer));
      this.refreshPanel();
      document.body.setAttribute("data-shown", this.link());
      if (!answer.counts && answer.satisfiable && !answer.complete) void this.countLater(answer, asking.signal);
    } catch (err) {
      if (!asking.signal.aborted) this.fail(err, true);
    } finally {
      window.clearTimeout(busy);
      if (this.asking === asking) document.body.classList.remove("busy");
    }
  }

  /** countLater asks for counts that were not ready with the board. */
  private async countLater(answer: BoardAnswer, signal: AbortSignal): Promise<void> {
    if (answer.n - answer.placed.length > 16) return; // longer than anyone would wait
    byId("solutions-left").textContent = "…";
    try {
      const { counts } = await this.api.call<{ counts?: Counts }>("count", this.body(), signal);
      if (signal.aborted) return;
      if (counts) answer.counts = counts;
      byId("solutions-left").textContent = counts ? thousands(counts.total) : "many";
      if (counts && this.settings.heat) this.board.show(answer, true);
    } catch (err) { this.fail(err); }
  }

  private render(): void {
    if (!this.answer) return;
    this.board.show(this.answer, this.settings.heat);
    this.board.explain(null);
    this.idle();
  }

  private refreshPanel(): void {
    this.panelAsking?.abort();
    const asking = (this.panelAsking = new AbortController());
    this.panels[this.settings.tab]?.refresh(asking.signal).catch((err) => {
      if (!asking.signal.aborted) this.fail(err);
    });
  }

  private summary(a: BoardAnswer): string {
    if (a.refused) return `${capital(a.refused.text)}.`;
    if (!a.satisfiable) return `A board of size ${a.n} has no solution.`;
    if (a.complete) return "Solved: no queen attacks another.";
    const parts = [`${a.placed.length} of ${a.n} queens placed`, `${thousands(a.valid.length)} valid cells`];
    if (a.forced.length && this.settings.forced !== "off") parts.push(`${a.forced.length} forced`);
    if (a.counts) parts.push(`${thousands(a.counts.total)} solution${a.counts.total === "1" ? "" : "s"} left`);
    return parts.join(", ") + ".";
  }

  private status(a: BoardAnswer, roundTrip: number): void {
    byId("solutions-left").textContent = !a.satisfiable ? "0" : a.counts ? thousands(a.counts.total) : "many";
    byId("solutions-word").textContent = a.counts?.total === "1" ? "solution left" : "solutions left";
    if (a.complete) {
      byId("solutions-left").textContent = "Solved";
      byId("solutions-word").textContent = "no queen attacks another";
    }
    byId("queens-placed").textContent =
      `${a.placed.length + (this.settings.forced === "place" ? a.forced.length : 0)} / ${a.n}`;
    byId("valid-count").textContent = a.complete ? "–" : thousands(a.valid.length);
    byId("forced-count").textContent = this.settings.forced === "off" || a.complete ? "–" : String(a.forced.length);
    const heat = byId<HTMLInputElement>("heat");
    heat.disabled = a.n > counted;
    byId("heat-note").textContent = a.n > counted ? `cells have no room for numbers beyond n = ${counted}` : "";
    const e = a.engine;
    const work = worked(Object.assign({ nodes: 0 }, e.work, { nodes: e.nodes ?? 0 }));
    const travel = duration(Math.max(0, roundTrip - e.seconds));
    byId("engine-line").replaceChildren(
      html("b", {}, e.nodes ? `${e.name}, ${e.order}` : e.name),
      ` answered in ${duration(e.seconds)}; the round trip took ${travel} more.`,
      e.compile ? ` The diagram was compiled once, in ${duration(e.compile)}.` : "",
      work.length ? ` ${work.join(", ")}.` : "");
    document.body.classList.toggle("complete", a.complete);
    byId<HTMLButtonElement>("undo").disabled = !this.history.canUndo;
    byId<HTMLButtonElement>("redo").disabled = !this.history.canRedo;
    byId<HTMLButtonElement>("clear").disabled = a.placed.length + a.blocked.length === 0;
  }

  /** titleOf returns a back-end's display name. */
  private titleOf(name: string): string { return this.about.backends.find((b) => b.name === name)?.title ?? name; }

  private say(text: string): void { byId("live").textContent = text; }
  /** fail shows what went wrong; stale means that the board shown is not the one asked for. */
  private fail(err: unknown, stale = false): void {
    if ((err as Error).name === "AbortError") return;
    const again = { label: "Try again", act: () => void this.retry() };
    this.banner.show(explainFailure(err), stale || err instanceof TypeError, again);
  }
  private async retry(): Promise<void> {
    if (!this.about.orders.length) return location.reload();
    await this.refresh();
  }

  // ---- controls

  private openTab(tab: string, show: boolean): void {
    if (this.settings.tab !== tab) this.panels[this.settings.tab]?.leave();
    const changed = this.settings.tab !== tab;
    this.settings.tab = tab;
    document.body.dataset["tab"] = tab;
    for (const t of tabs) {
      const on = t === tab;
      byId(`tab-${t}`).setAttribute("aria-selected", String(on));
      byId(`tab-${t}`).setAttribute("tabindex", on ? "0" : "-1");
      byId(`panel-${t}`).hidden = !on;
    }
    if (!show || !changed) return;
    this.pinned = null;
    history.replaceState(null, "", this.link());
    document.body.setAttribute("data-shown", this.link());
    this.render();
    this.refreshPanel();
  }

  private controls(): void {
    const on = (id: string, act: () => void): void => byId(id).addEventListener("click", act);
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("clear", () => this.clear());
    on("smaller", () => this.resize(this.history.present.n - 1));
    on("larger", () => this.resize(this.history.present.n + 1));
    on("copy", () => void navigator.clipboard?.writeText(location.href).then(() => this.say("Link copied."),
      () => this.say("Copy the link from the address bar.")));
    on("stage-board", () => this.stage("board"));
    on("stage-panel", () => this.stage("panel"));
    on("stage-close", () => this.stage(null));
    on("zoom-in", () => this.board.viewport.zoom(1.5));
    on("zoom-out", () => this.board.viewport.zoom(1 / 1.5));
    on("zoom-all", () => this.board.viewport.home());
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
    byId("board-saves").append(saveButtons("board", () => this.board.picture()));
    const size = byId<HTMLInputElement>("size");
    size.addEventListener("change", () => this.resize(Number(size.value)));
    for (const key of ["backend", "order", "forced"] as const) {
      const select = byId<HTMLSelectElement>(key);
      select.addEventListener("change", () => this.set(key, select.value as Mode));
    }
    const heat = byId<HTMLInputElement>("heat");
    heat.addEventListener("change", () => {
      this.settings.heat = heat.checked;
      history.replaceState(null, "", this.link());
      this.render();
    });
    for (const tab of tabs) on(`tab-${tab}`, () => this.openTab(tab, true));
    byId("tabs").addEventListener("keydown", (e) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[(e as KeyboardEvent).key];
      if (!step) return;
      const next = tabs[(tabs.indexOf(this.settings.tab) + step + tabs.length) % tabs.length]!;
      this.openTab(next, true);
      byId(`tab-${next}`).focus();
    });
    document.addEventListener("keydown", (e) => this.key(e));
  }

  /** stage fills the window with the board or the open panel; null ends that. */
  private stage(what: "board" | "panel" | null): void {
    const root = document.body;
    if (what === null || root.dataset["stage"] === what) delete root.dataset["stage"];
    else root.dataset["stage"] = what;
    const on = root.dataset["stage"] !== undefined;
    byId("stage-close").hidden = !on;
    if (!on) this.board.viewport.home();
    this.board.repaint();
  }

  /** inView is what the zoom keys act on: the open panel's picture while it fills the window, else the board. */
  private get inView(): Viewport {
    const panel = document.body.dataset["stage"] === "panel" ? this.panels[this.settings.tab] : undefined;
    return panel?.viewport ?? this.board.viewport;
  }

  private key(e: KeyboardEvent): void {
    const typing = (e.target as Element).closest?.("input, select, dialog");
    if (e.key === "Escape" && !(e.target as Element).closest?.("dialog") && document.body.dataset["stage"]) {
      this.stage(null);
      return;
    }
    if (e.key === "Escape" && (this.pinned || this.why.holding)) { this.unpin(); return; }
    if (typing) return;
    if ((e.ctrlKey || e.metaKey) && !e.altKey) {
      if (e.key === "z" && !e.shiftKey) { e.preventDefault(); this.undo(); }
      if (e.key === "y" || (e.key.toLowerCase() === "z" && e.shiftKey)) { e.preventDefault(); this.redo(); }
      return;
    }
    const keys: Record<string, () => void> = {
      u: () => this.undo(), r: () => this.redo(), c: () => this.clear(),
      e: () => { this.openTab("why", true); void this.explain(this.board.focused, true); },
      h: () => byId("heat").click(),
      p: () => byId("projector").click(),
      f: () => this.stage("panel"), b: () => this.stage("board"),
      z: () => this.inView.zoom(1.5), Z: () => this.inView.zoom(1 / 1.5), "0": () => this.inView.home(),
      "?": () => byId<HTMLDialogElement>("help-dialog").showModal(),
      "+": () => this.resize(this.history.present.n + 1),
      "-": () => this.resize(this.history.present.n - 1),
    };
    if (!e.altKey && this.why.press(e.key)) return e.preventDefault();
    const act = keys[e.key];
    if (act && !e.altKey) { e.preventDefault(); act(); }
  }

  /** orders returns the variable orders that exist for the board's size. */
  private orders(): Order[] {
    return this.about.orders.filter((o) => (o.n ?? this.history.present.n) === this.history.present.n);
  }

  /** heed replaces a back-end or an order that does not exist for this board, and says so. */
  private heed(): void {
    const { order, backend } = this.settings;
    const kind = (name: string): string => name.split(":")[0]!; // random:7 is the same kind as random:1
    const lost: string[] = [];
    if (this.about.orders.length && !this.orders().some((o) => kind(o.name) === kind(order))) {
      this.settings.order = defaults.order;
      lost.push(`There is no order ${order} for n = ${this.history.present.n}: ${defaults.order} is used instead.`);
    }
    if (backend && this.about.backends.length && !this.about.backends.some((b) => b.name === backend)) {
      this.settings.backend = defaults.backend;
      lost.push(`There is no back-end ${backend}: the best one for this n is used instead.`);
    }
    if (lost.length) this.banner.show(lost.join(" "), false);
  }

  private syncControls(): void {
    if (this.about.orders.length) byId("order").replaceChildren(...this.orders().map((o) =>
      html("option", { value: o.name, title: o.reason }, o.name)));
    byId<HTMLInputElement>("size").value = String(this.history.present.n);
    byId<HTMLSelectElement>("backend").value = this.settings.backend;
    byId<HTMLSelectElement>("order").value = this.settings.order;
    byId<HTMLSelectElement>("forced").value = this.settings.forced;
    byId<HTMLInputElement>("heat").checked = this.settings.heat;
  }

  /** theme sets up the theme (system, light or dark) and projector mode, and remembers both. */
  private theme(): void {
    const root = document.documentElement;
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.board.recolour());
    const next: Record<string, string> = { auto: "light", light: "dark", dark: "auto" };
    const names: Record<string, string> = { auto: "Theme: system", light: "Theme: light", dark: "Theme: dark" };
    const show = (theme: string): void => {
      root.setAttribute("data-theme", theme);
      this.board.recolour();
      byId("theme").textContent = names[theme] ?? "";
    };
    show(remembered("theme") ?? "auto");
    byId("theme").addEventListener("click", () => {
      const theme = next[root.getAttribute("data-theme") ?? "auto"] ?? "auto";
      show(theme);
      remember("theme", theme);
    });
    const projector = (on: boolean): void => {
      root.toggleAttribute("data-projector", on);
      byId("projector").setAttribute("aria-pressed", String(on));
      this.board.repaint();
    };
    projector(remembered("projector") === "1");
    byId("projector").addEventListener("click", () => {
      const on = !root.hasAttribute("data-projector");
      projector(on);
      remember("projector", on ? "1" : "0");
    });
  }
}

try {
  void new App().start();
} catch (err) {
  new Banner().show(explainFailure(err), true);
}

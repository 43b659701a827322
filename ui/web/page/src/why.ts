// Why a cell can or cannot hold a queen: a sentence and, for longer arguments, a player that shows one board at a
// time and ends with the queens to blame.
import type { Page } from "./panels";
import type { BoardAnswer, Reason, Refused, Walk } from "./api";
import { attacks, parse } from "./cells";
import { button, html } from "./dom";
import { Player, speed } from "./player";

const headings: Record<string, string> = { queen: "holds a queen", blocked: "blocked", valid: "valid" };

/** Levels of help, as in HoDoKu: where to look, the line, the whole proof. */
type Level = "hint" | "line" | "proof";

export class WhyPanel {
  private walk: Walk | null = null; // the one that is held
  private player: Player | null = null;
  private level: Level = "proof";
  constructor(private host: HTMLElement, private c: Page) {}

  /** idle shows what the panel is for, and why a board was refused or, if these are shown, the forced cells with their
      reasons. */
  idle(a: BoardAnswer | null, forced: boolean): void {
    this.end();
    const nodes: Node[] = [], walk = a?.refused?.explanation;
    if (a?.refused) {
      nodes.push(html("p", { class: "refused", role: "alert" }, `${capital(a.refused.text)}.`),
        this.takeBack(toTakeBack(a, a.refused)));
      if (walk && walk.frames.length > 1) nodes.push(html("div", { class: "row" },
        button("Go through it step by step", () => this.hold(walk), { id: "refused-why" })));
    }
    if (a && forced && a.reasons.length) {
      const show = (r: Reason) => () => this.c.board.reason(r.cell, r.cells);
      nodes.push(html("h2", {}, a.reasons.length === 1 ? "One forced queen" : `${a.reasons.length} forced queens`),
        html("ol", { class: "steps", id: "reasons" }, ...a.reasons.slice(0, 60).map((r) => html("li", {},
          button(`${capital(r.text)}.`, show(r), { class: "step-button", pointerenter: show(r), focus: show(r),
            pointerleave: () => this.c.board.explain(null) })))));
    }
    if (!a?.refused) nodes.push(html("p", { class: "hint" }, touched()
      ? "Tap a cell that cannot hold a queen to see why, step by step."
      : "Point at a cell to see why it can or cannot hold a queen. Click one that cannot to go through the argument " +
        "step by step."));
    this.host.replaceChildren(...nodes);
    this.c.board.explain(walk ?? null);
  }

  /** end forgets the walk. */
  end(): void {
    this.player?.stop();
    this.walk = this.player = null;
    document.body.classList.remove("holding");
  }

  /** peek explains the cell under the pointer, in a sentence. */
  peek(w: Walk): void {
    this.end();
    const nodes: Node[] = [this.heading(w), html("p", { id: "why-text" }, w.text)];
    if (w.frames.length > 1) nodes.push(html("p", { class: "hint" },
      `Click the cell (or press e) to go through it in ${w.frames.length} steps.`));
    this.host.replaceChildren(...nodes);
    this.c.board.explain(w);
  }

  /** hold keeps a walk and opens its player. */
  hold(w: Walk): void {
    this.end();
    this.walk = w;
    this.player = new Player(w.frames.length, () => this.draw());
    document.body.classList.add("holding");
    this.draw();
  }

  get holding(): boolean { return this.walk !== null; }

  /** press handles a key of the player, and reports whether it was used. */
  press(key: string): boolean {
    const player = this.player;
    if (!player || player.length < 2 || !"[].".includes(key)) return false;
    this.setLevel("proof");
    if (key === ".") player.toggle();
    else if (key === "]") player.next();
    else player.back();
    return true;
  }

  private setLevel(level: Level): void {
    if (this.level === level) return;
    this.level = level;
    this.player?.stop();
    this.draw();
  }

  private heading(w: Walk): Node {
    return html("h2", {}, html("span", { class: `cell-name ${w.valid ? "good" : "bad"}` }, w.cell), " ",
      html("span", { id: "technique" }, w.technique || headings[w.verdict] || w.verdict));
  }

  private draw(): void {
    const w = this.walk;
    const player = this.player;
    if (!w || !player) return;
    const focused = this.host.contains(document.activeElement) ? document.activeElement?.id : "";
    const close = button("✕", () => this.c.unpin(), { id: "why-close", class: "small",
      "aria-label": "Close the explanation", title: "Close (Esc)" });
    const nodes: Node[] = [html("div", { class: "row why-head" }, this.heading(w), close)];
    if (w.frames.length < 2) {
      nodes.push(html("p", { id: "why-text" }, w.text));
      if (!w.valid) nodes.push(this.takeBack(w.take_back));
      this.c.board.explain(w);
    } else {
      const levels: [Level, string][] = [["hint", "Hint"], ["line", "The line"], ["proof", "The whole proof"]];
      nodes.push(html("div", { class: "row segmented", role: "group", "aria-label": "How much to show" },
        ...levels.map(([level, label]) => button(label, () => this.setLevel(level),
          { id: `level-${level}`, "aria-pressed": String(this.level === level) }))));
      if (this.level === "proof") nodes.push(...this.proof(w, player));
      else if (this.level === "line" && w.line) {
        nodes.push(html("p", { id: "why-text" }, w.line.text));
        this.c.board.line(w);
      } else {
        nodes.push(html("p", { id: "why-text" }, w.hint));
        this.c.board.explain({ ...w, frames: [], blame: [], attacked_by: [] });
      }
    }
    this.host.replaceChildren(...nodes);
    if (focused) document.getElementById(focused)?.focus();
    const now = this.host.querySelector<HTMLElement>("#why-steps li.now");
    const list = now?.parentElement;
    if (now && list) list.scrollTop =
      Math.max(0, now.offsetTop - list.offsetTop - (list.clientHeight - now.clientHeight) / 2);
  }

  private proof(w: Walk, player: Player): Node[] {
    const frame = w.frames[player.at]!;
    this.c.board.explain(w, frame);
    return [
      html("div", { class: "row playing" },
        button("Back", () => player.back(), { id: "step-back", disabled: player.at === 0, title: "Key: [" }),
        button(player.playing ? "Pause" : "Play", () => player.toggle(), { id: "step-play", class: "primary",
          title: "Key: ." }),
        button("Next", () => player.next(), { id: "step-next", disabled: player.atEnd, title: "Key: ]" }), speed(),
        html("span", { class: "number", id: "step-count" }, `${player.at + 1} of ${player.length}`)),
      html("p", { id: "why-text", class: `step-text ${frame.kind}`, role: "status" }, frame.text),
      this.takeBack(player.atEnd ? w.take_back : []), // above the steps, where it is in sight
      html("ol", { class: "steps numbered", id: "why-steps" }, ...w.frames.map((f, i) =>
        html("li", { class: `${i === player.at ? "now" : ""} ${f.number.includes(".") ? "inner" : ""}` },
          html("span", { class: "step-number" }, f.number),
          button(f.text, () => player.go(i), { class: `step-button ${f.kind}`, id: `step-${i + 1}`,
            "aria-current": i === player.at ? "step" : undefined })))),
    ];
  }

  private takeBack(blame: string[]): Node {
    if (!blame.length) return html("span");
    return html("div", { class: "row" }, html("span", { class: "blame-label" },
      blame.length === 1 ? "To blame:" : "To blame, together:"), ...blame.map((cell) => button(`Take back ${cell}`,
      () => this.c.takeBack(cell), { class: "blame-button", "data-blame": cell })));
  }
}

/** toTakeBack lists what to take back from a placement without a completion. */
function toTakeBack(a: BoardAnswer, refused: Refused): string[] {
  const cell = refused.action.split(" ")[1]!, c = parse(cell)!;
  return [...new Set([cell, ...refused.explanation?.take_back ?? [], ...a.placed.filter((q) => attacks(parse(q)!, c))])]
    .filter((q) => a.placed.includes(q) || a.blocked.includes(q));
}

/** touched reports whether fingers are the only pointers. */
export const touched = (): boolean => matchMedia("(pointer: coarse)").matches;

/** capital returns a text with its first letter in upper case, unless it begins with a cell's name. */
export function capital(text: string): string {
  return /^[a-z]+[0-9]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

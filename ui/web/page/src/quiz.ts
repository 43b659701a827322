// The Questions panel: questions for a class, by kind, difficulty and seed.
import type { Quiz } from "./api";
import { button, byId, html, select } from "./dom";
import type { Page, Panel } from "./panels";

const kinds: [string, string][] = [["queen", "Which queen must go?"], ["forced", "Which cell must hold a queen?"],
  ["cell", "Which cell can hold a queen?"]];
const levels: [string, string][] = [["easy", "easy"], ["medium", "medium"], ["hard", "hard"]];

/** asked reads a question's kind, level and seed from a link: queen-hard-7. */
export function asked(text: string): { kind: string; level: string; seed: number } {
  const [kind, level, seed] = text.split("-");
  const of = (word: string | undefined, list: [string, string][]): string =>
    (list.find(([name]) => name === word) ?? list[0]!)[0];
  const number = Number(seed);
  return { kind: of(kind, kinds), level: of(level, levels),
    seed: Number.isSafeInteger(number) && number > 0 ? number : 1 };
}

/** about says in a sentence which board a question shows. */
export function about(quiz: Quiz, kind: string): string {
  return `The question's board: ${quiz.queens.length} of ${quiz.n} queens, ` +
    `${kind === "queen" ? "no" : "at least one"} completion.`;
}

export class QuizPanel implements Panel {
  private quiz: Quiz | null = null;
  private body = html("div", { id: "quiz-body" });
  constructor(private host: HTMLElement, private c: Page) {}

  async refresh(signal: AbortSignal): Promise<void> {
    const now = this.c.question();
    const { kind, level, seed } = asked(now);
    const ask = (k: string, l: string, s: number): void => {
      this.c.question(`${k}-${l}-${s}`);
      this.c.refreshPanel();
    };
    const number = html("input", { type: "number", min: 1, value: seed, id: "quiz-seed", "aria-label": "Seed",
      change: () => ask(kind, level, Number(number.value)) });
    this.host.replaceChildren(
      html("div", { class: "row" },
        select("Question", kinds, kind, (v) => ask(v, level, seed), { id: "quiz-kind" }),
        select("Difficulty", levels, level, (v) => ask(kind, v, seed), { id: "quiz-level" }),
        html("label", { class: "field" }, "Seed ", number),
        button("Next question", () => ask(kind, level, seed + 1), { id: "quiz-next", class: "primary" })),
      this.body);
    this.body.replaceChildren();
    this.quiz = null;
    const n = Math.max(6, Math.min(12, this.c.state.n));
    const quiz = await this.c.api.call("quiz", { n, kind, level, seed }, signal);
    if (this.c.question() !== now) return; // another has been asked meanwhile
    this.quiz = quiz;
    this.c.board.question(quiz, [], (cell) => this.answer(cell));
    document.body.dataset["other"] = kind; // the summary is about this board, not about the person's
    byId("other-board").textContent = about(quiz, kind);
    this.body.replaceChildren(html("p", { class: "question", id: "quiz-text" }, quiz.text),
      html("p", { class: "hint" }, "Click the cell on the board."),
      button("Show the answer", () => this.answer(quiz.answers[0]!, true), { id: "quiz-show" }));
  }

  /** whyNot returns what is wrong with an answer. */
  private async whyNot(quiz: Quiz, cell: string): Promise<string> {
    const board = { ...this.c.body(), n: quiz.n, blocked: [], backend: "" };
    try {
      if (quiz.queens.includes(cell)) {
        const rest = quiz.queens.filter((q) => q !== cell);
        const left = await this.c.api.call("board", { ...board, placed: rest, counts: false });
        return left.satisfiable && !left.refused ? "" : "Without this queen there is still no completion.";
      }
      const { valid, text } = await this.c.api.call("explain", { ...board, placed: quiz.placed, cell });
      return valid ? "It can hold a queen, but need not: there is a completion without one." : text;
    } catch (err) {
      this.c.fail(err);
      return "";
    }
  }

  leave(): void {
    if (!this.quiz) return;
    this.quiz = null;
    delete document.body.dataset["other"];
    this.c.board.question(null, []);
    this.c.render();
  }

  /** answer judges a cell, or tells the answer if it was asked for. */
  private answer(cell: string, told = false): void {
    const quiz = this.quiz!;
    const right = quiz.answers.includes(cell);
    const choices = quiz.choices.length ? quiz.choices : null;
    if (!right && (choices ? !choices.includes(cell) : quiz.queens.includes(cell))) return; // not in question
    this.c.board.question(quiz, right ? quiz.answers : [], (c) => this.answer(c), right ? undefined : cell);
    const text = html("p", { class: right ? "verdict good" : "verdict bad", role: "status", id: "quiz-verdict" },
      !right ? `Not ${cell}.` : `${told ? `The answer is ${cell}.` : `${cell} is right.`} ${quiz.reason}`);
    this.body.querySelectorAll("#quiz-verdict, #quiz-why").forEach((e) => e.remove());
    this.body.append(text);
    if (!right) void this.whyNot(quiz, cell).then((why) => { if (text.isConnected) text.append(` ${why}`); });
    if (right) this.body.append(html("p", { class: "row", id: "quiz-why" }, html("a", { class: "sample",
      href: `#n=${quiz.n}&q=${quiz.placed.join(",")}&why=${quiz.cell}` }, `Look at ${quiz.cell} on the board`)));
  }
}

// Pseudocode beside an animation: it marks the current lines, and says in a sentence what they did.
import { html } from "./dom";

export class Lesson {
  readonly element: HTMLElement;
  private lines: HTMLElement[];
  private text = html("p", { class: "number lesson-text", role: "status" });
  constructor(name: string, code: string[]) {
    this.lines = code.map((line) => html("li", { class: line.startsWith("  ") ? "inner" : "" }, line.trim()));
    this.element = html("div", { class: "lesson", id: `${name}-lesson` }, this.text, html("ol", {}, ...this.lines));
  }
  /** at marks lines by number, from 0. */
  at(lines: number[], text: string): void {
    this.lines.forEach((line, i) => line.classList.toggle("now", lines.includes(i)));
    this.text.textContent = text;
  }
}

// A player of frames, and the speed of all animations.
import { remember, remembered, select } from "./dom";

export const pace = 1900; // milliseconds per frame of an explanation, at normal speed

let factor = Number(remembered("speed")) || 1;

/** paced converts a time at normal speed to the chosen speed. */
export function paced(milliseconds: number): number { return milliseconds * factor; }

/** speed is the speed control, shared by all animations. */
export function speed(): HTMLSelectElement {
  return select("Speed", [["2.5", "slow"], ["1", "normal"], ["0.35", "fast"]], String(factor), (v) => {
    factor = Number(v);
    remember("speed", v);
  }, { class: "speed" });
}

export class Player {
  private index = 0;
  private timer = 0;
  /** changed is called when another frame is to be shown, and when playing starts or ends;
      wait is how long a frame is shown at normal speed, in milliseconds. */
  constructor(readonly length: number, private changed: () => void, private wait = pace) {}

  get at(): number { return this.index; }
  get playing(): boolean { return this.timer !== 0; }
  get atEnd(): boolean { return this.index >= this.length - 1; }

  go(index: number): void {
    this.stop();
    this.show(index);
  }
  next(): void { this.go(this.index + 1); }
  back(): void { this.go(this.index - 1); }

  /** toggle pauses or resumes; after the last frame it plays from the first. */
  toggle(): void {
    if (this.playing) return this.stop();
    if (this.atEnd) this.index = 0;
    this.start();
    this.changed();
  }
  stop(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.changed();
  }
  private tick(): void {
    this.index = Math.min(this.index + 1, this.length - 1);
    if (this.atEnd) return this.stop();
    this.start();
    this.changed();
  }
  private start(): void { this.timer = setTimeout(() => this.tick(), paced(this.wait)) as unknown as number; }
  private show(index: number): void {
    this.index = Math.max(0, Math.min(index, this.length - 1));
    this.changed();
  }
}

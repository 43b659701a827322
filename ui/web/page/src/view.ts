// Zooming and panning a picture by its view box.

export interface Box { x: number; y: number; w: number; h: number }

/** zoomed returns the box seen after zooming by a factor around a point, never more
    than the whole and never less than a fortieth of it. */
export function zoomed(whole: Box, seen: Box, factor: number, at: { x: number; y: number }): Box {
  const w = Math.min(whole.w, Math.max(whole.w / 40, seen.w / factor));
  const k = w / seen.w;
  return held(whole, { x: at.x - (at.x - seen.x) * k, y: at.y - (at.y - seen.y) * k, w, h: seen.h * k });
}

/** panned returns the box moved, but not beyond the whole. */
export function panned(whole: Box, seen: Box, dx: number, dy: number): Box {
  return held(whole, { ...seen, x: seen.x + dx, y: seen.y + dy });
}

function held(whole: Box, b: Box): Box {
  const w = Math.min(b.w, whole.w), h = Math.min(b.h, whole.h);
  return { w, h, x: Math.max(whole.x, Math.min(b.x, whole.x + whole.w - w)), y: Math.max(whole.y,
    Math.min(b.y, whole.y + whole.h - h)) };
}

/** Viewport lets a person zoom and pan an SVG: with the wheel (with Ctrl, or when the
    picture fills the window), by dragging once zoomed, with two fingers, and with keys and
    buttons that the caller sets up. */
export class Viewport {
  private whole: Box = { x: 0, y: 0, w: 1, h: 1 };
  private seen: Box = this.whole;
  private pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;

  constructor(private svg: SVGSVGElement, private greedy: () => boolean, private changed: (seen: Box) => void = () =>
    {}) {
    svg.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !this.greedy() && !this.isZoomed) return;
      e.preventDefault();
      this.zoomAt(Math.exp(-e.deltaY / 400), e.clientX, e.clientY);
    }, { passive: false });
    svg.addEventListener("pointerdown", (e) => {
      this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
      if (this.pointers.size === 1) this.moved = 0;
    });
    svg.addEventListener("pointermove", (e) => this.move(e));
    for (const end of ["pointerup", "pointercancel", "pointerleave"] as const) svg.addEventListener(end,
      (e) => this.pointers.delete(e.pointerId));
    svg.addEventListener("click", (e) => {
      if (this.moved > 8) { e.stopImmediatePropagation(); e.preventDefault(); }
      this.moved = 0;
    }, { capture: true });
  }

  /** reset shows all of a picture. */
  reset(whole: Box): void {
    this.whole = whole;
    this.show(whole);
  }
  home(): void { this.show(this.whole); }
  get isZoomed(): boolean { return this.seen.w < this.whole.w * 0.999; }
  /** zoom zooms around a point of the window, by default the picture's middle. */
  zoom(factor: number, at?: { x: number; y: number }): void {
    const r = this.svg.getBoundingClientRect();
    this.zoomAt(factor, at?.x ?? r.x + r.width / 2, at?.y ?? r.y + r.height / 2);
  }
  /** reveal moves the box so that a square is in it. */
  reveal(x: number, y: number, size: number): void {
    if (!this.isZoomed) return;
    const s = this.seen;
    const dx = x < s.x ? x - s.x : x + size > s.x + s.w ? x + size - s.x - s.w : 0;
    const dy = y < s.y ? y - s.y : y + size > s.y + s.h ? y + size - s.y - s.h : 0;
    if (dx || dy) this.show(panned(this.whole, s, dx, dy));
  }
  get box(): Box { return this.seen; }

  /** toPicture converts window coordinates to coordinates of the picture. */
  toPicture(clientX: number, clientY: number): { x: number; y: number } {
    const m = this.svg.getScreenCTM();
    if (!m) return { x: 0, y: 0 };
    const p = new DOMPoint(clientX, clientY).matrixTransform(m.inverse());
    return { x: p.x, y: p.y };
  }

  private move(e: PointerEvent): void {
    const last = this.pointers.get(e.pointerId);
    if (!last) return;
    const others = [...this.pointers.entries()].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    const other = others[0];
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y), now = Math.hypot(e.clientX - other.x,
        e.clientY - other.y);
      this.moved += 20;
      if (before > 0) this.zoomAt(now / before, (e.clientX + other.x) / 2, (e.clientY + other.y) / 2);
      return;
    }
    if (!this.isZoomed || e.buttons === 0) return;
    this.moved += Math.hypot(e.clientX - last.x, e.clientY - last.y);
    if (this.moved < 6) return;
    const from = this.toPicture(last.x, last.y), to = this.toPicture(e.clientX, e.clientY);
    this.show(panned(this.whole, this.seen, from.x - to.x, from.y - to.y));
  }
  private zoomAt(factor: number, clientX: number, clientY: number): void {
    this.show(zoomed(this.whole, this.seen, factor, this.toPicture(clientX, clientY)));
  }
  private show(b: Box): void {
    this.seen = b;
    this.svg.setAttribute("viewBox", `${b.x} ${b.y} ${b.w} ${b.h}`);
    this.svg.classList.toggle("zoomed", this.isZoomed);
    this.changed(b);
  }
}

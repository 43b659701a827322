// Long presses, which do what a right click does, and dragging.

const long = 500; // milliseconds, about what phones take for a long press
const still = 10; // pixels that a resting finger may move

/**
 * onHold calls act once per touch when a finger rests on a cell, and on a right click.
 * For a long press, some browsers send a contextmenu event, some a click, some both and
 * some neither; all of these count as the same press. Call onHold before adding other
 * click listeners: they are not told of the click that ends a long press.
 */
export function onHold(element: SVGElement, cellOf: (e: Event) => string | null, act: (cell: string) => void): void {
  let timer = 0;
  let from: PointerEvent | null = null; // the touch that is down
  let held = false; // act has been called for this touch or the one before
  const rest = (): void => { window.clearTimeout(timer); };
  const hold = (cell: string): void => {
    rest();
    held = true;
    act(cell);
  };
  element.addEventListener("pointerdown", (e) => {
    rest();
    held = false;
    from = null;
    if (e.pointerType !== "touch" || !e.isPrimary) return; // a second finger: a pinch
    const cell = cellOf(e);
    if (!cell) return;
    from = e;
    timer = window.setTimeout(() => hold(cell), long);
  });
  element.addEventListener("pointermove", (e) => {
    if (from && e.pointerId === from.pointerId && Math.hypot(e.clientX - from.clientX,
      e.clientY - from.clientY) > still) rest();
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    element.addEventListener(end, () => { rest(); from = null; });
  }
  element.addEventListener("contextmenu", (e) => {
    const cell = cellOf(e);
    if (!cell) return;
    e.preventDefault();
    if (!held) hold(cell);
    if (!from) held = false; // a mouse: its next right click is a new one
  });
  element.addEventListener("click", (e) => {
    if (held && e.detail > 0) e.stopImmediatePropagation(); // 0: made by a program, such as a screen reader
    held = false;
  });
}

/**
 * onDrag calls drop with the element over which a dragged element is released. It uses
 * pointer events: the browser's own drag and drop does not work with fingers, nor with
 * buttons in Firefox.
 */
export function onDrag(element: HTMLElement, drop: (over: Element | null) => void): void {
  let from: PointerEvent | null = null;
  let dragged = false;
  element.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    [from, dragged] = [e, false];
    element.setPointerCapture(e.pointerId);
  });
  element.addEventListener("pointermove", (e) => {
    if (!from) return;
    const [dx, dy] = [e.clientX - from.clientX, e.clientY - from.clientY];
    dragged ||= Math.hypot(dx, dy) > still;
    if (dragged) element.style.transform = `translate(${dx}px, ${dy}px)`;
    element.classList.toggle("dragged", dragged);
  });
  const end = (e: PointerEvent): void => {
    const off = from && dragged && e.type === "pointerup";
    from = null;
    element.style.transform = "";
    element.classList.remove("dragged");
    if (off) drop(document.elementFromPoint(e.clientX, e.clientY));
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("click", (e) => {
    if (dragged) e.stopImmediatePropagation();
    dragged = false;
  }, { capture: true });
}

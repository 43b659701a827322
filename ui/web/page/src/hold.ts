// A finger held on a cell: what the right button is to a mouse. And dragging.

const long = 500; // milliseconds, about what phones take for a long press
const still = 10; // pixels that a resting finger may move

/**
 * onHold calls act when a finger rests on a cell, once a touch, and at a right click.
 * Browsers differ in whether they make a contextmenu event, a click, both or neither
 * of a long touch; whichever comes is taken for the same one. It must be set up before
 * other listeners to clicks, which do not hear of the click that ends a held touch.
 */
export function onHold(element: Element, cellOf: (e: Event) => string | null, act: (cell: string) => void): void {
  let timer = 0;
  let from: PointerEvent | null = null; // the touch that is down
  let held = false; // it has been acted on, or the one before has
  const rest = (): void => { window.clearTimeout(timer); };
  const hold = (cell: string): void => {
    rest();
    held = true;
    act(cell);
  };
  element.addEventListener("pointerdown", (event) => {
    const e = event as PointerEvent;
    rest();
    held = false;
    from = null;
    if (e.pointerType !== "touch" || !e.isPrimary) return; // a second finger: a pinch
    const cell = cellOf(e);
    if (!cell) return;
    from = e;
    timer = window.setTimeout(() => hold(cell), long);
  });
  element.addEventListener("pointermove", (event) => {
    const e = event as PointerEvent;
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
    if (!from) held = false; // a mouse: its next right click is another
  });
  element.addEventListener("click", (event) => {
    const e = event as MouseEvent;
    if (held && e.detail > 0) e.stopImmediatePropagation(); // 0: made by a program, such as a screen reader
    held = false;
  });
}

/**
 * onDrag calls drop with what an element is let go over, when it was dragged off itself. It
 * is made of pointer events: the browser's own dragging knows no fingers, and Firefox's no
 * buttons.
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

// Saving pictures and texts as files.
import { button, html, svg } from "./dom";

/** kept lists the style properties that a picture needs outside the page. */
const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin",
  "opacity", "font-size", "font-weight", "font-family", "text-anchor", "visibility", "paint-order"];

/** standalone returns a copy of a picture with its styles as attributes, on the card's background. */
export function standalone(picture: SVGSVGElement): SVGSVGElement {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const from = [picture, ...picture.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((e, i) => {
    const looks = getComputedStyle(e);
    const target = to[i]!;
    for (const name of kept) {
      const value = looks.getPropertyValue(name);
      if (value) target.setAttribute(name, value);
    }
    if (looks.transform !== "none" && e.style.transform) target.setAttribute("transform", looks.transform);
    target.removeAttribute("class");
    target.removeAttribute("style");
    for (const a of [...target.attributes]) {
      if (/^(aria-|data-|role|tabindex|id$)/.test(a.name)) target.removeAttribute(a.name);
    }
  });
  if (picture.dataset["whole"]) copy.setAttribute("viewBox", picture.dataset["whole"]); // however it is zoomed
  const box = copy.viewBox.baseVal;
  const scale = Math.max(1200, Math.min(box.width, 2400)) / Math.max(1, box.width); // pixels: enough to be sharp
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(box.width * scale)));
  copy.setAttribute("height", String(Math.round(box.height * scale)));
  const card = getComputedStyle(document.documentElement).getPropertyValue("--card").trim() || "#fff";
  copy.prepend(svg("rect", { x: box.x, y: box.y, width: box.width, height: box.height, fill: card }));
  return copy;
}

export function saveText(name: string, text: string, type = "text/plain"): void {
  save(name, new Blob([text], { type }));
}

function save(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const a = html("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** asText returns a picture as SVG. To compute its styles, it puts a picture on the page, out of sight, if need be. */
function asText(picture: SVGSVGElement): string {
  const away = !picture.isConnected;
  if (away) document.body.append(html("div", { class: "offstage" }, picture));
  const text = new XMLSerializer().serializeToString(standalone(picture));
  if (away) picture.parentElement!.remove();
  return text;
}

function saveSVG(name: string, text: string): void { saveText(`${name}.svg`, text, "image/svg+xml"); }

async function savePNG(name: string, text: string): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = html("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d")!.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) save(`${name}.png`, blob);
}

/** saver returns a button that saves something as a kind of file. */
export function saver(label: string, what: string, kind: string, act: () => void, disabled = false): HTMLElement {
  return button(label, act,
    { class: "small", "data-save": `${what}-${kind}`, "aria-label": `Save the ${what} as ${label}`, disabled });
}

/** figure returns a picture with buttons to save it. */
export function figure(name: string, picture: SVGSVGElement, ...more: Node[]): HTMLElement {
  return html("div", { class: "figure" }, picture, saveButtons(name, () => picture, ...more));
}

/** saveButtons offers a picture as SVG and PNG. */
export function saveButtons(name: string, picture: () => SVGSVGElement | null, ...more: Node[]): HTMLElement {
  const as = (label: string, write: (name: string, text: string) => unknown): HTMLElement =>
    saver(label, name, label.toLowerCase(), () => {
      const p = picture();
      if (p) void write(name, asText(p));
    });
  return savers(as("SVG", saveSVG), as("PNG", savePNG), ...more);
}

/** savers puts buttons that save something in a row. */
export function savers(...buttons: Node[]): HTMLElement {
  return html("div", { class: "row saves" }, html("span", { class: "hint" }, "Save as"), ...buttons);
}

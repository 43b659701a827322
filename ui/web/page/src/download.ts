// Pictures and texts as files.
import { button, html } from "./dom";

/** kept are the looks that a picture needs outside the page's style sheet. */
const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin",
  "opacity", "font-size", "font-weight", "font-family", "text-anchor", "visibility", "paint-order"];

/** standalone is a picture with its looks as attributes, on the card's background. */
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
  const box = picture.viewBox.baseVal;
  const scale = Math.max(1, 1200 / Math.max(1, box.width));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(box.width * scale)));
  copy.setAttribute("height", String(Math.round(box.height * scale)));
  const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["x", box.x], ["y", box.y], ["width", box.width],
    ["height", box.height]] as const) back.setAttribute(name, String(value));
  back.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--card").trim() || "#fff");
  copy.prepend(back);
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

const asText = (picture: SVGSVGElement): string => new XMLSerializer().serializeToString(standalone(picture));

export function saveSVG(name: string, picture: SVGSVGElement): void {
  saveText(`${name}.svg`, asText(picture), "image/svg+xml");
}

export async function savePNG(name: string, picture: SVGSVGElement): Promise<void> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asText(picture))}`;
  await image.decode();
  const canvas = html("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d")!.drawImage(image, 0, 0);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) save(`${name}.png`, blob);
}

/** saveButtons offers a picture as SVG and PNG. */
export function saveButtons(name: string, picture: () => SVGSVGElement | null, ...more: Node[]): HTMLElement {
  const act = (how: (name: string, picture: SVGSVGElement) => unknown) => () => {
    const p = picture();
    if (p) void how(name, p);
  };
  return html("div", { class: "row saves" }, html("span", { class: "hint" }, "Save as"),
    button("SVG", act(saveSVG),
      { class: "small", "data-save": `${name}-svg`, "aria-label": `Save the ${name} as SVG` }),
    button("PNG", act(savePNG),
      { class: "small", "data-save": `${name}-png`, "aria-label": `Save the ${name} as PNG` }), ...more);
}

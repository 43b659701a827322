// The theme and projector mode, which the browser remembers.
import { byId, on, remember, remembered } from "./dom";

const themes = ["auto", "light", "dark"];

/** theme sets up both, with their buttons. recolour repaints everything that styles do not colour. */
export function theme(recolour: () => void): void {
  const root = document.documentElement;
  const show = (theme: string, projector: boolean): void => {
    root.setAttribute("data-theme", theme);
    root.toggleAttribute("data-projector", projector);
    byId("theme").textContent = `Theme: ${theme === "auto" ? "system" : theme}`;
    byId("projector").setAttribute("aria-pressed", String(projector));
    remember("theme", theme);
    remember("projector", projector ? "1" : "0");
    recolour();
  };
  const now = (): string => root.getAttribute("data-theme")!;
  const projected = (): boolean => root.hasAttribute("data-projector");
  show(remembered("theme") ?? "auto", remembered("projector") === "1");
  on("theme", () => show(themes[(themes.indexOf(now()) + 1) % themes.length]!, projected()));
  on("projector", () => show(now(), !projected()));
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
}

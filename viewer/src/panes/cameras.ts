// The cameras of a calibration: a row for each, and the scene from where it stands.
import type { Document } from "../document";
import { h } from "../dom";
import type { CameraData } from "../protocol";
import type { Viewport } from "../scene/viewport";

export function cameras({ document, viewport }: { document: Document; viewport: Viewport }): HTMLElement | null {
  const list = document.cameras.get();
  if (!list.length) return null;
  return h("div", { class: "block" }, h("h2", {}, `${list.length} camera${list.length === 1 ? "" : "s"}`), h("ul", { class: "rows" },
    ...list.map((camera) => h("li", {}, h("div", { class: "row" },
      h("button", { type: "button", class: "name", title: "Look from there", onclick: () => viewport.lookFrom(camera) }, camera.name || "(no name)"),
      h("span", { class: "value" }, where(camera)))))));
}

const where = ({ place }: CameraData): string => `${place.map((v) => v.toFixed(2)).join(" ")} m`;

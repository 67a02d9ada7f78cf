// The first ten seconds: over the moving example one line that says what to drop, and six things to look at. Gone with the first choice.
import type { Comparison } from "../compare";
import type { Document } from "../document";
import { h, iconButton } from "../dom";
import { type Bar, examples } from "./bar";

const shown = 6;

/** Only where the page opens with its own example. */
export function addStart(root: HTMLElement, { document, bar, comparison }: { document: Document; bar: Bar; comparison: Comparison }): void {
  const first = document.name;
  const close = (): void => card.remove();
  const card = h("aside", { class: "start", "aria-label": "Start" },
    h("p", {}, h("b", {}, "Drop a capture or a motion here"), h("span", { class: "formats" }, " (C3D, TRC, CSV, BVH, ASF + AMC, URDF)"), " or ", h("button", { type: "button", class: "link", onclick: () => bar.openPicker() }, "choose files"), ".", h("span", { class: "formats" }, " Nothing leaves this computer.")),
    h("div", { class: "chips" }, ...examples.slice(0, shown).map(([name, title, text]) => h("button", { type: "button", class: "word", title: text, onclick: () => { close(); bar.openExample(name); } }, title))),
    iconButton("close", "Close", close));
  document.capture.watch(() => document.name !== first && close());
  document.body.watch(() => document.name !== first && close());
  comparison.kept.watch((kept) => kept && close());
  bar.mode.watch((mode) => mode === "reach" && close());
  root.append(card);
  // The picture ends where the card begins.
  new ResizeObserver(() => root.style.setProperty("--start", `${card.offsetHeight}px`)).observe(card);
}

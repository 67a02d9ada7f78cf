// The bench where labels are corrected: what can be done with the chosen markers, and undo.
import type { Clock } from "../clock";
import type { Document } from "../document";
import { h, icon, replace } from "../dom";
import { closeMenu, openMenuAt } from "../menu";
import type { CaptureData } from "../protocol";
import type { Selection } from "../selection";

export class Bench {
  private readonly element = h("div", { class: "bench" });

  constructor(root: HTMLElement, private readonly parts: { document: Document; selection: Selection; clock: Clock }) {
    root.append(this.element);
    for (const signal of [parts.document.capture, parts.document.edits, parts.selection.chosen]) (signal as { watch(f: () => void): void }).watch(() => this.update());
  }

  /** The same where the pointer is. */
  openAt(x: number, y: number): void {
    const { document, selection } = this.parts;
    const capture = document.capture.get();
    const { markers } = selection.chosen.get();
    if (!capture || !markers.length || markers.length > 2) return;
    openMenuAt(x, y, "Correct labels", h("div", { class: "fix" }, ...this.choices(capture, markers)));
  }

  /** To the name, to write another. */
  rename(): void {
    const field = this.element.querySelector("input");
    field?.focus();
    field?.select();
  }

  remove(): void {
    const { document, selection } = this.parts;
    const capture = document.capture.get();
    const { markers } = selection.chosen.get();
    if (capture && markers.length === 1) this.removeOne(capture, markers[0]);
  }

  /** Builds anew what the chosen markers allow. */
  private update(): void {
    const { document, selection } = this.parts;
    const capture = document.capture.get();
    const { markers } = selection.chosen.get();
    if (!capture || !markers.every((m) => m < capture.markers.length) || (!markers.length && !document.edits.get().length)) replace(this.element);
    else if (!markers.length) replace(this.element, h("div", { class: "fix" }, this.undo()));
    else {
      const names = markers.map((m) => capture.markers[m].name);
      replace(this.element, h("div", { class: "fix", role: "group", "aria-label": "Correct labels" },
        h("b", {}, names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "")),
        ...this.choices(capture, markers),
        this.undo()));
    }
  }

  private choices(capture: CaptureData, markers: number[]): HTMLElement[] {
    return markers.length === 1 ? this.forOne(capture, markers[0]) : markers.length === 2 ? this.forTwo(capture, markers[0], markers[1]) : [];
  }

  private removeOne(capture: CaptureData, marker: number): void {
    const { document, selection, clock } = this.parts;
    selection.clear();
    void document.edit({ kind: "delete", marker, ...(clock.window.get() ?? { first: 0, last: capture.frameCount - 1 }) });
  }

  private undo(): HTMLElement {
    const { document } = this.parts;
    const { length } = document.edits.get();
    return h("button", { type: "button", class: "word", disabled: !length, onclick: () => void document.undo(), title: "Take back the last correction (ctrl z)" }, icon("undo"), `Undo${length ? ` (${length})` : ""}`);
  }

  private forOne(capture: CaptureData, marker: number): HTMLElement[] {
    const { document, clock } = this.parts;
    const { name } = capture.markers[marker];
    const part = clock.window.get();
    const field = h("input", { type: "text", value: name, "aria-label": "Name of the marker", onkeydown: (event: KeyboardEvent) => { if (event.key === "Enter") { closeMenu(); rename(); } } });
    const rename = (): void => void document.edit({ kind: "rename", marker, name: field.value.trim() });
    return [
      field,
      word("Rename", "Give this marker the name in the field (F2)", rename),
      word("Split here", "From this frame on it is another marker", () => void document.edit({ kind: "split", marker, frame: clock.frame.get(), name: `${name}_2` })),
      word("Delete", part ? "Remove it in the chosen part (del)" : "Remove the marker (del)", () => this.removeOne(capture, marker)),
    ];
  }

  private forTwo(capture: CaptureData, marker: number, other: number): HTMLElement[] {
    const { document, selection, clock } = this.parts;
    const part = clock.window.get();
    const join = (): void => {
      selection.clear();
      void document.edit({ kind: "join", marker, other });
    };
    return [
      word("Swap", `Exchange the two markers ${part ? "in the chosen part" : "from here on"}`,
        () => void document.edit({ kind: "swap", marker, other, ...(part ?? { first: clock.frame.get(), last: capture.frameCount - 1 }) })),
      word("Join", `${capture.markers[other].name} fills the gaps of ${capture.markers[marker].name} and vanishes`, join),
    ];
  }
}

function word(text: string, title: string, run: () => void): HTMLElement {
  return h("button", { type: "button", class: "word", title, onclick: () => { closeMenu(); run(); } }, text);
}

// The keyboard: every key does what a button does.
import type { Clock } from "./clock";
import type { Document } from "./document";
import { layers, type SettingsStore } from "./settings";
import type { Selection } from "./selection";
import type { Bench } from "./panes/bench";
import type { Viewport } from "./scene/viewport";

export const keyHelp: [string, string][] = [
  ["space", "play or stop"], ["← →", "one frame; with shift ten"], ["home end", "start, end"], ["[ ]", "start and end of the part that is played; \\ plays all"],
  ["+ −", "faster, slower"], ["1 … 6", "from a side"], ["0", "fit the body"], ["f", "follow"], ["n", "next marker; with shift the one before"], ["F2 del", "rename, delete the chosen marker; right click: all that can be done"], ["↑ ↓ v", "in a list: walk, show or hide"],
  ["ctrl z", "take a correction back"], ["ctrl o", "open files"], ["esc", "choose nothing"], ...layers.map((l): [string, string] => [l.key_, `show ${l.name.toLowerCase()}`]),
];

const views = ["front", "right", "back", "left", "top", "corner"];

export function listenToKeys(parts: { document: Document; clock: Clock; settings: SettingsStore; selection: Selection; viewport: Viewport; bench: Bench; open(): void; isActive(): boolean; help(): void }): void {
  const { document, clock, settings, selection, viewport, bench } = parts;
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.matches("input[type=text], input[type=number], textarea, select") || event.altKey || !parts.isActive()) return;
    if (run(event)) event.preventDefault();
  });

  function run(event: KeyboardEvent): boolean {
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key;
    if (isCommand) {
      if (key === "z") void (event.shiftKey ? document.redo() : document.undo());
      else if (key === "o") parts.open();
      else return false;
      return true;
    }
    const isButton = (event.target as HTMLElement).matches("button, summary, a, input");
    if ((key === " " || key === "Enter") && isButton) return false;
    const many = event.shiftKey ? 10 : 1;
    const layer = layers.find((l) => l.key_ === key);
    if (layer) settings.set({ [layer.key]: !settings.get()[layer.key] });
    else if (key === " ") clock.toggle();
    else if (key === "ArrowLeft") clock.step(-many);
    else if (key === "ArrowRight") clock.step(many);
    else if (key === "Home") clock.seek(clock.span.first);
    else if (key === "End") clock.seek(clock.span.last);
    else if (key === "[") clock.window.set({ first: clock.frame.get(), last: Math.max(clock.frame.get() + 1, clock.span.last) });
    else if (key === "]") clock.window.set({ first: Math.min(clock.span.first, clock.frame.get() - 1), last: clock.frame.get() });
    else if (key === "\\") clock.window.set(null);
    else if (key === "+" || key === "=") clock.speed.set(Math.min(4, clock.speed.get() * 2));
    else if (key === "-") clock.speed.set(Math.max(0.125, clock.speed.get() / 2));
    else if (key === "0") viewport.fit();
    else if (/^[1-6]$/.test(key)) viewport.stage.look(views[Number(key) - 1]);
    else if (key === "f") settings.set({ follow: !settings.get().follow });
    else if (key === "n" || key === "N") next(event.shiftKey ? -1 : 1);
    else if (key === "F2") bench.rename();
    else if (key === "Delete") bench.remove();
    else if (key === "?") parts.help();
    else if (key === "Escape") selection.clear();
    else return false;
    return true;
  }

  function next(by: number): void {
    const count = document.capture.get()?.markers.length ?? 0;
    if (!count) return;
    const before = selection.chosen.get().markers[0] ?? (by > 0 ? -1 : 0);
    selection.marker((before + by + count) % count);
  }
}

// The state in the address, so that a link shows the same view: frame, part, choice, layers, graph, camera.
import type { Clock } from "./clock";
import type { Document } from "./document";
import type { GraphsPane } from "./panes/graphs";
import type { Bar, Mode } from "./panes/bar";
import type { Selection } from "./selection";
import { layers, type SettingsStore } from "./settings";
import type { Viewport } from "./scene/viewport";

interface Parts {
  document: Document;
  clock: Clock;
  selection: Selection;
  settings: SettingsStore;
  viewport: Viewport;
  graphs: GraphsPane;
  bar: Bar;
}

export class Address {
  private timer = 0;
  private isReady = false;

  constructor(private readonly parts: Parts) {
    const later = (): void => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.write(), 400);
    };
    const { clock, selection, settings, document, bar, viewport } = parts;
    for (const signal of [clock.window, clock.isPlaying, selection.chosen, settings.all, document.capture, bar.mode]) (signal as { watch(f: () => void): void }).watch(later);
    clock.frame.watch(() => !clock.isPlaying.get() && later());
    viewport.stage.controls.addEventListener("end", later);
    addEventListener("sinew-address", () => this.write());
  }

  /** What the page should open with: an example, and whether it plays. */
  get example(): string {
    return this.get("example") ?? "dance";
  }

  /** How long that example is. */
  get seconds(): number {
    return Math.min(60, Math.max(1, Number(this.get("seconds")) || 8));
  }

  private get(name: string): string | null {
    return new URLSearchParams(location.hash.slice(1)).get(name);
  }

  /** Before anything is open. */
  readMode(): void {
    const mode = this.get("mode");
    if (mode === "reach") this.parts.bar.mode.set(mode as Mode);
    const on = this.get("show");
    if (on !== null) this.parts.settings.set(Object.fromEntries(layers.map((l) => [l.key, on.includes(l.key_)])));
    const theme = this.get("theme");
    if (theme === "dark" || theme === "light") this.parts.settings.set({ theme });
  }

  /** Once the document of the link is there. */
  read(): void {
    const { clock, selection, document, graphs, viewport } = this.parts;
    const capture = document.capture.get();
    const part = this.get("part")?.split("-").map(Number);
    if (part?.length === 2 && part.every(Number.isFinite)) clock.window.set({ first: part[0], last: part[1] });
    const frame = this.get("frame");
    if (frame !== null && Number.isFinite(Number(frame))) {
      clock.isPlaying.set(false);
      clock.seek(Number(frame));
    }
    const names = this.get("markers")?.split(",");
    const markers = names?.map((name) => capture?.markers.findIndex((m) => m.name === name) ?? -1).filter((m) => m >= 0);
    if (markers?.length) selection.markers(markers);
    const joint = document.body.get()?.joints.findIndex((j) => j.name === this.get("joint")) ?? -1;
    if (joint >= 0) selection.joint(joint);
    const graph = this.get("graph");
    if (graph) graphs.choose(graph);
    const eye = this.get("eye")?.split(",").map(Number);
    if (eye?.length === 6 && eye.every(Number.isFinite)) {
      viewport.stage.isTurned = true;
      viewport.stage.camera.position.set(eye[0], eye[1], eye[2]);
      viewport.stage.controls.target.set(eye[3], eye[4], eye[5]);
      viewport.stage.controls.update();
    }
    this.isReady = true;
  }

  private write(): void {
    if (!this.isReady) return;
    const { clock, selection, settings, document, graphs, viewport, bar } = this.parts;
    const capture = document.capture.get();
    const body = document.body.get();
    const chosen = selection.chosen.get();
    const state = new URLSearchParams();
    if (bar.mode.get() !== "motion") state.set("mode", bar.mode.get());
    if (capture?.format === "made by synth") state.set("example", capture.name);
    if (!clock.isPlaying.get()) state.set("frame", String(clock.frame.get()));
    const span = clock.window.get();
    if (span) state.set("part", `${span.first}-${span.last}`);
    if (chosen.markers.length && capture) state.set("markers", chosen.markers.map((m) => capture.markers[m]?.name).join(","));
    if (chosen.joint >= 0 && body) state.set("joint", body.joints[chosen.joint]?.name ?? "");
    state.set("show", layers.filter((l) => settings.get()[l.key]).map((l) => l.key_).join(""));
    if (graphs.chosenKind) state.set("graph", graphs.chosenKind);
    const { position } = viewport.stage.camera;
    const { target } = viewport.stage.controls;
    state.set("eye", [...position.toArray(), ...target.toArray()].map((v) => (+v).toFixed(2)).join(","));
    history.replaceState(null, "", `#${state.toString().replace(/%2C/g, ",")}`);
  }
}

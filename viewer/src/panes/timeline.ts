// Play, step, speed, and the track: how many markers are seen, gaps of what is chosen, events, the part that is played.
import type { Clock } from "../clock";
import type { Document } from "../document";
import { h, icon, iconButton, replace } from "../dom";
import type { Selection } from "../selection";

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class Timeline {
  private readonly canvas = h("canvas", { "aria-hidden": "true" });
  private readonly clockText = h("output");
  private readonly track: HTMLElement;
  private isStale = true;

  constructor(root: HTMLElement, private readonly parts: { document: Document; clock: Clock; selection: Selection }) {
    const { clock } = parts;
    const play = iconButton("play", "Play or stop (space)", () => clock.toggle(), { class: "icon play" });
    const loop = iconButton("loop", "Loop", () => clock.isLooping.set(!clock.isLooping.get()), { class: "icon wide" });
    const speed = h("select", { class: "wide", "aria-label": "Speed", onchange: () => clock.speed.set(Number(speed.value)) },
      ...speeds.map((s) => h("option", { value: String(s), selected: s === 1 }, `${s}×`)));
    this.track = h("div", { class: "track", role: "slider", tabindex: "0", "aria-label": "Frame", "aria-valuemin": "0" }, this.canvas);
    replace(root,
      h("div", { class: "keys" },
        iconButton("first", "To the start (home)", () => clock.seek(clock.span.first)),
        iconButton("back", "One frame back (left arrow)", () => clock.step(-1)), play,
        iconButton("next", "One frame on (right arrow)", () => clock.step(1)),
        iconButton("last", "To the end (end)", () => clock.seek(clock.span.last))),
      this.track,
      h("div", { class: "more" }, this.clockText, loop, speed));
    clock.isPlaying.watch((isPlaying) => replace(play, icon(isPlaying ? "pause" : "play")));
    clock.isLooping.watch((isLooping) => loop.setAttribute("aria-pressed", String(isLooping)));
    clock.speed.watch((value) => (speed.value = String(value)));
    clock.frame.watch(() => this.tell());
    clock.frameCount.watch(() => this.tell());
    for (const signal of [parts.document.capture, parts.document.body, clock.window, clock.frame, parts.selection.chosen])
      (signal as { watch(f: () => void): void }).watch(() => (this.isStale = true));
    new ResizeObserver(() => (this.isStale = true)).observe(this.track);
    this.listen();
  }

  private tell(): void {
    const { clock, document } = this.parts;
    const frame = clock.frame.get();
    const number = frame + (document.capture.get()?.firstFrame ?? 1);
    const time = `${(frame / clock.rate).toFixed(2)} s`;
    replace(this.clockText, h("b", {}, time), `  frame ${number}`);
    this.track.setAttribute("aria-valuemax", String(Math.max(0, clock.frameCount.get() - 1)));
    this.track.setAttribute("aria-valuenow", String(frame));
    this.track.setAttribute("aria-valuetext", `${time}, frame ${number}`);
  }

  /** Scrubbing follows the pointer; with shift, dragging chooses the part that is played. */
  private listen(): void {
    const { clock } = this.parts;
    let anchor: number | null = null;
    const frameAt = (event: PointerEvent): number => {
      const { left, width } = this.track.getBoundingClientRect();
      return Math.round(((event.clientX - left) / width) * Math.max(0, clock.frameCount.get() - 1));
    };
    const clamp = (frame: number): number => Math.max(0, Math.min(clock.frameCount.get() - 1, frame));
    this.track.addEventListener("pointerdown", (event) => {
      this.track.setPointerCapture(event.pointerId);
      anchor = event.shiftKey ? clamp(frameAt(event)) : null;
      clock.isPlaying.set(false);
      clock.seek(frameAt(event));
    });
    this.track.addEventListener("pointermove", (event) => {
      if (!event.buttons) return;
      clock.seek(frameAt(event));
      const to = clamp(frameAt(event));
      if (anchor !== null && Math.abs(to - anchor) > 2) clock.window.set({ first: Math.min(anchor, to), last: Math.max(anchor, to) });
    });
    this.track.addEventListener("dblclick", () => clock.window.set(null));
  }

  /** Called once for each picture. */
  draw(isDark: boolean): void {
    if (!this.isStale) return;
    this.isStale = false;
    const { clientWidth: width, clientHeight: height } = this.track;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const c = this.canvas.getContext("2d")!;
    const { clock, document, selection } = this.parts;
    const frames = Math.max(1, clock.frameCount.get() - 1);
    const x = (frame: number): number => (frame / frames) * width;
    const ink = isDark ? { ground: "#222834", seen: "#3c4a63", gap: "#fb8c4a", event: "#a9b2c0", out: "rgba(18,21,27,.6)", head: "#ff5c9e", residual: "#7aa9ff" }
      : { ground: "#eef0f4", seen: "#cfd8ea", gap: "#c2410c", event: "#5a6474", out: "rgba(255,255,255,.7)", head: "#c01a60", residual: "#2b5cc4" };
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.fillStyle = ink.ground;
    c.fillRect(0, 0, width, height);
    const capture = document.capture.get();
    const body = document.body.get();
    const base = height - 6;
    if (capture) {
      c.fillStyle = ink.seen;
      for (let px = 0; px < width; px++) {
        const first = Math.floor((px / width) * capture.frameCount);
        const last = Math.max(first + 1, Math.floor(((px + 1) / width) * capture.frameCount));
        let low = 255;
        for (let f = first; f < last; f += Math.max(1, Math.floor((last - first) / 8))) low = Math.min(low, capture.presence[f]);
        const tall = (base - 12) * (low / 255);
        c.fillRect(px, base - tall, 1, tall);
      }
      const count = capture.markers.length;
      c.fillStyle = ink.gap;
      for (const m of selection.chosen.get().markers) {
        for (let px = 0; px < width; px++) {
          const f = Math.min(capture.frameCount - 1, Math.round((px / width) * frames));
          if (!capture.states[f * count + m]) c.fillRect(px, base, 1, 6);
        }
      }
    }
    if (body?.residual) {
      c.strokeStyle = ink.residual;
      c.lineWidth = 1.2;
      c.beginPath();
      const worst = Math.max(0.004, ...sparse(body.residual.frame, 400));
      for (let px = 0; px < width; px += 2) {
        const value = body.residual.frame[Math.min(body.frameCount - 1, Math.round((px / width) * frames))];
        if (Number.isFinite(value)) c.lineTo(px, base - (value / worst) * (base - 14));
      }
      c.stroke();
    }
    c.font = "10px system-ui, sans-serif";
    c.fillStyle = ink.event;
    let free = 0; // names end before the next starts
    for (const event of capture?.events ?? []) {
      const at = x(event.time * clock.rate);
      c.fillRect(at, 0, 1, base);
      const text = `${event.context.slice(0, 1)} ${event.label}`.trim();
      const wide = c.measureText(text).width;
      if (at + 3 < free || at + 3 + wide > width) continue;
      c.fillText(text, at + 3, 10);
      free = at + 3 + wide + 8;
    }
    const span = clock.window.get();
    if (span) {
      c.fillStyle = ink.out;
      c.fillRect(0, 0, x(span.first), height);
      c.fillRect(x(span.last), 0, width - x(span.last), height);
    }
    c.fillStyle = ink.head;
    c.fillRect(x(clock.frame.get()) - 1, 0, 2, height);
  }
  restyle(): void {
    this.isStale = true;
  }
}

/** At most `count` finite numbers, evenly taken. */
function sparse(values: Float32Array, count: number): number[] {
  const out: number[] = [];
  for (let n = 0; n < values.length; n += Math.max(1, Math.floor(values.length / count))) if (Number.isFinite(values[n])) out.push(values[n]);
  return out;
}

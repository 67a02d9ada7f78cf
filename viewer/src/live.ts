// Poses as they come from `sinew live`: the newest one is shown in the stage of any other motion, with how late it is and what was
// lost. The last minute is kept: a button makes an ordinary motion of it, to be played, measured and compared.
import type { Document } from "./document";
import { h, replace } from "./dom";
import type { BodyData, CaptureData, JointInfo } from "./protocol";
import type { Viewport } from "./scene/viewport";

interface Hello {
  hello: number;
  say: string;
  up?: number;
  rate?: number;
  people?: { name: string; joints: string[]; parents: number[]; tips: (number[] | null)[] }[];
  markers?: string[];
}

interface Pose {
  frame: number;
  time: number;
  latency_us: number;
  skipped: number;
  viewers: number;
  sources: { protocol: string; rate: number; lost: number; late: number; jitter_us: number; drift_ppm?: number }[];
  /** Millimetres; turns x y z w in the world. */
  people: { followed: number; places: number[]; turns: number[] }[];
  markers: (number | null)[];
}

/** Seconds of what was shown that can be kept, at 60 a second. */
const keptFrames = 60 * 60;

const liveName = "live";

/** Where `sinew live` serves this page. */
export const isLive = (): boolean => location.protocol.startsWith("http") && location.pathname === "/view";

export class Live {
  private hello: Hello | null = null;
  private readonly told = h("p", { role: "status" }, "connecting");
  private readonly numbers = h("dl", { class: "facts" });
  private readonly keep = h("button", { type: "button", class: "word", disabled: true, onclick: () => this.stop() }, "Keep the last minute");
  private readonly resume = h("button", { type: "button", class: "word main", hidden: true, onclick: () => this.go() }, "Live again");
  private readonly arrived: number[] = [];
  private past: { time: number; world: Float32Array[]; points: Float32Array }[] = [];
  private isShowing = true;

  constructor(root: HTMLElement, private readonly parts: { document: Document; viewport: Viewport }) {
    root.append(h("aside", { class: "live", "aria-label": "Live" }, this.told, this.numbers, this.keep, this.resume));
    document.body.classList.add("is-live");
    // What comes live is not in the worker: nothing to solve or to write; and a file that is opened is not drawn over.
    parts.document.body.watch((body) => {
      document.body.classList.toggle("of-live", !body || body.name === liveName);
      if (body && body.name !== liveName && this.isShowing) this.setShowing(false);
    });
    document.body.classList.add("of-live");
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/live${location.search}`);
    socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data) as Hello | Pose);
    socket.onclose = () => {
      this.say("the stream ended; trying again");
      setTimeout(() => this.connect(), 1000);
    };
  }

  private say(text: string): void {
    this.told.textContent = text;
    this.told.hidden = !text;
  }

  private hear(message: Hello | Pose): void {
    if ("hello" in message) {
      this.hello = message;
      this.past = [];
      if (this.isShowing) this.parts.document.showLive([], null);
      return this.say(message.say || (message.people ? "" : "waiting for the body"));
    }
    if (!this.hello?.people) return;
    const world = message.people.map(({ places, turns }) => worldOf(places, turns));
    const points = Float32Array.from(message.markers, (v) => (v === null ? NaN : v / 1000));
    this.past.push({ time: message.time, world, points });
    if (this.past.length > keptFrames) this.past.shift();
    this.arrived.push(performance.now());
    if (this.arrived.length > 60) this.arrived.shift();
    this.keep.disabled = this.past.length < 2;
    this.tell(message);
    if (!this.isShowing) return;
    const { document, viewport } = this.parts;
    if (!document.body.get()) return document.showLive(...this.made([this.past[this.past.length - 1]], 1));
    document.bodies.get().forEach((body, n) => body.world.set(world[n]));
    document.capture.get()?.positions.set(points);
    document.capture.get()?.states.set(points.filter((_, k) => k % 3 === 0).map((x) => (Number.isFinite(x) ? 1 : 0)));
    viewport.stage.invalidate();
  }

  /** Bodies and capture of these moments. */
  private made(moments: Live["past"], rate: number): [BodyData[], CaptureData | null] {
    const { people, up = 2, markers = [] } = this.hello!;
    const bodies = people!.map(({ name, joints, parents, tips }, n): BodyData => {
      const world = new Float32Array(moments.length * joints.length * 7);
      moments.forEach((moment, k) => world.set(moment.world[n], k * joints.length * 7));
      return {
        name: liveName, title: people!.length > 1 ? name : "", summary: "", frameCount: moments.length, rate, up, world,
        joints: joints.map((text, j) => jointOf(text, parents[j], tips[j], moments[0].world[n], j)),
        angles: [], jointOf: null, segmentNames: [], segmentOf: null, residual: null, judgement: null, notes: [], seconds: 0,
      };
    });
    return [bodies, captureOf(markers, moments.map((moment) => moment.points), rate, up)];
  }

  /** What was shown becomes a motion like any other; the stream goes on behind it. */
  private stop(): void {
    const seconds = this.past[this.past.length - 1].time - this.past[0].time;
    this.setShowing(false);
    this.parts.document.showLive(...this.made(this.past, seconds > 0 ? (this.past.length - 1) / seconds : 60));
  }

  private go(): void {
    this.setShowing(true);
    this.parts.document.showLive([], null);
  }

  private setShowing(isShowing: boolean): void {
    this.isShowing = isShowing;
    this.keep.hidden = !isShowing;
    this.resume.hidden = isShowing;
    this.numbers.hidden = !isShowing;
    document.body.classList.toggle("is-live", isShowing);
  }

  private tell({ frame, latency_us, skipped, viewers, sources, people }: Pose): void {
    const count = this.arrived.length;
    const shown = count > 1 ? (1000 * (count - 1)) / (this.arrived[count - 1] - this.arrived[0]) : 0;
    const rows: [string, string][] = [["Frame", String(frame)], ["In to pose", `${(latency_us / 1000).toFixed(2)} ms`], ["Shown here", `${shown.toFixed(0)} Hz`], ["Pages", String(viewers)]];
    for (const { protocol, rate, lost, late, jitter_us, drift_ppm } of sources) {
      rows.push([protocol, `${rate.toFixed(0)} Hz, ${lost} lost, ${late} late`], ["Jitter", `${(jitter_us / 1000).toFixed(1)} ms`]);
      if (drift_ppm !== undefined) rows.push(["Clock drift", `${Math.round(drift_ppm) || 0} ppm`]);
    }
    if (skipped) rows.push(["Not solved", String(skipped)]);
    people.forEach(({ followed }, n) => followed || rows.push([this.hello!.people![n].name, "not seen"]));
    replace(this.numbers, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
}

/** (joint x 7) x y z, qx qy qz qw. */
function worldOf(places: number[], turns: number[]): Float32Array {
  const out = new Float32Array((places.length / 3) * 7);
  for (let j = 0; 3 * j < places.length; j++) {
    for (let k = 0; k < 3; k++) out[7 * j + k] = places[3 * j + k] / 1000;
    for (let k = 0; k < 4; k++) out[7 * j + 3 + k] = turns[4 * j + k];
  }
  return out;
}

function jointOf(name: string, parent: number, tip: number[] | null, world: Float32Array, joint: number): JointInfo {
  const place = (j: number): number[] => [...world.subarray(7 * j, 7 * j + 3)];
  const from = parent < 0 ? place(joint) : place(parent);
  return {
    name, parent, tip, type: "ball", boneLength: Math.hypot(...place(joint).map((v, k) => v - from[k])),
    rest: [0, 0, 0, 0, 0, 0, 1], axis: [1, 0, 0], axis2: [0, 1, 0],
    limits: { swing: 0, cone: [], window: [], hasTwist: false, twist: [], hasRange: [], range: [] },
    verdict: null, isUncertain: false, uncertainty: 0, freeAxis: null, residual: 0, range: 0,
  };
}

function captureOf(names: string[], moments: Float32Array[], rate: number, up: number): CaptureData | null {
  const count = moments[0].length / 3;
  if (!count) return null;
  const positions = new Float32Array(3 * count * moments.length);
  moments.forEach((points, n) => positions.set(points, 3 * count * n));
  const states = Uint8Array.from({ length: count * moments.length }, (_, n) => (Number.isFinite(positions[3 * n]) ? 1 : 0));
  const presence = Uint8Array.from(moments, (_, n) => (255 * states.subarray(n * count, (n + 1) * count).reduce((sum, v) => sum + v, 0)) / count);
  const markers = Array.from({ length: count }, (_, m) => {
    const seen = moments.reduce((sum, _, n) => sum + states[n * count + m], 0);
    return { name: names[m] ?? `*${m - names.length + 1}`, description: "", kind: "marker", seen, gaps: 0, longestGap: 0 };
  });
  return {
    name: liveName, format: "sinew live", frameCount: moments.length, firstFrame: 1, rate, unit: "m", up, markers, positions, states, presence,
    rotationCount: 0, analog: null, events: [], plates: [], parameters: [], notes: [], joinedFrom: 0, isRecognised: false, kind: "body",
  };
}

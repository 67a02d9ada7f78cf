// Two bodies beside or over each other: one that was kept, and the one that is shown now. Another solve of the same capture, another
// file, or the skeleton that the capture's maker delivered as BVH. And a blind test: who does not know which is which says which is real.
import { Quaternion, Vector3 } from "three";
import type { Document } from "./document";
import type { BodyData } from "./protocol";
import { Signal } from "./signal";

export type Layout = "over" | "beside" | "blind";

export interface Kept {
  /** In the axes of the body that is shown. */
  body: BodyData;
  title: string;
  layout: Layout;
  /** Blind: the kept one is on the right. */
  isRight: boolean;
}

export interface Vote {
  left: string;
  right: string;
  chosen: "left" | "right" | "neither";
  /** From the start of the round. */
  seconds: number;
}

/** What the comparison says of a frame or of all: metres. */
export interface Difference {
  /** Joints that both have: number in the shown body, number in the kept one. */
  pairs: [number, number][];
  mean: number;
  most: number;
  mostJoint: string;
}

/** "Joe:LeftForeArm" and "left_fore_arm" are one name. */
const key = (name: string): string => name.slice(name.lastIndexOf(":") + 1).replace(/[^A-Za-z0-9]/g, "").toLowerCase();

export class Comparison {
  readonly kept = new Signal<Kept | null>(null);
  readonly votes = new Signal<Vote[]>([]);
  private source: { body: BodyData; title: string } | null = null;
  private started = 0;

  constructor(private readonly document: Document, private readonly random: () => number = Math.random) {
    document.body.watch(() => this.align());
    document.upChosen.watch(() => this.align());
  }

  keep(): void {
    const body = this.document.body.get();
    if (!body) return;
    const { method, segments } = this.document.solveOptions.get();
    const how = body.residual ? `, ${segments === "auto" ? "" : `${segments} `}${method}` : "";
    this.source = { body, title: `${this.document.name}${how}` };
    this.votes.set([]);
    this.align();
  }

  forget(): void {
    this.source = null;
    this.kept.set(null);
  }

  setLayout(layout: Layout): void {
    const kept = this.kept.get();
    if (!kept) return;
    this.kept.set({ ...kept, layout });
    if (layout === "blind") this.nextRound();
  }

  /** The kept body turned into the axes of the one that is shown. */
  private align(): void {
    const body = this.document.body.get();
    if (!this.source || !body) return this.kept.set(null);
    const before = this.kept.get();
    const turned = turnedTo(this.source.body, this.document.up);
    this.kept.set({ body: turned, title: this.source.title, layout: before?.layout ?? "over", isRight: before?.isRight ?? true });
  }

  difference(): Difference | null {
    const kept = this.kept.get();
    const body = this.document.body.get();
    return kept && body ? difference(body, kept.body) : null;
  }

  // ---- blind ----

  nextRound(): void {
    const kept = this.kept.get();
    if (!kept) return;
    this.started = performance.now();
    this.kept.set({ ...kept, isRight: this.random() < 0.5 });
  }

  vote(chosen: Vote["chosen"]): void {
    const kept = this.kept.get();
    if (!kept) return;
    const names = [this.document.name, kept.title];
    const [left, right] = kept.isRight ? names : names.reverse();
    this.votes.set([...this.votes.get(), { left, right, chosen, seconds: (performance.now() - this.started) / 1000 }]);
    this.nextRound();
  }

  /** How often each one was taken for the real one. */
  tally(): Map<string, number> {
    const tally = new Map<string, number>();
    for (const { left, right, chosen } of this.votes.get()) {
      const name = chosen === "neither" ? "neither" : chosen === "left" ? left : right;
      tally.set(name, (tally.get(name) ?? 0) + 1);
    }
    return tally;
  }

  csv(): string {
    const quoted = (text: string): string => `"${text.replace(/"/g, '""')}"`;
    const rows = this.votes.get().map(({ left, right, chosen, seconds }, n) => [n + 1, quoted(left), quoted(right), chosen, quoted(chosen === "left" ? left : chosen === "right" ? right : ""), seconds.toFixed(2)].join(","));
    return `${["round,left,right,vote,taken_for_real,seconds", ...rows].join("\n")}\n`;
  }
}

const axisOf = (up: number): Vector3 => new Vector3().setComponent(up >= 1 && up <= 6 ? (up - 1) % 3 : 1, up > 3 ? -1 : 1);

function turnedTo(body: BodyData, up: number): BodyData {
  const own = axisOf(body.up || 2);
  const wanted = axisOf(up || 2);
  if (own.equals(wanted)) return body;
  const turn = new Quaternion().setFromUnitVectors(own, wanted);
  const world = body.world.slice();
  const place = new Vector3();
  const rotation = new Quaternion();
  for (let at = 0; at < world.length; at += 7) {
    place.fromArray(world, at).applyQuaternion(turn).toArray(world, at);
    rotation.fromArray(world, at + 3).premultiply(turn).toArray(world, at + 3);
  }
  return { ...body, world, up };
}

/** The frame of another motion that is shown with this one: the same second. */
export const frameOf = (frame: number, body: BodyData, other: BodyData): number => Math.min(other.frameCount - 1, Math.round((frame * other.rate) / (body.rate || 1)));

/** Metres between two joints in a frame of the first body. */
export function distance(body: BodyData, other: BodyData, [a, b]: [number, number], frame: number): number {
  const i = 7 * (frame * body.joints.length + a);
  const j = 7 * (frameOf(frame, body, other) * other.joints.length + b);
  return Math.hypot(body.world[i] - other.world[j], body.world[i + 1] - other.world[j + 1], body.world[i + 2] - other.world[j + 2]);
}

export function difference(body: BodyData, other: BodyData): Difference {
  const numbers = new Map(other.joints.map(({ name }, j) => [key(name), j]));
  const pairs = body.joints.flatMap(({ name }, j): [number, number][] => (numbers.has(key(name)) ? [[j, numbers.get(key(name))!]] : []));
  const step = Math.max(1, Math.floor(body.frameCount / 400));
  let sum = 0;
  let count = 0;
  let most = 0;
  let mostJoint = "";
  for (const pair of pairs)
    for (let f = 0; f < body.frameCount; f += step) {
      const far = distance(body, other, pair, f);
      if (!Number.isFinite(far)) continue;
      sum += far;
      count++;
      if (far > most) [most, mostJoint] = [far, body.joints[pair[0]].name];
    }
  return { pairs, mean: count ? sum / count : NaN, most, mostJoint };
}

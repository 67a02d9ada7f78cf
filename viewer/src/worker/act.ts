// Hands from eight markers and an upper body from trackers: the steps of `sinew hand` and `sinew avatar`.
import type { Actor, AvatarProfile, HandCapture, HandProfile, HandReport, Motion, Note, Sinew, Trial } from "sinew";
import { AvatarRole, Side, SampleState, UpAxis } from "sinew";
import type { SolveOptions } from "../protocol";
import type { Context } from "./context";

/** What a capture holds, as far as its labels tell. */
export type Kind = "body" | "hand" | "trackers";

/** A hand or an upper body. */
export interface Act {
  motion: Motion;
  /** Whose it is, to be kept for the next capture. */
  actor: Actor;
  up: number;
  /** Leaves on the rig of a person. */
  isPerson: boolean;
  title: string;
  summary: string;
  notes: string[];
  seconds: number;
  dispose(): void;
}

/** Trackers have rotations, and markers only where they themselves are; of a hand every marker has its name, or there are eight, all near each other. */
export function kindOf(sinew: Sinew, trial: Trial): Kind {
  const { markerCount } = trial;
  const names = trial.marker.map((marker) => marker.name);
  const turned = trial.rotationLabel.map((label) => label.name);
  const roles = turned.filter((name) => sinew.avatarRoleFromLabel(name) !== AvatarRole.COUNT);
  if (roles.length >= 2 && names.every((name) => turned.includes(name))) return "trackers";
  const ofHand = names.filter((name) => sinew.handMarkerFromLabel(name, new Int32Array(1), new Uint8Array(1)) >= 0).length;
  if (ofHand >= 4 && ofHand === markerCount) return "hand";
  return markerCount === handMarkers && !ofHand && isSmall(trial) ? "hand" : "body";
}

const handMarkers = 8;
/** Metres across which the markers of a hand may stand: an open one is about 0.25. */
const handSize = 0.35;

/** In the first frame that shows all markers. */
function isSmall({ state, sample, markerCount, frameCount, metresPerUnit }: Trial): boolean {
  for (let frame = 0; frame < frameCount; frame++) {
    const at = frame * markerCount;
    if (!state.subarray(at, at + markerCount).every((s) => s !== SampleState.MISSING)) continue;
    const spans = [0, 1, 2].map((axis) => {
      const values = Array.from({ length: markerCount }, (_, m) => sample[4 * (at + m) + axis]);
      return Math.max(...values) - Math.min(...values);
    });
    return Math.hypot(...spans) * metresPerUnit < handSize;
  }
  return false;
}

export function act(context: Context, trial: Trial, kind: Kind, options: SolveOptions): Act[] {
  return kind === "hand" ? hands(context, trial, options.actor) : [upperBody(context, trial, options.actor)];
}

// ---- hands ----

/** Both sides by their labels, else one without. */
function handCaptures(sinew: Sinew, trial: Trial, notes: Note[]): HandCapture[] {
  const found: HandCapture[] = [];
  let first: unknown = null;
  for (const side of [Side.LEFT, Side.RIGHT])
    try {
      found.push(sinew.handCaptureFromTrial(trial, side, notes));
    } catch (error) {
      first ??= error;
    }
  if (found.length) return found;
  try {
    return [sinew.handCaptureUnlabelled(trial, notes)];
  } catch {
    throw first;
  }
}

function hands({ sinew, progress }: Context, trial: Trial, kept: Uint8Array | null): Act[] {
  const notes: Note[] = [];
  progress("finding the hand", 0.2);
  const captures = handCaptures(sinew, trial, notes);
  return captures.map((capture, n) => {
    const start = performance.now();
    const own = n ? [] : notes;
    const profile = {} as HandProfile;
    progress("solving every frame", 0.5);
    if (kept) takeActor(sinew, kept, (actor) => sinew.handProfileFromActor(actor, profile));
    else sinew.handCalibrate(capture, profile, own);
    profile.side = capture.side;
    const hand = sinew.handCreate(profile, null);
    const residual = fingertips(sinew, hand, capture);
    const motion = sinew.handSolve(hand, capture);
    const title = `${profile.side === Side.LEFT ? "Left" : "Right"} hand`;
    return made([motion, hand, capture], sinew.handProfileToActor(profile), {
      motion, up: trial.up, isPerson: false, title, summary: `Fingertips lie ${(1000 * residual).toFixed(2)} mm from their markers on average.`,
      notes: own.map((note) => note.text), seconds: (performance.now() - start) / 1000,
    });
  });
}

/** Mean distance from a fingertip to its marker, frame by frame as a live session would see it. */
function fingertips(sinew: Sinew, hand: ReturnType<Sinew["handCreate"]>, capture: HandCapture): number {
  using pose = sinew.poseCreate(sinew.handSkeleton(hand));
  const report = {} as HandReport;
  let sum = 0;
  let count = 0;
  for (const frame of capture.frame) {
    sinew.handStep(hand, frame, pose, report);
    report.isTipSeen.forEach((isSeen, k) => {
      sum += report.residual[k];
      count += Number(isSeen);
    });
  }
  return sum / (count || 1);
}

// ---- an upper body ----

function upperBody({ sinew, progress }: Context, trial: Trial, kept: Uint8Array | null): Act {
  const start = performance.now();
  const notes: Note[] = [];
  progress("measuring the person", 0.2);
  const capture = sinew.avatarCaptureFromTrial(trial, notes);
  const profile = {} as AvatarProfile;
  if (kept) takeActor(sinew, kept, (actor) => sinew.avatarProfileFromActor(actor, profile));
  else sinew.avatarCalibrate(capture, null, profile, notes);
  progress("solving every frame", 0.5);
  const avatar = sinew.avatarCreate(profile, { up: capture.up });
  const motion = sinew.avatarSolve(avatar, capture);
  const roles = profile.hasTracker.flatMap((has, role) => (has ? [sinew.avatarRoleName(role).replace("_", " ")] : []));
  return made([motion, avatar, capture], sinew.avatarProfileToActor(profile), {
    motion, up: upAxis(sinew, capture.up), isPerson: true, title: "Upper body", summary: `Moved by ${roles.join(", ")}.`,
    notes: notes.map((note) => note.text), seconds: (performance.now() - start) / 1000,
  });
}

/** The axis that a unit vector along one is. */
function upAxis(sinew: Sinew, up: { x: number; y: number; z: number }): number {
  for (let axis: number = UpAxis.X; axis <= UpAxis.NEGATIVE_Z; axis++) {
    const { x, y, z } = sinew.upDirection(axis);
    if (x * up.x + y * up.y + z * up.z > 0.9) return axis;
  }
  return UpAxis.UNKNOWN;
}

// ---- both ----

function takeActor(sinew: Sinew, bytes: Uint8Array, take: (actor: Actor) => void): void {
  using actor = sinew.actorParse(bytes);
  take(actor);
}

function made(owned: { dispose(): void }[], actor: Actor, about: Omit<Act, "dispose" | "actor">): Act {
  return { ...about, actor, dispose: () => [...owned, actor].forEach((thing) => thing.dispose()) };
}

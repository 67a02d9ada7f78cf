// Motions and points as bytes of a file, as the command writes them.
import type { Actor, Motion, RigOptions, Sinew, SinewError, Trial } from "sinew";
import { FormatKind, SampleState, UpAxis } from "sinew";
import type { RigChoice } from "../protocol";
import { thumbsOf } from "./skin";

/** A motion in the capture's own axes; up 0: nobody knows. */
export function motionBytes(sinew: Sinew, motion: Motion, up: number, kind: number): Uint8Array {
  return sinew.writeMotion(motion, kind, up ? { up } : null);
}

/** What `write` makes of a motion at another rate; 0: its own. */
export function atRate(sinew: Sinew, motion: Motion, rate: number, write: (motion: Motion) => Uint8Array): Uint8Array {
  if (!(rate > 0)) return write(motion);
  using part = sinew.motionResample(motion, rate);
  return write(part);
}

/** A solved person leaves for animation programs in a T-pose that faces +Z. */
export function personBytes(sinew: Sinew, motion: Motion, up: number, kind: number, { names, isOnFloor, hasFootLock, isSymmetric }: RigChoice, actor: Actor | null = null): Uint8Array {
  if (kind !== FormatKind.BVH && kind !== FormatKind.GLB) return motionBytes(sinew, motion, up, kind);
  const options: Partial<RigOptions> = { hasTPose: true, names: sinew.rigNamesFind(names), isOnFloor, hasFootLock, isSymmetric, hasRoot: names === "unreal", ...thumbsOf(sinew, actor) };
  if (kind === FormatKind.GLB) options.boneAxis = (names === "unreal" ? "x" : "y").charCodeAt(0);
  if (up) options.up = sinew.upDirection(up);
  let rig: Motion;
  try {
    rig = sinew.motionToRig(motion, options);
  } catch (error) {
    if ((error as SinewError).code !== "UNSUPPORTED") throw error;
    return sinew.writeMotion(motion, kind, { up }); // not a person: the rest pose is one of the capture
  }
  rig.metresPerUnit = motion.metresPerUnit;
  const bytes = sinew.writeMotion(rig, kind, { up: UpAxis.Y });
  rig.dispose();
  return bytes;
}

/** Every joint of these motions as a point of its name, then the tips. */
export function pointsBytes(sinew: Sinew, motions: Motion[], up: number, kind: number): Uint8Array {
  const names = motions.map(({ skeleton }) => [...skeleton.name, ...skeleton.name.filter((_, j) => skeleton.hasTip[j]).map((name) => `${name}_tip`)]);
  using trial = sinew.trialCreate({ markerCount: names.flat().length, frameCount: motions[0].frameCount, rate: motions[0].rate });
  names.flat().forEach((name, m) => sinew.trialSetMarkerName(trial, m, name));
  let first = 0;
  motions.forEach((motion, n) => {
    setPoints(sinew, trial, motion, first);
    first += names[n].length;
  });
  trial.up = up;
  return sinew.writeTrial(trial, kind);
}

function setPoints(sinew: Sinew, trial: Trial, motion: Motion, first: number): void {
  const { skeleton } = motion;
  const { jointCount } = skeleton;
  const tips = Array.from(skeleton.hasTip.keys()).filter((j) => skeleton.hasTip[j]);
  using pose = sinew.poseCreate(skeleton);
  for (let frame = 0; frame < motion.frameCount && frame < trial.frameCount; frame++) {
    sinew.motionGet(motion, frame, pose);
    sinew.poseForward(pose);
    const world = pose.world.slice();
    for (let j = 0; j < jointCount; j++) sinew.trialSet(trial, frame, first + j, { x: world[7 * j + 4], y: world[7 * j + 5], z: world[7 * j + 6] }, SampleState.MEASURED);
    tips.forEach((j, n) => sinew.trialSet(trial, frame, first + jointCount + n, sinew.poseTip(pose, j), SampleState.MEASURED));
  }
}

// A skeleton and its motion as the page draws them: every joint's place in every frame, limits, verdicts, angles.
import type { Actor, Angles, GaitModel, Judgements, Motion, Sinew, Skeleton, Solution, SolvedBody, Table, Trial } from "sinew";
import { AngleConvention, SwingLimit } from "sinew";
import type { AngleTable, BodyData, FilledData, JointInfo, JudgementData } from "../protocol";
import type { Act } from "./act";
import { positionsOf } from "./capture_data";
import { sentences } from "./solution";

/** Joints of a body; what the data said about them comes from the actor that carries it. */
export function jointsOf(sinew: Sinew, body: Skeleton, actor: Actor | null): JointInfo[] {
  const { name, parent, joint, boneLength, hasTip } = body;
  const rest = Array.from(body.rest);
  const tip = Array.from(body.tip);
  const estimates = actor ? actor.estimate : null;
  return name.map((text, j) => {
    const { limit, axis, axis2, type } = joint[j];
    const estimate = j > 0 && estimates ? estimates[j] : null;
    const [w, x, y, z, tx, ty, tz] = rest.slice(7 * j, 7 * j + 7);
    return {
      name: text,
      parent: parent[j],
      type: sinew.jointTypeName(type),
      boneLength: boneLength[j],
      rest: [tx, ty, tz, x, y, z, w],
      tip: hasTip[j] ? tip.slice(3 * j, 3 * j + 3) : null,
      axis: [axis.x, axis.y, axis.z],
      axis2: [axis2.x, axis2.y, axis2.z],
      limits: {
        swing: limit.swing,
        cone: limit.cone,
        window: limit.swing === SwingLimit.POLYGON ? limit.window.slice(0, limit.windowCount) : [],
        hasTwist: limit.hasTwist,
        twist: limit.twist,
        hasRange: limit.hasRange,
        range: limit.range,
      },
      verdict: estimate ? estimate.verdict : null,
      isUncertain: estimate ? estimate.isUncertain : false,
      uncertainty: estimate ? estimate.uncertainty : 0,
      freeAxis: estimate?.isPlaceFree ? [estimate.axis.x, estimate.axis.y, estimate.axis.z] : null,
      residual: estimate ? estimate.residual : 0,
      range: estimate ? estimate.range : 0,
    };
  });
}

/** A body without a motion, a robot's for one, is shown at rest. */
const shownFrames = (motion: Motion): number => Math.max(1, motion.frameCount);

/** world_from_joint of every frame. */
export function worldOf(sinew: Sinew, motion: Motion, body: Skeleton): Float32Array {
  const joints = body.jointCount;
  const frames = shownFrames(motion);
  const out = new Float32Array(frames * joints * 7);
  using pose = sinew.poseCreate(body);
  for (let frame = 0; frame < frames; frame++) {
    if (motion.frameCount) sinew.motionGet(motion, frame, pose);
    sinew.poseForward(pose);
    copyWorld(pose.world, out, frame * joints * 7);
  }
  return out;
}

/** From (w x y z, tx ty tz) to (tx ty tz, x y z w). */
export function copyWorld(world: Float64Array, out: Float32Array, at: number): void {
  for (let k = 0; k < world.length; k += 7, at += 7) {
    out[at] = world[k + 4];
    out[at + 1] = world[k + 5];
    out[at + 2] = world[k + 6];
    out[at + 3] = world[k + 1];
    out[at + 4] = world[k + 2];
    out[at + 5] = world[k + 3];
    out[at + 6] = world[k];
  }
}

function transposed(value: Float64Array, rows: number, columns: number, scale: (column: number) => number): Float32Array {
  const out = new Float32Array(rows * columns);
  for (let c = 0; c < columns; c++) for (let r = 0; r < rows; r++) out[c * rows + r] = value[r * columns + c] * scale(c);
  return out;
}

/** Every joint's own coordinates, as a .mot file has them. */
function coordinates(sinew: Sinew, motion: Motion, up: number): AngleTable {
  using table = sinew.tableFromMotion(motion, up);
  return { convention: "joint coordinates", name: table.column, values: transposed(table.value, table.rowCount, table.columnCount, () => 1) };
}

function angleTable(angles: Angles, convention: string): AngleTable {
  const column = angles.column;
  const values = transposed(angles.value, angles.frameCount, angles.columnCount, (c) => (column[c].isLength ? 1 : 180 / Math.PI));
  return { convention, name: column.map((c) => c.name), values };
}

/** Angles by the markers where the labels are those of gait laboratories, by the person's own axes, and plain coordinates. */
function anglesOf(sinew: Sinew, motion: Motion, up: number, trial: Trial | null): AngleTable[] {
  const tables = [
    () => {
      using angles = sinew.anglesFromMotion(motion);
      return angleTable(angles, "functional");
    },
    () => coordinates(sinew, motion, up),
  ];
  const verdictOf = (angles: Angles): number => {
    const judged = {} as Judgements;
    sinew.anglesJudge(angles, judged);
    return judged.verdict;
  };
  if (trial)
    tables.unshift(() => {
      const model = {} as GaitModel;
      sinew.gaitModelMake(trial, null, null, model, null);
      using angles = sinew.anglesMeasure(trial, model, AngleConvention.PIG);
      using own = sinew.anglesFromMotion(motion);
      if (verdictOf(own) < verdictOf(angles)) throw new Error("angles that nobody has: a wand in front of the thigh, and the like");
      return angleTable(angles, "Plug-in-Gait");
    });
  return tables.flatMap((make) => {
    try {
      return [make()];
    } catch {
      return []; // these markers or this body have no such angles
    }
  });
}

/** A body and its motion, of a file or found. */
export function motionData(sinew: Sinew, body: Skeleton, motion: Motion, about: { name: string; title: string; notes: string[]; up: number }): BodyData {
  return {
    ...about,
    summary: "",
    joints: jointsOf(sinew, body, null),
    frameCount: shownFrames(motion),
    rate: motion.rate,
    world: worldOf(sinew, motion, body),
    angles: motion.frameCount ? anglesOf(sinew, motion, about.up, null) : [],
    jointOf: null,
    segmentNames: [],
    segmentOf: null,
    residual: null,
    judgement: null,
    seconds: 0,
  };
}

/** Coordinates without a body (OpenSim's MOT, STO): nothing to draw, but curves. */
export function tableData(table: Table, name: string, notes: string[]): BodyData {
  const { rowCount, columnCount, column, rate } = table;
  return {
    name, title: "", summary: "", joints: [], frameCount: rowCount, rate, up: 0, world: new Float32Array(),
    angles: [{ convention: "as in the file", name: column, values: transposed(table.value, rowCount, columnCount, () => 1) }],
    jointOf: null, segmentNames: [], segmentOf: null, residual: null, judgement: null, seconds: 0,
    notes: ["coordinates over time, without a body to draw: the graphs show them", ...notes],
  };
}

/** A hand or an upper body. */
export function actData(sinew: Sinew, { motion, title, summary, notes, up, seconds }: Act, name: string): BodyData {
  return { ...motionData(sinew, motion.skeleton, motion, { name, title, notes, up }), summary, seconds };
}

function judgementOf(sinew: Sinew, found: Judgements): JudgementData {
  const items = found.item.slice(0, found.count).map(({ verdict, joint, marker, frame, sentence }) => ({ verdict: sinew.verdictName(verdict), joint, marker, frame, sentence }));
  return { verdict: sinew.verdictName(found.verdict), items };
}

/** What of a trial's gaps another trial with the same markers first has filled. */
export function filledData(trial: Trial, filled: Trial, method: string): FilledData {
  const { positions, states } = positionsOf(filled, trial.markerCount);
  const before = trial.state;
  const { markerCount, frameCount } = trial;
  let gapCount = 0;
  let filledCount = 0;
  for (let m = 0; m < markerCount; m++)
    for (let f = 0; f < frameCount; f++) {
      const at = f * markerCount + m;
      if (before[at] || (f > 0 && !before[at - markerCount])) continue;
      gapCount++;
      if (states[at]) filledCount++;
    }
  return { method, positions, states, gapCount, filledCount };
}

/** A body that was found in a capture, with what is left over. */
export function solvedData(sinew: Sinew, { trial, segments }: Solution, solved: SolvedBody, about: { name: string; title: string; seconds: number }): BodyData {
  const { actor, motion, report, residuals, notes, judgements } = solved;
  const { name, title, seconds } = about;
  const body = actor.skeleton;
  const plain = motionData(sinew, body, motion, { name, title, notes: sentences(notes), up: trial.up });
  const perMarker = residuals.marker;
  const { frameCount, markerCount } = residuals;
  const distance = new Float32Array(frameCount * markerCount);
  const byFrame = residuals.distance;
  for (let m = 0; m < markerCount; m++) for (let f = 0; f < frameCount; f++) distance[m * frameCount + f] = byFrame[f * markerCount + m];
  return {
    ...plain,
    joints: jointsOf(sinew, body, actor),
    jointOf: Int32Array.from(perMarker, (m) => m.joint),
    segmentNames: segments ? segments.segment.map((segment) => segment.name) : [],
    segmentOf: segments ? segments.segmentOf.slice() : null,
    residual: {
      rms: report.residual,
      outlierShare: report.outlierShare,
      lostFrames: report.lostCount,
      marker: Float32Array.from(perMarker, (m) => m.rms),
      frame: Float32Array.from(residuals.frameRms),
      distance,
    },
    angles: anglesOf(sinew, motion, trial.up, trial),
    judgement: judgementOf(sinew, judgements!),
    seconds,
  };
}

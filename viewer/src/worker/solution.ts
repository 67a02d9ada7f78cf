// From markers to the bodies in them: the library's one solve, asked as `sinew solve` asks it.
import type { Sinew, Solution, SolveOptions as Asked, Trial } from "sinew";
import { NoteCode, SampleState, SolveStage } from "sinew";
import type { SolveOptions } from "../protocol";
import type { Context } from "./context";

/** In the order of SNW_CENTER_METHOD_MAP. */
const centerMethods = ["two-sided", "mvm", "gamage-lasenby", "halvorsen", "geometric", "kalman"];
/** Said where a capture holds more than one body. */
const notesOfSeveral: number[] = [NoteCode.ACTORS, NoteCode.OBJECT, NoteCode.SEGMENTS_APART];

/** The capture as it is shown: zeros, pieces and names as the command has them, labels where the file has them. */
export function prepare({ sinew, progress }: Context, raw: Trial): Solution {
  progress("joining trajectories and recognising the person", 0.3);
  return sinew.solve(raw, { stopsAfter: SolveStage.PREPARED, keepsSwaps: true, keepsSlips: true });
}

/** The trial that gaps are filled in: labels that were exchanged for a while put right, as `sinew fill` does. */
export function repaired(sinew: Sinew, trial: Trial, prepared: Solution | null): Solution {
  return sinew.solve(trial, { prepared: prepared as Solution, stopsAfter: SolveStage.PREPARED, keepsOpenSwaps: true, keepsSlips: true });
}

/** Every actor of the capture, or the one body that is asked for. */
export function solveBodies({ sinew, progress }: Context, trial: Trial, prepared: Solution | null, options: SolveOptions): Solution {
  progress("finding segments and joints, solving every frame", 0.2);
  const asked: Partial<Asked> = { segmentMethod: sinew.segmentMethodFind(options.segments), part: options.part };
  if (prepared) asked.prepared = prepared;
  if (options.root) asked.root = options.root;
  if (options.method !== "auto") asked.method = centerMethods.indexOf(options.method);
  if (options.markerSet) asked.markerSet = { bytes: options.markerSet, size: options.markerSet.length } as never;
  if (!options.actor) return sinew.solve(trial, asked);
  using actor = sinew.actorParse(options.actor);
  return sinew.solve(trial, { ...asked, actor });
}

/** Bodies of the capture, objects too. */
export function countBodies(sinew: Sinew, solution: Solution): number {
  const said = solution.body[0].notes;
  const isApart = said?.note.slice(0, said.count).some(({ code }) => notesOfSeveral.includes(code));
  if (!isApart || !solution.segments) return solution.bodyCount;
  using tree = sinew.treeFind(solution.trial, solution.segments);
  return tree.bodyCount;
}

/** The capture as all bodies see it: gaps filled, and every joint's centre as one more point. */
export function viewOf(sinew: Sinew, solution: Solution): Trial {
  let view: Trial | null = null;
  for (const { actor, motion } of solution.body) {
    const before: Trial | null = view;
    view = sinew.actorTrial({ actor, motion, made: SampleState.FILLED }, before ?? solution.trial);
    before?.dispose();
  }
  return view!;
}

/** What the library did and guessed, in its words. */
export function sentences(notes: Solution["notes"]): string[] {
  return notes ? notes.note.slice(0, notes.count).map((note) => note.text) : [];
}

// From markers to the bodies in them: segments, skeleton, motion, in the steps and the order of `sinew solve`.
import type { Actor, ActorOptions, Segments, Motion, Note, SolveReport, Trial } from "sinew";
import { NoteCode, SampleState } from "sinew";
import type { SolveOptions } from "../protocol";
import type { Context } from "./context";
import { withoutSwaps } from "./prepare";

/** In the order of SNW_CENTER_METHOD_MAP. */
const centerMethods = ["two-sided", "mvm", "gamage-lasenby", "halvorsen", "geometric", "kalman"];
/** Said of the capture, and so with the first body alone. */
const notesOfCapture: number[] = [NoteCode.ACTORS, NoteCode.OBJECT, NoteCode.SEGMENTS_APART];

/** One person or thing of the capture. */
export interface SolvedBody {
  /** As this trial shows it: ranges, limits and verdicts are of this motion. */
  actor: Actor;
  /** As it is kept for the next trial. */
  kept: Actor;
  motion: Motion;
  report: SolveReport;
  notes: string[];
  seconds: number;
}

export class Solution {
  readonly bodies: SolvedBody[] = [];
  segments: Segments | null = null;
  /** Bodies of the capture, objects too. */
  bodyCount = 1;
  private repaired: Trial | null = null;

  constructor(private readonly context: Context, private readonly given: Trial) {}

  /** The trial that was solved. */
  get trial(): Trial {
    return this.repaired ?? this.given;
  }
  /** Markers that had exchanged their labels were put right. */
  get isRepaired(): boolean {
    return this.repaired !== null;
  }

  dispose(): void {
    for (const { motion, actor, kept } of this.bodies) for (const thing of [motion, actor, kept]) thing.dispose();
    this.segments?.dispose();
    this.repaired?.dispose();
    this.bodies.length = 0;
  }

  /** Every actor of the capture, or the one body that is asked for. */
  solve(options: SolveOptions): void {
    const { sinew, progress } = this.context;
    const notes: Note[] = [];
    let start = performance.now();
    if (options.actor) {
      this.solveWith(sinew.actorParse(options.actor), notes, start);
      return;
    }
    progress("finding segments", 0.1);
    this.repaired = withoutSwaps(sinew, this.given, true, notes);
    this.segments = options.markerSet
      ? sinew.segmentsFromSet(this.trial, { bytes: options.markerSet, size: options.markerSet.length } as never, null)
      : sinew.segmentsFind(this.trial, { method: sinew.segmentMethodFind(options.segments) }, notes);
    const asked = actorOptions(options);
    const first = options.part ? options.part - 1 : 0;
    let count = 1;
    for (let part = first; part < first + count; part++) {
      const own: Note[] = part === first ? notes : [];
      progress(count > 1 ? `placing joints of body ${part + 1} of ${count}` : "placing joints", 0.25);
      const actor = sinew.actorCalibrate(this.trial, this.segments, { ...asked, part }, own);
      this.solveWith(actor, part === first ? own : own.filter((note) => !notesOfCapture.includes(note.code)), start);
      if (part === first) count = this.countActors(options, asked, own);
      start = performance.now();
    }
  }

  private solveWith(kept: Actor, notes: Note[], start: number): void {
    const { sinew, progress } = this.context;
    progress("solving every frame", 0.65);
    const report = {} as SolveReport;
    const motion = sinew.actorSolve(kept, this.trial, null, report);
    const actor = sinew.actorDescribe(kept, motion);
    this.bodies.push({ actor, kept, motion, report, notes: notes.map((note) => note.text), seconds: (performance.now() - start) / 1000 });
  }

  /** How many to solve: all actors, unless one body or its root was asked for. */
  private countActors(options: SolveOptions, asked: Partial<ActorOptions>, notes: Note[]): number {
    const isApart = notes.some(({ code }) => notesOfCapture.includes(code));
    if (!isApart || options.root) return 1;
    using tree = this.context.sinew.treeFind(this.trial, this.segments, asked);
    this.bodyCount = tree.bodyCount;
    return options.part || !notes.some(({ code }) => code === NoteCode.ACTORS) ? 1 : tree.actorCount;
  }

  /** The capture as all bodies see it: gaps filled, and every joint's centre as one more point. */
  view(): Trial {
    const { sinew } = this.context;
    let view: Trial | null = null;
    for (const { actor, motion } of this.bodies) {
      const before: Trial | null = view;
      view = sinew.actorTrial(actor, before ?? this.trial, motion, SampleState.FILLED);
      before?.dispose();
    }
    return view!;
  }
}

function actorOptions(options: SolveOptions): Partial<ActorOptions> {
  const asked: Partial<ActorOptions> = {};
  if (options.root) asked.root = options.root;
  if (options.method !== "auto") asked.method = centerMethods.indexOf(options.method);
  return asked;
}

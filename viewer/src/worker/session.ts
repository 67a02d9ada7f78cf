// What is open in the worker: the trial as read, as prepared, with corrections; the bodies found in it; or a motion that a file
// brought. The steps are those of the command.
import type { Filled, Motion, Note, Skeleton, Solution, Trial } from "sinew";
import { FormatKind, UpAxis } from "sinew";
import type { BodyData, CaptureData, Edit, FilledData, Opened, Requests, RigChoice, SkinData, SolvedData, SolveOptions } from "../protocol";
import { act, kindOf, type Act, type Kind } from "./act";
import { actData, filledData, motionData, solvedData, tableData } from "./body_data";
import { captureData } from "./capture_data";
import type { Context } from "./context";
import { edited } from "./edit";
import { example } from "./examples";
import { skinOf } from "./skin";
import { countBodies, prepare, repaired, sentences, solveBodies, viewOf } from "./solution";
import { atRate, motionBytes, personBytes, pointsBytes } from "./write";

/** A file that was read. */
export interface FileBytes {
  name: string;
  bytes: Uint8Array;
}

export class Session {
  private name = "";
  private format = "";
  private kindOfFile: number = FormatKind.UNKNOWN;
  private notes: string[] = [];
  // The capture: as read, ready to be solved, as corrected.
  private raw: Trial | null = null;
  private prepared: Solution | null = null;
  private corrected: Trial | null = null;
  // What moves: found in the capture, or of a file.
  private solution: Solution | null = null;
  private acts: Act[] = [];
  private motion: Motion | null = null;
  private filled: Filled | null = null;
  /** Coordinates over time that a file brought without a body. */
  private table: BodyData | null = null;

  constructor(private readonly context: Context) {}

  /** Forgets everything and gives all memory back. */
  close(): void {
    this.forgetBody();
    for (const thing of [this.corrected, this.prepared, this.raw]) thing?.dispose();
    this.corrected = this.prepared = this.raw = null;
    this.notes = [];
    this.table = null;
  }

  private forgetBody(): void {
    for (const thing of [this.solution, ...this.acts, this.motion, this.filled]) thing?.dispose();
    this.solution = this.motion = this.filled = null;
    this.acts = [];
  }

  /** The trial that is shown and solved. */
  private get trial(): Trial | null {
    return this.corrected ?? this.prepared?.trial ?? this.raw;
  }

  /** The skeleton that is shown: of a file, or found. */
  get body(): Skeleton | null {
    return this.solution?.body[0]?.actor.skeleton ?? this.acts[0]?.motion.skeleton ?? this.motion?.skeleton ?? null;
  }

  // ---- opening ----

  open(files: FileBytes[], edits: Edit[]): Opened {
    const { sinew, progress } = this.context;
    this.close();
    progress("reading", 0.05);
    const opened: Opened = { capture: null, body: null, actor: null, markerSet: null };
    const asf = files.find((file) => sinew.detectFormat(file.bytes) === FormatKind.ASF);
    for (const file of files) {
      if (startsWith(file.bytes, "sinew-actor")) opened.actor = file.bytes;
      else if (isMarkerSet(file)) opened.markerSet = file.bytes;
      else this.openOne(file, asf ?? null, files);
    }
    if (this.raw) {
      this.prepared = prepare(this.context, this.raw);
      if (edits.length) this.corrected = edited(sinew, this.trial!, edits);
      opened.capture = this.captureNow(this.trial!);
    }
    if (this.raw && !this.motion) this.takeRotations(this.raw);
    if (this.motion) opened.body = motionData(sinew, this.motion.skeleton, this.motion, { name: this.name, title: "", notes: this.raw ? [] : this.notes, up: this.upOfMotion });
    if (!this.raw && !this.motion) opened.body = this.table;
    return opened;
  }

  /** Bones that a file brings as rotations, without markers: a motion already, as `sinew convert` makes it. */
  private takeRotations(raw: Trial): void {
    if (!raw.rotationCount || raw.markerCount > 2 || this.kind === "trackers") return;
    try {
      this.takeMotion(this.context.sinew.motionFromRotations(raw));
    } catch {
      // the rotations are of no known parts: the capture is shown as it is
    }
  }

  /** Files of motions have y up; bodies of robots, and rotations whose file does not say it, z. */
  get upOfMotion(): number {
    if (this.raw) return this.raw.up || UpAxis.Z;
    return isRobot(this.kindOfFile) ? UpAxis.Z : UpAxis.Y;
  }

  private openOne(file: FileBytes, asf: FileBytes | null, files: FileBytes[]): void {
    const { sinew } = this.context;
    const kind = sinew.detectFormat(file.bytes);
    const hasAmc = files.some((f) => sinew.detectFormat(f.bytes) === FormatKind.AMC);
    const notes: Note[] = [];
    if (kind === FormatKind.AMC) {
      if (!asf) throw new Error(`${file.name} holds motion without a body: drop its .asf file along with it`);
      this.takeMotion(sinew.readAcclaim({ asf, amc: file }, null, notes));
    } else if (kind === FormatKind.ASF && hasAmc) {
      return; // read together with its motion
    } else if (sinew.formatReadsMotion(kind)) {
      this.takeMotion(sinew.readMotion(file, null, notes));
    } else if (kind === FormatKind.MOT) {
      using table = sinew.readTable(file, null, notes);
      this.table = tableData(table, file.name, notes.map((note) => note.text));
    } else {
      this.raw = sinew.readTrial(file, null, notes);
    }
    this.name = file.name;
    this.kindOfFile = kind;
    this.format = sinew.formatName(kind);
    this.notes = notes.map((note) => note.text);
  }

  private takeMotion(motion: Motion): void {
    this.forgetBody();
    this.motion = motion;
  }

  /** A capture made on the spot. */
  example(name: string, seconds: number): Opened {
    const { sinew, progress } = this.context;
    this.close();
    progress("making a capture", 0.05);
    this.raw = example(sinew, name, seconds);
    this.name = name;
    this.format = "made by synth";
    return { capture: this.captureNow(this.raw), body: null, actor: null, markerSet: null };
  }

  private captureNow(trial: Trial): CaptureData {
    const known = this.solution ?? this.prepared;
    this.context.progress("preparing the picture", 0.8);
    return captureData(this.context.sinew, trial, {
      name: this.name, format: this.format, notes: [...this.notes, ...sentences(known?.notes ?? null)],
      joinedFrom: known?.joinCount ? this.raw!.markerCount : 0, isRecognised: known?.recognition.isPerson ?? false, kind: this.kind,
    });
  }

  /** What the labels of the file tell, whatever was made of them since. */
  private get kind(): Kind {
    return kindOf(this.context.sinew, this.raw!);
  }

  /** All corrections anew, from the trial that was read. */
  edit(edits: Edit[]): CaptureData {
    if (!this.raw) throw new Error("there is no capture to correct");
    this.forgetBody();
    this.corrected?.dispose();
    this.corrected = null;
    if (edits.length) this.corrected = edited(this.context.sinew, this.trial!, edits);
    return this.captureNow(this.trial!);
  }

  // ---- solving ----

  solve(options: SolveOptions): SolvedData {
    if (!this.raw || !this.trial) throw new Error("there are no markers to solve");
    this.forgetBody();
    const kind = options.kind === "auto" ? this.kind : options.kind;
    return kind === "body" ? this.solveBodies(this.trial, options) : this.solveActs(this.corrected ?? this.raw, kind, options);
  }

  private solveBodies(trial: Trial, options: SolveOptions): SolvedData {
    const { sinew, progress } = this.context;
    const start = performance.now();
    const solution = (this.solution = solveBodies(this.context, trial, this.prepared, options));
    const seconds = (performance.now() - start) / 1000;
    progress("preparing the picture", 0.85);
    const isRepaired = (solution.notes?.count ?? 0) > (this.prepared?.notes?.count ?? 0) || solution.slips.count > 0;
    const several = solution.bodyCount > 1;
    using view = viewOf(sinew, solution);
    return {
      bodies: solution.body.map((body, n) => solvedData(sinew, solution, body, { name: this.name, title: several ? `Body ${n + 1}` : "", seconds })),
      filled: filledData(solution.trial, view, "by the body"),
      capture: isRepaired ? this.captureNow(solution.trial) : null,
      bodyCount: options.root ? 1 : countBodies(sinew, solution),
    };
  }

  private solveActs(trial: Trial, kind: Kind, options: SolveOptions): SolvedData {
    this.acts = act(this.context, trial, kind, options);
    const bodies: BodyData[] = this.acts.map((one) => actData(this.context.sinew, one, this.name));
    return { bodies, filled: null, capture: null, bodyCount: bodies.length };
  }

  /** The surface of the nth body that is shown. */
  skin(body: number): SkinData | null {
    const { sinew } = this.context;
    const solved = this.solution?.body[body];
    if (solved) return skinOf(sinew, solved.motion, solved.actor, this.solution?.body.length === 1 ? this.solution.trial : null);
    const motion = this.acts.length ? this.acts[body]?.motion : this.motion;
    return motion && !isRobot(this.kindOfFile) ? skinOf(sinew, motion, null, null) : null;
  }

  // ---- filling ----

  /** Gaps filled without a body, as `sinew fill` does; of the markers that are shown, joined and named. */
  fill(method: string): FilledData {
    const { sinew, progress } = this.context;
    const trial = this.trial;
    if (!trial) throw new Error("there are no markers to fill");
    progress("filling gaps", 0.3);
    this.filled?.dispose();
    using ready = repaired(sinew, trial, this.prepared);
    this.filled = sinew.trialFill(ready.trial, { method: sinew.fillMethodFind(method) });
    return filledData(ready.trial, this.filled.trial, method);
  }

  // ---- writing what the command writes ----

  write({ what, ending, body, up, rig }: Requests["write"]): Uint8Array {
    const { sinew } = this.context;
    const kind = sinew.formatFromName(`x${ending}`);
    switch (what) {
      case "capture": return sinew.writeTrial(need(this.corrected ?? this.raw, "capture"), kind);
      case "filled": return sinew.writeTrial(need(this.filled, "filled capture").trial, kind);
      case "motion": return this.writeMotion(body, kind, up, rig);
      case "points": return pointsBytes(sinew, this.acts.map((one) => one.motion), up || need(this.acts[0], "motion").up, kind);
      case "actor": return new TextEncoder().encode(sinew.actorPrint(need(this.solution?.body[body]?.kept ?? this.acts[body]?.actor, "actor")));
      case "solved": {
        using view = viewOf(sinew, need(this.solution, "solved body"));
        return sinew.writeTrial(view, kind);
      }
    }
  }

  private writeMotion(body: number, kind: number, up: number, rig: RigChoice): Uint8Array {
    const { sinew } = this.context;
    const solved = this.solution?.body[body];
    if (solved) return atRate(sinew, solved.motion, rig.rate, (motion) => personBytes(sinew, motion, up || this.solution!.trial.up, kind, rig, solved.actor));
    const one = this.acts[body];
    if (one) return atRate(sinew, one.motion, rig.rate, (motion) => (one.isPerson ? personBytes(sinew, motion, up || one.up, kind, rig) : motionBytes(sinew, motion, up || one.up, kind)));
    return atRate(sinew, need(this.motion, "motion"), rig.rate, (motion) => motionBytes(sinew, motion, up || (this.raw ? this.upOfMotion : 0), kind));
  }
}

function need<T>(thing: T | null | undefined, name: string): T {
  if (!thing) throw new Error(`there is no ${name} to write`);
  return thing;
}

const isRobot = (kind: number): boolean => kind === FormatKind.URDF || kind === FormatKind.MJCF;

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder().decode(bytes.subarray(0, text.length)) === text;
}

/** A list of segments, a marker set, or a correlation file: text whose ending or words say so. */
function isMarkerSet(file: FileBytes): boolean {
  if (!/\.(set|mkr|markerset|segments)$/i.test(file.name)) return false;
  return !file.bytes.subarray(0, 512).includes(0);
}

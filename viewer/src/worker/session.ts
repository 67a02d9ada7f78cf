// What is open in the worker: the trial as read, the trial with corrections, the solved body; or a motion that a file brought.
// The steps are those of the command: read, join, (correct,) limbs, calibrate, solve, write.
import type { Actor, ActorOptions, Filled, Joined, Limbs, Motion, Note, RigOptions, SinewError, Skeleton, SolveReport, Synth, Trial } from "sinew";
import { FormatKind, SampleState, UpAxis } from "sinew";
import type { BodyData, CaptureData, Edit, FilledData, Opened, SolveOptions, Written } from "../protocol";
import { filledData, motionData, solvedData } from "./body_data";
import { captureData } from "./capture_data";
import type { Context } from "./context";
import { edited } from "./edit";

/** A file that was read. */
export interface FileBytes {
  name: string;
  bytes: Uint8Array;
}

export class Session {
  private name = "";
  private format = "";
  private raw: Trial | null = null;
  private joined: Joined | null = null;
  private corrected: Trial | null = null;
  private synth: Synth | null = null;
  private skeleton: Skeleton | null = null;
  private motion: Motion | null = null;
  private actor: Actor | null = null;
  private limbs: Limbs | null = null;
  private filled: Filled | null = null;
  private notes: string[] = [];

  constructor(private readonly context: Context) {}

  /** Forgets everything and gives all memory back. */
  close(): void {
    this.forgetBody();
    for (const thing of [this.corrected, this.joined, this.synth ? null : this.raw, this.synth]) thing?.dispose();
    this.corrected = this.joined = this.raw = this.synth = null;
    this.notes = [];
  }

  private forgetBody(): void {
    for (const thing of [this.motion, this.actor, this.limbs, this.skeleton, this.filled]) thing?.dispose();
    this.motion = this.actor = this.limbs = this.skeleton = this.filled = null;
  }

  /** The trial that is shown and solved. */
  private get trial(): Trial | null {
    return this.corrected ?? this.joined?.trial ?? this.raw;
  }

  /** The skeleton that is shown: of a file, or found. */
  get body(): Skeleton | null {
    return this.actor?.skeleton ?? this.skeleton;
  }

  // ---- opening ----

  open(files: FileBytes[], join: boolean, edits: Edit[]): Opened {
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
    if (this.raw) opened.capture = this.prepare(join, edits);
    if (this.motion && this.skeleton) opened.body = motionData(sinew, this.skeleton, this.motion, { name: this.name, notes: this.notes, up: 2 });
    return opened;
  }

  private openOne(file: FileBytes, asf: FileBytes | null, files: FileBytes[]): void {
    const { sinew } = this.context;
    const kind = sinew.detectFormat(file.bytes);
    const hasAmc = files.some((f) => sinew.detectFormat(f.bytes) === FormatKind.AMC);
    const notes: Note[] = [];
    if (kind === FormatKind.AMC) {
      if (!asf) throw new Error(`${file.name} holds motion without a body: drop its .asf file along with it`);
      this.takeMotion(sinew.readAcclaim(asf, file, null, notes));
    } else if (kind === FormatKind.ASF && hasAmc) {
      return; // read together with its motion
    } else if (sinew.formatReadsMotion(kind)) {
      this.takeMotion(sinew.readMotion(file, null, notes));
    } else {
      this.raw = sinew.readTrial(file, null, notes);
    }
    this.name = file.name;
    this.format = sinew.formatName(kind);
    this.notes = notes.map((note) => note.text);
  }

  private takeMotion({ skeleton, motion }: { skeleton: Skeleton; motion: Motion }): void {
    this.forgetBody();
    this.skeleton = skeleton;
    this.motion = motion;
  }

  /** A capture made on the spot, with a few gaps to show what gaps are. */
  example(motion: string, seconds: number): Opened {
    const { sinew, progress } = this.context;
    this.close();
    progress("making a capture", 0.05);
    using body = sinew.presetCreate(motion === "gestures" ? "hand25" : "humanoid");
    const gap = (target: string, markerCount: number, firstFrame: number, frameCount: number) => ({ target, markerCount, firstFrame, frameCount });
    const gaps = motion === "gestures" ? [] : [gap("LWRA", 0, 150, 70), gap("right_knee", 1, 320, 90), gap("LFHD", 0, 60, 45), gap("right_elbow", 1, 480, 60)];
    this.synth = sinew.synthCreate(body, null, { motion: sinew.synthMotionFromName(motion), seconds, rate: 120, gap: gaps as never, wobble: 0.001, noise: 0.0003 });
    this.raw = this.synth.capture;
    this.name = motion;
    this.format = "made by synth";
    return { capture: this.prepare(false, []), body: null, actor: null, markerSet: null };
  }

  private prepare(join: boolean, edits: Edit[]): CaptureData {
    const { sinew, progress } = this.context;
    if (join) {
      progress("joining trajectories", 0.3);
      const notes: Note[] = [];
      this.joined = sinew.trialJoin(this.raw, null, notes);
      this.notes.push(...notes.map((note) => note.text));
    }
    if (edits.length) this.corrected = edited(sinew, this.joined?.trial ?? this.raw!, edits);
    return this.captureNow();
  }

  private captureNow(): CaptureData {
    const trial = this.trial!;
    const joinedFrom = this.joined && this.joined.joinCount > 0 ? this.raw!.markerCount : 0;
    this.context.progress("preparing the picture", 0.8);
    return captureData(this.context.sinew, trial, { name: this.name, format: this.format, notes: this.notes, joinedFrom });
  }

  /** All corrections anew, from the trial that was read. */
  edit(edits: Edit[]): CaptureData {
    if (!this.raw) throw new Error("there is no capture to correct");
    this.forgetBody();
    this.corrected?.dispose();
    this.corrected = null;
    if (edits.length) this.corrected = edited(this.context.sinew, this.trial!, edits);
    return this.captureNow();
  }

  // ---- solving ----

  solve(options: SolveOptions): BodyData {
    const { sinew, progress } = this.context;
    const trial = this.trial;
    if (!trial) throw new Error("there are no markers to solve");
    this.forgetBody();
    const notes: Note[] = [];
    const start = performance.now();
    if (options.actor) {
      this.actor = sinew.actorParse(options.actor);
    } else {
      progress("finding limbs", 0.1);
      this.limbs = options.markerSet
        ? sinew.limbsFromSet(trial, { bytes: options.markerSet, size: options.markerSet.length } as never, null)
        : sinew.limbsFind(trial, { method: sinew.limbMethodFind(options.limbs) }, notes);
      progress("placing joints", 0.25);
      const asked: Partial<ActorOptions> = {};
      if (options.root) asked.root = options.root;
      if (options.method !== "auto") asked.method = centerMethods.indexOf(options.method);
      this.actor = sinew.actorCalibrate(trial, this.limbs, asked, notes);
    }
    progress("solving every frame", 0.65);
    const report = {} as SolveReport;
    this.motion = sinew.actorSolve(this.actor, trial, null, report);
    progress("preparing the picture", 0.85);
    const seconds = (performance.now() - start) / 1000;
    const solved = { trial, actor: this.actor, limbs: this.limbs, motion: this.motion, report };
    return solvedData(sinew, solved, { name: this.name, notes: notes.map((note) => note.text), seconds });
  }

  // ---- filling ----

  /** Gaps filled without a body, as `sinew fill` does. */
  fill(method: string): FilledData {
    const { sinew, progress } = this.context;
    const trial = this.trial;
    if (!trial) throw new Error("there are no markers to fill");
    progress("filling gaps", 0.3);
    this.filled?.dispose();
    this.filled = sinew.trialFill(trial, { method: sinew.fillMethodFind(method) });
    return filledData(trial, this.filled.trial, method);
  }

  // ---- writing what the command writes ----

  write(what: Written, ending: string): Uint8Array {
    const { sinew } = this.context;
    const kind = sinew.formatFromName(`x${ending}`);
    if (what === "capture") return sinew.writeTrial(this.need(this.corrected ?? this.raw, "capture"), kind);
    if (what === "motion") return this.writeMotion(kind);
    if (what === "filled") return sinew.writeTrial(this.need(this.filled, "filled capture").trial, kind);
    const actor = this.need(this.actor, "solved body");
    if (what === "actor") return new TextEncoder().encode(sinew.actorPrint(actor));
    using view = sinew.actorTrial(actor, this.trial, this.motion, SampleState.FILLED);
    return sinew.writeTrial(view, kind);
  }

  /** A solved person leaves for animation programs in a T-pose that faces +Z, as from the command. */
  private writeMotion(kind: number): Uint8Array {
    const { sinew } = this.context;
    const motion = this.need(this.motion, "motion");
    const up = this.trial?.up ?? 0;
    if (!this.actor || (kind !== FormatKind.BVH && kind !== FormatKind.GLB)) return sinew.writeMotion(motion, kind, up ? { up } : null);
    const options: Partial<RigOptions> = { hasTPose: true };
    if (kind === FormatKind.GLB) options.boneAxis = "y".charCodeAt(0);
    if (up) options.up = sinew.upDirection(up);
    let rig: { skeleton: Skeleton; out: Motion };
    try {
      rig = sinew.motionToRig(motion, options);
    } catch (error) {
      if ((error as SinewError).code !== "UNSUPPORTED") throw error;
      return sinew.writeMotion(motion, kind, { up }); // not a person: the rest pose is one of the capture
    }
    rig.out.metresPerUnit = motion.metresPerUnit;
    const bytes = sinew.writeMotion(rig.out, kind, { up: UpAxis.Y });
    rig.out.dispose();
    rig.skeleton.dispose();
    return bytes;
  }

  private need<T>(thing: T | null, name: string): T {
    if (!thing) throw new Error(`there is no ${name} to write`);
    return thing;
  }
}

/** In the order of SNW_CENTER_METHOD_MAP. */
export const centerMethods = ["two-sided", "mvm", "gamage-lasenby", "halvorsen", "geometric", "kalman"];

function startsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder().decode(bytes.subarray(0, text.length)) === text;
}

/** A list of limbs, a marker set, or a correlation file: text whose ending or words say so. */
function isMarkerSet(file: FileBytes): boolean {
  if (!/\.(set|mkr|markerset|limbs)$/i.test(file.name)) return false;
  return !file.bytes.subarray(0, 512).includes(0);
}

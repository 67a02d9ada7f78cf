// What travels between the page and its worker. Arrays are transferred, never copied twice.

/** A file travels by reference; the worker reads its bytes. */
export interface NamedFile {
  name: string;
  blob: Blob;
}

export interface MarkerInfo {
  name: string;
  description: string;
  /** "marker"; else what another program computed: "joint centre", "angle", "force", ... */
  kind: string;
  seen: number;
  gaps: number;
  longestGap: number;
}

export interface EventInfo {
  /** Seconds from the first frame of the trial. */
  time: number;
  label: string;
  context: string;
}

export interface AnalogData {
  name: string[];
  unit: string[];
  perFrame: number;
  /** Channel-major: channel * frames * perFrame + sample. */
  values: Float32Array;
}

export interface CaptureData {
  name: string;
  format: string;
  frameCount: number;
  firstFrame: number;
  rate: number;
  unit: string;
  up: number;
  markers: MarkerInfo[];
  /** (frame x marker x 3) metres in the lab's axes; NaN where missing. */
  positions: Float32Array;
  /** (frame x marker) 0 missing, 1 measured, 2 filled, 3 predicted. */
  states: Uint8Array;
  /** (frame) share of markers seen, 0..255. */
  presence: Uint8Array;
  /** Frames of bones or trackers that the file holds beside the markers. */
  rotationCount: number;
  analog: AnalogData | null;
  events: EventInfo[];
  plates: PlateData[];
  parameters: { group: string; name: string; text: string }[];
  notes: string[];
  /** How many trajectories of the file became these markers; 0: it has whole markers. */
  joinedFrom: number;
  /** A person was recognised in markers that nobody had named. */
  isRecognised: boolean;
  /** What is on it: markers of a body or a hand, or trackers. */
  kind: "body" | "hand" | "trackers";
}

export interface PlateData {
  /** Four corners, metres, lab's axes. */
  corners: number[][];
  /** (frame x 3) force on the body in newtons, and the point where it acts: NaN where the plate carries nothing. */
  force: Float32Array;
  point: Float32Array;
}

/** A camera of a calibration, in the lab's axes. */
export interface CameraData {
  name: string;
  /** Of the picture, pixels. */
  size: [number, number];
  place: number[];
  /** (3) unit: where the middle of the picture looks; (4 x 3) its corners, from the upper left one on. */
  axis: number[];
  corners: number[];
}

export interface JointLimits {
  swing: number;
  cone: number[];
  window: number[][];
  hasTwist: boolean;
  twist: number[];
  hasRange: boolean[];
  range: number[][];
}

export interface JointInfo {
  name: string;
  parent: number;
  type: string;
  boneLength: number;
  /** parent_from_joint at rest: x y z, qx qy qz qw. */
  rest: number[];
  tip: number[] | null;
  axis: number[];
  axis2: number[];
  limits: JointLimits;
  /** What the data said; null for bodies that come from a file. */
  verdict: string | null;
  isUncertain: boolean;
  uncertainty: number;
  /** In the joint's frame: nothing tells where along it the centre is. */
  freeAxis: number[] | null;
  residual: number;
  range: number;
}

export interface AngleTable {
  /** "Plug-in-Gait", "functional", "joint coordinates". */
  convention: string;
  name: string[];
  /** Column-major: column * frames + frame; degrees, metres. */
  values: Float32Array;
}

export interface BodyData {
  name: string;
  /** "Body 2", "Right hand"; "" where there is but one. */
  title: string;
  /** One sentence about it, where the residual of markers does not tell. */
  summary: string;
  joints: JointInfo[];
  frameCount: number;
  rate: number;
  up: number;
  /** (frame x joint x 7) x y z, qx qy qz qw: world_from_joint. */
  world: Float32Array;
  /** By convention, the most telling first; empty where none is known. */
  angles: AngleTable[];
  /** Marker of the capture -> joint that carries it, or -1; null without a capture. */
  jointOf: Int32Array | null;
  segmentNames: string[];
  /** Per marker of the capture; -1: takes no part. */
  segmentOf: Int32Array | null;
  residual: {
    rms: number;
    outlierShare: number;
    lostFrames: number;
    marker: Float32Array;
    frame: Float32Array;
    /** Marker-major: marker * frames + frame, metres. */
    distance: Float32Array;
  } | null;
  judgement: JudgementData | null;
  notes: string[];
  /** Seconds that the solve took. */
  seconds: number;
}

/** A person's surface at rest, in a T, and the joints that move it. */
export interface SkinData {
  /** (vertex x 3) metres. */
  position: Float32Array;
  normal: Float32Array;
  /** (vertex x 4) joints and their weights. */
  joint: Uint16Array;
  weight: Float32Array;
  /** (triangle x 3) */
  triangle: Uint32Array;
  /** (joint x 7) x y z, qx qy qz qw: from the surface at rest into the joint's frame. */
  bind: Float32Array;
  mass: MassData;
}

/** What the surface weighs, and how the whole moves. */
export interface MassData {
  /** (joint) kilograms that move with it. */
  joint: Float32Array;
  /** (frame x 10) centre of mass in metres, momentum in kg m/s, angular momentum about the centre in kg m2/s: x y z each; kinetic
   * energy in joules. Empty for a single frame. */
  row: Float32Array;
}

/** One window of an expansion in time: coefficients by powers of t - center, and the largest error of the samples. */
export interface TaylorTerms {
  center: number;
  coefficient: number[];
  error: number;
}

/** Positions and states of the capture's markers with gaps filled. */
export interface FilledData {
  method: string;
  positions: Float32Array;
  states: Uint8Array;
  gapCount: number;
  filledCount: number;
}

/** What a person should know before using the motion: one word for the whole, sentences with their places. */
export interface JudgementData {
  verdict: string;
  items: { verdict: string; joint: number; marker: number; frame: number; sentence: string }[];
}

export interface SolveOptions {
  /** What the markers are on: "auto" asks their labels. */
  kind: "auto" | "body" | "hand" | "trackers";
  segments: string;
  method: string;
  root: string;
  /** Which body alone, from 1; 0: every actor. */
  part: number;
  /** Bytes of an actor of the same person, instead of calibrating. */
  actor: Uint8Array | null;
  /** Bytes of a marker-set file. */
  markerSet: Uint8Array | null;
}

/** What a solve found: every actor, or what was asked for. */
export interface SolvedData {
  bodies: BodyData[];
  /** The capture with its gaps filled by the bodies. */
  filled: FilledData | null;
  /** The capture anew, where markers had exchanged their labels and were put right. */
  capture: CaptureData | null;
  /** Bodies of the capture, objects too. */
  bodyCount: number;
}

/** One correction of the markers, in the order they were made. Frames are from 0, `last` is included. */
export type Edit =
  | { kind: "rename"; marker: number; name: string }
  | { kind: "swap"; marker: number; other: number; first: number; last: number }
  | { kind: "split"; marker: number; frame: number; name: string }
  | { kind: "join"; marker: number; other: number }
  | { kind: "delete"; marker: number; first: number; last: number };

export interface Opened {
  capture: CaptureData | null;
  body: BodyData | null;
  /** What the files brought along for the next solve. */
  actor: Uint8Array | null;
  markerSet: Uint8Array | null;
}

/** The capture as corrected; its gaps filled; with gaps filled and joint centres by the bodies; joints as points; one body's motion; its actor. */
export type Written = "capture" | "filled" | "solved" | "points" | "motion" | "actor";

/** How a person leaves for animation programs: `--names`, `--floor`, `--foot-lock`, `--symmetric`, `--rate` of the command. */
export interface RigChoice {
  names: string;
  isOnFloor: boolean;
  hasFootLock: boolean;
  isSymmetric: boolean;
  /** Frames a second; 0: as captured. */
  rate: number;
}

export interface Requests {
  open: { files: NamedFile[]; edits: Edit[] };
  example: { motion: string; seconds: number };
  edit: { edits: Edit[] };
  solve: { options: SolveOptions };
  fill: { method: string };
  cameras: { file: NamedFile };
  taylor: { time: Float64Array; value: Float64Array; order: number };
  /** Of which body, from 0. */
  skin: { body: number };
  /** body: which one, from 0, where that matters; up: SNW_UP_*, 0: as the library says. */
  write: { what: Written; ending: string; body: number; up: number; rig: RigChoice };
  reachSetup: ReachSetup;
  reach: ReachRequest;
  trace: ReachRequest;
  crowd: CrowdRequest;
  reachMap: ReachMapRequest;
  climb: ClimbRequest;
  circle: { spheres: [SphereData, SphereData] };
  memory: null;
}

export interface SphereData {
  center: number[];
  radius: number;
}

export interface Results {
  open: Opened;
  example: Opened;
  edit: CaptureData;
  solve: SolvedData;
  fill: FilledData;
  cameras: CameraData[];
  taylor: TaylorTerms;
  /** Null where it is not a person's. */
  skin: SkinData | null;
  write: Uint8Array;
  reachSetup: ReachBody;
  reach: ReachAnswer[];
  trace: ReachTrace[];
  crowd: CrowdAnswer;
  reachMap: ReachMapAnswer;
  climb: ClimbAnswer;
  circle: { center: number[]; normal: number[]; radius: number } | null;
  /** Bytes that the library has taken in the worker. */
  memory: number;
}

// ---- the playground ----

export interface ReachGoal {
  kind: "position" | "pole" | "side" | "pose";
  joint: number;
  point: number[];
  position: number[];
  direction?: number[];
  chainRoot?: number;
  chainTip?: number;
  orientation?: number[];
  weight?: number;
}

export interface ReachSetup {
  /** A preset's name, or null for the body of the open capture or motion. */
  preset: string | null;
  /** Cone angles that were dragged: joint -> four angles. */
  cones: Record<number, number[]>;
  /** Two joints whose origins stay together. */
  pin: [number, number] | null;
}

export interface ReachBody {
  joints: JointInfo[];
  size: number;
  /** SNW_UP_* */
  up: number;
  world: Float32Array;
  rotation: Float64Array;
  root: number[];
  solvers: { name: string; text: string }[];
  presets: { name: string; text: string }[];
}

export interface ReachRequest {
  goals: ReachGoal[];
  rootFree: boolean;
  useLimits: boolean;
  iterations: number;
  tolerance: number;
  /** One for each method shown. */
  lanes: { solver: string; rotation: Float64Array; root: number[] }[];
}

export interface ReachAnswer {
  solver: string;
  used: string;
  outcome: string;
  iterations: number;
  residual: number;
  residuals: number[];
  microseconds: number;
  rotation: Float64Array;
  root: number[];
  world: Float32Array;
  /** Joints that stand at a limit. */
  limited: number[];
  /** Why the method cannot serve the problem; the pose is then the one it started from. */
  refusal: string | null;
}

/** The residual that is left when a method may take so many iterations from the start; the last point is where it ended. */
export interface ReachTrace {
  solver: string;
  iterations: number[];
  residual: number[];
}

/** The body walks over stairs; metres. */
export interface ClimbRequest {
  rise: number;
  run: number;
}

export interface ClimbAnswer {
  /** (frame x joint x 7) */
  world: Float32Array;
  frameCount: number;
  rate: number;
  floor: number;
  /** (x, y, z): where the stairs begin, and which way they lead. */
  from: number[];
  along: number[];
}

/** Many of the body at once, each with targets of its own. */
export interface CrowdRequest {
  goals: ReachGoal[];
  useLimits: boolean;
  tolerance: number;
  /** A target's distance from the root over that of its goal: stretched limbs leave no room for a wave. */
  near: number;
  /** (body x 3) where each stands, and how far its targets are from where the goals say. */
  places: Float32Array;
  offsets: Float32Array;
}

export interface CrowdAnswer {
  /** (body x point x 3) every joint, then every tip. */
  position: Float32Array;
  pointCount: number;
  /** (body) snw_ik_outcome; 0: reached. */
  outcome: Uint8Array;
  reached: number;
  milliseconds: number;
  /** How they were solved: in lanes, or one by one. */
  path: string;
}

export interface ReachMapRequest {
  joint: number;
  point: number[];
  useLimits: boolean;
}

/** snw_reach_map: x runs fastest. */
export interface ReachMapAnswer {
  first: number[];
  count: number[];
  cell: number;
  share: Float32Array;
  volume: number;
  problemCount: number;
}

export type ToWorker = { id: number; kind: keyof Requests; payload: unknown };
export type FromWorker =
  | { id: number; kind: "done"; result: unknown }
  | { id: number; kind: "failed"; message: string; code: string }
  | { id: number; kind: "progress"; stage: string; share: number };

// What is open: files, the capture in them, the body found in it, the corrections made to it. The only place that asks the worker
// for captures and bodies, and the only one that changes them.
import { Cancelled, type Engine } from "./engine";
import type { BodyData, CameraData, CaptureData, Edit, FilledData, NamedFile, Opened, RigChoice, SkinData, SolveOptions, TaylorTerms, Written } from "./protocol";
import { Signal } from "./signal";

/** More samples than this are solved only when asked. */
const solveByItself = 6e6;

export interface Failure {
  what: string;
  sentence: string;
}

export class Document {
  readonly capture = new Signal<CaptureData | null>(null);
  /** Every body of the capture, or that of a file. */
  readonly bodies = new Signal<BodyData[]>([]);
  /** The one of them that lists, graphs and exports are about. */
  readonly body = new Signal<BodyData | null>(null);
  /** Bodies that the capture holds, objects too: what `part` may ask for. */
  bodyCount = 0;
  /** The capture's gaps, filled by the body or by what was asked last. */
  readonly filled = new Signal<FilledData | null>(null);
  readonly skins = new Signal<Map<BodyData, SkinData>>(new Map());
  /** Of a calibration that was opened along with a capture, or after it. */
  readonly cameras = new Signal<CameraData[]>([]);
  readonly edits = new Signal<Edit[]>([]);
  /** SNW_UP_*: which way is up, where somebody said it; 0: as the library says. */
  readonly upChosen = new Signal(0);
  readonly failure = new Signal<Failure | null>(null);
  /** Files that were dropped together and can be opened one by one. */
  readonly shelf = new Signal<{ files: NamedFile[][]; current: number }>({ files: [], current: -1 });
  readonly solveOptions = new Signal<SolveOptions>({ kind: "auto", segments: "auto", method: "auto", root: "", part: 0, actor: null, markerSet: null });
  /** Of the next export. */
  rig: RigChoice = { names: "keep", isOnFloor: false, hasFootLock: false, isSymmetric: false, rate: 0 };
  private undone: Edit[] = [];
  private generation = 0;

  constructor(private readonly engine: Engine) {}

  get frameCount(): number {
    return this.capture.get()?.frameCount ?? this.body.get()?.frameCount ?? 0;
  }
  get rate(): number {
    return this.capture.get()?.rate ?? this.body.get()?.rate ?? 100;
  }
  get name(): string {
    return this.capture.get()?.name ?? this.body.get()?.name ?? "";
  }

  /** SNW_UP_*: 1 x, 2 y, 3 z, 4 to 6 their opposites; 0: nobody knows. */
  get up(): number {
    return this.upChosen.get() || this.body.get()?.up || this.capture.get()?.up || 0;
  }

  // ---- opening ----

  /** Files that belong together (ASF and AMC, a capture and an actor) are opened together, others one after the other. */
  async openFiles(files: NamedFile[]): Promise<void> {
    const groups = group(files.filter((file) => !isCalibration(file)));
    if (groups.length) {
      this.cameras.set([]);
      this.shelf.set({ files: groups, current: 0 });
      await this.openGroup(0);
    }
    for (const file of files.filter(isCalibration)) await this.guard(file.name, async () => this.cameras.set(await this.engine.ask("cameras", { file })));
  }

  async openGroup(index: number): Promise<void> {
    const files = this.shelf.get().files[index];
    if (!files) return;
    this.shelf.set({ ...this.shelf.get(), current: index });
    await this.load(files.map((f) => f.name).join(" + "), () => this.engine.ask("open", { files, edits: [] }));
  }

  async openExample(motion: string, seconds = 8): Promise<void> {
    this.shelf.set({ files: [], current: -1 });
    await this.load(motion, () => this.engine.ask("example", { motion, seconds }));
  }

  /** What a live stream shows: one moment that is changed in place, or many. */
  showLive(bodies: BodyData[], capture: CaptureData | null): void {
    this.generation++;
    this.shelf.set({ files: [], current: -1 });
    this.filled.set(null);
    this.capture.set(capture);
    this.setBodies(bodies);
  }

  private async load(what: string, ask: () => Promise<Opened>): Promise<void> {
    const generation = ++this.generation;
    await this.guard(what, async () => {
      const opened = await ask();
      if (generation !== this.generation) return;
      this.failure.set(null);
      this.undone = [];
      this.edits.set([]);
      this.upChosen.set(0);
      this.solveOptions.set({ ...this.solveOptions.get(), actor: opened.actor, markerSet: opened.markerSet, kind: "auto", root: "", part: 0 });
      this.filled.set(null);
      this.setBodies(opened.body ? [opened.body] : []);
      this.capture.set(opened.capture);
      if (opened.capture && !opened.body && isSolvedByItself(opened.capture)) await this.solve();
      else void this.makeSkins();
    });
  }

  // ---- solving ----

  async solve(): Promise<void> {
    const capture = this.capture.get();
    if (!capture) return;
    await this.guard(capture.name, async () => {
      const solved = await this.engine.ask("solve", { options: this.solveOptions.get() });
      if (this.capture.get() !== capture) return;
      if (solved.capture) this.capture.set(solved.capture);
      this.filled.set(solved.filled);
      this.bodyCount = solved.bodyCount;
      this.setBodies(solved.bodies);
      void this.makeSkins();
    });
  }

  private setBodies(bodies: BodyData[]): void {
    this.skins.set(new Map());
    this.bodies.set(bodies);
    this.body.set(bodies[0] ?? null);
  }

  /** Surfaces of the persons that are shown, made once everything else is there. */
  private async makeSkins(): Promise<void> {
    const bodies = this.bodies.get();
    for (const [n, body] of bodies.entries()) {
      const skin = await this.engine.ask("skin", { body: n }).catch(() => null);
      if (this.bodies.get() !== bodies) return; // something else was opened meanwhile
      if (skin) this.skins.set(new Map(this.skins.get()).set(body, skin));
    }
  }

  /** The number of the chosen body among all, from 0; -1: there is none. */
  get bodyIndex(): number {
    return this.bodies.get().indexOf(this.body.get()!);
  }

  chooseBody(index: number): void {
    const body = this.bodies.get()[index];
    if (body && body !== this.body.get()) this.body.set(body);
  }

  taylor(time: Float64Array, value: Float64Array, order: number): Promise<TaylorTerms> {
    return this.engine.ask("taylor", { time, value, order });
  }

  /** Gaps filled without a body. */
  async fill(method: string): Promise<void> {
    const capture = this.capture.get();
    if (!capture) return;
    await this.guard(capture.name, async () => {
      const filled = await this.engine.ask("fill", { method });
      if (this.capture.get() === capture) this.filled.set(filled);
    });
  }

  // ---- corrections ----

  async edit(edit: Edit): Promise<void> {
    this.undone = [];
    await this.apply([...this.edits.get(), edit]);
  }
  async undo(): Promise<void> {
    const edits = this.edits.get();
    if (!edits.length) return;
    this.undone.push(edits[edits.length - 1]);
    await this.apply(edits.slice(0, -1));
  }
  async redo(): Promise<void> {
    const edit = this.undone.pop();
    if (edit) await this.apply([...this.edits.get(), edit]);
  }
  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  private async apply(edits: Edit[]): Promise<void> {
    await this.guard("markers", async () => {
      const capture = await this.engine.ask("edit", { edits });
      const files = this.shelf.get().files[this.shelf.get().current];
      if (files) this.engine.remember({ files, edits });
      this.edits.set(edits);
      this.filled.set(null);
      this.capture.set(capture);
      if (this.body.get()) await this.solve();
    });
  }

  // ---- writing ----

  async write(what: Written, ending: string): Promise<Uint8Array | null> {
    return this.guard(this.name, () => this.engine.ask("write", { what, ending, body: Math.max(0, this.bodyIndex), up: this.upChosen.get(), rig: this.rig }));
  }

  private async guard<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Cancelled)) this.failure.set({ what, sentence: (error as Error).message });
      return null;
    }
  }
}

/** A large capture waits until it is asked for; one without markers has at least trackers. */
export function isSolvedByItself({ states, markers, kind }: CaptureData): boolean {
  return kind === "trackers" || (markers.length > 2 && states.length <= solveByItself);
}

const isCalibration = ({ name }: NamedFile): boolean => /\.(toml|ya?ml|xcp|mcal|qca\.txt)$/i.test(name);

function group(files: NamedFile[]): NamedFile[][] {
  const ending = (file: NamedFile): string => file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  const helpers = files.filter((f) => /^(actor|set|mkr|markerset|segments)$/.test(ending(f)));
  const bodies = files.filter((f) => ending(f) === "asf");
  const rest = files.filter((f) => !helpers.includes(f) && !bodies.includes(f));
  if (!rest.length) return bodies.length ? bodies.map((f) => [f]) : helpers.length ? [helpers] : [];
  return rest.map((file) => {
    if (ending(file) !== "amc") return [file, ...helpers];
    const start = file.name.replace(/_\d+\.amc$/i, "").replace(/\.amc$/i, "");
    const body = bodies.find((b) => b.name.replace(/\.asf$/i, "") === start) ?? bodies[0];
    return body ? [body, file] : [file];
  });
}

// The playground: a body, targets to drag, any method or two side by side. Owns the problem; the worker answers it.
import { Box3, Color, Quaternion, Vector3 } from "three";
import type { Clock } from "../clock";
import type { Document } from "../document";
import { h, icon, replace } from "../dom";
import { Engine } from "../engine";
import type { ClimbAnswer, CrowdAnswer, JointInfo, ReachAnswer, ReachBody, ReachGoal, ReachMapAnswer, ReachTrace } from "../protocol";
import { coneReach } from "../scene/cones";
import { languages, type Shown } from "./code";
import { CrowdView, MapView, StairsView } from "./crowd";
import { type Knob, Lane } from "./lane";
import { type Point, sweeps } from "./sweeps";

interface Effector {
  joint: number;
  point: number[];
  position: Vector3;
  home: Vector3;
}

interface Pole {
  joint: number;
  root: number;
  tip: number;
  position: Vector3;
}

export class Playground {
  private readonly engine: Engine;
  private readonly side = h("div", { class: "side" });
  private readonly stages = h("div", { class: "stages" });
  private lanes: Lane[] = [];
  private body: ReachBody | null = null;
  private poses: { rotation: Float64Array; root: number[] }[] = [];
  private effectors: Effector[] = [];
  private poles: Pole[] = [];
  private cones: Record<number, number[]> = {};
  private chosenJoint = -1;
  private seen = ""; // the document of the motion pane when Reach was last shown
  private bodiesAsked = 0;
  answers: ReachAnswer[] = [];
  private traces: ReachTrace[] = [];
  private isDark = false;
  private isBusy = false;
  private isWanted = false;
  private traceTimer = 0;
  private lastMove = 0;
  private readonly choice = {
    preset: "humanoid" as string | null, solvers: ["auto"], rootFree: false, useLimits: true, floor: false, pole: false, loop: false, moving: false, circle: false, cones: false, stepping: false, crowd: false, map: false, stairs: false, language: 0,
  };

  constructor(root: HTMLElement, start: () => Promise<Worker>, private readonly parts: { document: Document; clock: Clock }) {
    this.engine = new Engine(start, true);
    replace(root, this.side, this.stages);
  }

  async show(): Promise<void> {
    const isFresh = this.seen !== this.parts.document.name;
    this.seen = this.parts.document.name;
    // A robot that was opened is what one wants to reach with.
    if (isFresh && this.parts.document.body.get() && !this.parts.document.capture.get()) {
      this.choice.preset = null;
      await this.setup();
    } else if (!this.body) await this.setup();
    else if (isFresh) this.buildSide();
    for (const lane of this.lanes) lane.stage.resize();
  }

  /** A ready-made body. */
  async choose(preset: string): Promise<void> {
    this.choice.preset = preset;
    await this.setup();
  }

  restyle(isDark: boolean): void {
    this.isDark = isDark;
    for (const lane of this.lanes) lane.setTheme(isDark);
  }

  // ---- the body ----

  private async setup(keepTargets = false): Promise<void> {
    const { choice } = this;
    const pin = choice.loop ? this.loopJoints() : null;
    this.bodiesAsked++; // what is asked about the old body until the new one is here would meet the new one in the worker
    try {
      if (!choice.preset && !(await this.takeOpenBody())) choice.preset = "humanoid";
      this.body = await this.engine.ask("reachSetup", { preset: choice.preset, cones: this.cones, pin });
    } finally {
      this.bodiesAsked--;
    }
    if (this.bodiesAsked) return; // another is on its way
    const { body } = this;
    if (!keepTargets) {
      this.effectors = leaves(body).map((joint) => this.effector(joint));
      this.poles = [];
      this.poses = [];
    }
    this.poses = choice.solvers.map((_, n) => this.poses[n] ?? { rotation: body.rotation.slice(), root: [...body.root] });
    if (choice.pole && !this.poles.length) this.poles = this.findPoles();
    this.makeLanes(keepTargets);
    this.buildSide();
    this.showRest();
    await this.solve();
    this.setCrowd();
    await this.setMap();
    await this.setStairs();
  }

  /** While every iteration waits to be taken, the body is shown where it stands. */
  private showRest(): void {
    if (this.choice.stepping) this.lanes.forEach((lane, n) => lane.showRest(this.body!.world, this.choice.solvers[n]));
  }

  /** The playground's worker has nothing open; it is told the body of the motion pane: the file itself, a robot with its joints for
   * one, or the body found in a capture as a motion file. */
  private async takeOpenBody(): Promise<boolean> {
    const { document } = this.parts;
    if (!document.body.get()) return false;
    const { files, current } = document.shelf.get();
    const bytes = document.capture.get() ? await document.write("motion", ".bvh") : null;
    const own = bytes ? [{ name: "open.bvh", blob: new Blob([bytes as BlobPart]) }] : document.capture.get() ? null : files[current];
    if (!own) return false;
    await this.engine.ask("open", { files: own, edits: [] });
    return true;
  }

  private effector(joint: number): Effector {
    const { world, joints } = this.body!;
    const tip = joints[joint].tip;
    const position = new Vector3().fromArray(world, 7 * joint);
    if (tip) position.add(new Vector3(...(tip as Point)).applyQuaternion(quaternion(world, joint)));
    return { joint, point: tip ? [...tip] : [0, 0, 0], position, home: position.clone() };
  }

  /** The joint before each effector's limb end, with the joints around it: an elbow with shoulder and wrist. */
  private findPoles(): Pole[] {
    const { joints, world } = this.body!;
    const poles: Pole[] = [];
    for (const { joint } of this.effectors) {
      const limb = twoBones(joints, joint);
      if (!limb || poles.some((p) => p.joint === limb[1])) continue;
      const at = (j: number): Vector3 => new Vector3().fromArray(world, 7 * j);
      const position = at(limb[1]).add(new Vector3(0, 0, /leg|knee|ankle|foot|toe/i.test(joints[limb[1]].name) ? 0.5 : -0.5).multiplyScalar(this.body!.size));
      poles.push({ joint: limb[1], root: limb[0], tip: limb[2], position });
    }
    return poles;
  }

  private loopJoints(): [number, number] | null {
    const joints = this.body?.joints ?? [];
    const find = (side: RegExp): number => joints.findIndex((j) => side.test(j.name) && /wrist|hand/i.test(j.name));
    const [a, b] = [find(/left|^l/i), find(/right|^r/i)];
    return a >= 0 && b >= 0 ? [a, b] : null;
  }

  /** From the body at rest. */
  private restart(): void {
    this.poses = this.choice.solvers.map(() => ({ rotation: this.body!.rotation.slice(), root: [...this.body!.root] }));
    this.showRest();
    void this.solve();
  }

  // ---- lanes ----

  private makeLanes(keepCamera: boolean): void {
    const { body, choice } = this;
    const camera = this.lanes[0]?.stage.camera.position.clone();
    const target = this.lanes[0]?.stage.controls.target.clone();
    while (this.lanes.length > choice.solvers.length) this.lanes.pop()!.dispose();
    while (this.lanes.length < choice.solvers.length) {
      const lane = new Lane();
      this.stages.append(lane.element);
      this.lanes.push(lane);
      this.listen(lane);
    }
    const box = new Box3();
    for (let j = 0; j < body!.joints.length; j++) box.expandByPoint(new Vector3().fromArray(body!.world, 7 * j));
    for (const { position } of this.effectors) box.expandByPoint(position);
    const grown = box.clone().expandByScalar(0.12 * body!.size);
    this.lanes.forEach((lane) => {
      lane.setTheme(this.isDark);
      lane.setBody(body!);
      lane.showFloor(choice.floor, this.floorHeight(), 3 * body!.size);
      lane.showCones(choice.cones);
      lane.stage.resize();
      if (keepCamera && camera && target) {
        lane.stage.camera.position.copy(camera);
        lane.stage.controls.target.copy(target);
        lane.stage.controls.update();
      } else {
        lane.stage.look(isFlat(box) ? "three-quarter" : "corner");
        lane.stage.fit(grown);
      }
    });
    this.placeKnobs();
  }

  private placeKnobs(): void {
    const knobs: Knob[] = this.effectors.map(({ position }, index) => ({ kind: "target", index, position }));
    if (this.choice.pole) this.poles.forEach(({ position }, index) => knobs.push({ kind: "pole", index, position }));
    if (this.choice.cones && this.chosenJoint >= 0) knobs.push(...this.coneKnobs());
    for (const lane of this.lanes) lane.setKnobs(knobs);
  }

  // ---- solving: one request under way, the newest waits ----

  goals(): ReachGoal[] {
    const { choice, body } = this;
    const goals: ReachGoal[] = this.effectors.map(({ joint, point, position }) => ({ kind: "position", joint, point, position: position.toArray() }));
    if (choice.pole) for (const pole of this.poles) goals.push({ kind: "pole", joint: pole.joint, point: [0, 0, 0], position: pole.position.toArray(), chainRoot: pole.root, chainTip: pole.tip, weight: 0.1 });
    if (choice.floor && body) {
      const direction = this.upward();
      const position = direction.map((v) => v * this.floorHeight());
      body.joints.forEach((joint, j) => {
        if (joint.parent >= 0 && this.effectors.every((e) => e.joint !== j)) goals.push({ kind: "side", joint: j, point: [0, 0, 0], position, direction });
      });
    }
    return goals;
  }

  /** Along +y, or +z for robots. */
  private upward(): number[] {
    return [0, 1, 2].map((axis) => Number(axis === (this.body!.up - 1) % 3));
  }
  /** Of the lowest joint at rest. */
  private floorHeight(): number {
    const axis = (this.body!.up - 1) % 3;
    return Math.min(...this.body!.joints.map((_, j) => this.body!.world[7 * j + axis]));
  }

  /** What a request needs, with the poses to start from. */
  private request(iterations: number, poses = this.poses): Parameters<Engine["ask"]>[1] & object {
    const { choice } = this;
    return { goals: this.goals(), rootFree: choice.rootFree, useLimits: choice.useLimits, iterations, tolerance: 1e-4, lanes: choice.solvers.map((solver, n) => ({ solver, ...poses[n] })) } as never;
  }

  async solve(iterations = 500): Promise<void> {
    if (this.bodiesAsked) return; // the new body is solved when it is here
    if (this.isBusy) {
      this.isWanted = true;
      return;
    }
    if (this.choice.stepping && iterations > 1) {
      this.drawSweeps();
      this.buildCode();
      return;
    }
    this.isBusy = true;
    try {
      this.answers = await this.engine.ask("reach", this.request(iterations) as never);
      this.poses = this.answers.map(({ rotation, root }) => ({ rotation: rotation.slice(), root }));
      this.answers.forEach((answer, n) => {
        this.lanes[n]?.show(answer);
        this.lanes[n]?.tell(answer, this.traces[n] ?? null);
      });
      await this.drawCircle();
      this.buildCode();
      this.later();
    } finally {
      this.isBusy = false;
    }
    if (this.isWanted) {
      this.isWanted = false;
      await this.solve(iterations);
    }
  }

  /** When the pointer rests, the curves of residual over iterations, from the body at rest. */
  private later(): void {
    clearTimeout(this.traceTimer);
    this.traceTimer = window.setTimeout(() => {
      if (this.choice.moving || this.isBusy || this.bodiesAsked || !this.body) return;
      const rest = this.choice.solvers.map(() => ({ rotation: this.body!.rotation.slice(), root: [...this.body!.root] }));
      void this.engine.ask("trace", this.request(64, rest) as never).then((traces) => {
        this.traces = traces;
        this.answers.forEach((answer, n) => this.lanes[n]?.tell(answer, traces[n] ?? null));
      });
    }, 160);
  }

  /** Called once for each picture. */
  draw(now: number): void {
    if (this.choice.moving && now - this.lastMove > 30 && !this.isBusy) {
      this.lastMove = now;
      this.effectors.forEach((effector, n) => {
        const phase = now / 900 + n * 1.7;
        const size = 0.09 * (this.body?.size ?? 1);
        effector.position.copy(effector.home).add(new Vector3(Math.sin(phase) * size, Math.sin(1.3 * phase) * size, Math.cos(phase) * size));
      });
      for (const lane of this.lanes) lane.moveKnobs();
      void this.solve();
    }
    if (this.climb) {
      const { world, frameCount, rate } = this.climb;
      const size = world.length / frameCount;
      const frame = Math.floor((now / 1000) * rate) % frameCount;
      this.lanes[0].showFrame(world.subarray(frame * size, (frame + 1) * size));
    }
    if (this.choice.crowd && !this.isCrowdBusy && !this.bodiesAsked) void this.moveCrowd(now);
    for (const lane of this.lanes) lane.stage.draw();
  }

  // ---- many at once ----

  private readonly crowd = new CrowdView();
  private readonly mapped = new MapView();
  private places: Float32Array = new Float32Array();
  private isCrowdBusy = false;
  private readonly steps = new StairsView();
  climb: ClimbAnswer | null = null;
  crowdAnswer: CrowdAnswer | null = null;
  mapAnswer: ReachMapAnswer | null = null;

  private setCrowd(): void {
    const { body, choice } = this;
    this.crowd.clear();
    this.crowdAnswer = null;
    const [lane] = this.lanes;
    lane.note("");
    if (!choice.crowd || !body) return lane.stage.invalidate();
    this.places = CrowdView.places(1000, body);
    this.crowd.setBody(body, 1000);
    lane.addGroup(this.crowd.group);
    const box = new Box3().setFromArray(this.places).expandByScalar(0.1 * body.size);
    lane.stage.look("corner");
    lane.stage.fit(box);
  }

  /** Every body's targets go round those that are dragged, drawn in a little, as a wave through the crowd. */
  private async moveCrowd(now: number): Promise<void> {
    this.isCrowdBusy = true;
    try {
      const { body, choice, places } = this;
      const size = body!.size;
      const offsets = new Float32Array(places.length);
      for (let n = 0; n < places.length; n += 3) {
        const phase = now / 700 + (places[n] + 0.6 * places[n + 1] + 0.8 * places[n + 2]) / size;
        offsets.set([0.12 * size * Math.sin(phase), 0.1 * size * Math.sin(1.3 * phase), 0.12 * size * Math.cos(phase)], n);
      }
      const goals = this.goals().filter(({ kind }) => kind === "position");
      const answer = await this.engine.ask("crowd", { goals, useLimits: choice.useLimits, tolerance: 1e-4, near: 0.8, places, offsets });
      if (!choice.crowd || this.body !== body) return;
      this.crowdAnswer = answer;
      this.crowd.show(answer, new Color("#d6226f"));
      this.lanes[0].note(`${answer.outcome.length} bodies in ${answer.milliseconds.toFixed(1)} ms, ${answer.reached} reached (${answer.path === "one by one" ? "one by one" : "eight at a time"})`);
      this.lanes[0].stage.invalidate();
    } catch (error) {
      this.choice.crowd = false;
      this.setCrowd();
      this.lanes[0].note((error as Error).message);
      this.buildSide();
    } finally {
      this.isCrowdBusy = false;
    }
  }

  /** What the chosen target's joint reaches, beginning at the body's root. */
  private async setMap(): Promise<void> {
    const { body, choice } = this;
    this.mapped.clear();
    this.mapAnswer = null;
    const [lane] = this.lanes;
    const effector = this.effectors[this.chosenTarget] ?? this.effectors[0];
    if (choice.map && body && effector) {
      lane.note("finding out what it reaches …");
      try {
        const map = await this.engine.ask("reachMap", { joint: effector.joint, point: effector.point, useLimits: choice.useLimits });
        if (!choice.map || this.body !== body) return;
        this.mapAnswer = map;
        const box = this.mapped.show(map);
        lane.addGroup(this.mapped.group);
        lane.stage.fit(box);
        lane.note(`${body.joints[effector.joint].name} reaches ${map.volume.toFixed(2)} m³ (${map.problemCount} problems): yellow from one side, blue from all six; half is cut away`);
      } catch (error) {
        lane.note((error as Error).message);
      }
    } else if (!choice.crowd) lane.note("");
    lane.stage.invalidate();
  }

  /** A body with legs walks up stairs; what is dragged waits. */
  private async setStairs(): Promise<void> {
    const { body, choice } = this;
    const [lane] = this.lanes;
    const had = this.climb !== null;
    this.steps.clear();
    this.climb = null;
    if (choice.stairs && body) {
      try {
        const stairs = { rise: 0.15, run: 0.3 };
        const climb = await this.engine.ask("climb", stairs);
        if (!choice.stairs || this.body !== body) return;
        this.climb = climb;
        const box = this.steps.show(climb, stairs);
        lane.addGroup(this.steps.group);
        lane.setKnobs([]);
        lane.stage.look("left");
        lane.stage.fit(box);
        lane.note("a walk over level ground, led up stairs of 150 mm: feet on the steps, the pelvis after them");
      } catch (error) {
        choice.stairs = false;
        lane.note((error as Error).message);
        this.buildSide();
      }
    } else if (had) {
      lane.note("");
      this.makeLanes(false);
      this.restart();
    }
    lane.stage.invalidate();
  }

  // ---- pictures for teaching ----

  private chain(effector: Effector, world: Float32Array): Point[] {
    const points: Point[] = [];
    for (let j = effector.joint; j >= 0; j = this.body!.joints[j].parent) points.unshift([world[7 * j], world[7 * j + 1], world[7 * j + 2]]);
    if (effector.point.some((v) => v !== 0)) points.push(new Vector3(...(effector.point as Point)).applyQuaternion(quaternion(world, effector.joint)).add(new Vector3().fromArray(world, 7 * effector.joint)).toArray() as Point);
    return points.filter((p, n) => n === 0 || Math.hypot(p[0] - points[n - 1][0], p[1] - points[n - 1][1], p[2] - points[n - 1][2]) > 1e-9);
  }

  /** The next iteration of FABRIK before it is taken: inwards blue and dashed, outwards orange. */
  private drawSweeps(): void {
    for (const lane of this.lanes) lane.clearExtras();
    this.lanes.forEach((lane, n) => {
      if (!this.choice.solvers[n].startsWith("fabrik")) return;
      for (const effector of this.effectors) {
        const { inwards, outwards } = sweeps(this.chain(effector, lane.world), effector.position.toArray() as Point);
        lane.drawPath(inwards, "#3d7dd8", true);
        lane.drawPath(outwards, "#e0772a", false);
      }
    });
  }

  private async drawCircle(): Promise<void> {
    if (this.choice.stepping) return this.drawSweeps();
    for (const lane of this.lanes) lane.clearExtras();
    if (!this.choice.circle || !this.body) return;
    const effector = this.effectors[0];
    const limb = effector && twoBones(this.body.joints, effector.joint);
    if (!limb) return;
    for (const lane of this.lanes) {
      const at = (j: number): Vector3 => new Vector3().fromArray(lane.world, 7 * j);
      const [a, b, c] = limb.map(at);
      const spheres = [{ center: a.toArray(), radius: a.distanceTo(b) }, { center: c.toArray(), radius: b.distanceTo(c) }] as [{ center: number[]; radius: number }, { center: number[]; radius: number }];
      lane.drawSpheres(spheres, await this.engine.ask("circle", { spheres }));
    }
  }

  // ---- cones ----

  private coneFrame(joint: number): { at: Vector3; z: Vector3; x: Vector3; y: Vector3; length: number } {
    const { joints } = this.body!;
    const world = this.lanes[0].world;
    const { parent, rest, axis, axis2 } = joints[joint];
    const turn = quaternion(world, parent);
    const own = turn.clone().set(rest[3], rest[4], rest[5], rest[6]);
    const frame = parent >= 0 ? turn.multiply(own) : own;
    const z = new Vector3(...(axis as Point)).applyQuaternion(frame);
    const x = new Vector3(...(axis2 as Point)).applyQuaternion(frame);
    return { at: new Vector3().fromArray(world, 7 * joint), z, x, y: new Vector3().crossVectors(z, x), length: 0.14 * this.body!.size };
  }

  private coneKnobs(): Knob[] {
    const joint = this.body!.joints[this.chosenJoint];
    if (joint?.type !== "ball" || !this.lanes[0].world.length) return [];
    const cone = this.cones[this.chosenJoint] ?? (joint.limits.swing === 1 ? joint.limits.cone : [1, 1, 1, 1]);
    const { at, z, x, y, length } = this.coneFrame(this.chosenJoint);
    return [0, 1, 2, 3].map((index) => {
      const phi = (index * Math.PI) / 2;
      const psi = coneReach(cone, phi);
      const way = z.clone().multiplyScalar(Math.cos(psi)).addScaledVector(x, Math.sin(psi) * Math.cos(phi)).addScaledVector(y, Math.sin(psi) * Math.sin(phi));
      return { kind: "cone", index, position: at.clone().addScaledVector(way, length) };
    });
  }

  private async dragCone(index: number, to: Vector3): Promise<void> {
    const joint = this.body!.joints[this.chosenJoint];
    const cone = [...(this.cones[this.chosenJoint] ?? (joint.limits.swing === 1 ? joint.limits.cone : [1, 1, 1, 1]))];
    const { at, z } = this.coneFrame(this.chosenJoint);
    cone[index] = Math.min(Math.PI * 0.95, Math.max(0.03, to.clone().sub(at).angleTo(z)));
    this.cones[this.chosenJoint] = cone;
    await this.setup(true);
  }

  // ---- the pointer ----

  private listen(lane: Lane): void {
    let held: { knob: Knob; through: Vector3 } | null = null;
    lane.canvas.addEventListener("pointerdown", (event) => {
      const knob = lane.pick(event);
      if (!knob) return;
      held = { knob, through: knob.position.clone() };
      lane.stage.controls.enabled = false;
      lane.canvas.setPointerCapture(event.pointerId);
      event.stopImmediatePropagation();
    }, true);
    lane.canvas.addEventListener("pointermove", (event) => {
      if (!held) {
        lane.canvas.style.cursor = lane.pick(event) ? "grab" : "";
        return;
      }
      const to = lane.drag(event, held.through);
      if (held.knob.kind === "cone") return void this.dragCone(held.knob.index, to);
      held.knob.position.copy(to);
      if (held.knob.kind === "target") this.effectors[held.knob.index].home.copy(to);
      for (const each of this.lanes) each.moveKnobs();
      void this.solve();
    });
    const end = (): void => {
      held = null;
      lane.stage.controls.enabled = true;
    };
    lane.canvas.addEventListener("pointerup", end);
    lane.canvas.addEventListener("pointercancel", end);
    lane.canvas.addEventListener("dblclick", (event) => this.toggleEffector(lane.pickJoint(event)));
    lane.canvas.addEventListener("click", (event) => {
      if (!this.choice.cones) return;
      this.chosenJoint = lane.pickJoint(event);
      this.placeKnobs();
    });
    lane.canvas.addEventListener("keydown", (event) => this.nudge(event));
    lane.stage.controls.addEventListener("change", () => {
      for (const other of this.lanes) {
        if (other === lane) continue;
        other.stage.camera.position.copy(lane.stage.camera.position);
        other.stage.camera.quaternion.copy(lane.stage.camera.quaternion);
        other.stage.controls.target.copy(lane.stage.controls.target);
        other.stage.invalidate();
      }
    });
  }

  /** A double click on a joint makes it a target, or no longer one. */
  toggleEffector(joint: number): void {
    if (joint < 0) return;
    const at = this.effectors.findIndex((e) => e.joint === joint);
    if (at >= 0 && this.effectors.length > 1) this.effectors.splice(at, 1);
    else if (at < 0) {
      const effector = this.effector(joint);
      effector.point = [0, 0, 0];
      effector.position.fromArray(this.lanes[0].world, 7 * joint);
      effector.home.copy(effector.position);
      this.effectors.push(effector);
    }
    this.placeKnobs();
    void this.solve();
  }

  /** The keyboard moves the first target; tab in the side panel chooses another. */
  private nudge(event: KeyboardEvent): void {
    const step = 0.03 * (this.body?.size ?? 1);
    const by: Record<string, [number, number, number]> = { ArrowLeft: [-step, 0, 0], ArrowRight: [step, 0, 0], ArrowUp: [0, step, 0], ArrowDown: [0, -step, 0], PageUp: [0, 0, step], PageDown: [0, 0, -step] };
    const move = by[event.key];
    if (!move || !this.effectors.length) return;
    event.preventDefault();
    this.moveTarget(this.chosenTarget, this.effectors[this.chosenTarget].position.clone().add(new Vector3(...move)).toArray());
  }
  private chosenTarget = 0;

  moveTarget(index: number, position: number[]): void {
    const effector = this.effectors[index];
    if (!effector) return;
    effector.position.fromArray(position);
    effector.home.fromArray(position);
    for (const lane of this.lanes) lane.moveKnobs();
    void this.solve();
  }
  get targets(): { joint: string; position: number[] }[] {
    return this.effectors.map(({ joint, position }) => ({ joint: this.body!.joints[joint].name, position: position.toArray() }));
  }

  // ---- the panel ----

  private buildSide(): void {
    const { body, choice } = this;
    const select = (label: string, words: { name: string; text: string }[], value: string, set: (value: string) => void): HTMLElement => {
      const id = `play-${label.toLowerCase().replace(/ /g, "-")}`;
      const field = h("select", { id, onchange: () => set(field.value) }, ...words.map(({ name, text }) => h("option", { value: name, selected: name === value, title: text }, name)));
      return h("div", { class: "field" }, h("label", { for: id }, label), field);
    };
    const check = (label: string, key: keyof typeof choice, title: string, run: () => void): HTMLElement => {
      const box = h("input", { type: "checkbox", checked: choice[key] as boolean, onchange: () => { (choice[key] as boolean) = box.checked; run(); } });
      return h("label", { title }, box, label);
    };
    const hasOpen = !!this.parts.document.body.get();
    const presets = [...body!.presets, ...(hasOpen ? [{ name: "the open body", text: "of the motion pane" }] : [])];
    const again = (): void => void this.setup(true);
    const about = body!.solvers.find((s) => s.name === choice.solvers[0])?.text ?? "";
    this.code = h("pre", { tabindex: "0", "aria-label": "Program" });
    replace(this.side,
      h("div", { class: "block" }, h("h2", {}, "Body"),
        select("Body", presets, choice.preset ?? "the open body", (name) => { choice.preset = name === "the open body" ? null : name; this.cones = {}; Object.assign(choice, { loop: false, pole: false, circle: false, stepping: false, crowd: false, map: false, stairs: false }); void this.setup(); }),
        h("p", { class: "hint" }, `${body!.presets.find((p) => p.name === choice.preset)?.text ?? this.parts.document.name}. Drag the balls; double-click a joint to make it a target, or no longer one.`)),
      h("div", { class: "block" }, h("h2", {}, "Method"),
        select("Method", body!.solvers, choice.solvers[0], (name) => { choice.solvers[0] = name; this.traces = []; again(); }),
        h("p", { class: "hint" }, about),
        select("Beside", [{ name: "nothing", text: "" }, ...body!.solvers], choice.solvers[1] ?? "nothing", (name) => { choice.solvers = name === "nothing" ? [choice.solvers[0]] : [choice.solvers[0], name]; this.traces = []; again(); }),
        h("div", { class: "checks" },
          check("One iteration at a time", "stepping", "FABRIK's two sweeps are drawn before they are taken: inwards blue, outwards orange", () => { this.buildSide(); this.restart(); })),
        choice.stepping ? h("button", { type: "button", class: "word", onclick: () => void this.solve(1) }, icon("step"), "Take one iteration") : null),
      h("div", { class: "block" }, h("h2", {}, "Problem"), h("div", { class: "checks" },
        check("Limits hold", "useLimits", "Joints keep to their ranges and cones", () => void this.solve()),
        check("Show limits, drag their rims", "cones", "Click a ball joint, then drag the four knobs on its rim", () => { for (const lane of this.lanes) lane.showCones(choice.cones); this.placeKnobs(); }),
        check("The whole body may move", "rootFree", "The root is solved for too", () => void this.solve()),
        check("Poles for elbows and knees", "pole", "Each bends towards its violet ball", () => { if (!this.poles.length) this.poles = this.findPoles(); this.placeKnobs(); void this.solve(); }),
        check("Nothing below the floor", "floor", "One inequality for each joint", () => { for (const lane of this.lanes) lane.showFloor(choice.floor, this.floorHeight(), 3 * body!.size); void this.solve(); }),
        this.loopJoints() ? check("Hands hold together", "loop", "A closed loop: both wrists stay at one point", () => void this.setup(true)) : null,
        check("A thousand of them", "crowd", "A thousand of this body, each with targets of its own, solved eight at a time", () => this.setCrowd()),
        check("What the chosen target reaches", "map", "Cubes that the target's joint reaches, from how many of six directions", () => void this.setMap()),
        this.loopJoints() ? check("Up stairs", "stairs", "A walk that is led up stairs: feet on the ground", () => void this.setStairs()) : null,
        check("Moving targets", "moving", "Every target goes round", () => undefined),
        check("The circle of two spheres", "circle", "Where the elbow may be: the meet of two spheres in conformal geometric algebra", () => void this.solve())),
        h("button", { type: "button", class: "word", onclick: () => { this.cones = {}; void this.setup(); } }, icon("reset"), "Start again")),
      h("div", { class: "block" }, h("h2", {}, "Targets"), this.targetList()),
      h("div", { class: "block" }, h("h2", {}, "The same as a program"), this.codeBar(), this.code));
    this.buildCode();
  }
  private code = h("pre");

  private targetList(): HTMLElement {
    return h("ul", { class: "rows" }, ...this.effectors.map((effector, n) => h("li", { class: "row" },
      h("button", { type: "button", class: "name", title: "Move it with the arrow keys and page up, page down", onclick: () => { this.chosenTarget = n; this.lanes[0].canvas.focus(); if (this.choice.map) void this.setMap(); } }, this.body!.joints[effector.joint].name))));
  }

  private codeBar(): HTMLElement {
    const select = h("select", { "aria-label": "Language", onchange: () => { this.choice.language = select.selectedIndex; this.buildCode(); } }, ...languages.map(([name], n) => h("option", { selected: n === this.choice.language }, name)));
    const copy = h("button", { type: "button", class: "word", onclick: () => void navigator.clipboard.writeText(this.code.textContent ?? "").then(() => (copy.textContent = "Copied"), () => (copy.textContent = "Select and copy")) }, "Copy");
    return h("div", { style: "display:flex;gap:8px" }, select, copy);
  }

  /** What is shown, as the code writer takes it. */
  get shown(): Shown {
    const { choice } = this;
    return { preset: choice.preset, joints: this.body!.joints, goals: this.goals(), solver: choice.solvers[0], rootFree: choice.rootFree, useLimits: choice.useLimits };
  }
  private buildCode(): void {
    if (this.body) this.code.textContent = languages[this.choice.language][1](this.shown);
  }
}

function quaternion(world: Float32Array, joint: number): Quaternion {
  return new Quaternion(world[7 * joint + 3], world[7 * joint + 4], world[7 * joint + 5], world[7 * joint + 6]);
}

/** Ends of the body: joints without children, or the joint before a fixed end. */
function leaves({ joints }: ReachBody): number[] {
  const isParent = new Set(joints.map((j) => j.parent));
  return joints.map((_, j) => j).filter((j) => !isParent.has(j) && !/head|neck/i.test(joints[j].name)).slice(0, 12);
}

/** The limb that ends in a joint: [root, middle, end]. The middle is the hinge where it bends (an elbow, a knee), else the joint
 * before the end; bones that are too short to matter (a collar bone, a split forearm) are skipped. */
function twoBones(joints: JointInfo[], joint: number): [number, number, number] | null {
  const long = 0.35 * Math.max(...joints.map((j) => j.boneLength));
  const up: number[] = [];
  for (let j = joints[joint].parent; j >= 0 && up.length < 5; j = joints[j].parent) up.push(j);
  const hinge = up.find((j) => joints[j].type === "hinge" && joints[j].boneLength > long);
  const middle = hinge ?? (joints[joint].boneLength > long ? up[0] : undefined);
  if (middle === undefined || joints[middle].boneLength <= long) return null;
  return [joints[middle].parent, middle, joint];
}

const isFlat = (box: Box3): boolean => box.getSize(new Vector3()).z < 0.05 * box.getSize(new Vector3()).length();

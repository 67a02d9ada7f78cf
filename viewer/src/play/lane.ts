// One method's picture: the body, the targets, what the method does, and a card that says how it went.
import { BufferGeometry, Color, DoubleSide, type Group, Line, LineBasicMaterial, LineDashedMaterial, Mesh, MeshBasicMaterial, MeshLambertMaterial, Quaternion, RingGeometry, SphereGeometry, Vector3 } from "three";
import { h, replace, svg } from "../dom";
import type { JointInfo, ReachAnswer, ReachBody, ReachTrace, SphereData } from "../protocol";
import { Bones } from "../scene/bones";
import { segmentColors, sideOf } from "../scene/colors";
import { Cones } from "../scene/cones";
import { Floor } from "../scene/floor";
import { Stage } from "../scene/stage";
import type { Point } from "./sweeps";

/** A thing that the pointer can take: a target, a pole, or the rim of a cone. */
export interface Knob {
  kind: "target" | "pole" | "cone";
  index: number;
  position: Vector3;
}

const reached = new Color("#1f9d6b");
const missed = new Color("#d6226f");
const poleColor = new Color("#7e57c2");

export class Lane {
  readonly element = h("div", { class: "stage" });
  readonly canvas = h("canvas", { class: "view", tabindex: "0", "aria-label": "Drag a target; drag elsewhere to turn the view." });
  readonly stage: Stage;
  private readonly bones = new Bones();
  private readonly cones = new Cones();
  private readonly floor = new Floor();
  private readonly card = h("div", { class: "card" });
  private readonly more = h("div", { class: "card note", hidden: "" });
  private knobs: { knob: Knob; mesh: Mesh }[] = [];
  private extras: (Mesh | Line)[] = [];
  private joints: JointInfo[] = [];
  private knobSize = 0.03;
  world: Float32Array = new Float32Array();

  constructor() {
    this.element.append(this.canvas, h("div", { class: "legend" }, this.card, this.more));
    this.stage = new Stage(this.canvas);
    this.stage.setUp(2);
    this.stage.scene.add(this.floor.object);
    this.stage.lab.add(this.bones.group, this.cones.group);
  }

  setTheme(isDark: boolean): void {
    this.stage.setTheme(isDark);
    this.floor.paint(this.stage.palette.grid, this.stage.palette.gridStrong);
    this.paint([]);
  }

  setBody({ joints, size, up }: ReachBody): void {
    this.joints = joints;
    this.stage.setUp(up);
    this.bones.setJoints(joints);
    this.knobSize = Math.min(0.035, 0.028 * size);
    this.cones.setJoints(joints, () => 0.14 * size);
    this.paint([]);
  }

  showFloor(isOn: boolean, height: number, reach: number): void {
    this.floor.object.visible = isOn;
    this.floor.place(new Vector3(), height, reach);
    this.stage.invalidate();
  }
  showCones(isOn: boolean): void {
    this.cones.group.visible = isOn;
    this.stage.invalidate();
  }

  /** Joints at a limit stand out. */
  private paint(limited: number[]): void {
    if (!this.joints.length) return;
    const colors = segmentColors(this.joints.map((j) => j.name));
    const tone = new Color();
    const { palette } = this.stage;
    this.bones.paint((j) => tone.copy(palette.bone).lerp(colors[j], sideOf(this.joints[j].name) === "middle" ? 0.1 : 0.35), (j) => (limited.includes(j) ? palette.filled : palette.joint));
    this.stage.invalidate();
  }

  show(answer: ReachAnswer): void {
    this.world = answer.world;
    this.bones.update(answer.world, 0);
    this.cones.update(answer.world, 0);
    this.paint(answer.limited);
    const isGood = answer.outcome === "reached";
    this.knobs.forEach(({ knob, mesh }) => knob.kind === "target" && (mesh.material as MeshLambertMaterial).color.copy(isGood || (answer.residuals[knob.index] ?? 1) < 1e-3 ? reached : missed));
    this.stage.invalidate();
  }

  /** The body as it stands before a method has moved it. */
  showRest(world: Float32Array, solver: string): void {
    this.world = world;
    this.bones.update(world, 0);
    this.cones.update(world, 0);
    this.paint([]);
    replace(this.card, h("b", {}, solver), h("div", {}, "at rest; take one iteration to see what it does"));
  }

  /** The body in one frame of a motion. */
  showFrame(world: Float32Array): void {
    this.world = world;
    this.bones.update(world, 0);
    this.cones.update(world, 0);
    this.stage.invalidate();
  }

  /** Below what is told of the body itself. */
  note(sentence: string): void {
    this.more.textContent = sentence;
    this.more.hidden = !sentence;
  }

  tell(answer: ReachAnswer, trace: ReachTrace | null): void {
    const used = answer.used !== answer.solver ? ` (${answer.used})` : "";
    if (answer.refusal) replace(this.card, h("b", {}, answer.solver), h("div", {}, answer.refusal));
    else replace(this.card, h("b", {}, answer.solver), used, h("div", {}, `${answer.outcome}, ${length(answer.residual)} left`), h("div", { class: "hint" }, `${answer.iterations} iteration${answer.iterations === 1 ? "" : "s"}, ${answer.microseconds < 1000 ? `${Math.max(5, Math.round(answer.microseconds))} µs` : `${(answer.microseconds / 1000).toFixed(1)} ms`}`),
      trace && trace.residual.length > 1 ? curve(trace) : null);
  }

  // ---- what can be dragged ----

  setKnobs(knobs: Knob[]): void {
    for (const { mesh } of this.knobs) this.drop(mesh);
    this.knobs = knobs.map((knob) => {
      const color = knob.kind === "target" ? missed : knob.kind === "pole" ? poleColor : this.stage.palette.filled;
      const mesh = new Mesh(new SphereGeometry(this.knobSize * (knob.kind === "cone" ? 0.6 : 1), 20, 14), new MeshLambertMaterial({ color, transparent: true, opacity: knob.kind === "target" ? 0.75 : 0.85 }));
      mesh.position.copy(knob.position);
      this.stage.lab.add(mesh);
      return { knob, mesh };
    });
    this.stage.invalidate();
  }
  moveKnobs(): void {
    for (const { knob, mesh } of this.knobs) mesh.position.copy(knob.position);
    this.stage.invalidate();
  }

  private screen(p: Vector3, rect: DOMRect): [number, number] {
    const q = this.stage.lab.localToWorld(p.clone()).project(this.stage.camera);
    return [(0.5 + 0.5 * q.x) * rect.width, (0.5 - 0.5 * q.y) * rect.height];
  }
  pick(event: { clientX: number; clientY: number }): Knob | null {
    const rect = this.canvas.getBoundingClientRect();
    let best: Knob | null = null;
    let near = 20;
    for (const { knob } of this.knobs) {
      const [x, y] = this.screen(knob.position, rect);
      const d = Math.hypot(x - (event.clientX - rect.left), y - (event.clientY - rect.top)) + (knob.kind === "target" ? 0 : 3);
      if (d < near) [near, best] = [d, knob];
    }
    return best;
  }
  pickJoint(event: { clientX: number; clientY: number }): number {
    const rect = this.canvas.getBoundingClientRect();
    let best = -1;
    let near = 18;
    for (let j = 0; j < this.joints.length; j++) {
      const [x, y] = this.screen(new Vector3().fromArray(this.world, 7 * j), rect);
      const d = Math.hypot(x - (event.clientX - rect.left), y - (event.clientY - rect.top));
      if (d < near) [near, best] = [d, j];
    }
    return best;
  }
  /** Where the pointer is in the plane through `through` that faces the camera. */
  drag(event: { clientX: number; clientY: number }, through: Vector3): Vector3 {
    const rect = this.canvas.getBoundingClientRect();
    const { camera } = this.stage;
    const depth = this.stage.lab.localToWorld(through.clone()).project(camera).z;
    const there = new Vector3((2 * (event.clientX - rect.left)) / rect.width - 1, 1 - (2 * (event.clientY - rect.top)) / rect.height, depth).unproject(camera);
    return this.stage.lab.worldToLocal(there);
  }

  // ---- pictures for teaching ----

  /** What stands in the scene beside the body. */
  addGroup(group: Group): void {
    this.stage.lab.add(group);
  }

  clearExtras(): void {
    for (const extra of this.extras) this.drop(extra);
    this.extras = [];
    this.stage.invalidate();
  }
  private drop(object: Mesh | Line): void {
    this.stage.lab.remove(object);
    object.geometry.dispose();
    (object.material as MeshBasicMaterial).dispose();
  }
  private add(object: Mesh | Line): void {
    this.extras.push(object);
    this.stage.lab.add(object);
    this.stage.invalidate();
  }

  drawPath(points: Point[], color: string, isDashed: boolean): void {
    const geometry = new BufferGeometry().setFromPoints(points.map((p) => new Vector3(...p)));
    const material = isDashed ? new LineDashedMaterial({ color, dashSize: 0.02, gapSize: 0.012 }) : new LineBasicMaterial({ color });
    const line = new Line(geometry, material);
    line.computeLineDistances();
    line.renderOrder = 3;
    material.depthTest = false;
    this.add(line);
  }

  /** Two spheres and the circle in which they meet. */
  drawSpheres(spheres: SphereData[], circle: { center: number[]; normal: number[]; radius: number } | null): void {
    spheres.forEach(({ center, radius }, n) => {
      const ball = new Mesh(new SphereGeometry(radius, 40, 28), new MeshBasicMaterial({ color: n ? "#e0772a" : "#3d7dd8", transparent: true, opacity: 0.1, depthWrite: false, side: DoubleSide }));
      ball.position.fromArray(center);
      this.add(ball);
    });
    if (!circle) return;
    const ring = new Mesh(new RingGeometry(circle.radius * 0.985, circle.radius * 1.015, 96), new MeshBasicMaterial({ color: "#7e57c2", side: DoubleSide, depthTest: false, transparent: true }));
    ring.position.fromArray(circle.center);
    ring.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), new Vector3().fromArray(circle.normal).normalize()));
    ring.renderOrder = 2;
    this.add(ring);
  }

  dispose(): void {
    this.clearExtras();
    this.setKnobs([]);
    this.bones.dispose();
    this.cones.clear();
    this.stage.controls.dispose();
    this.stage.renderer.dispose();
    this.element.remove();
  }
}

function length(metres: number): string {
  return metres < 1e-3 ? `${(1e6 * metres).toFixed(0)} µm` : metres < 1 ? `${(1000 * metres).toFixed(1)} mm` : `${metres.toFixed(2)} m`;
}

/** Residual over iterations, both logarithmic: a straight line is a power, a bend a change of mind. */
function curve({ iterations, residual }: ReachTrace): SVGElement {
  const width = 170;
  const height = 46;
  const log = residual.map((r) => Math.log10(Math.max(r, 1e-7)));
  const [low, high] = [Math.min(...log, -6), Math.max(...log, -1)];
  const x = (n: number): number => 2 + (Math.log2(iterations[n]) / 6) * (width - 4);
  const y = (n: number): number => 3 + ((high - log[n]) / (high - low || 1)) * (height - 6);
  const path = iterations.map((_, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(n).toFixed(1)}`).join("");
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Residual from ${residual[0].toPrecision(2)} to ${residual[residual.length - 1].toPrecision(2)} metres in ${iterations[iterations.length - 1]} iterations` },
    svg("path", { d: `M2 ${height - 1}H${width - 2}`, stroke: "currentColor", "stroke-opacity": 0.2 }),
    svg("path", { d: path, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
    ...iterations.map((_, n) => svg("circle", { cx: x(n).toFixed(1), cy: y(n).toFixed(1), r: 1.8, fill: "currentColor" })));
}

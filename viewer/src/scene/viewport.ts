// The motion pane's picture: everything of the open document at the clock's frame. Owns no state but the camera.
import { Box3, Color, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Clock } from "../clock";
import type { Document } from "../document";
import type { BodyData, CaptureData } from "../protocol";
import type { Selection } from "../selection";
import type { SettingsStore } from "../settings";
import { Bones } from "./bones";
import { limbColors, sideOf } from "./colors";
import { Cones } from "./cones";
import { Floor } from "./floor";
import { Labels, type Label } from "./labels";
import { Lines } from "./lines";
import { Balls } from "./points";
import { Stage } from "./stage";

/** Nearer than this, in pixels, the pointer means a marker or a joint. */
const near = 14;
/** Metres of arrow for one newton: body weight is about as tall as a thigh. */
const metresPerNewton = 1 / 1500;
/** Half the length that is drawn along an axis on which the centre may be anywhere, metres. */
const freeLength = 0.06;
const xAxis = new Vector3(1, 0, 0);

export class Viewport {
  readonly stage: Stage;
  private readonly markers = new Balls();
  private readonly bones = new Bones();
  private readonly cones = new Cones();
  private readonly floor = new Floor();
  private readonly limbLines = new Lines(0.7);
  private readonly trailLines = new Lines(0.75);
  private readonly forceLines = new Lines();
  private readonly spheres: InstancedMesh;
  private readonly labels: Labels;
  private colors: Color[] = [];
  private markerLimb: Int32Array = new Int32Array();
  private limbPairs: number[] = [];
  private hidden = new Set<number>();
  private followed: Vector3 | null = null;
  private markerSize = 0.018;
  private isNew = true;
  /** Milliseconds of script in the last pictures, for measuring. */
  readonly timings: number[] = [];

  constructor(
    canvas: HTMLCanvasElement,
    overlay: HTMLCanvasElement,
    private readonly parts: { document: Document; clock: Clock; selection: Selection; settings: SettingsStore },
  ) {
    this.stage = new Stage(canvas, () => this.update());
    this.labels = new Labels(overlay);
    this.spheres = new InstancedMesh(new SphereGeometry(1, 20, 14), new MeshLambertMaterial({ transparent: true, opacity: 0.35, depthWrite: false }), 256);
    this.spheres.frustumCulled = false;
    this.stage.scene.add(this.floor.object);
    this.stage.lab.add(this.limbLines.object, this.trailLines.object, this.forceLines.object, this.bones.group, this.cones.group, this.spheres, this.markers.object);
    const { document, clock, selection, settings } = parts;
    document.capture.watch(() => this.rebuild());
    document.body.watch(() => this.rebuild());
    for (const signal of [document.filled, clock.frame, selection.chosen, selection.hovered, settings.all]) (signal as { watch(f: () => void): void }).watch(() => this.stage.invalidate());
    this.listen(canvas);
  }

  // ---- what is shown ----

  /** Markers that are switched off. */
  setHidden(hidden: Set<number>): void {
    this.hidden = hidden;
    this.stage.invalidate();
  }

  colorOf(marker: number): Color {
    const limb = this.markerLimb[marker] ?? -1;
    return limb >= 0 ? this.colors[limb] : this.stage.palette.marker;
  }

  colorOfJoint(joint: number): Color {
    const body = this.parts.document.body.get();
    if (!body) return this.stage.palette.bone;
    const at = body.limbNames.indexOf(body.joints[joint].name);
    return this.colors[at] ?? limbColors(body.joints.map((j) => j.name))[joint];
  }

  private rebuild(): void {
    const capture = this.parts.document.capture.get();
    const body = this.parts.document.body.get();
    this.markers.resize(capture?.markers.length ?? 0);
    const names = body?.limbNames.length ? body.limbNames : body ? body.joints.map((j) => j.name) : [];
    this.colors = limbColors(names);
    this.markerLimb = body?.limbOf ?? body?.jointOf ?? new Int32Array(capture?.markers.length ?? 0).fill(-1);
    this.limbPairs = pairs(this.markerLimb);
    this.bones.setJoints(body?.joints ?? []);
    this.cones.setJoints(body?.joints ?? [], () => 0.16);
    this.stage.setUp(capture?.up ?? body?.up ?? 2);
    this.setMarkerSize(capture);
    this.paint();
    this.isNew = true;
    this.stage.invalidate();
  }

  /** A hand's markers are smaller than a body's. */
  private setMarkerSize(capture: CaptureData | null): void {
    const box = this.box(this.parts.clock.frame.get());
    const size = box.isEmpty() ? 1.8 : box.getSize(new Vector3()).length();
    this.markerSize = capture ? Math.min(0.02, 0.011 * Math.max(0.15, size)) : 0.02;
  }

  paint(): void {
    const { palette } = this.stage;
    this.floor.paint(palette.grid, palette.gridStrong);
    if (this.parts.document.body.get()) {
      const tone = new Color();
      this.bones.paint(
        (j) => tone.copy(palette.bone).lerp(this.colorOfJoint(j), sideOf(this.jointName(j)) === "middle" ? 0.12 : 0.38),
        (j) => (this.parts.selection.chosen.get().joint === j ? palette.chosen : tone.copy(palette.joint)),
      );
    }
    this.stage.invalidate();
  }

  private jointName(joint: number): string {
    return this.parts.document.body.get()?.joints[joint]?.name ?? "";
  }

  // ---- drawing one frame ----

  private update(): void {
    const start = performance.now();
    const { document, clock, settings } = this.parts;
    const capture = document.capture.get();
    const body = document.body.get();
    const frame = clock.frame.get();
    const show = settings.get();
    if (this.isNew) this.settle(frame);
    this.follow(frame);
    this.markers.object.visible = show.markers && !!capture;
    this.bones.group.visible = show.bones && !!body;
    this.cones.group.visible = show.cones && !!body;
    this.spheres.visible = show.uncertainty && !!body;
    this.floor.object.visible = show.floor;
    this.limbLines.object.visible = show.limbs || (!body && !!this.limbPairs.length);
    this.trailLines.object.visible = show.trails;
    this.forceLines.object.visible = show.forces;
    const points = this.pointsAt(frame);
    if (capture) {
      this.placeMarkers(capture, frame, points, show.filled);
      if (this.limbLines.object.visible) this.drawLimbs(points);
      if (show.trails) this.drawTrails(capture, frame);
      if (show.forces) this.drawForces(capture, frame);
    } else this.forceLines.object.visible = false;
    if (body && frame < body.frameCount) {
      const at = frame * body.joints.length * 7;
      this.bones.update(body.world, at);
      if (show.cones) this.cones.update(body.world, at, this.parts.selection.chosen.get().joint);
      if (show.uncertainty) this.drawUncertainty(body, at);
    }
    this.drawLabels(capture, body, frame, points, show.labels);
    this.timings.push(performance.now() - start);
    if (this.timings.length > 600) this.timings.shift();
  }

  /** Positions of all markers in a frame, with what the body fills in. */
  private pointsAt(frame: number): Float32Array {
    const { document, settings } = this.parts;
    const capture = document.capture.get();
    if (!capture) return new Float32Array();
    const length = 3 * capture.markers.length;
    const all = settings.get().filled ? (document.filled.get()?.positions ?? capture.positions) : capture.positions;
    return all.subarray(frame * length, frame * length + length);
  }

  private placeMarkers(capture: CaptureData, frame: number, points: Float32Array, showFilled: boolean): void {
    const { palette } = this.stage;
    const count = capture.markers.length;
    const states = showFilled ? (this.parts.document.filled.get()?.states ?? capture.states) : capture.states;
    const { markers: chosen } = this.parts.selection.chosen.get();
    const { marker: hovered } = this.parts.selection.hovered.get();
    const { position } = this.markers;
    for (let m = 0; m < count; m++) {
      const state = states[frame * count + m];
      const isShown = state !== 0 && !this.hidden.has(m) && Number.isFinite(points[3 * m]);
      position[3 * m] = isShown ? points[3 * m] : 1e6;
      position[3 * m + 1] = isShown ? points[3 * m + 1] : 1e6;
      position[3 * m + 2] = isShown ? points[3 * m + 2] : 1e6;
      const isChosen = chosen.includes(m);
      const size = this.markerSize * (isChosen ? 1.7 : m === hovered ? 1.5 : capture.markers[m].isComputed ? 0.7 : 1);
      const color = isChosen ? palette.chosen : state >= 2 ? palette.filled : this.markerLimb[m] < 0 && this.colors.length ? palette.missing : this.colorOf(m);
      this.markers.set(m, color, state >= 2 ? -1.25 * size : size);
    }
    const { height } = this.stage.renderer.domElement;
    this.markers.commit(height / (2 * Math.tan((this.stage.camera.fov * Math.PI) / 360)));
  }

  private drawLimbs(points: Float32Array): void {
    this.limbLines.begin(this.limbPairs.length / 2);
    for (let n = 0; n < this.limbPairs.length; n += 2) {
      const [a, b] = [this.limbPairs[n], this.limbPairs[n + 1]];
      if (Number.isFinite(points[3 * a]) && Number.isFinite(points[3 * b]) && !this.hidden.has(a) && !this.hidden.has(b)) this.limbLines.add(points, 3 * a, 3 * b, this.colorOf(a));
    }
    this.limbLines.end();
  }

  private drawTrails(capture: CaptureData, frame: number): void {
    const { trailPast, trailFuture, filled } = this.parts.settings.get();
    const all = filled ? (this.parts.document.filled.get()?.positions ?? capture.positions) : capture.positions;
    const { markers: chosen } = this.parts.selection.chosen.get();
    const count = capture.markers.length;
    const past = Math.round(trailPast * capture.rate);
    const future = Math.round(trailFuture * capture.rate);
    const first = Math.max(0, frame - past);
    const last = Math.min(capture.frameCount - 1, frame + future);
    const stride = Math.max(1, Math.floor((last - first) / 90)); // finer steps than this nobody sees
    const list = chosen.length ? chosen : capture.markers.map((_, m) => m);
    this.trailLines.begin((list.length * (last - first)) / stride + list.length);
    const { background } = this.stage.palette;
    for (const m of list) {
      if (this.hidden.has(m)) continue;
      const color = this.colorOf(m);
      for (let f = first; f + stride <= last; f += stride) {
        const a = 3 * (f * count + m);
        const b = a + 3 * stride * count;
        if (!Number.isFinite(all[a]) || !Number.isFinite(all[b])) continue;
        const fade = f < frame ? 0.9 * ((frame - f) / (past || 1)) : 0.55 + 0.4 * ((f - frame) / (future || 1));
        this.trailLines.add(all, a, b, color, background, fade);
      }
    }
    this.trailLines.end();
  }

  private drawForces(capture: CaptureData, frame: number): void {
    this.forceLines.begin(16 * capture.plates.length);
    const { force: color, gridStrong } = this.stage.palette;
    const ends = new Float32Array(12);
    for (const plate of capture.plates) {
      const corners = new Float32Array(plate.corners.flat());
      for (let c = 0; c < 4; c++) this.forceLines.add(corners, 3 * c, 3 * ((c + 1) % 4), gridStrong);
      const n = frame;
      if (3 * n + 2 >= plate.force.length || !Number.isFinite(plate.point[3 * n])) continue;
      for (let k = 0; k < 3; k++) {
        ends[k] = plate.point[3 * n + k];
        ends[3 + k] = ends[k] + plate.force[3 * n + k] * metresPerNewton;
      }
      this.forceLines.add(ends, 0, 3, color);
      arrowHead(ends);
      this.forceLines.add(ends, 3, 6, color);
      this.forceLines.add(ends, 3, 9, color);
    }
    this.forceLines.end();
  }

  /** Three standard deviations, as a ball: what is seen should be where the joint is. */
  /** Three standard deviations, as an ellipsoid: long along the axis of a hinge whose place on it nothing tells. */
  private drawUncertainty(body: BodyData, at: number): void {
    const matrix = new Matrix4();
    const turn = new Quaternion();
    const along = new Quaternion();
    const { palette } = this.stage;
    let shown = 0;
    body.joints.forEach((joint, j) => {
      if (joint.uncertainty <= 0 || shown >= 256) return;
      const size = Math.min(0.25, 3 * joint.uncertainty);
      turn.fromArray(body.world, at + 7 * j + 3);
      if (joint.freeAxis) turn.multiply(along.setFromUnitVectors(xAxis, new Vector3(...(joint.freeAxis as [number, number, number])).normalize()));
      const length = joint.freeAxis ? Math.min(0.3, Math.max(freeLength, 2.5 * size)) : size;
      matrix.compose(new Vector3().fromArray(body.world, at + 7 * j), turn, new Vector3(length, size, size));
      this.spheres.setMatrixAt(shown, matrix);
      this.spheres.setColorAt(shown++, joint.isUncertain ? palette.filled : palette.force);
    });
    this.spheres.count = shown;
    this.spheres.instanceMatrix.needsUpdate = true;
    if (this.spheres.instanceColor) this.spheres.instanceColor.needsUpdate = true;
  }

  private drawLabels(capture: CaptureData | null, body: BodyData | null, frame: number, points: Float32Array, showAll: boolean): void {
    const labels: Label[] = [];
    const { markers: chosen, joint } = this.parts.selection.chosen.get();
    const hovered = this.parts.selection.hovered.get();
    capture?.markers.forEach((marker, m) => {
      const isStrong = chosen.includes(m) || hovered.marker === m;
      if ((!showAll && !isStrong) || !Number.isFinite(points[3 * m]) || this.hidden.has(m)) return;
      labels.push({ text: marker.name, x: points[3 * m], y: points[3 * m + 1], z: points[3 * m + 2], isStrong });
    });
    for (const j of new Set([joint, hovered.joint])) {
      if (!body || j < 0 || j >= body.joints.length) continue;
      const at = 7 * (frame * body.joints.length + j);
      labels.push({ text: body.joints[j].name, x: body.world[at], y: body.world[at + 1], z: body.world[at + 2], isStrong: true });
    }
    this.labels.draw(labels, this.stage.camera, this.stage.lab, this.stage.palette.text, this.stage.palette.textShadow);
  }

  // ---- the camera ----

  /** Box of what is there in a frame, in the lab's axes. */
  private box(frame: number): Box3 {
    const box = new Box3();
    const p = new Vector3();
    const body = this.parts.document.body.get();
    const points = this.pointsAt(frame);
    const carried = body?.jointOf ?? null; // what lies on no limb does not move the camera
    for (let n = 0; n < points.length; n += 3) if (Number.isFinite(points[n]) && !this.hidden.has(n / 3) && (!carried || carried[n / 3] >= 0)) box.expandByPoint(p.fromArray(points, n));
    if (body && frame < body.frameCount && !points.length) {
      const at = frame * body.joints.length * 7;
      for (let j = 0; j < body.joints.length; j++) box.expandByPoint(p.fromArray(body.world, at + 7 * j));
    }
    return box;
  }

  /** After something new came: floor under it, camera on it. */
  private settle(frame: number): void {
    this.isNew = false;
    const all = new Box3();
    const frames = this.parts.document.frameCount;
    for (let n = 0; n < 24; n++) all.union(this.box(Math.floor((n * Math.max(0, frames - 1)) / 23)));
    if (all.isEmpty()) return;
    const world = all.clone().applyMatrix4(this.stage.lab.matrixWorld);
    const size = world.getSize(new Vector3());
    const height = world.min.y > -0.15 && world.min.y < 0.35 * Math.max(0.3, size.y) ? Math.min(0, world.min.y) : world.min.y - 0.02 * size.y;
    this.floor.place(world.getCenter(new Vector3()), height, 1.2 * Math.hypot(size.x, size.z) + 2);
    if (this.parts.document.name !== this.fitted) {
      this.fitted = this.parts.document.name;
      const here = this.box(frame).getSize(new Vector3()).length();
      const isWide = all.getSize(new Vector3()).length() > 1.7 * here;
      this.stage.fit(isWide ? this.box(frame).expandByScalar(0.08 * here) : all);
      this.parts.settings.set({ follow: isWide });
    }
    this.followed = null;
  }
  private fitted = "";

  fit(): void {
    this.followed = null;
    this.stage.fit(this.box(this.parts.clock.frame.get()));
  }

  private follow(frame: number): void {
    if (!this.parts.settings.get().follow) {
      this.followed = null;
      return;
    }
    const box = this.box(frame);
    if (box.isEmpty()) return;
    const middle = this.stage.lab.localToWorld(box.getCenter(new Vector3()));
    middle.y = 0;
    if (this.followed) {
      const by = middle.clone().sub(this.followed);
      this.stage.controls.target.add(by);
      this.stage.camera.position.add(by);
      this.stage.camera.updateMatrixWorld();
    }
    this.followed = middle;
  }

  // ---- the pointer ----

  private listen(canvas: HTMLCanvasElement): void {
    let down: [number, number] | null = null;
    canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) return;
      const hit = this.pick(event);
      const before = this.parts.selection.hovered.get();
      if (hit.marker !== before.marker || hit.joint !== before.joint) this.parts.selection.hovered.set(hit);
      canvas.style.cursor = hit.marker >= 0 || hit.joint >= 0 ? "pointer" : "";
    });
    canvas.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
      const hit = this.pick(event);
      if (hit.marker >= 0) this.parts.selection.marker(hit.marker, event.shiftKey || event.ctrlKey || event.metaKey);
      else if (hit.joint >= 0) this.parts.selection.joint(hit.joint);
      else if (!event.shiftKey) this.parts.selection.clear();
    });
  }

  /** The nearest marker or joint under the pointer. */
  private pick(event: PointerEvent): { marker: number; joint: number } {
    const { canvas, camera, lab } = this.stage;
    const rect = canvas.getBoundingClientRect();
    const frame = this.parts.clock.frame.get();
    const show = this.parts.settings.get();
    const p = new Vector3();
    const hit = { marker: -1, joint: -1 };
    let best = near;
    const distance = (): number => {
      lab.localToWorld(p).project(camera);
      return Math.hypot((0.5 + 0.5 * p.x) * rect.width - (event.clientX - rect.left), (0.5 - 0.5 * p.y) * rect.height - (event.clientY - rect.top)) + 0.5 * p.z;
    };
    const points = this.pointsAt(frame);
    for (let n = 0; show.markers && n < points.length; n += 3) {
      if (!Number.isFinite(points[n]) || this.hidden.has(n / 3)) continue;
      p.fromArray(points, n);
      const d = distance();
      if (d < best) [best, hit.marker] = [d, n / 3];
    }
    const body = this.parts.document.body.get();
    if (body && show.bones && frame < body.frameCount)
      for (let j = 0; j < body.joints.length; j++) {
        p.fromArray(body.world, 7 * (frame * body.joints.length + j));
        const d = distance() + 2;
        if (d < best) [best, hit.marker, hit.joint] = [d, -1, j];
      }
    return hit;
  }
}

/** Lines of a limb: every marker to every other where there are few, else round in a ring. */
function pairs(limbOf: Int32Array): number[] {
  const limbs = new Map<number, number[]>();
  limbOf.forEach((limb, marker) => limb >= 0 && limbs.set(limb, [...(limbs.get(limb) ?? []), marker]));
  const out: number[] = [];
  for (const markers of limbs.values())
    markers.forEach((a, n) => {
      if (markers.length > 6) out.push(a, markers[(n + 1) % markers.length]);
      else for (const b of markers.slice(n + 1)) out.push(a, b);
    });
  return out;
}

/** Two barbs at the end of the arrow in ends[0..5], written to ends[6..11]. */
function arrowHead(ends: Float32Array): void {
  const from = new Vector3().fromArray(ends, 0);
  const to = new Vector3().fromArray(ends, 3);
  const along = to.clone().sub(from);
  const side = new Vector3(along.y, along.z, -along.x).cross(along).setLength(0.08 * along.length());
  const back = to.clone().addScaledVector(along, -0.14);
  back.clone().add(side).toArray(ends, 6);
  back.clone().sub(side).toArray(ends, 9);
}

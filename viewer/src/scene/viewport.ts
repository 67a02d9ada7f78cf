// The motion pane's picture: everything of the open document at the clock's frame. Owns no state but the camera.
import { Box3, Color, Vector3 } from "three";
import type { Clock } from "../clock";
import { type Comparison, frameOf, type Layout } from "../compare";
import type { Document } from "../document";
import type { BodyData, CameraData, CaptureData } from "../protocol";
import type { Selection } from "../selection";
import type { SettingsStore } from "../settings";
import { Bones } from "./bones";
import { cameraLabels, Cameras } from "./cameras";
import { segmentColors, sideOf } from "./colors";
import { Cones } from "./cones";
import { Ellipsoids } from "./ellipsoids";
import { Floor } from "./floor";
import { Forces } from "./forces";
import { Labels, sharedPrefix, type Label } from "./labels";
import { Lines } from "./lines";
import { listenToPointer } from "./pointer";
import { Balls } from "./points";
import { MassPath } from "./mass";
import { Skin } from "./skin";
import { Stage } from "./stage";

export class Viewport {
  readonly stage: Stage;
  private readonly markers = new Balls();
  private readonly bones = new Bones();
  /** Of the bodies beside the chosen one. */
  private others: { body: BodyData; bones: Bones }[] = [];
  /** Of the body that was kept to be compared. */
  private readonly kept = new Bones();
  private aside = new Vector3();
  private skins: { body: BodyData; skin: Skin }[] = [];
  private readonly cones = new Cones();
  private readonly floor = new Floor();
  private readonly segmentLines = new Lines(0.7);
  private readonly trailLines = new Lines(0.75);
  private readonly massPath = new MassPath();
  private readonly cameras = new Cameras();
  private readonly forces = new Forces();
  private readonly ellipsoids = new Ellipsoids();
  private readonly labels: Labels;
  private colors: Color[] = [];
  private markerSegment: Int32Array = new Int32Array();
  private segmentPairs: number[] = [];
  private hidden = new Set<number>();
  private followed: { place: Vector3; isBody: boolean } | null = null;
  private markerSize = 0.018;
  /** A hand, or some other thing that is carried about. */
  private isSmall = false;
  private isNew = true;
  private prefix = "";
  /** Milliseconds of script in the last pictures, for measuring. */
  readonly timings: number[] = [];

  constructor(
    canvas: HTMLCanvasElement,
    overlay: HTMLCanvasElement,
    private readonly parts: { document: Document; clock: Clock; selection: Selection; settings: SettingsStore; comparison: Comparison },
  ) {
    this.stage = new Stage(canvas, () => this.update());
    this.labels = new Labels(overlay);
    this.stage.scene.add(this.floor.object);
    this.stage.lab.add(this.segmentLines.object, this.trailLines.object, this.massPath.group, this.forces.object, this.cameras.object, this.bones.group, this.kept.group, this.cones.group, this.ellipsoids.object, this.markers.object);
    const { document, clock, selection, settings } = parts;
    document.capture.watch(() => this.rebuild());
    document.body.watch(() => this.rebuild());
    document.upChosen.watch(() => this.rebuild());
    document.skins.watch(() => this.placeSkins());
    parts.comparison.kept.watch(() => { this.isKeptNew = true; this.stage.invalidate(); });
    for (const signal of [document.cameras, document.filled, clock.frame, selection.chosen, selection.hovered, settings.all]) (signal as { watch(f: () => void): void }).watch(() => this.stage.invalidate());
    listenToPointer(canvas, { ...parts, stage: this.stage, pointsAt: (frame) => this.pointsAt(frame), isHidden: (marker) => this.hidden.has(marker) });
  }

  // ---- what is shown ----

  /** Markers that are switched off. */
  setHidden(hidden: Set<number>): void {
    this.hidden = hidden;
    this.stage.invalidate();
  }

  colorOf(marker: number): Color {
    const segment = this.markerSegment[marker] ?? -1;
    return segment >= 0 ? this.colors[segment] : this.stage.palette.marker;
  }

  colorOfJoint(joint: number): Color {
    const body = this.parts.document.body.get();
    if (!body) return this.stage.palette.bone;
    const at = body.segmentNames.indexOf(body.joints[joint].name);
    return this.colors[at] ?? segmentColors(body.joints.map((j) => j.name))[joint];
  }

  private rebuild(): void {
    const capture = this.parts.document.capture.get();
    const body = this.parts.document.body.get();
    this.markers.resize(capture?.markers.length ?? 0);
    this.prefix = sharedPrefix(capture?.markers.map(({ name }) => name) ?? []);
    const names = body?.segmentNames.length ? body.segmentNames : body ? body.joints.map((j) => j.name) : [];
    this.colors = segmentColors(names);
    this.markerSegment = body?.segmentOf ?? body?.jointOf ?? new Int32Array(capture?.markers.length ?? 0).fill(-1);
    this.segmentPairs = pairs(this.markerSegment);
    this.bones.setJoints(body?.joints ?? []);
    this.placeOthers(body);
    this.cones.setJoints(body?.joints ?? [], () => 0.16);
    if (this.stage.setUp(this.parts.document.up)) this.fitted = "";
    this.setMarkerSize(capture);
    this.paint();
    this.isNew = true;
    this.stage.invalidate();
  }

  /** Beside means to the right as one looks now. */
  private placeKept(): void {
    this.isKeptNew = false;
    const kept = this.parts.comparison.kept.get();
    this.kept.setJoints(kept?.body.joints ?? []);
    const right = new Vector3().setFromMatrixColumn(this.stage.camera.matrixWorld, 0).setY(0).normalize();
    const body = this.parts.document.body.get();
    const height = body ? new Box3().setFromArray(Array.from({ length: body.joints.length }, (_, j) => [...body.world.subarray(7 * j, 7 * j + 3)]).flat()).getSize(new Vector3()).length() : 1;
    this.aside = right.multiplyScalar(0.75 * height).applyQuaternion(this.stage.lab.quaternion.clone().invert());
    this.paint();
    const layout = kept?.layout ?? "over";
    if (layout !== this.layout) this.fit();
    this.layout = layout;
  }
  private layout: Layout = "over";
  private isKeptNew = false;

  private drawKept(body: BodyData | null, frame: number): void {
    const kept = this.parts.comparison.kept.get();
    const isBlind = kept?.layout === "blind";
    this.kept.group.visible = !!kept && !!body;
    this.bones.group.position.set(0, 0, 0);
    if (isBlind) for (const thing of [this.markers.object, this.segmentLines.object, this.trailLines.object, this.ellipsoids.object, this.cones.group]) thing.visible = false;
    if (!kept || !body) return;
    const other = frameOf(frame, body, kept.body);
    this.kept.update(kept.body.world, 7 * other * kept.body.joints.length);
    const { position } = this.kept.group;
    if (kept.layout === "over") return void position.set(0, 0, 0);
    // Each where the other would be, were they the same: they stand beside each other however they walked.
    const [own, theirs] = [new Vector3().fromArray(body.world, 7 * Math.min(frame, body.frameCount - 1) * body.joints.length), new Vector3().fromArray(kept.body.world, 7 * other * kept.body.joints.length)];
    const up = this.stage.lab.worldToLocal(new Vector3(0, 1, 0)).sub(this.stage.lab.worldToLocal(new Vector3()));
    const apart = own.sub(theirs);
    apart.addScaledVector(up, -apart.dot(up));
    const side = !isBlind ? 1 : kept.isRight ? 0.5 : -0.5; // alone in the picture both make room, else markers stay where they are
    if (isBlind) this.bones.group.position.copy(this.aside).multiplyScalar(-side);
    position.copy(this.aside).multiplyScalar(side).add(apart);
  }

  private placeOthers(chosen: BodyData | null): void {
    for (const { bones } of this.others) {
      this.stage.lab.remove(bones.group);
      bones.dispose();
    }
    this.others = this.parts.document.bodies.get().filter((body) => body !== chosen).map((body) => ({ body, bones: new Bones(body.joints) }));
    for (const { bones } of this.others) this.stage.lab.add(bones.group);
  }

  private placeSkins(): void {
    for (const { skin } of this.skins) {
      this.stage.lab.remove(skin.group);
      skin.dispose();
    }
    this.skins = [...this.parts.document.skins.get()].map(([body, data]) => ({ body, skin: new Skin(data) }));
    for (const { skin } of this.skins) this.stage.lab.add(skin.group);
    this.paint();
  }

  /** Not where bodies are compared: two surfaces in one place hide each other. */
  private drawSkins(frame: number, isShown: boolean): void {
    for (const { body, skin } of this.skins) {
      skin.group.visible = isShown && frame < body.frameCount && !this.parts.comparison.kept.get();
      if (skin.group.visible) skin.update(body.world, 7 * frame * body.joints.length);
    }
  }

  private drawMass(body: BodyData | null, frame: number, isShown: boolean): void {
    const row = body && isShown ? this.parts.document.skins.get().get(body)?.mass.row : undefined;
    this.massPath.group.visible = !!row && 10 * frame < row.length && !this.parts.comparison.kept.get();
    if (!row || !this.massPath.group.visible) return;
    const { force, background } = this.stage.palette;
    this.massPath.update(row, frame, { pixelsPerMetre: this.pixelsPerMetre(), size: 2 * this.markerSize, color: force, pale: background });
  }

  /** At one metre's distance. */
  private pixelsPerMetre(): number {
    return this.stage.renderer.domElement.height / (2 * Math.tan((this.stage.camera.fov * Math.PI) / 360));
  }

  /** A hand's markers are smaller than a body's. */
  private setMarkerSize(capture: CaptureData | null): void {
    const box = this.box(this.parts.clock.frame.get());
    const size = box.isEmpty() ? 1.8 : box.getSize(new Vector3()).length();
    this.isSmall = size < 0.6;
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
    const isBlind = this.parts.comparison.kept.get()?.layout === "blind";
    if (isBlind) this.bones.paint(() => palette.bone, () => palette.joint);
    this.kept.paint(() => (isBlind ? palette.bone : palette.force), () => (isBlind ? palette.joint : palette.force));
    const pale = palette.bone.clone().lerp(palette.background, 0.55);
    for (const { bones } of this.others) bones.paint(() => pale, () => pale);
    for (const { skin } of this.skins) skin.paint(palette.skin);
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
    if (this.isKeptNew) this.placeKept();
    this.follow(frame);
    this.markers.object.visible = show.markers && !!capture;
    this.bones.group.visible = show.bones && !!body;
    for (const { bones } of this.others) bones.group.visible = show.bones;
    this.cones.group.visible = show.cones && !!body;
    this.ellipsoids.object.visible = show.uncertainty && !!body;
    this.floor.object.visible = show.floor;
    this.segmentLines.object.visible = show.segments || (!body && !!this.segmentPairs.length);
    this.trailLines.object.visible = show.trails;
    this.forces.object.visible = show.forces && !!capture;
    this.cameras.update(document.cameras.get(), this.stage.palette.force);
    const points = this.pointsAt(frame);
    if (capture) {
      this.placeMarkers(capture, frame, points, show.filled);
      if (this.segmentLines.object.visible) this.drawSegments(points);
      if (show.trails) this.drawTrails(capture, frame);
      if (show.forces) this.forces.update(capture.plates, frame, this.stage.palette.force, this.stage.palette.gridStrong);
    }
    if (body && frame < body.frameCount) {
      const at = frame * body.joints.length * 7;
      this.bones.update(body.world, at);
      if (show.cones) this.cones.update(body.world, at, this.parts.selection.chosen.get().joint);
      if (show.uncertainty) this.ellipsoids.update(body, at, this.stage.palette.force, this.stage.palette.filled);
    }
    if (show.bones) for (const { body: other, bones } of this.others) if (frame < other.frameCount) bones.update(other.world, frame * other.joints.length * 7);
    this.drawKept(body, frame);
    this.drawSkins(frame, show.skin);
    this.drawMass(body, frame, show.mass);
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
      const size = this.markerSize * (isChosen ? 1.7 : m === hovered ? 1.5 : capture.markers[m].kind !== "marker" ? 0.7 : 1);
      const color = isChosen ? palette.chosen : state >= 2 ? palette.filled : this.markerSegment[m] < 0 && this.colors.length ? palette.missing : this.colorOf(m);
      this.markers.set(m, color, state >= 2 ? -1.25 * size : size);
    }
    this.markers.commit(this.pixelsPerMetre());
  }

  private drawSegments(points: Float32Array): void {
    this.segmentLines.begin(this.segmentPairs.length / 2);
    for (let n = 0; n < this.segmentPairs.length; n += 2) {
      const [a, b] = [this.segmentPairs[n], this.segmentPairs[n + 1]];
      if (Number.isFinite(points[3 * a]) && Number.isFinite(points[3 * b]) && !this.hidden.has(a) && !this.hidden.has(b)) this.segmentLines.add(points, 3 * a, 3 * b, this.colorOf(a));
    }
    this.segmentLines.end();
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

  private drawLabels(capture: CaptureData | null, body: BodyData | null, frame: number, points: Float32Array, showAll: boolean): void {
    const labels: Label[] = cameraLabels(this.parts.document.cameras.get());
    const { markers: chosen, joint } = this.parts.selection.chosen.get();
    const hovered = this.parts.selection.hovered.get();
    capture?.markers.forEach((marker, m) => {
      const isStrong = chosen.includes(m) || hovered.marker === m;
      if ((!showAll && !isStrong) || !Number.isFinite(points[3 * m]) || this.hidden.has(m)) return;
      labels.push({ text: marker.name.slice(this.prefix.length), x: points[3 * m], y: points[3 * m + 1], z: points[3 * m + 2], isStrong });
    });
    for (const j of new Set([joint, hovered.joint])) {
      if (!body || j < 0 || j >= body.joints.length) continue;
      const at = 7 * (frame * body.joints.length + j);
      labels.push({ text: body.joints[j].name, x: body.world[at], y: body.world[at + 1], z: body.world[at + 2], isStrong: true });
    }
    this.labels.draw(labels, this.stage.camera, this.stage.lab, this.stage.palette.text, this.stage.palette.textShadow);
  }

  // ---- the camera ----

  /** The scene as a camera of the calibration sees it. */
  lookFrom({ place, axis }: CameraData): void {
    this.parts.settings.set({ follow: false });
    const box = this.box(this.parts.clock.frame.get());
    const from = new Vector3().fromArray(place);
    const far = box.isEmpty() ? 3 : from.distanceTo(box.getCenter(new Vector3()));
    this.stage.stand(from, new Vector3().fromArray(axis).multiplyScalar(far).add(from));
  }

  /** Box of what is there in a frame, in the lab's axes. */
  private box(frame: number): Box3 {
    const box = new Box3();
    const p = new Vector3();
    const bodies = this.parts.document.bodies.get();
    const points = this.pointsAt(frame);
    // What no body carries does not move the camera.
    const isMeant = (m: number): boolean => !this.hidden.has(m) && (!bodies.length || bodies.some(({ jointOf }) => !jointOf || jointOf[m] >= 0));
    for (let n = 0; n < points.length; n += 3) if (Number.isFinite(points[n]) && isMeant(n / 3)) box.expandByPoint(p.fromArray(points, n));
    for (const { frameCount, joints, world, jointOf } of bodies)
      for (let j = 0; j < joints.length && !jointOf && frame < frameCount; j++) box.expandByPoint(p.fromArray(world, 7 * (frame * joints.length + j)));
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
    if (this.isFitDue(all)) {
      const here = this.box(frame).getSize(new Vector3()).length();
      const isWide = all.getSize(new Vector3()).length() > 1.7 * here;
      this.stage.fit(isWide ? this.box(frame).expandByScalar(0.08 * here) : all);
      this.parts.settings.set({ follow: isWide });
      this.followed = null;
    }
  }
  private fitted = "";
  private fittedSize = 0;

  /** For a new document; and where things of the room were in the way until its body was known, unless a hand is on the camera. */
  private isFitDue(all: Box3): boolean {
    const size = all.getSize(new Vector3()).length();
    const isNew = this.parts.document.name !== this.fitted;
    if (!isNew && (size > 0.8 * this.fittedSize || this.stage.isTurned)) return false;
    this.fitted = this.parts.document.name;
    this.fittedSize = size;
    this.stage.isTurned = false;
    return true;
  }

  fit(): void {
    this.followed = null;
    const box = this.box(this.parts.clock.frame.get());
    const layout = this.parts.comparison.kept.get()?.layout ?? "over";
    const sides = layout === "over" ? [] : layout === "beside" ? [1] : [0.5, -0.5];
    const moved = sides.map((side) => box.clone().translate(this.aside.clone().multiplyScalar(side)));
    this.stage.fit(moved.reduce((all, one) => all.union(one), box.clone()));
  }

  private follow(frame: number): void {
    if (!this.parts.settings.get().follow) {
      this.followed = null;
      return;
    }
    const { place, isBody } = this.anchor(frame);
    if (!place) return;
    if (this.followed && this.followed.isBody === isBody) {
      const by = place.clone().sub(this.followed.place);
      this.stage.controls.target.add(by);
      this.stage.camera.position.add(by);
      this.stage.camera.updateMatrixWorld();
    }
    this.followed = { place, isBody };
  }

  /** What is followed: the roots of the bodies, which no correction moves; without a body the middle of what is seen. */
  private anchor(frame: number): { place: Vector3 | null; isBody: boolean } {
    const sum = new Vector3();
    let count = 0;
    for (const { world, joints, frameCount } of this.parts.document.bodies.get()) {
      const at = 7 * Math.min(frame, frameCount - 1) * joints.length;
      if (!joints.length || frameCount < 1 || !Number.isFinite(world[at])) continue;
      sum.add(new Vector3().fromArray(world, at));
      count++;
    }
    const box = count ? null : this.box(frame);
    if (box?.isEmpty()) return { place: null, isBody: false };
    const place = this.stage.lab.localToWorld(box ? box.getCenter(sum) : sum.divideScalar(count));
    if (!this.isSmall) place.y = 0; // who jumps is seen to jump
    return { place, isBody: !box };
  }
}

/** Lines of a segment: every marker to every other where there are few, else round in a ring. */
function pairs(segmentOf: Int32Array): number[] {
  const segments = new Map<number, number[]>();
  segmentOf.forEach((segment, marker) => segment >= 0 && segments.set(segment, [...(segments.get(segment) ?? []), marker]));
  const out: number[] = [];
  for (const markers of segments.values())
    markers.forEach((a, n) => {
      if (markers.length > 6) out.push(a, markers[(n + 1) % markers.length]);
      else for (const b of markers.slice(n + 1)) out.push(a, b);
    });
  return out;
}

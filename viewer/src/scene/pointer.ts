// What the pointer means in the picture: the nearest marker or joint under it, hovered or clicked.
import { Vector3 } from "three";
import type { Clock } from "../clock";
import type { Document } from "../document";
import type { Selection } from "../selection";
import type { SettingsStore } from "../settings";
import type { Stage } from "./stage";

/** Nearer than this, in pixels, the pointer means a marker or a joint. */
const near = 14;
/** A marker is meant rather than the joint beneath it, pixels. */
const jointHandicap = 2;

interface Hit {
  marker: number;
  joint: number;
  /** Of the joint, among the document's. */
  body: number;
}

export interface PointerParts {
  document: Document;
  clock: Clock;
  selection: Selection;
  settings: SettingsStore;
  stage: Stage;
  /** Markers that can be hit: positions in a frame, NaN where there is none. */
  pointsAt(frame: number): Float32Array;
  isHidden(marker: number): boolean;
}

export function listenToPointer(canvas: HTMLCanvasElement, parts: PointerParts): void {
  const { document, selection } = parts;
  let down: [number, number] | null = null;
  canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
  canvas.addEventListener("pointermove", (event) => {
    if (event.buttons) return;
    const { marker, joint, body } = pick(event, parts);
    const here = { marker, joint: body === document.bodyIndex ? joint : -1 };
    const before = selection.hovered.get();
    if (here.marker !== before.marker || here.joint !== before.joint) selection.hovered.set(here);
    canvas.style.cursor = marker >= 0 || joint >= 0 ? "pointer" : "";
  });
  // The right button without a drag: what can be done with this marker, where the pointer is.
  canvas.addEventListener("pointerup", (event) => {
    if (event.button !== 2 || !down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    const { marker } = pick(event, parts);
    if (marker < 0) return;
    if (!selection.chosen.get().markers.includes(marker)) selection.marker(marker);
    canvas.dispatchEvent(new CustomEvent("sinew-marker", { detail: [event.clientX, event.clientY] }));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (event.button !== 0 || !down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    const { marker, joint, body } = pick(event, parts);
    if (marker >= 0) selection.marker(marker, event.shiftKey || event.ctrlKey || event.metaKey);
    else if (joint >= 0) {
      document.chooseBody(body);
      selection.joint(joint);
    } else if (!event.shiftKey) selection.clear();
  });
}

function pick(event: PointerEvent, { document, clock, settings, stage, pointsAt, isHidden }: PointerParts): Hit {
  const { canvas, camera, lab } = stage;
  const rect = canvas.getBoundingClientRect();
  const frame = clock.frame.get();
  const show = settings.get();
  const p = new Vector3();
  const hit: Hit = { marker: -1, joint: -1, body: -1 };
  let best = near;
  const distance = (places: Float32Array, at: number): number => {
    lab.localToWorld(p.fromArray(places, at)).project(camera);
    return Math.hypot((0.5 + 0.5 * p.x) * rect.width - (event.clientX - rect.left), (0.5 - 0.5 * p.y) * rect.height - (event.clientY - rect.top)) + 0.5 * p.z;
  };
  const points = pointsAt(frame);
  for (let m = 0; show.markers && 3 * m < points.length; m++) {
    if (!Number.isFinite(points[3 * m]) || isHidden(m)) continue;
    const d = distance(points, 3 * m);
    if (d < best) [best, hit.marker] = [d, m];
  }
  document.bodies.get().forEach(({ joints, frameCount, world }, body) => {
    if (!show.bones || frame >= frameCount) return;
    for (let joint = 0; joint < joints.length; joint++) {
      const d = distance(world, 7 * (frame * joints.length + joint)) + jointHandicap;
      if (d < best) [best, hit.marker, hit.joint, hit.body] = [d, -1, joint, body];
    }
  });
  return hit;
}

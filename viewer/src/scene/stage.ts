// The picture: renderer, camera, controls, light. Draws only when something changed.
import {
  AmbientLight, Box3, Color, DirectionalLight, Group, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { dark, light, type Palette } from "./colors";

/** Directions from which the body is looked at, in a world whose up is +Y. */
export const sides: Record<string, [number, number, number]> = {
  front: [0, 0.08, 1], back: [0, 0.08, -1], left: [1, 0.08, 0], right: [-1, 0.08, 0], top: [0, 1, 0.001], corner: [0.75, 0.38, 1], "three-quarter": [0.35, 0.16, 1],
};

export class Stage {
  readonly scene = new Scene();
  /** Everything in the lab's own axes; turned so that up is +Y. */
  readonly lab = new Group();
  readonly camera = new PerspectiveCamera(35, 1, 0.05, 500);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  palette: Palette = light;
  /** A person has moved the camera since it was fitted. */
  isTurned = false;
  private isDirty = true;
  private readonly sun = new DirectionalLight(0xffffff, 1.6);

  constructor(readonly canvas: HTMLCanvasElement, private readonly beforeDraw: () => void = () => undefined) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, alpha: true, powerPreference: "high-performance" });
    this.scene.add(this.lab, new HemisphereLight(0xffffff, 0x8a8f99, 1.5), new AmbientLight(0xffffff, 0.25), this.sun);
    this.sun.position.set(2, 5, 3);
    this.camera.position.set(2.4, 1.7, 3.4);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.target.set(0, 0.9, 0);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.zoomToCursor = true;
    this.controls.minDistance = 0.05;
    this.controls.maxDistance = 200;
    this.controls.addEventListener("change", () => this.invalidate());
    this.controls.addEventListener("start", () => (this.isTurned = true));
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
  }

  setTheme(isDark: boolean): void {
    this.palette = isDark ? dark : light;
    this.scene.background = this.palette.background;
    this.invalidate();
  }

  /** SNW_UP_*: 1 x, 2 y, 3 z, 4 to 6 their opposites; others count as z, the custom of laboratories. True when it changed. */
  setUp(up: number): boolean {
    const before = this.lab.quaternion.clone();
    const axis = new Vector3().setComponent(up >= 1 && up <= 6 ? (up - 1) % 3 : 2, up > 3 && up <= 6 ? -1 : 1);
    this.lab.quaternion.setFromUnitVectors(axis, new Vector3(0, 1, 0));
    this.lab.updateMatrixWorld();
    this.invalidate();
    return !before.equals(this.lab.quaternion);
  }

  invalidate(): void {
    this.isDirty = true;
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  /** Called once for each picture; true when something was drawn. */
  draw(): boolean {
    this.controls.update();
    if (!this.isDirty) return false;
    this.drawNow();
    return true;
  }

  /** For pictures that are kept: at once, whatever the screen does. */
  drawNow(): void {
    this.isDirty = false;
    this.beforeDraw();
    this.renderer.render(this.scene, this.camera);
  }

  /** Turns the camera without changing what is looked at. */
  look(side: string): void {
    this.isTurned = true;
    const [x, y, z] = sides[side] ?? sides.corner;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.position.copy(this.controls.target).add(new Vector3(x, y, z).setLength(distance));
    this.controls.update();
    this.invalidate();
  }

  /** From a place, towards another one (in the lab's axes). */
  stand(from: Vector3, to: Vector3): void {
    this.isTurned = true;
    this.camera.position.copy(this.lab.localToWorld(from));
    this.controls.target.copy(this.lab.localToWorld(to));
    this.controls.update();
    this.invalidate();
  }

  /** Brings a box (in the lab's axes) into the picture. */
  fit(box: Box3): void {
    if (box.isEmpty()) return;
    const world = box.clone().applyMatrix4(this.lab.matrixWorld);
    const center = world.getCenter(new Vector3());
    const size = world.getSize(new Vector3());
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const wide = Math.hypot(size.x, size.z) / Math.max(0.4, this.camera.aspect);
    const distance = Math.max(0.3, (0.54 * Math.max(size.y * 1.12, wide)) / half);
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(direction, distance + 0.18 * Math.hypot(size.x, size.z));
    this.controls.update();
    this.invalidate();
  }

  /** Moves camera and target together, so that the view goes along. */
  shift(by: Vector3): void {
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.invalidate();
  }

  /** The picture as PNG; without a background when asked. */
  picture(isTransparent: boolean): Promise<Blob | null> {
    const background = this.scene.background as Color | null;
    if (isTransparent) this.scene.background = null;
    this.drawNow();
    const blob = new Promise<Blob | null>((resolve) => this.canvas.toBlob(resolve, "image/png"));
    this.scene.background = background;
    this.invalidate();
    return blob;
  }
}

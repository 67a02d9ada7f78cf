// Names beside what they name, on a canvas over the picture.
import { Vector3, type Camera, type Object3D } from "three";

export interface Label {
  text: string;
  x: number;
  y: number;
  z: number;
  isStrong: boolean;
}

/** "Subject1:" of "Subject1:LKNE", where every name starts with it: it is said once, not at every marker. */
export function sharedPrefix(names: string[]): string {
  const first = names[0] ?? "";
  const prefix = first.slice(0, first.search(/:(?!.*:)/) + 1);
  return names.length > 1 && prefix && names.every((name) => name.startsWith(prefix) && name.length > prefix.length) ? prefix : "";
}

export class Labels {
  private readonly context: CanvasRenderingContext2D;
  private readonly point = new Vector3();

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("2d")!;
  }

  draw(labels: Label[], camera: Camera, lab: Object3D, ink: string, halo: string): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const ratio = Math.min(devicePixelRatio, 2);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const c = this.context;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    if (!labels.length) return;
    c.textBaseline = "middle";
    c.lineJoin = "round";
    c.lineWidth = 3;
    const taken: [number, number, number, number][] = [];
    // What is chosen is written first; a name that would lie over another waits until one comes nearer.
    for (const label of [...labels].sort((a, b) => Number(b.isStrong) - Number(a.isStrong))) {
      this.point.set(label.x, label.y, label.z);
      lab.localToWorld(this.point).project(camera);
      if (Math.abs(this.point.z) > 1) continue; // behind, or where one stands
      const x = (0.5 + 0.5 * this.point.x) * width + 8;
      const y = (0.5 - 0.5 * this.point.y) * height;
      c.font = label.isStrong ? "600 12px system-ui, sans-serif" : "11px system-ui, sans-serif";
      const right = x + c.measureText(label.text).width;
      if (!label.isStrong && taken.some(([l, t, r, b]) => x < r && right > l && y - 7 < b && y + 7 > t)) continue;
      taken.push([x, y - 7, right + 4, y + 7]);
      c.strokeStyle = halo;
      c.fillStyle = ink;
      c.globalAlpha = label.isStrong ? 1 : 0.8;
      c.strokeText(label.text, x, y);
      c.fillText(label.text, x, y);
    }
    c.globalAlpha = 1;
  }
}

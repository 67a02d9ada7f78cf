// Names beside what they name, on a canvas over the picture.
import { Vector3, type Camera, type Object3D } from "three";

export interface Label {
  text: string;
  x: number;
  y: number;
  z: number;
  isStrong: boolean;
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
    for (const label of labels) {
      this.point.set(label.x, label.y, label.z);
      lab.localToWorld(this.point).project(camera);
      if (this.point.z > 1) continue;
      const x = (0.5 + 0.5 * this.point.x) * width + 8;
      const y = (0.5 - 0.5 * this.point.y) * height;
      c.font = label.isStrong ? "600 12px system-ui, sans-serif" : "11px system-ui, sans-serif";
      c.strokeStyle = halo;
      c.fillStyle = ink;
      c.globalAlpha = label.isStrong ? 1 : 0.8;
      c.strokeText(label.text, x, y);
      c.fillText(label.text, x, y);
    }
    c.globalAlpha = 1;
  }
}

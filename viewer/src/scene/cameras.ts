// Cameras of a calibration: a pyramid to the corners of what each sees, with the upper edge of its picture marked.
import type { Color } from "three";
import type { CameraData } from "../protocol";
import type { Label } from "./labels";
import { Lines } from "./lines";

/** Metres from a camera to its picture. */
const reach = 0.6;
/** How high the mark over the upper edge stands, of the edge's length. */
const markHeight = 0.2;

export class Cameras {
  private readonly lines = new Lines();
  readonly object = this.lines.object;

  update(cameras: CameraData[], color: Color): void {
    this.lines.begin(10 * cameras.length);
    for (const camera of cameras) {
      const points = pyramid(camera);
      for (let c = 0; c < 4; c++) {
        this.lines.add(points, 0, 3 + 3 * c, color);
        this.lines.add(points, 3 + 3 * c, 3 + 3 * ((c + 1) % 4), color);
      }
      this.lines.add(points, 3, 15, color);
      this.lines.add(points, 15, 6, color);
    }
    this.lines.end();
  }
}

/** The camera, the four corners of its picture, and the tip of the mark. */
function pyramid({ place, axis, corners }: CameraData): Float32Array {
  const points = new Float32Array(18);
  for (let k = 0; k < 3; k++) {
    points[k] = place[k];
    for (let c = 0; c < 4; c++) points[3 + 3 * c + k] = place[k] + reach * (Number.isFinite(corners[3 * c + k]) ? corners[3 * c + k] : axis[k]);
  }
  for (let k = 0; k < 3; k++) points[15 + k] = (points[3 + k] + points[6 + k]) / 2 + markHeight * (points[3 + k] - points[12 + k]);
  return points;
}

export const cameraLabels = (cameras: CameraData[]): Label[] => cameras.map(({ name, place: [x, y, z] }) => ({ text: name, x, y, z, isStrong: true }));

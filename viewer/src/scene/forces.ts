// Force plates and the arrows of what acts on them.
import { type Color, Vector3 } from "three";
import type { PlateData } from "../protocol";
import { Lines } from "./lines";

/** Metres of arrow for one newton: body weight is about as tall as a thigh. */
const metresPerNewton = 1 / 1500;

export class Forces {
  private readonly lines = new Lines();
  readonly object = this.lines.object;

  update(plates: PlateData[], frame: number, arrow: Color, outline: Color): void {
    this.lines.begin(16 * plates.length);
    const ends = new Float32Array(12);
    for (const { corners, force, point } of plates) {
      const around = new Float32Array(corners.flat());
      for (let c = 0; c < 4; c++) this.lines.add(around, 3 * c, 3 * ((c + 1) % 4), outline);
      if (3 * frame + 2 >= force.length || !Number.isFinite(point[3 * frame])) continue;
      for (let k = 0; k < 3; k++) {
        ends[k] = point[3 * frame + k];
        ends[3 + k] = ends[k] + force[3 * frame + k] * metresPerNewton;
      }
      addBarbs(ends);
      this.lines.add(ends, 0, 3, arrow);
      this.lines.add(ends, 3, 6, arrow);
      this.lines.add(ends, 3, 9, arrow);
    }
    this.lines.end();
  }
}

/** Two barbs at the end of the arrow in ends[0..5], written to ends[6..11]. */
function addBarbs(ends: Float32Array): void {
  const from = new Vector3().fromArray(ends, 0);
  const to = new Vector3().fromArray(ends, 3);
  const along = to.clone().sub(from);
  const side = new Vector3(along.y, along.z, -along.x).cross(along).setLength(0.08 * along.length());
  const back = to.clone().addScaledVector(along, -0.14);
  back.clone().add(side).toArray(ends, 6);
  back.clone().sub(side).toArray(ends, 9);
}

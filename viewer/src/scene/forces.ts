// Force plates and the arrows of what acts on them.
import { type Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { PlateData } from "../protocol";
import { Lines } from "./lines";

/** Metres of arrow for one newton: body weight is about as tall as a thigh. */
const metresPerNewton = 1 / 1500;
const thickness = 0.008;
const headLength = 0.06;
const headThickness = 0.024;
/** Plates of one laboratory that have arrows. */
const most = 32;
const up = new Vector3(0, 1, 0);

export class Forces {
  readonly object = new Group();
  private readonly outlines = new Lines();
  private readonly material = new MeshLambertMaterial();
  // From the origin to +y of length 1.
  private readonly shafts = new InstancedMesh(new CylinderGeometry(1, 1, 1, 12).translate(0, 0.5, 0), this.material, most);
  private readonly heads = new InstancedMesh(new ConeGeometry(1, 1, 16).translate(0, 0.5, 0), this.material, most);
  private readonly matrix = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly from = new Vector3();
  private readonly along = new Vector3();
  private readonly size = new Vector3();

  constructor() {
    this.shafts.frustumCulled = this.heads.frustumCulled = false;
    this.object.add(this.outlines.object, this.shafts, this.heads);
  }

  update(plates: PlateData[], frame: number, arrow: Color, outline: Color): void {
    this.material.color.copy(arrow);
    this.outlines.begin(4 * plates.length);
    let shown = 0;
    for (const { corners, force, point } of plates) {
      const around = new Float32Array(corners.flat());
      for (let c = 0; c < 4; c++) this.outlines.add(around, 3 * c, 3 * ((c + 1) % 4), outline);
      const isThere = 3 * frame + 2 < force.length && Number.isFinite(point[3 * frame]) && shown < most;
      if (isThere) this.placeArrow(shown++, this.from.fromArray(point, 3 * frame), this.along.fromArray(force, 3 * frame).multiplyScalar(metresPerNewton));
    }
    this.outlines.end();
    this.shafts.count = this.heads.count = shown;
    this.shafts.instanceMatrix.needsUpdate = this.heads.instanceMatrix.needsUpdate = true;
  }

  private placeArrow(n: number, from: Vector3, along: Vector3): void {
    const length = along.length();
    const head = Math.min(headLength, 0.5 * length);
    along.divideScalar(length || 1);
    this.turn.setFromUnitVectors(up, along);
    this.shafts.setMatrixAt(n, this.matrix.compose(from, this.turn, this.size.set(thickness, length - head, thickness)));
    this.heads.setMatrixAt(n, this.matrix.compose(from.addScaledVector(along, length - head), this.turn, this.size.set(headThickness, head, headThickness)));
  }
}

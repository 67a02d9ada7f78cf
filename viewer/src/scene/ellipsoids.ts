// How well each joint centre is known: three standard deviations, as ellipsoids, long along the axis of a hinge whose place on it
// nothing tells.
import { type Color, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { BodyData } from "../protocol";

const deviations = 3;
/** Larger ones would hide the body, metres. */
const largest = 0.25;
/** Half the length that is drawn along an axis on which the centre may be anywhere, metres. */
const freeLength = 0.06;
const most = 256;
const xAxis = new Vector3(1, 0, 0);

export class Ellipsoids {
  readonly object = new InstancedMesh(new SphereGeometry(1, 20, 14), new MeshLambertMaterial({ transparent: true, opacity: 0.35, depthWrite: false }), most);
  private readonly matrix = new Matrix4();
  private readonly turn = new Quaternion();
  private readonly along = new Quaternion();
  private readonly axis = new Vector3();
  private readonly place = new Vector3();
  private readonly size = new Vector3();

  constructor() {
    this.object.frustumCulled = false;
  }

  /** Joints of a body whose places in the frame start at `at`. */
  update({ joints, world }: BodyData, at: number, known: Color, doubtful: Color): void {
    let shown = 0;
    joints.forEach(({ uncertainty, freeAxis, isUncertain }, j) => {
      if (uncertainty <= 0 || shown >= most) return;
      const radius = Math.min(largest, deviations * uncertainty);
      const length = freeAxis ? Math.min(0.3, Math.max(freeLength, 2.5 * radius)) : radius;
      this.turn.fromArray(world, at + 7 * j + 3);
      if (freeAxis) this.turn.multiply(this.along.setFromUnitVectors(xAxis, this.axis.fromArray(freeAxis).normalize()));
      this.matrix.compose(this.place.fromArray(world, at + 7 * j), this.turn, this.size.set(length, radius, radius));
      this.object.setMatrixAt(shown, this.matrix);
      this.object.setColorAt(shown++, isUncertain ? doubtful : known);
    });
    this.object.count = shown;
    this.object.instanceMatrix.needsUpdate = true;
    if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true;
  }
}

// A thousand bodies that reach at once, and the map of what a joint reaches: both as one mesh of many instances.
import { Box3, BoxGeometry, Color, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { ClimbAnswer, ClimbRequest, CrowdAnswer, ReachBody, ReachMapAnswer } from "../protocol";
import { segmentColors } from "../scene/colors";

/** Every bone of every body: from one point of the body to another (`everyPoint` in the worker). */
export class CrowdView {
  readonly group = new Group();
  private mesh: InstancedMesh | null = null;
  private bones: { from: number; to: number }[] = [];
  private colors: Color[] = [];
  private width = 0.01;

  /** Where body n of a crowd stands about the one that is dragged, whose own place stays free. */
  static places(count: number, { size, up }: ReachBody): Float32Array {
    const wide = Math.ceil(Math.sqrt(count + 1));
    const middle = (wide - 1) >> 1;
    const cells = Array.from({ length: wide * wide }, (_, n) => [(n % wide) - middle, Math.floor(n / wide) - middle]).filter(([x, z]) => x || z).slice(0, count);
    const axis = (up - 1) % 3; // SNW_UP_*
    return Float32Array.from(cells.flatMap(([x, z]) => [0, 1, 2].map((a) => (a === axis ? 0 : a === (axis + 1) % 3 ? x : z) * 0.6 * size)));
  }

  setBody({ joints, size }: ReachBody, count: number): void {
    this.clear();
    const colors = segmentColors(joints.map((j) => j.name));
    let tip = joints.length;
    this.bones = [];
    this.colors = [];
    joints.forEach((joint, j) => {
      if (joint.parent >= 0 && joint.boneLength > 1e-6) {
        this.bones.push({ from: joint.parent, to: j });
        this.colors.push(colors[joint.parent]);
      }
      if (!joint.tip) return;
      this.bones.push({ from: j, to: tip++ });
      this.colors.push(colors[j]);
    });
    this.width = 0.026 * size;
    const shape = new CylinderGeometry(0.5, 1, 1, 5, 1, true).translate(0, 0.5, 0);
    this.mesh = new InstancedMesh(shape, new MeshLambertMaterial(), Math.max(1, this.bones.length * count));
    this.mesh.frustumCulled = false;
    this.group.add(this.mesh);
  }

  show({ position, pointCount, outcome }: CrowdAnswer, missed: Color): void {
    const { mesh } = this;
    if (!mesh) return;
    const [a, b, s, up, q, m] = [new Vector3(), new Vector3(), new Vector3(), new Vector3(0, 1, 0), new Quaternion(), new Matrix4()];
    for (let n = 0, at = 0; n < outcome.length; n++)
      this.bones.forEach(({ from, to }, bone) => {
        a.fromArray(position, 3 * (n * pointCount + from));
        b.fromArray(position, 3 * (n * pointCount + to)).sub(a);
        const length = b.length();
        m.compose(a, q.setFromUnitVectors(up, b.divideScalar(length || 1)), s.set(this.width, length, this.width));
        mesh.setMatrixAt(at, m);
        mesh.setColorAt(at++, outcome[n] === 0 ? this.colors[bone] : missed);
      });
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  clear(): void {
    this.mesh = dropped(this.group, this.mesh);
  }
}

/** Cubes that are reached, from yellow (one direction) to blue (all). The half that looks at the camera's right is left away, so that one sees inside. */
export class MapView {
  readonly group = new Group();
  private mesh: InstancedMesh | null = null;

  /** Also says where it is, for the camera. */
  show({ first, count, cell, share }: ReachMapAnswer): Box3 {
    this.clear();
    const reached = [...share.keys()].filter((n) => share[n] > 0 && first[0] + cell * (n % count[0]) <= 0);
    this.mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshLambertMaterial({ transparent: true, opacity: 0.5, depthWrite: false }), Math.max(1, reached.length));
    this.mesh.count = reached.length;
    const [m, color, few, all] = [new Matrix4(), new Color(), new Color("#e3a02b"), new Color("#2f7ed8")];
    reached.forEach((n, at) => {
      const side = 0.82 * cell;
      m.makeScale(side, side, side).setPosition(first[0] + cell * (n % count[0]), first[1] + cell * (Math.floor(n / count[0]) % count[1]), first[2] + cell * Math.floor(n / (count[0] * count[1])));
      this.mesh!.setMatrixAt(at, m);
      this.mesh!.setColorAt(at, color.copy(few).lerp(all, share[n]));
    });
    this.group.add(this.mesh);
    const low = new Vector3(...first).subScalar(cell / 2);
    return new Box3(low, low.clone().addScaledVector(new Vector3(...count), cell));
  }

  clear(): void {
    this.mesh = dropped(this.group, this.mesh);
  }
}

/** Steps under a body that climbs them. */
export class StairsView {
  readonly group = new Group();
  private mesh: InstancedMesh | null = null;

  /** The last frame's place says how many; also says where all of it is, for the camera. */
  show({ world, frameCount, floor, from, along }: ClimbAnswer, { rise, run }: ClimbRequest): Box3 {
    this.clear();
    const way = new Vector3(...along);
    const last = new Vector3().fromArray(world, (world.length / frameCount) * (frameCount - 1)).sub(new Vector3(...from));
    const count = Math.max(1, Math.ceil(last.dot(way) / run) + 1);
    this.mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshLambertMaterial({ color: "#8a8f98" }), count + 1);
    const [m, q, box] = [new Matrix4(), new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), way), new Box3()];
    for (let n = -1; n < count; n++) {
      const height = floor + rise * Math.max(0, n);
      const thick = Math.abs(rise) + 0.02;
      const middle = new Vector3(...from).addScaledVector(way, (n + 0.5) * run).setY(height - thick / 2);
      this.mesh.setMatrixAt(n + 1, m.compose(middle, q, new Vector3(1.2, thick, run)));
      box.expandByPoint(middle).expandByPoint(middle.clone().setY(height + 1.9));
    }
    this.group.add(this.mesh);
    return box;
  }

  clear(): void {
    this.mesh = dropped(this.group, this.mesh);
  }
}

/** A mesh leaves its group and the graphics processor's memory. */
function dropped(group: Group, mesh: InstancedMesh | null): null {
  if (!mesh) return null;
  group.remove(mesh);
  mesh.geometry.dispose();
  (mesh.material as MeshLambertMaterial).dispose();
  mesh.dispose();
  return null;
}

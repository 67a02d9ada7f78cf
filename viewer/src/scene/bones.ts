// A skeleton: a tapered bone from every joint to its children, a ball at every joint.
import {
  type BufferGeometry, Color, InstancedMesh, LatheGeometry, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector2, Vector3, Group,
} from "three";
import type { JointInfo } from "../protocol";

/** From the origin to +y of length 1, widest at a fifth of the way. */
function boneShape(): BufferGeometry {
  const profile: [number, number][] = [[0, 0], [0.055, 0.03], [0.085, 0.16], [0.075, 0.3], [0.045, 0.8], [0.03, 0.96], [0, 1]];
  return new LatheGeometry(profile.map(([x, y]) => new Vector2(x, y)), 12);
}

interface Bone {
  from: number;
  to: number; // joint, or -1: the tip of `from`
}

const up = new Vector3(0, 1, 0);

export class Bones {
  readonly group = new Group();
  private bones: Bone[] = [];
  private mesh: InstancedMesh | null = null;
  private balls: InstancedMesh | null = null;
  private radius = 0.02;
  private readonly a = new Vector3();
  private readonly b = new Vector3();
  private readonly q = new Quaternion();
  private readonly m = new Matrix4();
  private readonly s = new Vector3();

  constructor(private joints: JointInfo[] = []) {
    this.setJoints(joints);
  }

  setJoints(joints: JointInfo[]): void {
    this.dispose();
    this.joints = joints;
    this.bones = [];
    joints.forEach((joint, j) => {
      if (joint.parent >= 0 && joint.boneLength > 1e-6) this.bones.push({ from: joint.parent, to: j });
      if (joint.tip && Math.hypot(...joint.tip) > 1e-6) this.bones.push({ from: j, to: -1 });
    });
    if (!joints.length) return;
    const lengths = joints.map((j) => j.boneLength).filter((l) => l > 1e-6).sort((x, y) => x - y);
    this.radius = Math.min(0.03, Math.max(0.09 * (lengths[lengths.length >> 1] ?? 0.2), 0.05 * (lengths[lengths.length - 1] ?? 0.2)));
    this.mesh = new InstancedMesh(boneShape(), new MeshLambertMaterial(), Math.max(1, this.bones.length));
    this.balls = new InstancedMesh(new SphereGeometry(1, 14, 10), new MeshLambertMaterial(), joints.length);
    for (const mesh of [this.mesh, this.balls]) {
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    this.mesh.count = this.bones.length;
  }

  /** Colour of every joint and of the bone that ends in it. */
  paint(bone: (joint: number) => Color, ball: (joint: number) => Color): void {
    this.bones.forEach(({ from, to }, n) => this.mesh!.setColorAt(n, bone(to >= 0 ? to : from)));
    this.joints.forEach((_, j) => this.balls!.setColorAt(j, ball(j)));
    for (const mesh of [this.mesh, this.balls]) if (mesh?.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  /** Places of all joints: (joint x 7) from `at`. */
  update(world: Float32Array, at: number): void {
    if (!this.mesh || !this.balls) return;
    this.bones.forEach(({ from, to }, n) => {
      const f = at + 7 * from;
      this.a.set(world[f], world[f + 1], world[f + 2]);
      if (to >= 0) this.b.set(world[at + 7 * to], world[at + 7 * to + 1], world[at + 7 * to + 2]);
      else {
        const tip = this.joints[from].tip!;
        this.q.set(world[f + 3], world[f + 4], world[f + 5], world[f + 6]);
        this.b.set(tip[0], tip[1], tip[2]).applyQuaternion(this.q).add(this.a);
      }
      this.b.sub(this.a);
      const length = this.b.length();
      const width = Math.min(Math.max(length, 4 * this.radius), 12 * this.radius);
      this.m.compose(this.a, this.q.setFromUnitVectors(up, this.b.divideScalar(length || 1)), this.s.set(width, length, width));
      this.mesh!.setMatrixAt(n, this.m);
    });
    this.q.identity();
    for (let j = 0; j < this.joints.length; j++) {
      const f = at + 7 * j;
      this.m.compose(this.a.set(world[f], world[f + 1], world[f + 2]), this.q, this.s.setScalar(this.radius));
      this.balls.setMatrixAt(j, this.m);
    }
    this.mesh.instanceMatrix.needsUpdate = this.balls.instanceMatrix.needsUpdate = true;
  }

  get ballRadius(): number {
    return this.radius;
  }

  dispose(): void {
    for (const mesh of [this.mesh, this.balls]) {
      if (!mesh) continue;
      this.group.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as MeshLambertMaterial).dispose();
      mesh.dispose();
    }
    this.mesh = this.balls = null;
  }
}

// What joints may do, drawn where they are: a cone of directions for a ball, a fan for a hinge.
// The boundary in the swing plane is that of sinew/body.h: quarters of ellipses, or a polygon.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { JointInfo } from "../protocol";

/** Largest swing in direction phi of a cone of four angles (towards +x, +y, -x, -y). */
export function coneReach(cone: number[], phi: number): number {
  const c = Math.cos(phi);
  const s = Math.sin(phi);
  const a = c >= 0 ? cone[0] : cone[2];
  const b = s >= 0 ? cone[1] : cone[3];
  if (a <= 0 || b <= 0) return Math.abs(s) < 1e-9 ? a : Math.abs(c) < 1e-9 ? b : 0;
  return 1 / Math.hypot(c / a, s / b);
}

/** Boundary directions of a joint's limit in the rest frame, or none. */
function boundary(joint: JointInfo): Vector3[] {
  const z = new Vector3(...(joint.axis as [number, number, number]));
  const x = new Vector3(...(joint.axis2 as [number, number, number]));
  const y = new Vector3().crossVectors(z, x);
  const toward = (psi: number, phi: number): Vector3 =>
    z.clone().multiplyScalar(Math.cos(psi)).addScaledVector(x, Math.sin(psi) * Math.cos(phi)).addScaledVector(y, Math.sin(psi) * Math.sin(phi));
  const { limits } = joint;
  if (joint.type === "ball" && limits.swing === 1) return Array.from({ length: 49 }, (_, n) => toward(coneReach(limits.cone, (n * Math.PI) / 24), (n * Math.PI) / 24));
  if (joint.type === "ball" && limits.swing === 2) {
    const corners = [...limits.window, limits.window[0]];
    return corners.map(([u, v]) => toward(Math.hypot(u, v), Math.atan2(v, u)));
  }
  if ((joint.type === "hinge" || joint.type === "pivot" || joint.type === "universal") && limits.hasRange[0]) {
    const arm = hingeArm(joint, z);
    const [low, high] = limits.range[0];
    return Array.from({ length: 25 }, (_, n) => arm.clone().applyAxisAngle(z, low + ((high - low) * n) / 24));
  }
  return [];
}

/** Where the bone behind a hinge points at rest, across the axis. */
function hingeArm(joint: JointInfo, axis: Vector3): Vector3 {
  const along = joint.tip ? new Vector3(...(joint.tip as [number, number, number])) : new Vector3(...(joint.axis2 as [number, number, number]));
  along.addScaledVector(axis, -along.dot(axis));
  if (along.length() < 1e-6) along.set(axis.y, axis.z, axis.x).cross(axis);
  return along.normalize();
}

export class Cones {
  readonly group = new Group();
  private meshes: { joint: number; mesh: Mesh }[] = [];
  private joints: JointInfo[] = [];
  private readonly material = new MeshBasicMaterial({ color: 0x7e57c2, transparent: true, opacity: 0.16, side: DoubleSide, depthWrite: false });

  setJoints(joints: JointInfo[], length: (joint: number) => number): void {
    this.clear();
    this.joints = joints;
    joints.forEach((joint, j) => {
      const rim = boundary(joint);
      if (rim.length < 2) return;
      const size = length(j);
      const points: number[] = [];
      for (let n = 0; n + 1 < rim.length; n++) points.push(0, 0, 0, ...rim[n].clone().multiplyScalar(size).toArray(), ...rim[n + 1].clone().multiplyScalar(size).toArray());
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
      const mesh = new Mesh(geometry, this.material);
      mesh.frustumCulled = false;
      this.group.add(mesh);
      this.meshes.push({ joint: j, mesh });
    });
  }

  setColor(color: Color): void {
    this.material.color = color;
  }

  /** The cone stands in the joint's rest frame: it turns with the parent. */
  update(world: Float32Array, at: number, only = -1): void {
    const parent = new Quaternion();
    const rest = new Quaternion();
    for (const { joint, mesh } of this.meshes) {
      mesh.visible = only < 0 || only === joint;
      const { parent: p, rest: r } = this.joints[joint];
      if (p >= 0) parent.fromArray(world, at + 7 * p + 3);
      else parent.identity();
      rest.set(r[3], r[4], r[5], r[6]);
      mesh.quaternion.multiplyQuaternions(parent, rest);
      mesh.position.fromArray(world, at + 7 * joint);
    }
  }

  clear(): void {
    for (const { mesh } of this.meshes) {
      this.group.remove(mesh);
      mesh.geometry.dispose();
    }
    this.meshes = [];
  }
}

// A person's surface, moved by the joints that are drawn, on the graphics processor. Seen through, so that bones and markers stay.
import { Bone, BufferAttribute, BufferGeometry, Color, Group, Matrix4, MeshLambertMaterial, Quaternion, Skeleton, SkinnedMesh, Vector3 } from "three";
import type { SkinData } from "../protocol";

const one = new Vector3(1, 1, 1);

export class Skin {
  readonly group = new Group();
  private readonly material = new MeshLambertMaterial({ transparent: true, opacity: 0.5 });
  private readonly mesh: SkinnedMesh;
  private readonly place = new Vector3();
  private readonly turn = new Quaternion();

  constructor(data: SkinData) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(data.position, 3));
    geometry.setAttribute("normal", new BufferAttribute(data.normal, 3));
    geometry.setAttribute("skinIndex", new BufferAttribute(data.joint, 4));
    geometry.setAttribute("skinWeight", new BufferAttribute(data.weight, 4));
    geometry.setIndex(new BufferAttribute(data.triangle, 1));
    const { bind } = data;
    const bones = Array.from({ length: bind.length / 7 }, () => new Bone());
    const mesh = (this.mesh = new SkinnedMesh(geometry, this.material));
    mesh.bindMode = "detached"; // joints are given in the axes of the lab, in which the mesh stands too
    mesh.bind(new Skeleton(bones, bones.map((_, j) => this.matrix(bind, 7 * j, new Matrix4()))), new Matrix4());
    mesh.frustumCulled = false;
    mesh.renderOrder = 1;
    this.group.add(mesh);
  }

  paint(color: Color): void {
    this.material.color.copy(color);
  }

  private matrix(from: Float32Array, at: number, to: Matrix4): Matrix4 {
    return to.compose(this.place.fromArray(from, at), this.turn.fromArray(from, at + 3), one);
  }

  /** Places of all joints: (joint x 7) from `at`. */
  update(world: Float32Array, at: number): void {
    this.mesh.skeleton.bones.forEach((bone, j) => this.matrix(world, at + 7 * j, bone.matrixWorld));
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.skeleton.dispose();
    this.material.dispose();
  }
}

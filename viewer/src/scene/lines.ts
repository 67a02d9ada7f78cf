// Line segments with a colour for each end: segments, trails, force arrows, circles.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, type Color } from "three";

export class Lines {
  readonly object: LineSegments;
  private readonly geometry = new BufferGeometry();
  private readonly material: LineBasicMaterial;
  private position = new Float32Array(0);
  private color = new Float32Array(0);
  private count = 0; // segments

  constructor(opacity = 1) {
    this.material = new LineBasicMaterial({ vertexColors: true, transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
    this.object = new LineSegments(this.geometry, this.material);
    this.object.frustumCulled = false;
  }

  begin(most: number): void {
    this.count = 0;
    if (6 * most > this.position.length) {
      this.position = new Float32Array(6 * Math.ceil(1.3 * most));
      this.color = new Float32Array(this.position.length);
      this.geometry.dispose();
      this.geometry.setAttribute("position", new BufferAttribute(this.position, 3));
      this.geometry.setAttribute("color", new BufferAttribute(this.color, 3));
    }
  }

  /** Between two points of an array; fade 0..1 mixes towards `far`. */
  add(points: ArrayLike<number>, a: number, b: number, color: Color, far?: Color, fade = 0): void {
    const at = 6 * this.count++;
    const r = far ? color.r + fade * (far.r - color.r) : color.r;
    const g = far ? color.g + fade * (far.g - color.g) : color.g;
    const blue = far ? color.b + fade * (far.b - color.b) : color.b;
    for (let k = 0; k < 3; k++) {
      this.position[at + k] = points[a + k];
      this.position[at + 3 + k] = points[b + k];
    }
    this.color[at] = this.color[at + 3] = r;
    this.color[at + 1] = this.color[at + 4] = g;
    this.color[at + 2] = this.color[at + 5] = blue;
  }

  end(): void {
    this.geometry.setDrawRange(0, 2 * this.count);
    for (const name of ["position", "color"]) {
      const attribute = this.geometry.getAttribute(name) as BufferAttribute | undefined;
      if (!attribute) continue;
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, 6 * this.count);
      attribute.needsUpdate = true;
    }
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

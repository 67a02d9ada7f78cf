// Many small balls, drawn as sprites that are shaded in the fragment program: one draw call, three numbers for each to update.
import { BufferAttribute, BufferGeometry, Points, ShaderMaterial, type Color } from "three";

const vertex = `
attribute vec3 color;
attribute float size;
varying vec3 vColor;
varying float vHollow;
uniform float scale;
void main() {
  vec4 p = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * p;
  gl_PointSize = clamp(abs(size) * scale / -p.z, 3.0, 64.0);
  vColor = color;
  vHollow = size < 0.0 ? 1.0 : 0.0;
}`;
const fragment = `
varying vec3 vColor;
varying float vHollow;
void main() {
  vec2 q = 2.0 * gl_PointCoord - 1.0;
  float r2 = dot(q, q);
  if (r2 > 1.0 || (vHollow > 0.5 && r2 < 0.36)) discard;
  float z = sqrt(1.0 - r2);
  float shade = vHollow > 0.5 ? 1.0 : 0.62 + 0.46 * clamp(dot(vec3(q.x, -q.y, z), vec3(-0.35, 0.6, 0.72)), 0.0, 1.0);
  gl_FragColor = vec4(vColor * shade, 1.0);
  #include <colorspace_fragment>
}`;

export class Balls {
  readonly object: Points;
  private readonly geometry = new BufferGeometry();
  private readonly material: ShaderMaterial;
  position = new Float32Array(0);
  private color = new Float32Array(0);
  private size = new Float32Array(0);

  constructor() {
    this.material = new ShaderMaterial({ vertexShader: vertex, fragmentShader: fragment, uniforms: { scale: { value: 600 } } });
    this.object = new Points(this.geometry, this.material);
    this.object.frustumCulled = false;
  }

  resize(count: number): void {
    this.position = new Float32Array(3 * count);
    this.color = new Float32Array(3 * count);
    this.size = new Float32Array(count);
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(this.position, 3));
    this.geometry.setAttribute("color", new BufferAttribute(this.color, 3));
    this.geometry.setAttribute("size", new BufferAttribute(this.size, 1));
    this.geometry.setDrawRange(0, count);
  }

  /** Metres across; negative: a ring. */
  set(index: number, color: Color, size: number): void {
    this.color[3 * index] = color.r;
    this.color[3 * index + 1] = color.g;
    this.color[3 * index + 2] = color.b;
    this.size[index] = size;
  }

  /** Pixels of one metre at one metre's distance. */
  commit(pixelsPerMetre: number): void {
    this.material.uniforms.scale.value = pixelsPerMetre;
    for (const name of ["position", "color", "size"]) (this.geometry.getAttribute(name) as BufferAttribute).needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}

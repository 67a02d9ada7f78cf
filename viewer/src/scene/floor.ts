// The floor: a grid of half metres that fades out, and the plates in it.
import { Color, Mesh, PlaneGeometry, ShaderMaterial, Vector3 } from "three";

const vertex = `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xz;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;
const fragment = `
varying vec2 place;
uniform vec3 weak;
uniform vec3 strong;
uniform vec2 middle;
uniform float reach;
float lines(float every) {
  vec2 p = place / every;
  vec2 d = abs(fract(p - 0.5) - 0.5) / fwidth(p);
  return 1.0 - min(min(d.x, d.y), 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(place - middle) / reach);
  float thick = lines(1.0);
  float thin = lines(0.5);
  float alpha = max(thin * 0.75, thick) * fade;
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(mix(weak, strong, thick), alpha);
  #include <colorspace_fragment>
}`;

export class Floor {
  readonly object: Mesh;
  private readonly material: ShaderMaterial;

  constructor() {
    this.material = new ShaderMaterial({
      vertexShader: vertex, fragmentShader: fragment, transparent: true, depthWrite: false,
      uniforms: { weak: { value: new Color() }, strong: { value: new Color() }, middle: { value: [0, 0] }, reach: { value: 6 } },
    });
    this.object = new Mesh(new PlaneGeometry(200, 200).rotateX(-Math.PI / 2), this.material);
    this.object.renderOrder = -1;
  }

  paint(weak: Color, strong: Color): void {
    this.material.uniforms.weak.value = weak;
    this.material.uniforms.strong.value = strong;
  }

  /** Centre of what moves, height of the floor under it, and how far it goes. */
  place(middle: Vector3, height: number, reach: number): void {
    this.object.position.y = height;
    this.material.uniforms.middle.value = [middle.x, middle.z];
    this.material.uniforms.reach.value = Math.max(4, reach);
  }
}

// Straight lines with a width in pixels. Each is two triangles of its own, not an instance: where the processor
// draws, an instance costs as much as a call.

import { BufferAttribute, BufferGeometry, Color, DoubleSide, GLSL3, Mesh, RawShaderMaterial, Vector2 } from "three";

const VERTEX = /* glsl */ `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
uniform vec2 screen, middle;
uniform float width, lift, reach, crowd;
in vec3 position, other;  // this end, and the one that it leads to
in vec2 corner;           // which side of the line, and which end of it: 1 or -1
out float across_, fade_;
vec4 seen(vec3 p) {
  // Towards the eye by a part of the distance: the place on the screen stays.
  return projectionMatrix * vec4((viewMatrix * (modelMatrix * vec4(p, 1.0))).xyz * (1.0 - lift), 1.0);
}
void main() {
  vec4 p = seen(position), q = seen(other);
  if (p.w <= 0.0 || q.w <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
  vec2 along = (q.xy / q.w - p.xy / p.w) * screen * 0.5;
  float pixels = length(along);
  vec2 aside = pixels > 0.0 ? corner.y * vec2(-along.y, along.x) / pixels : vec2(0.0, 1.0);
  float half_ = 0.5 * width + 0.5;  // half a pixel more, in which it fades
  across_ = corner.x * half_;
  // Where lines are short on the screen they are close together: they would only darken it.
  fade_ = mix(1.0, smoothstep(1.0, 9.0, pixels), crowd);
  if (reach > 0.0) fade_ *= 1.0 - smoothstep(0.25, 1.0, length(position.xy - middle) / reach);
  gl_Position = p + vec4(aside * corner.x * half_ * 2.0 / screen * p.w, 0.0, 0.0);
}
`;
const FRAGMENT = /* glsl */ `
precision highp float;
in float across_, fade_;
uniform vec3 ink;
uniform float strength, width;
out vec4 colour;
void main() {
  float edge = clamp(0.5 * width + 0.5 - abs(across_), 0.0, 1.0);
  colour = vec4(sqrt(ink), strength * fade_ * edge);
}
`;

export interface RibbonStyle {
  width: number; // pixels of the page
  strength: number; // 0 to 1
  lift?: number; // towards the eye, part of the distance
  through?: boolean; // also seen behind other things
  crowd?: boolean; // fade where lines become short
}

export class Ribbons {
  readonly object: Mesh<BufferGeometry, RawShaderMaterial>;

  /** x, y, z of both ends of every line. */
  constructor(ends: ArrayLike<number>, private style: RibbonStyle) {
    const geometry = new BufferGeometry();
    const lines = ends.length / 6;
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(12 * lines), 3));
    geometry.setAttribute("other", new BufferAttribute(new Float32Array(12 * lines), 3));
    geometry.setAttribute("corner", new BufferAttribute(Float32Array.from({ length: 8 * lines }, (_, k) => [1, 1, -1, 1, 1, -1, -1, -1][k % 8]), 2));
    geometry.setIndex(Array.from({ length: 6 * lines }, (_, k) => 4 * Math.floor(k / 6) + [0, 1, 2, 2, 1, 3][k % 6]));
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, depthTest: !style.through, side: DoubleSide,
      uniforms: {
        screen: { value: new Vector2(1, 1) }, width: { value: style.width }, strength: { value: style.strength }, lift: { value: style.lift ?? 0 },
        ink: { value: new Color(0, 0, 0) }, middle: { value: new Vector2() }, reach: { value: 0 }, crowd: { value: style.crowd ? 1 : 0 },
      },
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.ends = ends;
  }

  set ends(ends: ArrayLike<number>) {
    const position = this.object.geometry.getAttribute("position") as BufferAttribute;
    const other = this.object.geometry.getAttribute("other") as BufferAttribute;
    for (let v = 0; v < position.count; ++v) {
      const at = 6 * (v >> 2) + (v % 4 < 2 ? 0 : 3);
      const to = 6 * (v >> 2) + (v % 4 < 2 ? 3 : 0);
      position.setXYZ(v, ends[at], ends[at + 1], ends[at + 2]);
      other.setXYZ(v, ends[to], ends[to + 1], ends[to + 2]);
    }
    position.needsUpdate = other.needsUpdate = true;
  }

  set ink(colour: Color) {
    this.object.material.uniforms.ink.value = colour;
  }

  /** Fades with the distance from a place of its plane z = 0. */
  fade_around(x: number, y: number, reach: number): void {
    (this.object.material.uniforms.middle.value as Vector2).set(x, y);
    this.object.material.uniforms.reach.value = reach;
  }

  /** Before drawing into so many pixels, `ratio` for each of the page. */
  prepare(width: number, height: number, ratio: number): void {
    (this.object.material.uniforms.screen.value as Vector2).set(width, height);
    this.object.material.uniforms.width.value = this.style.width * ratio;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

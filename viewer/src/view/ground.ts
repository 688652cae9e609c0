// The ground: a plane that fades out, with a grid for scale and the shadows of everything above it.

import { Color, DoubleSide, GLSL3, Matrix4, Mesh, PlaneGeometry, RawShaderMaterial, Vector2, Vector3 } from "three";
import { LIGHTING_GLSL, type LightingUniforms } from "./lighting";
import type { ViewTheme } from "./theme";

const VERTEX = /* glsl */ `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
uniform vec2 middle;
uniform float reach;
in vec3 position;
out vec2 flat_;
out vec3 place_;
void main() {
  flat_ = position.xy * reach + middle;
  vec4 p = modelMatrix * vec4(flat_, 0.0, 1.0);
  place_ = p.xyz;
  gl_Position = projectionMatrix * (viewMatrix * p);
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec2 flat_;
in vec3 place_;
uniform vec3 ground, grid, cameraPosition;
uniform vec2 middle;
uniform float reach, spacing, strength, body, darkness;
uniform mat4 modelMatrix;
out vec4 colour;
${LIGHTING_GLSL}
float lines(vec2 p) {
  vec2 width = max(fwidth(p), 1e-6);
  vec2 d = abs(fract(p - 0.5) - 0.5) / width;
  // Lines that are closer than a few pixels would flicker: they fade.
  float room = 1.0 - smoothstep(0.1, 0.4, max(width.x, width.y));
  return (1.0 - min(min(d.x, d.y), 1.0)) * room;
}
void main() {
  float away = length(flat_ - middle) / reach;
  float fade = 1.0 - smoothstep(0.25, 1.0, away);
  if (fade <= 0.0) discard;
  vec3 N = normalize(mat3(modelMatrix)[2]);
  float front = dot(cameraPosition - place_, N) > 0.0 ? 1.0 : 0.25;
  vec2 light = passed(place_ - N * voxel * 0.6);
  float shadow = smoothstep(0.0, 1.0, light.x * light.y);
  float line = (lines(flat_ / spacing) * 0.26 + lines(flat_ / (spacing * 10.0)) * 0.34) * mix(0.35, 1.0, shadow);
  vec3 lit = ground * (ambient(1.0) * mix(0.4, 1.0, shadow) + key * 0.5 * max(0.0, dot(N, to_light)) * shadow);
  lit = mix(lit, grid, line * strength);
  // Without a body of its own the ground shows only lines and shadows.
  float solid = mix(max(line * strength, (1.0 - shadow) * darkness), 1.0, body);
  vec3 shown = mix(mix(vec3(0.0), grid, clamp(line * strength * 3.0, 0.0, 1.0)), lit, body);
  colour = vec4(finish(shown), solid * fade * front);
}
`;

export function ground_uniforms(theme: ViewTheme) {
  return { ground: { value: theme.ground as Color }, grid: { value: theme.grid as Color }, strength: { value: 0.5 }, body: { value: 1 }, darkness: { value: 0.6 } };
}
export type GroundUniforms = ReturnType<typeof ground_uniforms>;

/** 1, 2 or 5 times a power of ten, near to size. */
export function round_length(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const lead = size / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/** How far a plane is seen, of the size of the scene. */
export const PLANE_REACH = 2.6;

export class GroundPlane {
  readonly object: Mesh<PlaneGeometry, RawShaderMaterial>;
  private centre = new Vector3();
  private size = 1;

  constructor(lighting: LightingUniforms, shared: GroundUniforms) {
    const material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: { ...lighting, ...shared, middle: { value: new Vector2() }, reach: { value: 1 }, spacing: { value: 0.1 } },
    });
    this.object = new Mesh(new PlaneGeometry(2, 2), material);
    this.object.frustumCulled = false;
    this.object.matrixAutoUpdate = false;
    this.object.renderOrder = 1;
  }

  get spacing(): number {
    return this.object.material.uniforms.spacing.value as number;
  }

  around(middle: Vector3, size: number): void {
    this.centre.copy(middle);
    this.size = size;
    this.pose(this.object.matrix.clone());
  }

  pose(matrix: Matrix4): void {
    this.object.matrix.copy(matrix);
    this.object.matrixWorldNeedsUpdate = true;
    const { uniforms } = this.object.material;
    const inside = this.centre.clone().applyMatrix4(matrix.clone().invert());
    (uniforms.middle.value as Vector2).set(inside.x, inside.y);
    uniforms.reach.value = PLANE_REACH * this.size;
    uniforms.spacing.value = round_length(this.size / 12);
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}

// Arrows for forces: one for each instance of a geometry.

import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry,
} from "three";

export const ARROW_VERTEX = /* glsl */ `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixels, scale, thickness, lift;
in vec3 position;   // shaft and tip along z; z counts in widths beyond 1 for the tip
in vec3 normal;
in vec3 at, force, tint;
out vec3 tint_, normal_;
void main() {
  tint_ = tint;
  float f = length(force);
  vec3 T = f > 0.0 ? force / f : vec3(0.0, 0.0, 1.0);
  vec3 U = normalize(abs(T.z) < 0.9 ? cross(T, vec3(0.0, 0.0, 1.0)) : cross(T, vec3(1.0, 0.0, 0.0)));
  vec3 V = cross(T, U);
  vec3 to_eye = cameraPosition - at;
  float distance_ = length(to_eye);
  float pixel = distance_ / pixels;
  float length_ = f * scale;
  float width = min(thickness * pixel, length_ * 0.12);
  float along = position.z > 0.5 ? max(0.0, length_ - 4.5 * width) + (position.z - 1.0) * width : 0.0;
  vec3 p = at + to_eye / distance_ * lift + T * along + (U * position.x + V * position.y) * width;
  normal_ = U * normal.x + V * normal.y + T * normal.z;
  gl_Position = projectionMatrix * (viewMatrix * vec4(p, 1.0));
}
`;
export const ARROW_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 tint_, normal_;
uniform float strength;
uniform vec3 to_light;
out vec4 colour;
void main() {
  float light = 0.62 + 0.38 * dot(normalize(normal_), to_light);
  colour = vec4(sqrt(tint_ * light), strength);
}
`;

/** Shaft of width 1 up to z = 1, then a tip that is 4.5 widths long. */
export function arrow_geometry(): BufferGeometry {
  const shaft = new CylinderGeometry(1, 1, 1, 10, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.5);
  const tip = new ConeGeometry(2.4, 4.5, 14, 1).rotateX(Math.PI / 2).translate(0, 0, 1 + 2.25);
  const merged = new BufferGeometry();
  const parts = [shaft.toNonIndexed(), tip.toNonIndexed()];
  for (const name of ["position", "normal"]) {
    const arrays = parts.map((part) => part.getAttribute(name).array as Float32Array);
    const all = new Float32Array(arrays[0].length + arrays[1].length);
    all.set(arrays[0]);
    all.set(arrays[1], arrays[0].length);
    merged.setAttribute(name, new BufferAttribute(all, 3));
  }
  return merged;
}

/** `base` once for each instance, with columns of so many numbers for it. */
export function instanced(base: BufferGeometry, capacity: number, columns: Record<string, number>): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setIndex(base.getIndex());
  for (const name of ["position", "normal"]) {
    const attribute = base.getAttribute(name);
    if (attribute) geometry.setAttribute(name, attribute.clone());
  }
  for (const [name, size] of Object.entries(columns)) {
    const attribute = new InstancedBufferAttribute(new Float32Array(capacity * size), size);
    attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, attribute);
  }
  return geometry;
}

// How light falls on surfaces: shared by solids and soft bodies.

import { LIGHTING_GLSL } from "./lighting";

/** Needs the uniforms of lighting. N and E are unit vectors, towards the outside and the eye. */
export const SURFACE_GLSL = /* glsl */ `
${LIGHTING_GLSL}
// Near a place, and clear of what its own surface is in the coarse grid.
vec3 beside(vec3 place, vec3 N) { return place + N * voxel * 2.0 + to_light * voxel * 0.5; }
vec3 lit_surface(vec3 base, vec3 place, vec3 N, vec3 E) {
  vec2 near = passed(place + N * voxel * 0.7);
  vec2 far = passed(beside(place, N));
  float NL = dot(N, to_light);
  // What faces away from the lamp is dark by itself: there the coarse grid would only add blotches.
  float shadow = smoothstep(0.0, 1.0, near.x * mix(1.0, far.y, smoothstep(-0.12, -0.02, NL)));
  float diffuse = max(0.0, (NL + 0.12) / 1.12);
  vec3 H = normalize(to_light + E);
  float gloss = pow(max(0.0, dot(N, H)), 24.0) * 0.08;
  float rim = pow(1.0 - max(0.0, dot(N, E)), 4.0);
  vec3 c = base * (ambient(N.z) * mix(0.5, 1.0, near.x) + key * 0.62 * diffuse * shadow);
  return c + key * gloss * shadow + sky * rim * 0.16;
}
`;

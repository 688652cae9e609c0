// Shaders of strands.

import { RAMP_SIZE } from "./colours";
import { FINISH_GLSL, LIGHTING_GLSL } from "./lighting";

export const WIDTH = 1024; // of the textures, a power of two; strands are folded over rows
export const CAP_RINGS = 3; // at each end of a tube

const COMMON_GLSL = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform sampler2D places_a, places_b, strands;
uniform float mix_ab;
ivec2 cell(int k) { return ivec2(k & ${WIDTH - 1}, k >> ${Math.log2(WIDTH)}); }
vec4 place(int k) {
  vec4 a = texelFetch(places_a, cell(k), 0);
  if (mix_ab == 0.0) return a;
  return mix(a, texelFetch(places_b, cell(k), 0), mix_ab);
}
// Curve of a strand at part j of its segments: place with value, and tangent.
void curve(int first, int count, int j, out vec4 p, out vec3 tangent) {
  int last = count - 1;
#if PARTS == 1
  p = place(first + j);
  tangent = place(first + min(j + 1, last)).xyz - place(first + max(j - 1, 0)).xyz;
#else
  int i = min(j / PARTS, last);
  float f = float(j - i * PARTS) / float(PARTS);
  vec4 p1 = place(first + i), p2 = place(first + min(i + 1, last));
  // Beyond the ends the curve goes straight on.
  vec4 p0 = i > 0 ? place(first + i - 1) : 2.0 * p1 - p2;
  vec4 p3 = i + 2 <= last ? place(first + i + 2) : 2.0 * p2 - p1;
  vec4 m1 = 0.5 * (p2 - p0), m2 = 0.5 * (p3 - p1);
  float f2 = f * f, f3 = f2 * f;
  p = (2.0 * f3 - 3.0 * f2 + 1.0) * p1 + (f3 - 2.0 * f2 + f) * m1 + (3.0 * f2 - 2.0 * f3) * p2 + (f3 - f2) * m2;
  tangent = ((6.0 * f2 - 6.0 * f) * (p1 - p2) + (3.0 * f2 - 4.0 * f + 1.0) * m1 + (3.0 * f2 - 2.0 * f) * m2).xyz;
  if (i == last) tangent = p1.xyz - p0.xyz;
  p.w = mix(p1.w, p2.w, f);
#endif
  float size = length(tangent);
  tangent = size > 0.0 ? tangent / size : vec3(0.0, 0.0, 1.0);
}
`;

const COLOUR_GLSL = /* glsl */ `
uniform sampler2D ramp;
uniform vec2 range;
uniform float use_ramp, selected, dim;
uniform vec3 accent;
vec3 colour_of(vec3 tint, float value, float id) {
  float t = clamp((value - range.x) / max(range.y - range.x, 1e-30), 0.0, 1.0);
  vec3 scale = texture(ramp, vec2((t * ${RAMP_SIZE - 1}.0 + 0.5) / ${RAMP_SIZE}.0, 0.5)).rgb;
  vec3 c = mix(tint, scale * scale, use_ramp);
  if (selected >= 0.0) c = abs(id - selected) < 0.5 ? mix(c, accent, 0.75) : mix(c, vec3(dot(c, vec3(0.3, 0.5, 0.2))) * 0.6, dim);
  return c;
}
`;

export const RIBBON_VERTEX = /* glsl */ `
${COMMON_GLSL}
${COLOUR_GLSL}
${LIGHTING_GLSL}
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixels;   // pixels at distance 1
uniform float thicken;
uniform float bias;     // m
in vec3 position; // slot, part of the curve, side
out float across;
out float half_width;
out float fade;
out float round_light;
out vec3 lit, sheen, side_light;
void main() {
  int slot = int(position.x);
  vec4 a = texelFetch(strands, cell(2 * slot), 0);
  vec4 b = texelFetch(strands, cell(2 * slot + 1), 0);
  float strand = a.w;
  int count = int(a.y);
  vec4 p; vec3 T;
  curve(int(a.x), count, min(int(position.y), (count - 1) * PARTS), p, T);
  vec3 to_eye = cameraPosition - p.xyz;
  float distance_ = length(to_eye);
  vec3 E = to_eye / distance_;
  float pixel = distance_ / pixels;
  float chosen = abs(strand - selected) < 0.5 ? 1.0 : 0.0;
  float r = a.z * thicken / pixel;
  float shown = max(r, 0.7 + 0.9 * chosen);
  fade = max(chosen, clamp(r / 0.3, 0.72, 1.0));
  half_width = shown;
  across = position.z * (shown + 0.5);
  vec3 side = cross(T, E);
  float size = length(side);
  side = size > 1e-5 ? side / size : vec3(1.0, 0.0, 0.0);
  vec4 seen = viewMatrix * vec4(p.xyz + side * across * pixel, 1.0);
  gl_Position = projectionMatrix * seen;
  // Hair lies on the skin: a little nearer in depth only, so that the surface does not swallow it.
  float nearer = seen.z * (1.0 - bias / distance_);
  gl_Position.z = (projectionMatrix[2][2] * nearer + projectionMatrix[3][2]) * seen.z / nearer;

  // Fibre: light by the angle to the tangent; two highlights, the second in the colour of the strand.
  vec3 base = colour_of(b.rgb, p.w, strand);
  vec2 light = passed(p.xyz + to_light * voxel);
  float shadow = light.x * light.y;
  float TL = dot(T, to_light);
  vec3 H = normalize(to_light + E);
  float TH = dot(T, H);
  float diffuse = sqrt(max(0.0, 1.0 - TL * TL));
  // Powers 64 and 16, by squaring.
  vec2 lobes = max(vec2(0.0), 1.0 - vec2((TH + 0.06) * (TH + 0.06), (TH - 0.12) * (TH - 0.12)));
  lobes *= lobes; lobes *= lobes; lobes *= lobes; lobes *= lobes;
  float first_lobe = lobes.x * lobes.x; first_lobe *= first_lobe;
  float second_lobe = lobes.y;
  float open_sky = mix(0.42, 1.0, sqrt(shadow));
  lit = base * (ambient(0.55) * open_sky + key * 0.62 * diffuse * shadow);
  sheen = key * shadow * (0.16 * first_lobe + base * 0.75 * second_lobe);
  if (chosen > 0.5) { lit = base * 1.1; sheen = vec3(0.0); }
  // How a round rod would differ from a flat one, felt once it is a few pixels thick.
  round_light = smoothstep(1.2, 3.0, r) * (1.0 - 0.6 * chosen);
  side_light = vec3(dot(side, to_light), dot(E - T * dot(E, T), to_light), 0.0);
}
`;

export const RIBBON_FRAGMENT = /* glsl */ `
precision highp float;
in float across;
in float half_width;
in float fade;
in float round_light;
in vec3 lit, sheen, side_light;
uniform float opacity;
out vec4 colour;
${FINISH_GLSL}void main() {
  float cover = clamp(half_width + 0.5 - abs(across), 0.0, 1.0) * fade * opacity;
  if (cover < 0.03) discard;
  float u = clamp(across / half_width, -1.0, 1.0);
  float facing = sqrt(1.0 - u * u);
  float lambert = max(0.0, u * side_light.x + facing * side_light.y);
  vec3 c = lit * mix(1.0, 0.28 + 0.85 * lambert, round_light) + sheen * mix(1.0, facing, round_light);
  colour = vec4(finish(c), cover);
}
`;

export const TUBE_VERTEX = /* glsl */ `
${COMMON_GLSL}
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixels, thicken;
uniform sampler2D sides;
in vec3 position; // slot, ring, angle
out vec3 normal, place_, tint;
flat out float id;
out float value, enough, bold;
void main() {
  int slot = int(position.x);
  vec4 a = texelFetch(strands, cell(2 * slot), 0);
  tint = texelFetch(strands, cell(2 * slot + 1), 0).rgb;
  id = a.w;
  int first = int(a.x), count = int(a.y), caps = ${CAP_RINGS};
  int ring = int(position.y), most = (count - 1) * PARTS;
  int j = clamp(ring - caps, 0, most);
  float beyond = ring < caps ? float(ring - caps) : min(float(max(ring - caps - most, 0)), float(caps));
  vec4 p; vec3 T;
  curve(first, count, j, p, T);
  int i = min(j / PARTS, count - 1);
  vec3 N = texelFetch(sides, cell(first + i), 0).xyz;
  if (i < count - 1) N = mix(N, texelFetch(sides, cell(first + i + 1), 0).xyz, float(j - i * PARTS) / float(PARTS));
  N = normalize(N - T * dot(N, T));
  vec3 B = cross(T, N);
  float pixel = length(cameraPosition - p.xyz) / pixels;
  float r = max(a.z * thicken, 0.85 * pixel);
  enough = clamp(a.z * thicken / (0.6 * pixel), 0.6, 1.0);
  bold = smoothstep(0.8, 3.0, a.z * thicken / pixel);
  float theta = beyond / float(caps) * 1.5707963;
  vec3 out_ = cos(position.z) * N + sin(position.z) * B;
  normal = cos(theta) * out_ + sin(theta) * T;
  place_ = p.xyz + r * normal;
  value = p.w;
  gl_Position = projectionMatrix * (viewMatrix * vec4(place_, 1.0));
}
`;

export const TUBE_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 normal, place_, tint;
flat in float id;
in float value, enough, bold;
uniform vec3 cameraPosition;
uniform float opacity;
out vec4 colour;
${LIGHTING_GLSL}
${COLOUR_GLSL}
void main() {
  vec3 base = colour_of(tint, value, id);
  vec3 N = normalize(normal), E = normalize(cameraPosition - place_);
  vec2 light = passed(place_ + N * voxel * 0.6 + to_light * voxel * 0.4);
  float shadow = smoothstep(0.0, 1.0, light.x * light.y);
  float NL = dot(N, to_light);
  // Light wraps a little around soft materials.
  float diffuse = max(0.0, (NL + 0.18) / 1.18);
  vec3 H = normalize(to_light + E);
  float gloss = pow(max(0.0, dot(N, H)), 60.0) * 0.34 * bold; // a highlight below a pixel would sparkle
  float rim = pow(1.0 - max(0.0, dot(N, E)), 3.5);
  vec3 c = base * (ambient(N.z) * mix(0.35, 1.0, shadow) * 0.8 + key * 0.7 * diffuse * shadow);
  c += key * gloss * shadow + sky * rim * 0.22 * mix(0.4, 1.0, shadow);
  colour = vec4(finish(c), enough * opacity);
}
`;

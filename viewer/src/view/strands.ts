// Strands. The places of a frame are texels of a float texture; one instance a strand fetches them in the
// vertex shader and draws a smooth curve (Catmull-Rom) between two frames. Thin strands are ribbons that
// face the camera, lit as fibres [Kajiya, Kay 1989], never thinner than a pixel; few thick ones are tubes.

import {
  Box3, BufferAttribute, BufferGeometry, DataTexture, DynamicDrawUsage, FloatType, GLSL3, InstancedBufferAttribute,
  InstancedBufferGeometry, Mesh, NearestFilter, PerspectiveCamera, RGBAFormat, RawShaderMaterial, Vector2, Vector3,
} from "three";
import type { Model, Moment, Frame } from "../run/frame";
import { natural_colour, id_colour, ramp_bytes, RAMP_SIZE } from "./colours";
import type { BodyView, Pick, Pointer } from "./body_view";
import { FINISH_GLSL, LIGHTING_GLSL, TO_LIGHT, type LightingUniforms } from "./lighting";
import type { ShadeVolume } from "./shade_volume";

const WIDTH = 1024; // of the textures, a power of two; strands are folded over rows
const CAP_RINGS = 3;
const SIDES = 12;

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

const RIBBON_VERTEX = /* glsl */ `
${COMMON_GLSL}
${COLOUR_GLSL}
${LIGHTING_GLSL}
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixels;   // pixels at distance 1
uniform float thicken;
uniform float bias;     // m
in vec2 corner;
in float strand;
out float across;
out float half_width;
out float fade;
out float round_light;
out vec3 lit, sheen, side_light;
void main() {
  int s = int(strand);
  vec4 a = texelFetch(strands, cell(2 * s), 0);
  vec4 b = texelFetch(strands, cell(2 * s + 1), 0);
  int count = int(a.y);
  vec4 p; vec3 T;
  curve(int(a.x), count, min(int(corner.x), (count - 1) * PARTS), p, T);
  vec3 to_eye = cameraPosition - p.xyz;
  float distance_ = length(to_eye);
  vec3 E = to_eye / distance_;
  float pixel = distance_ / pixels;
  float chosen = abs(strand - selected) < 0.5 ? 1.0 : 0.0;
  float r = a.z * thicken / pixel;
  float shown = max(r, 0.7 + 0.9 * chosen);
  fade = max(chosen, clamp(r / 0.3, 0.72, 1.0));
  half_width = shown;
  across = corner.y * (shown + 0.5);
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

const RIBBON_FRAGMENT = /* glsl */ `
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

const TUBE_VERTEX = /* glsl */ `
${COMMON_GLSL}
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixels, thicken;
uniform sampler2D sides;
in vec2 corner;  // ring, angle
in float strand;
out vec3 normal, place_, tint;
flat out float id;
out float value, enough, bold;
void main() {
  int s = int(strand);
  vec4 a = texelFetch(strands, cell(2 * s), 0);
  tint = texelFetch(strands, cell(2 * s + 1), 0).rgb;
  id = strand;
  int first = int(a.x), count = int(a.y), caps = ${CAP_RINGS};
  int ring = int(corner.x), most = (count - 1) * PARTS;
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
  vec3 out_ = cos(corner.y) * N + sin(corner.y) * B;
  normal = cos(theta) * out_ + sin(theta) * T;
  place_ = p.xyz + r * normal;
  value = p.w;
  gl_Position = projectionMatrix * (viewMatrix * vec4(place_, 1.0));
}
`;

const TUBE_FRAGMENT = /* glsl */ `
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

export type StrandColouring = "natural" | "id" | "field";

function texture_of(rows: number): DataTexture {
  const texture = new DataTexture(new Float32Array(4 * WIDTH * rows), WIDTH, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

export interface StrandsOptions {
  scene_size: number; // m
  most_parts: number; // curve parts in all, the budget of the machine
}

/** True if the strands are few and thick enough to be worth real tubes. */
export function wants_tubes(model: Model, scene_size: number): boolean {
  let sum = 0;
  for (let s = 0; s < model.strands; ++s) sum += model.radii[s];
  return model.points < 20000 && sum / Math.max(1, model.strands) > 8e-4 * scene_size;
}

export class StrandsView implements BodyView {
  readonly object: Mesh;
  readonly tubes: boolean;
  private geometry: InstancedBufferGeometry;
  private material: RawShaderMaterial;
  private order: InstancedBufferAttribute;
  private places: [DataTexture, DataTexture];
  private sides: DataTexture | null = null;
  private data: DataTexture;
  private in_texture: [number, number] = [-1, -1]; // frame in each
  private stamp: [string, string] = ["", ""];
  private moment: Moment | null = null;
  private depths: Float32Array;
  /** A value for each point of a frame, to be coloured by; null for none. Its stamp says when it changes. */
  field: ((frame: Frame) => Float32Array | null) | null = null;
  field_stamp = "";

  constructor(private model: Model, lighting: LightingUniforms, options: StrandsOptions) {
    this.tubes = wants_tubes(model, options.scene_size);
    const rows = Math.max(1, Math.ceil(model.points / WIDTH));
    this.places = [texture_of(rows), texture_of(rows)];
    if (this.tubes) this.sides = texture_of(rows);
    this.data = texture_of(Math.max(1, Math.ceil((2 * model.strands) / WIDTH)));
    let longest = 2;
    for (let s = 0; s < model.strands; ++s) longest = Math.max(longest, model.points_per_strand[s]);
    const budget = this.tubes ? options.most_parts / 4 : options.most_parts;
    const parts = Math.max(1, Math.min(this.tubes ? 8 : 6, Math.floor(budget / Math.max(1, model.points))));
    this.geometry = this.tubes ? tube_geometry((longest - 1) * parts) : ribbon_geometry((longest - 1) * parts);
    this.order = new InstancedBufferAttribute(Float32Array.from({ length: model.strands }, (_, s) => s), 1);
    this.order.setUsage(DynamicDrawUsage);
    this.geometry.setAttribute("strand", this.order);
    this.geometry.instanceCount = model.strands;
    this.depths = new Float32Array(model.strands);
    const ramp = new DataTexture(ramp_bytes(), RAMP_SIZE, 1, RGBAFormat);
    ramp.needsUpdate = true;
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3,
      defines: { PARTS: parts },
      vertexShader: this.tubes ? TUBE_VERTEX : RIBBON_VERTEX,
      fragmentShader: this.tubes ? TUBE_FRAGMENT : RIBBON_FRAGMENT,
      transparent: true,
      uniforms: {
        ...lighting,
        places_a: { value: this.places[0] }, places_b: { value: this.places[1] }, strands: { value: this.data },
        sides: { value: this.sides }, ramp: { value: ramp }, mix_ab: { value: 0 },
        pixels: { value: 1000 }, thicken: { value: 1 }, bias: { value: 0.005 * options.scene_size }, range: { value: new Vector2(0, 1) }, use_ramp: { value: 0 },
        selected: { value: -1 }, dim: { value: 0.55 }, accent: { value: { r: 0, g: 0.5, b: 1 } }, opacity: { value: 1 },
      },
    });
    this.object = new Mesh(this.geometry, this.material);
    this.object.frustumCulled = false;
    this.object.renderOrder = 10;
    this.colour("natural");
  }

  private uniform(name: string): { value: unknown } {
    return this.material.uniforms[name];
  }
  set thicken(value: number) {
    this.uniform("thicken").value = value;
  }
  set selected(strand: number) {
    this.uniform("selected").value = strand;
  }
  set accent(colour: unknown) {
    this.uniform("accent").value = colour;
  }
  set opacity(value: number) {
    this.uniform("opacity").value = value;
    this.material.depthWrite = value > 0.5;
  }
  set range(range: [number, number]) {
    (this.uniform("range").value as Vector2).set(...range);
  }

  colour(how: StrandColouring): void {
    const cells = this.data.image.data as unknown as Float32Array;
    const { model } = this;
    for (let s = 0; s < model.strands; ++s) {
      const rgb = how === "id" ? id_colour(s) : natural_colour(s, model.strands, !this.tubes);
      cells.set([model.first[s], model.points_per_strand[s], model.radii[s], 0, ...rgb, 0], 8 * s);
    }
    this.data.needsUpdate = true;
    this.uniform("use_ramp").value = how === "field" ? 1 : 0;
  }

  show(moment: Moment): void {
    this.moment = moment;
    // Going forward, what was "after" is "before" now: only one texture is filled anew.
    if (this.in_texture[1] === moment.before.index && this.in_texture[0] !== moment.before.index) {
      this.places.reverse();
      this.in_texture.reverse();
      this.stamp.reverse();
    }
    this.fill(0, moment.before);
    if (moment.mix > 0) this.fill(1, moment.after);
    this.uniform("places_a").value = this.places[0];
    this.uniform("places_b").value = this.places[1];
    this.uniform("mix_ab").value = moment.mix;
    if (this.sides) this.turn(moment.before);
  }

  /** Fills everything anew at the next show: the frames have changed under the same numbers. */
  forget(): void {
    this.in_texture = [-1, -1];
  }

  private fill(which: 0 | 1, frame: Frame): void {
    if (this.in_texture[which] === frame.index && this.stamp[which] === this.field_stamp) return;
    const cells = this.places[which].image.data as unknown as Float32Array;
    const { points } = this.model;
    const { places } = frame;
    const field = this.field?.(frame) ?? null;
    for (let k = 0, at = 0; k < points; ++k, at += 4) {
      cells[at] = places[k];
      cells[at + 1] = places[points + k];
      cells[at + 2] = places[2 * points + k];
      cells[at + 3] = field ? field[k] : 0;
    }
    this.places[which].needsUpdate = true;
    this.in_texture[which] = frame.index;
    this.stamp[which] = this.field_stamp;
  }

  private turned = -1;
  /** A normal for each point, carried along the strand without twist. */
  private turn(frame: Frame): void {
    if (this.turned === frame.index && this.in_texture[0] === frame.index && frame.index >= 0) return;
    this.turned = frame.index;
    const cells = this.sides!.image.data as unknown as Float32Array;
    const { model } = this;
    const P = model.points;
    const x = frame.places;
    const tangent = new Vector3();
    const normal = new Vector3();
    for (let s = 0; s < model.strands; ++s) {
      const first = model.first[s];
      const last = model.first[s + 1] - 1;
      for (let k = first; k <= last; ++k) {
        const i = Math.max(first, k - 1);
        const j = Math.min(last, k + 1);
        tangent.set(x[j] - x[i], x[P + j] - x[P + i], x[2 * P + j] - x[2 * P + i]);
        if (tangent.lengthSq() === 0) tangent.set(0, 0, 1);
        tangent.normalize();
        if (k === first) normal.set(Math.abs(tangent.x) < 0.8 ? 1 : 0, Math.abs(tangent.x) < 0.8 ? 0 : 1, 0);
        normal.addScaledVector(tangent, -normal.dot(tangent)).normalize();
        cells[4 * k] = normal.x;
        cells[4 * k + 1] = normal.y;
        cells[4 * k + 2] = normal.z;
      }
    }
    this.sides!.needsUpdate = true;
  }

  /** Place of a point at the shown moment. */
  point(k: number, into = new Vector3()): Vector3 {
    const { before, after, mix } = this.moment!;
    const P = this.model.points;
    const at = (axis: number) => before.places[axis * P + k] * (1 - mix) + after.places[axis * P + k] * mix;
    return into.set(at(0), at(1), at(2));
  }

  cast(volume: ShadeVolume, moment: Moment): void {
    const { model } = this;
    const P = model.points;
    const a = moment.before.places;
    const b = moment.after.places;
    const m = moment.mix;
    // A hair stands for more of them, and is shown a pixel wide.
    const widen = this.tubes ? 2 : 6;
    const half = 0.75 * volume.voxel;
    for (let s = 0; s < model.strands; ++s) {
      const width = 2 * model.radii[s] * widen;
      let k = model.first[s];
      let px = a[k] + m * (b[k] - a[k]);
      let py = a[P + k] + m * (b[P + k] - a[P + k]);
      let pz = a[2 * P + k] + m * (b[2 * P + k] - a[2 * P + k]);
      for (++k; k < model.first[s + 1]; ++k) {
        const x = a[k] + m * (b[k] - a[k]);
        const y = a[P + k] + m * (b[P + k] - a[P + k]);
        const z = a[2 * P + k] + m * (b[2 * P + k] - a[2 * P + k]);
        const dx = x - px;
        const dy = y - py;
        const dz = z - pz;
        const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        const along = dx * TO_LIGHT.x + dy * TO_LIGHT.y + dz * TO_LIGHT.z;
        const seen = Math.sqrt(Math.max(0, length * length - along * along));
        const pieces = Math.max(1, Math.min(16, Math.ceil(length / (2 * half))));
        for (let piece = 0; piece < pieces; ++piece) {
          const f = (piece + 0.5) / pieces;
          volume.splat(0, px + f * dx, py + f * dy, pz + f * dz, (seen * width) / pieces);
        }
        px = x;
        py = y;
        pz = z;
      }
    }
  }

  bound(box: Box3, moment: Moment): void {
    const P = this.model.points;
    const x = moment.before.places;
    const p = new Vector3();
    for (let k = 0; k < P; ++k) box.expandByPoint(p.set(x[k], x[P + k], x[2 * P + k]));
  }

  /** Ribbons have soft edges: far strands are drawn first. */
  prepare(camera: PerspectiveCamera, height: number): void {
    this.uniform("pixels").value = height / (2 * Math.tan((camera.fov * Math.PI) / 360));
    if (this.tubes || !this.moment) return;
    const { model, depths } = this;
    const P = model.points;
    const x = this.moment.before.places;
    const d = camera.getWorldDirection(new Vector3());
    for (let s = 0; s < model.strands; ++s) {
      // Three points tell enough of where a strand is.
      const i = model.first[s];
      const j = model.first[s + 1] - 1;
      const h = (i + j) >> 1;
      depths[s] = d.x * (x[i] + x[h] + x[j]) + d.y * (x[P + i] + x[P + h] + x[P + j]) + d.z * (x[2 * P + i] + x[2 * P + h] + x[2 * P + j]);
    }
    const order = this.order.array as Float32Array;
    order.sort((s, t) => depths[t] - depths[s]);
    this.order.needsUpdate = true;
  }

  pick(pointer: Pointer): Pick | null {
    if (!this.moment) return null;
    const { model } = this;
    const { camera, width, height } = pointer;
    const project = (p: Vector3): [number, number, number] => {
      const depth = p.distanceTo(camera.position);
      p.project(camera);
      return [(p.x * 0.5 + 0.5) * width, (0.5 - p.y * 0.5) * height, p.z > 1 ? Infinity : depth];
    };
    const pixels = this.uniform("pixels").value as number;
    let best: Pick | null = null;
    let best_score = Infinity;
    const p = new Vector3();
    for (let s = 0; s < model.strands; ++s) {
      let before: [number, number, number] | null = null;
      for (let k = model.first[s]; k < model.first[s + 1]; ++k) {
        const now = project(this.point(k, p));
        if (before) {
          const ex = now[0] - before[0];
          const ey = now[1] - before[1];
          const f = Math.min(1, Math.max(0, ((pointer.x - before[0]) * ex + (pointer.y - before[1]) * ey) / Math.max(1e-9, ex * ex + ey * ey)));
          const depth = before[2] + f * (now[2] - before[2]);
          const away = Math.hypot(before[0] + f * ex - pointer.x, before[1] + f * ey - pointer.y);
          const radius = (model.radii[s] * pixels) / depth;
          const miss = Math.max(0, away - radius);
          // In front counts: a hundredth of the distance is worth a pixel.
          const score = miss + (100 * depth) / camera.position.length();
          if (miss < 9 && score < best_score) {
            best_score = score;
            const point = f < 0.5 ? k - 1 : k;
            best = { kind: "strand", body: s, point: point - model.first[s], place: this.point(point), depth: depth - model.radii[s], miss };
          }
        }
        before = now;
      }
    }
    return best;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
    for (const texture of [...this.places, this.data, this.sides]) texture?.dispose();
  }
}

function ribbon_geometry(segments: number): InstancedBufferGeometry {
  const corners: number[] = [];
  const index: number[] = [];
  for (let j = 0; j <= segments; ++j) {
    corners.push(j, -1, j, 1);
    if (j < segments) index.push(2 * j, 2 * j + 1, 2 * j + 2, 2 * j + 2, 2 * j + 1, 2 * j + 3);
  }
  return instanced(corners, index);
}

function tube_geometry(segments: number): InstancedBufferGeometry {
  const corners: number[] = [];
  const index: number[] = [];
  const rings = segments + 2 * CAP_RINGS;
  for (let ring = 0; ring <= rings; ++ring)
    for (let side = 0; side <= SIDES; ++side) {
      corners.push(ring, (2 * Math.PI * side) / SIDES);
      if (ring < rings && side < SIDES) {
        const a = ring * (SIDES + 1) + side;
        const b = a + SIDES + 1;
        index.push(a, a + 1, b, b, a + 1, b + 1);
      }
    }
  return instanced(corners, index);
}

function instanced(corners: number[], index: number[]): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("corner", new BufferAttribute(new Float32Array(corners), 2));
  // Three.js looks for positions when it counts; the shader does not.
  geometry.setAttribute("position", new BufferAttribute(new Float32Array((corners.length / 2) * 3), 3));
  (geometry as BufferGeometry).setIndex(index);
  return geometry;
}

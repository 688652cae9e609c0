// Strands. The places of a frame are texels of a float texture; the vertex shader fetches them and draws a
// smooth curve (Catmull-Rom) between two frames. Thin strands are ribbons that face the camera, lit as fibres
// [Kajiya, Kay 1989], never thinner than a pixel; few thick ones are tubes. All strands are one draw call and
// no instances: where the processor draws, each instance costs as much as a call.

import {
  Box3, BufferGeometry, DataTexture, FloatType, GLSL3, Mesh, NearestFilter, PerspectiveCamera, RGBAFormat,
  RawShaderMaterial, Vector2, Vector3,
} from "three";
import type { Model, Moment, Frame } from "../run/frame";
import { natural_colour, id_colour, ramp_bytes, RAMP_SIZE } from "./colours";
import type { BodyView, Pick, Pointer } from "./body_view";
import { TO_LIGHT, type LightingUniforms } from "./lighting";
import type { ShadeVolume } from "./shade_volume";
import { Points, copies, ribbon_grid, tube_grid } from "./strand_geometry";
import { RIBBON_FRAGMENT, RIBBON_VERTEX, TUBE_FRAGMENT, TUBE_VERTEX, WIDTH } from "./strand_shaders";

const THIN_PIXELS = 0.5;

export type StrandColouring = "natural" | "id" | "field";

function texture_of(rows: number): DataTexture {
  const texture = new DataTexture(new Float32Array(4 * WIDTH * rows), WIDTH, rows, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

/** What the machine can draw. */
export interface Detail {
  most_parts: number; // curve parts of all strands together
  thin: boolean; // leaves out points that lie within half a pixel of the line without them
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
  private geometry: BufferGeometry;
  private parts: number; // of the curve, between two points
  private longest: number; // parts of the longest strand
  private material: RawShaderMaterial;
  private order: Uint32Array; // strands in the order of drawing
  private colours: Float32Array; // rgb of each strand
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

  constructor(private model: Model, lighting: LightingUniforms, scene_size: number, private detail: Detail) {
    this.tubes = wants_tubes(model, scene_size);
    const rows = Math.max(1, Math.ceil(model.points / WIDTH));
    this.places = [texture_of(rows), texture_of(rows)];
    if (this.tubes) this.sides = texture_of(rows);
    this.data = texture_of(Math.max(1, Math.ceil((2 * model.strands) / WIDTH)));
    let longest = 2;
    for (let s = 0; s < model.strands; ++s) longest = Math.max(longest, model.points_per_strand[s]);
    const budget = this.tubes ? detail.most_parts / 4 : detail.most_parts;
    this.parts = Math.max(1, Math.min(this.tubes ? 8 : 6, Math.floor(budget / Math.max(1, model.points))));
    this.longest = (longest - 1) * this.parts;
    const grid = this.tubes ? tube_grid(this.longest) : ribbon_grid(this.longest);
    this.geometry = copies(grid, model.strands);
    this.order = Uint32Array.from({ length: model.strands }, (_, s) => s);
    this.colours = new Float32Array(3 * model.strands);
    this.depths = new Float32Array(model.strands);
    const ramp = new DataTexture(ramp_bytes(), RAMP_SIZE, 1, RGBAFormat);
    ramp.needsUpdate = true;
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3,
      defines: { PARTS: this.parts },
      vertexShader: this.tubes ? TUBE_VERTEX : RIBBON_VERTEX,
      fragmentShader: this.tubes ? TUBE_FRAGMENT : RIBBON_FRAGMENT,
      transparent: true,
      uniforms: {
        ...lighting,
        places_a: { value: this.places[0] }, places_b: { value: this.places[1] }, strands: { value: this.data },
        sides: { value: this.sides }, ramp: { value: ramp }, mix_ab: { value: 0 },
        pixels: { value: 1000 }, thicken: { value: 1 }, bias: { value: 0.005 * scene_size }, range: { value: new Vector2(0, 1) }, use_ramp: { value: 0 },
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
    const { strands } = this.model;
    for (let s = 0; s < strands; ++s) this.colours.set(how === "id" ? id_colour(s) : natural_colour(s, strands, !this.tubes), 3 * s);
    this.uniform("use_ramp").value = how === "field" ? 1 : 0;
    this.fill_slots();
  }

  /** What each slot of the geometry draws. */
  private fill_slots(): void {
    const cells = this.data.image.data as unknown as Float32Array;
    const { model, order, colours } = this;
    for (let slot = 0, at = 0; slot < order.length; ++slot, at += 8) {
      const s = order[slot];
      cells[at] = model.first[s];
      cells[at + 1] = model.points_per_strand[s];
      cells[at + 2] = model.radii[s];
      cells[at + 3] = s;
      cells[at + 4] = colours[3 * s];
      cells[at + 5] = colours[3 * s + 1];
      cells[at + 6] = colours[3 * s + 2];
    }
    this.data.needsUpdate = true;
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
    this.order.sort((s, t) => depths[t] - depths[s]);
    this.fill_slots();
    if (this.detail.thin) this.thin(camera.position);
  }

  /** Triangles between those points only that the eye would miss. */
  private thin(eye: Vector3): void {
    const { model, parts, order } = this;
    const points = new Points(this.moment!.before.places, model.points);
    const angle = THIN_PIXELS / (this.uniform("pixels").value as number);
    const index = this.geometry.index!;
    const triangles = index.array as Uint32Array;
    let size = 0;
    for (let slot = 0; slot < order.length; ++slot) {
      const first = model.first[order[slot]];
      const last = model.first[order[slot] + 1] - 1;
      const base = 2 * slot * (this.longest + 1);
      for (let from = first; from < last; ) {
        const to = points.straight(from, last, angle * points.distance(from, eye));
        const step = to === from + 1 ? 1 : (to - from) * parts;
        for (let j = (from - first) * parts; j < (to - first) * parts; j += step) {
          const a = base + 2 * j;
          const b = a + 2 * step;
          triangles[size++] = a;
          triangles[size++] = a + 1;
          triangles[size++] = b;
          triangles[size++] = b;
          triangles[size++] = a + 1;
          triangles[size++] = b + 1;
        }
        from = to;
      }
    }
    index.needsUpdate = true;
    this.geometry.setDrawRange(0, size);
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

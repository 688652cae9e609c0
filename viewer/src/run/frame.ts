// What the views draw: a model that stays, and moments that pass.

import type { Chunk } from "../format/codec";
import { slice_cones, type ConeColumns } from "../format/cone";
import type { MeshSpec, ObstacleSpec } from "../format/manifest";

export interface Contacts {
  count: number;
  place: Float32Array; // x, y, z of each, m
  force: Float32Array; // x, y, z of each, N, on a
  a: Int32Array;
  b: Int32Array; // both: a strand, or -1 - k for obstacles, then soft bodies
  state: Uint8Array | null;
  cones: ConeColumns | null;
  beta: Float32Array | null; // intensity of bonds
}

export interface Frame {
  index: number;
  time: number;
  places: Float32Array; // all x, all y, all z
  poses: Float64Array | Float32Array; // 12 numbers an obstacle
  contacts: Contacts;
  mesh_places: Float32Array; // vertices of soft bodies: all x, all y, all z
  mesh_values: Float32Array; // strain at each
}

/** Between two frames; mix 0 is `before`, 1 is `after`. Both are the same at the ends. */
export interface Moment {
  time: number;
  before: Frame;
  after: Frame;
  mix: number;
}

/** The nearer frame: what cannot be interpolated is that of it. */
export function shown_frame(moment: Moment): Frame {
  return moment.mix > 0.5 ? moment.after : moment.before;
}

/** The bodies of a run. */
export class Model {
  readonly first: Uint32Array; // point of each strand, with the total behind the last
  readonly points: number;
  readonly first_vertex: Uint32Array; // of each soft body, with the total behind the last
  readonly vertices: number;
  constructor(
    readonly points_per_strand: ArrayLike<number>, readonly radii: ArrayLike<number>, readonly obstacles: ObstacleSpec[], readonly meshes: MeshSpec[] = [],
  ) {
    this.first = new Uint32Array(points_per_strand.length + 1);
    for (let s = 0; s < points_per_strand.length; ++s) this.first[s + 1] = this.first[s] + points_per_strand[s];
    this.points = this.first[points_per_strand.length];
    this.first_vertex = new Uint32Array(meshes.length + 1);
    meshes.forEach((mesh, m) => (this.first_vertex[m + 1] = this.first_vertex[m] + mesh.points));
    this.vertices = this.first_vertex[meshes.length];
  }
  get has_structure(): boolean {
    return this.obstacles.some((spec) => spec.structure !== undefined);
  }
  get strands(): number {
    return this.points_per_strand.length;
  }
  strand_of(point: number): number {
    let low = 0;
    let high = this.strands - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.first[middle] <= point) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  /** A soft body as contacts name it. */
  body_of_mesh(mesh: number): number {
    return -1 - (this.obstacles.length + mesh);
  }
  /** The soft body that contacts name so; -1 if it is none. */
  mesh_of_body(body: number): number {
    return Math.max(-1, -1 - body - this.obstacles.length);
  }
  /** Name of a body as contacts write it: a strand, or -1 - k. */
  body_name(body: number): string {
    const mesh = this.meshes[this.mesh_of_body(body)];
    return body >= 0 ? `strand ${body}` : (mesh ?? this.obstacles[-1 - body])?.name ?? `obstacle ${-1 - body}`;
  }
}

export function no_contacts(): Contacts {
  return { count: 0, place: new Float32Array(0), force: new Float32Array(0), a: new Int32Array(0), b: new Int32Array(0), state: null, cones: null, beta: null };
}

/** Frame f of a chunk, without copying. */
export function frame_of_chunk(chunk: Chunk, f: number, index: number, model: Model): Frame {
  const size = 3 * model.points;
  const poses = 12 * model.obstacles.length;
  const { start, place, force, a, b, state, cones, beta } = chunk.contacts;
  const from = start[f];
  const to = start[f + 1];
  return {
    index,
    time: chunk.times[f],
    places: chunk.places.subarray(f * size, (f + 1) * size),
    poses: chunk.poses.subarray(f * poses, (f + 1) * poses),
    contacts: {
      count: to - from,
      place: place.subarray(3 * from, 3 * to),
      force: force.subarray(3 * from, 3 * to),
      a: a.subarray(from, to),
      b: b.subarray(from, to),
      state: state ? state.subarray(from, to) : null,
      cones: cones && slice_cones(cones, from, to),
      beta: beta && beta.subarray(from, to),
    },
    mesh_places: chunk.mesh_places.subarray(3 * f * model.vertices, 3 * (f + 1) * model.vertices),
    mesh_values: chunk.mesh_values.subarray(f * model.vertices, (f + 1) * model.vertices),
  };
}

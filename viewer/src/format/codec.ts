// The frame format of docs/runs.md, versions 1 to 4: header, records, and the blocks inside a record.
// Version 2 has a ninth block for every contact: its state, 0 open, 1 stick, 2 slide. Version 3 has six more: its
// friction cone. Version 4 has one more, its bond, and soft bodies behind the contacts.

import { decompress } from "fzstd";
import { cone_columns, type ConeColumns } from "./cone";
import { crc32 } from "./crc32";

export const MAGIC = "capframe";
export const RECORD_MAGIC = 0x4e554843;
export const RECORD_HEADER_BYTES = 32;
export const NEWEST_VERSION = 4;
const FIRST_WITH_MESHES = 4;

/** Something in a file is not as the format says; the message is for people. */
export class DamageError extends Error {}

export interface Layout {
  version: number;
  per_chunk: number;
  step: number; // m, of the lattice
  obstacles: number;
  points_per_strand: Uint32Array;
  points_per_mesh: Uint32Array; // vertices of soft bodies
}

export interface FileHeader extends Layout {
  id: number; // of the run; every record repeats it
  bytes: number; // of the header
}

export interface RecordHeader {
  id: number;
  first: number;
  frames: number;
  payload_bytes: number;
  payload_crc: number;
}

/** Contacts of consecutive frames; those of frame f are start[f] to start[f + 1]. */
export interface ChunkContacts {
  start: Uint32Array;
  place: Float32Array; // x, y, z of each
  force: Float32Array; // x, y, z of each
  a: Int32Array;
  b: Int32Array; // both: a strand, or -1 - k for obstacles, rigid and soft bodies
  state: Uint8Array | null; // since version 2
  cones: ConeColumns | null; // since version 3
  beta: Float32Array | null; // intensity of bonds, 0 to 1, since version 4
}

/** Consecutive frames, decoded. */
export interface Chunk {
  first: number;
  frames: number;
  times: Float64Array;
  places: Float32Array; // for each frame all x, all y, all z
  poses: Float64Array; // for each frame and obstacle x, then the rotation by columns
  contacts: ChunkContacts;
  mesh_places: Float32Array; // of soft bodies, like places
  mesh_values: Float32Array; // for each frame the strain at every vertex
}

/** The integers of a chunk, before they become metres. */
export interface RawChunk {
  order: number;
  points: Int32Array;
  poses: Float64Array;
  counts: Uint32Array;
  columns: Uint32Array[]; // of contacts, not differenced any more
  mesh_points: Int32Array;
  mesh_codes: Uint8Array;
}

function sum_of(counts: Uint32Array): number {
  let sum = 0;
  for (const n of counts) sum += n;
  return sum;
}

/** The strain that a number of the file stands for. */
export function mesh_value(code: number): number {
  return code === 0 ? 0 : 2 ** ((code - 1) / 12 - 18);
}
const MESH_VALUES = Float32Array.from({ length: 256 }, (_, code) => mesh_value(code));

/** Reads what it can from the start of frames.bin; throws DamageError. */
export function parse_file_header(bytes: Uint8Array): FileHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 36) throw new DamageError("frames.bin is shorter than its header");
  const magic = String.fromCharCode(...bytes.subarray(0, 8));
  if (magic !== MAGIC) throw new DamageError(`frames.bin does not begin with "${MAGIC}": it is another kind of file`);
  const size = file_header_bytes(bytes);
  if (bytes.length < size) throw new DamageError("frames.bin ends inside its header");
  const id = view.getUint32(size - 4, true);
  if (crc32(bytes.subarray(0, size - 4)) !== id) throw new DamageError("the header of frames.bin is damaged (its CRC-32 differs)");
  const version = view.getUint32(8, true);
  if (version < 1 || version > NEWEST_VERSION)
    throw new DamageError(`frames.bin has format version ${version}; this viewer knows 1 to ${NEWEST_VERSION}. A newer viewer is needed.`);
  const counts = (at: number) => Uint32Array.from({ length: view.getUint32(at, true) }, (_, k) => view.getUint32(at + 4 + 4 * k, true));
  const points_per_strand = counts(28);
  return {
    version,
    per_chunk: view.getUint32(12, true),
    step: view.getFloat64(16, true),
    obstacles: view.getUint32(24, true),
    points_per_strand,
    points_per_mesh: version >= FIRST_WITH_MESHES ? counts(32 + 4 * points_per_strand.length) : new Uint32Array(0),
    id,
    bytes: size,
  };
}

/** How many bytes of frames.bin its header takes, as far as its first bytes tell: at least so many must be read. */
export function file_header_bytes(bytes: Uint8Array): number {
  if (bytes.length < 32) return 32;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const behind_strands = 32 + 4 * view.getUint32(28, true);
  if (view.getUint32(8, true) < FIRST_WITH_MESHES || bytes.length < behind_strands + 4) return behind_strands + 4;
  return behind_strands + 4 * view.getUint32(behind_strands, true) + 8;
}

export function header_bytes_of(layout: Layout): number {
  return 36 + 4 * layout.points_per_strand.length + (layout.version >= FIRST_WITH_MESHES ? 4 + 4 * layout.points_per_mesh.length : 0);
}

/** A record header; throws DamageError. */
export function parse_record_header(bytes: Uint8Array, id: number | null): RecordHeader {
  if (bytes.length < RECORD_HEADER_BYTES) throw new DamageError("the file ends inside a record's header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, RECORD_HEADER_BYTES);
  if (view.getUint32(0, true) !== RECORD_MAGIC) throw new DamageError("no record begins here");
  if (crc32(bytes.subarray(0, 28)) !== view.getUint32(28, true)) throw new DamageError("the record's header is damaged (its CRC-32 differs)");
  const header = {
    id: view.getUint32(4, true),
    first: view.getUint32(8, true),
    frames: view.getUint32(12, true),
    payload_bytes: Number(view.getBigUint64(16, true)),
    payload_crc: view.getUint32(24, true),
  };
  if (id !== null && header.id !== id) throw new DamageError("the record belongs to another run");
  return header;
}

export function parse_times(payload: Uint8Array, frames: number): Float64Array {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (payload.length < 8 * frames) throw new DamageError("the record ends inside its times");
  return Float64Array.from({ length: frames }, (_, f) => view.getFloat64(8 * f, true));
}

class Reader {
  at = 0;
  private view: DataView;
  constructor(private bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  take(count: number): Uint8Array {
    if (this.at + count > this.bytes.length) throw new DamageError("the unpacked record is shorter than it should be");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
  u8(): number {
    return this.take(1)[0];
  }
  u32(): number {
    this.take(4);
    return this.view.getUint32(this.at - 4, true);
  }
  f64(): number {
    this.take(8);
    return this.view.getFloat64(this.at - 8, true);
  }
  /** A block of n numbers: count of byte planes, then the planes, lowest first. */
  planes(n: number): Uint32Array {
    const values = new Uint32Array(n);
    const count = this.u8();
    if (count > 4) throw new DamageError(`a block has ${count} byte planes, more than 4`);
    for (let plane = 0; plane < count; ++plane) {
      const bytes = this.take(n);
      const shift = 8 * plane;
      if (plane === 0) values.set(bytes);
      else for (let k = 0; k < n; ++k) values[k] |= bytes[k] << shift;
    }
    return values;
  }
  get finished(): boolean {
    return this.at === this.bytes.length;
  }
}

/** Undoes differences along strands (or by the index of vertices) and over time in place: residuals become lattice points. */
function integrate_places(values: Uint32Array, counts: Uint32Array, frames: number, order: number): Int32Array {
  const q = new Int32Array(values.buffer, values.byteOffset, values.length);
  const size = 3 * sum_of(counts);
  let k = 0;
  for (let f = 0; f < frames; ++f) {
    for (let axis = 0; axis < 3; ++axis)
      for (let s = 0; s < counts.length; ++s) {
        const end = k + counts[s];
        let residual = 0;
        let slope = 0;
        for (; k < end; ++k) {
          const coded = q[k];
          const value = (coded >>> 1) ^ -(coded & 1);
          slope = order === 2 ? (slope + value) | 0 : value;
          residual = (residual + slope) | 0;
          if (f === 0) q[k] = residual;
          else if (f === 1) q[k] = q[k - size] + residual;
          else q[k] = 2 * q[k - size] - q[k - 2 * size] + residual;
        }
      }
  }
  return q;
}

function read_places(reader: Reader, counts: Uint32Array, frames: number): { order: number; points: Int32Array } {
  const order = reader.u8();
  if (order !== 1 && order !== 2) throw new DamageError(`differences of order ${order} along the strand`);
  return { order, points: integrate_places(reader.planes(3 * sum_of(counts) * frames), counts, frames, order) };
}

/** Numbers of vertices, differenced against the frame before; wraps at 8 bits. */
function read_codes(reader: Reader, vertices: number, frames: number): Uint8Array {
  const coded = reader.planes(vertices * frames);
  const codes = new Uint8Array(coded.length);
  for (let k = 0; k < codes.length; ++k) codes[k] = (k < vertices ? 0 : codes[k - vertices]) + ((coded[k] >>> 1) ^ -(coded[k] & 1));
  return codes;
}

const CONTACT_COLUMNS: Record<number, number> = { 1: 8, 2: 9, 3: 15, 4: 16 };

/** Undoes differences against the contact before, where `follows` says that k has one, else against 0. */
function integrate(values: Uint32Array, follows: (k: number) => boolean): void {
  for (let k = 0; k < values.length; ++k) {
    const coded = values[k];
    values[k] = ((k > 0 && follows(k) ? values[k - 1] : 0) + ((coded >>> 1) ^ -(coded & 1))) | 0;
  }
}

/** The numbers inside an unpacked record. */
export function decode_raw(unpacked: Uint8Array, layout: Layout, frames: number): RawChunk {
  const reader = new Reader(unpacked);
  const { order, points } = read_places(reader, layout.points_per_strand, frames);
  const poses = new Float64Array(12 * layout.obstacles * frames);
  for (let k = 0; k < poses.length; ++k) poses[k] = reader.f64();
  const counts = new Uint32Array(frames);
  let total = 0;
  for (let f = 0; f < frames; ++f) total += counts[f] = reader.u32();
  const columns: Uint32Array[] = [];
  for (let column = 0; column < CONTACT_COLUMNS[layout.version]; ++column) {
    const values = reader.planes(total);
    if (column < 3 || column === 6 || column === 7 || column === 10 || column === 11) integrate(values, () => true);
    // Axes of cones are like those of the contact before only between the same bodies.
    if (column > 11 && column < 15) integrate(values, (k) => columns[6][k] === columns[6][k - 1] && columns[7][k] === columns[7][k - 1]);
    columns.push(values);
  }
  const soft = layout.version >= FIRST_WITH_MESHES;
  const mesh_points = soft ? read_places(reader, layout.points_per_mesh, frames).points : new Int32Array(0);
  const mesh_codes = soft ? read_codes(reader, sum_of(layout.points_per_mesh), frames) : new Uint8Array(0);
  if (!reader.finished) throw new DamageError("the unpacked record is longer than it should be");
  return { order, points, poses, counts, columns, mesh_points, mesh_codes };
}

function contacts_of(raw: RawChunk, step: number): ChunkContacts {
  const frames = raw.counts.length;
  const start = new Uint32Array(frames + 1);
  for (let f = 0; f < frames; ++f) start[f + 1] = start[f] + raw.counts[f];
  const total = start[frames];
  const place = new Float32Array(3 * total);
  const force = new Float32Array(3 * total);
  for (let axis = 0; axis < 3; ++axis) {
    const lattice = new Int32Array(raw.columns[axis].buffer);
    const bits = new Float32Array(raw.columns[3 + axis].buffer);
    for (let k = 0; k < total; ++k) {
      place[3 * k + axis] = lattice[k] * step;
      force[3 * k + axis] = bits[k];
    }
  }
  return {
    start,
    place,
    force,
    a: new Int32Array(raw.columns[6].buffer),
    b: new Int32Array(raw.columns[7].buffer),
    state: raw.columns.length > 8 ? Uint8Array.from(raw.columns[8]) : null,
    cones: raw.columns.length > 9 ? cone_columns(raw.columns.slice(9, 15)) : null,
    beta: raw.columns.length > 15 ? Float32Array.from(raw.columns[15], (code) => code / 255) : null,
  };
}

function metres(points: Int32Array, step: number): Float32Array {
  const places = new Float32Array(points.length);
  for (let k = 0; k < places.length; ++k) places[k] = points[k] * step;
  return places;
}

function strains(codes: Uint8Array): Float32Array {
  const values = new Float32Array(codes.length);
  for (let k = 0; k < values.length; ++k) values[k] = MESH_VALUES[codes[k]];
  return values;
}

/** A whole record, header included, to frames. Checks both CRCs; throws DamageError. */
export function decode_record(bytes: Uint8Array, layout: Layout, id: number | null): Chunk {
  const header = parse_record_header(bytes, id);
  const end = RECORD_HEADER_BYTES + header.payload_bytes;
  if (bytes.length < end) throw new DamageError("the file ends inside a record");
  const payload = bytes.subarray(RECORD_HEADER_BYTES, end);
  if (crc32(payload) !== header.payload_crc) throw new DamageError("its payload is damaged (the CRC-32 differs)");
  const times = parse_times(payload, header.frames);
  let unpacked: Uint8Array;
  try {
    unpacked = decompress(payload.subarray(8 * header.frames));
  } catch (error) {
    throw new DamageError(`it cannot be unpacked (${error instanceof Error ? error.message : String(error)})`);
  }
  const raw = decode_raw(unpacked, layout, header.frames);
  return {
    first: header.first, frames: header.frames, times, places: metres(raw.points, layout.step), poses: raw.poses, contacts: contacts_of(raw, layout.step),
    mesh_places: metres(raw.mesh_points, layout.step), mesh_values: strains(raw.mesh_codes),
  };
}

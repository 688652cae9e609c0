// Writes frames.bin as docs/runs.md says, for tests. Its own zstd frame holds raw blocks only: valid, not small.

import { crc32 } from "../src/format/crc32";

export interface TestContact {
  x: [number, number, number]; // lattice
  f: [number, number, number]; // N; the lowest 12 bits of each float are dropped
  a: number;
  b: number;
  state?: number;
  cone?: { known: number; mu: [number, number]; normal: [number, number]; tangent: number }; // mu: upper 20 bits of floats
  beta?: number; // 0 to 255
}

export interface TestFrame {
  time: number;
  points: Int32Array; // all x, all y, all z, lattice
  poses: number[]; // 12 an obstacle
  contacts: TestContact[];
  mesh_points?: Int32Array; // vertices of soft bodies, like points
  mesh_codes?: Uint8Array; // one a vertex
}

export interface TestLayout {
  version: number;
  per_chunk: number;
  step: number;
  obstacles: number;
  points_per_strand: number[];
  points_per_mesh?: number[];
}

class Writer {
  private parts: Uint8Array[] = [];
  bytes(part: ArrayLike<number>): this {
    this.parts.push(Uint8Array.from(part as number[]));
    return this;
  }
  private number(size: number, set: (view: DataView) => void): this {
    const part = new Uint8Array(size);
    set(new DataView(part.buffer));
    this.parts.push(part);
    return this;
  }
  u8(value: number): this {
    return this.number(1, (view) => view.setUint8(0, value));
  }
  u32(value: number): this {
    return this.number(4, (view) => view.setUint32(0, value, true));
  }
  u64(value: number): this {
    return this.number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  }
  f64(value: number): this {
    return this.number(8, (view) => view.setFloat64(0, value, true));
  }
  done(): Uint8Array {
    const all = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

function zigzag(value: number): number {
  return ((value << 1) ^ (value >> 31)) >>> 0;
}

function put_planes(out: Writer, values: Uint32Array): void {
  let all = 0;
  for (const value of values) all |= value;
  const planes = all === 0 ? 0 : Math.ceil((32 - Math.clz32(all)) / 8);
  out.u8(planes);
  for (let plane = 0; plane < planes; ++plane) out.bytes(Uint8Array.from(values, (value) => (value >>> (8 * plane)) & 255));
}

function put_points(out: Writer, counts: number[], frames: Int32Array[], order: number): void {
  const size = frames[0].length;
  const values = new Uint32Array(size * frames.length);
  let k = 0;
  frames.forEach((points, f) => {
    const residual = Int32Array.from(points, (q, i) => {
      if (f === 0) return q;
      const before = frames[f - 1][i];
      return f === 1 ? q - before : q - 2 * before + frames[f - 2][i];
    });
    let i = 0;
    for (let axis = 0; axis < 3; ++axis)
      for (const count of counts) {
        let last = 0;
        let slope = 0;
        for (let j = 0; j < count; ++j, ++i) {
          const difference = (residual[i] - last) | 0;
          values[k++] = zigzag(order === 2 ? (difference - slope) | 0 : difference);
          slope = difference;
          last = residual[i];
        }
      }
  });
  out.u8(order);
  put_planes(out, values);
}

export function float_bits(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return (view.getUint32(0) & 0xfffff000) >>> 0;
}

function put_contacts(out: Writer, layout: TestLayout, frames: TestFrame[]): void {
  for (const frame of frames) out.u32(frame.contacts.length);
  const all = frames.flatMap((frame) => frame.contacts);
  const differenced = (values: number[]) => Uint32Array.from(values, (value, k) => zigzag((value - (k > 0 ? values[k - 1] : 0)) | 0));
  for (let axis = 0; axis < 3; ++axis) put_planes(out, differenced(all.map((contact) => contact.x[axis])));
  for (let axis = 0; axis < 3; ++axis) put_planes(out, Uint32Array.from(all, (contact) => float_bits(contact.f[axis])));
  put_planes(out, differenced(all.map((contact) => contact.a)));
  put_planes(out, differenced(all.map((contact) => contact.b)));
  if (layout.version >= 2) put_planes(out, Uint32Array.from(all, (contact) => contact.state ?? 0));
  if (layout.version < 3) return;
  const cones = all.map(({ cone }) => cone ?? { known: 0, mu: [0, 0], normal: [0, 0], tangent: 0 });
  const same = (k: number) => k > 0 && all[k].a === all[k - 1].a && all[k].b === all[k - 1].b;
  const within_pairs = (values: number[]) => Uint32Array.from(values, (value, k) => zigzag((value - (same(k) ? values[k - 1] : 0)) | 0));
  put_planes(out, Uint32Array.from(cones, (cone) => cone.known));
  put_planes(out, differenced(cones.map((cone) => cone.mu[0])));
  put_planes(out, differenced(cones.map((cone) => cone.mu[1] - cone.mu[0])));
  for (const axis of [0, 1]) put_planes(out, within_pairs(cones.map((cone) => cone.normal[axis])));
  put_planes(out, within_pairs(cones.map((cone) => cone.tangent)));
  if (layout.version >= 4) put_planes(out, Uint32Array.from(all, (contact) => contact.beta ?? 0));
}

function put_meshes(out: Writer, layout: TestLayout, frames: TestFrame[], order: number): void {
  const counts = layout.points_per_mesh ?? [];
  put_points(out, counts, frames.map((frame) => frame.mesh_points ?? new Int32Array(0)), order);
  const codes = frames.map((frame) => [...(frame.mesh_codes ?? new Uint8Array(frame.mesh_points ? frame.mesh_points.length / 3 : 0))]);
  const signed = (value: number) => (value << 24) >> 24;
  put_planes(out, Uint32Array.from(codes.flatMap((now, f) => now.map((code, k) => zigzag(signed(code - (f > 0 ? codes[f - 1][k] : 0)))))));
}

/** A zstd frame of raw blocks (RFC 8878, 3.1.1): single segment, content size in 8 bytes, no checksum. */
export function stored_zstd(content: Uint8Array): Uint8Array {
  const out = new Writer().u32(0xfd2fb528).u8(0b11100000).u64(content.length);
  const most = 128 * 1024;
  for (let at = 0; at === 0 || at < content.length; at += most) {
    const block = content.subarray(at, at + most);
    const last = at + most >= content.length ? 1 : 0;
    const head = last | (block.length << 3);
    out.bytes([head & 255, (head >> 8) & 255, (head >> 16) & 255]).bytes(block);
  }
  return out.done();
}

export function encode_header(layout: TestLayout): Uint8Array {
  const out = new Writer().bytes([..."capframe"].map((letter) => letter.charCodeAt(0)));
  out.u32(layout.version).u32(layout.per_chunk).f64(layout.step).u32(layout.obstacles).u32(layout.points_per_strand.length);
  for (const count of layout.points_per_strand) out.u32(count);
  if (layout.version >= 4) for (const count of [(layout.points_per_mesh ?? []).length, ...(layout.points_per_mesh ?? [])]) out.u32(count);
  const bytes = out.done();
  return new Writer().bytes(bytes).u32(crc32(bytes)).done();
}

export function run_id(layout: TestLayout): number {
  const header = encode_header(layout);
  return new DataView(header.buffer).getUint32(header.length - 4, true);
}

export function encode_record(layout: TestLayout, first: number, frames: TestFrame[], order = 2, pack = stored_zstd): Uint8Array {
  const inside = new Writer();
  put_points(inside, layout.points_per_strand, frames.map((frame) => frame.points), order);
  for (const frame of frames) for (const value of frame.poses) inside.f64(value);
  put_contacts(inside, layout, frames);
  if (layout.version >= 4) put_meshes(inside, layout, frames, order);
  const payload = new Writer();
  for (const frame of frames) payload.f64(frame.time);
  const body = payload.bytes(pack(inside.done())).done();
  const head = new Writer().u32(0x4e554843).u32(run_id(layout)).u32(first).u32(frames.length).u64(body.length).u32(crc32(body)).done();
  return new Writer().bytes(head).u32(crc32(head)).bytes(body).done();
}

/** Triangles as manifest.json has them. */
export function packed_triangles(triangles: number[][]): string {
  return Buffer.from(Uint32Array.from(triangles.flat()).buffer).toString("base64");
}

/** All files of a run folder. The last `in_journal` frames are left in the journal. */
export function encode_run(layout: TestLayout, frames: TestFrame[], extra: { radii: number[]; obstacles: object[]; meshes?: object[]; in_journal?: number; stats?: string; pack?: typeof stored_zstd }): Record<string, Uint8Array> {
  const kept = frames.length - (extra.in_journal ?? 0);
  const parts = [encode_header(layout)];
  const chunks: object[] = [];
  let offset = parts[0].length;
  for (let first = 0; first < kept; first += layout.per_chunk) {
    const some = frames.slice(first, Math.min(kept, first + layout.per_chunk));
    const record = encode_record(layout, first, some, 1 + (chunks.length % 2), extra.pack);
    chunks.push({ offset, bytes: record.length, first, times: some.map((frame) => frame.time) });
    parts.push(record);
    offset += record.length;
  }
  const journal = new Writer();
  for (let f = kept; f < frames.length; ++f) journal.bytes(encode_record(layout, f, [frames[f]]));
  const frames_bin = new Writer();
  for (const part of parts) frames_bin.bytes(part);
  const manifest = {
    format: "capstan run", version: 1, scene: "scene.toml", finished: kept === frames.length, fps: 25, dofs: 10, tolerance: 1e-4, friction: "0.3",
    points_per_strand: layout.points_per_strand, radii: extra.radii, obstacles: extra.obstacles, meshes: extra.meshes ?? [],
    frames: { file: "frames.bin", version: layout.version, written: kept, step: layout.step, per_chunk: layout.per_chunk, chunks },
  };
  const text = (value: string) => new TextEncoder().encode(value);
  return { "manifest.json": text(JSON.stringify(manifest)), "frames.bin": frames_bin.done(), "frames.journal": journal.done(), "stats.csv": text(extra.stats ?? ""), "scene.toml": text("") };
}

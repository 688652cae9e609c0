import { readFileSync, readdirSync } from "node:fs";
import { decompress } from "fzstd";
import { describe, expect, it } from "vitest";
import {
  RECORD_HEADER_BYTES, decode_raw, decode_record, file_header_bytes, header_bytes_of, mesh_value, parse_file_header, parse_record_header, parse_times, type Layout,
} from "../src/format/codec";
import { crc32 } from "../src/format/crc32";
import { encode_record, encode_run, encode_header, run_id, type TestContact, type TestFrame, type TestLayout } from "./encoder";

const cone = (k: number): TestContact["cone"] => ({ known: k % 3, mu: [255000 + k, 254000], normal: k % 3 === 2 ? [-8192 + 5 * k, k] : [0, 0], tangent: k % 3 === 2 ? 16383 - k : 0 });

const folder = new URL("./vectors/", import.meta.url);

interface Vector {
  frames_bin: string;
  header: { version: number; per_chunk: number; step: number; obstacles: number; points_per_strand: number[]; points_per_mesh?: number[]; id: number };
  frames: {
    time: number; points: number[]; poses: number[]; mesh_points?: number[]; mesh_values?: number[];
    contacts: { x: number[]; f: number[]; a: number; b: number; state?: number; cone?: TestContact["cone"]; beta?: number }[];
  }[];
}

function layout(version: number): TestLayout {
  return { version, per_chunk: 4, step: 2 ** -17, obstacles: 1, points_per_strand: [3, 1, 5], points_per_mesh: version >= 4 ? [4, 2] : [] };
}

/** The same as the decoder knows it. */
function form_of(version: number): Layout {
  const { points_per_strand, points_per_mesh, ...rest } = layout(version);
  return { ...rest, points_per_strand: Uint32Array.from(points_per_strand), points_per_mesh: Uint32Array.from(points_per_mesh!) };
}

function frames(count: number): TestFrame[] {
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 4294967296;
  return Array.from({ length: count }, (_, f) => ({
    time: 0.04 * f,
    points: Int32Array.from({ length: 27 }, (_, k) => (k === 4 ? 2147483647 - f : k === 5 ? -2147483648 : Math.round((random() - 0.5) * 2e5))),
    poses: [0.1 * f, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1],
    contacts: Array.from({ length: f % 3 }, (_, k) => ({ x: [k, -900 * f, 70000] as [number, number, number], f: [0.5, -1.25, 1024] as [number, number, number], a: k, b: k === 0 ? -1 : 2, state: k + 1, cone: cone(f + k), beta: k === 0 ? 255 - f : 0 })),
    mesh_points: Int32Array.from({ length: 18 }, (_, k) => (k === 3 ? 2147483647 - f : Math.round((random() - 0.5) * 2e5))),
    mesh_codes: Uint8Array.from({ length: 6 }, (_, k) => (k === 0 ? 255 * (f % 2) : Math.floor(256 * random()))),
  }));
}

/** As in the vectors. */
function packed_cone(columns: Uint32Array[], k: number): TestContact["cone"] {
  const [known, mu, difference, p, q, tangent] = columns.slice(9, 15).map((column) => column[k] | 0);
  return { known, mu: [mu, mu + difference], normal: [p, q], tangent };
}

describe("crc32", () => {
  it("gives the known value of nine digits", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });
});

describe("codec", () => {
  for (const version of [1, 2, 3, 4])
    for (const order of [1, 2])
      it(`reads back what is written, version ${version}, differences of order ${order}, values at the ends of 32 bits`, () => {
        const written = frames(4);
        const record = encode_record(layout(version), 8, written, order);
        const form = form_of(version);
        const chunk = decode_record(record, form, run_id(layout(version)));
        expect(chunk.first).toBe(8);
        expect([...chunk.times]).toEqual(written.map((frame) => frame.time));
        const raw = decode_raw(decompress(record.subarray(RECORD_HEADER_BYTES + 32)), form, 4);
        expect([...raw.points]).toEqual(written.flatMap((frame) => [...frame.points]));
        expect([...chunk.poses]).toEqual(written.flatMap((frame) => frame.poses));
        const contacts = written.flatMap((frame) => frame.contacts);
        expect([...chunk.contacts.start]).toEqual([0, 0, 1, 3, 3]);
        expect([...chunk.contacts.a]).toEqual(contacts.map((contact) => contact.a));
        expect([...chunk.contacts.b]).toEqual(contacts.map((contact) => contact.b));
        expect([...chunk.contacts.force]).toEqual(contacts.flatMap((contact) => contact.f));
        expect(chunk.contacts.state ? [...chunk.contacts.state] : null).toEqual(version >= 2 ? contacts.map((contact) => contact.state) : null);
        expect(chunk.contacts.cones === null).toBe(version < 3);
        if (version >= 3) expect(contacts.map((_, k) => packed_cone(raw.columns, k))).toEqual(contacts.map((contact) => contact.cone));
        expect(chunk.contacts.beta ? [...chunk.contacts.beta].map((beta) => Math.round(255 * beta)) : null).toEqual(version >= 4 ? contacts.map((contact) => contact.beta) : null);
        expect([...raw.mesh_points]).toEqual(version >= 4 ? written.flatMap((frame) => [...frame.mesh_points!]) : []);
        expect([...raw.mesh_codes]).toEqual(version >= 4 ? written.flatMap((frame) => [...frame.mesh_codes!]) : []);
        if (version >= 4) expect(chunk.mesh_values[6]).toBeCloseTo(2 ** (254 / 12 - 18), 5);
        expect(chunk.places[0]).toBeCloseTo(written[0].points[0] * 2 ** -17, 6);
      });

  it("notices a changed byte anywhere in a record", () => {
    for (const version of [1, 4]) {
      const record = encode_record(layout(version), 0, frames(2));
      for (let at = 0; at < record.length; at += 7) {
        const damaged = record.slice();
        damaged[at] ^= 16;
        expect(() => decode_record(damaged, form_of(version), run_id(layout(version)))).toThrow();
      }
    }
  });

  it("notices a changed byte in the file's header, and a version it does not know", () => {
    for (const version of [1, 4]) {
      const header = encode_header(layout(version));
      for (let at = 0; at < header.length; ++at) {
        const damaged = header.slice();
        damaged[at] ^= 1;
        expect(() => parse_file_header(damaged)).toThrow();
        expect(() => parse_file_header(header.subarray(0, at))).toThrow();
      }
    }
    expect(() => parse_file_header(encode_header(layout(5)))).toThrow(/version 5/);
  });

  it("tells from the first bytes of the file how long its header is", () => {
    for (const version of [3, 4]) {
      const header = encode_header(layout(version));
      expect(header_bytes_of(form_of(version))).toBe(header.length);
      for (const known of [0, 32, 48, header.length]) expect(file_header_bytes(header.subarray(0, known))).toBeLessThanOrEqual(header.length);
      expect(file_header_bytes(header)).toBe(header.length);
    }
  });

  it("knows what the numbers of vertices stand for", () => {
    expect([0, 1, 217, 229].map(mesh_value)).toEqual([0, 2 ** -18, 1, 2]);
  });

  it("says so when a record belongs to another run or is cut off", () => {
    const form = form_of(1);
    const record = encode_record(layout(1), 0, frames(2));
    expect(() => decode_record(record, form, 1)).toThrow(/another run/);
    expect(() => decode_record(record.subarray(0, record.length - 1), form, null)).toThrow(/ends inside/);
  });

  it("puts chunks where the manifest says", () => {
    const files = encode_run(layout(1), frames(11), { radii: [1, 1, 1], obstacles: [{}], in_journal: 1 });
    const manifest = JSON.parse(new TextDecoder().decode(files["manifest.json"])) as { frames: { chunks: { offset: number; first: number }[] } };
    for (const chunk of manifest.frames.chunks) expect(parse_record_header(files["frames.bin"].subarray(chunk.offset), null).first).toBe(chunk.first);
    expect(parse_record_header(files["frames.journal"], null).first).toBe(10);
  });
});

describe("vectors", () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".json")))
    it(`decodes ${name} to the expected numbers`, () => {
      const vector = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Vector;
      const bytes = new Uint8Array(Buffer.from(vector.frames_bin, "base64"));
      const header = parse_file_header(bytes);
      const { version, per_chunk, step, obstacles, id } = header;
      const of_meshes = version >= 4 ? { points_per_mesh: [...header.points_per_mesh] } : {};
      expect({ version, per_chunk, step, obstacles, points_per_strand: [...header.points_per_strand], ...of_meshes, id }).toEqual(vector.header);
      let at = header.bytes;
      let seen = 0;
      while (at < bytes.length) {
        const record = parse_record_header(bytes.subarray(at), header.id);
        const payload = bytes.subarray(at + RECORD_HEADER_BYTES, at + RECORD_HEADER_BYTES + record.payload_bytes);
        expect(crc32(payload)).toBe(record.payload_crc);
        const times = parse_times(payload, record.frames);
        const raw = decode_raw(decompress(payload.subarray(8 * record.frames)), header, record.frames);
        const chunk = decode_record(bytes.subarray(at), header, header.id);
        const size = raw.points.length / record.frames;
        const soft = raw.mesh_codes.length / record.frames;
        for (let f = 0; f < record.frames; ++f, ++seen) {
          const expected = vector.frames[seen];
          expect(times[f]).toBe(expected.time);
          expect([...raw.points.subarray(f * size, (f + 1) * size)]).toEqual(expected.points);
          expect([...chunk.poses.subarray(f * 12 * header.obstacles, (f + 1) * 12 * header.obstacles)]).toEqual(expected.poses);
          expect([...raw.mesh_points.subarray(3 * f * soft, 3 * (f + 1) * soft)]).toEqual(expected.mesh_points ?? []);
          expect([...raw.mesh_codes.subarray(f * soft, (f + 1) * soft)]).toEqual(expected.mesh_values ?? []);
          const { start, force, a, b, state, cones, beta } = chunk.contacts;
          const contacts = expected.contacts.map((_, k) => {
            const c = start[f] + k;
            return { x: [0, 1, 2].map((axis) => raw.columns[axis][c] | 0), f: [...force.subarray(3 * c, 3 * c + 3)], a: a[c], b: b[c], ...(state ? { state: state[c] } : {}), ...(cones ? { cone: packed_cone(raw.columns, c) } : {}), ...(beta ? { beta: raw.columns[15][c] } : {}) };
          });
          expect(start[f + 1] - start[f]).toBe(expected.contacts.length);
          expect(contacts).toEqual(expected.contacts);
        }
        at += RECORD_HEADER_BYTES + record.payload_bytes;
      }
      expect(seen).toBe(vector.frames.length);
    });
});

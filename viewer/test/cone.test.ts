import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { RECORD_HEADER_BYTES, decode_record, parse_file_header, parse_record_header } from "../src/format/codec";
import { cone_columns, cone_of, dot, normal_of, slice_cones, tangent_of, usage_of, type Cone, type Vec3 } from "../src/format/cone";
import { structure_lines } from "../src/format/manifest";
import { choose_contact, find_contact } from "../src/run/contact_choice";
import type { Frame } from "../src/run/frame";
import { float_bits } from "./encoder";

const bits = (mu: number) => float_bits(mu) >>> 12;

describe("axes of a cone", () => {
  it("are those of docs/runs.md at corners, on edges and on the lower half", () => {
    expect(normal_of(0, 0)).toEqual([0, 0, 1]);
    expect(normal_of(8192, 0)).toEqual([1, 0, 0]);
    expect(normal_of(0, -8192)).toEqual([0, -1, 0]);
    expect(normal_of(4096, 4096).map((x) => x.toFixed(6))).toEqual([Math.SQRT1_2, Math.SQRT1_2, 0].map((x) => x.toFixed(6)));
    // The corners of the square are all the lowest corner of the octahedron.
    for (const [p, q] of [[8192, 8192], [-8192, 8192], [8192, -8192]]) expect(normal_of(p, q)[2]).toBe(-1);
    const below = normal_of(6144, 6144); // p = q = 3/4: z = -1/2, x = y = 1/4
    below.forEach((x, d) => expect(x).toBeCloseTo([0.25, 0.25, -0.5][d] / Math.hypot(0.25, 0.25, 0.5), 12));
  });
  it("are perpendicular, and the tangent turns by its number", () => {
    for (const [p, q] of [[0, 0], [100, -3000], [-7000, 5000]]) {
      const n = normal_of(p, q);
      const first = tangent_of(n, 0);
      expect(dot(n, first)).toBeCloseTo(0, 12);
      for (const number of [1, 4096, 8192, 12288]) {
        const t = tangent_of(n, number);
        expect(dot(n, t)).toBeCloseTo(0, 12);
        expect(dot(first, t)).toBeCloseTo(Math.cos((Math.PI * number) / 16384), 12);
      }
    }
    // n = z: the first axis of the smallest component is x, and z x x = y.
    expect(tangent_of([0, 0, 1], 0)).toEqual([0, 1, 0]);
  });
  it("are kept only where they are known", () => {
    const columns = [[0, 1, 2], [0, bits(0.25), bits(0.5)], [0, 0, bits(2) - bits(0.5)], [0, 0, 8192], [0, 0, 0], [0, 0, 8192]];
    const cones = cone_columns(columns.map((column) => Uint32Array.from(column)));
    expect(cone_of(cones, 0)).toBeNull();
    expect(cone_of(cones, 1)).toEqual({ mu_t: 0.25, mu_b: 0.25, axes: null });
    expect(cone_of(slice_cones(cones, 2, 3), 0)).toMatchObject({ mu_t: 0.5, mu_b: 2, axes: { n: [1, 0, 0] } });
    expect(cone_of(null, 0)).toBeNull();
    expect(cone_columns(columns.map((column) => Uint32Array.from(column.slice(0, 2)))).axes).toBeNull();
  });
});

describe("use of a cone", () => {
  const cone: Cone = { mu_t: 0.2, mu_b: 3, axes: { n: [0, 0, 1], t: [1, 0, 0], b: [0, 1, 0] } };
  it("is 1 on the ellipse, along and across", () => {
    for (const angle of [0, 0.3, 1, Math.PI / 2]) {
      const usage = usage_of(cone, [10 * 0.2 * Math.cos(angle), 10 * 3 * Math.sin(angle), 10])!;
      expect(usage.used).toBeCloseTo(1, 12);
      expect(usage.normal).toBe(10);
      expect(usage.lean).toBeCloseTo(usage.most, 10);
    }
  });
  it("is linear in the friction, whose direction is told", () => {
    const usage = usage_of(cone, [-1, 1, 10])!;
    expect(usage.angle).toBeCloseTo(45, 12);
    expect(usage.friction).toBeCloseTo(Math.SQRT2, 12);
    expect(usage.used).toBeCloseTo(Math.hypot(1 / 0.2, 1 / 3) / 10, 12);
    expect(usage.lean).toBeCloseTo((Math.atan(Math.SQRT2 / 10) * 180) / Math.PI, 12);
  });
  it("does not count an axis without friction, and is unknown without axes", () => {
    const smooth: Cone = { mu_t: 0, mu_b: 0.5, axes: cone.axes };
    expect(usage_of(smooth, [1e-6, 0.25, 1])!.used).toBeCloseTo(0.5, 12);
    expect(usage_of({ mu_t: 0.3, mu_b: 0.3, axes: null }, [0, 0, 1])).toBeNull();
  });
});

/** A box of half size 1 at (x, 0, 1), turned by an angle about z, on its four lower corners; and a strand. */
function frame_with_box(x: number, angle: number): Frame {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const places = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([p, q]): Vec3 => [x + c * p - s * q, s * p + c * q, 0]);
  const contacts = {
    count: 5, place: Float32Array.from([...places, [5, 5, 5]].flat()), force: new Float32Array(15),
    a: Int32Array.of(-2, -2, -2, -2, 0), b: Int32Array.of(-1, -1, -1, -1, -1), state: null, cones: null, beta: null,
  };
  const poses = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 1, c, s, 0, -s, c, 0, 0, 0, 1]);
  return { index: 0, time: 0, places: new Float32Array(0), poses, contacts, mesh_places: new Float32Array(0), mesh_values: new Float32Array(0) };
}

describe("a picked contact", () => {
  it("is found again on a body that slid and turned", () => {
    const choice = choose_contact(frame_with_box(0, 0), 2);
    expect(choice.offset).toEqual([1, 1, -1]);
    for (const angle of [0, 1, 2, 3]) expect(find_contact(frame_with_box(40, angle), choice)).toBe(2);
  });
  it("is none where the bodies do not touch", () => {
    expect(find_contact(frame_with_box(0, 0), { a: -2, b: -3, offset: [0, 0, 0] })).toBe(-1);
  });
  it("of a soft body is the nearest in space", () => {
    const frame = frame_with_box(0, 0);
    frame.contacts.a.fill(-3); // behind the two solids
    const choice = choose_contact(frame, 2);
    expect(choice.offset).toEqual([1, 1, 0]);
    expect(find_contact(frame, choice)).toBe(2);
  });
  it("of a strand is the nearest in space", () => {
    expect(choose_contact(frame_with_box(0, 0), 4).offset).toEqual([5, 5, 5]);
    expect(find_contact(frame_with_box(0, 0), { a: 0, b: -1, offset: [0, 0, 0] })).toBe(4);
  });
});

describe("lines along a structure", () => {
  it("are multiples of a step", () => {
    const numbers = Int16Array.of(1, -2, 3, 4, 5, -32767, 7, 8, 9, 10, 11, 12);
    const lines = Buffer.from(numbers.buffer).toString("base64");
    expect([...structure_lines({ name: "", shape: "box", structure: { step: 0.25, lines } })]).toEqual([...numbers].map((n) => 0.25 * n));
    for (const structure of [undefined, { step: 1, lines: "???" }]) expect(structure_lines({ name: "", shape: "box", structure }).length).toBe(0);
  });
});

describe("a real run", () => {
  it("has the force of every sliding contact on its cone", () => {
    const vector = JSON.parse(readFileSync(new URL("./vectors/grain.json", import.meta.url), "utf8")) as { frames_bin: string };
    const bytes = new Uint8Array(Buffer.from(vector.frames_bin, "base64"));
    const header = parse_file_header(bytes);
    let sliding = 0;
    for (let at = header.bytes; at < bytes.length; at += RECORD_HEADER_BYTES + parse_record_header(bytes.subarray(at), header.id).payload_bytes) {
      const { force, state, cones, a } = decode_record(bytes.subarray(at), header, header.id).contacts;
      for (let k = 0; k < a.length; ++k) {
        const usage = usage_of(cone_of(cones, k)!, [force[3 * k], force[3 * k + 1], force[3 * k + 2]]);
        expect(usage === null).toBe(a[k] >= 0); // strands without a grain have no axes
        if (!usage) continue;
        expect(usage.used).toBeLessThan(1.01);
        if (state![k] !== 2) continue;
        expect(usage.used).toBeGreaterThan(0.99);
        ++sliding;
      }
    }
    expect(sliding).toBeGreaterThan(50);
  });
});

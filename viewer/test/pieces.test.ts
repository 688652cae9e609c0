import { File as NodeFile } from "node:buffer";  // Node 18 has no global one
import { Line3, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Points } from "../src/view/strand_geometry";
import { parse_manifest } from "../src/format/manifest";
import { parse_stats, row_at, worst_row } from "../src/format/stats";
import { Model, frame_of_chunk, type Frame } from "../src/run/frame";
import { by_axis } from "../src/live/live_run";
import { runs_among } from "../src/source/folder";
import { format_link, parse_link } from "../src/ui/hash";
import { contact_field, curvature_field, high_value, speed_field } from "../src/view/fields";
import { ramp, to_srgb } from "../src/view/colours";
import { round_length } from "../src/view/ground";
import { mesh_geometry } from "../src/view/obstacles";

describe("stats", () => {
  const csv = "step,t,error,converged,status\n1,0.1,1e-5,1,converged\n2,0.2,3e-5,1,converged\n3,0.3,2e-5,0,iteration limit\n4,0.4,9";
  it("leaves out the row that was being written", () => expect(parse_stats(csv).rows).toBe(3));
  it("finds the row nearest to a time", () => {
    expect(row_at(parse_stats(csv), 0.24)).toBe(1);
    expect(row_at(parse_stats(csv), 0.26)).toBe(2);
    expect(row_at(parse_stats(csv), 9)).toBe(2);
    expect(row_at(parse_stats(""), 0)).toBe(-1);
  });
  it("calls a step that did not converge worse than all that did", () => expect(worst_row(parse_stats(csv))).toBe(2));
});

describe("links", () => {
  it("read back what they say", () => {
    const link = { t: 1.25, cam: { position: [1, 2, 3] as [number, number, number], target: [0, 0, 0.5] as [number, number, number] }, colour: "speed", contacts: true, strain: true, wireframe: true, strand: 7, runs: ["a b", "c"], structure: false, contact: { a: -8, b: -2, offset: [0.5, -0.25, 1e-7] as [number, number, number] } };
    expect(parse_link(format_link(link))).toMatchObject(link);
    expect(parse_link("#structure=1").structure).toBe(true);
    expect(format_link({})).toBe("#");
  });
  it("ignore nonsense", () => {
    const link = parse_link("#t=soon&cam=1,2&strand=&contact=-1,-2");
    expect(link.t).toBeUndefined();
    expect(link.cam).toBeUndefined();
    expect(link.contact).toBeUndefined();
    expect(link.strand).toBeUndefined();
  });
});

describe("manifest", () => {
  it("explains what is not a run", () => {
    expect(() => parse_manifest("{")).toThrow(/not valid JSON/);
    expect(() => parse_manifest("{}")).toThrow(/not a run of Capstan/);
  });
  it("names obstacles without a name", () => {
    const manifest = parse_manifest('{"format": "capstan run", "obstacles": [{"shape": "sphere", "radius": 1}]}');
    expect(manifest.obstacles[0]).toMatchObject({ name: "obstacle 0", shape: "sphere", radius: 1 });
  });
});

/** Points on a circle of radius 0.5 in the plane z = 0. */
function circle(shift: number): Frame {
  const n = 9;
  const places = new Float32Array(3 * n);
  for (let k = 0; k < n; ++k) {
    places[k] = 0.5 * Math.cos(0.2 * k) + shift;
    places[n + k] = 0.5 * Math.sin(0.2 * k);
  }
  const contacts = { count: 1, place: new Float32Array([places[4], places[n + 4], 0]), force: new Float32Array([0, 3, 4]), a: new Int32Array([0]), b: new Int32Array([-1]), state: null, cones: null, beta: null };
  return { index: 0, time: shift, places, poses: new Float64Array(0), contacts, mesh_places: new Float32Array(0), mesh_values: new Float32Array(0) };
}

describe("fields", () => {
  const model = new Model([9], [0.01], []);
  it("curvature of a circle is one over its radius", () => {
    for (const value of curvature_field(model, circle(0))) expect(value).toBeCloseTo(2, 4);
  });
  it("speed is distance over time", () => {
    for (const value of speed_field(model, circle(0), circle(0.1))) expect(value).toBeCloseTo(1, 4);
  });
  it("a contact's force goes to the nearest point", () => {
    const field = contact_field(model, circle(0));
    expect(field[4]).toBeCloseTo(5);
    expect(field[3]).toBeCloseTo(5 / 3);
    expect(field[1]).toBe(0);
  });
  it("an outlier does not spoil the scale", () => {
    const values = Float32Array.from({ length: 1000 }, (_, k) => (k === 5 ? 1e6 : 1));
    expect(high_value(values)).toBe(1);
  });
});

describe("small things", () => {
  it("a strand is found by its point", () => {
    const model = new Model([3, 1, 5], [1, 1, 1], []);
    expect([0, 2, 3, 4, 8].map((point) => model.strand_of(point))).toEqual([0, 0, 1, 2, 2]);
    expect(model.body_name(-1)).toBe("obstacle 0");
  });
  it("frames of a chunk share its memory", () => {
    const model = new Model([2], [1], []);
    const chunk = { first: 0, frames: 2, times: Float64Array.of(0, 1), places: new Float32Array(12), poses: new Float64Array(0), contacts: { start: Uint32Array.of(0, 0, 0), place: new Float32Array(0), force: new Float32Array(0), a: new Int32Array(0), b: new Int32Array(0), state: null, cones: null, beta: null }, mesh_places: new Float32Array(0), mesh_values: new Float32Array(0) };
    expect(frame_of_chunk(chunk, 1, 1, model).places.buffer).toBe(chunk.places.buffer);
  });
  it("live points are sorted by axis", () => expect([...by_axis(Float32Array.of(1, 2, 3, 4, 5, 6), 2)]).toEqual([1, 4, 2, 5, 3, 6]));
  it("grids have round spacings", () => expect([0.013, 0.03, 0.06, 0.09].map((size) => Number(round_length(size).toPrecision(3)))).toEqual([0.01, 0.02, 0.05, 0.1]));
  it("the colour scale becomes steadily lighter", () => {
    const light = Array.from({ length: 11 }, (_, k) => ramp(k / 10)).map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b);
    for (let k = 1; k < light.length; ++k) expect(light[k]).toBeGreaterThan(light[k - 1]);
    expect(to_srgb(1)).toBeCloseTo(1);
  });
  it("edges of a mesh stay sharp", () => {
    const corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const normals = mesh_geometry(corners, [[0, 2, 1], [0, 1, 3]]).getAttribute("normal");
    expect([normals.getX(0), normals.getY(0), normals.getZ(0)]).toEqual([0, 0, -1]);
  });
  it("folders with a manifest are runs", () => {
    const file = (path: string) => ({ path, file: new NodeFile([], path) as unknown as File });
    expect(runs_among([file("runs/b/manifest.json"), file("runs/b/frames.bin"), file("runs/a/manifest.json"), file("runs/notes.txt")]).map((run) => run.name)).toEqual(["a", "b"]);
  });
});

describe("thinning", () => {
  const count = 400;
  // A helix that winds ever tighter: straight pieces become short.
  const curve = (k: number) => [0.01 * k, Math.cos(5e-5 * k * k), Math.sin(5e-5 * k * k)];
  const places = new Float32Array(3 * count);
  for (let k = 0; k < count; ++k) curve(k).forEach((value, axis) => (places[axis * count + k] = value));
  const points = new Points(places, count);
  const at = (k: number) => new Vector3(places[k], places[count + k], places[2 * count + k]);
  const kept = (off: number) => {
    const list = [0];
    while (list.at(-1)! < count - 1) list.push(points.straight(list.at(-1)!, count - 1, off));
    return list;
  };

  it("leaves out only what lies near the line that stays", () => {
    for (const off of [1e-4, 1e-3, 1e-2]) {
      const list = kept(off);
      for (let i = 1; i < list.length; ++i) {
        const line = new Line3(at(list[i - 1]), at(list[i]));
        for (let k = list[i - 1]; k <= list[i]; ++k)
          expect(line.closestPointToPoint(at(k), true, new Vector3()).distanceTo(at(k))).toBeLessThan(off + 1e-6);
      }
    }
  });
  it("keeps more where it may be off by less, and where the curve bends more", () => {
    expect(kept(1e-4).length).toBeGreaterThan(1.3 * kept(1e-3).length);
    const list = kept(1e-3);
    const first_half = list.filter((k) => k < count / 2).length;
    expect(list.length - first_half).toBeGreaterThan(1.3 * first_half);
  });
  it("does not cut off a strand that turns back", () => {
    const there_and_back = Float32Array.from([0, 1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(new Points(there_and_back, 5).straight(0, 4, 0.1)).toBe(2);
  });
});

import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Chunk } from "../src/format/codec";
import { meshes_of_frames, parse_manifest, parse_meshes, type MeshSpec } from "../src/format/manifest";
import { LiveRun } from "../src/live/live_run";
import { Model, frame_of_chunk, no_contacts } from "../src/run/frame";
import { body_of, rows_of, trace_values, type Selection } from "../src/ui/body_numbers";
import { bond_colour } from "../src/view/colours";
import { creased_topology, smooth_normals, smooth_topology } from "../src/view/mesh_surface";
import { packed_triangles } from "./encoder";

const sheet = (points = 4): MeshSpec => ({ name: "sheet", kind: "cloth", thickness: 1e-3, points, triangles: Uint32Array.of(0, 1, 2, 0, 2, 3) });

/** Corners of the unit cube by their bits, triangles counter-clockwise from outside. */
const CUBE = Uint32Array.from([[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]].flat());
const corner = (v: number) => new Vector3(v & 1, (v >> 1) & 1, v >> 2);

/** Where the vertices that are drawn are. */
function positions(source: Uint32Array): Float32Array {
  return Float32Array.from([...source].flatMap((v) => corner(v).toArray()));
}

describe("soft bodies in a manifest", () => {
  it("are read, with their triangles", () => {
    const json = { name: "jelly", kind: "solid", color: [0.1, 0.2, 0.3], thickness: 2e-3, points: 70000, triangles: packed_triangles([[0, 65536, 69999]]) };
    const [mesh] = parse_manifest(JSON.stringify({ format: "capstan run", meshes: [json] })).meshes;
    expect(mesh).toEqual({ ...json, triangles: Uint32Array.of(0, 65536, 69999) });
  });
  it("lose triangles that have vertices which are not there, and need no more than that", () => {
    expect([...parse_meshes([{ points: 3, triangles: packed_triangles([[0, 1, 3], [0, 1, 2]]) }])[0].triangles]).toEqual([0, 1, 2]);
    expect(parse_meshes([{ triangles: "?" }])[0]).toMatchObject({ name: "soft body 0", kind: "cloth", points: 0 });
    expect(parse_manifest('{"format": "capstan run"}').meshes).toEqual([]);
  });
  it("are as many as in the frames", () => {
    const found = meshes_of_frames([sheet(4), sheet(4)], [4, 5, 6]);
    expect(found.map(({ points }) => points)).toEqual([4, 5, 6]);
    expect(found.map(({ triangles }) => triangles.length)).toEqual([6, 0, 0]);
  });
});

describe("a model with soft bodies", () => {
  const model = new Model([2], [1], [{ name: "ball", shape: "sphere" }], [sheet(4), { ...sheet(4), name: "other" }]);
  it("counts them behind obstacles", () => {
    expect([0, -1, -2, -3, -4].map((body) => model.body_name(body))).toEqual(["strand 0", "ball", "sheet", "other", "obstacle 3"]);
    expect([0, -1, -2, -3].map((body) => model.mesh_of_body(body))).toEqual([-1, -1, 0, 1]);
    expect(model.body_of_mesh(1)).toBe(-3);
  });

  const contacts = {
    start: Uint32Array.of(0, 1, 2), place: new Float32Array(6), force: Float32Array.of(0, 0, 1, 0, 0, 3), a: Int32Array.of(-2, -3), b: Int32Array.of(-1, -1),
    state: Uint8Array.of(1, 1), cones: null, beta: Float32Array.of(0, 0.75),
  };
  const chunk: Chunk = {
    first: 0, frames: 2, times: Float64Array.of(0, 1), places: new Float32Array(12), poses: new Float64Array(24), contacts,
    mesh_places: Float32Array.from({ length: 48 }, (_, k) => k), mesh_values: Float32Array.from({ length: 16 }, (_, k) => k / 100),
  };
  it("finds them in a chunk", () => {
    const frame = frame_of_chunk(chunk, 1, 1, model);
    expect([frame.mesh_places.length, frame.mesh_places[0], frame.mesh_values[0]]).toEqual([24, 24, Math.fround(0.08)]);
    expect([...frame.contacts.beta!]).toEqual([0.75]);
  });
  it("has their numbers, and those of bonds", () => {
    const frame = frame_of_chunk(chunk, 1, 1, model);
    const other = { kind: "mesh", body: 1, point: 2 } as const;
    expect(body_of(model, other)).toBe(-3);
    const rows = new Map(rows_of(model, other, frame));
    expect(rows.get("vertices, triangles")).toBe("4, 2");
    expect(rows.get("largest strain")).toBe("15 %");
    expect(rows.get("vertex 2")).toBe("30.0000, 38.0000, 46.0000 m");
    expect(rows.get("strain there")).toBe("14 %");
    expect(rows.get("contact force")).toBe("3 N");
    expect(trace_values(model, other, frame, null)).toEqual([Math.fround(0.15), 3]);
    const contact = (a: number): Selection => ({ kind: "contact", contact: { a, b: -1, offset: [0, 0, 0] } });
    expect(new Map(rows_of(model, contact(-3), frame)).get("bond, beta")).toBe("0.75");
    expect(new Map(rows_of(model, contact(-2), frame_of_chunk(chunk, 0, 0, model))).has("bond, beta")).toBe(false);
  });
});

describe("surfaces of soft bodies", () => {
  it("of cloth are smooth: a fold has one normal", () => {
    const { source, index, edges } = smooth_topology(CUBE.slice(0, 6), 8);
    expect([...source]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...index]).toEqual([...CUBE.slice(0, 6)]);
    expect(edges.length).toBe(2 * 5); // a square and its diagonal
  });
  it("of a cube have a normal for each side", () => {
    const { source, index, edges } = creased_topology(CUBE, 8, corner);
    expect(source.length).toBe(24);
    expect(edges.length).toBe(2 * 18); // 12 edges and 6 diagonals, each once
    const normal = new Float32Array(72);
    smooth_normals(positions(source), index, normal);
    index.forEach((v, k) => {
      const [a, b, c] = [0, 1, 2].map((i) => corner(CUBE[k - (k % 3) + i]));
      const face = b.sub(a).cross(c.sub(a)).normalize();
      expect(face.distanceTo(new Vector3().fromArray(normal, 3 * v))).toBeLessThan(1e-6);
    });
  });
  it("are smooth where faces meet at a small angle", () => {
    // A strip bent by 30 degrees at its middle: one vertex on each side of the fold, normals half way.
    const bend = (v: number) => [new Vector3(-1, 0, 0), new Vector3(0, 0, 0), new Vector3(0, 1, 0), new Vector3(Math.cos(Math.PI / 6), 0, Math.sin(Math.PI / 6))][v];
    const { source, index } = creased_topology(Uint32Array.of(0, 1, 2, 1, 3, 2), 4, bend);
    expect(source.length).toBe(4);
    const normal = new Float32Array(12);
    smooth_normals(Float32Array.from([...source].flatMap((v) => bend(v).toArray())), index, normal);
    const at = 3 * [...source].indexOf(1);
    expect(normal[at]).toBeCloseTo(-Math.sin(Math.PI / 12), 5);
    expect(normal[at + 2]).toBeCloseTo(Math.cos(Math.PI / 12), 5);
  });
});

describe("bonds", () => {
  it("are the brighter the stronger", () => {
    const light = [0, 0.5, 1].map(bond_colour).map(([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b);
    expect(light[1]).toBeGreaterThan(1.5 * light[0]);
    expect(light[2]).toBeGreaterThan(1.5 * light[1]);
  });
});

describe("a live run", () => {
  const floats = (...numbers: number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
  it("takes the vertices of soft bodies", () => {
    const run = new LiveRun({ strands: { points_per_strand: [], radii: [] }, meshes: [{ name: "sheet", points: 3, triangles: packed_triangles([[0, 1, 2]]) }] });
    const message = { t: 1, step: 1, contacts: 0, error: 0, paused: false, x: "", poses: "" };
    run.take(message);
    expect(run.moment()).toBeNull(); // without its vertices there is nothing to draw
    run.take({ ...message, mesh_x: floats(1, 2, 3, 4, 5, 6, 7, 8, 9), mesh_values: floats(0.1, 0.2, 0.3) });
    const frame = run.moment()!.before;
    expect([...frame.mesh_places]).toEqual([1, 4, 7, 2, 5, 8, 3, 6, 9]);
    expect(frame.mesh_values[2]).toBeCloseTo(0.3);
    expect(frame.contacts).toEqual(no_contacts());
  });
});

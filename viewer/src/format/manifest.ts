// manifest.json: what there is in a run, and where its frames are.

import { bytes_of_base64 } from "./base64";

export interface ObstacleSpec {
  name: string;
  shape: string;
  radius?: number;
  length?: number;
  size?: [number, number, number];
  vertices?: [number, number, number][];
  triangles?: [number, number, number][];
  color?: [number, number, number];
  structure?: { step: number; lines: string }; // lines along it, packed
}

/** A soft body: triangles whose vertices are in the frames. */
export interface MeshSpec {
  name: string;
  kind: "cloth" | "solid";
  color?: [number, number, number];
  thickness: number; // m
  points: number;
  triangles: Uint32Array; // three vertices each, of this mesh from 0
}

export interface ChunkEntry {
  offset: number;
  bytes: number;
  first: number;
  times: number[];
}

export interface Manifest {
  scene: string;
  finished: boolean;
  fps: number;
  dofs: number;
  tolerance: number;
  friction: string;
  points_per_strand: number[];
  radii: number[];
  obstacles: ObstacleSpec[];
  meshes: MeshSpec[];
  frames: { file: string; version: number; step: number; per_chunk: number; chunks: ChunkEntry[] };
}

function packed(base64: unknown): Uint8Array<ArrayBuffer> {
  try {
    return bytes_of_base64(text(base64, ""));
  } catch {
    return new Uint8Array(0); // no base64: drawn as nothing, like a shape that is not known
  }
}

/** x, y, z of both ends of the lines that show a solid's structure, in its own frame, m. */
export function structure_lines(spec: ObstacleSpec): Float32Array {
  const step = number(spec.structure?.step, 1);
  const bytes = packed(spec.structure?.lines);
  const view = new DataView(bytes.buffer);
  const ends = new Float32Array(6 * Math.floor(bytes.length / 12));
  for (let k = 0; k < ends.length; ++k) ends[k] = step * view.getInt16(2 * k, true);
  return ends;
}

function text(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function number(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

/** Reads obstacles leniently: an unknown shape is kept and drawn as nothing. */
export function parse_obstacles(value: unknown): ObstacleSpec[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: Record<string, unknown>, k) => ({
    ...(item as object),
    name: text(item?.name, `obstacle ${k}`),
    shape: text(item?.shape, ""),
  }));
}

/** Triangles whose vertices are not there are left out. */
function triangles_of(base64: unknown, points: number): Uint32Array {
  const bytes = packed(base64);
  const view = new DataView(bytes.buffer);
  const corners: number[] = [];
  for (let at = 0; at + 12 <= bytes.length; at += 12) {
    const triangle = [0, 4, 8].map((shift) => view.getUint32(at + shift, true));
    if (triangle.every((vertex) => vertex < points)) corners.push(...triangle);
  }
  return Uint32Array.from(corners);
}

function nameless_mesh(k: number, points: number): MeshSpec {
  return { name: `soft body ${k}`, kind: "cloth", thickness: 0, points, triangles: new Uint32Array(0) };
}

/** Reads soft bodies leniently, like obstacles. */
export function parse_meshes(value: unknown): MeshSpec[] {
  if (!Array.isArray(value)) return [];
  return value.map((item: Record<string, unknown>, k) => {
    const mesh = nameless_mesh(k, number(item?.points, 0));
    return {
      ...mesh,
      name: text(item?.name, mesh.name),
      kind: item?.kind === "solid" ? "solid" : "cloth",
      color: Array.isArray(item?.color) ? (item.color as [number, number, number]) : undefined,
      thickness: number(item?.thickness, 0),
      triangles: triangles_of(item?.triangles, mesh.points),
    };
  });
}

/** As many soft bodies as the frames have; one that they know otherwise is drawn as nothing. */
export function meshes_of_frames(meshes: MeshSpec[], points: ArrayLike<number>): MeshSpec[] {
  return Array.from(points, (count, k) => (meshes[k]?.points === count ? meshes[k] : nameless_mesh(k, count)));
}

/** Throws an Error with a sentence for people. */
export function parse_manifest(json: string): Manifest {
  let data: Record<string, unknown>;
  try {
    data = JSON.parse(json) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`manifest.json is not valid JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  if (data?.format !== "capstan run") throw new Error('manifest.json does not say "format": "capstan run"; this folder is not a run of Capstan');
  const frames = (data.frames ?? {}) as Record<string, unknown>;
  return {
    scene: text(data.scene, ""),
    finished: data.finished !== false,
    fps: number(data.fps, 25),
    dofs: number(data.dofs, 0),
    tolerance: number(data.tolerance, 0),
    friction: text(data.friction, ""),
    points_per_strand: (data.points_per_strand as number[]) ?? [],
    radii: (data.radii as number[]) ?? [],
    obstacles: parse_obstacles(data.obstacles),
    meshes: parse_meshes(data.meshes),
    frames: {
      file: text(frames.file, "frames.bin"),
      version: number(frames.version, 2),
      step: number(frames.step, 0),
      per_chunk: number(frames.per_chunk, 12),
      chunks: (frames.chunks as ChunkEntry[]) ?? [],
    },
  };
}

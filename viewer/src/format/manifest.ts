// manifest.json: what there is in a run, and where its frames are.

export interface ObstacleSpec {
  name: string;
  shape: string;
  radius?: number;
  length?: number;
  size?: [number, number, number];
  vertices?: [number, number, number][];
  triangles?: [number, number, number][];
  color?: [number, number, number];
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
  frames: { file: string; step: number; per_chunk: number; chunks: ChunkEntry[] };
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
    frames: {
      file: text(frames.file, "frames.bin"),
      step: number(frames.step, 0),
      per_chunk: number(frames.per_chunk, 12),
      chunks: (frames.chunks as ChunkEntry[]) ?? [],
    },
  };
}

// What of a soft body can be computed once: which corners share a normal, and its edges.

import { Vector3 } from "three";

export interface MeshTopology {
  source: Uint32Array; // vertex of the mesh of each vertex that is drawn
  index: Uint32Array; // triangles by vertices that are drawn
  edges: Uint32Array; // two vertices that are drawn a line, each edge once
}

const CREASE = 0.7; // cosine of the angle between faces that are not smoothed over

/** Drawn vertices of the corners around one vertex: faces that meet smoothly, one after the other, share one. */
function groups_of(faces: number[], normals: Vector3[]): number[][] {
  const left = new Set(faces);
  const groups: number[][] = [];
  for (const start of faces) {
    if (!left.delete(start)) continue;
    const group = [start];
    for (const face of group) // grows while it is walked along
      for (const other of left) if (normals[face].dot(normals[other]) > CREASE && left.delete(other)) group.push(other);
    groups.push(group);
  }
  return groups;
}

function edges_of(index: Uint32Array, source: Uint32Array): Uint32Array {
  const edges = new Map<string, [number, number]>();
  for (let k = 0; k < index.length; ++k) {
    const a = index[k];
    const b = index[k % 3 === 2 ? k - 2 : k + 1];
    const [low, high] = [source[a], source[b]].sort((p, q) => p - q);
    edges.set(`${low} ${high}`, [a, b]);
  }
  return Uint32Array.from([...edges.values()].flat());
}

/** Every vertex once: smooth everywhere, as cloth is. */
export function smooth_topology(triangles: Uint32Array, points: number): MeshTopology {
  const source = Uint32Array.from({ length: points }, (_, v) => v);
  return { source, index: triangles, edges: edges_of(triangles, source) };
}

/** Vertices on sharp edges of the shape that `place` describes are there once for each side. */
export function creased_topology(triangles: Uint32Array, points: number, place: (vertex: number) => Vector3): MeshTopology {
  const normals: Vector3[] = [];
  const around: number[][] = Array.from({ length: points }, () => []);
  for (let t = 0; t < triangles.length / 3; ++t) {
    const [a, b, c] = [0, 1, 2].map((k) => place(triangles[3 * t + k]));
    normals.push(b.sub(a).cross(c.sub(a)).normalize());
    for (let k = 0; k < 3; ++k) around[triangles[3 * t + k]].push(t);
  }
  const source: number[] = [];
  const index = new Uint32Array(triangles.length);
  around.forEach((faces, v) => {
    for (const group of groups_of(faces, normals)) {
      for (const t of group) for (let k = 0; k < 3; ++k) if (triangles[3 * t + k] === v) index[3 * t + k] = source.length;
      source.push(v);
    }
  });
  const drawn = Uint32Array.from(source);
  return { source: drawn, index, edges: edges_of(index, drawn) };
}

function add(sum: Float32Array, at: number, x: number, y: number, z: number): void {
  sum[at] += x;
  sum[at + 1] += y;
  sum[at + 2] += z;
}

/** Normals of drawn vertices, the mean of the faces around weighted by area; x, y, z of each. */
export function smooth_normals(position: Float32Array, index: Uint32Array, normal: Float32Array): void {
  normal.fill(0);
  for (let k = 0; k < index.length; k += 3) {
    const a = 3 * index[k], b = 3 * index[k + 1], c = 3 * index[k + 2];
    const ux = position[b] - position[a], uy = position[b + 1] - position[a + 1], uz = position[b + 2] - position[a + 2];
    const vx = position[c] - position[a], vy = position[c + 1] - position[a + 1], vz = position[c + 2] - position[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
    add(normal, a, x, y, z);
    add(normal, b, x, y, z);
    add(normal, c, x, y, z);
  }
  for (let k = 0; k < normal.length; k += 3) {
    const size = Math.hypot(normal[k], normal[k + 1], normal[k + 2]) || 1;
    normal[k] /= size;
    normal[k + 1] /= size;
    normal[k + 2] /= size;
  }
}

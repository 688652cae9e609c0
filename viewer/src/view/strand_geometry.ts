// Surfaces of strands, and which of their points are worth drawing.

import { BufferAttribute, BufferGeometry, type Vector3 } from "three";
import { CAP_RINGS } from "./strand_shaders";

const SIDES = 12; // of a tube
const THIN_MOST = 6; // points that one straight piece may stand for: light is computed at its ends

/** Points of a frame, stored axis by axis. */
export class Points {
  constructor(private places: Float32Array, private count: number) {}

  distance(k: number, p: Vector3): number {
    const { places: x, count: P } = this;
    return Math.hypot(x[k] - p.x, x[P + k] - p.y, x[2 * P + k] - p.z);
  }

  /** The farthest point up to last such that all between it and `from` lie within `off` of the straight line. */
  straight(from: number, last: number, off: number): number {
    let to = from + 1;
    const most = Math.min(last, from + THIN_MOST);
    while (to < most && this.all_within(from, to + 1, off)) ++to;
    return to;
  }

  private all_within(from: number, to: number, off: number): boolean {
    const { places: x, count: P } = this;
    const ax = x[from];
    const ay = x[P + from];
    const az = x[2 * P + from];
    const dx = x[to] - ax;
    const dy = x[P + to] - ay;
    const dz = x[2 * P + to] - az;
    const dd = Math.max(dx * dx + dy * dy + dz * dz, 1e-30);
    for (let k = from + 1; k < to; ++k) {
      const px = x[k] - ax;
      const py = x[P + k] - ay;
      const pz = x[2 * P + k] - az;
      // On the way back a line would hide a bend.
      const along = (px * dx + py * dy + pz * dz) / dd;
      if (along < 0 || along > 1) return false;
      const ox = px - along * dx;
      const oy = py - along * dy;
      const oz = pz - along * dz;
      if (ox * ox + oy * oy + oz * oz > off * off) return false;
    }
    return true;
  }
}

/** The surface of one strand: two coordinates a vertex, three vertices a triangle. */
export interface Grid {
  corners: number[];
  index: number[];
}

export function ribbon_grid(segments: number): Grid {
  const corners: number[] = [];
  const index: number[] = [];
  for (let j = 0; j <= segments; ++j) {
    corners.push(j, -1, j, 1);
    if (j < segments) index.push(2 * j, 2 * j + 1, 2 * j + 2, 2 * j + 2, 2 * j + 1, 2 * j + 3);
  }
  return { corners, index };
}

export function tube_grid(segments: number): Grid {
  const corners: number[] = [];
  const index: number[] = [];
  const rings = segments + 2 * CAP_RINGS;
  for (let ring = 0; ring <= rings; ++ring)
    for (let side = 0; side <= SIDES; ++side) {
      corners.push(ring, (2 * Math.PI * side) / SIDES);
      if (ring < rings && side < SIDES) {
        const a = ring * (SIDES + 1) + side;
        const b = a + SIDES + 1;
        index.push(a, a + 1, b, b, a + 1, b + 1);
      }
    }
  return { corners, index };
}

/** The grid once for each slot. */
export function copies({ corners, index }: Grid, slots: number): BufferGeometry {
  const vertices = corners.length / 2;
  const positions = new Float32Array(3 * vertices * slots);
  const triangles = new Uint32Array(index.length * slots);
  for (let slot = 0; slot < slots; ++slot) {
    for (let k = 0, at = 3 * slot * vertices; k < vertices; ++k, at += 3) {
      positions[at] = slot;
      positions[at + 1] = corners[2 * k];
      positions[at + 2] = corners[2 * k + 1];
    }
    for (let k = 0, at = slot * index.length; k < index.length; ++k, ++at) triangles[at] = slot * vertices + index[k];
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return geometry;
}

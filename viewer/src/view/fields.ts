// Values along strands to colour by.

import type { Frame, Model } from "../run/frame";

export type FieldName = "speed" | "curvature" | "contact";

export const FIELD_LABELS: Record<FieldName, { label: string; unit: string }> = {
  speed: { label: "speed", unit: "m/s" },
  curvature: { label: "curvature", unit: "1/m" },
  contact: { label: "contact force", unit: "N" },
};

/** Speed of every point, from the frames beside it. */
export function speed_field(model: Model, frame: Frame, other: Frame | null): Float32Array {
  const P = model.points;
  const field = new Float32Array(P);
  const dt = other ? Math.abs(other.time - frame.time) : 0;
  if (!other || dt === 0) return field;
  const a = frame.places;
  const b = other.places;
  for (let k = 0; k < P; ++k) field[k] = Math.hypot(b[k] - a[k], b[P + k] - a[P + k], b[2 * P + k] - a[2 * P + k]) / dt;
  return field;
}

/** Curvature of the circle through a point and its neighbours; ends take that of the point beside. */
export function curvature_field(model: Model, frame: Frame): Float32Array {
  const P = model.points;
  const x = frame.places;
  const field = new Float32Array(P);
  for (let s = 0; s < model.strands; ++s) {
    const first = model.first[s];
    const last = model.first[s + 1] - 1;
    for (let k = first + 1; k < last; ++k) {
      const ux = x[k] - x[k - 1], uy = x[P + k] - x[P + k - 1], uz = x[2 * P + k] - x[2 * P + k - 1];
      const vx = x[k + 1] - x[k], vy = x[P + k + 1] - x[P + k], vz = x[2 * P + k + 1] - x[2 * P + k];
      const cross = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
      const sides = Math.hypot(ux, uy, uz) * Math.hypot(vx, vy, vz) * Math.hypot(ux + vx, uy + vy, uz + vz);
      field[k] = sides > 0 ? (2 * cross) / sides : 0;
    }
    if (last - first >= 2) {
      field[first] = field[first + 1];
      field[last] = field[last - 1];
    }
  }
  return field;
}

/** Force of the contacts near each point, a third of it on both neighbours. */
export function contact_field(model: Model, frame: Frame): Float32Array {
  const P = model.points;
  const x = frame.places;
  const field = new Float32Array(P);
  const { count, place, force, a, b } = frame.contacts;
  const add = (strand: number, k: number, size: number) => {
    if (strand < 0 || strand >= model.strands) return;
    let best = Infinity;
    let at = model.first[strand];
    for (let p = model.first[strand]; p < model.first[strand + 1]; ++p) {
      const dx = x[p] - place[3 * k], dy = x[P + p] - place[3 * k + 1], dz = x[2 * P + p] - place[3 * k + 2];
      const d = dx * dx + dy * dy + dz * dz;
      if (d < best) {
        best = d;
        at = p;
      }
    }
    field[at] += size;
    if (at > model.first[strand]) field[at - 1] += size / 3;
    if (at < model.first[strand + 1] - 1) field[at + 1] += size / 3;
  };
  for (let k = 0; k < count; ++k) {
    const size = Math.hypot(force[3 * k], force[3 * k + 1], force[3 * k + 2]);
    add(a[k], k, size);
    add(b[k], k, size);
  }
  return field;
}

/** Value below which 98 of 100 lie; a scale that one outlier cannot spoil. */
export function high_value(values: ArrayLike<number>): number {
  const stride = Math.max(1, Math.floor(values.length / 4000));
  const sample: number[] = [];
  for (let k = 0; k < values.length; k += stride) if (values[k] > 0) sample.push(values[k]);
  if (!sample.length) return 0;
  sample.sort((p, q) => p - q);
  return sample[Math.min(sample.length - 1, Math.floor(0.98 * sample.length))];
}

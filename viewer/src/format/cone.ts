// Friction cones as docs/runs.md packs them: coefficients, and axes where they are kept.

export type Vec3 = [number, number, number];

/** (f.t/mu_t)^2 + (f.b/mu_b)^2 <= (f.n)^2, b = n x t. */
export interface Cone {
  mu_t: number;
  mu_b: number;
  axes: { n: Vec3; t: Vec3; b: Vec3 } | null; // n from b to a, the others tangential; all unit
}

/** Of consecutive contacts. */
export interface ConeColumns {
  known: Uint8Array; // 0 nothing, 1 coefficients, 2 axes too
  mu: Float32Array; // mu_t, mu_b of each
  axes: Int16Array | null; // normal's two numbers and tangent's one of each; null if there are none at all
}

const OCTAHEDRON = 8192;
const TANGENT_STEPS = 16384;

export function dot(p: Vec3, q: Vec3): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

function cross(p: Vec3, q: Vec3): Vec3 {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

function unit(p: Vec3): Vec3 {
  const size = Math.hypot(...p);
  return [p[0] / size, p[1] / size, p[2] / size];
}

export function normal_of(first: number, second: number): Vec3 {
  const p = first / OCTAHEDRON;
  const q = second / OCTAHEDRON;
  const z = 1 - Math.abs(p) - Math.abs(q);
  if (z >= 0) return unit([p, q, z]);
  return unit([(p < 0 ? -1 : 1) * (1 - Math.abs(q)), (q < 0 ? -1 : 1) * (1 - Math.abs(p)), z]);
}

export function tangent_of(n: Vec3, number: number): Vec3 {
  const sizes = n.map(Math.abs);
  const axis: Vec3 = [0, 0, 0];
  axis[sizes.indexOf(Math.min(...sizes))] = 1;
  const u = unit(cross(n, axis));
  const v = cross(n, u);
  const h = (Math.PI * number) / TANGENT_STEPS;
  return [0, 1, 2].map((d) => u[d] * Math.cos(h) + v[d] * Math.sin(h)) as Vec3;
}

/** The six columns behind the states, not differenced any more. */
export function cone_columns(columns: Uint32Array[]): ConeColumns {
  const [known, mu_t, difference, ...axes] = columns;
  const bits = new Uint32Array(2 * known.length);
  for (let k = 0; k < known.length; ++k) {
    bits[2 * k] = mu_t[k] << 12;
    bits[2 * k + 1] = (mu_t[k] + difference[k]) << 12;
  }
  const packed = known.includes(2) ? new Int16Array(3 * known.length) : null;
  if (packed) for (let k = 0; k < known.length; ++k) for (let d = 0; d < 3; ++d) packed[3 * k + d] = axes[d][k];
  return { known: Uint8Array.from(known), mu: new Float32Array(bits.buffer), axes: packed };
}

export function slice_cones(cones: ConeColumns, from: number, to: number): ConeColumns {
  return { known: cones.known.subarray(from, to), mu: cones.mu.subarray(2 * from, 2 * to), axes: cones.axes?.subarray(3 * from, 3 * to) ?? null };
}

/** The cone of contact k; null where it was not recorded. */
export function cone_of(cones: ConeColumns | null, k: number): Cone | null {
  if (!cones || cones.known[k] === 0) return null;
  const cone: Cone = { mu_t: cones.mu[2 * k], mu_b: cones.mu[2 * k + 1], axes: null };
  if (cones.known[k] === 2 && cones.axes) {
    const n = normal_of(cones.axes[3 * k], cones.axes[3 * k + 1]);
    const t = tangent_of(n, cones.axes[3 * k + 2]);
    cone.axes = { n, t, b: cross(n, t) };
  }
  return cone;
}

/** How a force lies in its cone. */
export interface Usage {
  normal: number; // N
  friction: number; // N
  angle: number; // degrees between friction and the first tangent, 0 to 90
  lean: number; // degrees between the force and the normal
  most: number; // the same where the force would slide, for this direction of friction
  used: number; // part of the way from the axis of the cone to its surface
}

/** Null where the axes are not known. */
export function usage_of(cone: Cone, force: Vec3): Usage | null {
  if (!cone.axes) return null;
  const { n, t, b } = cone.axes;
  const normal = dot(force, n);
  const along = dot(force, t);
  const across = dot(force, b);
  const friction = Math.hypot(along, across);
  // Along an axis without friction there is no force but rounding.
  const part = (f: number, mu: number) => (mu > 0 ? f / mu : 0);
  const reach = Math.hypot(part(along, cone.mu_t), part(across, cone.mu_b));
  const degrees = 180 / Math.PI;
  return {
    normal,
    friction,
    angle: Math.atan2(Math.abs(across), Math.abs(along)) * degrees,
    lean: Math.atan2(friction, normal) * degrees,
    most: (reach > 0 ? Math.atan(friction / reach) : Math.atan(Math.min(cone.mu_t, cone.mu_b))) * degrees,
    used: normal > 0 ? reach / normal : 0,
  };
}

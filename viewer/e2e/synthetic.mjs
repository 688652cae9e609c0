// Small runs made for the tests: a curtain of strands that swings to the right beside a sphere, on a plane.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

export async function load_encoder() {
  const vite = await createServer({ root, configFile: false, logLevel: "error", server: { middlewareMode: true, hmr: false, watch: null }, optimizeDeps: { noDiscovery: true } });
  const encoder = await vite.ssrLoadModule("/test/encoder.ts");
  return { encoder, close: () => vite.close() };
}

export const STRANDS = 12;
export const POINTS = 10;

/** Strands hang from z = 0.4 and swing along x; each has its own length. */
function curtain(part, down, t, s) {
  return [-0.1 + 0.12 * Math.sin(2 * t + 0.1 * s) * down * down, -0.15 + 0.3 * part, 0.4 - 0.25 * down];
}

/** A cape of wavy hair: every strand curls and swings in its own time. */
export function hair(part, down, t, s) {
  const own = (n) => (Math.sin(12.9898 * (s + 1) * n) * 43758.5453) % 1;
  const turn = 2 * Math.PI * part;
  const swing = 0.05 * Math.sin((3 + own(1)) * t + own(2) - 2 * down) * down * down;
  const curl = 0.004 * down;
  const phase = 18 * down + 6 * own(3) + 0.5 * Math.sin(4 * t + own(4));
  const out = 0.07 + 0.03 * own(5) + 0.05 * down + swing;
  return [out * Math.cos(turn) + curl * Math.cos(phase), out * Math.sin(turn) + curl * Math.sin(phase), 0.42 - 0.28 * down * (1 + 0.2 * own(6))];
}

export function synthetic_run(encoder, options = {}) {
  const { version = 2, frames: count = 60, speed = 1, in_journal = 0, strands = STRANDS, points = POINTS, per_chunk = 24, radius = 0.004, shape = curtain, pack } = options;
  const step = 2 ** -17;
  const points_per_strand = Array.from({ length: strands }, (_, s) => points + (s % 3));
  const total = points_per_strand.reduce((sum, n) => sum + n, 0);
  const layout = { version, per_chunk, step, obstacles: 2, points_per_strand };
  const frames = [];
  for (let f = 0; f < count; ++f) {
    const t = 0.04 * f;
    const lattice = new Int32Array(3 * total);
    let k = 0;
    points_per_strand.forEach((n, s) => {
      for (let i = 0; i < n; ++i, ++k) {
        const place = shape(s / (strands - 1), i / (points - 1), speed * t, s);
        for (let axis = 0; axis < 3; ++axis) lattice[axis * total + k] = Math.round(place[axis] / step);
      }
    });
    const contacts = Array.from({ length: Math.min(strands, 8) }, (_, s) => ({
      x: [lattice[s * points], Math.round((-0.15 + 0.3 * (s / (strands - 1))) / step), Math.round(0.2 / step)],
      f: [0.02 * (s + 1), 0, 0.05 * Math.abs(Math.sin(t))], a: s, b: s % 2 ? -2 : s + 1, state: s % 3,
    }));
    const ball = [0.15, 0, 0.1 + 0.02 * t, Math.cos(t), Math.sin(t), 0, -Math.sin(t), Math.cos(t), 0, 0, 0, 1];
    frames.push({ time: t, points: lattice, poses: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, ...ball], contacts });
  }
  const rows = ["step,t,dt,contacts,nu,sweeps,error,converged,seconds_detect,seconds_assemble,seconds_solve,seconds_advance,seconds_record,energy_kinetic,energy_elastic,energy_gravity,penetration,status"];
  for (let r = 1; r <= count * 2; ++r)
    rows.push([r, 0.02 * r, 0.02, 8, 0.1, 5 + (r % 7), r === 50 ? 9e-5 : 1e-6, 1, 1e-3, 2e-3, 3e-3, 1e-3, 1e-4, 0.1 + 0.01 * Math.sin(r / 9), 0.2, 0.5, 0, "converged"].join(","));
  return encoder.encode_run(layout, frames, {
    radii: points_per_strand.map(() => radius),
    obstacles: [{ name: "floor", shape: "plane" }, { name: "ball", shape: "sphere", radius: 0.07 }],
    in_journal,
    pack,
    stats: rows.join("\n") + "\n",
  });
}

export async function write_run(folder, files) {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return folder;
}

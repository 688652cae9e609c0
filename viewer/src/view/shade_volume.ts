// Soft shadows without shadow maps: how much stands between a place and the lamp, on a grid that is aligned
// with the light. Bodies are splatted into it as covered area, then the grid is swept away from the lamp
// once; each layer is blurred a little, so that shadows become softer with distance. It costs about a
// million additions a frame and no drawing.

import { Box3, Data3DTexture, LinearFilter, Matrix4, RGFormat, UnsignedByteType, Vector3 } from "three";
import { TO_LIGHT } from "./lighting";

const N = 56;
const LAYER = N * N;

export class ShadeVolume {
  readonly texture: Data3DTexture;
  readonly world_to_shade = new Matrix4();
  voxel = 1; // m
  private bytes = new Uint8Array(2 * N * LAYER);
  private density = [new Float32Array(N * LAYER), new Float32Array(N * LAYER)];
  private u = new Vector3();
  private v = new Vector3();
  private origin = new Vector3(); // in the basis u, v, w

  constructor() {
    this.u.crossVectors(new Vector3(0, 1, 0), TO_LIGHT).normalize();
    this.v.crossVectors(TO_LIGHT, this.u);
    this.bytes.fill(255);
    this.texture = new Data3DTexture(this.bytes, N, N, N);
    this.texture.format = RGFormat;
    this.texture.type = UnsignedByteType;
    this.texture.minFilter = this.texture.magFilter = LinearFilter;
    this.texture.unpackAlignment = 1;
    this.texture.needsUpdate = true;
  }

  /** Places the grid around what casts shadows, in steps of a voxel so that shadows do not swim. */
  fit(box: Box3): void {
    const low = new Vector3(Infinity, Infinity, Infinity);
    const high = new Vector3(-Infinity, -Infinity, -Infinity);
    for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y, corner & 4 ? box.max.z : box.min.z);
      const q = new Vector3(p.dot(this.u), p.dot(this.v), p.dot(TO_LIGHT));
      low.min(q);
      high.max(q);
    }
    const size = Math.max(high.x - low.x, high.y - low.y, high.z - low.z, 1e-6);
    const voxel = Math.pow(2, Math.ceil(4 * Math.log2(size / (N - 6))) / 4);
    const middle = low.add(high).multiplyScalar(0.5);
    const snap = (value: number) => (Math.round(value / voxel) - N / 2) * voxel;
    this.origin.set(snap(middle.x), snap(middle.y), snap(middle.z));
    this.voxel = voxel;
    const scale = 1 / (N * voxel);
    const { u, v } = this;
    const w = TO_LIGHT;
    this.world_to_shade.set(
      u.x * scale, u.y * scale, u.z * scale, -this.origin.x * scale,
      v.x * scale, v.y * scale, v.z * scale, -this.origin.y * scale,
      w.x * scale, w.y * scale, w.z * scale, -this.origin.z * scale,
      0, 0, 0, 1,
    );
  }

  clear(): void {
    this.density[0].fill(0);
    this.density[1].fill(0);
  }

  /** Adds an area (m2, seen from the lamp) at a place; channel 0 strands, 1 obstacles. */
  splat(channel: 0 | 1, x: number, y: number, z: number, area: number): void {
    const { u, v, origin, voxel } = this;
    const w = TO_LIGHT;
    const a = (x * u.x + y * u.y + z * u.z - origin.x) / voxel - 0.5;
    const b = (x * v.x + y * v.y + z * v.z - origin.y) / voxel - 0.5;
    const c = (x * w.x + y * w.y + z * w.z - origin.z) / voxel - 0.5;
    const i = Math.floor(a);
    const j = Math.floor(b);
    const k = Math.floor(c);
    if (i < 1 || j < 1 || k < 0 || i > N - 3 || j > N - 3 || k > N - 2) return;
    const fa = a - i;
    const fb = b - j;
    const fc = c - k;
    const amount = area / (voxel * voxel);
    const grid = this.density[channel];
    const at = (k * N + j) * N + i;
    const m0 = amount * (1 - fc);
    const m1 = amount * fc;
    const w00 = (1 - fa) * (1 - fb);
    const w10 = fa * (1 - fb);
    const w01 = (1 - fa) * fb;
    const w11 = fa * fb;
    grid[at] += m0 * w00;
    grid[at + 1] += m0 * w10;
    grid[at + N] += m0 * w01;
    grid[at + N + 1] += m0 * w11;
    grid[at + LAYER] += m1 * w00;
    grid[at + LAYER + 1] += m1 * w10;
    grid[at + LAYER + N] += m1 * w01;
    grid[at + LAYER + N + 1] += m1 * w11;
  }

  /** Sweeps away from the lamp and hands the result to the GPU. */
  sweep(): void {
    const soft = 0.07;
    let above = new Float32Array(LAYER);
    let here = new Float32Array(LAYER);
    for (let channel = 0; channel < 2; ++channel) {
      const grid = this.density[channel];
      above.fill(0);
      here.fill(0);
      for (let k = N - 1; k >= 0; --k) {
        const layer = k * LAYER;
        for (let j = 1; j < N - 1; ++j)
          for (let at = j * N + 1; at < j * N + N - 1; ++at) {
            const depth = above[at] + soft * (above[at - 1] + above[at + 1] + above[at - N] + above[at + N] - 4 * above[at]);
            const own = grid[layer + at];
            here[at] = depth + own;
            // Half of its own voxel shades a place.
            const full = depth + 0.5 * own;
            this.bytes[2 * (layer + at) + channel] = 255 * Math.exp(-full);
          }
        [above, here] = [here, above];
      }
    }
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.texture.dispose();
  }
}

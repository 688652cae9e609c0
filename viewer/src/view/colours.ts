// Colour scales, designed in OKLCH so that equal steps look equal.

export type Rgb = [number, number, number]; // linear

export function oklch(lightness: number, chroma: number, hue_degrees: number): Rgb {
  const h = (hue_degrees * Math.PI) / 180;
  const a = chroma * Math.cos(h);
  const b = chroma * Math.sin(h);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    Math.max(0, 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    Math.max(0, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    Math.max(0, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** From deep blue over teal and green to warm yellow; t in 0..1. */
export function ramp(t: number): Rgb {
  const c = Math.min(1, Math.max(0, t));
  return oklch(0.36 + 0.54 * c, 0.105 + 0.06 * c, 278 - 195 * c);
}

export const RAMP_SIZE = 256;

export function ramp_bytes(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * RAMP_SIZE);
  for (let k = 0; k < RAMP_SIZE; ++k) {
    const rgb = ramp(k / (RAMP_SIZE - 1));
    for (let c = 0; c < 3; ++c) bytes[4 * k + c] = Math.round(255 * Math.sqrt(Math.min(1, rgb[c])));
    bytes[4 * k + 3] = 255;
  }
  return bytes;
}

export function to_srgb(value: number): number {
  const c = Math.min(1, Math.max(0, value));
  return c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
}

export function css(rgb: Rgb): string {
  return `rgb(${rgb.map((c) => Math.round(255 * to_srgb(c))).join(" ")})`;
}

export function ramp_css(): string {
  const stops = Array.from({ length: 13 }, (_, k) => css(ramp(k / 12)));
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

/** A number in 0..1 that looks random and depends on k only. */
export function scatter(k: number, salt: number): number {
  let h = Math.imul(k + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296;
}

/** Colours of neighbours differ most with the golden angle. */
export function id_colour(k: number): Rgb {
  return oklch(0.7 + 0.1 * (scatter(k, 1) - 0.5), 0.13, (k * 137.508 + 40) % 360);
}

/** How strands look without a scale: hair in browns, rods in warm wheat, a lone strand in amber. */
export function natural_colour(k: number, strands: number, thin: boolean): Rgb {
  const r = scatter(k, 2);
  const s = scatter(k, 3);
  if (thin && strands > 8) return oklch(0.41 + 0.11 * (r - 0.5), 0.062 + 0.025 * s, 52 + 16 * (s - 0.5));
  if (strands > 3) return oklch(0.78 + 0.11 * (r - 0.5), 0.105 + 0.03 * s, 74 + 20 * (s - 0.5));
  return oklch(0.73, 0.145, 58 + (k * 150) % 360);
}

/** Of the k-th soft body, if it has none of its own. */
export function mesh_colour(k: number): Rgb {
  return oklch(0.62, 0.1, (250 + 137.508 * k) % 360);
}

/** Of a contact that sticks by a bond: the stronger, the brighter. */
export function bond_colour(beta: number): Rgb {
  return oklch(0.54 + 0.26 * beta, 0.14 + 0.08 * beta, 335);
}

export function bond_css(): string {
  return `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map((beta) => css(bond_colour(beta))).join(", ")})`;
}

export const STATE_NAMES = ["open", "stick", "slide"] as const;
export const STATE_COLOURS: Rgb[] = [oklch(0.72, 0.02, 250), oklch(0.72, 0.16, 150), oklch(0.68, 0.2, 32)];

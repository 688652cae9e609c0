// Colours of the picture, linear RGB.

import { Color } from "three";

export type ThemeName = "dark" | "light";

export interface ViewTheme {
  above: Color; // background at the top
  below: Color; // background at the bottom
  ground: Color;
  grid: Color;
  sky: Color; // light from above
  bounce: Color; // light from below
  key: Color; // the main light
  clay: Color; // obstacles without a colour
  accent: Color; // what is selected
  cone: Color; // of friction
}

function srgb(hex: number): Color {
  return new Color().setHex(hex);
}

export const themes: Record<ThemeName, ViewTheme> = {
  dark: {
    above: srgb(0x242b36), below: srgb(0x0e1116), ground: srgb(0x2b3240), grid: srgb(0x8ea3c0),
    sky: new Color(0.34, 0.4, 0.52), bounce: new Color(0.13, 0.11, 0.1), key: new Color(1.75, 1.6, 1.4),
    clay: srgb(0x9a9893), accent: srgb(0x59d0ff), cone: srgb(0xb455ff),
  },
  light: {
    above: srgb(0xfbfaf7), below: srgb(0xdcd9d2), ground: srgb(0xf2efe9), grid: srgb(0x5a6372),
    sky: new Color(0.62, 0.66, 0.72), bounce: new Color(0.36, 0.33, 0.3), key: new Color(1.5, 1.42, 1.3),
    clay: srgb(0xc9c4bb), accent: srgb(0x0a7cc4), cone: srgb(0x8a2fc9),
  },
};

// One key light from a fixed direction, light from sky and ground, and soft shadows out of a ShadeVolume.
// The GLSL here is shared by all materials.

import { Matrix4, Vector3 } from "three";
import type { ViewTheme } from "./theme";
import { themes } from "./theme";
import type { ShadeVolume } from "./shade_volume";

export const TO_LIGHT = new Vector3(-0.52, -0.46, 0.78).normalize();

export function lighting_uniforms(volume: ShadeVolume, theme: ViewTheme = themes.dark) {
  return {
    to_light: { value: TO_LIGHT },
    key: { value: theme.key },
    sky: { value: theme.sky },
    bounce: { value: theme.bounce },
    shade: { value: volume.texture },
    world_to_shade: { value: volume.world_to_shade as Matrix4 },
    voxel: { value: volume.voxel },
  };
}

export type LightingUniforms = ReturnType<typeof lighting_uniforms>;

export function apply_theme(uniforms: LightingUniforms, theme: ViewTheme): void {
  uniforms.key.value = theme.key;
  uniforms.sky.value = theme.sky;
  uniforms.bounce.value = theme.bounce;
}

/** From light to what the screen is told. */
export const FINISH_GLSL = /* glsl */ `
vec3 finish(vec3 c) {
  c = c * (1.0 + c * 0.12) / (1.0 + c * 0.62) * 1.18;
  // The curve of sRGB to a hundredth, by square roots: powers are slow.
  vec3 root = sqrt(clamp(c, 0.0, 1.0));
  return max(vec3(0.0), root * (1.3294 + -0.2337 * root) - 0.0957 * sqrt(root));
}
`;

export const LIGHTING_GLSL = /* glsl */ `
uniform vec3 to_light, key, sky, bounce;
uniform highp sampler3D shade;
uniform mat4 world_to_shade;
uniform float voxel;

// Light that passes strands (x) and obstacles (y) on the way from the lamp to p.
vec2 passed(vec3 p) { return texture(shade, (world_to_shade * vec4(p, 1.0)).xyz).xy; }
vec3 ambient(float up) { return mix(bounce, sky, 0.5 + 0.5 * up); }
${FINISH_GLSL}`;

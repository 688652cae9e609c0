// The structure of surfaces, which sets the direction of friction: short lines that lie on them and move along.

import { Color, Group, type Matrix4, type Vector3 } from "three";
import { structure_lines } from "../format/manifest";
import type { Model } from "../run/frame";
import { Ribbons } from "./ribbons";
import type { ViewTheme } from "./theme";

const ON_SOLIDS = { width: 1.1, strength: 0.6, lift: 1e-3, crowd: true };
const ON_PLANES = { width: 1.1, strength: 0.4, lift: 1e-3, crowd: true };
const DARK = new Color(0.015, 0.012, 0.01);
const LIGHT = new Color(0.95, 0.93, 0.9);

function brightness(colour: Color): number {
  return 0.2126 * colour.r + 0.7152 * colour.g + 0.0722 * colour.b;
}

interface Lines {
  ribbons: Ribbons;
  body: number; // among the obstacles
  plane: boolean;
}

export class StructureView {
  readonly object = new Group();
  private lines: Lines[] = [];
  private centre: Vector3 | null = null; // of the scene: planes fade around it
  private reach = 0;

  constructor(private model: Model) {
    model.obstacles.forEach((spec, body) => {
      const ends = structure_lines(spec);
      if (!ends.length) return;
      const plane = spec.shape === "plane";
      const ribbons = new Ribbons(ends, plane ? ON_PLANES : ON_SOLIDS);
      ribbons.object.renderOrder = 2; // after planes, which are drawn as if they were glass
      this.object.add(ribbons.object);
      this.lines.push({ ribbons, body, plane });
    });
  }

  /** Dark lines on what is bright, bright ones on what is dark. */
  theme(theme: ViewTheme): void {
    for (const { ribbons, body, plane } of this.lines) {
      const own = this.model.obstacles[body].color;
      const base = own ? new Color(...own) : theme.clay;
      ribbons.ink = plane ? theme.grid : brightness(base) > 0.12 ? DARK : LIGHT;
    }
  }

  /** Planes, and so their lines, fade out around the middle of the scene. */
  around(centre: Vector3, reach: number): void {
    this.centre = centre;
    this.reach = reach;
  }

  pose(body: number, matrix: Matrix4): void {
    for (const { ribbons, body: own, plane } of this.lines) {
      if (own !== body) continue;
      ribbons.object.matrix.copy(matrix);
      ribbons.object.matrixWorldNeedsUpdate = true;
      if (!plane || !this.centre) continue;
      const inside = this.centre.clone().applyMatrix4(matrix.clone().invert());
      ribbons.fade_around(inside.x, inside.y, this.reach);
    }
  }

  prepare(width: number, height: number, ratio: number): void {
    for (const { ribbons } of this.lines) ribbons.prepare(width, height, ratio);
  }

  dispose(): void {
    for (const { ribbons } of this.lines) ribbons.dispose();
  }
}

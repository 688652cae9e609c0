// A kind of body in the picture: strands, solids (obstacles and rigid bodies), soft bodies.

import type { Box3, Object3D, PerspectiveCamera, Vector3 } from "three";
import type { Moment } from "../run/frame";
import type { ShadeVolume } from "./shade_volume";

export interface Pointer {
  x: number; // pixels from the left of the view
  y: number; // pixels from its top
  width: number;
  height: number;
  camera: PerspectiveCamera;
}

export type PickKind = "strand" | "obstacle" | "mesh" | "contact";

export interface Pick {
  kind: PickKind;
  body: number; // a strand, an obstacle, a soft body, or a contact of the frame
  point: number; // of the strand, vertex of the soft body, 0 otherwise
  place: Vector3;
  depth: number; // distance from the camera, m
  miss: number; // pixels between pointer and body
}

export interface BodyView {
  readonly object: Object3D;
  /** Puts the bodies where they are at this moment. */
  show(moment: Moment): void;
  /** Adds the bodies to what casts shadows. */
  cast(volume: ShadeVolume, moment: Moment): void;
  /** Grows the box by the bodies at this moment. */
  bound(box: Box3, moment: Moment): void;
  /** Before drawing with this camera into so many pixels, `ratio` for each of the page. */
  prepare(camera: PerspectiveCamera, height: number, ratio: number): void;
  pick(pointer: Pointer): Pick | null;
  dispose(): void;
}

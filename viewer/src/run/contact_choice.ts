// A contact that was picked, found again in other frames.

import type { Vec3 } from "../format/cone";
import type { Frame } from "./frame";

export interface ContactChoice {
  a: number;
  b: number; // both as contacts name them
  offset: Vec3; // of the place, m: in the frame of a where that is rigid and carries its contacts along, else in space
}

function place_of(frame: Frame, k: number): Vec3 {
  return [0, 1, 2].map((d) => frame.contacts.place[3 * k + d]) as Vec3;
}

/** The place in the frame of body a. */
function local(frame: Frame, a: number, place: Vec3): Vec3 {
  const at = 12 * (-1 - a);
  if (a >= 0 || at >= frame.poses.length) return place; // a strand or a soft body
  const away = [0, 1, 2].map((d) => place[d] - frame.poses[at + d]);
  return [0, 1, 2].map((axis) => [0, 1, 2].reduce((sum, d) => sum + frame.poses[at + 3 + 3 * axis + d] * away[d], 0)) as Vec3;
}

export function choose_contact(frame: Frame, k: number): ContactChoice {
  const a = frame.contacts.a[k];
  return { a, b: frame.contacts.b[k], offset: local(frame, a, place_of(frame, k)) };
}

/** The contact of the same two bodies nearest to where it was on them; -1 if they do not touch. */
export function find_contact(frame: Frame, choice: ContactChoice): number {
  const { count, a, b } = frame.contacts;
  let best = -1;
  let distance = Infinity;
  for (let k = 0; k < count; ++k) {
    if (a[k] !== choice.a || b[k] !== choice.b) continue;
    const p = local(frame, choice.a, place_of(frame, k));
    const d = Math.hypot(p[0] - choice.offset[0], p[1] - choice.offset[1], p[2] - choice.offset[2]);
    if (d < distance) {
      distance = d;
      best = k;
    }
  }
  return best;
}

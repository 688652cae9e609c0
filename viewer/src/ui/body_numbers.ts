// Numbers of what was clicked: rows of now, and what its traces show.

import { cone_of, usage_of, type Vec3 } from "../format/cone";
import { find_contact, type ContactChoice } from "../run/contact_choice";
import type { Frame, Model } from "../run/frame";
import { STATE_NAMES } from "../view/colours";
import { digits, length_text } from "./dom";

export type Selection =
  | { kind: "strand"; body: number; point: number }
  | { kind: "obstacle"; body: number }
  | { kind: "mesh"; body: number; point: number }
  | { kind: "contact"; contact: ContactChoice };

type Row = [string, string];

/** The body as contacts name it; of a contact the first. */
export function body_of(model: Model, selection: Selection): number {
  if (selection.kind === "contact") return selection.contact.a;
  if (selection.kind === "mesh") return model.body_of_mesh(selection.body);
  return selection.kind === "strand" ? selection.body : -1 - selection.body;
}

/** Names and units of the two traces. */
export function trace_names(selection: Selection): Row[] {
  if (selection.kind === "contact") return [["force between them", "N"], ["contacts between them", ""]];
  if (selection.kind === "mesh") return [["largest strain", ""], ["contact force", "N"]];
  return [[selection.kind === "strand" ? `speed of point ${selection.point}` : "speed", "m/s"], ["contact force", "N"]];
}

/** What the two traces have at a frame. */
export function trace_values(model: Model, selection: Selection, frame: Frame, before: Frame | null): [number, number] {
  if (selection.kind === "contact") {
    const { force, count } = force_on(frame, selection.contact.a, selection.contact.b);
    return [force, count];
  }
  const { force } = force_on(frame, body_of(model, selection), null);
  if (selection.kind === "mesh") return [largest_strain(model, frame, selection.body), force];
  const place = (f: Frame) => (selection.kind === "strand" ? place_of(model, f, model.first[selection.body] + selection.point) : origin_of(f, selection.body));
  const dt = before ? frame.time - before.time : 0;
  return [before && dt > 0 ? between(place(frame), place(before)) / dt : NaN, force];
}

export function rows_of(model: Model, selection: Selection, frame: Frame): Row[] {
  if (selection.kind === "contact") return contact_rows(frame, selection.contact);
  const { force, count } = force_on(frame, body_of(model, selection), null);
  const touching: Row[] = [["contacts", String(count)], ["contact force", `${digits(force)} N`]];
  if (selection.kind === "strand") return [...strand_rows(model, frame, selection.body, selection.point), ...touching];
  if (selection.kind === "mesh") return [...mesh_rows(model, frame, selection.body, selection.point), ...touching];
  const spec = model.obstacles[selection.body];
  const rows: Row[] = [["shape", spec.shape], ["place", place_text(origin_of(frame, selection.body))]];
  if (spec.radius !== undefined) rows.push(["radius", length_text(spec.radius)]);
  return [...rows, ...touching];
}

function place_text(place: ArrayLike<number>): string {
  return [0, 1, 2].map((d) => place[d].toFixed(4)).join(", ") + " m";
}

function origin_of(frame: Frame, obstacle: number): number[] {
  return [0, 1, 2].map((d) => frame.poses[12 * obstacle + d]);
}

function place_of(model: Model, frame: Frame, point: number): number[] {
  return [0, 1, 2].map((d) => frame.places[d * model.points + point]);
}

function between(p: number[], q: number[]): number {
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/** Sum of the sizes of forces on a body, or between two. */
function force_on(frame: Frame, body: number, other: number | null): { force: number; count: number } {
  const { count, force, a, b } = frame.contacts;
  let total = 0;
  let found = 0;
  for (let k = 0; k < count; ++k) {
    const here = other === null ? a[k] === body || b[k] === body : (a[k] === body && b[k] === other) || (a[k] === other && b[k] === body);
    if (!here) continue;
    total += Math.hypot(force[3 * k], force[3 * k + 1], force[3 * k + 2]);
    ++found;
  }
  return { force: total, count: found };
}

function largest_strain(model: Model, frame: Frame, mesh: number): number {
  let largest = 0;
  for (let v = model.first_vertex[mesh]; v < model.first_vertex[mesh + 1]; ++v) largest = Math.max(largest, frame.mesh_values[v]);
  return largest;
}

function strand_rows(model: Model, frame: Frame, strand: number, point: number): Row[] {
  const first = model.first[strand];
  const last = model.first[strand + 1] - 1;
  let length = 0;
  for (let k = first; k < last; ++k) length += between(place_of(model, frame, k), place_of(model, frame, k + 1));
  return [
    ["length", length_text(length)], ["radius", length_text(model.radii[strand])], ["points", String(last - first + 1)],
    [`point ${point}`, place_text(place_of(model, frame, first + point))], ["tip", place_text(place_of(model, frame, last))],
  ];
}

function mesh_rows(model: Model, frame: Frame, mesh: number, vertex: number): Row[] {
  const { kind, thickness, points, triangles } = model.meshes[mesh];
  const at = model.first_vertex[mesh] + vertex;
  const percent = (strain: number) => `${digits(100 * strain)} %`;
  const rows: Row[] = [["kind", kind], ["vertices, triangles", `${points}, ${triangles.length / 3}`]];
  if (thickness > 0) rows.push(["thickness", length_text(thickness)]);
  return [
    ...rows, ["largest strain", percent(largest_strain(model, frame, mesh))],
    [`vertex ${vertex}`, place_text([0, 1, 2].map((d) => frame.mesh_places[d * model.vertices + at]))], ["strain there", percent(frame.mesh_values[at])],
  ];
}

function contact_rows(frame: Frame, choice: ContactChoice): Row[] {
  const k = find_contact(frame, choice);
  if (k < 0) return [["now", "they do not touch"]];
  const { place, force, state, beta } = frame.contacts;
  const f = [0, 1, 2].map((d) => force[3 * k + d]) as Vec3;
  return [
    ["force", `${digits(Math.hypot(...f))} N`],
    ["direction", f.map((value) => digits(value / Math.max(1e-30, Math.hypot(...f)))).join(", ")],
    ["place", place_text(place.subarray(3 * k))],
    ["state", state ? (STATE_NAMES[state[k]] ?? "unknown") : "not recorded"],
    ...(beta && beta[k] > 0 ? [["bond, beta", digits(beta[k])] as Row] : []),
    ...cone_rows(frame, k, f),
  ];
}

/** The friction cone, and where in it the force is. */
function cone_rows(frame: Frame, k: number, force: Vec3): Row[] {
  const cone = cone_of(frame.contacts.cones, k);
  if (!cone) return [];
  const round = cone.mu_t === cone.mu_b;
  const rows: Row[] = round ? [["mu", digits(cone.mu_t)]] : [["mu along, across", `${digits(cone.mu_t)}, ${digits(cone.mu_b)}`]];
  const usage = usage_of(cone, force);
  if (!usage) return rows;
  const degrees = (angle: number) => `${angle.toFixed(1)}°`;
  rows.push(["normal force", `${digits(usage.normal)} N`], ["friction", `${digits(usage.friction)} N`]);
  if (!round) rows.push(["friction from along", degrees(usage.angle)]);
  rows.push(["force from normal", `${degrees(usage.lean)} of ${degrees(usage.most)}`], ["cone used", `${Math.round(100 * usage.used)} %`]);
  return rows;
}

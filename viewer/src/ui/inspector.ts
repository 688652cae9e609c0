// What was clicked: its name, numbers of now, and a trace over the frames in memory.

import type uPlot from "uplot";
import { cone_of, usage_of, type Vec3 } from "../format/cone";
import { find_contact, type ContactChoice } from "../run/contact_choice";
import type { Frame, Model } from "../run/frame";
import { STATE_NAMES } from "../view/colours";
import { digits, h, length_text } from "./dom";
import { make_plot, move_now, type CurveData } from "./plots";

export type Selection =
  | { kind: "strand"; body: number; point: number }
  | { kind: "obstacle"; body: number }
  | { kind: "contact"; contact: ContactChoice };

export interface Inspected {
  name: string;
  model: Model;
  end: number; // of the time axis
  frames(): Iterable<Frame>;
}

function place_of(model: Model, frame: Frame, point: number): [number, number, number] {
  const P = model.points;
  return [frame.places[point], frame.places[P + point], frame.places[2 * P + point]];
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

export class Inspector {
  readonly element = h("div", { class: "inspector" });
  private run: Inspected | null = null;
  private selection: Selection | null = null;
  private numbers = h("dl", {});
  private traces: uPlot[] = [];
  private t = 0;

  constructor(private actions: { seek(t: number): void; filter(body: number): void; clear(): void }) {
    this.show(null, null);
  }

  show(run: Inspected | null, selection: Selection | null): void {
    this.run = run;
    this.selection = selection;
    for (const trace of this.traces) trace.destroy();
    this.traces = [];
    if (!run || !selection) {
      this.element.replaceChildren(h("p", { class: "empty" }, "Click a strand, an obstacle or a contact to see its numbers and how they change."));
      return;
    }
    const only = selection.kind === "contact" ? selection.contact.a : selection.kind === "strand" ? selection.body : -1 - selection.body;
    const title = run.model.body_name(only) + (selection.kind === "contact" ? ` and ${run.model.body_name(selection.contact.b)}` : "");
    this.element.replaceChildren(
      h("header", {}, h("h2", { id: "picked" }, title), h("small", {}, selection.kind === "contact" ? `contact in ${run.name}` : run.name)),
      this.numbers,
      h("div", { class: "row" },
        h("button", { type: "button", class: "wide", id: "only", onclick: () => this.actions.filter(only) }, "Only its contacts"),
        h("button", { type: "button", class: "wide", onclick: () => this.actions.clear() }, "Clear")),
    );
    this.trace();
  }

  /** Builds the traces anew, when more frames are in memory. */
  trace(): void {
    for (const plot of this.traces) plot.destroy();
    this.traces = [];
    this.element.querySelectorAll(".plot").forEach((old) => old.remove());
    const { run, selection } = this;
    const width = this.element.clientWidth;
    if (!run || !selection || width === 0) return;
    const x: number[] = [];
    const first: number[] = [];
    const second: number[] = [];
    let before: Frame | null = null;
    for (const frame of run.frames()) {
      const [p, q] = this.values(frame, before);
      x.push(frame.time);
      first.push(p);
      second.push(q);
      before = frame;
    }
    if (x.length < 2) return;
    const names = selection.kind === "strand" ? [`speed of point ${selection.point}`, "contact force"] : selection.kind === "obstacle" ? ["speed", "contact force"] : ["force between them", "contacts between them"];
    const units = selection.kind === "contact" ? ["N", ""] : ["m/s", "N"];
    [first, second].forEach((y, k) => {
      const curve: CurveData = { label: names[k], x, y };
      const plot = make_plot([curve], { width, height: 110, unit: units[k], seek: (t) => this.actions.seek(t), end: run.end });
      this.element.append(h("section", { class: "plot" }, h("header", {}, h("h3", {}, names[k], h("small", {}, ` ${units[k]}`))), plot.root));
      this.traces.push(plot);
      setTimeout(() => move_now(plot, this.t));
    });
  }

  private values(frame: Frame, before: Frame | null): [number, number] {
    const selection = this.selection!;
    const { model } = this.run!;
    const dt = before ? frame.time - before.time : 0;
    if (selection.kind === "contact") {
      const { force, count } = force_on(frame, selection.contact.a, selection.contact.b);
      return [force, count];
    }
    if (selection.kind === "strand") {
      const point = model.first[selection.body] + selection.point;
      const speed = before && dt > 0 ? between(place_of(model, frame, point), place_of(model, before, point)) / dt : NaN;
      return [speed, force_on(frame, selection.body, null).force];
    }
    const at = 12 * selection.body;
    const pose = (f: Frame) => [f.poses[at], f.poses[at + 1], f.poses[at + 2]];
    return [before && dt > 0 ? between(pose(frame), pose(before)) / dt : NaN, force_on(frame, -1 - selection.body, null).force];
  }

  set_frame(frame: Frame, t: number): void {
    this.t = t;
    const { run, selection } = this;
    if (!run || !selection || !this.element.offsetParent) return;
    for (const plot of this.traces) move_now(plot, t);
    const rows: [string, string][] = [];
    const { model } = run;
    if (selection.kind === "strand") {
      const first = model.first[selection.body];
      const last = model.first[selection.body + 1] - 1;
      let length = 0;
      for (let k = first; k < last; ++k) length += between(place_of(model, frame, k), place_of(model, frame, k + 1));
      const { force, count } = force_on(frame, selection.body, null);
      rows.push(["length", length_text(length)], ["radius", length_text(model.radii[selection.body])], ["points", String(last - first + 1)]);
      rows.push([`point ${selection.point}`, place_of(model, frame, first + selection.point).map((value) => value.toFixed(4)).join(", ") + " m"]);
      rows.push(["tip", place_of(model, frame, last).map((value) => value.toFixed(4)).join(", ") + " m"]);
      rows.push(["contacts", String(count)], ["contact force", `${digits(force)} N`]);
    } else if (selection.kind === "obstacle") {
      const spec = model.obstacles[selection.body];
      const at = 12 * selection.body;
      const { force, count } = force_on(frame, -1 - selection.body, null);
      rows.push(["shape", spec.shape], ["place", [0, 1, 2].map((d) => frame.poses[at + d].toFixed(4)).join(", ") + " m"]);
      if (spec.radius !== undefined) rows.push(["radius", length_text(spec.radius)]);
      rows.push(["contacts", String(count)], ["contact force", `${digits(force)} N`]);
    } else rows.push(...contact_rows(frame, selection.contact));
    this.numbers.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
}

function contact_rows(frame: Frame, choice: ContactChoice): [string, string][] {
  const k = find_contact(frame, choice);
  if (k < 0) return [["now", "they do not touch"]];
  const { place, force, state } = frame.contacts;
  const f = [0, 1, 2].map((d) => force[3 * k + d]) as Vec3;
  return [
    ["force", `${digits(Math.hypot(...f))} N`],
    ["direction", f.map((value) => digits(value / Math.max(1e-30, Math.hypot(...f)))).join(", ")],
    ["place", [0, 1, 2].map((d) => place[3 * k + d].toFixed(4)).join(", ") + " m"],
    ["state", state ? (STATE_NAMES[state[k]] ?? "unknown") : "not recorded"],
    ...cone_rows(frame, k, f),
  ];
}

/** The friction cone, and where in it the force is. */
function cone_rows(frame: Frame, k: number, force: Vec3): [string, string][] {
  const cone = cone_of(frame.contacts.cones, k);
  if (!cone) return [];
  const round = cone.mu_t === cone.mu_b;
  const rows: [string, string][] = round ? [["mu", digits(cone.mu_t)]] : [["mu along, across", `${digits(cone.mu_t)}, ${digits(cone.mu_b)}`]];
  const usage = usage_of(cone, force);
  if (!usage) return rows;
  const degrees = (angle: number) => `${angle.toFixed(1)}°`;
  rows.push(["normal force", `${digits(usage.normal)} N`], ["friction", `${digits(usage.friction)} N`]);
  if (!round) rows.push(["friction from along", degrees(usage.angle)]);
  rows.push(["force from normal", `${degrees(usage.lean)} of ${degrees(usage.most)}`], ["cone used", `${Math.round(100 * usage.used)} %`]);
  return rows;
}

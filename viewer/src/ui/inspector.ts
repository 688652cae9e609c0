// What was clicked: its name, numbers of now, and a trace over the frames in memory.

import type uPlot from "uplot";
import type { Frame, Model } from "../run/frame";
import { body_of, rows_of, trace_names, trace_values, type Selection } from "./body_numbers";
import { h } from "./dom";
import { make_plot, move_now, type CurveData } from "./plots";

export interface Inspected {
  name: string;
  model: Model;
  end: number; // of the time axis
  frames(): Iterable<Frame>;
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
      this.element.replaceChildren(h("p", { class: "empty" }, "Click a body or a contact to see its numbers and how they change."));
      return;
    }
    const only = body_of(run.model, selection);
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
      const [p, q] = trace_values(run.model, selection, frame, before);
      x.push(frame.time);
      first.push(p);
      second.push(q);
      before = frame;
    }
    if (x.length < 2) return;
    const names = trace_names(selection);
    [first, second].forEach((y, k) => {
      const [label, unit] = names[k];
      const curve: CurveData = { label, x, y };
      const plot = make_plot([curve], { width, height: 110, unit, seek: (t) => this.actions.seek(t), end: run.end });
      this.element.append(h("section", { class: "plot" }, h("header", {}, h("h3", {}, label, h("small", {}, ` ${unit}`))), plot.root));
      this.traces.push(plot);
      setTimeout(() => move_now(plot, this.t));
    });
  }

  set_frame(frame: Frame, t: number): void {
    this.t = t;
    const { run, selection } = this;
    if (!run || !selection || !this.element.offsetParent) return;
    for (const plot of this.traces) move_now(plot, t);
    this.numbers.replaceChildren(...rows_of(run.model, selection, frame).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
  }
}

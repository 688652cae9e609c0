// Statistics over time, tied to the timeline.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Playable } from "../run/playable";
import { row_at, worst_row, type Stats } from "../format/stats";
import { digits, h } from "./dom";

interface Series {
  label: string;
  values(stats: Stats): ArrayLike<number> | null;
}
interface PlotSpec {
  title: string;
  unit: string;
  log?: boolean;
  series: Series[];
}

function column(name: string, label = name): Series {
  return { label, values: (stats) => stats.columns.get(name) ?? null };
}

function sum(names: string[], label: string): Series {
  return {
    label,
    values: (stats) => {
      const columns = names.map((name) => stats.columns.get(name)).filter((values) => values !== undefined);
      return columns.length ? columns[0].map((_, r) => columns.reduce((total, values) => total + values[r], 0)) : null;
    },
  };
}

const ENERGIES = ["energy_kinetic", "energy_elastic", "energy_gravity"];
const PHASES = ["detect", "assemble", "solve", "advance", "record"].map((phase) => `seconds_${phase}`);

const PLOTS: PlotSpec[] = [
  { title: "Error", unit: "", log: true, series: [column("error")] },
  { title: "Sweeps", unit: "", series: [column("sweeps")] },
  { title: "Contacts", unit: "", series: [column("contacts")] },
  { title: "Energy", unit: "J", series: [column("energy_kinetic", "kinetic"), column("energy_elastic", "elastic"), column("energy_gravity", "gravity"), sum(ENERGIES, "total")] },
  { title: "Time of a step", unit: "s", series: PHASES.map((name) => column(name, name.slice(8))) },
];
/** With several runs a curve for each: of many curves only the sum. */
const TOTALS: Record<string, Series> = { Energy: sum(ENERGIES, "total"), "Time of a step": sum(PHASES, "all phases") };

const MOST_POINTS = 1500;

/** Few enough points to draw quickly; of each bunch the largest is kept, so that peaks stay. */
export function thin_out(x: ArrayLike<number>, y: ArrayLike<number>, most: number): [number[], number[]] {
  const bunch = Math.max(1, Math.ceil(x.length / most));
  const xs: number[] = [];
  const ys: number[] = [];
  for (let k = 0; k < x.length; k += bunch) {
    let best = k;
    for (let j = k; j < Math.min(k + bunch, x.length); ++j) if (y[j] > y[best] || Number.isNaN(y[best])) best = j;
    xs.push(x[best]);
    ys.push(y[best]);
  }
  return [xs, ys];
}

export interface CurveData {
  label: string;
  x: number[];
  y: (number | null)[];
}

/** One small plot; curves may have different abscissae. */
export function make_plot(curves: CurveData[], options: { width: number; height: number; log?: boolean; unit: string; seek(t: number): void; end: number }): uPlot {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--soft").trim();
  const line = style.getPropertyValue("--line").trim();
  const x = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
  const data: uPlot.AlignedData = [x, ...curves.map((curve) => {
    const at = new Map(curve.x.map((value, k) => [value, curve.y[k]]));
    return x.map((value) => {
      const y = at.get(value);
      return y === undefined ? undefined : y !== null && (!Number.isFinite(y) || (options.log && y <= 0)) ? null : y;
    }) as (number | null)[];
  })];
  // Six decades tell enough; their powers are the only labels.
  const decades = (_plot: uPlot, low: number | null, high: number | null): [number, number] => {
    const top = Math.ceil(Math.log10(high || 1) - 1e-9);
    const bottom = Math.max(Math.floor(Math.log10(low || 1)), top - 6);
    return [10 ** Math.min(bottom, top - 1), 10 ** top];
  };
  const powers = (_plot: uPlot, _axis: number, low: number, high: number): number[] => {
    const bottom = Math.round(Math.log10(low));
    const top = Math.round(Math.log10(high));
    const every = Math.max(1, Math.ceil((top - bottom) / 3));
    return Array.from({ length: Math.floor((top - bottom) / every) + 1 }, (_, k) => 10 ** (top - k * every)).reverse();
  };
  const power = (value: number) => `1e${Math.round(Math.log10(value))}`.replace("-", "−");
  const axis: uPlot.Axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif", size: 20, gap: 2 };
  const plot = new uPlot(
    {
      width: options.width,
      height: options.height,
      legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
      padding: [6, 8, 0, 0],
      scales: { x: { time: false, range: () => [0, options.end] }, y: options.log ? { distr: 3, range: decades } : {} },
      axes: [
        { ...axis, values: (_u, ticks) => ticks.map((tick) => digits(tick)) },
        options.log
          ? { ...axis, size: 46, splits: powers, filter: (_u, splits) => splits, values: (_u, ticks) => ticks.map((tick) => (tick === null ? "" : power(tick))) }
          : { ...axis, size: 46, space: 22, values: (_u, ticks) => ticks.map((tick) => digits(tick)) },
      ],
      series: [
        {},
        ...curves.map((curve, k) => ({
          label: curve.label,
          stroke: style.getPropertyValue(`--curve${k % 5}`).trim(),
          width: 1.4,
          spanGaps: true,
          points: { show: false },
        })),
      ],
    },
    data,
  );
  plot.over.addEventListener("click", (event) => options.seek(plot.posToVal(event.offsetX, "x")));
  const now = h("div", { class: "now" });
  plot.over.append(now);
  return plot;
}

export function move_now(plot: uPlot, t: number): void {
  const now = plot.over.querySelector<HTMLElement>(".now");
  if (now) now.style.transform = `translateX(${plot.valToPos(t, "x")}px)`;
}

export class Plots {
  readonly element = h("div", { class: "plots" });
  private plots: { plot: uPlot; curves: CurveData[]; values: HTMLElement[] }[] = [];
  private runs: Playable[] = [];
  private end = 1;
  private t = 0;
  private width = 0;

  constructor(private actions: { seek(t: number): void }) {
    new ResizeObserver(() => {
      const width = this.element.clientWidth;
      if (width > 0 && Math.abs(width - this.width) > 2) this.build();
    }).observe(this.element);
  }

  set_runs(runs: Playable[], end: number): void {
    this.runs = runs;
    this.end = end;
    this.build();
  }

  build(): void {
    for (const { plot } of this.plots) plot.destroy();
    this.plots = [];
    this.width = this.element.clientWidth;
    if (this.width === 0) return;
    this.element.replaceChildren();
    const runs = this.runs.filter((run) => run.stats.rows > 0);
    if (!runs.length) {
      this.element.append(h("p", { class: "empty" }, "This run has no stats.csv, so there is nothing to plot."));
      return;
    }
    this.element.append(this.summary(runs));
    for (const spec of PLOTS) this.add(spec, runs);
    this.set_time(this.t);
    // A plot knows its scales only after a turn.
    setTimeout(() => this.set_time(this.t));
  }

  private summary(runs: Playable[]): HTMLElement {
    const worst = h("button", { type: "button", class: "wide", id: "worst", title: "Jump to the step with the largest error (w)", onclick: () => this.jump_to_worst() }, "Worst step");
    const note = runs.map((run) => {
      const row = worst_row(run.stats);
      const value = (name: string) => run.stats.columns.get(name)?.[row] ?? NaN;
      const name = runs.length > 1 ? `${run.name}: ` : "";
      return row < 0 ? "" : `${name}step ${value("step")} at ${value("t").toFixed(3)} s, error ${digits(value("error"))}`;
    });
    return h("div", { class: "worst" }, worst, h("small", {}, note.join("; ")));
  }

  jump_to_worst(): void {
    const run = this.runs.find((candidate) => candidate.stats.rows > 0);
    const row = run ? worst_row(run.stats) : -1;
    if (run && row >= 0) this.actions.seek(run.stats.columns.get("t")![row]);
  }

  private add(spec: PlotSpec, runs: Playable[]): void {
    const many = runs.length > 1;
    const series = many && TOTALS[spec.title] ? [TOTALS[spec.title]] : spec.series;
    const curves: CurveData[] = [];
    for (const run of runs)
      for (const one of series) {
        const values = one.values(run.stats);
        if (!values) continue;
        const [x, y] = thin_out(run.stats.columns.get("t") ?? [], values, MOST_POINTS);
        curves.push({ label: many ? run.name : one.label, x, y });
      }
    if (!curves.length) return;
    const plot = make_plot(curves, { width: this.width, height: 118, log: spec.log, unit: spec.unit, seek: (t) => this.actions.seek(t), end: this.end });
    const values = curves.map(() => h("b", {}));
    const single = curves.length === 1;
    const legend = curves.map((curve, k) => h("span", { class: `curve c${k % 5}` }, single ? null : h("i", {}), single ? null : curve.label, " ", values[k]));
    this.element.append(h("section", { class: "plot" }, h("header", {}, h("h3", {}, spec.title, spec.unit ? h("small", {}, ` ${spec.unit}`) : null), h("div", { class: "legend" }, ...legend)), plot.root));
    this.plots.push({ plot, curves, values });
  }

  set_time(t: number): void {
    this.t = t;
    if (!this.element.offsetParent) return;
    for (const { plot, curves, values } of this.plots) {
      move_now(plot, t);
      curves.forEach((curve, k) => {
        const at = nearest(curve.x, t);
        values[k].textContent = at < 0 ? "" : digits(curve.y[at] ?? NaN);
      });
    }
  }

  /** Numbers of the step at t, for the panel of the run. */
  static step_at(run: Playable, t: number): Record<string, number> | null {
    const row = row_at(run.stats, t);
    return row < 0 ? null : Object.fromEntries([...run.stats.columns].map(([name, values]) => [name, values[row]]));
  }
}

function nearest(x: number[], t: number): number {
  let low = 0;
  let high = x.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < t) low = middle + 1;
    else high = middle;
  }
  return low > 0 && t - x[low - 1] < x[low] - t ? low - 1 : Math.min(low, x.length - 1);
}

// Play, step, scrub.

import { button, h, icon } from "./dom";

export const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export interface TimelineActions {
  toggle(): void;
  seek(t: number): void;
  step(frames: number): void;
  speed(value: number): void;
  loop(on: boolean): void;
}

export class Timeline {
  readonly element: HTMLElement;
  private play: HTMLButtonElement;
  private bar: HTMLElement;
  private knob: HTMLElement;
  private done: HTMLElement;
  private marks: HTMLElement;
  private spark: HTMLCanvasElement;
  private hint: HTMLElement;
  private clock: HTMLElement;
  private count: HTMLElement;
  private speeds: HTMLSelectElement;
  private loop_button: HTMLButtonElement;
  private duration = 1;
  private rows: ArrayLike<number> = [];
  private row_times: ArrayLike<number> = [];

  constructor(private actions: TimelineActions) {
    this.play = button("play", "Play (space)", () => actions.toggle(), "play");
    this.loop_button = button("loop", "Loop (l)", () => actions.loop(this.loop_button.getAttribute("aria-pressed") !== "true"), "loop");
    this.speeds = h("select", { title: "Speed ([ and ])", "aria-label": "Speed", id: "speed", onchange: () => actions.speed(Number(this.speeds.value)) });
    for (const speed of SPEEDS) this.speeds.append(h("option", { value: speed }, `${speed}×`));
    this.speeds.value = "1";
    this.knob = h("div", { class: "knob" });
    this.done = h("div", { class: "done" });
    this.marks = h("div", { class: "marks" });
    this.hint = h("div", { class: "hint" });
    this.spark = h("canvas", { class: "spark", title: "contacts" });
    this.bar = h("div", { class: "bar", id: "scrub", role: "slider", tabindex: 0, "aria-label": "Time", "aria-valuemin": 0 },
      this.spark, h("div", { class: "track" }, this.marks, this.done), this.knob, this.hint);
    this.clock = h("output", { class: "clock", id: "clock" });
    this.count = h("span", { class: "count", id: "frame" });
    const steps = h("span", { class: "steps" }, button("back", "One frame back (←)", () => actions.step(-1), "step_back"), this.play, button("next", "One frame on (→)", () => actions.step(1), "step_on"));
    this.element = h("footer", { class: "timeline glass" }, steps, this.bar, h("span", { class: "times" }, this.clock, this.count), this.speeds, this.loop_button);
    this.scrubbing();
    new ResizeObserver(() => this.draw_spark()).observe(this.bar);
  }

  private scrubbing(): void {
    const at = (event: PointerEvent) => {
      const box = this.bar.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * this.duration;
    };
    this.bar.addEventListener("pointerdown", (event) => {
      this.bar.setPointerCapture(event.pointerId);
      this.bar.classList.add("held");
      this.actions.seek(at(event));
    });
    this.bar.addEventListener("pointermove", (event) => {
      const t = at(event);
      this.hint.textContent = `${t.toFixed(3)} s`;
      this.hint.style.left = `${(100 * t) / this.duration}%`;
      if (this.bar.hasPointerCapture(event.pointerId)) this.actions.seek(t);
    });
    const release = () => this.bar.classList.remove("held");
    this.bar.addEventListener("pointerup", release);
    this.bar.addEventListener("pointercancel", release);
  }

  set_duration(duration: number): void {
    this.duration = Math.max(duration, 1e-9);
    this.bar.setAttribute("aria-valuemax", String(duration));
  }

  set_time(t: number, frame: number, frames: number): void {
    const part = `${100 * Math.min(1, t / this.duration)}%`;
    this.knob.style.left = part;
    this.done.style.width = part;
    this.clock.textContent = `${t.toFixed(3)} s`;
    this.count.textContent = frames > 0 ? `${frame + 1} / ${frames}` : "no frames";
    this.bar.setAttribute("aria-valuenow", t.toFixed(4));
    this.bar.setAttribute("aria-valuetext", `${t.toFixed(3)} seconds`);
  }

  set_playing(playing: boolean, waiting: boolean): void {
    const symbol = playing ? "pause" : "play";
    if (this.play.dataset.symbol !== symbol) {
      this.play.dataset.symbol = symbol;
      this.play.replaceChildren(icon(symbol));
      this.play.title = playing ? "Pause (space)" : "Play (space)";
      this.play.setAttribute("aria-label", this.play.title);
    }
    this.bar.classList.toggle("waiting", waiting);
  }

  set_options(speed: number, loop: boolean): void {
    this.speeds.value = String(speed);
    this.loop_button.setAttribute("aria-pressed", String(loop));
  }

  /** Which parts are in memory and which are lost. */
  set_ranges(loaded: [number, number][], lost: [number, number][]): void {
    const mark = (kind: string) => ([from, to]: [number, number]) =>
      h("i", { class: kind, style: `left:${(100 * from) / this.duration}%;width:${(100 * Math.max(to - from, 0.002 * this.duration)) / this.duration}%` });
    this.marks.replaceChildren(...loaded.map(mark("loaded")), ...lost.map(mark("lost")));
  }

  /** A small curve above the bar: how many contacts there are over time. */
  set_curve(times: ArrayLike<number>, values: ArrayLike<number>): void {
    this.row_times = times;
    this.rows = values;
    this.draw_spark();
  }

  private draw_spark(): void {
    const { clientWidth: width } = this.bar;
    const height = 18;
    const ratio = Math.min(2, devicePixelRatio);
    this.spark.width = Math.max(1, width * ratio);
    this.spark.height = height * ratio;
    const pen = this.spark.getContext("2d")!;
    pen.clearRect(0, 0, this.spark.width, this.spark.height);
    if (this.rows.length < 2) return;
    let most = 0;
    const bins = new Float32Array(Math.max(1, Math.floor(width / 2)));
    for (let r = 0; r < this.rows.length; ++r) {
      const bin = Math.min(bins.length - 1, Math.floor((this.row_times[r] / this.duration) * bins.length));
      if (bin >= 0) bins[bin] = Math.max(bins[bin], this.rows[r]);
      most = Math.max(most, this.rows[r]);
    }
    if (most === 0) return;
    pen.scale(ratio, ratio);
    pen.fillStyle = getComputedStyle(this.bar).getPropertyValue("--spark");
    pen.beginPath();
    pen.moveTo(0, height);
    bins.forEach((value, k) => pen.lineTo(((k + 0.5) / bins.length) * width, height - (value / most) * (height - 2)));
    pen.lineTo(width, height);
    pen.fill();
  }
}

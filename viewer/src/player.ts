// Time: what is shown now, and how it goes on.

import type { Playable } from "./run/playable";
import { SPEEDS, type Timeline } from "./ui/timeline";
import type { RunView } from "./view/run_view";

export interface Shown {
  run: Playable;
  view: RunView;
}

export class Player {
  t = 0;
  playing = false;
  private waiting = false;
  private speed = 1;
  private loop = true;
  private last_tick = 0;
  private seeking = 0;
  private prefetch_timer = 0;

  /** `shown` are the runs of now; `drawn` asks for a picture and resolves when it is there. */
  constructor(
    private timeline: Timeline,
    private shown: () => Shown[],
    private actions: { moved(changed: boolean): void; stopped(): void; drawn(): Promise<void> | undefined },
  ) {
    this.show_options();
  }

  get duration(): number {
    return Math.max(0, ...this.shown().map(({ run }) => run.duration));
  }

  /** The run with most frames leads when stepping. */
  get leader(): Playable | undefined {
    return this.shown().map(({ run }) => run).sort((a, b) => b.times.length - a.times.length)[0];
  }

  seek(t: number): void {
    void this.seek_now(t);
  }

  /** Resolves when the frame is drawn. A newer call makes an older one give up. */
  async seek_now(t: number): Promise<void> {
    this.t = Math.min(Math.max(0, t), this.duration);
    const ticket = ++this.seeking;
    this.show_time();
    await Promise.all(this.shown().map(({ run }) => run.ensure(this.t)));
    if (ticket !== this.seeking) return;
    this.show_time();
    await this.actions.drawn();
    // Who drags along the timeline wants the next place, not what comes after this one.
    clearTimeout(this.prefetch_timer);
    this.prefetch_timer = window.setTimeout(() => this.prefetch(), 250);
  }

  show_newest(): void {
    this.t = this.duration;
    this.show_time();
  }

  private prefetch(): void {
    for (const { run } of this.shown()) run.prefetch(this.t);
  }

  /** Shows what is in memory for the time. */
  private show_time(): void {
    let changed = false;
    for (const { run, view } of this.shown()) {
      const moment = run.moment(Math.min(this.t, run.duration));
      if (!moment) continue;
      view.show(moment);
      changed = true;
    }
    this.actions.moved(changed);
  }

  /** Says on the timeline what time it is. */
  show_clock(): void {
    const { leader } = this;
    this.timeline.set_time(this.t, leader ? leader.index_at(this.t) : 0, leader?.times.length ?? 0);
  }

  play(on: boolean): void {
    if (on === this.playing || !this.shown().length) return;
    this.playing = on;
    if (on && this.t >= this.duration - 1e-9) this.t = 0;
    this.last_tick = performance.now();
    this.timeline.set_playing(on, false);
    if (on) requestAnimationFrame((now) => this.tick(now));
    else this.actions.stopped();
  }

  private tick(now: number): void {
    if (!this.playing) return;
    // After a pause of the page or a slow picture time goes on gently.
    const dt = (Math.min(250, Math.max(0, now - this.last_tick)) / 1000) * this.speed;
    this.last_tick = now;
    let next = this.t + dt;
    if (next >= this.duration) {
      if (this.loop) next = this.duration > 0 ? next % this.duration : 0;
      else {
        next = this.duration;
        this.play(false);
      }
    }
    const ready = this.shown().every(({ run }) => run.times.length === 0 || run.moment(Math.min(next, run.duration)) !== null);
    if (ready) {
      this.t = next;
      this.show_time();
      this.prefetch();
    } else for (const { run } of this.shown()) void run.ensure(next);
    if (this.waiting !== !ready) {
      this.waiting = !ready;
      this.timeline.set_playing(this.playing, this.waiting);
    }
    if (this.playing) requestAnimationFrame((then) => this.tick(then));
  }

  step(frames: number): void {
    const run = this.leader;
    if (!run) return;
    this.play(false);
    const index = run.index_at(this.t);
    // Between two frames a step back goes to the earlier one first.
    const between = frames < 0 && this.t > run.times[index] + 1e-9 ? 1 : 0;
    this.seek(run.times[Math.min(Math.max(0, index + frames + between), run.times.length - 1)]);
  }

  set_speed(value: number): void {
    this.speed = value;
    this.show_options();
  }

  /** To the next of the usual ones. */
  change_speed(by: number): void {
    const k = SPEEDS.indexOf(this.speed) + by;
    this.set_speed(SPEEDS[Math.min(Math.max(0, k), SPEEDS.length - 1)]);
  }

  set_loop(on: boolean): void {
    this.loop = on;
    this.show_options();
  }

  toggle_loop(): void {
    this.set_loop(!this.loop);
  }

  private show_options(): void {
    this.timeline.set_options(this.speed, this.loop);
  }
}

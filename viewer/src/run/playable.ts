// What the page needs of a run, be it recorded or going on now.

import type { Stats } from "../format/stats";
import type { Frame, Model, Moment } from "./frame";

export interface Playable {
  readonly name: string;
  readonly model: Model;
  readonly times: ArrayLike<number>;
  readonly duration: number;
  readonly stats: Stats;
  /** Sentences about what is damaged and what is lost by it. */
  readonly warnings: string[];
  /** Called when frames arrive, or turn out to be damaged. */
  on_change: () => void;
  index_at(t: number): number;
  /** A frame that is in memory. */
  frame(index: number): Frame | null;
  loaded_frames(): Iterable<Frame>;
  /** What there is to draw at time t; null while it is not in memory. */
  moment(t: number): Moment | null;
  ensure(t: number): Promise<void>;
  prefetch(t: number): void;
  ranges(kind: "lost" | "loaded"): [number, number][];
  read_stats(): Promise<void>;
  /** Looks for new frames; true if there are any. */
  refresh(): Promise<boolean>;
}

/** Frames of the beginning, and of the end if it is at hand: they tell how large the scene is. */
export function sample_moments(run: Playable): Moment[] {
  const last = run.times.length - 1;
  const wanted = new Set([0, 6, 12, 18, Math.max(0, last - 8), last]);
  const frames = [...run.loaded_frames()].filter((frame) => wanted.has(frame.index));
  return frames.map((frame) => ({ time: frame.time, before: frame, after: frame, mix: 0 }));
}

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

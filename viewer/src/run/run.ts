// A run: an index of its frames, and the chunks that were needed last.

import {
  DamageError, RECORD_HEADER_BYTES, file_header_bytes, header_bytes_of, parse_file_header, parse_record_header, parse_times,
  type Chunk, type Layout,
} from "../format/codec";
import { meshes_of_frames, parse_manifest, type Manifest } from "../format/manifest";
import { parse_stats, type Stats } from "../format/stats";
import { MissingFile, type RunSource } from "../source/source";
import { decode_in_background } from "./decoder";
import type { Playable } from "./playable";
import { Model, frame_of_chunk, type Frame, type Moment } from "./frame";

interface Entry {
  file: string;
  offset: number;
  bytes: number;
  first: number; // number of its first frame in the run
  start: number; // place of its first frame among all readable ones
  times: Float64Array;
  lost: boolean;
  chunk?: Chunk;
  loading?: Promise<void>;
  used: number;
}

const CACHE_BYTES = 320e6;
const CHUNKS_AHEAD = 2;

function chunk_bytes(chunk: Chunk): number {
  const { places, mesh_places, mesh_values, poses, contacts } = chunk;
  return places.byteLength + mesh_places.byteLength + mesh_values.byteLength + poses.byteLength + 52 * contacts.a.length;
}

export class Run implements Playable {
  model!: Model;
  manifest!: Manifest;
  stats: Stats = parse_stats("");
  times = new Float64Array(0);
  /** Sentences about what is damaged and what is lost by it. */
  readonly warnings: string[] = [];
  /** Called when a chunk arrives or turns out to be damaged, and when frames were added. */
  on_change: () => void = () => {};

  private layout!: Layout;
  private id: number | null = null;
  private entries: Entry[] = [];
  private clock = 0;

  private constructor(readonly source: RunSource) {}

  get name(): string {
    return this.source.name;
  }
  get duration(): number {
    return this.times.length ? this.times[this.times.length - 1] : 0;
  }

  static async open(source: RunSource): Promise<Run> {
    const run = new Run(source);
    run.manifest = await run.read_manifest();
    await run.read_header();
    const { layout, manifest } = run;
    run.model = new Model(layout.points_per_strand, manifest.radii, manifest.obstacles, meshes_of_frames(manifest.meshes, layout.points_per_mesh));
    await run.index();
    return run;
  }

  /** Statistics come later: the picture does not wait for them. */
  async read_stats(): Promise<void> {
    try {
      this.stats = parse_stats(new TextDecoder().decode(await this.source.read("stats.csv")));
    } catch (error) {
      this.warn(`No plots: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  /** Looks for frames that were written since. True if there are any. */
  async refresh(): Promise<boolean> {
    if (!this.source.growing || this.manifest.finished) return false;
    const before = this.times.length;
    this.manifest = await this.read_manifest();
    await this.index();
    if (this.times.length !== before) this.on_change();
    return this.times.length !== before;
  }

  private warn(sentence: string): void {
    if (this.warnings.includes(sentence)) return;
    this.warnings.push(sentence);
    this.on_change();
  }

  private async read_manifest(): Promise<Manifest> {
    try {
      return parse_manifest(new TextDecoder().decode(await this.source.read("manifest.json")));
    } catch (error) {
      if (error instanceof MissingFile) throw new Error(`${this.name} has no manifest.json, so it is not a run folder. A run folder is what "capstan run" writes.`);
      throw error;
    }
  }

  private async read_header(): Promise<void> {
    const file = this.manifest.frames.file;
    try {
      const header = parse_file_header(await this.header_bytes(file));
      this.layout = header;
      this.id = header.id;
    } catch (error) {
      if (!(error instanceof DamageError) || error.message.includes("format version")) throw error;
      // The manifest knows the same numbers.
      this.warn(`${this.name}: ${error.message}. The numbers of manifest.json are used instead.`);
      this.layout = {
        version: this.manifest.frames.version,
        per_chunk: this.manifest.frames.per_chunk,
        step: this.manifest.frames.step,
        obstacles: this.manifest.obstacles.length,
        points_per_strand: Uint32Array.from(this.manifest.points_per_strand),
        points_per_mesh: Uint32Array.from(this.manifest.meshes, (mesh) => mesh.points),
      };
    }
  }

  /** What is read tells how much more there is: the strands, then the soft bodies behind them. */
  private async header_bytes(file: string): Promise<Uint8Array> {
    let bytes = new Uint8Array(0);
    for (let size = 32; bytes.length < size; size = file_header_bytes(bytes)) {
      bytes = new Uint8Array(await this.source.read(file, 0, size));
      if (bytes.length < size) break; // the file ends here
    }
    return bytes;
  }

  /** The manifest's chunks, those behind them that it does not know yet, then the journal. */
  private async index(): Promise<void> {
    const found: Entry[] = [];
    const file = this.manifest.frames.file;
    let end = header_bytes_of(this.layout);
    for (const chunk of this.manifest.frames.chunks) {
      this.add(found, file, chunk.offset, chunk.bytes, chunk.first, Float64Array.from(chunk.times));
      end = chunk.offset + chunk.bytes;
    }
    if (!this.manifest.finished || !found.length) {
      // One byte more in front: a range that begins at the very end of a file is refused by servers.
      await this.scan(found, file, end, async (from, to) => (await this.source.read(file, from - 1, to)).slice(1));
      const journal = await this.read_journal();
      await this.scan(found, "frames.journal", 0, async (from, to) => journal.slice(from, to));
    }
    found.sort((a, b) => a.first - b.first);
    let frames = 0;
    for (const entry of found) {
      entry.start = frames;
      frames += entry.times.length;
    }
    this.entries = found;
    this.times = new Float64Array(frames);
    for (const entry of found) this.times.set(entry.times, entry.start);
  }

  private add(found: Entry[], file: string, offset: number, bytes: number, first: number, times: Float64Array): void {
    if (found.some((entry) => first >= entry.first && first < entry.first + entry.times.length)) return;
    const old = this.entries.find((entry) => entry.file === file && entry.offset === offset && entry.first === first);
    found.push(old ?? { file, offset, bytes, first, start: 0, times, lost: false, used: 0 });
  }

  private async read_journal(): Promise<ArrayBuffer> {
    try {
      return await this.source.read("frames.journal");
    } catch (error) {
      if (error instanceof MissingFile) return new ArrayBuffer(0);
      throw error;
    }
  }

  private async scan(found: Entry[], file: string, from: number, read: (first: number, last: number) => Promise<ArrayBuffer>): Promise<void> {
    for (let at = from; ; ) {
      const head = new Uint8Array(await read(at, at + RECORD_HEADER_BYTES));
      if (head.length === 0) return;
      try {
        const record = parse_record_header(head, this.id);
        this.id ??= record.id;
        const begin = at + RECORD_HEADER_BYTES;
        const times = parse_times(new Uint8Array(await read(begin, begin + 8 * record.frames)), record.frames);
        const bytes = RECORD_HEADER_BYTES + record.payload_bytes;
        this.add(found, file, at, bytes, record.first, times);
        at += bytes;
      } catch (error) {
        if (!(error instanceof DamageError)) throw error;
        // The end of a run that goes on is usually half written.
        if (this.manifest.finished) this.warn(`${this.name}: ${file} is cut off or damaged at byte ${at}: ${error.message}. Frames behind it are left out.`);
        return;
      }
    }
  }

  private entry_of(index: number): Entry | undefined {
    let low = 0;
    let high = this.entries.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.entries[middle].start <= index) low = middle;
      else high = middle - 1;
    }
    return this.entries[low];
  }

  private load(entry: Entry): Promise<void> {
    entry.used = ++this.clock;
    if (entry.chunk || entry.lost) return Promise.resolve();
    return (entry.loading ??= this.fetch(entry).finally(() => (entry.loading = undefined)));
  }

  private async fetch(entry: Entry): Promise<void> {
    try {
      const bytes = await this.source.read(entry.file, entry.offset, entry.offset + entry.bytes);
      const chunk = await decode_in_background(bytes, this.layout, this.id);
      if (chunk.first !== entry.first || chunk.frames !== entry.times.length) throw new DamageError("it holds other frames than manifest.json says");
      entry.chunk = chunk;
      this.forget();
      this.on_change();
    } catch (error) {
      entry.lost = true;
      const last = entry.first + entry.times.length - 1;
      const seconds = `${entry.times[0].toFixed(3)} s to ${entry.times[entry.times.length - 1].toFixed(3)} s`;
      const why = error instanceof Error ? error.message : String(error);
      this.warn(
        `${this.name}: chunk ${this.entries.indexOf(entry)} of ${entry.file} (byte ${entry.offset}) cannot be read: ${why}. ` +
          `Frames ${entry.first} to ${last} (${seconds}) are lost; all others can be viewed.`,
      );
    }
  }

  /** Lets go of the chunks that were not used for longest. */
  private forget(): void {
    const kept = this.entries.filter((entry) => entry.chunk).sort((a, b) => b.used - a.used);
    let bytes = 0;
    kept.forEach((entry, k) => {
      bytes += chunk_bytes(entry.chunk!);
      if (bytes > CACHE_BYTES && k >= 3) entry.chunk = undefined;
    });
  }

  /** Frames that can never be shown, and those in memory, as ranges of times for the timeline. */
  ranges(kind: "lost" | "loaded"): [number, number][] {
    return this.entries
      .filter((entry) => (kind === "lost" ? entry.lost : entry.chunk !== undefined))
      .map((entry) => [entry.times[0], this.times[Math.min(entry.start + entry.times.length, this.times.length - 1)]]);
  }

  /** Loads the last frame too if that is cheap: it tells how far things go. */
  async ensure_end(): Promise<void> {
    const last = this.entries[this.entries.length - 1];
    if (last && last.bytes < 600e3) await this.load(last);
  }

  /** A frame that is in memory. */
  frame(index: number): Frame | null {
    const entry = this.entry_of(index);
    if (!entry?.chunk) return null;
    entry.used = ++this.clock;
    return frame_of_chunk(entry.chunk, index - entry.start, index, this.model);
  }

  /** All frames in memory, in order. */
  *loaded_frames(): Generator<Frame> {
    for (const entry of this.entries)
      if (entry.chunk) for (let f = 0; f < entry.chunk.frames; ++f) yield frame_of_chunk(entry.chunk, f, entry.start + f, this.model);
  }

  /** Last frame at or before t. */
  index_at(t: number): number {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= t + 1e-9) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Nearest frames that are not lost, around index and its successor. */
  private pair(t: number): [number, number] | null {
    if (!this.times.length) return null;
    const lost = (index: number) => this.entry_of(index)?.lost ?? true;
    let before = this.index_at(t);
    let after = Math.min(before + 1, this.times.length - 1);
    while (before >= 0 && lost(before)) --before;
    while (after < this.times.length && lost(after)) ++after;
    if (before < 0 && after >= this.times.length) return null;
    if (before < 0) before = after;
    if (after >= this.times.length) after = before;
    return [before, after];
  }

  /** What there is to draw at time t; null while it is not in memory. */
  moment(t: number): Moment | null {
    const pair = this.pair(t);
    if (!pair) return null;
    const before = this.frame(pair[0]);
    // The first frame of the next chunk need not be waited for: hold the last one.
    const after = this.frame(pair[1]) ?? before;
    if (!before || !after) return null;
    // Across lost frames nothing is invented: the last good one is held.
    const gap = pair[1] - pair[0] > 1;
    const span = after.time - before.time;
    const mix = span > 0 && !gap ? Math.min(1, Math.max(0, (t - before.time) / span)) : 0;
    return { time: t, before, after: gap ? before : after, mix };
  }

  /** Loads what time t needs; damaged chunks are skipped over. */
  async ensure(t: number): Promise<void> {
    for (let tries = 0; tries <= this.entries.length; ++tries) {
      const pair = this.pair(t);
      if (!pair) return;
      const needed = pair.map((index) => this.entry_of(index)!);
      await Promise.all(needed.map((entry) => this.load(entry)));
      if (needed.every((entry) => entry.chunk)) return;
    }
  }

  /** Begins to load what comes after t. */
  prefetch(t: number): void {
    const entry = this.entry_of(this.index_at(t));
    if (!entry) return;
    const here = this.entries.indexOf(entry);
    for (const next of this.entries.slice(here + 1, here + 1 + CHUNKS_AHEAD)) if (!next.chunk && !next.loading) void this.load(next);
  }
}

// A simulation that runs now: frames come as events, wishes go back as commands.

import { bytes_of_base64 } from "../format/base64";
import { parse_meshes, parse_obstacles } from "../format/manifest";
import { parse_stats, type Stats } from "../format/stats";
import { Model, no_contacts, type Frame, type Moment } from "../run/frame";
import type { Playable } from "../run/playable";

export interface LiveDescription {
  strands: { points_per_strand: number[]; radii: number[] };
  obstacles?: unknown[];
  meshes?: unknown[];
  friction?: { name: string; mu: number }[];
}

interface LiveMessage {
  t: number;
  step: number;
  contacts: number;
  error: number;
  x: string;
  poses: string;
  mesh_x?: string; // vertices of soft bodies
  mesh_values?: string; // strain at each
  paused: boolean;
}

export type LiveCommand =
  | { type: "pause" | "resume" | "restart" | "release" }
  | { type: "friction"; name: string; mu: number }
  | { type: "drag"; strand: number; point: number; target: [number, number, number] };

const KEPT = 240; // frames, for traces

function floats(base64: string): Float32Array {
  const bytes = bytes_of_base64(base64);
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2);
}

/** x, y, z of each point to all x, all y, all z. */
export function by_axis(xyz: Float32Array, points: number): Float32Array {
  const places = new Float32Array(3 * points);
  for (let k = 0; k < points; ++k) for (let axis = 0; axis < 3; ++axis) places[axis * points + k] = xyz[3 * k + axis];
  return places;
}

export class LiveRun implements Playable {
  readonly name = "live";
  readonly model: Model;
  readonly friction: { name: string; mu: number }[];
  readonly warnings: string[] = [];
  readonly stats: Stats = parse_stats("");
  status = { t: 0, step: 0, contacts: 0, error: 0, paused: false, connected: false };
  on_change: () => void = () => {};
  on_frame: () => void = () => {};
  private frames: Frame[] = [];
  private next = 0;

  constructor(description: LiveDescription) {
    this.model = new Model(description.strands.points_per_strand, description.strands.radii, parse_obstacles(description.obstacles), parse_meshes(description.meshes));
    this.friction = description.friction ?? [];
  }

  /** Resolves with the first frame. */
  connect(): Promise<void> {
    const events = new EventSource("live/events");
    events.addEventListener("error", () => this.set_connected(false));
    return new Promise((done) =>
      events.addEventListener("frame", (event) => {
        this.take(JSON.parse((event as MessageEvent<string>).data) as LiveMessage);
        done();
      }),
    );
  }

  private set_connected(on: boolean): void {
    this.status.connected = on;
    this.on_frame();
  }

  take(message: LiveMessage): void {
    const { t, step, contacts, error, paused } = message;
    this.status = { t, step, contacts, error, paused, connected: true };
    const xyz = floats(message.x);
    const soft = floats(message.mesh_x ?? "");
    const strain = floats(message.mesh_values ?? "");
    const { points, vertices } = this.model;
    if (xyz.length < 3 * points || soft.length < 3 * vertices) return;
    const last = this.frames[this.frames.length - 1];
    // Time went back: it was restarted, and the trace begins anew.
    if (last && t < last.time) this.frames = [];
    this.frames.push({
      index: this.next++, time: t, places: by_axis(xyz, points), poses: floats(message.poses), contacts: no_contacts(),
      mesh_places: by_axis(soft, vertices), mesh_values: strain.length < vertices ? new Float32Array(vertices) : strain,
    });
    if (this.frames.length > KEPT) this.frames.shift();
    this.on_frame();
  }

  async send(command: LiveCommand): Promise<void> {
    await fetch("live/command", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(command) });
  }

  private get newest(): Frame | undefined {
    return this.frames[this.frames.length - 1];
  }
  get times(): number[] {
    return this.frames.map((frame) => frame.time);
  }
  get duration(): number {
    return this.newest?.time ?? 0;
  }
  index_at(): number {
    return Math.max(0, this.frames.length - 1);
  }
  frame(index: number): Frame | null {
    return this.frames.find((frame) => frame.index === index) ?? null;
  }
  loaded_frames(): Iterable<Frame> {
    return this.frames;
  }
  moment(): Moment | null {
    const frame = this.newest;
    return frame ? { time: frame.time, before: frame, after: frame, mix: 0 } : null;
  }
  async ensure(): Promise<void> {}
  prefetch(): void {}
  ranges(): [number, number][] {
    return [];
  }
  async read_stats(): Promise<void> {}
  async refresh(): Promise<boolean> {
    return false;
  }
}

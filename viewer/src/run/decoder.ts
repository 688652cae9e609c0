// Decodes records in a worker, or here where workers are forbidden.

import { DamageError, decode_record, type Chunk, type Layout } from "../format/codec";
import DecodeWorker from "./decode.worker?worker&inline";

export interface DecodeTask {
  key: number;
  bytes: ArrayBuffer;
  layout: Layout;
  id: number | null;
}
export interface DecodeAnswer {
  key: number;
  chunk?: Chunk;
  error?: string;
}

let worker: Worker | null | undefined;
let next_key = 0;
const waiting = new Map<number, { task: DecodeTask; done: (chunk: Chunk) => void; fail: (error: Error) => void }>();

function start_worker(): Worker | null {
  try {
    const started = new DecodeWorker();
    started.addEventListener("message", (event: MessageEvent<DecodeAnswer>) => {
      const { key, chunk, error } = event.data;
      const entry = waiting.get(key);
      waiting.delete(key);
      if (chunk) entry?.done(chunk);
      else entry?.fail(new DamageError(error));
    });
    started.addEventListener("error", () => {
      worker = null;
      for (const entry of waiting.values()) entry.fail(new Error("the decoding worker stopped; reload the page"));
      waiting.clear();
    });
    return started;
  } catch {
    return null;
  }
}

/** Rejects with DamageError if the record is not sound. */
export function decode_in_background(bytes: ArrayBuffer, layout: Layout, id: number | null): Promise<Chunk> {
  if (worker === undefined) worker = start_worker();
  if (!worker) return Promise.resolve().then(() => decode_record(new Uint8Array(bytes), layout, id));
  const task: DecodeTask = { key: next_key++, bytes, layout, id };
  return new Promise((done, fail) => {
    waiting.set(task.key, { task, done, fail });
    worker!.postMessage(task, [bytes]);
  });
}

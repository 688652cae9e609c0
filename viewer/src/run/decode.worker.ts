import { decode_record } from "../format/codec";
import type { DecodeAnswer, DecodeTask } from "./decoder";

addEventListener("message", (event: MessageEvent<DecodeTask>) => {
  const { key, bytes, layout, id } = event.data;
  let answer: DecodeAnswer;
  try {
    answer = { key, chunk: decode_record(new Uint8Array(bytes), layout, id) };
  } catch (error) {
    answer = { key, error: error instanceof Error ? error.message : String(error) };
  }
  const move = answer.chunk ? [answer.chunk.places, answer.chunk.mesh_places, answer.chunk.mesh_values].map((part) => part.buffer as ArrayBuffer) : [];
  (postMessage as (message: unknown, transfer: Transferable[]) => void)(answer, move);
});

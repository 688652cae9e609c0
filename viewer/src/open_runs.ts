// Opens runs, as far as the first picture needs.

import { Run } from "./run/run";
import type { Playable } from "./run/playable";
import type { RunSource } from "./source/source";

/** Runs that are open already are taken as they are; what cannot be opened is told in a sentence. */
export async function open_runs(sources: RunSource[], open: Playable[], complain: (sentence: string) => void): Promise<Playable[]> {
  const opened: Playable[] = [];
  for (const source of sources) {
    const old = open.find((run) => source_of(run) === source);
    if (old) {
      opened.push(old);
      continue;
    }
    try {
      const run = await Run.open(source);
      await run.ensure(0);
      await run.ensure_end();
      opened.push(run);
    } catch (error) {
      complain(`${source.name} cannot be shown. ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return opened;
}

export function source_of(run: Playable): RunSource | null {
  return run instanceof Run ? run.source : null;
}

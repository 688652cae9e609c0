import { bytes_of_base64 } from "../format/base64";
import { MissingFile, type RunSource } from "./source";

/** Files inside the page. */
export class EmbeddedSource implements RunSource {
  readonly growing = false;
  private decoded = new Map<string, Uint8Array<ArrayBuffer>>();
  constructor(readonly name: string, private files: Record<string, string>) {}

  async read(file: string, first?: number, last?: number): Promise<ArrayBuffer> {
    if (!this.decoded.has(file)) {
      if (this.files[file] === undefined) throw new MissingFile(file, this.name);
      this.decoded.set(file, bytes_of_base64(this.files[file]));
    }
    return this.decoded.get(file)!.slice(first ?? 0, last).buffer;
  }
}

export function embedded_runs(): EmbeddedSource[] {
  const element = document.getElementById("capstan-embedded");
  if (!element?.textContent) return [];
  const data = JSON.parse(element.textContent) as { runs: { name: string; files: Record<string, string> }[] };
  return data.runs.map((run) => new EmbeddedSource(run.name, run.files));
}

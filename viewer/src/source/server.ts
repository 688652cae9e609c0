import { MissingFile, type RunSource } from "./source";

/** Files under a URL, read with Range requests. */
export class ServerSource implements RunSource {
  readonly growing = true;
  constructor(readonly name: string, private base: string) {}

  async read(file: string, first?: number, last?: number): Promise<ArrayBuffer> {
    const part = first !== undefined && last !== undefined;
    if (part && last <= first) return new ArrayBuffer(0);
    const url = this.base + encodeURIComponent(file);
    const response = await fetch(url, {
      cache: "no-cache",
      headers: part ? { Range: `bytes=${first}-${last - 1}` } : {},
    });
    if (response.status === 416) return new ArrayBuffer(0);
    if (response.status === 404) throw new MissingFile(file, this.name);
    if (!response.ok) throw new Error(`the server answered ${response.status} for ${url}`);
    const bytes = await response.arrayBuffer();
    // A server that does not know Range sends everything.
    return part && response.status === 200 ? bytes.slice(first, last) : bytes;
  }
}

/** The runs a server offers; null if there is no server that does. */
export async function list_server_runs(): Promise<ServerSource[] | null> {
  if (!location.protocol.startsWith("http")) return null;
  try {
    const response = await fetch("api/runs");
    if (!response.ok || !(response.headers.get("content-type") ?? "").includes("json")) return null;
    const runs = (await response.json()) as { name: string; base: string }[];
    return runs.map((run) => new ServerSource(run.name, run.base));
  } catch {
    return null;
  }
}

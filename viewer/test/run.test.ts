import { describe, expect, it, vi } from "vitest";
import { decode_record, type Layout } from "../src/format/codec";
import { Run } from "../src/run/run";
import { MissingFile, type RunSource } from "../src/source/source";
import { encode_run, packed_triangles, type TestFrame, type TestLayout } from "./encoder";

// Node has no workers of the browser's kind: decode here.
vi.mock("../src/run/decoder", () => ({
  decode_in_background: async (bytes: ArrayBuffer, layout: Layout, id: number | null) => decode_record(new Uint8Array(bytes), layout, id),
}));

const layout: TestLayout = { version: 2, per_chunk: 4, step: 2 ** -10, obstacles: 0, points_per_strand: [2] };

function files(count: number, in_journal: number): Record<string, Uint8Array> {
  const frames: TestFrame[] = Array.from({ length: count }, (_, f) => ({ time: f, points: Int32Array.from([f, f, 0, 0, 0, 1024]), poses: [], contacts: [] }));
  return encode_run(layout, frames, { radii: [0.1], obstacles: [], in_journal });
}

class MemorySource implements RunSource {
  readonly name = "memory";
  readonly growing = true;
  reads: string[] = [];
  constructor(public files: Record<string, Uint8Array>) {}
  async read(file: string, first?: number, last?: number): Promise<ArrayBuffer> {
    this.reads.push(file);
    if (!this.files[file]) throw new MissingFile(file, this.name);
    return this.files[file].slice(first ?? 0, last).buffer as ArrayBuffer;
  }
}

describe("a run", () => {
  it("interpolates between frames, also across chunks", async () => {
    const run = await Run.open(new MemorySource(files(10, 0)));
    for (const t of [0, 2.5, 3.25, 9]) {
      await run.ensure(t);
      const moment = run.moment(t)!;
      const x = moment.before.places[0] * (1 - moment.mix) + moment.after.places[0] * moment.mix;
      expect(x * 1024).toBeCloseTo(t, 4);
    }
  });

  it("reads the journal, and goes without one", async () => {
    expect((await Run.open(new MemorySource(files(10, 2)))).times.length).toBe(10);
    const { "frames.journal": _, ...rest } = files(10, 2);
    expect((await Run.open(new MemorySource(rest))).times.length).toBe(8);
  });

  it("finds chunks that the manifest does not know yet", async () => {
    const now = files(12, 2);
    const before = files(8, 4);
    const run = await Run.open(new MemorySource({ ...now, "manifest.json": before["manifest.json"] }));
    expect(run.times.length).toBe(12);
  });

  it("counts frames once that are in both files", async () => {
    const now = files(9, 1);
    const run = await Run.open(new MemorySource({ ...now, "frames.journal": files(9, 5)["frames.journal"] }));
    expect(run.times.length).toBe(9);
  });

  it("follows a run that grows", async () => {
    const source = new MemorySource(files(6, 2));
    const run = await Run.open(source);
    source.files = files(11, 3);
    expect(await run.refresh()).toBe(true);
    expect(run.times.length).toBe(11);
  });

  it("loses only the frames of a damaged chunk, and says which", async () => {
    const hurt = files(12, 0);
    const { chunks } = (JSON.parse(new TextDecoder().decode(hurt["manifest.json"])) as { frames: { chunks: { offset: number }[] } }).frames;
    hurt["frames.bin"][chunks[1].offset + 60] ^= 1;
    const run = await Run.open(new MemorySource(hurt));
    await run.ensure(5);
    expect(run.warnings.join()).toMatch(/chunk 1 of frames\.bin.*[Ff]rames 4 to 7/);
    expect(run.moment(5)!.before.index).toBe(3);
    await run.ensure(9);
    expect(run.moment(9)!.before.index).toBe(9);
  });

  it("finds its soft bodies, also if the header of its frames is damaged", async () => {
    const soft: TestLayout = { ...layout, version: 4, points_per_mesh: [3] };
    const frames: TestFrame[] = [0, 1].map((f) => ({ time: f, points: new Int32Array(6), poses: [], contacts: [], mesh_points: Int32Array.from([0, 1024, 0, 0, 0, 1024, f, f, f]), mesh_codes: Uint8Array.of(0, 217, 1) }));
    const meshes = [{ name: "sheet", kind: "cloth", thickness: 0, points: 3, triangles: packed_triangles([[0, 1, 2]]) }];
    const good = encode_run(soft, frames, { radii: [0.1], obstacles: [], meshes });
    const hurt = { ...good, "frames.bin": good["frames.bin"].slice() };
    hurt["frames.bin"][41] ^= 1; // in the number of vertices
    for (const files of [good, hurt]) {
      const run = await Run.open(new MemorySource(files));
      expect(run.warnings.length).toBe(files === hurt ? 1 : 0);
      expect(run.model.meshes.map(({ name, triangles }) => [name, triangles.length])).toEqual([["sheet", 3]]);
      await run.ensure(1);
      expect([...run.frame(1)!.mesh_places]).toEqual([0, 1, 0, 0, 0, 1, 1 / 1024, 1 / 1024, 1 / 1024]);
      expect(run.frame(1)!.mesh_values[1]).toBe(1);
    }
  });

  it("is refused with an explanation when it is none", async () => {
    await expect(Run.open(new MemorySource({}))).rejects.toThrow(/no manifest\.json/);
  });
});

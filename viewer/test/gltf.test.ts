import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
// @ts-expect-error: it comes without types
import validator from "gltf-validator";

// What `capstan export --to glb` writes, judged by the validator of the Khronos Group.
const program = process.env.CAPSTAN ?? resolve(__dirname, "../../build/test/bin/capstan");
const folder = mkdtempSync(join(tmpdir(), "capstan-gltf-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const head = "[simulation]\nduration = 0.2\ndt = 4e-3\n";
const scenes: Record<string, string> = {
  hair: `${head}[[material]]\nname = "wisp"\npreset = "hair_wavy"\ncollision_radius = 3e-3
[[obstacle]]\nname = "ball"\nshape = "sphere"\nradius = 0.03\nposition = [0.04, 0, -0.1]
oscillation = [{ frequency = 1.5, translation = [-0.1, 0, 0] }]
[[bundle]]\nmaterial = "wisp"\ncount = 7\nelements = 4\nlength = 0.12\ndirection = [0, 0, -1]\nspacing = 1e-3
skip_root = 0.01\nroot = { hold = "clamped" }\n`,
  rigid: `${head}[[obstacle]]\nname = "floor"\nshape = "plane"
[[rigid]]\nshape = "box"\nsize = [0.1, 0.2, 0.05]\nposition = [0, 0, 0.1]\nrotation = [0.3, 0.2, 0.9]\nrepeat = [1, 1, 3]\nspacing = [0, 0, 0.25]
[[rigid]]\nshape = "capsule"\nradius = 0.04\nlength = 0.1\nposition = [0, 0.4, 0.15]\nspin = [0, 3, 20]
[[rigid]]\nshape = "cylinder"\nradius = 0.05\nlength = 0.1\nposition = [0.3, 0.4, 0.2]\nrotation = [1, 0, 0]
[[rigid]]\nshape = "hull"\npoints = [[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]\nposition = [-0.3, 0, 0.1]\n`,
  cloth: `${head}[[obstacle]]\nname = "ball"\nshape = "sphere"\nradius = 0.1\nposition = [0, 0, -0.11]
[[cloth]]\nsize = [0.4, 0.4]\ncells = [8, 8]
[[soft]]\nshape = "box"\nsize = [0.1, 0.1, 0.1]\ncells = [2, 2, 2]\nposition = [0, 0, 0.1]\n`,
};

describe.skipIf(!existsSync(program))("an exported .glb", () => {
  for (const [name, scene] of Object.entries(scenes))
    it(`of ${name} has nothing that the validator objects to`, { timeout: 60_000 }, async () => {
      const run = join(folder, name);
      writeFileSync(`${run}.toml`, scene);
      execFileSync(program, ["run", `${run}.toml`, "-o", run]);
      for (const frames of ["0:5", "3"]) {
        execFileSync(program, ["export", run, "--to", "glb", "--frames", frames, "-o", `${run}.glb`, "--overwrite"]);
        const report = await validator.validateBytes(new Uint8Array(readFileSync(`${run}.glb`)), { maxIssues: 0 });
        const { numErrors, numWarnings } = report.issues;
        expect({ numErrors, numWarnings, messages: report.issues.messages.slice(0, 5) }).toMatchObject({ numErrors: 0, numWarnings: 0 });
        expect(report.info.animationCount).toBe(frames === "3" ? 0 : 1);
        expect(report.info.totalVertexCount).toBeGreaterThan(20);
      }
    });
});

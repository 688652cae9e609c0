// Measures drawing and seeking in this machine's browser. Prints; judges nothing.
// node e2e/performance.mjs [RUN]: by default 25 s of 2,000 strands of 30 points in synthetic motion, packed by
// the program zstd.

import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { serve } from "./server.mjs";
import { hair, load_encoder, synthetic_run, write_run } from "./synthetic.mjs";

const work = await mkdtemp(join(tmpdir(), "capstan-performance-"));
let folder = process.argv[2];
if (!folder) {
  const { encoder, close } = await load_encoder();
  const pack = (bytes) => new Uint8Array(spawnSync("zstd", ["-c", "-3", `--stream-size=${bytes.length}`], { input: bytes, maxBuffer: 2 ** 28 }).stdout);
  const files = synthetic_run(encoder, { strands: 2000, points: 29, frames: 626, per_chunk: 12, radius: 5e-5, shape: hair, pack });
  console.log(`size                 ${(files["frames.bin"].length / 1e6).toFixed(1)} MB, ${JSON.parse(new TextDecoder().decode(files["manifest.json"])).frames.chunks.at(-1).times.at(-1)} s`);
  folder = await write_run(join(work, "many"), files);
  await close();
}
/** Seconds of processor time of this process and all that it started: other work on the machine does not count. */
async function cpu() {
  const parents = new Map();
  const seconds = new Map();
  for (const name of (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry))) {
    const text = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
    parents.set(Number(name), Number(words[1]));
    seconds.set(Number(name), (Number(words[11]) + Number(words[12])) / 100);
  }
  let sum = 0;
  for (const [id, used] of seconds) {
    let above = id;
    while (above > 1 && above !== process.pid) above = parents.get(above) ?? 0;
    if (above === process.pid && id !== process.pid) sum += used;
  }
  return sum;
}

const server = await serve([folder]);
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 800, height: 600 } })).newPage();
const begin = Date.now();
await page.goto(server.url);
await page.waitForFunction(() => window.capstan);
await page.evaluate(() => window.capstan.ready);
console.log(`first picture        ${Date.now() - begin} ms`);
await page.evaluate(() => window.capstan.hideUi());
await page.waitForTimeout(500);

const seeks = await page.evaluate(async () => {
  const { capstan } = window;
  const results = [];
  // Ends and middle first: each needs a chunk that is not in memory.
  for (const part of [0.6, 0.3, 0.9, 0.1, 0.62, 0.31]) {
    const start = performance.now();
    await capstan.setTime(part * capstan.duration);
    results.push(performance.now() - start);
  }
  return results;
});
console.log(`seeks                ${seeks.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);

const cpu_start = await cpu();
const playing = await page.evaluate(async () => {
  const { capstan } = window;
  let frames = 0;
  const start = performance.now();
  // Times between frames: textures are filled and shadows computed as when playing.
  while (performance.now() - start < 5000) {
    await capstan.setTime((0.3 * capstan.duration + 0.013 * frames++) % capstan.duration);
  }
  return (1000 * frames) / (performance.now() - start);
});
console.log(`frames a second      ${playing.toFixed(1)} (time and picture change), ${((1000 * ((await cpu()) - cpu_start)) / (5 * playing)).toFixed(0)} ms of processor each`);
const turning = await page.evaluate(async () => {
  const { capstan } = window;
  const camera = capstan.getCamera();
  let frames = 0;
  const start = performance.now();
  while (performance.now() - start < 4000) {
    await capstan.setCamera({ ...camera, position: [camera.position[0] + 0.001 * (frames++ % 9), camera.position[1], camera.position[2]] });
  }
  return (1000 * frames) / (performance.now() - start);
});
console.log(`frames a second      ${turning.toFixed(1)} (camera turns)`);
await browser.close();
await server.stop();
await rm(work, { recursive: true });

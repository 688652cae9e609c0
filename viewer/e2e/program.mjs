// End-to-end tests of the program with its page: CAPSTAN=build/release/bin/capstan node e2e/program.mjs [WORD]

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { launch, open_page } from "./browser.mjs";
import { count, difference, grab, warm } from "./pixels.mjs";

const program = resolve(process.env.CAPSTAN ?? "../build/release/bin/capstan");
const only = process.argv[2] ?? "";
const here = dirname(fileURLToPath(import.meta.url));
const work = await mkdtemp(join(tmpdir(), "capstan-program-"));
const run_program = (...words) => promisify(execFile)(program, words, { cwd: work });
const browser = await launch();
const tests = [];
const test = (name, body) => tests.push({ name, body });

/** Starts `capstan view` or `capstan live`, gives its address, ends it by Ctrl-C, which must be clean. */
async function with_server(words, body) {
  const child = spawn(program, [...words, "--no-browser", "--port", "0"], { cwd: work });
  let said = "";
  child.stderr.on("data", (data) => (said += data));
  const ended = new Promise((done) => child.on("exit", done));
  try {
    const url = await new Promise((done, fail) => {
      child.stdout.on("data", (data) => /http:\S+/.test(String(data)) && done(String(data).match(/http:\S+/)[0]));
      child.on("exit", () => fail(new Error(`the program ended: ${said}`)));
    });
    await body(url, () => said);
  } finally {
    child.kill("SIGINT");
    assert.equal(await ended, 0, "ends cleanly");
  }
}

async function with_page(url, body, options) {
  const page = await open_page(browser, url, options);
  try {
    await body(page);
    assert.deepEqual(page.problems, [], "errors in the page");
  } finally {
    await page.context().close();
  }
}

const picture_at = async (page, t) => {
  await page.evaluate((time) => window.capstan.setTime(time), t);
  return grab(page);
};

test("view: a run of the program is drawn and moves", async () => {
  await with_server(["view", "balls"], (url) => with_page(url, async (page) => {
    const early = await picture_at(page, 0.05), late = await picture_at(page, 1.1);
    assert.ok(count(early, warm) > 100, "strands are drawn");
    assert.ok(difference(early, late) > 100, "they move");
  }));
});

test("view: damage is told in the terminal and in the page", async () => {
  await run_program("run", "balls.toml", "-o", "damaged", "--threads", "1");
  const file = join(work, "damaged", "frames.bin");
  const bytes = await readFile(file);
  bytes[Math.floor(bytes.length / 2)] ^= 255;
  await writeFile(file, bytes);
  await with_server(["view", "damaged"], async (url, said) => {
    assert.match(said(), /damaged/);
    await with_page(url, async (page) => {
      // Chunks are read, and found damaged, when their time is wanted.
      await page.evaluate(async () => { for (const part of [0.2, 0.5, 0.8]) await window.capstan.setTime(part * window.capstan.duration); });
      assert.match(await page.locator("body").innerText(), /frames? .*(lost|damaged|cannot)/i);
    });
  });
});

test("view: structures and friction cones of a run of the program", async () => {
  await writeFile(join(work, "grain.toml"), await readFile(join(here, "../test/vectors/grain.toml")));
  await run_program("run", "grain.toml", "-o", "grain", "--threads", "1");
  await with_server(["view", "grain"], (url) => with_page(`${url}#t=0.4&contacts=1&contact=-2,-1,0.02,0.02,-0.01&panel=pick`, async (page) => {
    const numbers = await page.locator(".inspector dl").innerText();
    assert.match(numbers, /state\s+slide[\s\S]*mu along, across[\s\S]*cone used\s+(99|100|101) %/);
    const shown = await grab(page);
    await page.keyboard.press("d");
    await page.waitForTimeout(300);
    assert.ok(difference(shown, await grab(page)) > 500, "lines along the structure");
  }, { viewport: { width: 1200, height: 700 } }));
});

test("export: one page, without a server", async () => {
  await run_program("view", "balls", "--export", "balls.html");
  await with_page(pathToFileURL(join(work, "balls.html")).href, async (page) => {
    assert.ok(count(await picture_at(page, 0.5), warm) > 100);
  });
});

test("render: a clip with the pictures asked for", async () => {
  await run_program("render", "balls", "-o", "clip.mp4", "--size", "320x240", "--fps", "10", "--to", "0.4");
  assert.ok((await stat(join(work, "clip.mp4"))).size > 1000);
  const { stdout } = await promisify(execFile)("ffprobe", ["-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,width,height", "-of", "csv=p=0", join(work, "clip.mp4")]);
  assert.equal(stdout.trim(), "320,240,5");
});

/** The smallest distance between points at least `apart` along the strand. */
function closest_to_itself(x, apart) {
  let closest = Infinity;
  for (let i = 0; i < x.length / 3; ++i)
    for (let j = i + apart; j < x.length / 3; ++j)
      closest = Math.min(closest, Math.hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1], x[3 * i + 2] - x[3 * j + 2]));
  return closest;
}

/** Calls use(frame, x) for every frame until `signal`. */
async function watch(url, signal, use) {
  const answer = await fetch(`${url}live/events`, { signal });
  let text = "";
  for await (const part of answer.body) {
    text += Buffer.from(part).toString();
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const data = text.slice(0, end).match(/^data: (.*)$/m);
      if (!data) continue;
      const frame = JSON.parse(data[1]);
      const bytes = Buffer.from(frame.x, "base64");
      use(frame, new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)));
    }
  }
}

test("live: an end that is dragged by the mouse is followed, and the knot does not pass through itself", async () => {
  await with_server(["live", join(here, "knot.toml"), "--threads", "1"], async (url) => {
    const { radii } = (await (await fetch(`${url}api/live`)).json()).strands;
    const stop = new AbortController();
    let first = null, last = null, closest = Infinity;
    const watching = watch(url, stop.signal, (frame, x) => {
      assert.equal(frame.problem, "");
      first ??= x;
      last = x;
      closest = Math.min(closest, closest_to_itself(x, 8));
    }).catch((error) => { if (error.name !== "AbortError") throw error; });
    await with_page(url, async (page) => {
      const image = await grab(page);
      const box = await page.locator("#canvas").boundingBox();
      let at = null;  // the end that points to the right
      for (let x = image.width - 1; x >= 0 && !at; --x)
        for (let y = 0; y < image.height && !at; ++y) {
          const k = 4 * (y * image.width + x);
          if (warm(image.data[k], image.data[k + 1], image.data[k + 2])) at = { x: box.x + x - 3, y: box.y + y };
        }
      assert.ok(at, "the strand is drawn");
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      for (let k = 1; k <= 20; ++k) {
        await page.mouse.move(at.x - 3 * k, at.y - 6 * k);
        await page.waitForTimeout(100);
      }
      await page.waitForTimeout(2500);
      const moved = (k) => Math.hypot(...[0, 1, 2].map((d) => last[3 * k + d] - first[3 * k + d]));
      assert.ok(Math.max(moved(0), moved(last.length / 3 - 1)) > 0.03, "the end follows");
      await page.mouse.up();
    }, { viewport: { width: 900, height: 600 } });
    stop.abort();
    await watching;
    assert.ok(closest > 1.8 * radii[0], `closest ${closest} of radius ${radii[0]}`);
  });
});

let failed = 0;
try {
  await writeFile(join(work, "balls.toml"), await readFile(join(here, "../test/vectors/ball_and_string.toml")));
  await run_program("run", "balls.toml", "-o", "balls", "--threads", "1");
  for (const { name, body } of tests.filter((one) => one.name.includes(only))) {
    try {
      await body();
      console.log(`ok    ${name}`);
    } catch (error) {
      ++failed;
      console.log(`FAILED  ${name}\n${error.stack ?? error}\n${error.stderr ?? ""}`);
    }
  }
} finally {
  await browser.close();
  await rm(work, { recursive: true, force: true });
}
console.log(failed ? `${failed} failed` : "all passed");
process.exit(failed ? 1 : 0);

// End-to-end tests: the built page in a real browser, against synthetic runs. CAPSTAN_RUN=FOLDER adds a real one.
// node e2e/run.mjs [WORD]: only tests whose name has the word.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch, open_page } from "./browser.mjs";
import { cloth_run, cloth_tests } from "./cloth.mjs";
import { grain_run, grain_tests } from "./grain.mjs";
import { live_tests } from "./live.mjs";
import { blue_green, count, difference, grab, green, mean_x, warm } from "./pixels.mjs";
import { PAGE, serve } from "./server.mjs";
import { STRANDS, load_encoder, synthetic_run, write_run } from "./synthetic.mjs";

const only = process.argv[2] ?? "";
const { encoder, close } = await load_encoder();
const work = await mkdtemp(join(tmpdir(), "capstan-e2e-"));
const browser = await launch();
const tests = [];
const test = (name, body) => tests.push({ name, body });

const files = synthetic_run(encoder);
const good = await write_run(join(work, "swing"), files);
const other = await write_run(join(work, "swing_fast"), synthetic_run(encoder, { speed: 2.5, version: 1 }));
const broken_files = { ...synthetic_run(encoder), };
broken_files["frames.bin"] = broken_files["frames.bin"].slice();
const chunks = JSON.parse(new TextDecoder().decode(broken_files["manifest.json"])).frames.chunks;
broken_files["frames.bin"][chunks[1].offset + 500] ^= 255;
const broken = await write_run(join(work, "broken"), broken_files);
const going_on = await write_run(join(work, "going_on"), synthetic_run(encoder, { frames: 30, in_journal: 6 }));

/** Opens the page on run folders, closes everything afterwards. */
async function with_runs(folders, body, { hash = "", options = {}, extra = null, html = null, problems = [] } = {}) {
  const server = await serve(folders, extra, html);
  const page = await open_page(browser, `${server.url}${hash}`, options);
  try {
    await body(page, server);
    const unexpected = page.problems.filter((text) => !problems.some((known) => text.includes(known)));
    assert.deepEqual(unexpected, [], "errors in the page");
  } finally {
    await page.context().close();
    await server.stop();
  }
}
const set_time = (page, t) => page.evaluate((value) => window.capstan.setTime(value), t);
const clock = async (page) => Number.parseFloat(await page.locator("#clock").textContent());
/** Where a strand is on the screen, found in the picture. */
async function strand_pixel(page, wanted = warm) {
  const image = await grab(page);
  const box = await page.locator("#canvas").boundingBox();
  for (let y = Math.floor(image.height * 0.35); y < image.height; ++y)
    for (let x = 2; x < image.width - 2; ++x) {
      const k = 4 * (y * image.width + x);
      if ([-4, 0, 4].every((d) => wanted(image.data[k + d], image.data[k + d + 1], image.data[k + d + 2]))) return { x: box.x + x, y: box.y + y };
    }
  throw new Error("no strand in the picture");
}

test("a run is drawn, and moves between two times", () => with_runs([good], async (page) => {
  const first = await grab(page);
  assert.ok(count(first, warm) > 1500, `strand pixels: ${count(first, warm)}`);
  await set_time(page, 0.8);
  const later = await grab(page);
  assert.ok(difference(first, later) > 1000, "the picture changes with time");
  assert.equal(await clock(page), 0.8);
}));

test("in-between times are interpolated", () => with_runs([good], async (page) => {
  const at = [];
  for (const t of [0.4, 0.42, 0.44]) {
    await set_time(page, t);
    at.push(mean_x(await grab(page), warm));
  }
  assert.ok(Math.min(at[0], at[2]) < at[1] && at[1] < Math.max(at[0], at[2]), `mean places ${at}`);
}));

test("plays, pauses, steps and loops by keyboard", () => with_runs([good], async (page) => {
  await page.keyboard.press("Space");
  await page.waitForFunction(() => Number.parseFloat(document.querySelector("#clock").textContent) > 0.15, null, { timeout: 15000 });
  await page.keyboard.press("Space");
  const stopped = await clock(page);
  await page.waitForTimeout(300);
  assert.equal(await clock(page), stopped, "stands still");
  // A button that was clicked does not keep the space bar for itself.
  await page.click("#contacts");
  await page.keyboard.press("Space");
  assert.match(await page.locator("#play").getAttribute("aria-label"), /Pause/);
  await page.keyboard.press("Space");
  assert.match(await page.locator("#play").getAttribute("aria-label"), /Play/);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await clock(page), 0.08);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await clock(page), 0.04);
  await page.keyboard.press("End");
  assert.equal(await clock(page), 2.36);
  assert.equal(await page.locator("#loop").getAttribute("aria-pressed"), "true");
  await page.keyboard.press("l");
  assert.equal(await page.locator("#loop").getAttribute("aria-pressed"), "false");
  await page.keyboard.press("[");
  assert.equal(await page.locator("#speed").inputValue(), "0.5");
}));

test("the scrub bar seeks, by Range and never the whole file", () => with_runs([good], async (page, server) => {
  const bar = await page.locator("#scrub").boundingBox();
  await page.mouse.click(bar.x + bar.width * 0.75, bar.y + bar.height - 14);
  await page.waitForFunction(() => Math.abs(Number.parseFloat(document.querySelector("#clock").textContent) - 1.77) < 0.05);
  const reads = server.requests.filter(({ path }) => path.endsWith("frames.bin"));
  assert.ok(reads.length > 1 && reads.every(({ range }) => range), "only ranges are asked for");
}));

test("the link keeps time and camera, and leads back", () => with_runs([good], async (page) => {
  await set_time(page, 1.24);
  await page.evaluate(() => window.capstan.setCamera({ position: [0.5, -1, 0.7], target: [0, 0, 0.2] }));
  await page.waitForFunction(() => location.hash.includes("t=1.24") && location.hash.includes("cam=0.5,-1,0.7,0,0,0.2"));
  await page.reload();
  await page.evaluate(() => window.capstan.ready);
  assert.equal(await clock(page), 1.24);
  const camera = await page.evaluate(() => window.capstan.getCamera());
  assert.deepEqual(camera.position.map((value) => Number(value.toFixed(4))), [0.5, -1, 0.7]);
}));

test("contacts appear in the colours of their state", () => with_runs([good], async (page) => {
  await set_time(page, 1);
  const before = count(await grab(page), green);
  await page.keyboard.press("c");
  await page.waitForTimeout(300);
  const after = count(await grab(page), green);
  assert.ok(after > before + 60, `green pixels ${before} to ${after}`);
  assert.match(await page.locator("#legend").textContent(), /open.*stick.*slide/);
  await page.keyboard.press("c");
  await page.waitForTimeout(300);
  assert.ok(count(await grab(page), green) <= before + 5, "and go away");
}));

test("contacts of one body only", () => with_runs([good], async (page) => {
  await page.evaluate(() => { window.capstan.set("contacts", true); window.capstan.setTime(1); });
  await page.waitForTimeout(400);
  const all = await grab(page);
  await page.evaluate(() => window.capstan.set("filter", -2));
  await page.waitForTimeout(400);
  assert.ok(difference(all, await grab(page)) > 50, "fewer contacts are drawn");
}));

test("a run without states colours contacts by force", () => with_runs([other], async (page) => {
  await page.keyboard.press("c");
  await page.waitForTimeout(300);
  assert.match(await page.locator("#legend").textContent(), /force of a contact/);
}));

test("colours by speed, curvature, force and strand, with a legend", () => with_runs([good], async (page) => {
  await set_time(page, 0.6);
  const natural = await grab(page);
  for (const [mode, word] of [["speed", "m/s"], ["curvature", "1/m"], ["contact", "N"], ["id", ""]]) {
    await page.evaluate((value) => window.capstan.set("colour", value), mode);
    await page.waitForTimeout(250);
    const image = await grab(page);
    assert.ok(difference(natural, image) > 800, `${mode} changes the picture`);
    assert.ok((await page.locator("#legend").textContent()).includes(word));
    if (mode === "speed") assert.ok(count(image, blue_green) > 200, "slow ends are blue");
  }
}));

test("a click on a strand shows its numbers and a trace", () => with_runs([good], async (page) => {
  await set_time(page, 0.4);
  const at = await strand_pixel(page);
  await page.mouse.click(at.x, at.y);
  const name = await page.locator("#picked").textContent();
  assert.match(name, /^strand \d+$/);
  assert.ok(Number(name.slice(7)) < STRANDS);
  assert.match(await page.locator(".inspector dl").textContent(), /length.*radius.*4 mm.*contact force/s);
  assert.equal(await page.locator(".inspector .plot canvas").count(), 2);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#picked").count(), 0);
}, { options: { viewport: { width: 1200, height: 700 } } }));

test("a contact can be clicked", () => with_runs([good], async (page) => {
  await page.evaluate(async () => { window.capstan.set("contacts", true); window.capstan.set("arrows", false); await window.capstan.setTime(1); });
  await page.waitForTimeout(300);
  const at = await strand_pixel(page, green);
  await page.mouse.click(at.x, at.y);
  assert.match(await page.locator("#picked").textContent(), / and /);
  assert.match(await page.locator(".inspector dl").textContent(), /force.*N.*state.*stick/s);
}, { options: { viewport: { width: 1200, height: 700 } } }));

test("plots follow the time, and lead to the worst step", () => with_runs([good], async (page) => {
  await page.click("#plots");
  assert.equal(await page.locator(".plots .plot").count(), 5);
  await page.click("#worst");
  await page.waitForFunction(() => Math.abs(Number.parseFloat(document.querySelector("#clock").textContent) - 1) < 1e-3);
  const shift = () => page.locator(".plots .now").first().evaluate((line) => new DOMMatrix(getComputedStyle(line).transform).e);
  const at_worst = await shift();
  await set_time(page, 2);
  assert.ok((await shift()) > at_worst + 20, "the line moves");
}, { options: { viewport: { width: 1200, height: 700 } } }));

test("two runs beside each other, one timeline", () => with_runs([good, other], async (page) => {
  await page.waitForFunction(() => document.querySelectorAll(".labels span").length === 2);
  await set_time(page, 0.7);
  const image = await grab(page);
  const half = (from, to) => ({ ...image, data: image.data.filter((_, k) => { const x = (k >> 2) % image.width; return x >= from && x < to; }) });
  const left = count(half(0, image.width / 2), warm);
  const right = count(half(image.width / 2, image.width), warm);
  assert.ok(left > 400 && right > 400, `both halves show strands: ${left}, ${right}`);
  assert.match(await page.evaluate(() => location.hash), /t=/);
  assert.deepEqual(await page.locator(".labels span").allTextContents(), ["swing", "swing_fast"]);
  await page.click("#runs_menu summary");
  await page.click('input[data-run="swing_fast"]');
  await page.waitForFunction(() => document.querySelector("#run_name").textContent === "swing");
}));

test("a damaged chunk is named, and all others stay", () => with_runs([broken], async (page) => {
  await set_time(page, 0.4);
  const before = await grab(page);
  assert.ok(count(before, warm) > 1000);
  await set_time(page, 1.2);
  const text = await page.locator(".banner.warn").textContent();
  assert.match(text, /chunk 1 of frames\.bin/);
  assert.match(text, /[Ff]rames 24 to 47 \(0\.960 s to 1\.880 s\) are lost/);
  assert.equal(await page.locator(".marks .lost").count(), 1);
  assert.ok(count(await grab(page), warm) > 1000, "the last good frame is held");
  await set_time(page, 2.2);
  assert.ok(difference(before, await grab(page)) > 500, "frames behind it are shown");
}));

test("a damaged header is said, and the manifest helps out", async () => {
  const hurt = { ...files, "frames.bin": files["frames.bin"].slice() };
  hurt["frames.bin"][20] ^= 1;
  const folder = await write_run(join(work, "header"), hurt);
  await with_runs([folder], async (page) => assert.match(await page.locator(".banner.warn").first().textContent(), /header of frames\.bin is damaged/));
});

test("frames of the journal are shown", () => with_runs([going_on], async (page) => {
  assert.equal((await page.evaluate(() => window.capstan.times)).length, 30);
  await set_time(page, 1.12);
  assert.ok(count(await grab(page), warm) > 1000);
}));

test("a run that grows is followed", async () => {
  const folder = await write_run(join(work, "growing"), synthetic_run(encoder, { frames: 26, in_journal: 2 }));
  await with_runs([folder], async (page) => {
    assert.equal((await page.evaluate(() => window.capstan.times)).length, 26);
    await write_run(folder, synthetic_run(encoder, { frames: 30, in_journal: 6 }));
    await page.waitForFunction(() => window.capstan.times.length === 30, null, { timeout: 10000 });
  });
});

test("a page with a run inside needs no server", async () => {
  const inside = { runs: [{ name: "inside", files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")])) }] };
  const marker = "<!--capstan-embedded-->";
  const page_text = await readFile(PAGE, "utf8");
  assert.equal(page_text.split(marker).length, 2, "the marker is there once");
  const html = page_text.replace(marker, `<script type="application/json" id="capstan-embedded">${JSON.stringify(inside)}</script>`);
  await with_runs(null, async (page) => {
    await set_time(page, 0.5);
    assert.ok(count(await grab(page), warm) > 1500);
    assert.equal(await page.locator("#run_name").textContent(), "inside");
  }, { html });
});

test("without runs a friendly page, and a picked folder opens", () => with_runs(null, async (page) => {
  assert.match(await page.locator("#landing").textContent(), /Drop the folder of a run here/);
  const chosen = page.waitForEvent("filechooser");
  await page.click("#pick_folder");
  await (await chosen).setFiles(good);
  await page.waitForSelector("#landing", { state: "detached" });
  await page.waitForTimeout(500);
  assert.ok(count(await grab(page), warm) > 1500);
}));

test("a folder that is no run is explained", () => with_runs(null, async (page) => {
  const chosen = page.waitForEvent("filechooser");
  await page.click("#pick_folder");
  const nothing = await write_run(join(work, "nothing"), { "notes.txt": new Uint8Array(3) });
  await (await chosen).setFiles(nothing);
  assert.match(await page.locator("#problem").textContent(), /no manifest\.json/);
}));

test("fits a phone: sheets, no sideways scrolling", () => with_runs([good], async (page) => {
  assert.ok(count(await grab(page), warm) > 500);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360));
  await page.click("#panel");
  await page.waitForTimeout(400);
  const sheet = await page.locator(".panel").boundingBox();
  assert.ok(sheet.width === 360 && sheet.y > 200, "the panel is a sheet at the bottom");
  for (const id of ["#play", "#loop", "#speed", "#contacts", "#theme"]) {
    const box = await page.locator(id).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 360, `${id} is on the screen`);
  }
}, { options: { viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true } }));

test("light and dark", () => with_runs([good], async (page) => {
  const dark = await grab(page);
  await page.keyboard.press("t");
  await page.waitForTimeout(300);
  const bright = (image) => count(image, (r, g, b) => r > 200 && g > 200 && b > 190) / (image.width * image.height);
  assert.ok(bright(dark) < 0.05 && bright(await grab(page)) > 0.4);
}));

test("help opens and closes", () => with_runs([good], async (page) => {
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("#help").isVisible()));
}));

test("clips: times, no controls, a drawn frame for each time", () => with_runs([good], async (page) => {
  await page.evaluate(() => window.capstan.hideUi());
  assert.equal(await page.evaluate(() => window.capstan.duration), 2.36);
  const box = await page.locator("#canvas").boundingBox();
  assert.deepEqual([box.width, box.height], [800, 600]);
  assert.ok(count(await grab(page), warm) > 1500);
}));

if (process.env.CAPSTAN_RUN)
  for (const folder of process.env.CAPSTAN_RUN.split(","))
    test(`a real run, ${folder.split("/").pop()}`, () => with_runs([folder], async (page) => {
      const duration = await page.evaluate(() => window.capstan.duration);
      await set_time(page, 0);
      const first = await grab(page);
      await set_time(page, duration);
      assert.ok(difference(first, await grab(page)) > 100);
      assert.equal(await page.locator(".banner").count(), 0);
    }));

grain_tests(test, with_runs, {
  run: await write_run(join(work, "plank"), grain_run(encoder)),
  run_with_lines_on_box: await write_run(join(work, "box"), grain_run(encoder, "box")),
  run_with_strands: good,
});
cloth_tests(test, with_runs, {
  run: await write_run(join(work, "cloth"), cloth_run(encoder)),
  run_alone: await write_run(join(work, "far"), cloth_run(encoder, { away: 7, alone: true })),
  run_with_strands: good,
});
live_tests(test, with_runs);

let failed = 0;
for (const { name, body } of tests.filter((one) => one.name.includes(only))) {
  const begin = Date.now();
  try {
    await body();
    console.log(`ok    ${name} (${Date.now() - begin} ms)`);
  } catch (error) {
    ++failed;
    console.log(`FAIL  ${name}\n${error.stack}`);
  }
}
await browser.close();
await close();
await rm(work, { recursive: true });
console.log(failed ? `${failed} failed` : "all passed");
process.exit(failed ? 1 : 0);

// Structures and friction cones: a box slides along a plank whose structure runs along it. No strands.

import assert from "node:assert/strict";
import { count, difference, grab, mean_x_of_difference } from "./pixels.mjs";

const LINES = 400;
const MU = [0.25, 2];
const FORCE = 20; // N, normal, of each contact

/** Lines along x on the top of a box about the origin. */
function lines_on_top([length, width, height]) {
  const step = 2 ** -13;
  const long = 0.12;
  const numbers = new Int16Array(6 * LINES);
  for (let k = 0; k < LINES; ++k) {
    const [x, y, z] = [(length - long) * ((k * 0.618034) % 1) - 0.5 * length, width * ((k + 0.5) / LINES - 0.5), 0.5 * height];
    numbers.set([x, y, z, x + long, y, z].map((value) => Math.round(value / step)), 6 * k);
  }
  return { step, lines: Buffer.from(numbers.buffer).toString("base64") };
}

/** Four contacts that slide along x: the force is on the cone, mu 0.25 along x and 2 along y. `where` has lines. */
export function grain_run(encoder, where = "plank") {
  const step = 2 ** -17;
  const layout = { version: 3, per_chunk: 12, step, obstacles: 2, points_per_strand: [] };
  const bits = (mu) => encoder.float_bits(mu) >>> 12;
  const cone = { known: 2, mu: MU.map(bits), normal: [0, 0], tangent: 8192 }; // a quarter turn from y: -x
  const frames = Array.from({ length: 30 }, (_, f) => {
    const x = -1.2 + 0.06 * f;
    const corners = [[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]];
    const contacts = corners.map(([p, q]) => ({
      x: [x + p, q, 0.1].map((value) => Math.round(value / step)), f: [-MU[0] * FORCE, 0, FORCE], a: -2, b: -1, state: 2, cone,
    }));
    return { time: 0.04 * f, points: new Int32Array(0), poses: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0.25, 1, 0, 0, 0, 1, 0, 0, 0, 1], contacts };
  });
  const obstacles = [{ name: "plank", shape: "box", size: [4, 1, 0.2] }, { name: "box", shape: "box", size: [0.6, 0.6, 0.3], color: [0.1, 0.3, 0.4] }];
  for (const solid of obstacles) if (solid.name === where) solid.structure = lines_on_top(solid.size);
  return encoder.encode_run(layout, frames, { radii: [], obstacles });
}

const violet = (r, g, b) => r > g + 35 && b > g + 45;
const from_above = "cam=0,-1.5,6,0,0,0";
const picked = "contacts=1&contact=-2,-1,0.3,-0.3,-0.15&panel=pick";
const wide = { viewport: { width: 1200, height: 700 } };

export function grain_tests(test, with_runs, { run, run_with_lines_on_box, run_with_strands }) {
  test("the structure of a surface is drawn as lines, and can be hidden", () => with_runs([run], async (page) => {
    const shown = await grab(page);
    await page.keyboard.press("d");
    await page.waitForTimeout(300);
    const hidden = await grab(page);
    assert.ok(difference(shown, hidden) > 1500, `pixels of lines: ${difference(shown, hidden)}`);
    await page.waitForFunction(() => location.hash.includes("structure=0"));
    await page.reload();
    await page.evaluate(() => window.capstan.ready);
    assert.ok(difference(hidden, await grab(page)) < 50, "the link keeps them hidden");
    await page.evaluate(() => window.capstan.set("structure", true));
    await page.waitForTimeout(300);
    assert.ok(difference(shown, await grab(page)) < 50, "and they come back");
  }, { hash: `#${from_above}&theme=light` }));

  test("lines move with their body", () => with_runs([run_with_lines_on_box], async (page) => {
    const middle_of_lines = async (t) => {
      await page.evaluate((time) => window.capstan.setTime(time), t);
      const pictures = [];
      for (const on of [true, false]) {
        await page.evaluate((value) => window.capstan.set("structure", value), on);
        await page.waitForTimeout(300);
        pictures.push(await grab(page));
      }
      return mean_x_of_difference(...pictures);
    };
    const [early, late] = [await middle_of_lines(0), await middle_of_lines(1.1)];
    assert.ok(late > early + 150, `lines are at ${early}, then at ${late}`);
  }, { hash: `#${from_above}&theme=light` }));

  test("the friction cone of a picked contact, with its numbers", () => with_runs([run], async (page) => {
    const before = count(await grab(page), violet);
    await page.evaluate((words) => { location.hash = words; location.reload(); }, `${from_above}&${picked}`);
    await page.waitForFunction(() => document.querySelector("#picked"));
    await page.evaluate(() => window.capstan.setTime(0.4));
    const after = count(await grab(page), violet);
    assert.ok(after > before + 300, `violet pixels ${before} to ${after}`);
    const numbers = await page.locator(".inspector dl").innerText();
    for (const row of [/state\s+slide/, /mu along, across\s+0\.25, 2/, /normal force\s+20 N/, /friction\s+5 N/, /friction from along\s+0\.0°/, /force from normal\s+14\.0° of 14\.0°/, /cone used\s+100 %/])
      assert.match(numbers, row);
    await page.waitForFunction(() => location.hash.includes("contact=-2,-1,0.3,-0.3,-0.15"));
    await page.keyboard.press("Escape");
    await page.waitForTimeout(300);
    assert.ok(count(await grab(page), violet) <= before + 20, "and goes away");
  }, { hash: `#${from_above}`, options: wide }));

  test("a click on a contact of solids picks it", () => with_runs([run], async (page) => {
    await page.evaluate(async () => { window.capstan.set("arrows", false); window.capstan.set("contacts", true); await window.capstan.setTime(0); });
    await page.waitForTimeout(300);
    const image = await grab(page);
    const box = await page.locator("#canvas").boundingBox();
    const red = (k) => image.data[k] > 150 && image.data[k] > image.data[k + 1] + 70 && image.data[k] > image.data[k + 2] + 70;
    let at = null;
    for (let k = 0; k < image.data.length && !at; k += 4) if (red(k) && red(k + 4 * image.width)) at = { x: box.x + ((k / 4) % image.width), y: box.y + Math.floor(k / 4 / image.width) + 2 };
    assert.ok(at, "a contact is seen");
    await page.mouse.click(at.x, at.y);
    assert.equal(await page.locator("#picked").textContent(), "box and plank");
    assert.ok(count(await grab(page), violet) > 100);
  }, { hash: `#${from_above}`, options: wide }));

  test("what concerns strands is offered only with strands, structures only with structures", async () => {
    const seen = (page) => page.evaluate(() => ["#of_strands", "#of_structure"].map((id) => document.querySelector(id).checkVisibility()));
    await with_runs([run], async (page) => assert.deepEqual(await seen(page), [false, true]), { options: wide });
    await with_runs([run_with_strands], async (page) => assert.deepEqual(await seen(page), [true, false]), { options: wide });
    await with_runs([run_with_strands, run], async (page) => assert.deepEqual(await seen(page), [true, true]), { options: wide });
  });
}

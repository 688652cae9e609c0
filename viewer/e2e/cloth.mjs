// Soft bodies and bonds: a sheet that waves above a ball, on a plane. No strands.

import assert from "node:assert/strict";
import { count, difference, grab, mean_x } from "./pixels.mjs";

const SIDE = 25; // vertices
const STEP = 2 ** -17;
const BETA = 191; // of 255: 0.75

function triangles() {
  const list = [];
  for (let j = 0; j + 1 < SIDE; ++j)
    for (let i = 0; i + 1 < SIDE; ++i) {
      const a = j * SIDE + i;
      list.push([a, a + 1, a + SIDE + 1], [a, a + SIDE + 1, a + SIDE]);
    }
  return list;
}

/** Where a vertex is, m; the sheet drifts to the right. `away` moves everything along y. */
function vertex(k, t, away) {
  const x = 0.5 * ((k % SIDE) / (SIDE - 1) - 0.5);
  const y = 0.5 * (Math.floor(k / SIDE) / (SIDE - 1) - 0.5);
  return [x + 0.2 * t, y + away, 0.3 + 0.03 * Math.sin(10 * x + 4 * y - 4 * t)];
}

/** Strained at its left edge, 10 %, and not at its right one. Two contacts with the ball: one has a bond, one sticks. */
export function cloth_run(encoder, { away = 0, alone = false } = {}) {
  const n = SIDE * SIDE;
  const obstacles = alone ? [] : [{ name: "floor", shape: "plane" }, { name: "ball", shape: "sphere", radius: 0.06 }];
  const layout = { version: 4, per_chunk: 12, step: STEP, obstacles: obstacles.length, points_per_strand: [], points_per_mesh: [n] };
  const code = (strain) => Math.max(0, Math.round(1 + 12 * (Math.log2(Math.max(strain, 1e-9)) + 18)));
  const turn = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const frames = Array.from({ length: 30 }, (_, f) => {
    const t = 0.04 * f;
    const mesh_points = new Int32Array(3 * n);
    for (let k = 0; k < n; ++k) vertex(k, t, away).forEach((value, axis) => (mesh_points[axis * n + k] = Math.round(value / STEP)));
    const mesh_codes = Uint8Array.from({ length: n }, (_, k) => code(0.1 * (1 - (k % SIDE) / (SIDE - 1))));
    const contact = (x, beta, state) => ({ x: [x, -0.02, 0.36].map((value) => Math.round(value / STEP)), f: [0, 0, 2], a: -3, b: -2, state, beta });
    return { time: t, points: new Int32Array(0), poses: alone ? [] : [0, 0, 0, ...turn, 0, 0, 0.06, ...turn], contacts: alone ? [] : [contact(-0.1, BETA, 1), contact(0.1, 0, 1)], mesh_points, mesh_codes };
  });
  const meshes = [{ name: "sheet", kind: "cloth", thickness: 1e-3, points: n, triangles: encoder.packed_triangles(triangles()) }];
  return encoder.encode_run(layout, frames, { radii: [], obstacles, meshes });
}

const blue = (r, g, b) => b > 80 && b > r + 45 && b > g + 12;
const yellow = (r, g, b) => r > 110 && g > 110 && Math.min(r, g) > b + 50;
const pink = (r, g, b) => r > 120 && b > 100 && r > g + 45 && b > g + 35;
const green = (r, g, b) => g > 110 && g > r + 40 && g > b + 25;
const from_above = "cam=0.1,-0.7,1.1,0.1,0,0.2";
const from_below = "cam=0.1,-0.9,0.05,0.1,0,0.3";
const wide = { viewport: { width: 1200, height: 700 } };
const settle = (page) => page.waitForTimeout(300);

export function cloth_tests(test, with_runs, { run, run_alone, run_with_strands }) {
  const set_time = (page, t) => page.evaluate((value) => window.capstan.setTime(value), t);

  test("cloth is drawn from both sides, and moves", async () => {
    for (const hash of [from_above, from_below])
      await with_runs([run], async (page) => {
        const places = [];
        for (const t of [0, 0.5, 1]) {
          await set_time(page, t);
          const image = await grab(page);
          assert.ok(count(image, blue) > 3000, `pixels of cloth: ${count(image, blue)}`);
          places.push(mean_x(image, blue));
        }
        assert.ok(places[0] + 30 < places[1] && places[1] + 30 < places[2], `cloth is at ${places}`);
      }, { hash: `#${hash}` });
  });

  test("cloth moves between two frames", () => with_runs([run], async (page) => {
    const places = [];
    for (const t of [0.4, 0.42, 0.44]) {
      await set_time(page, t);
      places.push(mean_x(await grab(page), blue));
    }
    assert.ok(places[0] < places[1] && places[1] < places[2], `cloth is at ${places}`);
  }, { hash: `#${from_above}` }));

  test("the camera finds cloth that is alone and far away", () => with_runs([run_alone], async (page) => {
    const image = await grab(page);
    assert.ok(count(image, blue) > 0.05 * image.width * image.height, `pixels of cloth: ${count(image, blue)}`);
    const border = { ...image, data: image.data.subarray(0, 4 * image.width) };
    assert.equal(count(border, blue), 0, "it is inside the picture");
  }));

  test("cloth by strain, with a legend, and the link keeps it", () => with_runs([run], async (page) => {
    const plain = await grab(page);
    assert.ok(count(plain, yellow) < 50);
    await page.keyboard.press("e");
    await settle(page);
    const strained = await grab(page);
    assert.ok(count(strained, yellow) > 500, `strained pixels: ${count(strained, yellow)}`);
    assert.ok(mean_x(strained, yellow) + 100 < mean_x(plain, blue), "they are on the left");
    assert.match(await page.locator("#legend").textContent(), /strain.*10(\.\d)? %|strain.*9\.\d+ %/);
    await page.waitForFunction(() => location.hash.includes("strain=1"));
    await page.reload();
    await page.evaluate(() => window.capstan.ready);
    assert.ok(difference(strained, await grab(page)) < 50, "the link keeps it");
    await page.click("#show_strain");
    await settle(page);
    assert.ok(difference(plain, await grab(page)) < 50, "and it goes away");
  }, { hash: `#${from_above}`, options: wide }));

  test("the mesh of cloth is drawn as lines if wished", () => with_runs([run], async (page) => {
    const plain = await grab(page);
    await page.keyboard.press("m");
    await settle(page);
    const lines = await grab(page);
    assert.ok(difference(plain, lines) > 1500, `pixels of lines: ${difference(plain, lines)}`);
    assert.ok(count(lines, blue) > 0.4 * count(plain, blue), "the surface is still seen");
    await page.waitForFunction(() => location.hash.includes("wireframe=1"));
    await page.evaluate(() => window.capstan.set("wireframe", false));
    await settle(page);
    assert.ok(difference(plain, await grab(page)) < 50);
  }, { hash: `#cam=0.1,-0.35,0.75,0.05,0,0.3` }));

  test("contacts with a bond have a colour of their own, and say how strong it is", () => with_runs([run], async (page) => {
    const before = await grab(page);
    assert.ok(count(before, pink) < 10);
    await page.keyboard.press("c");
    await settle(page);
    const image = await grab(page);
    assert.ok(count(image, pink) > 40 && count(image, green) > 40, `bond ${count(image, pink)}, stick ${count(image, green)} pixels`);
    assert.ok(mean_x(image, pink) + 30 < mean_x(image, green), "the bond is on the left");
    assert.match(await page.locator("#legend").textContent(), /bond of a contact/);
    await page.evaluate((words) => { location.hash = words; location.reload(); }, `${from_above}&contacts=1&contact=-3,-2,-0.1,-0.02,0.36&panel=pick`);
    await page.waitForFunction(() => document.querySelector("#picked"));
    await page.evaluate(() => window.capstan.ready);
    assert.equal(await page.locator("#picked").textContent(), "sheet and ball");
    assert.match(await page.locator(".inspector dl").innerText(), /state\s+stick\s+bond, beta\s+0\.749/);
    await page.evaluate(() => window.capstan.set("contact_colour", "force"));
    await settle(page);
    assert.ok(count(await grab(page), pink) < 10, "by force there are no bonds");
  }, { hash: `#${from_above}`, options: wide }));

  test("a click on cloth shows its numbers", () => with_runs([run], async (page) => {
    const image = await grab(page);
    const box = await page.locator("#canvas").boundingBox();
    const y = Math.round(0.5 * image.height);
    let x = 0;
    while (x < image.width && !blue(...image.data.subarray(4 * (y * image.width + x), 4 * (y * image.width + x) + 3))) ++x;
    await page.mouse.click(box.x + x + 20, box.y + y);
    assert.equal(await page.locator("#picked").textContent(), "sheet");
    const numbers = await page.locator(".inspector dl").innerText();
    for (const row of [/kind\s+cloth/, /vertices, triangles\s+625, 1152/, /thickness\s+1 mm/, /largest strain\s+9\.\d+ %|largest strain\s+10(\.\d)? %/, /contacts\s+2/, /contact force\s+4 N/]) assert.match(numbers, row);
    assert.equal(await page.locator(".inspector .plot canvas").count(), 2);
    assert.ok(difference(image, await grab(page)) > 1000, "it is marked");
  }, { hash: `#${from_above}`, options: wide }));

  test("what concerns soft bodies is offered only with soft bodies", async () => {
    const seen = (page) => page.evaluate(() => document.querySelector("#of_meshes").checkVisibility());
    await with_runs([run], async (page) => assert.equal(await seen(page), true), { options: wide });
    await with_runs([run_with_strands], async (page) => assert.equal(await seen(page), false), { options: wide });
  });
}

// Live mode against a server that plays a simulation: strands hang, and follow what is dragged.

import assert from "node:assert/strict";
import { count, grab, warm } from "./pixels.mjs";

function mock() {
  const commands = [];
  const clients = new Set();
  const state = { step: 0, paused: false };
  const strands = 5;
  const points = 8;
  const frame = () => {
    const x = new Float32Array(3 * strands * points);
    for (let s = 0; s < strands; ++s)
      for (let i = 0; i < points; ++i) x.set([0.02 * Math.sin(0.1 * state.step) * i, 0.08 * (s - 2), 0.4 - 0.05 * i], 3 * (s * points + i));
    const poses = new Float32Array([0.2, 0, 0.1, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const base64 = (array) => Buffer.from(array.buffer).toString("base64");
    return { t: 0.01 * state.step, step: state.step, contacts: 3, error: 2e-7, x: base64(x), poses: base64(poses), paused: state.paused };
  };
  const timer = setInterval(() => {
    if (!state.paused) ++state.step;
    for (const client of clients) client.write(`event: frame\ndata: ${JSON.stringify(frame())}\n\n`);
  }, 60);
  const extra = async (request, response, url) => {
    if (url.pathname === "/api/live") {
      const description = { strands: { points_per_strand: Array(strands).fill(points), radii: Array(strands).fill(0.006) }, obstacles: [{ name: "ball", shape: "sphere", radius: 0.06 }], friction: [{ name: "rope on ball", mu: 0.3 }] };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(description));
    } else if (url.pathname === "/live/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
      clients.add(response);
      request.on("close", () => clients.delete(response));
    } else if (url.pathname === "/live/command") {
      let body = "";
      for await (const part of request) body += part;
      const command = JSON.parse(body);
      commands.push(command);
      if (command.type === "pause") state.paused = true;
      if (command.type === "resume") state.paused = false;
      if (command.type === "restart") state.step = 0;
      response.writeHead(204).end();
    } else return false;
    return true;
  };
  return { extra, commands, state, stop: () => clearInterval(timer) };
}

export function live_tests(test, with_runs) {
  test("live: frames arrive, pause and restart, friction", async () => {
    const server = mock();
    try {
      await with_runs(null, async (page) => {
        assert.ok(count(await grab(page), warm) > 500, "strands are drawn");
        await page.click("#live_pause");
        await page.waitForFunction(() => document.querySelector(".live_bar").classList.contains("paused"));
        await page.click("#live_restart");
        await page.click("#live_pause");
        await page.waitForFunction(() => !document.querySelector(".live_bar").classList.contains("paused"));
        await page.locator('[data-friction="rope on ball"]').fill("0.8");
        await page.waitForTimeout(200);
        assert.deepEqual(server.commands.map(({ type }) => type), ["pause", "restart", "resume", "friction"]);
        assert.deepEqual(server.commands[3], { type: "friction", name: "rope on ball", mu: 0.8 });
        assert.match(await page.locator("#live_numbers").textContent(), /step \d+ .*3 contacts.*error/);
      }, { extra: server.extra, options: { viewport: { width: 1100, height: 700 } } });
    } finally {
      server.stop();
    }
  });

  test("live: a strand is dragged in the plane that faces the camera", async () => {
    const server = mock();
    server.state.paused = true;
    try {
      await with_runs(null, async (page) => {
        const image = await grab(page);
        const box = await page.locator("#canvas").boundingBox();
        let at = null;
        for (let y = Math.floor(image.height / 2); y < image.height && !at; ++y)
          for (let x = 0; x < image.width && !at; ++x) {
            const k = 4 * (y * image.width + x);
            if (warm(image.data[k], image.data[k + 1], image.data[k + 2])) at = { x: box.x + x, y: box.y + y };
          }
        const before = await page.evaluate(() => window.capstan.getCamera());
        await page.mouse.move(at.x + 2, at.y + 2);
        await page.mouse.down();
        for (let k = 1; k <= 10; ++k) {
          await page.mouse.move(at.x + 2 + 8 * k, at.y + 2);
          await page.waitForTimeout(25);
        }
        await page.mouse.up();
        await page.waitForTimeout(200);
        const drags = server.commands.filter(({ type }) => type === "drag");
        assert.ok(drags.length >= 3 && drags.length <= 11, `${drags.length} drags`);
        assert.ok(drags.every(({ strand, point, target }) => strand >= 0 && strand < 5 && point >= 0 && point < 8 && target.every(Number.isFinite)));
        assert.notDeepEqual(drags[0].target, drags.at(-1).target);
        assert.equal(server.commands.at(-1).type, "release");
        assert.deepEqual(await page.evaluate(() => window.capstan.getCamera()), before, "the camera stays");
      }, { extra: server.extra });
    } finally {
      server.stop();
    }
  });
}

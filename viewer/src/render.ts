// For `capstan render`: draws the pictures that the server wants, one after the other, and sends them.

import type { App } from "./app";

interface Wanted {
  width: number;
  height: number;
  from: number; // s
  step: number; // s between pictures
  pictures: number;
}

async function post(path: string, type: string, body: BodyInit): Promise<void> {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": type }, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

/** Does nothing unless the server makes a clip. */
export async function render_for_server(root: HTMLElement, app: App): Promise<void> {
  const answer = location.protocol.startsWith("http") ? await fetch("api/render").catch(() => null) : null;
  if (answer?.status !== 200) return;
  try {
    const wanted = (await answer.json()) as Wanted;
    root.style.cssText = `position:fixed;inset:auto;left:0;top:0;width:${wanted.width}px;height:${wanted.height}px`;
    app.hide_ui();
    for (let k = 0; k < wanted.pictures; ++k) {
      await app.player.seek_now(wanted.from + k * wanted.step);
      if (!app.stage) throw new Error("there is nothing to draw");
      await post("render/frame", "image/png", await app.stage.picture());
    }
  } catch (error) {
    await post("render/failed", "application/json", JSON.stringify(String(error)));
  }
}

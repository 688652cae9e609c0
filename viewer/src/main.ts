// Finds runs: inside the page, on the server it came from, or none yet.

import "./style.css";
import { App } from "./app";
import { start_live } from "./live/live";
import { render_for_server } from "./render";
import { embedded_runs } from "./source/embedded";
import { list_server_runs } from "./source/server";
import type { RunSource } from "./source/source";
import type { CameraPose } from "./view/stage";

async function find_runs(): Promise<RunSource[]> {
  const embedded = embedded_runs();
  return embedded.length ? embedded : ((await list_server_runs()) ?? []);
}

const root = document.getElementById("app")!;
const app = new App(root);
const ready = (async () => {
  if (await start_live(app)) return;
  await app.start(await find_runs());
  void render_for_server(root, app);
})().catch((error: unknown) => {
  app.banners.add(`The viewer stopped: ${error instanceof Error ? error.message : String(error)}`, "warn");
  throw error;
});

/** For programs that make pictures and clips of a run. */
const capstan = {
  ready,
  get duration(): number {
    return app.player.duration;
  },
  get times(): number[] {
    return app.times;
  },
  /** Resolves after the frame is drawn. */
  setTime: (t: number) => app.player.seek_now(t),
  /** A preset ("front"), or position and target in metres. */
  setCamera: (pose: CameraPose | string) => app.set_camera(pose),
  getCamera: () => app.stage?.pose(),
  /** For instance set("colour", "speed") or set("contacts", true). */
  set: (key: string, value: unknown) => app.set_option(key, value),
  play: (on = true) => app.player.play(on),
  hideUi: () => app.hide_ui(),
};
export type CapstanPage = typeof capstan;
(window as unknown as { capstan: CapstanPage }).capstan = capstan;

// Live mode: if the server that sent the page simulates right now, watch it and take part.

import { Plane, Raycaster, Vector2, Vector3 } from "three";
import type { App } from "../app";
import { button, digits, h, icon } from "../ui/dom";
import { LiveRun, type LiveDescription } from "./live_run";

const DRAG_INTERVAL = 33; // ms

/** True if there is a simulation to watch. */
export async function start_live(app: App): Promise<boolean> {
  const description = await ask();
  if (!description) return false;
  const live = new LiveRun(description);
  await live.connect();
  app.show_live(live, friction_sliders(live));
  const bar = live_bar(live);
  app.replace_timeline(bar.element);
  let pending = false;
  live.on_frame = () => {
    bar.update();
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => {
      pending = false;
      app.player.show_newest();
    });
  };
  bar.update();
  allow_dragging(app, live);
  return true;
}

async function ask(): Promise<LiveDescription | null> {
  if (!location.protocol.startsWith("http") || document.getElementById("capstan-embedded")) return null;
  try {
    const response = await fetch("api/live");
    if (!response.ok || !(response.headers.get("content-type") ?? "").includes("json")) return null;
    return (await response.json()) as LiveDescription;
  } catch {
    return null;
  }
}

function live_bar(live: LiveRun): { element: HTMLElement; update(): void } {
  const pause = button("pause", "Pause", () => void live.send({ type: live.status.paused ? "resume" : "pause" }), "live_pause");
  const restart = button("restart", "Start again", () => void live.send({ type: "restart" }), "live_restart");
  const numbers = h("span", { class: "live_numbers", id: "live_numbers" });
  const dot = h("i", { class: "live_dot" });
  const word = h("b", {}, "live");
  const element = h("footer", { class: "timeline live_bar" }, pause, restart, h("span", { class: "live_word" }, dot, word), numbers, h("small", { class: "live_tip" }, "Drag a strand to pull it."));
  return {
    element,
    update() {
      const { t, step, contacts, error, paused, connected } = live.status;
      const symbol = paused ? "play" : "pause";
      if (pause.dataset.symbol !== symbol) {
        pause.dataset.symbol = symbol;
        pause.replaceChildren(icon(symbol));
        pause.title = paused ? "Go on" : "Pause";
      }
      element.classList.toggle("paused", paused);
      element.classList.toggle("gone", !connected);
      word.textContent = !connected ? "the simulation does not answer; trying again" : paused ? "paused" : "live";
      numbers.textContent = `${t.toFixed(3)} s   step ${step}   ${contacts} contacts   error ${digits(error)}`;
    },
  };
}

function friction_sliders(live: LiveRun): HTMLElement {
  const box = h("div", { class: "settings" }, h("h3", {}, "Friction"));
  for (const { name, mu } of live.friction) {
    const value = h("output", {}, digits(mu));
    const input = h("input", { type: "range", min: 0, max: 1.5, step: 0.01, value: mu, "data-friction": name, oninput: () => {
      value.textContent = digits(Number(input.value));
      void live.send({ type: "friction", name, mu: Number(input.value) });
    } });
    box.append(h("label", { class: "line" }, h("span", {}, name), input, value));
  }
  if (!live.friction.length) box.hidden = true;
  return box;
}

/** A picked point follows the pointer in the plane that faces the camera. */
function allow_dragging(app: App, live: LiveRun): void {
  const stage = app.stage!;
  const frame = stage.canvas.parentElement!;
  let held: { strand: number; point: number; plane: Plane; pointer: number } | null = null;
  let sent = 0;
  const target = (event: PointerEvent): Vector3 | null => {
    const hit = stage.pointer(event);
    if (!hit || !held) return null;
    const { pointer } = hit;
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * pointer.x) / pointer.width - 1, 1 - (2 * pointer.y) / pointer.height), pointer.camera);
    return caster.ray.intersectPlane(held.plane, new Vector3());
  };
  // Before the camera's own handler on the canvas, which would turn the scene instead.
  frame.addEventListener("pointerdown", (event) => {
    if (event.target !== stage.canvas || !event.isPrimary || event.button !== 0) return;
    const pick = stage.pick(event)?.pick;
    if (pick?.kind !== "strand") return;
    stage.controls.enabled = false;
    const away = stage.camera.getWorldDirection(new Vector3());
    held = { strand: pick.body, point: pick.point, plane: new Plane().setFromNormalAndCoplanarPoint(away, pick.place), pointer: event.pointerId };
    stage.canvas.setPointerCapture(event.pointerId);
  }, { capture: true });
  frame.addEventListener("pointermove", (event) => {
    if (!held || event.timeStamp - sent < DRAG_INTERVAL) return;
    const to = target(event);
    if (!to) return;
    sent = event.timeStamp;
    void live.send({ type: "drag", strand: held.strand, point: held.point, target: to.toArray() });
  });
  const release = () => {
    if (!held) return;
    held = null;
    stage.controls.enabled = true;
    void live.send({ type: "release" });
  };
  frame.addEventListener("pointerup", release);
  frame.addEventListener("pointercancel", release);
}

// Clicks on the picture: a short one picks, a double one comes closer. Longer ones turn the camera.

import type { Vector3 } from "three";
import type { Picked, Stage } from "../view/stage";

export function listen_to_clicks(stage: Stage, pick: (picked: Picked | null) => void, look_at: (place: Vector3) => void): void {
  let down: { x: number; y: number; time: number } | null = null;
  stage.canvas.addEventListener("pointerdown", (event) => {
    down = event.isPrimary && event.button === 0 ? { x: event.clientX, y: event.clientY, time: event.timeStamp } : null;
  });
  stage.canvas.addEventListener("pointerup", (event) => {
    if (!down || Math.hypot(event.clientX - down.x, event.clientY - down.y) > 5 || event.timeStamp - down.time > 700) return;
    pick(stage.pick(event));
  });
  stage.canvas.addEventListener("dblclick", (event) => {
    const hit = stage.pick(event);
    if (hit?.pick) look_at(hit.pick.place);
  });
}

// The canvas: views side by side, one camera for all, drawn when something has changed.

import { PerspectiveCamera, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Pick, Pointer } from "./body_view";
import type { RunView } from "./run_view";

export interface CameraPose {
  position: [number, number, number];
  target: [number, number, number];
}

export interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** True if WebGL runs on the processor: then detail is traded for speed. */
export function drawn_by_software(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return true;
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export const VIEW_DIRECTIONS: Record<string, [number, number, number]> = {
  "three-quarter": [0.62, -1, 0.42], front: [0, -1, 0.06], back: [0, 1, 0.06],
  left: [-1, 0, 0.06], right: [1, 0, 0.06], top: [0, -0.001, 1],
};

/** Where on the page something was picked: in this view, this, or nothing in it. */
export interface Picked {
  view: RunView;
  pick: Pick | null;
}

export class Stage {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly renderer: WebGLRenderer;
  views: RunView[] = [];
  /** After every drawing. */
  on_drawn: () => void = () => {};
  on_camera: () => void = () => {};
  on_layout: (places: Place[]) => void = () => {};

  private ratio = 1;
  private wanted = false;
  private waiting: (() => void)[] = [];
  private eye = new PerspectiveCamera();

  constructor(readonly canvas: HTMLCanvasElement, readonly software: boolean, antialias: boolean, ratio: number) {
    this.renderer = new WebGLRenderer({ canvas, antialias, powerPreference: "high-performance" });
    this.renderer.autoClear = false;
    this.renderer.sortObjects = true;
    this.ratio = ratio;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !software;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => {
      this.redraw();
      this.on_camera();
    });
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
    this.resize();
  }

  get lost(): boolean {
    return this.renderer.getContext().isContextLost();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.on_layout(this.places());
    // At once: a resized canvas is empty until it is drawn.
    this.draw();
  }

  /** Side by side, or one above the other where it is narrow. */
  places(): Place[] {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    const n = Math.max(1, this.views.length);
    const columns = width >= height * 0.9 ? Math.min(n, n > 3 ? Math.ceil(Math.sqrt(n)) : n) : n > 3 ? 2 : 1;
    const rows = Math.ceil(n / columns);
    return Array.from({ length: n }, (_, k) => ({
      left: Math.round(((k % columns) * width) / columns),
      top: Math.round((Math.floor(k / columns) * height) / rows),
      width: Math.round(width / columns),
      height: Math.round(height / rows),
    }));
  }

  set_views(views: RunView[]): void {
    this.views = views;
    this.on_layout(this.places());
    this.redraw();
  }

  /** Looks at the first view's scene from a direction, so that all of it is seen. */
  fit(direction: [number, number, number] = VIEW_DIRECTIONS["three-quarter"]): void {
    const view = this.views[0];
    if (!view) return;
    const place = this.places()[0];
    const tangent = 0.93 * this.tangent(place);
    const back = new Vector3(...direction).normalize();
    const right = new Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(right);
    // Every corner of the box must be inside the picture: each asks for some distance.
    let distance = 0;
    for (let k = 0; k < 8; ++k) {
      const { min, max } = view.box;
      const corner = new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).sub(view.middle);
      const wide = Math.abs(corner.dot(right)) / (tangent * (place.width / place.height));
      const high = Math.abs(corner.dot(up)) / tangent;
      distance = Math.max(distance, corner.dot(back) + Math.max(wide, high));
    }
    this.controls.target.copy(view.middle);
    this.camera.position.copy(back.multiplyScalar(distance)).add(view.middle);
    this.clip();
    this.controls.update();
    this.redraw();
  }

  /** Half the height of the picture at distance 1. A narrow picture gets a wider angle, not less of the scene. */
  private tangent(place: Place): number {
    return Math.tan((this.camera.fov * Math.PI) / 360) * Math.sqrt(Math.max(1, (1.2 * place.height) / place.width));
  }

  private clip(): void {
    const size = this.views[0]?.size ?? 1;
    this.controls.minDistance = 0.01 * size;
    this.controls.maxDistance = 12 * size;
  }

  pose(): CameraPose {
    return { position: this.camera.position.toArray(), target: this.controls.target.toArray() };
  }

  set_pose(pose: CameraPose): void {
    this.camera.position.fromArray(pose.position);
    this.controls.target.fromArray(pose.target);
    this.clip();
    this.controls.update();
    this.redraw();
  }

  /** The camera of view k: the same for scenes of one size and place, moved along for others. */
  private camera_of(k: number, place: Place): PerspectiveCamera {
    const first = this.views[0];
    const view = this.views[k];
    const { eye } = this;
    eye.copy(this.camera, false);
    const alike = Math.abs(Math.log(view.size / first.size)) < 0.5 && view.middle.distanceTo(first.middle) < 0.5 * first.size;
    if (!alike) {
      const scale = view.size / first.size;
      eye.position.sub(first.middle).multiplyScalar(scale).add(view.middle);
    }
    const away = eye.position.distanceTo(view.middle);
    eye.near = Math.max(0.004 * view.size, away - 4 * view.size);
    eye.far = away + 5 * view.size;
    eye.aspect = place.width / place.height;
    eye.fov = (360 / Math.PI) * Math.atan(this.tangent(place));
    eye.updateProjectionMatrix();
    eye.updateMatrixWorld(true);
    return eye;
  }

  redraw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => {
      this.wanted = false;
      this.draw();
    });
  }

  /** Resolves after the next drawing. */
  drawn(): Promise<void> {
    return new Promise((done) => {
      this.waiting.push(done);
      this.redraw();
    });
  }

  draw(): void {
    const { renderer } = this;
    const whole = this.canvas.parentElement!.clientHeight;
    renderer.setScissorTest(true);
    this.places().forEach((place, k) => {
      const view = this.views[k];
      if (!view) return;
      const bottom = whole - place.top - place.height;
      renderer.setViewport(place.left, bottom, place.width, place.height);
      renderer.setScissor(place.left, bottom, place.width, place.height);
      renderer.clear();
      view.draw(renderer, this.camera_of(k, place), place.height * this.ratio, this.ratio);
    });
    if (this.controls.enableDamping && this.controls.update()) this.redraw();
    for (const done of this.waiting.splice(0)) done();
    this.on_drawn();
  }

  /** The view under a place of the canvas, with the pointer in its own pixels. */
  pointer(event: { clientX: number; clientY: number }): { view: RunView; pointer: Pointer } | null {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const places = this.places();
    const k = places.findIndex((place) => x >= place.left && x < place.left + place.width && y >= place.top && y < place.top + place.height);
    if (k < 0 || !this.views[k]) return null;
    const place = places[k];
    const camera = this.camera_of(k, place).clone();
    return { view: this.views[k], pointer: { x: x - place.left, y: y - place.top, width: place.width, height: place.height, camera } };
  }

  pick(event: { clientX: number; clientY: number }): Picked | null {
    const hit = this.pointer(event);
    return hit && { view: hit.view, pick: hit.view.pick(hit.pointer) };
  }

  /** The picture as it is, as PNG. */
  picture(): Promise<Blob> {
    this.draw();
    return new Promise((done, fail) => this.canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the browser made no picture"))), "image/png"));
  }
}

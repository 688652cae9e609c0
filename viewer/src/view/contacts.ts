// Contacts of the nearest frame: a dot each, and an arrow for the force. What is behind bodies shines
// through faintly.

import {
  Color, GLSL3, Group, Mesh, PlaneGeometry, RawShaderMaterial, Vector3, type InstancedBufferAttribute, type InstancedBufferGeometry,
  type PerspectiveCamera,
} from "three";
import type { Contacts } from "../run/frame";
import { ARROW_FRAGMENT, ARROW_VERTEX, arrow_geometry, instanced } from "./arrows";
import { STATE_COLOURS, bond_colour, ramp, type Rgb } from "./colours";
import type { Pick, Pointer } from "./body_view";

const DOT_VERTEX = /* glsl */ `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixels, size, lift;
in vec3 position;
in vec3 at, tint;
in float weight;
out vec3 tint_;
out vec2 uv_;
void main() {
  tint_ = tint;
  uv_ = position.xy * 2.0;
  vec3 to_eye = cameraPosition - at;
  float distance_ = length(to_eye);
  vec4 p = viewMatrix * vec4(at + to_eye / distance_ * lift, 1.0);
  p.xy += position.xy * 2.0 * size * mix(0.6, 1.0, weight) * distance_ / pixels;
  gl_Position = projectionMatrix * p;
}
`;
const DOT_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 tint_;
in vec2 uv_;
uniform float strength;
uniform vec3 rim;
out vec4 colour;
void main() {
  float d = length(uv_);
  if (d > 1.0) discard;
  float edge = fwidth(d);
  vec3 c = mix(tint_, rim, smoothstep(0.7 - edge, 0.7 + edge, d));
  colour = vec4(sqrt(c), strength * (1.0 - smoothstep(1.0 - edge, 1.0, d)));
}
`;
export type ContactColouring = "state" | "force";

export class ContactsView {
  readonly object = new Group();
  shown: number[] = []; // contacts of the frame that pass the filter
  private contacts: Contacts | null = null;
  private capacity = 0;
  private meshes: Mesh<InstancedBufferGeometry, RawShaderMaterial>[] = [];
  private shared = {
    pixels: { value: 1000 }, size: { value: 4 }, scale: { value: 1 }, thickness: { value: 1.3 }, lift: { value: 0 },
    to_light: { value: new Vector3(-0.52, -0.46, 0.72) }, rim: { value: new Color(0, 0, 0) },
  };
  private stamp = "";
  private typical_ = 0;
  private scale_ = 1;

  dots = true;
  arrows = true;
  colouring: ContactColouring = "state";
  body: number | null = null; // only contacts of this body, as they name it
  force_range: [number, number] = [0, 1];

  constructor(private scene_size: number, radius: number) {
    this.shared.lift.value = 2.5 * radius;
    this.object.visible = false;
    this.object.renderOrder = 20;
  }

  set rim(colour: Color) {
    this.shared.rim.value = colour;
  }

  /** Length of arrows, relative to what fits the scene. */
  set scale(value: number) {
    this.scale_ = value;
    this.shared.scale.value = this.typical_ > 0 ? (value * 0.1 * this.scene_size) / this.typical_ : 0;
  }

  /** Of arrows, m/N. */
  get length_of_force(): number {
    return this.shared.scale.value;
  }

  /** A force that stays the unit of length, so that arrows of different times compare. */
  get typical(): number {
    return this.typical_;
  }
  set typical(force: number) {
    this.typical_ = force;
    this.force_range = [0, 2 * force];
    this.scale = this.scale_;
  }

  show(contacts: Contacts, frame: number): void {
    this.contacts = contacts;
    const stamp = `${frame} ${contacts.count} ${this.body} ${this.colouring} ${this.dots} ${this.arrows} ${this.typical_}`;
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    if (contacts.count > this.capacity) this.grow(contacts.count);
    this.shown = [];
    const force_of = (k: number) => Math.hypot(contacts.force[3 * k], contacts.force[3 * k + 1], contacts.force[3 * k + 2]);
    for (let k = 0; k < contacts.count; ++k)
      if (this.body === null || contacts.a[k] === this.body || contacts.b[k] === this.body) this.shown.push(k);
    if (!this.meshes.length) return;
    const [dots, , arrows] = this.meshes;
    const column = (mesh: Mesh, name: string) => mesh.geometry.getAttribute(name) as InstancedBufferAttribute;
    this.shown.forEach((k, n) => {
      const f = force_of(k);
      const weight = Math.min(1, f / Math.max(1e-30, this.force_range[1]));
      column(dots, "at").setXYZ(n, contacts.place[3 * k], contacts.place[3 * k + 1], contacts.place[3 * k + 2]);
      column(dots, "tint").setXYZ(n, ...this.tint(contacts, k, weight));
      column(dots, "weight").setX(n, weight);
      column(arrows, "force").setXYZ(n, contacts.force[3 * k], contacts.force[3 * k + 1], contacts.force[3 * k + 2]);
    });
    for (const name of ["at", "tint", "weight"]) column(dots, name).needsUpdate = true;
    column(arrows, "force").needsUpdate = true;
    this.meshes.forEach((mesh, m) => {
      mesh.geometry.instanceCount = this.shown.length;
      mesh.visible = (m < 2 ? this.dots : this.arrows) && this.shown.length > 0;
    });
  }

  /** By its bond if it has one, by its state, or by its force; `weight` is that, 0 to 1. */
  private tint({ state, beta }: Contacts, k: number, weight: number): Rgb {
    if (this.colouring === "force" || !state) return ramp(0.15 + 0.85 * weight);
    return beta && beta[k] > 0 ? bond_colour(beta[k]) : (STATE_COLOURS[state[k]] ?? STATE_COLOURS[0]);
  }

  private grow(count: number): void {
    this.clear();
    this.capacity = Math.ceil(count * 1.5) + 64;
    const dots = instanced(new PlaneGeometry(1, 1), this.capacity, { at: 3, tint: 3, weight: 1 });
    const arrows = instanced(arrow_geometry(), this.capacity, { force: 3 });
    // Both draw the same contacts in the same colours.
    arrows.setAttribute("at", dots.getAttribute("at"));
    arrows.setAttribute("tint", dots.getAttribute("tint"));
    for (const [geometry, vertexShader, fragmentShader] of [[dots, DOT_VERTEX, DOT_FRAGMENT], [arrows, ARROW_VERTEX, ARROW_FRAGMENT]] as const)
      for (const through of [true, false]) {
        const material = new RawShaderMaterial({
          glslVersion: GLSL3, vertexShader, fragmentShader, transparent: true, depthWrite: !through, depthTest: !through,
          uniforms: { ...this.shared, strength: { value: through ? 0.16 : 0.96 } },
        });
        const mesh = new Mesh(geometry, material);
        mesh.frustumCulled = false;
        mesh.renderOrder = through ? 20 : 21;
        this.object.add(mesh);
        this.meshes.push(mesh);
      }
  }

  prepare(_camera: PerspectiveCamera, height: number, fov: number, ratio: number): void {
    this.shared.pixels.value = height / (2 * Math.tan((fov * Math.PI) / 360));
    this.shared.size.value = 3.6 * ratio;
    this.shared.thickness.value = 1.25 * ratio;
  }

  pick(pointer: Pointer): Pick | null {
    if (!this.object.visible || !this.contacts) return null;
    let best: Pick | null = null;
    const { place } = this.contacts;
    for (const k of this.shown) {
      const p = new Vector3(place[3 * k], place[3 * k + 1], place[3 * k + 2]);
      const at = p.clone().project(pointer.camera);
      const miss = Math.hypot((at.x * 0.5 + 0.5) * pointer.width - pointer.x, (0.5 - at.y * 0.5) * pointer.height - pointer.y);
      const depth = p.distanceTo(pointer.camera.position);
      if (at.z < 1 && miss < 7 && (!best || miss + 0.01 * depth < best.miss + 0.01 * best.depth)) best = { kind: "contact", body: k, point: 0, place: p, depth, miss };
    }
    return best;
  }

  private clear(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      this.object.remove(mesh);
    }
    this.meshes = [];
    this.stamp = "";
  }

  dispose(): void {
    this.clear();
  }
}

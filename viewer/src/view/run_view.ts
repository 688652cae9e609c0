// The picture of one run: its bodies, contacts, ground and shadows.

import { Box3, Color, GLSL3, Matrix4, Mesh, PerspectiveCamera, PlaneGeometry, RawShaderMaterial, Scene, Vector3, type WebGLRenderer } from "three";
import { find_contact, type ContactChoice } from "../run/contact_choice";
import { shown_frame, type Frame, type Model, type Moment } from "../run/frame";
import type { BodyView, Pick, Pointer } from "./body_view";
import { ContactsView } from "./contacts";
import { contact_field, curvature_field, high_value, speed_field, type FieldName } from "./fields";
import { FrictionConeView } from "./friction_cone";
import { GroundPlane, ground_uniforms } from "./ground";
import { apply_theme, lighting_uniforms } from "./lighting";
import { MeshesView } from "./meshes";
import { ObstaclesView } from "./obstacles";
import { ShadeVolume } from "./shade_volume";
import { StrandsView, type Detail } from "./strands";
import { themes, type ThemeName } from "./theme";

export type ColourMode = "natural" | "id" | FieldName;

/** Shared by all views, so that the same colour means the same value. Only grows: nothing flickers. */
export class FieldScale {
  high = 0;
  constructor(readonly mode: ColourMode | "strain") {}
  take(values: ArrayLike<number>): boolean {
    const high = high_value(values);
    if (high <= this.high * 1.02) return false;
    this.high = high;
    return true;
  }
}

const BACKGROUND_VERTEX = /* glsl */ `
precision highp float;
in vec3 position;
uniform vec3 above, below;
out vec3 shade_;
void main() {
  vec2 p = position.xy * 0.5 + 0.5;
  float d = length((p - vec2(0.5, 0.62)) * vec2(0.9, 1.1));
  shade_ = sqrt(mix(above, below, smoothstep(0.05, 0.85, d)));
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`;
const BACKGROUND_FRAGMENT = /* glsl */ `
precision highp float;
in vec3 shade_;
out vec4 colour;
void main() {
  // A little noise hides the steps of 8-bit colours.
  float noise = fract(53.0 * fract(dot(gl_FragCoord.xy, vec2(0.0671, 0.00584))));
  colour = vec4(shade_ + (noise - 0.5) / 255.0, 1.0);
}
`;

export class RunView {
  readonly scene = new Scene();
  readonly strands: StrandsView;
  readonly obstacles: ObstaclesView;
  readonly meshes: MeshesView;
  readonly contacts: ContactsView;
  readonly cone = new FrictionConeView();
  picked: ContactChoice | null = null; // whose cone is shown
  readonly bodies: BodyView[];
  readonly box = new Box3();
  readonly middle = new Vector3();
  readonly size: number;
  moment: Moment | null = null;

  private volume = new ShadeVolume();
  private lighting = lighting_uniforms(this.volume);
  private ground = ground_uniforms(themes.dark);
  private own_ground: GroundPlane | null = null;
  private background: Mesh<PlaneGeometry, RawShaderMaterial>;
  private mode: ColourMode = "natural";
  private scale = new FieldScale("natural");
  private strain_scale = new FieldScale("strain");
  private shade_stamp = "";

  /** `samples` are a few moments that tell how large the scene is. */
  constructor(readonly model: Model, samples: Moment[], private neighbour: (index: number) => Frame | null, detail: Detail) {
    this.obstacles = new ObstaclesView(model, this.lighting, this.ground);
    this.meshes = new MeshesView(model, this.lighting, samples[0]?.before ?? null);
    for (const moment of samples) {
      for (const body of [this.obstacles, this.meshes]) {
        body.show(moment);
        body.bound(this.box);
      }
      bound_points(this.box, model, moment.before);
    }
    if (this.box.isEmpty()) this.box.set(new Vector3(-0.1, -0.1, 0), new Vector3(0.1, 0.1, 0.2));
    this.box.getCenter(this.middle);
    this.size = Math.max(1e-4, this.box.getSize(new Vector3()).length());
    this.strands = new StrandsView(model, this.lighting, this.size, detail);
    this.bodies = [this.obstacles, this.meshes, this.strands];
    let radius = 0;
    for (let s = 0; s < model.strands; ++s) radius = Math.max(radius, model.radii[s]);
    for (const { thickness } of model.meshes) radius = Math.max(radius, 0.5 * thickness);
    this.contacts = new ContactsView(this.size, Math.max(radius, 0.001 * this.size));
    // Its colours are computed at the corners of a coarse grid: that is smooth enough, and cheap.
    this.background = new Mesh(new PlaneGeometry(2, 2, 24, 24), new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: BACKGROUND_VERTEX, fragmentShader: BACKGROUND_FRAGMENT, depthTest: false, depthWrite: false,
      uniforms: { above: { value: new Color() }, below: { value: new Color() } },
    }));
    this.background.frustumCulled = false;
    this.background.renderOrder = -1;
    this.scene.add(this.background, this.obstacles.object, this.meshes.object, this.strands.object, this.contacts.object, this.cone.object);
    this.obstacles.place_planes(this.middle, this.size);
    if (!this.obstacles.has_plane) {
      this.own_ground = new GroundPlane(this.lighting, { ...this.ground, body: { value: 0 } });
      this.own_ground.pose(new Matrix4().makeTranslation(0, 0, this.box.min.z - 0.02 * this.size));
      this.own_ground.around(this.middle, this.size);
      this.scene.add(this.own_ground.object);
    }
    this.strands.field = (frame) => this.field(frame);
  }

  theme(name: ThemeName): void {
    const theme = themes[name];
    apply_theme(this.lighting, theme);
    // Materials copied the uniform objects by reference, so that values reach all of them.
    this.ground.ground.value = theme.ground;
    this.ground.grid.value = theme.grid;
    this.ground.darkness.value = name === "dark" ? 0.6 : 0.3;
    this.background.material.uniforms.above.value = theme.above;
    this.background.material.uniforms.below.value = theme.below;
    this.obstacles.theme(theme);
    this.meshes.theme(theme);
    this.strands.accent = theme.accent;
    this.cone.colour = theme.cone;
    this.contacts.rim = name === "dark" ? new Color(0.01, 0.01, 0.015) : new Color(1, 1, 1);
  }

  set grid(shown: boolean) {
    this.ground.strength.value = shown ? 0.5 : 0;
  }

  colour(mode: ColourMode, scale: FieldScale): void {
    this.mode = mode;
    this.scale = scale;
    this.strands.field_stamp = mode;
    this.strands.colour(mode === "natural" || mode === "id" ? mode : "field");
    if (this.moment) this.show(this.moment);
  }

  /** Soft bodies by strain, or in their own colours. */
  colour_by_strain(on: boolean, scale: FieldScale): void {
    this.meshes.by_strain = on;
    this.strain_scale = scale;
    if (this.moment) this.take_strain(this.moment);
  }

  private take_strain(moment: Moment): void {
    if (this.meshes.by_strain) this.strain_scale.take(shown_frame(moment).mesh_values);
  }

  private field(frame: Frame): Float32Array | null {
    let field: Float32Array | null = null;
    if (this.mode === "speed") field = speed_field(this.model, frame, this.neighbour(frame.index + 1) ?? this.neighbour(frame.index - 1));
    if (this.mode === "curvature") field = curvature_field(this.model, frame);
    if (this.mode === "contact") field = contact_field(this.model, frame);
    if (field) this.scale.take(field);
    return field;
  }

  show(moment: Moment): void {
    this.moment = moment;
    for (const body of this.bodies) body.show(moment);
    this.take_strain(moment);
    this.update_contacts();
    // Shadows follow the bodies; they are computed once for a moment, not for a camera.
    const stamp = `${moment.before.index} ${moment.after.index} ${moment.mix.toFixed(3)}`;
    if (stamp === this.shade_stamp && moment.before.index >= 0) return;
    this.shade_stamp = stamp;
    const box = new Box3();
    for (const body of this.bodies) body.bound(box, moment);
    if (box.isEmpty()) return;
    this.volume.fit(box);
    this.lighting.voxel.value = this.volume.voxel;
    this.volume.clear();
    for (const body of this.bodies) body.cast(this.volume, moment);
    this.volume.sweep();
  }

  update_contacts(): void {
    const { contacts, moment } = this;
    this.cone.object.visible = false;
    if (!contacts.object.visible || !moment) return;
    const frame = shown_frame(moment);
    if (contacts.typical === 0 && frame.contacts.count > 0) {
      const sizes = new Float32Array(frame.contacts.count);
      const f = frame.contacts.force;
      for (let k = 0; k < sizes.length; ++k) sizes[k] = Math.hypot(f[3 * k], f[3 * k + 1], f[3 * k + 2]);
      contacts.typical = high_value(sizes);
    }
    contacts.show(frame.contacts, frame.index);
    if (this.picked) this.cone.show(frame.contacts, find_contact(frame, this.picked), contacts.length_of_force);
  }

  draw(renderer: WebGLRenderer, camera: PerspectiveCamera, height: number, ratio: number): void {
    this.strands.range = [0, this.scale.high || 1];
    this.meshes.high = this.strain_scale.high || 1;
    for (const body of this.bodies) body.prepare(camera, height, ratio);
    this.contacts.prepare(camera, height, camera.fov, ratio);
    this.cone.prepare(height * camera.aspect, height, camera.fov, ratio);
    renderer.render(this.scene, camera);
  }

  /** What is under the pointer: contacts first, then the nearest body. */
  pick(pointer: Pointer): Pick | null {
    const contact = this.contacts.pick(pointer);
    if (contact) return contact;
    const found = this.bodies.map((body) => body.pick(pointer)).filter((pick) => pick !== null);
    // Strands lie on obstacles: a little behind the surface still counts as before it.
    const rank = (pick: Pick) => pick.depth - (pick.kind === "strand" ? 0.02 * this.size : 0);
    return found.sort((p, q) => rank(p) - rank(q))[0] ?? null;
  }

  get grid_spacing(): number | null {
    return this.own_ground?.spacing ?? null;
  }

  dispose(): void {
    for (const body of this.bodies) body.dispose();
    this.contacts.dispose();
    this.cone.dispose();
    this.own_ground?.dispose();
    this.background.geometry.dispose();
    this.background.material.dispose();
    this.volume.dispose();
  }
}

/** Of many strands a few may fly off: the box holds all but the outermost hundredths. */
function bound_points(box: Box3, model: Model, frame: Frame): void {
  const P = model.points;
  if (P === 0) return;
  const cut = model.strands > 40 ? 0.02 : 0;
  const ends = [0, 1, 2].map((axis) => {
    const sorted = Float32Array.from(frame.places.subarray(axis * P, (axis + 1) * P)).sort();
    return [sorted[Math.floor(cut * (P - 1))], sorted[Math.ceil((1 - cut) * (P - 1))]];
  });
  box.expandByPoint(new Vector3(ends[0][0], ends[1][0], ends[2][0]));
  box.expandByPoint(new Vector3(ends[0][1], ends[1][1], ends[2][1]));
}

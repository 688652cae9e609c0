// The friction cone at a contact: an elliptic cone about the normal, as high as the normal force, with the force in
// it. Seen through everything: it stands inside the body on which the force acts.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, GLSL3, Group, Matrix4, Mesh, RawShaderMaterial, Vector3,
  type InstancedBufferAttribute, type InstancedBufferGeometry,
} from "three";
import { cone_of, usage_of, type Vec3 } from "../format/cone";
import type { Contacts } from "../run/frame";
import { ARROW_FRAGMENT, ARROW_VERTEX, arrow_geometry, instanced } from "./arrows";
import { STATE_COLOURS } from "./colours";
import { TO_LIGHT } from "./lighting";
import { Ribbons } from "./ribbons";

const AROUND = 64;
const GENERATORS = 16;
const ORDER = 30; // of drawing: after everything

const SURFACE_VERTEX = /* glsl */ `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
in vec3 position;
void main() { gl_Position = projectionMatrix * (viewMatrix * (modelMatrix * vec4(position, 1.0))); }
`;
const SURFACE_FRAGMENT = /* glsl */ `
precision highp float;
uniform vec3 tint;
uniform float strength;
out vec4 colour;
void main() { colour = vec4(sqrt(tint), strength); }
`;

function rim(k: number, of: number): Vec3 {
  return [Math.cos((2 * Math.PI * k) / of), Math.sin((2 * Math.PI * k) / of), 1];
}

/** A cone with its tip at the origin and a circle of radius 1 at z = 1, or that circle as a disc. */
function fan(tip: Vec3): BufferGeometry {
  const corners = Array.from({ length: AROUND }, (_, k) => [...tip, ...rim(k, AROUND), ...rim(k + 1, AROUND)]);
  return new BufferGeometry().setAttribute("position", new BufferAttribute(Float32Array.from(corners.flat()), 3));
}

/** The rim, its two axes, and lines from the tip to it. */
function outline(): { strong: number[]; weak: number[] } {
  const strong = Array.from({ length: AROUND }, (_, k) => [...rim(k, AROUND), ...rim(k + 1, AROUND)]).flat();
  const axes = [0, 1].flatMap((k) => [...rim(k, 4), ...rim(k + 2, 4)]);
  const generators = Array.from({ length: GENERATORS }, (_, k) => [0, 0, 0, ...rim(k, GENERATORS)]).flat();
  return { strong, weak: [...axes, ...generators] };
}

export class FrictionConeView {
  readonly object = new Group();
  private surfaces: Mesh<BufferGeometry, RawShaderMaterial>[];
  private strong: Ribbons;
  private weak: Ribbons;
  private parts: Ribbons; // the normal and the tangential part of the force
  private arrow: Mesh<InstancedBufferGeometry, RawShaderMaterial>;
  private uniforms = { pixels: { value: 1000 }, scale: { value: 1 }, thickness: { value: 1 }, lift: { value: 0 }, to_light: { value: TO_LIGHT } };

  constructor() {
    const surface = (tip: Vec3, strength: number) => {
      const material = new RawShaderMaterial({
        glslVersion: GLSL3, vertexShader: SURFACE_VERTEX, fragmentShader: SURFACE_FRAGMENT, transparent: true, depthTest: false, depthWrite: false, side: DoubleSide,
        uniforms: { tint: { value: new Color() }, strength: { value: strength } },
      });
      return new Mesh(fan(tip), material);
    };
    this.surfaces = [surface([0, 0, 0], 0.16), surface([0, 0, 1], 0.22)];
    const { strong, weak } = outline();
    this.strong = new Ribbons(strong, { width: 1.8, strength: 0.95, through: true });
    this.weak = new Ribbons(weak, { width: 1, strength: 0.4, through: true });
    this.parts = new Ribbons(new Float32Array(12), { width: 1.6, strength: 0.9, through: true });
    this.arrow = new Mesh(instanced(arrow_geometry(), 1, { at: 3, force: 3, tint: 3 }), new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: ARROW_VERTEX, fragmentShader: ARROW_FRAGMENT, transparent: true, depthTest: false, depthWrite: false,
      uniforms: { ...this.uniforms, strength: { value: 1 } },
    }));
    this.arrow.geometry.instanceCount = 1;
    [...this.surfaces, this.weak.object, this.strong.object, this.parts.object, this.arrow].forEach((mesh, k) => {
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      mesh.renderOrder = ORDER + k;
      this.object.add(mesh);
    });
    this.object.visible = false;
  }

  set colour(colour: Color) {
    for (const surface of this.surfaces) surface.material.uniforms.tint.value = colour;
    this.strong.ink = this.weak.ink = colour;
  }

  /** Contact k, or nothing; forces are drawn with so many m/N. */
  show(contacts: Contacts, k: number, length_of_force: number): void {
    const cone = k < 0 ? null : cone_of(contacts.cones, k);
    const force = [0, 1, 2].map((d) => contacts.force[3 * k + d]) as Vec3;
    const usage = cone && usage_of(cone, force);
    this.object.visible = usage !== null && usage.normal > 0;
    if (!cone?.axes || !usage || !this.object.visible) return;
    const { n, t, b } = cone.axes;
    const place = new Vector3().fromArray(contacts.place, 3 * k);
    const height = usage.normal * length_of_force;
    const column = (axis: Vec3, size: number) => new Vector3(...axis).multiplyScalar(size * height);
    const matrix = new Matrix4().makeBasis(column(t, cone.mu_t), column(b, cone.mu_b), column(n, 1)).setPosition(place);
    for (const mesh of [...this.surfaces, this.strong.object, this.weak.object]) {
      mesh.matrix.copy(matrix);
      mesh.matrixWorldNeedsUpdate = true;
    }
    const middle = place.clone().add(column(n, 1));
    const tip = place.clone().addScaledVector(new Vector3(...force), length_of_force);
    this.parts.ends = [...place, ...middle, ...middle, ...tip];
    const tint = STATE_COLOURS[contacts.state?.[k] ?? 0];
    this.parts.ink = new Color(...tint);
    this.set_arrow(place, force, tint);
    this.uniforms.scale.value = length_of_force;
  }

  private set_arrow(place: Vector3, force: Vec3, tint: Vec3): void {
    const { geometry } = this.arrow;
    for (const [name, value] of [["at", place.toArray()], ["force", force], ["tint", tint]] as [string, Vec3][]) {
      const attribute = geometry.getAttribute(name) as InstancedBufferAttribute;
      attribute.setXYZ(0, ...value);
      attribute.needsUpdate = true;
    }
  }

  prepare(width: number, height: number, fov: number, ratio: number): void {
    for (const ribbons of [this.strong, this.weak, this.parts]) ribbons.prepare(width, height, ratio);
    this.uniforms.pixels.value = height / (2 * Math.tan((fov * Math.PI) / 360));
    this.uniforms.thickness.value = 1.8 * ratio;
  }

  dispose(): void {
    for (const mesh of [...this.surfaces, this.arrow]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    for (const ribbons of [this.strong, this.weak, this.parts]) ribbons.dispose();
  }
}

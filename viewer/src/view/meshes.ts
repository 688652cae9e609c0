// Soft bodies: triangles whose vertices move, shaded, by strain if wished, with or without the edges of the mesh.

import {
  Box3, BufferAttribute, BufferGeometry, Color, DataTexture, DoubleSide, DynamicDrawUsage, FrontSide, GLSL3, Group, LineSegments, Mesh,
  RGBAFormat, RawShaderMaterial, Raycaster, Vector2, Vector3, type PerspectiveCamera,
} from "three";
import type { MeshSpec } from "../format/manifest";
import type { Frame, Model, Moment } from "../run/frame";
import type { BodyView, Pick, Pointer } from "./body_view";
import { RAMP_SIZE, mesh_colour, ramp_bytes } from "./colours";
import { TO_LIGHT, type LightingUniforms } from "./lighting";
import { creased_topology, smooth_normals, smooth_topology, type MeshTopology } from "./mesh_surface";
import type { ShadeVolume } from "./shade_volume";
import { SURFACE_GLSL } from "./surface_shader";
import type { ViewTheme } from "./theme";

const VERTEX = /* glsl */ `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
in vec3 position, normal;
in float value;
out vec3 place_, normal_;
out float value_;
void main() {
  place_ = position;
  normal_ = normal;
  value_ = value;
  gl_Position = projectionMatrix * (viewMatrix * vec4(position, 1.0));
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 place_, normal_;
in float value_;
uniform vec3 cameraPosition, base, accent;
uniform sampler2D ramp;
uniform float selected, by_strain, high, sheer;
out vec4 colour;
${SURFACE_GLSL}
void main() {
  vec3 N = normalize(normal_) * (gl_FrontFacing ? 1.0 : -1.0);
  float t = clamp(value_ / high, 0.0, 1.0);
  vec3 scale = texture(ramp, vec2((t * ${RAMP_SIZE - 1}.0 + 0.5) / ${RAMP_SIZE}.0, 0.5)).rgb;
  vec3 b = mix(mix(base, accent, 0.35 * selected), scale * scale, by_strain);
  vec3 c = lit_surface(b, place_, N, normalize(cameraPosition - place_));
  // Some of the light on the other side of a cloth comes through.
  c += b * key * sheer * max(0.0, -dot(N, to_light)) * passed(beside(place_, -N)).y;
  colour = vec4(finish(c), 1.0);
}
`;

const SHEER = 0.25; // part of the light that comes through cloth
const LINE_VERTEX = /* glsl */ `
precision highp float;
uniform mat4 viewMatrix, projectionMatrix;
uniform vec3 cameraPosition;
uniform float pixels, edge;
in vec3 position, normal;
out float strength_;
void main() {
  vec3 to_eye = cameraPosition - position;
  float away = length(to_eye);
  // Where edges are short on the screen they are close together: they would only darken it.
  strength_ = 0.38 * smoothstep(1.5, 14.0, edge * pixels / away * abs(dot(normal, to_eye / away)));
  // A little nearer to the eye than the surface.
  gl_Position = projectionMatrix * vec4((viewMatrix * vec4(position, 1.0)).xyz * 0.998, 1.0);
}
`;
const LINE_FRAGMENT = /* glsl */ `
precision highp float;
in float strength_;
out vec4 colour;
void main() { colour = vec4(0.03, 0.03, 0.04, strength_); }
`;

function topology_of(spec: MeshSpec, first: number, vertices: number, rest: Frame | null): MeshTopology {
  if (spec.kind === "cloth" || !rest) return smooth_topology(spec.triangles, spec.points);
  const at = (vertex: number) => new Vector3(...[0, 1, 2].map((axis) => rest.mesh_places[axis * vertices + first + vertex]));
  return creased_topology(spec.triangles, spec.points, at);
}

/** A length that is typical of edges, m. */
function typical_edge(edges: Uint32Array, position: BufferAttribute): number {
  const [a, b] = [new Vector3(), new Vector3()];
  let sum = 0;
  for (let k = 0; k < edges.length; k += 2) sum += a.fromBufferAttribute(position, edges[k]).distanceTo(b.fromBufferAttribute(position, edges[k + 1]));
  return sum / Math.max(1, edges.length / 2);
}

/** One soft body. */
class SoftBody {
  readonly surface: Mesh<BufferGeometry, RawShaderMaterial>;
  readonly lines: LineSegments<BufferGeometry, RawShaderMaterial>;
  private topology: MeshTopology;
  private position: BufferAttribute;
  private normal: BufferAttribute;
  private value: BufferAttribute;

  /** `first` of its vertices among the `vertices` of all. `rest` tells where its edges are sharp. */
  constructor(readonly spec: MeshSpec, private first: number, private vertices: number, rest: Frame | null, uniforms: RawShaderMaterial["uniforms"]) {
    this.topology = topology_of(spec, first, vertices, rest);
    const count = this.topology.source.length;
    const column = (size: number) => new BufferAttribute(new Float32Array(size * count), size).setUsage(DynamicDrawUsage);
    [this.position, this.normal, this.value] = [column(3), column(3), column(1)];
    const geometry = new BufferGeometry().setIndex(new BufferAttribute(this.topology.index, 1));
    geometry.setAttribute("position", this.position).setAttribute("normal", this.normal).setAttribute("value", this.value);
    const side = spec.kind === "cloth" ? DoubleSide : FrontSide;
    this.surface = new Mesh(geometry, new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, side, uniforms }));
    const edges = new BufferGeometry().setIndex(new BufferAttribute(this.topology.edges, 1)).setAttribute("position", this.position).setAttribute("normal", this.normal);
    this.lines = new LineSegments(edges, new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: LINE_VERTEX, fragmentShader: LINE_FRAGMENT, transparent: true, depthWrite: false,
      uniforms: { pixels: { value: 1000 }, edge: { value: 0 } },
    }));
    this.lines.renderOrder = 2; // after planes, which are drawn as if they were glass
    for (const object of [this.surface, this.lines]) object.frustumCulled = false;
  }

  show(moment: Moment): void {
    const { first, vertices, topology, position, normal, value } = this;
    const { before, after, mix } = moment;
    const x = position.array as Float32Array;
    const between = (p: ArrayLike<number>, q: ArrayLike<number>, at: number) => p[at] + mix * (q[at] - p[at]);
    topology.source.forEach((vertex, k) => {
      const at = first + vertex;
      for (let axis = 0; axis < 3; ++axis) x[3 * k + axis] = between(before.mesh_places, after.mesh_places, axis * vertices + at);
      value.setX(k, between(before.mesh_values, after.mesh_values, at));
    });
    smooth_normals(x, topology.index, normal.array as Float32Array);
    position.needsUpdate = normal.needsUpdate = value.needsUpdate = true;
  }

  /** Spots spread over its triangles, with the area that the lamp sees of each; as dense as the grid of the shadows. */
  cast(volume: ShadeVolume): void {
    const { index } = this.topology;
    const [a, b, c, face] = Array.from({ length: 4 }, () => new Vector3());
    for (let k = 0; k < index.length; k += 3) {
      a.fromBufferAttribute(this.position, index[k]);
      b.fromBufferAttribute(this.position, index[k + 1]).sub(a);
      c.fromBufferAttribute(this.position, index[k + 2]).sub(a);
      face.crossVectors(b, c);
      const n = Math.min(12, Math.ceil(Math.max(b.length(), c.length(), 1e-9) / volume.voxel));
      const area = (1.6 * 0.5 * Math.abs(face.dot(TO_LIGHT))) / ((n * (n + 1)) / 2);
      for (let i = 0; i < n; ++i)
        for (let j = 0; j < n - i; ++j) {
          const u = (i + 1 / 3) / n;
          const v = (j + 1 / 3) / n;
          volume.splat(1, a.x + u * b.x + v * c.x, a.y + u * b.y + v * c.y, a.z + u * b.z + v * c.z, area);
        }
    }
  }

  /** Before lines are drawn where so many pixels are seen at distance 1. */
  prepare(pixels: number): void {
    if (!this.lines.visible) return;
    const { uniforms } = this.lines.material;
    uniforms.pixels.value = pixels;
    uniforms.edge.value ||= typical_edge(this.topology.edges, this.position);
  }

  bound(box: Box3): void {
    this.surface.geometry.computeBoundingBox();
    if (this.topology.index.length) box.union(this.surface.geometry.boundingBox!);
  }

  /** The vertex nearest to where the ray meets it. */
  hit(caster: Raycaster): { point: number; place: Vector3; depth: number } | null {
    this.surface.geometry.computeBoundingSphere();
    const found = caster.intersectObject(this.surface, false)[0];
    if (!found?.face) return null;
    const away = (corner: number) => new Vector3().fromBufferAttribute(this.position, corner).distanceTo(found.point);
    const [nearest] = [found.face.a, found.face.b, found.face.c].sort((p, q) => away(p) - away(q));
    return { point: this.topology.source[nearest], place: found.point, depth: found.distance };
  }

  dispose(): void {
    for (const part of [this.surface, this.lines]) {
      part.geometry.dispose();
      part.material.dispose();
    }
  }
}

export class MeshesView implements BodyView {
  readonly object = new Group();
  private bodies: SoftBody[];
  private ramp = new DataTexture(ramp_bytes(), RAMP_SIZE, 1, RGBAFormat);
  private shared = { ramp: { value: this.ramp }, by_strain: { value: 0 }, high: { value: 1 }, accent: { value: new Color(0, 0.5, 1) } };

  constructor(model: Model, lighting: LightingUniforms, rest: Frame | null) {
    this.ramp.needsUpdate = true;
    this.bodies = model.meshes.map((spec, m) => {
      const uniforms = { ...lighting, ...this.shared, base: { value: new Color(...(spec.color ?? mesh_colour(m))) }, selected: { value: 0 }, sheer: { value: spec.kind === "cloth" ? SHEER : 0 } };
      return new SoftBody(spec, model.first_vertex[m], model.vertices, rest, uniforms);
    });
    for (const { surface, lines } of this.bodies) this.object.add(surface, lines);
    this.wireframe = false;
  }

  set wireframe(shown: boolean) {
    for (const { lines } of this.bodies) lines.visible = shown;
  }

  get by_strain(): boolean {
    return this.shared.by_strain.value === 1;
  }
  set by_strain(on: boolean) {
    this.shared.by_strain.value = on ? 1 : 0;
  }

  /** Strain at the end of the scale. */
  set high(strain: number) {
    this.shared.high.value = strain;
  }

  set selected(mesh: number) {
    this.bodies.forEach(({ surface }, m) => (surface.material.uniforms.selected.value = m === mesh ? 1 : 0));
  }

  theme(theme: ViewTheme): void {
    this.shared.accent.value = theme.accent;
  }

  show(moment: Moment): void {
    for (const body of this.bodies) body.show(moment);
  }

  cast(volume: ShadeVolume): void {
    for (const body of this.bodies) body.cast(volume);
  }

  bound(box: Box3): void {
    for (const body of this.bodies) body.bound(box);
  }

  prepare(camera: PerspectiveCamera, height: number, ratio: number): void {
    for (const body of this.bodies) body.prepare(height / ratio / (2 * Math.tan((camera.fov * Math.PI) / 360)));
  }

  pick(pointer: Pointer): Pick | null {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * pointer.x) / pointer.width - 1, 1 - (2 * pointer.y) / pointer.height), pointer.camera);
    let best: Pick | null = null;
    this.bodies.forEach((body, m) => {
      const hit = body.hit(caster);
      if (hit && (!best || hit.depth < best.depth)) best = { kind: "mesh", body: m, miss: 0, ...hit };
    });
    return best;
  }

  dispose(): void {
    for (const body of this.bodies) body.dispose();
    this.ramp.dispose();
  }
}

// Obstacles: solids with a pose in every frame.

import {
  Box3, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, GLSL3, Group,
  Matrix4, Mesh, PerspectiveCamera, Quaternion, RawShaderMaterial, Raycaster, SphereGeometry, Vector2, Vector3,
} from "three";
import type { ObstacleSpec } from "../format/manifest";
import type { Model, Moment } from "../run/frame";
import type { BodyView, Pick, Pointer } from "./body_view";
import { GroundPlane, PLANE_REACH, type GroundUniforms } from "./ground";
import { TO_LIGHT, type LightingUniforms } from "./lighting";
import type { ShadeVolume } from "./shade_volume";
import { StructureView } from "./structure";
import { SURFACE_GLSL } from "./surface_shader";
import type { ViewTheme } from "./theme";

const VERTEX = /* glsl */ `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
in vec3 position, normal;
out vec3 place_, normal_;
void main() {
  vec4 p = modelMatrix * vec4(position, 1.0);
  place_ = p.xyz;
  normal_ = mat3(modelMatrix) * normal;
  gl_Position = projectionMatrix * (viewMatrix * p);
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
in vec3 place_, normal_;
uniform vec3 cameraPosition, base, accent;
uniform float selected;
out vec4 colour;
${SURFACE_GLSL}
void main() {
  vec3 b = mix(base, accent, 0.35 * selected);
  colour = vec4(finish(lit_surface(b, place_, normalize(normal_), normalize(cameraPosition - place_))), 1.0);
}
`;

/** Corners keep their own normal where the surface has an edge, and are smoothed elsewhere. */
export function mesh_geometry(vertices: number[][], triangles: number[][]): BufferGeometry {
  const faces = triangles.map(([a, b, c]) => {
    const p = new Vector3().fromArray(vertices[a]);
    const q = new Vector3().fromArray(vertices[b]);
    const r = new Vector3().fromArray(vertices[c]);
    return q.sub(p).cross(r.sub(p)); // weighted by the area
  });
  const around: number[][] = vertices.map(() => []);
  triangles.forEach((corner, f) => corner.forEach((v) => around[v]?.push(f)));
  const positions = new Float32Array(9 * triangles.length);
  const normals = new Float32Array(9 * triangles.length);
  const units = faces.map((face) => face.clone().normalize());
  const sum = new Vector3();
  triangles.forEach((corner, f) =>
    corner.forEach((v, c) => {
      sum.set(0, 0, 0);
      for (const other of around[v]) if (units[other].dot(units[f]) > 0.7) sum.add(faces[other]);
      sum.normalize().toArray(normals, 9 * f + 3 * c);
      positions.set(vertices[v], 9 * f + 3 * c);
    }),
  );
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  return geometry;
}

/** Geometry of a shape in its own frame; null for planes and for shapes this viewer does not know. */
export function solid_geometry(spec: ObstacleSpec): BufferGeometry | null {
  const radius = spec.radius ?? 0.05;
  const length = spec.length ?? 0.1;
  switch (spec.shape) {
    case "sphere":
      return new SphereGeometry(radius, 64, 40);
    case "capsule":
      return new CapsuleGeometry(radius, length, 24, 48).rotateX(Math.PI / 2);
    case "cylinder":
      return new CylinderGeometry(radius, radius, length, 64, 1).rotateX(Math.PI / 2);
    case "box":
      return new BoxGeometry(...(spec.size ?? [0.1, 0.1, 0.1]));
    case "mesh":
      return spec.vertices && spec.triangles ? mesh_geometry(spec.vertices, spec.triangles) : null;
    default:
      return null;
  }
}

/** Spots spread over a surface, each with the area it stands for: x, y, z, nx, ny, nz, area. */
function surface_spots(geometry: BufferGeometry): Float32Array {
  const position = geometry.getAttribute("position");
  const index = geometry.getIndex();
  const corners = index ? index.count : position.count;
  const corner = (k: number) => new Vector3().fromBufferAttribute(position, index ? index.getX(k) : k);
  const triangles: [Vector3, Vector3, Vector3, number][] = [];
  let whole = 0;
  for (let k = 0; k + 2 < corners; k += 3) {
    const a = corner(k);
    const b = corner(k + 1);
    const c = corner(k + 2);
    const area = b.clone().sub(a).cross(c.clone().sub(a)).length() / 2;
    whole += area;
    triangles.push([a, b, c, area]);
  }
  const spots: number[] = [];
  for (const [a, b, c, area] of triangles) {
    // Large triangles (of a box) get many spots, small ones (of a head) one.
    const n = Math.max(1, Math.min(40, Math.ceil(Math.sqrt((area / whole) * 4000))));
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    for (let i = 0; i < n; ++i)
      for (let j = 0; j < n - i; ++j) {
        const u = (i + 1 / 3) / n;
        const v = (j + 1 / 3) / n;
        const p = a.clone().multiplyScalar(1 - u - v).addScaledVector(b, u).addScaledVector(c, v);
        spots.push(p.x, p.y, p.z, normal.x, normal.y, normal.z, area / ((n * (n + 1)) / 2));
      }
  }
  return new Float32Array(spots);
}

function matrix_of(poses: ArrayLike<number>, k: number, into: Matrix4): Matrix4 {
  const p = (i: number) => poses[12 * k + i];
  return into.set(p(3), p(6), p(9), p(0), p(4), p(7), p(10), p(1), p(5), p(8), p(11), p(2), 0, 0, 0, 1);
}

interface Solid {
  mesh: Mesh<BufferGeometry, RawShaderMaterial>;
  spots: Float32Array;
  own_colour: boolean;
}

export class ObstaclesView implements BodyView {
  readonly object = new Group();
  readonly structure: StructureView;
  private solids: (Solid | null)[] = [];
  private planes: (GroundPlane | null)[] = [];
  private unit = { p: new Vector3(), q: new Quaternion(), s: new Vector3() };

  constructor(model: Model, lighting: LightingUniforms, ground: GroundUniforms) {
    for (const spec of model.obstacles) {
      const geometry = solid_geometry(spec);
      if (geometry) {
        const material = new RawShaderMaterial({
          glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT,
          uniforms: { ...lighting, base: { value: spec.color ? new Color(...spec.color) : new Color(0.5, 0.5, 0.5) }, selected: { value: 0 }, accent: { value: new Color(0, 0.5, 1) } },
        });
        const mesh = new Mesh(geometry, material);
        mesh.matrixAutoUpdate = false;
        this.object.add(mesh);
        this.solids.push({ mesh, spots: surface_spots(geometry), own_colour: spec.color !== undefined });
        this.planes.push(null);
      } else if (spec.shape === "plane") {
        const plane = new GroundPlane(lighting, ground);
        this.object.add(plane.object);
        this.solids.push(null);
        this.planes.push(plane);
      } else {
        this.solids.push(null);
        this.planes.push(null);
      }
    }
    this.structure = new StructureView(model);
    this.object.add(this.structure.object);
  }

  get has_plane(): boolean {
    return this.planes.some((plane) => plane !== null);
  }

  theme(theme: ViewTheme): void {
    this.structure.theme(theme);
    for (const solid of this.solids) {
      if (!solid) continue;
      if (!solid.own_colour) solid.mesh.material.uniforms.base.value = theme.clay;
      solid.mesh.material.uniforms.accent.value = theme.accent;
    }
  }

  set selected(obstacle: number) {
    this.solids.forEach((solid, k) => solid && (solid.mesh.material.uniforms.selected.value = k === obstacle ? 1 : 0));
  }

  /** Where planes fade out: around the middle of the scene. */
  place_planes(middle: Vector3, size: number): void {
    for (const plane of this.planes) plane?.around(middle, size);
    this.structure.around(middle, PLANE_REACH * size);
  }

  show(moment: Moment): void {
    const a = new Matrix4();
    const b = new Matrix4();
    const { p, q, s } = this.unit;
    const qa = new Quaternion();
    const pa = new Vector3();
    for (let k = 0; k < this.solids.length; ++k) {
      matrix_of(moment.before.poses, k, a);
      if (moment.mix > 0) {
        matrix_of(moment.after.poses, k, b);
        a.decompose(pa, qa, s);
        b.decompose(p, q, s);
        a.compose(pa.lerp(p, moment.mix), qa.slerp(q, moment.mix), s.set(1, 1, 1));
      }
      const solid = this.solids[k];
      if (solid) {
        solid.mesh.matrix.copy(a);
        solid.mesh.matrixWorldNeedsUpdate = true;
      }
      this.planes[k]?.pose(a);
      this.structure.pose(k, a);
    }
  }

  cast(volume: ShadeVolume): void {
    const at = new Vector3();
    const n = new Vector3();
    for (const solid of this.solids) {
      if (!solid) continue;
      const { spots, mesh } = solid;
      for (let k = 0; k < spots.length; k += 7) {
        at.set(spots[k], spots[k + 1], spots[k + 2]).applyMatrix4(mesh.matrix);
        n.set(spots[k + 3], spots[k + 4], spots[k + 5]).transformDirection(mesh.matrix);
        volume.splat(1, at.x, at.y, at.z, 1.6 * spots[k + 6] * Math.abs(n.dot(TO_LIGHT)));
      }
    }
  }

  bound(box: Box3): void {
    const part = new Box3();
    for (const solid of this.solids) {
      if (!solid) continue;
      solid.mesh.geometry.computeBoundingBox();
      box.union(part.copy(solid.mesh.geometry.boundingBox!).applyMatrix4(solid.mesh.matrix));
    }
  }

  prepare(camera: PerspectiveCamera, height: number, ratio: number): void {
    this.structure.prepare(height * camera.aspect, height, ratio);
  }

  pick(pointer: Pointer): Pick | null {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * pointer.x) / pointer.width - 1, 1 - (2 * pointer.y) / pointer.height), pointer.camera);
    let best: Pick | null = null;
    this.solids.forEach((solid, body) => {
      if (!solid) return;
      solid.mesh.updateMatrixWorld(true);
      const hit = caster.intersectObject(solid.mesh, false)[0];
      if (hit && (!best || hit.distance < best.depth)) best = { kind: "obstacle", body, point: 0, place: hit.point, depth: hit.distance, miss: 0 };
    });
    return best;
  }

  dispose(): void {
    for (const solid of this.solids) {
      solid?.mesh.geometry.dispose();
      solid?.mesh.material.dispose();
    }
    for (const plane of this.planes) plane?.dispose();
    this.structure.dispose();
  }
}

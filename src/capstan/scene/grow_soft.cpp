#include "capstan/scene/grow_soft.hpp"

#include <cmath>

#include "capstan/body/soft/lattice_mesh.hpp"
#include "capstan/body/soft/mass_spring_cloth.hpp"
#include "capstan/body/soft/membrane_cloth.hpp"
#include "capstan/body/soft/solid_elasticity.hpp"
#include "capstan/body/soft/tet_mesh.hpp"
#include "capstan/collide/triangle_mesh.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/obj.hpp"
#include "capstan/files/tet_files.hpp"
#include "capstan/scene/scene_parts.hpp"
#include "capstan/scene/solids.hpp"
#include "capstan/scene/structures.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kSkin = 0.01;  // of the smallest side of the box around a solid

std::vector<Vector3d> turned_and_scaled(std::vector<Vector3d> points, const SoftSpec& spec) {
  for (Vector3d& x : points) x = spec.scale * turned_up(x, spec.up);
  return points;
}

Matrix3Xd columns(const std::vector<Vector3d>& points) {
  Matrix3Xd x(3, Eigen::Index(points.size()));
  for (std::size_t k = 0; k < points.size(); ++k) x.col(Eigen::Index(k)) = points[k];
  return x;
}

Matrix3Xd placed_nodes(Matrix3Xd x, const SoftSpec& spec) {
  for (Eigen::Index k = 0; k < x.cols(); ++k) x.col(k) = spec.pose.apply(x.col(k));
  return x;
}

/// Nodes in the box of each hold. One that holds nothing is a mistake.
std::vector<HeldNodes> held_nodes(const Scene& scene, const SoftSpec& spec, const Matrix3Xd& x) {
  std::vector<HeldNodes> all;
  for (const HoldScript& hold : spec.holds) {
    HeldNodes held;
    for (int k = 0; k < x.cols(); ++k)
      if ((x.col(k).array() >= hold.low.array()).all() && (x.col(k).array() <= hold.high.array()).all())
        held.nodes.push_back(k);
    if (held.nodes.empty())
      throw InputError("hold " + std::to_string(all.size()) +
                       ": there is no node between low and high at the start");
    const Frame middle{0.5 * (hold.low + hold.high), Eigen::Matrix3d::Identity()};
    held.motion = scene_text::placed(hold.motion, middle, scene);
    all.push_back(std::move(held));
  }
  return all;
}

/// All that does not depend on the kind of body. `x` are its nodes in its own frame.
SoftShape common_shape(const Scene& scene, const SoftSpec& spec, const Matrix3Xd& x) {
  SoftShape shape;
  shape.x = placed_nodes(x, spec);
  shape.v.resize(3, x.cols());
  for (Eigen::Index k = 0; k < x.cols(); ++k)
    shape.v.col(k) = spec.velocity + spec.spin.cross(Vector3d(shape.x.col(k)) - spec.pose.x);
  shape.stiffness_damping = spec.damping;
  shape.mass_damping = spec.mass_damping;
  shape.held = held_nodes(scene, spec, shape.x);
  return shape;
}

WorldSoft put_together(const SoftSpec& spec, SoftShape shape, double radius, bool closed, int family) {
  WorldSoft soft;
  soft.name = spec.name;
  soft.surface = make_soft_surface(shape.triangles, shape.x, radius, closed);
  soft.surface.self_contact = spec.self_contact;
  soft.family = family;
  soft.rest_pose = spec.pose;
  shape.closed = closed;
  SolidSpec bearer;
  bearer.name = spec.name;
  bearer.structure = spec.structure;
  soft.structure = make_structure(bearer, nullptr);
  soft.body = std::make_unique<SoftBody>(std::move(shape));
  return soft;
}

ClothMesh cloth_mesh(const ClothSpec& spec) {
  if (spec.file.empty()) return grid_mesh(spec.size[0], spec.size[1], spec.cells[0], spec.cells[1]);
  ObjShapes read = read_obj(spec.file);
  return {columns(turned_and_scaled(std::move(read.vertices), spec)), std::move(read.triangles)};
}

std::shared_ptr<const Elasticity> cloth_elasticity(const ClothSpec& spec, const ClothMesh& mesh) {
  const ClothMaterial material{spec.stretch, spec.poisson, spec.shear, spec.bending, spec.density};
  if (spec.model == "mass_spring") return std::make_shared<MassSpringCloth>(mesh, material);
  return std::make_shared<MembraneCloth>(mesh, material);
}

/// Cells of a lattice inside a closed surface.
TetMesh filled_mesh(const SolidSoftSpec& spec) {
  ObjShapes read = read_obj(spec.file);
  const TriangleMesh surface({turned_and_scaled(std::move(read.vertices), spec), std::move(read.triangles)});
  Vector3d low = surface.soup().vertices.at(0), high = low;
  for (const Vector3d& x : surface.soup().vertices) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return lattice_mesh([&](const Vector3d& p) { return surface.closest(p).distance; }, {low, high}, spec.cell);
}

TetMesh solid_mesh(const SolidSoftSpec& spec) {
  if (spec.shape == "box") return box_mesh(spec.size, {spec.cells[0], spec.cells[1], spec.cells[2]});
  if (spec.shape == "ball")
    return ball_mesh(spec.radius, std::max(1, static_cast<int>(std::lround(spec.radius / spec.cell))));
  if (spec.shape == "fill") return filled_mesh(spec);
  const bool gmsh = spec.file.extension() == ".msh";
  files::TetFile read = gmsh ? files::read_gmsh(spec.file) : files::read_tetgen(spec.file);
  for (Eigen::Index k = 0; k < read.x.cols(); ++k)
    read.x.col(k) = spec.scale * turned_up(read.x.col(k), spec.up);
  return {std::move(read.x), std::move(read.tets)};
}

std::shared_ptr<const Elasticity> solid_elasticity(const SolidSoftSpec& spec, const TetMesh& mesh) {
  const SolidMaterial material{spec.young, spec.poisson};
  if (spec.model == "neo_hookean") return std::make_shared<NeoHookeanSolid>(mesh, material);
  return std::make_shared<CorotationalSolid>(mesh, material);
}

template <class Grow>
WorldSoft named(const SoftSpec& spec, const Grow& grow) {
  try {
    return grow();
  } catch (const InputError& error) {
    throw InputError("'" + spec.name + "': " + error.what());
  }
}

}  // namespace

WorldSoft grow_cloth(const Scene& scene, const ClothSpec& spec, int family) {
  return named(spec, [&] {
    const ClothMesh mesh = cloth_mesh(spec);
    check(mesh);
    SoftShape shape = common_shape(scene, spec, mesh.x);
    shape.mass = node_masses(mesh, spec.density);
    shape.triangles = mesh.triangles;
    shape.elasticity = cloth_elasticity(spec, mesh);
    shape.drag = spec.drag;
    shape.skin_drag = spec.skin_drag;
    return put_together(spec, std::move(shape), 0.5 * spec.thickness, false, family);
  });
}

WorldSoft grow_soft(const Scene& scene, const SolidSoftSpec& spec, int family) {
  return named(spec, [&] {
    const TetMesh mesh = solid_mesh(spec);
    check_mesh(mesh);
    SoftShape shape = common_shape(scene, spec, mesh.x);
    shape.mass = lumped_masses(mesh, spec.density);
    shape.triangles = surface_triangles(mesh);
    shape.elasticity = solid_elasticity(spec, mesh);
    const Vector3d size = mesh.x.rowwise().maxCoeff() - mesh.x.rowwise().minCoeff();
    return put_together(spec, std::move(shape), spec.skin.value_or(kSkin * size.minCoeff()), true, family);
  });
}

}  // namespace capstan

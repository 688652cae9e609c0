#include "capstan/scene/structures.hpp"

#include "capstan/collide/triangle_mesh.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/obj.hpp"
#include "capstan/files/text_scanner.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/scene/solids.hpp"
#include "capstan/surface/texture_field.hpp"

namespace capstan {
namespace {

using StructureKind = StructureSpec::Kind;

template <class Field>
std::shared_ptr<const StructureField> shared_field(Field field) {
  return std::make_shared<Field>(std::move(field));
}

StructureTexture texture_of(const StructureSpec& s) {
  return read_structure_png(s.file, s.repeat ? TextureWrap::repeat : TextureWrap::clamp);
}

MeshSurface surface_of(const std::shared_ptr<const TriangleMesh>& mesh) {
  return MeshSurface(mesh->soup().vertices, mesh->soup().triangles,
                     [mesh](const Eigen::Vector3d& p) { return mesh->nearest_triangle(p); });
}

std::vector<std::array<Eigen::Vector2d, 3>> uv_in(const std::filesystem::path& file) {
  const ObjShapes read = read_obj(file);
  std::vector<std::array<Eigen::Vector2d, 3>> corners;
  for (const auto& [a, b, c] : read.uv_triangles) {
    if (std::min({a, b, c}) < 0)
      throw InputError(file.string() + ": triangle " + std::to_string(corners.size()) +
                       " has a corner without texture coordinates, expected vertex/vt at every corner of its "
                       "face, and that vt");
    corners.push_back({read.uv[a], read.uv[b], read.uv[c]});
  }
  return corners;
}

/// Three numbers for each vertex, in the order of the mesh.
std::vector<Eigen::Vector3d> directions_in(const std::filesystem::path& file) {
  const std::string text = files::read_whole_file(file);
  files::TextScanner in(text, file.string());
  std::vector<Eigen::Vector3d> directions;
  while (!in.at_end()) {
    Eigen::Vector3d& s = directions.emplace_back();
    for (int k = 0; k < 3; ++k) s[k] = in.number("three numbers for each vertex");
  }
  return directions;
}

VertexField vertex_field(const StructureSpec& s, char up, const std::shared_ptr<const TriangleMesh>& mesh) {
  std::vector<Eigen::Vector3d> directions = s.file.empty() ? s.directions : directions_in(s.file);
  for (Eigen::Vector3d& direction : directions) direction = turned_up(direction, up);
  return VertexField(surface_of(mesh), std::move(directions));
}

std::shared_ptr<const StructureField> structure_of(const SolidSpec& solid, const StructureSpec& s,
                                                   const std::shared_ptr<const Shape>& shape) {
  const PlaneAxes axes{s.origin, s.x, s.y};
  const auto mesh = std::dynamic_pointer_cast<const TriangleMesh>(shape);
  switch (s.kind) {
    case StructureKind::constant:
      return shared_field(ConstantField(s.direction));
    case StructureKind::axial:
      return shared_field(SweepField::axial(s.axis, s.origin));
    case StructureKind::radial:
      return shared_field(SweepField::radial(s.axis, s.origin));
    case StructureKind::concentric:
      return shared_field(SweepField::concentric(s.axis, s.origin));
    case StructureKind::sweep:
      return shared_field(SweepField(s.axis, s.origin, s.reference, s.direction));
    case StructureKind::channel:
      return shared_field(SteeringField::channel(axes, s.angle, s.width));
    case StructureKind::spread:
      return shared_field(SteeringField::spread(axes, s.angle, s.width));
    case StructureKind::slalom:
      return shared_field(SteeringField::slalom(axes, s.angle, s.wavelength));
    case StructureKind::texture:
      return shared_field(PlanarTextureField(texture_of(s), s.origin, s.x, s.y));
    case StructureKind::mesh_texture:
      return shared_field(MeshTextureField(texture_of(s), surface_of(mesh), uv_in(solid.file)));
    case StructureKind::vertices:
      break;
  }
  return shared_field(vertex_field(s, solid.up, mesh));
}

}  // namespace

std::shared_ptr<const StructureField> make_structure(const SolidSpec& solid,
                                                     const std::shared_ptr<const Shape>& shape) {
  if (!solid.structure) return nullptr;
  try {
    return structure_of(solid, *solid.structure, shape);
  } catch (const InputError& error) {
    throw InputError(solid.structure->place + ": structure of '" + solid.name + "': " + error.what());
  }
}

}  // namespace capstan

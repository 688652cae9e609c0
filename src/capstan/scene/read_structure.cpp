#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

using StructureKind = StructureSpec::Kind;

StructureKind structure_kind_named(const std::string& name) {
  if (name == "axial") return StructureKind::axial;
  if (name == "radial") return StructureKind::radial;
  if (name == "concentric") return StructureKind::concentric;
  if (name == "sweep") return StructureKind::sweep;
  if (name == "channel") return StructureKind::channel;
  if (name == "spread") return StructureKind::spread;
  if (name == "slalom") return StructureKind::slalom;
  if (name == "texture") return StructureKind::texture;
  if (name == "mesh_texture") return StructureKind::mesh_texture;
  return name == "vertices" ? StructureKind::vertices : StructureKind::constant;
}

void read_steering(TableReader& table, StructureSpec& structure) {
  structure.x = table.direction("x").value_or(structure.x);
  structure.y = table.direction("y").value_or(structure.y);
  structure.angle = table.required("angle", table.number("angle"));
  if (structure.kind == StructureKind::slalom)
    structure.wavelength = table.required("wavelength", table.number("wavelength"), 1.0);
  else
    structure.width = table.number("width").value_or(0);
}

void read_sweep(TableReader& table, StructureSpec& structure) {
  structure.axis = table.direction("axis").value_or(structure.axis);
  if (structure.kind != StructureKind::sweep) return;
  structure.reference = table.required("reference", table.vector("reference"), structure.reference);
  structure.direction = table.required("direction", table.direction("direction"), structure.direction);
}

void read_texture(TableReader& table, const Scene& scene, StructureSpec& structure) {
  structure.file = table.required("file", table.file("file", scene.folder));
  structure.repeat = table.boolean("repeat").value_or(true);
  if (structure.kind == StructureKind::mesh_texture) return;
  structure.x = table.required("x", table.vector("x"), structure.x);
  structure.y = table.required("y", table.vector("y"), structure.y);
}

void read_vertices(TableReader& table, const Scene& scene, StructureSpec& structure) {
  if (table.has("directions"))
    structure.directions = table.points("directions").value_or(structure.directions);
  else
    structure.file = table.required("file", table.file("file", scene.folder));
}

void read_kind(TableReader& table, const Scene& scene, StructureSpec& structure) {
  switch (structure.kind) {
    case StructureKind::constant:
      structure.direction = table.required("direction", table.direction("direction"), structure.direction);
      return;
    case StructureKind::mesh_texture:
      return read_texture(table, scene, structure);
    case StructureKind::vertices:
      return read_vertices(table, scene, structure);
    case StructureKind::texture:
      read_texture(table, scene, structure);
      break;
    case StructureKind::axial:
    case StructureKind::radial:
    case StructureKind::concentric:
    case StructureKind::sweep:
      read_sweep(table, structure);
      break;
    default:
      read_steering(table, structure);
  }
  structure.origin = table.vector("origin").value_or(structure.origin);
}

}  // namespace

std::optional<StructureSpec> read_structure(TableReader& owner, const Scene& scene,
                                            std::optional<SolidSpec::Shape> shape) {
  auto table = owner.table("structure", "structure");
  if (!table) return {};
  const auto kind = table->text("kind");
  const std::string name = table->required("kind", kind, std::string("constant"));
  table->decided_by("kind", name);
  StructureSpec structure;
  structure.kind = structure_kind_named(name);
  structure.place = table->place();
  if (!kind) return structure;
  const bool on_mesh =
      structure.kind == StructureKind::mesh_texture || structure.kind == StructureKind::vertices;
  if (on_mesh && shape && *shape != SolidSpec::Shape::mesh)
    table->wrong("kind", "another kind: this one is for shape = 'mesh'");
  read_kind(*table, scene, structure);
  table->finish();
  return structure;
}

}  // namespace capstan::scene_text

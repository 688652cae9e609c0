#include <algorithm>

#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

/// False if it names a preset that there is not: then nothing can be said about what is lacking.
bool start_from_preset(TableReader& table, Material& material) {
  if (!table.has("preset")) return true;
  const auto preset = table.text("preset");
  const Material* found = preset ? find_preset(*preset) : nullptr;
  if (preset && !found) table.wrong_word("preset", preset_names());
  if (found) material = *found;
  return found != nullptr;
}

void read_section(TableReader& table, Material& material) {
  if (table.has("radius") && table.has("semi_axes")) table.wrong("semi_axes", "no radius beside it");
  if (const auto radius = table.number("radius")) material.semi_axes = Eigen::Vector2d::Constant(*radius);
  if (const auto axes = table.pair("semi_axes")) material.semi_axes = *axes;
}

/// What is given replaces what the preset derived it from.
void read_stiffness(TableReader& table, Material& material) {
  if (table.has("shear") && table.has("poisson")) table.wrong("poisson", "no shear beside it");
  const auto young = table.number("young"), shear = table.number("shear"), poisson = table.number("poisson");
  if (young) {
    material.young = young;
    if (!table.has("bending")) material.bending.reset();
    if (!table.has("stretching")) material.stretching.reset();
  }
  if (shear || poisson) {
    material.shear = shear;
    material.poisson = poisson;
    if (!table.has("twisting")) material.twisting.reset();
  }
  if (const auto bending = table.number_or_pair("bending")) material.bending = bending;
  if (const auto twisting = table.number("twisting")) material.twisting = twisting;
  if (const auto stretching = table.number("stretching")) material.stretching = stretching;
}

void read_mass(TableReader& table, Material& material) {
  if (table.has("density") && table.has("linear_density"))
    table.wrong("linear_density", "no density beside it");
  if (const auto density = table.number("density")) {
    material.density = density;
    material.linear_density.reset();
  }
  if (const auto density = table.number("linear_density")) material.linear_density = density;
}

}  // namespace

void read_material(TableReader table, Scene& scene) {
  Material material;
  const bool start_known = start_from_preset(table, material);
  material.name = table.required("name", table.text("name"));
  const auto has_this_name = [&](const Material& other) { return other.name == material.name; };
  if (!material.name.empty() && std::any_of(scene.materials.begin(), scene.materials.end(), has_this_name))
    table.wrong("name", "a name that no other material of the scene has");
  read_section(table, material);
  read_mass(table, material);
  read_stiffness(table, material);
  material.internal_damping = table.number("internal_damping").value_or(material.internal_damping);
  material.air_drag = table.number("air_drag").value_or(material.air_drag);
  material.friction = table.number("friction").value_or(material.friction);
  if (const auto radius = table.number("collision_radius")) material.collision_radius = radius;
  material.natural_curvature = table.vector("natural_curvature").value_or(material.natural_curvature);
  for (const std::string& name : material.lacking())
    if (start_known && !table.has(name)) table.missing(name);
  table.finish();
  scene.materials.push_back(material);
}

}  // namespace capstan::scene_text

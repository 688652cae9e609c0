#include "capstan/scene/read_rods.hpp"

#include <algorithm>

#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

void read_material_name(TableReader& table, const Scene& scene, RodChoice& rods) {
  rods.material = table.required("material", table.text("material"));
  if (rods.material.empty() || scene.find_material(rods.material)) return;
  std::vector<std::string> names;
  for (const Material& material : scene.materials) names.push_back(material.name);
  for (const std::string& preset : preset_names()) names.push_back(preset);
  table.wrong_word("material", names);
}

void read_rest(TableReader& table, RodChoice& rods) {
  using Rest = RodChoice::Rest;
  const auto rest = table.text("rest");
  if (rest)
    rods.rest = *rest == "straight" ? Rest::straight : *rest == "as_given" ? Rest::as_given : Rest::material;
  rods.natural_curvature = table.vector("natural_curvature");
  if (!table.has("natural_curvature")) return;
  if (rest && rods.rest != Rest::material)
    table.wrong("natural_curvature", "no rest = '" + *rest + "' beside it");
  rods.rest = Rest::material;
}

Hold hold_named(const std::string& name) {
  if (name == "free") return Hold::free;
  return name == "pinned" ? Hold::pinned : Hold::clamped;
}

/// Whether keys and swings leave the end where the shape puts it at the start.
bool starts_in_place(const MotionScript& script) {
  const Frame start = Motion(Frame(), script.keys, script.interpolation, script.oscillations).at(0);
  return start.x.norm() == 0 && (start.R - Eigen::Matrix3d::Identity()).norm() == 0;
}

}  // namespace

void read_rods(TableReader& table, const Scene& scene, RodChoice& rods) {
  rods.model = table.text("model").value_or(rods.model);
  read_material_name(table, scene, rods);
  rods.elements = table.integer("elements").value_or(rods.elements);
  if (rods.model != "super_helix" && rods.elements < 2)
    table.wrong("elements", "2 or more with model = '" + rods.model + "'");
  read_rest(table, rods);
  rods.collision_radius = table.number("collision_radius");
  rods.self_contact = table.boolean("self_contact").value_or(rods.self_contact);
  rods.skip_root = table.number("skip_root").value_or(rods.skip_root);
}

EndScript read_end(TableReader& table, const Scene& scene, const std::string& model, bool is_root) {
  EndScript end;
  end.hold = hold_named(table.text("hold").value_or("clamped"));
  if (model == "super_helix" && !is_root && end.hold != Hold::free)
    table.has("hold") ? table.wrong("hold", "free: the tip of a super_helix cannot be held")
                      : table.missing("hold");
  if (end.hold != Hold::free) end.motion = read_motion(table, scene);
  if (end.hold == Hold::free) table.decided_by("hold", "free");
  if (!starts_in_place(end.motion))
    table.wrong(end.motion.keys.empty() ? "oscillation" : "keys",
                "a motion without displacement at t = 0: the shape says where the end is then");
  table.finish();
  return end;
}

void check_skip(TableReader& table, const RodChoice& rods, double length) {
  if (length > 0 && rods.skip_root >= length) table.wrong("skip_root", "less than the length");
}

}  // namespace capstan::scene_text

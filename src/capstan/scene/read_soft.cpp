#include "capstan/body/rotation.hpp"
#include "capstan/scene/names.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

void read_file(TableReader& table, const Scene& scene, SoftSpec& soft) {
  soft.file = table.required("file", table.file("file", scene.folder));
  soft.scale = table.number("scale").value_or(1);
  soft.up = table.text("up").value_or("z")[0];
}

void read_holds(TableReader& table, const Scene& scene, SoftSpec& soft) {
  for (TableReader& hold : table.tables("hold", "hold")) {
    HoldScript next;
    next.low = hold.required("low", hold.vector("low"), next.low);
    next.high = hold.required("high", hold.vector("high"), next.high);
    if (hold.has("low") && hold.has("high") && (next.low.array() > next.high.array()).any())
      hold.wrong("high", "nothing below low");
    next.motion = read_motion(hold, scene);
    hold.finish();
    soft.holds.push_back(next);
  }
}

void read_common(TableReader& table, const Scene& scene, SoftSpec& soft) {
  soft.pose.x = table.vector("position").value_or(soft.pose.x);
  if (const auto rotation = table.vector("rotation")) soft.pose.R = rotation_exp(*rotation);
  soft.velocity = table.vector("velocity").value_or(soft.velocity);
  soft.spin = table.vector("spin").value_or(soft.spin);
  soft.friction = table.number("friction").value_or(soft.friction);
  soft.damping = table.number("damping").value_or(soft.damping);
  soft.mass_damping = table.number("mass_damping").value_or(soft.mass_damping);
  soft.self_contact = table.boolean("self_contact").value_or(soft.self_contact);
  soft.structure = read_structure(table, scene, SolidSpec::Shape::box);
  read_holds(table, scene, soft);
}

/// Whole numbers, as the key says.
template <class Numbers>
auto whole(TableReader& table, const std::string& key, const Numbers& numbers) {
  const auto result = numbers.template cast<int>().eval();
  if (numbers != result.template cast<double>()) table.wrong(key, "whole numbers");
  return result;
}

}  // namespace

void read_cloth(TableReader table, Scene& scene) {
  ClothSpec cloth;
  cloth.name = read_name(table, scene, "cloth", scene.cloth.size());
  const std::string shape = table.text("shape").value_or("grid");
  table.decided_by("shape", shape);
  if (shape == "file") {
    read_file(table, scene, cloth);
  } else {
    cloth.size = table.required("size", table.pair("size"), cloth.size);
    cloth.cells = whole(table, "cells", table.required("cells", table.pair("cells"), Eigen::Vector2d(1, 1)));
  }
  read_common(table, scene, cloth);
  cloth.model = table.text("model").value_or(cloth.model);
  cloth.density = table.number("density").value_or(cloth.density);
  cloth.stretch = table.number("stretch").value_or(cloth.stretch);
  if (cloth.model == "membrane")
    cloth.poisson = table.number("poisson").value_or(cloth.poisson);
  else
    cloth.shear = table.number("shear").value_or(cloth.shear);
  cloth.bending = table.number("bending").value_or(cloth.bending);
  cloth.thickness = table.number("thickness").value_or(cloth.thickness);
  cloth.drag = table.number("drag").value_or(cloth.drag);
  cloth.skin_drag = table.number("skin_drag").value_or(cloth.skin_drag);
  table.finish();
  scene.cloth.push_back(cloth);
}

void read_soft(TableReader table, Scene& scene) {
  SolidSoftSpec soft;
  soft.name = read_name(table, scene, "soft", scene.soft.size());
  const auto shape = table.text("shape");
  soft.shape = table.required("shape", shape, std::string("box"));
  table.decided_by("shape", soft.shape);
  if (soft.shape == "box" && shape) {
    soft.size = table.required("size", table.vector("size"), soft.size);
    soft.cells =
        whole(table, "cells", table.required("cells", table.vector("cells"), Eigen::Vector3d(1, 1, 1)));
  }
  if (soft.shape == "ball") soft.radius = table.required("radius", table.number("radius"), soft.radius);
  if (soft.shape == "ball" || soft.shape == "fill")
    soft.cell = table.required("cell", table.number("cell"), soft.cell);
  if (soft.shape == "file" || soft.shape == "fill") read_file(table, scene, soft);
  read_common(table, scene, soft);
  soft.model = table.text("model").value_or(soft.model);
  soft.density = table.number("density").value_or(soft.density);
  soft.young = table.number("young").value_or(soft.young);
  soft.poisson = table.number("poisson").value_or(soft.poisson);
  soft.skin = table.number("skin");
  table.finish();
  scene.soft.push_back(soft);
}

}  // namespace capstan::scene_text

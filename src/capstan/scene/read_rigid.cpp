#include "capstan/scene/names.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {
namespace {

void read_copies(TableReader& table, RigidSpec& rigid) {
  if (const auto repeat = table.vector("repeat")) {
    rigid.repeat = repeat->cast<int>();
    if (*repeat != rigid.repeat.cast<double>()) table.wrong("repeat", "three whole numbers");
    rigid.spacing = table.required("spacing", table.vector("spacing"), rigid.spacing);
  }
  rigid.jitter = table.number("jitter").value_or(rigid.jitter);
  rigid.tumble = table.number("tumble").value_or(rigid.tumble);
  rigid.seed = std::uint64_t(table.wide_integer("seed").value_or(1));
}

}  // namespace

void read_rigid(TableReader table, Scene& scene) {
  RigidSpec rigid;
  rigid.name = read_name(table, scene, "rigid", scene.rigid.size());
  read_solid(table, scene, rigid);
  if (rigid.shape == SolidSpec::Shape::plane)
    table.wrong("shape", "something that ends: a plane has no mass");
  rigid.pose = read_pose(table, rigid);
  rigid.density = table.number("density").value_or(rigid.density);
  rigid.friction = table.number("friction").value_or(rigid.friction);
  rigid.velocity = table.vector("velocity").value_or(rigid.velocity);
  rigid.spin = table.vector("spin").value_or(rigid.spin);
  read_copies(table, rigid);
  table.finish();
  scene.rigid.push_back(rigid);
}

}  // namespace capstan::scene_text

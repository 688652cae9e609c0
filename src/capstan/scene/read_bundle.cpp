#include "capstan/scene/names.hpp"
#include "capstan/scene/read_rods.hpp"
#include "capstan/scene/scene_parts.hpp"

namespace capstan::scene_text {

void read_bundle(TableReader table, Scene& scene) {
  Bundle bundle;
  bundle.name = read_name(table, scene, "bundle", scene.bundles.size());
  read_rods(table, scene, bundle);
  bundle.count = table.required("count", table.integer("count"));
  bundle.length = table.required("length", table.number("length"));
  bundle.length_spread = table.number("length_spread").value_or(bundle.length_spread);
  bundle.center = table.vector("center").value_or(bundle.center);
  bundle.direction = table.direction("direction").value_or(bundle.direction);
  bundle.spacing = table.number("spacing").value_or(bundle.spacing);
  bundle.tilt = table.number("tilt").value_or(bundle.tilt);
  bundle.spread = table.number("spread").value_or(bundle.spread);
  bundle.bend = table.number("bend").value_or(bundle.bend);
  bundle.droop = table.number("droop");
  bundle.seed = std::uint64_t(table.wide_integer("seed").value_or(1));
  if (auto root = table.table("root", "end")) bundle.root = read_end(*root, scene, bundle.model, true);
  if (table.has("droop") && bundle.root.hold == Hold::free)
    table.wrong("droop", "a [bundle.root] that holds beside it");
  if (table.has("droop") && bundle.bend != 0) table.wrong("droop", "no bend beside it");
  check_skip(table, bundle, bundle.length * (1 - bundle.length_spread));
  table.finish();
  scene.bundles.push_back(bundle);
}

}  // namespace capstan::scene_text

#include "capstan/errors.hpp"
#include "capstan/scene/growing.hpp"
#include "capstan/scene/scene_parts.hpp"
#include "capstan/scene/solids.hpp"

namespace capstan {
namespace scene_text {

std::string numbered(const std::string& name, std::size_t index) {
  return name + "[" + std::to_string(index) + "]";
}

StrandSpec common_spec(const Scene& scene, const RodChoice& rods, int family) {
  const Material& material = *scene.find_material(rods.material);
  StrandSpec strand;
  strand.name = strand.source = rods.name;
  strand.family = family;
  strand.model = rods.model;
  strand.material = rods.material;
  strand.elements = rods.elements;
  strand.properties = material.rod();
  strand.collision_radius = rods.collision_radius.value_or(material.contact_radius());
  strand.friction = material.friction;
  strand.self_contact = rods.self_contact;
  strand.skip_root = rods.skip_root;
  if (rods.rest == RodChoice::Rest::as_given) strand.shape.rest = StrandShape::Rest::as_given;
  if (rods.rest == RodChoice::Rest::material)
    strand.shape.natural_curvature = rods.natural_curvature.value_or(material.natural_curvature);
  return strand;
}

void hold_ends(StrandSpec& strand, const EndScript& root, const EndScript& tip, const Scene& scene) {
  const FramedCurve curve = sample_curve(strand.shape, strand.elements);
  strand.shape.root = {root.hold, placed(root.motion, {curve.x.front(), curve.R.front()}, scene)};
  strand.shape.tip = {tip.hold, placed(tip.motion, {curve.x.back(), curve.R.back()}, scene)};
}

namespace {

/// Runs a part of the expansion; what is wrong with it is told with the name of the source.
template <class Grow>
void append(std::vector<StrandSpec>& strands, const std::string& kind, const std::string& name,
            const Grow& grow) {
  try {
    for (StrandSpec& strand : grow()) strands.push_back(std::move(strand));
  } catch (const InputError& error) {
    throw InputError(kind + " '" + name + "': " + error.what());
  }
}

}  // namespace
}  // namespace scene_text

std::vector<StrandSpec> expand(const Scene& scene, const std::vector<Obstacle>& obstacles) {
  using namespace scene_text;
  if (obstacles.size() != scene.obstacles.size())
    throw InputError("expand: got " + std::to_string(obstacles.size()) + " obstacles, expected the scene's " +
                     std::to_string(scene.obstacles.size()));
  const Surroundings surroundings(obstacles);
  std::vector<StrandSpec> strands;
  int family = 0;
  for (const StrandScript& script : scene.strands)
    append(strands, "strand", script.name,
           [&] { return std::vector<StrandSpec>{grow_strand(scene, script, family++)}; });
  for (const Groom& groom : scene.grooms)
    append(strands, "groom", groom.name, [&] {
      if (!groom.file.empty()) return read_groom_file(scene, groom, family++);
      const auto carrier = scene.find_obstacle(groom.on) - scene.obstacles.data();
      return grow_groom(scene, groom, family++, obstacles[carrier], surroundings);
    });
  for (const Bundle& bundle : scene.bundles)
    append(strands, "bundle", bundle.name,
           [&] { return grow_bundle(scene, bundle, family++, surroundings); });
  return strands;
}

std::vector<StrandSpec> expand(const Scene& scene) { return expand(scene, make_obstacles(scene)); }

int dofs_of(const StrandSpec& strand) {
  const Hold root = strand.shape.root.hold, tip = strand.shape.tip.hold;
  if (strand.model == "super_helix")
    return 3 * strand.elements + (root == Hold::free ? 6 : root == Hold::pinned ? 3 : 0);
  const int free_nodes = strand.elements + 1 - (root != Hold::free) - (tip != Hold::free);
  const int turns = strand.model == "corde" ? 3 : strand.model == "discrete_elastic" ? 1 : 0;
  return 3 * free_nodes + turns * strand.elements;
}

}  // namespace capstan

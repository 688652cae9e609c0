#include "capstan/scene/build_world.hpp"

#include <algorithm>
#include <cmath>

#include "capstan/body/rod/corde.hpp"
#include "capstan/body/rod/discrete_elastic.hpp"
#include "capstan/body/rod/mass_spring.hpp"
#include "capstan/body/rod/super_helix.hpp"
#include "capstan/errors.hpp"
#include "capstan/scene/friction_table.hpp"
#include "capstan/scene/grow_rigid.hpp"
#include "capstan/scene/grow_soft.hpp"
#include "capstan/scene/solids.hpp"
#include "capstan/scene/structures.hpp"

namespace capstan {
namespace {

/// Returns the largest curvature of a strand as it is placed, 1/m, of circles through three points each.
double largest_curvature(const Strand& strand, int pieces) {
  const double h = strand.length() / (2 * pieces);
  double largest = 0;
  for (int i = 0; i < pieces; ++i) {
    const Eigen::Vector3d from = strand.position(2 * i * h), middle = strand.position((2 * i + 1) * h);
    const double sag = (middle - (from + strand.position((2 * i + 2) * h)) / 2).norm();
    largest = std::max(largest, 2 * sag / (h * h));
  }
  return largest;
}

/// A helical piece is curved, a capsule is not: at least three per piece, and up to sixteen to keep the arc
/// within an eighth of a radius of its chord (kappa l^2/8). A piece of the other models is a chord itself.
int capsules_of(const StrandSpec& spec, const Strand& strand) {
  if (spec.model != "super_helix") return spec.elements;
  const double kappa =
      std::max(spec.shape.natural_curvature.tail<2>().norm(), largest_curvature(strand, 3 * spec.elements));
  const double wanted = strand.length() * std::sqrt(kappa / spec.collision_radius);
  return static_cast<int>(std::ceil(std::clamp(wanted, 3.0 * spec.elements, 16.0 * spec.elements)));
}

std::unique_ptr<Strand> make_unchecked(const StrandSpec& spec) {
  if (spec.model == "super_helix")
    return std::make_unique<SuperHelix>(spec.shape, spec.properties, spec.elements);
  if (spec.model == "mass_spring")
    return std::make_unique<MassSpring>(spec.shape, spec.properties, spec.elements);
  if (spec.model == "corde") return std::make_unique<Corde>(spec.shape, spec.properties, spec.elements);
  if (spec.model == "discrete_elastic")
    return std::make_unique<DiscreteElastic>(spec.shape, spec.properties, spec.elements);
  throw InputError("model: there is no '" + spec.model + "'");
}

WorldStrand make_world_strand(const StrandSpec& spec) {
  WorldStrand strand;
  strand.body = make_strand(spec);
  strand.collision.radius = spec.collision_radius;
  strand.collision.skip_root = spec.skip_root;
  strand.collision.self_contact = spec.self_contact;
  strand.collision_s = equal_steps(strand.body->length(), capsules_of(spec, *strand.body));
  strand.family = spec.family;
  strand.name = spec.name;
  strand.root = spec.shape.root;
  strand.tip = spec.shape.tip;
  return strand;
}

}  // namespace

std::unique_ptr<Strand> make_strand(const StrandSpec& spec) {
  try {
    auto strand = make_unchecked(spec);
    strand->loads = spec.loads;
    return strand;
  } catch (const InputError& error) {
    throw InputError("strand '" + spec.name + "': " + error.what());
  }
}

World build_world(const Scene& scene) {
  World world;
  const std::vector<Obstacle> obstacles = make_obstacles(scene);
  for (const StrandSpec& spec : expand(scene, obstacles)) world.strands.push_back(make_world_strand(spec));
  int family = first_rigid_family(scene);
  for (const RigidSpec& spec : scene.rigid)
    for (WorldRigid& body : grow_rigid(spec, family++)) world.rigid.push_back(std::move(body));
  for (const ClothSpec& spec : scene.cloth) world.soft.push_back(grow_cloth(scene, spec, family++));
  for (const SolidSoftSpec& spec : scene.soft) world.soft.push_back(grow_soft(scene, spec, family++));
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    world.obstacles.emplace_back(obstacles[k], family++);
    world.obstacles[k].structure = make_structure(scene.obstacles[k], obstacles[k].shape);
  }
  world.friction = friction_table(scene);
  world.gravity = scene.simulation.gravity;
  world.air = scene.simulation.air;
  return world;
}

StepOptions step_options(const SimulationSettings& settings, const Executor& executor) {
  StepOptions options;
  options.dt = settings.dt;
  options.dt_min = settings.dt_min;
  options.adaptive = settings.adaptive;
  options.theta = settings.theta;
  options.solve.solver = settings.solver;
  options.solve.tolerance = settings.tolerance;
  options.solve.max_iterations = settings.max_sweeps;
  options.warm_start = settings.warm_start;
  options.solve.executor = &executor;
  return options;
}

}  // namespace capstan

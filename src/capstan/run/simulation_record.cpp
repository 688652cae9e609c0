#include "capstan/run/simulation_record.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "capstan/errors.hpp"
#include "capstan/run/soft_record.hpp"
#include "capstan/run/solids_record.hpp"

namespace capstan {
namespace {

std::string friction_text(const World& world) {
  std::vector<double> values;
  for (int a = 0; a < world.friction.families(); ++a)
    for (int b = 0; b <= a; ++b) values.push_back(world.friction(a, b).mu);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::string text;
  for (const double mu : values) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", mu);
    text += (text.empty() ? "" : " / ") + std::string(number);
  }
  return text;
}

template <class Values>
const Values& stored(const std::map<std::string, Values>& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end())
    throw InputError("checkpoint: has no '" + name +
                     "': it was written by another version of Capstan; run the scene anew with --overwrite");
  return found->second;
}

/// The same, with so many numbers.
template <class Values>
const Values& numbers_of(const std::map<std::string, Values>& all, const std::string& name,
                         std::size_t count) {
  const Values& found = stored(all, name);
  if (found.size() != count)
    throw InputError("checkpoint: " + name + " has " + std::to_string(found.size()) + " numbers, expected " +
                     std::to_string(count));
  return found;
}

record::ContactState recorded(ContactState state) {
  switch (state) {
    case ContactState::open:
      return record::ContactState::open;
    case ContactState::stick:
      return record::ContactState::stick;
    case ContactState::slide:
      return record::ContactState::slide;
  }
  throw std::logic_error("unknown state of a contact");
}

/// Axes cost bytes, and of what strands touch there is much: there they are kept where friction has a grain.
record::RecordedCone recorded_cone(const World& world, const Contact& contact, const Eigen::Vector2d& mu) {
  record::RecordedCone cone{mu[0], mu[1]};
  const PairFriction& pair = world.friction(world.family_of(contact.a), world.family_of(contact.b));
  if (contact.a.strand < 0 || pair.model != FrictionModel::isotropic)
    cone.axes = {contact.frame.col(0), contact.frame.col(1)};
  return cone;
}

}  // namespace

record::Manifest manifest_of(const Scene& scene, const World& world, const std::string& scene_name) {
  record::Manifest manifest;
  manifest.scene = scene_name;
  for (const WorldStrand& strand : world.strands) {
    manifest.layout.points_per_strand.push_back(static_cast<int>(strand.collision_s.size()));
    manifest.radii.push_back(strand.body->properties().radius);
  }
  manifest.obstacles = solids_json(scene, world);
  manifest.layout.obstacles = static_cast<int>(manifest.obstacles.size());
  manifest.meshes = recorded_meshes(world);
  manifest.layout.points_per_mesh = points_of_meshes(world);
  manifest.fps = scene.simulation.fps;
  manifest.dofs = world.dofs();
  manifest.tolerance = scene.simulation.tolerance;
  manifest.friction = friction_text(world);
  return manifest;
}

record::Snapshot places_of(const Simulation& simulation) {
  const World& world = simulation.world();
  record::Snapshot snapshot;
  snapshot.t = simulation.t();
  Eigen::Index points = 0;
  for (const WorldStrand& strand : world.strands)
    points += static_cast<Eigen::Index>(strand.collision_s.size());
  snapshot.points.resize(3, points);
  Eigen::Index at = 0;
  for (const WorldStrand& strand : world.strands)
    for (const double s : strand.collision_s) snapshot.points.col(at++) = strand.body->position(s);
  snapshot.obstacles = poses_of_solids(world, simulation.t());
  record_soft(world, snapshot);
  return snapshot;
}

record::Snapshot snapshot_of(const Simulation& simulation, double dt) {
  const World& world = simulation.world();
  record::Snapshot snapshot = places_of(simulation);
  for (std::size_t i = 0; i < simulation.contacts().size(); ++i) {
    const Contact& c = simulation.contacts()[i];
    const double beta = simulation.contact_intensity().at(i);
    if (simulation.impulses()[i].squaredNorm() == 0 && beta == 0) continue;  // open
    snapshot.contacts.push_back({0.5 * (c.point_a + c.point_b), simulation.impulses()[i] / dt,
                                 recorded_body(world, c.a), recorded_body(world, c.b),
                                 recorded(simulation.contact_states().at(i)),
                                 recorded_cone(world, c, simulation.contact_friction().at(i)), beta});
  }
  return snapshot;
}

record::StepStatistics row_of(const StepReport& report, int step, const Energy& energy) {
  record::StepStatistics row;
  row.step = step;
  row.t = report.t;
  row.dt = report.dt;
  row.contacts = report.contacts;
  row.nu = report.nu;
  row.sweeps = report.sweeps;
  row.error = report.error;
  row.converged = report.status == Status::converged;
  row.detect = report.seconds_detect;
  row.assemble = report.seconds_assemble;
  row.solve = report.seconds_solve;
  row.advance = report.seconds_advance;
  row.kinetic = energy.kinetic;
  row.elastic = energy.elastic;
  row.gravity = energy.gravity;
  row.penetration = report.penetration;
  row.obstacle_penetration = report.obstacle_penetration;
  row.penetration_ratio = report.penetration_ratio;
  row.crossings = report.crossings;
  row.status = to_string(report.status);
  if (report.overlaps_left) row.status += " overlaps left";
  if (report.held > 0) row.status += " " + std::to_string(report.held) + " held";
  if (report.attempts > 1) row.status += " dt reduced";
  if (report.at_floor) row.status += " at the shortest dt";
  return row;
}

record::Overlap recorded(const OverlapReport& overlap) {
  return {overlap.penetration, overlap.obstacle_penetration, overlap.penetration_ratio};
}

record::Checkpoint checkpoint_of(const Simulation::State& state, int frames) {
  record::Checkpoint checkpoint;
  checkpoint.t = state.t;
  checkpoint.dt = state.dt;
  checkpoint.step = state.steps;
  checkpoint.frame = frames;
  checkpoint.reals["dt_used"] = {state.dt_used};
  checkpoint.reals["recent_work"] = {state.work.recent_work, state.work.trust};
  checkpoint.integers["futile_steps"] = {state.futile_steps, state.patient_steps};
  checkpoint.reals["bodies"] = state.bodies;
  checkpoint.reals["contacts"] = state.contacts;
  checkpoint.integers["contact_ids"] = state.contact_ids;
  checkpoint.integers["body_sizes"] = state.body_sizes;
  checkpoint.reals["bonds"] = state.bonds;
  checkpoint.integers["bond_ids"] = state.bond_ids;
  if (!state.course_ids.empty()) {
    checkpoint.reals["courses"] = state.courses;
    checkpoint.integers["course_ids"] = state.course_ids;
  }
  return checkpoint;
}

Simulation::State state_of(const record::Checkpoint& checkpoint) {
  Simulation::State state;
  state.t = checkpoint.t;
  state.dt = checkpoint.dt;
  state.steps = checkpoint.step;
  state.dt_used = numbers_of(checkpoint.reals, "dt_used", 1)[0];
  const std::vector<double> work = numbers_of(checkpoint.reals, "recent_work", 2);
  state.work = {work[0], work[1]};
  const std::vector<int> shrinking = numbers_of(checkpoint.integers, "futile_steps", 2);
  state.futile_steps = shrinking[0];
  state.patient_steps = shrinking[1];
  state.bodies = stored(checkpoint.reals, "bodies");
  state.contacts = stored(checkpoint.reals, "contacts");
  state.contact_ids = stored(checkpoint.integers, "contact_ids");
  state.body_sizes = stored(checkpoint.integers, "body_sizes");
  state.bonds = stored(checkpoint.reals, "bonds");
  state.bond_ids = stored(checkpoint.integers, "bond_ids");
  if (checkpoint.integers.contains("course_ids")) {
    state.courses = stored(checkpoint.reals, "courses");
    state.course_ids = stored(checkpoint.integers, "course_ids");
  }
  return state;
}

}  // namespace capstan

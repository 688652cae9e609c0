#include "bindings/held_run.hpp"

#include "capstan/errors.hpp"

namespace capstan::python {
namespace {

void check_index(const std::string& what, int index, std::size_t count) {
  if (index < 0 || index >= static_cast<int>(count))
    throw InputError(what + ": there is no number " + std::to_string(index) + ", expected 0 to " +
                     std::to_string(count) + " - 1");
}

const Motion& held_end(const End& end, const std::string& what, int strand) {
  if (end.hold == Hold::free)
    throw InputError(what + ": that of strand " + std::to_string(strand) + " is free");
  return end.motion;
}

}  // namespace

HeldRun::HeldRun(SceneRun run) : run_(std::move(run)) {
  for (const WorldStrand& strand : run_.simulation().world().strands) loads_.push_back(strand.body->loads);
}

SceneRun& HeldRun::run() {
  if (busy_) throw std::runtime_error("another thread is making a step of this simulation");
  return run_;
}

void HeldRun::keep_problem(bool keep) {
  Simulation& simulation = run().simulation();
  if (!keep) {
    simulation.on_solved = nullptr;
    problem_.reset();
    return;
  }
  simulation.on_solved = [this](const ContactProblem& problem, const Solution&) { problem_ = problem; };
}

void HeldRun::set_strand_forces(const Matrix& forces) {
  World& world = run().simulation().world();
  Eigen::Index point = 0;
  for (std::size_t k = 0; k < world.strands.size(); ++k) {
    std::vector<PointForce>& loads = world.strands[k].body->loads;
    loads = loads_[k];
    for (const double s : world.strands[k].collision_s) {
      const Eigen::Vector3d f = row(forces, point++);
      if (!f.isZero(0)) loads.push_back({s, f});
    }
  }
}

void HeldRun::set_rigid_forces(const Matrix& forces, const Matrix& torques) {
  const World& world = run().simulation().world();
  for (std::size_t k = 0; k < world.rigid.size(); ++k) {
    world.rigid[k].body->force_on_centre = row(forces, Eigen::Index(k));
    world.rigid[k].body->torque = row(torques, Eigen::Index(k));
  }
}

void HeldRun::set_soft_forces(int body, const Matrix& forces) {
  check_index("soft", body, world().soft.size());
  world().soft[body].body->loads = view(forces).transpose();
}

const Motion& HeldRun::motion_of(const Driven& what) {
  const auto& [kind, index, hold] = what;
  const World& all = world();
  if (kind == "obstacle") {
    check_index(kind, index, all.obstacles.size());
    return all.obstacles[index].motion;
  }
  if (kind == "soft") {
    check_index(kind, index, all.soft.size());
    const std::vector<HeldNodes>& held = all.soft[index].body->held();
    check_index("hold", hold, held.size());
    return held[hold].motion;
  }
  check_index("strand", index, all.strands.size());
  const WorldStrand& strand = all.strands[index];
  return held_end(kind == "root" ? strand.root : strand.tip, kind, index);
}

Frame HeldRun::pose(const Driven& what) { return motion_of(what).at(run_.simulation().t()); }

void HeldRun::drive_to(const Driven& what, const Frame& target, double end) {
  const Motion& motion = motion_of(what);
  const double t = run_.simulation().t();
  motion.steer(course_to(motion.at(t), target, t, end));
}

void HeldRun::drive_at(const Driven& what, const Twist& twist, double end) {
  const Motion& motion = motion_of(what);
  const double t = run_.simulation().t();
  motion.steer(Course{t, end, motion.at(t), twist});
}

void HeldRun::let_go(const Driven& what) { motion_of(what).steer(std::nullopt); }

}  // namespace capstan::python

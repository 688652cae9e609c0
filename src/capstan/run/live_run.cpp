#include "capstan/run/live_run.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "capstan/errors.hpp"
#include "capstan/run/soft_record.hpp"
#include "capstan/run/solids_record.hpp"
#include "capstan/scene/build_world.hpp"
#include "capstan/scene/friction_table.hpp"

namespace capstan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kReach = 0.05;             // s in which a dragged point wants to be where the hand is
constexpr double kFrameSpacing = 1.0 / 40;  // s of wall clock
constexpr double kLag = 0.1;                // s behind the clock that are made up for; more is forgiven

std::vector<float> points_of(const World& world) {
  std::vector<float> points;
  for (const WorldStrand& strand : world.strands)
    for (const double s : strand.collision_s) {
      const Eigen::Vector3f x = strand.body->position(s).cast<float>();
      points.insert(points.end(), x.data(), x.data() + 3);
    }
  return points;
}

std::vector<float> poses_of(const World& world, double t) {
  std::vector<float> poses;
  for (const Frame& pose : poses_of_solids(world, t)) {
    const Eigen::Vector3f x = pose.x.cast<float>();
    const Eigen::Matrix3f R = pose.R.cast<float>();
    poses.insert(poses.end(), x.data(), x.data() + 3);
    poses.insert(poses.end(), R.data(), R.data() + 9);
  }
  return poses;
}

/// Keeps a simulation from running ahead of the clock, and says when the next picture is due.
class Pace {
 public:
  explicit Pace(double t) { set(t); }
  void wait(double t) {
    const double ahead = t - seconds_since(start_);
    if (ahead > 0) std::this_thread::sleep_for(std::chrono::duration<double>(std::min(ahead, kLag)));
    if (ahead < -kLag) set(t);  // slower than the clock: what is lost is lost
  }
  bool wants_frame() {
    if (seconds_since(frame_) < kFrameSpacing) return false;
    frame_ = Clock::now();
    return true;
  }

 private:
  static double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  void set(double t) {
    start_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(t));
  }
  Clock::time_point start_, frame_ = Clock::now();  // start_: when t was 0
};

}  // namespace

Eigen::Vector3d drag_force(Strand& strand, const StepConditions& step, double s,
                           const Eigen::Vector3d& target, double fastest) {
  strand.begin_step(step);
  const PointMotion point = strand.point_motion(s);
  const BodyFactor factor(strand.matrix());
  Eigen::MatrixXd moved = point.J.transpose();
  factor.solve_in_place(moved);
  const Eigen::Matrix3d mobility = point.J * moved;             // velocity per impulse
  if (!(mobility.trace() > 0)) return Eigen::Vector3d::Zero();  // a held point
  const Eigen::Vector3d without = point.J * factor.solve(strand.force()) + point.free_velocity;
  Eigen::Vector3d wanted = (target - point.x) / kReach;
  if (wanted.norm() > fastest) wanted *= fastest / wanted.norm();
  // A point that cannot move along some direction (an inextensible strand pulled taut) is not pulled there.
  const Eigen::Matrix3d softened = mobility + 1e-3 * mobility.trace() * Eigen::Matrix3d::Identity();
  return softened.inverse() * (wanted - without) / step.dt;
}

LiveRun::LiveRun(Scene scene, int threads) : scene_(std::move(scene)), executor_(threads) {
  const World world = build_world(scene_);
  for (const WorldStrand& strand : world.strands) {
    points_per_strand_.push_back(static_cast<int>(strand.collision_s.size()));
    radii_.push_back(strand.body->properties().radius);
  }
  if (!world.strands.empty()) friction_[kBetweenStrands] = world.friction(0, 0).mu;
  obstacles_ = solids_json(scene_, world);
  const std::vector<record::RecordedMesh> meshes = recorded_meshes(world);
  const std::vector<int> vertices = points_of_meshes(world);
  for (std::size_t k = 0; k < meshes.size(); ++k)
    meshes_.push_back(record::mesh_json(meshes[k], vertices[k]));
  if (!world.strands.empty())
    for (const WorldObstacle& obstacle : world.obstacles)
      friction_[obstacle.name] = world.friction(0, obstacle.family).mu;
  thread_ = std::thread([this] { loop(); });
}

LiveRun::~LiveRun() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::map<std::string, double> LiveRun::friction() const {
  const std::lock_guard lock(mutex_);
  return friction_;
}

void LiveRun::pause(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
    frame_.paused = paused;
    ++frame_.number;
  }
  changed_.notify_all();
}

void LiveRun::restart() {
  {
    const std::lock_guard lock(mutex_);
    restart_ = true;
    drag_.reset();
  }
  changed_.notify_all();
}

void LiveRun::set_friction(const std::string& name, double mu) {
  const std::lock_guard lock(mutex_);
  const auto found = friction_.find(name);
  if (found == friction_.end()) throw InputError("friction: there is no '" + name + "'");
  if (!(mu >= 0 && mu <= 10)) throw InputError("friction: is " + std::to_string(mu) + ", expected 0 to 10");
  found->second = chosen_friction_[name] = mu;
}

void LiveRun::drag(const std::optional<Drag>& drag) {
  if (drag) {
    if (drag->strand < 0 || drag->strand >= static_cast<int>(points_per_strand_.size()))
      throw InputError("drag: there is no strand " + std::to_string(drag->strand));
    if (drag->point < 0 || drag->point >= points_per_strand_[static_cast<std::size_t>(drag->strand)])
      throw InputError("drag: strand " + std::to_string(drag->strand) + " has no point " +
                       std::to_string(drag->point));
    if (!drag->target.allFinite() || drag->target.norm() > 1e3)
      throw InputError("drag: the target is not within a kilometre");
  }
  const std::lock_guard lock(mutex_);
  drag_ = drag;
}

std::optional<LiveFrame> LiveRun::wait_for_frame(long long seen, std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, at_most, [&] { return stop_ || frame_.number > seen; }) || stop_) return {};
  return frame_;
}

/// What was changed by hand; the rest stays as the scene has it.
void LiveRun::apply_friction(World& world) const {
  const int families = first_rigid_family(scene_);  // of strands
  const auto apply = [&](const std::string& name, int first, int last) {
    const auto chosen = chosen_friction_.find(name);
    if (chosen == chosen_friction_.end()) return;
    for (int a = 0; a < families; ++a)
      for (int b = first; b < last; ++b) {
        PairFriction pair = world.friction(a, b);
        pair.mu = chosen->second;
        world.friction.set(a, b, pair);
      }
  };
  apply(kBetweenStrands, 0, families);
  for (const WorldObstacle& obstacle : world.obstacles)
    apply(obstacle.name, obstacle.family, obstacle.family + 1);
}

void LiveRun::publish(const Simulation& simulation, const StepReport& report) {
  LiveFrame frame{.number = 0,
                  .t = simulation.t(),
                  .error = report.error,
                  .step = simulation.steps(),
                  .contacts = report.contacts,
                  .paused = false,
                  .points = points_of(simulation.world()),
                  .poses = poses_of(simulation.world(), simulation.t()),
                  .mesh_points = {},
                  .mesh_values = {},
                  .problem = {}};
  record::Snapshot soft;
  record_soft(simulation.world(), soft);
  const Eigen::Matrix3Xf vertices = soft.mesh_points.cast<float>();
  frame.mesh_points.assign(vertices.data(), vertices.data() + vertices.size());
  frame.mesh_values.assign(soft.mesh_values.begin(), soft.mesh_values.end());
  {
    const std::lock_guard lock(mutex_);
    frame.number = frame_.number + 1;
    frame.paused = paused_;
    frame_ = std::move(frame);
  }
  changed_.notify_all();
}

void LiveRun::loop() {
  try {
    while (play()) {
    }
  } catch (const std::exception& error) {  // the page tells it; nobody else could
    const std::lock_guard lock(mutex_);
    frame_.problem = error.what();
    ++frame_.number;
  }
  changed_.notify_all();
}

/// From the start of the scene to a restart; whether there is one.
bool LiveRun::play() {
  Simulation simulation(build_world(scene_), step_options(scene_.simulation, executor_));
  if (scene_.simulation.untangle) simulation.untangle();
  std::vector<std::vector<PointForce>> loads;  // those of the scene
  for (const WorldStrand& strand : simulation.world().strands) loads.push_back(strand.body->loads);
  publish(simulation, {});
  Pace pace(simulation.t());
  for (;;) {
    std::optional<Drag> drag;
    {
      std::unique_lock lock(mutex_);
      const bool waits = paused_;
      changed_.wait(lock, [this] { return stop_ || restart_ || !paused_; });
      if (stop_ || restart_) return !stop_ && std::exchange(restart_, false);
      if (waits) pace = Pace(simulation.t());
      drag = drag_;
      apply_friction(simulation.world());
    }
    for (std::size_t k = 0; k < loads.size(); ++k) simulation.world().strands[k].body->loads = loads[k];
    if (drag) pull(simulation, *drag);
    const StepReport report = simulation.step(simulation.t() + simulation.dt());
    if (pace.wants_frame()) publish(simulation, report);
    pace.wait(simulation.t());
  }
}

void LiveRun::pull(Simulation& simulation, const Drag& drag) const {
  World& world = simulation.world();
  WorldStrand& held = world.strands[static_cast<std::size_t>(drag.strand)];
  const double s = held.collision_s[static_cast<std::size_t>(drag.point)];
  const StepConditions step{simulation.t(), simulation.dt(), scene_.simulation.theta, world.gravity,
                            world.air};
  // No faster than half a radius a step: a hand must not tear a strand through itself.
  const double fastest = 0.5 * held.collision.radius / step.dt;
  held.body->loads.push_back({s, drag_force(*held.body, step, s, drag.target, fastest)});
}

}  // namespace capstan

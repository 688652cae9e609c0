#include <algorithm>
#include <limits>

#include "capstan/step/simulation.hpp"
#include "capstan/step/thickness.hpp"

namespace capstan {
namespace {

/// Rounds in which the overlaps must fall by a tenth; otherwise what is left cannot be undone.
constexpr int kPatientRounds = 8;
constexpr double kProgress = 0.9;
/// A round undoes all of the overlaps, or this part of them again and again, down to the least, until their
/// sum is not much larger than the smallest so far: a light curl is easily thrown about. Times that sum, and
/// thicknesses that do not matter: what springs back may meet a few other things on its way.
constexpr double kSmaller = 0.25, kLeastPart = 0.01, kMuchLarger = 1.5, kFew = 20;
/// Contacts of all rounds: what is dense is not untangled at any price.
constexpr double kMaxContacts = 2e5;

/// Reference points that show how far bodies have moved.
std::vector<Eigen::Vector3d> places_of(const World& world) {
  std::vector<Eigen::Vector3d> places;
  for (const WorldStrand& strand : world.strands)
    for (const double s : strand.collision_s) places.push_back(strand.body->position(s));
  for (const WorldRigid& rigid : world.rigid) places.push_back(rigid.body->centre());
  for (const WorldSoft& soft : world.soft)
    for (int i = 0; i < soft.body->nodes(); ++i) places.push_back(soft.body->positions().col(i));
  return places;
}

double farthest_move(const std::vector<Eigen::Vector3d>& from, const std::vector<Eigen::Vector3d>& to) {
  double farthest = 0;
  for (std::size_t i = 0; i < from.size(); ++i) farthest = std::max(farthest, (to[i] - from[i]).norm());
  return farthest;
}

}  // namespace

/// Makes steps that only undo overlaps, and puts everything else back when it ends. The clock stands one step
/// before the start, so that what is prescribed ends each of them where it belongs at the start.
class Simulation::UntanglingStage {
 public:
  explicit UntanglingStage(Simulation& simulation)
      : simulation_(simulation),
        t_(simulation.t_),
        dt_(simulation.dt_),
        gap_(simulation.options_.gap),
        adaptive_(simulation.options_.adaptive),
        gravity_(simulation.world_.gravity),
        friction_(simulation.world_.friction) {
    World& world = simulation.world_;
    for (int k = 0; k < world.bodies(); ++k) {
      states_.push_back(world.body(k).state());
      world.body(k).stop();
    }
    exchange_loads(world);
    world.gravity.setZero();
    PairFriction frictionless;
    frictionless.mu = 0;
    world.friction = PairTable(friction_.families(), frictionless);
    simulation.sticky_ = false;
    simulation.options_.gap.correction = 1;
    simulation.options_.gap.largest_correction = std::numeric_limits<double>::infinity();
    simulation.options_.adaptive = false;
    simulation.t_ = t_ - dt_;
    simulation.finder_.measure_velocities(world);
  }

  /// Returns whether it was made; otherwise everything is where it was.
  bool round(OverlapReport& overlap) {
    const std::vector<std::vector<double>> states = states_now();
    for (double part = 1; part >= kLeastPart; part *= kSmaller) {
      simulation_.options_.gap.correction = part;
      simulation_.make_untangling_step(dt_);
      stop();
      const OverlapReport now = simulation_.measure_overlap();
      if (now.total <= kMuchLarger * best_.total + kFew) {
        overlap = now;
        remember(now);
        return true;
      }
      put_back(states);
    }
    return false;
  }

  /// To be called before the first round.
  void remember(const OverlapReport& overlap) {
    if (!best_states_.empty() && overlap.total >= best_.total) return;
    best_ = overlap;
    best_states_ = states_now();
  }

  /// Goes back to where the sum of overlaps was smallest, and returns them.
  OverlapReport take_best() {
    put_back(best_states_);
    return best_;
  }

  ~UntanglingStage() {
    World& world = simulation_.world_;
    for (int k = 0; k < world.bodies(); ++k) world.body(k).take_velocities(states_[k]);
    exchange_loads(world);
    world.gravity = gravity_;
    world.friction = friction_;
    simulation_.sticky_ = friction_.any_adhesion();
    simulation_.options_.gap = gap_;
    simulation_.options_.adaptive = adaptive_;
    simulation_.t_ = t_;
    simulation_.dt_ = dt_;
    simulation_.dt_used_ = 0;
    simulation_.steps_ = 0;
    simulation_.budget_.set_memory({});
    simulation_.futile_steps_ = 0;
    simulation_.patient_steps_ = 0;
    simulation_.contacts_.clear();
    simulation_.impulses_.clear();
    simulation_.certificate_ = {};
    simulation_.contact_friction_.clear();
    simulation_.contact_intensity_.clear();
    simulation_.bonds_.clear();
    simulation_.finder_.measure_velocities(world);
    if (simulation_.sticky_) simulation_.bond_what_touches();
  }
  UntanglingStage(const UntanglingStage&) = delete;
  UntanglingStage& operator=(const UntanglingStage&) = delete;

 private:
  std::vector<std::vector<double>> states_now() const {
    World& world = simulation_.world_;
    std::vector<std::vector<double>> states;
    for (int k = 0; k < world.bodies(); ++k) states.push_back(world.body(k).state());
    return states;
  }

  void put_back(const std::vector<std::vector<double>>& states) {
    World& world = simulation_.world_;
    for (int k = 0; k < world.bodies(); ++k) world.body(k).set_state(states[k]);
    stop();
    simulation_.contacts_.clear();  // their impulses belong to what was undone
    simulation_.impulses_.clear();
  }

  void stop() {
    World& world = simulation_.world_;
    for (int k = 0; k < world.bodies(); ++k) world.body(k).stop();
    simulation_.finder_.measure_velocities(world);
  }

  /// Takes all loads off, and puts them back the second time.
  void exchange_loads(World& world) {
    strand_loads_.resize(world.strands.size());
    rigid_loads_.resize(world.rigid.size(), {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()});
    soft_loads_.resize(world.soft.size());
    for (std::size_t k = 0; k < world.strands.size(); ++k)
      world.strands[k].body->loads.swap(strand_loads_[k]);
    for (std::size_t k = 0; k < world.rigid.size(); ++k) {
      std::swap(world.rigid[k].body->force_on_centre, rigid_loads_[k].first);
      std::swap(world.rigid[k].body->torque, rigid_loads_[k].second);
    }
    for (std::size_t k = 0; k < world.soft.size(); ++k) world.soft[k].body->loads.swap(soft_loads_[k]);
  }

  std::vector<std::vector<PointForce>> strand_loads_;
  std::vector<std::pair<Eigen::Vector3d, Eigen::Vector3d>> rigid_loads_;
  std::vector<Eigen::Matrix3Xd> soft_loads_;
  Simulation& simulation_;
  double t_, dt_;
  GapOptions gap_;
  bool adaptive_;
  Eigen::Vector3d gravity_;
  PairTable friction_;
  std::vector<std::vector<double>> states_;       // before
  std::vector<std::vector<double>> best_states_;  // and where the sum of overlaps was smallest
  OverlapReport best_;
};

UntangleReport Simulation::untangle(int max_rounds) {
  UntangleReport report;
  report.before = report.after = measure_overlap();
  if (report.before.penetration_ratio <= kNegligibleOverlap) return report;
  const std::vector<Eigen::Vector3d> start = places_of(world_);
  {
    UntanglingStage stage(*this);
    stage.remember(report.before);
    double reference = report.before.total, contacts = 0;
    for (int patience = kPatientRounds; report.rounds < max_rounds && patience > 0; --patience) {
      if (contacts > kMaxContacts || !stage.round(report.after)) break;
      ++report.rounds;
      contacts += static_cast<double>(contacts_.size());
      if (report.after.penetration_ratio <= kNegligibleOverlap) break;
      if (report.after.total < kProgress * reference) {
        reference = report.after.total;
        patience = kPatientRounds + 1;
      }
    }
    if (report.rounds > 0) report.after = stage.take_best();
  }
  report.moved = farthest_move(start, places_of(world_));
  return report;
}

}  // namespace capstan

#pragma once
#include <functional>
#include <span>
#include <vector>

#include "capstan/solve/solver.hpp"
#include "capstan/step/bonds.hpp"
#include "capstan/step/contact_finder.hpp"
#include "capstan/step/contact_rows.hpp"
#include "capstan/step/work_budget.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

struct StepOptions {
  double dt = 1e-3;      ///< s; the largest step if adaptive
  double dt_min = 1e-6;  ///< s
  bool adaptive = true;
  double theta = 1;
  SolveOptions solve;
  bool warm_start = true;  ///< solves begin with the impulses of the last step
  GapOptions gap;
  DetectOptions detect;
  /// Sweeps of an attempt that may still be repeated with a smaller dt: halving is cheaper than forcing.
  int sweeps_before_shrinking = 800;
  /// Counted work of all solves of a step. With solve.max_iterations > 0 there is no such limit.
  WorkBudget::Options budget;
  /// A step is fast if a point would move further than this part of the mean collision capsule,
  double longest_move = 0.5;
  /// or, of a rigid body, of the radius of the ball around it: what meets is chosen at the start of a step.
  double longest_rigid_move = 0.15;
  double longest_soft_move = 0.5;  ///< the same of a soft body
  /// Parts of the thickness of the thinner of two bodies. Where two would overlap at the end of a step by
  /// more than the first, the step is solved again, and aims at the second.
  double repaired_overlap = 0.015, repair_target = 0.005;
};

/// What one step did and what it cost.
struct StepReport {
  double t = 0, dt = 0;  ///< s; t at the end
  int contacts = 0, sweeps = 0;
  double nu = 0;  ///< contact equations over degrees of freedom [Bertails11, sec. 4.4]
  double error = 0;
  Status status = Status::converged;
  int attempts = 1;                 ///< more than one: dt was reduced
  bool at_floor = false;            ///< dt could not be reduced as much as it should
  double farthest_move = 0;         ///< of a point of a strand, in its mean capsules
  double work = 0;                  ///< counted work of all solves, nominal seconds; see solve/work.hpp
  double penetration = 0;           ///< m, the deepest overlap at the start of the step
  double obstacle_penetration = 0;  ///< m, the deepest into an obstacle
  /// Largest overlap at the start of the step relative to the thickness of the thinner movable body of that
  /// contact, dimensionless; see thickness.hpp. 0.1 is a tenth of the way through.
  double penetration_ratio = 0;
  bool overlaps_left = false;  ///< undoing them has no solution: what is wedged cannot go both ways
  int crossings = 0;           ///< places where things pass through each other and could not be kept from it
  int held = 0;  ///< bodies that were stopped because nothing else kept them from passing through something
  int repaired_crossings = 0;  ///< places where contacts were added because things came too close on the way
  int repaired_overlaps = 0;   ///< places where the end of the step would have overlapped too much
  double overlap_left = 0;  ///< what is left after all repairs is about this part of the thickness; 0: little
  double seconds_detect = 0, seconds_assemble = 0, seconds_solve = 0, seconds_advance = 0;  ///< all attempts
};

/// Deepest overlaps at one moment. The fields have the meaning of those of StepReport.
struct OverlapReport {
  double penetration = 0, obstacle_penetration = 0, penetration_ratio = 0;
  double total = 0;  ///< the sum of all overlaps relative to the thickness, dimensionless
};

/// What moving overlapping things apart before the start has done.
struct UntangleReport {
  int rounds = 0;               ///< 0: nothing overlapped
  OverlapReport before, after;  ///< deepest overlaps
  double moved = 0;             ///< m, the farthest that a point of a strand or a centre of a solid has moved
};

/// Moreau's time stepping: from positions at t, velocities at t + dt that obey Coulomb's law at every
/// contact, then positions at t + dt. [Daviet11, sec. 7]
class Simulation {
 public:
  Simulation(World world, StepOptions options);

  /// One step, not beyond t_limit.
  StepReport step(double t_limit);

  /// Moves things that overlap apart before time begins: steps without gravity, friction, adhesion and memory
  /// of velocities, which undo overlaps as far as they can, until none is left or no more can be done. What
  /// is prescribed stays, and so do the time and all velocities. To be called before the first step; bonds
  /// that exist from the start are then those of the places reached. Counted work: at most `max_rounds`
  /// steps.
  UntangleReport untangle(int max_rounds = 60);

  double t() const { return t_; }
  double dt() const { return dt_; }
  int steps() const { return steps_; }
  const World& world() const { return world_; }
  World& world() { return world_; }
  const std::vector<Contact>& contacts() const { return contacts_; }          ///< of the last step
  const std::vector<Eigen::Vector3d>& impulses() const { return impulses_; }  ///< N s, world axes, on A
  const std::vector<ContactState>& contact_states() const { return certificate_.states; }
  const Certificate& certificate() const { return certificate_; }  ///< of the last step
  /// Friction along the first and the second tangent of each contact.
  const std::vector<Eigen::Vector2d>& contact_friction() const { return contact_friction_; }
  /// What sticks after the last step.
  const std::vector<Bond>& bonds() const { return bonds_; }
  /// Of each contact of the last step, in that step: 0 where nothing sticks.
  const std::vector<double>& contact_intensity() const { return contact_intensity_; }
  /// From the next step on, for the same families. What no longer sticks lets go; what begins to stick has no
  /// bonds yet. Throws InputError if the families are others.
  void set_friction(PairTable friction);
  const CollisionScene& collision_scene() const { return finder_.scene(); }
  /// Hears of every contact problem that was solved, before the step is made or tried again.
  std::function<void(const ContactProblem&, const Solution&)> on_solved;
  /// Called while a contact problem of so many contacts is being solved, with the iteration and the error
  /// reached so far, by one thread at a time. It only watches: nothing it does changes the result.
  std::function<void(int contacts, const HistoryPoint&)> on_judged;

  /// Measures the overlaps of the present positions: a StepReport has those before its step, so the end of a
  /// run is measured by nothing else. Costs one detection. The next step is not affected.
  OverlapReport measure_overlap();

  /// All that the next step depends on: a simulation of the same world with this state goes on bit for bit.
  struct State {
    double t = 0, dt = 0, dt_used = 0;
    int steps = 0;
    std::vector<double> bodies;    ///< their states, one after the other
    std::vector<double> contacts;  ///< of the last step, some numbers each
    std::vector<int> contact_ids;  ///< and some indices
    std::vector<int> body_sizes;
    std::vector<double> bonds;
    std::vector<int> bond_ids;
    std::vector<double> courses;  ///< of what is steered
    std::vector<int> course_ids;  ///< in World::scripted()
    WorkBudget::Memory work;
    int futile_steps = 0, patient_steps = 0;
  };
  State state() const;
  void set_state(const State& state);

 private:
  struct Attempt;
  class UntanglingStage;
  void make_untangling_step(double dt);
  bool without_strands() const { return world_.strands.empty(); }
  SolveOptions solve_options(bool may_shrink, const Attempt& attempt);
  void solve_problem(const SolveOptions& options, const Eigen::VectorXd& guess, Attempt& attempt);
  double farthest_way(const EndOfStep& end, const Attempt& attempt) const;
  double difference(const EndOfStep& one, const EndOfStep& other, double dt) const;
  bool closes_too_far(double dt, const Attempt& attempt) const;
  bool sticky() const { return sticky_; }
  void bond_what_touches();
  void begin_bodies(double dt);
  void put_bonds_first(std::vector<int>& continued, Attempt& attempt) const;
  std::vector<Bond> bonds_of(const Attempt& attempt) const;
  void evolve_bonds(const Attempt& attempt, std::vector<Bond> bonds);
  Eigen::VectorXd first_guess(const Attempt& attempt, const std::vector<int>& continued, double dt) const;
  Attempt attempt(double dt, bool may_shrink);
  void assemble_attempt(double dt, std::vector<int>& continued, Attempt& attempt);
  void leave_overlaps(double dt, Attempt& attempt);
  void solve_again(double dt, bool may_shrink, const std::vector<Contact>& closed, Attempt& attempt);
  void repair(double dt, bool may_shrink, Attempt& attempt);
  std::vector<Contact> too_deep(const EndOfStep& end, double dt);
  double repair_overlaps(const EndOfStep& end, const std::vector<Contact>& overlaps, Attempt& attempt,
                         std::vector<Contact>& added);
  Eigen::VectorXd body_impulses(const Attempt& attempt) const;
  std::vector<Eigen::Matrix3Xd> soft_velocities(const Attempt& attempt) const;
  double thickness_at(const Contact& contact) const;
  bool turn_round(const std::vector<Contact>& crossings, Attempt& attempt) const;
  void remove_known(const std::vector<Contact>& known, std::vector<Contact>& contacts) const;
  void move_strands_and_rigid(Attempt& attempt);
  void move_back(Attempt& attempt);
  void hold_what_crosses(Attempt& attempt, StepReport& report);
  void finish_soft(const Attempt& attempt);
  EndOfStep end_of_step(const Attempt& attempt) const;
  void solve_attempt(double dt, bool may_shrink, const Eigen::VectorXd& guess, Attempt& attempt);
  void accept(Attempt&& attempt, StepReport& report);
  void learn_patience(int attempts, int sweeps_of_last);
  void adapt(const StepReport& report);
  OverlapReport overlap_of(const std::vector<Contact>& contacts) const;

  World world_;
  StepOptions options_;
  const Executor& executor_;
  double t_ = 0, dt_, dt_used_ = 0;
  int steps_ = 0;
  WorkBudget budget_;
  double work_left_ = 0;               // of the step in progress, nominal seconds; < 0: not known yet
  int futile_steps_ = 0;               // in a row, that failed although they were as short as may be
  int patient_steps_ = 0;              // to come, whose first solve is not given up early
  bool sticky_;                        // whether any pair may
  ContactFinder finder_, end_finder_;  // at the start of the step, and at its end
  std::vector<double> thickness_;      // of each body, m
  double thinnest_;                    // of these
  double least_passage_;               // m, see thickness.hpp
  std::vector<Bond> bonds_;
  std::vector<Contact> contacts_;
  std::vector<Eigen::Vector3d> impulses_;
  // Empty before the first step and after set_state:
  Certificate certificate_;
  std::vector<Eigen::Vector2d> contact_friction_;
  std::vector<double> contact_intensity_;
};

}  // namespace capstan

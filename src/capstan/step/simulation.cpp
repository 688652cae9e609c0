#include "capstan/step/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "capstan/collide/tracking.hpp"
#include "capstan/errors.hpp"
#include "capstan/solve/work.hpp"
#include "capstan/step/attempt.hpp"
#include "capstan/step/contact_laws.hpp"
#include "capstan/step/stopwatch.hpp"
#include "capstan/step/thickness.hpp"

namespace capstan {
namespace {

constexpr int kMaxAttempts = 3;
// Of dt for the solver: what is still hard then has no solution, or will pass.
constexpr double kMaxShrinking = 64;
constexpr double kPartForFirstTries = 0.35;  // of the work left, while the step may still be repeated
constexpr double kPartForLastTry = 0.7;      // the rest is for repairs
constexpr double kLeastSweeps = 60;          // that any solve may do
constexpr int kPatientSteps = 100;           // after a shorter step was no easier to solve
constexpr double kNearly = 100;              // tolerances; what has no solution ends further away
constexpr int kFewContacts = 1000;           // a second solve of them is no matter
constexpr double kTooDeep = 0.05;            // of the thickness, for which a shorter step is tried
constexpr int kFinerSolves = 3;              // of one problem, each by this factor:
constexpr double kFiner = 0.1;
constexpr double kPartForFinerSolves = 0.5;  // of the work left, each
constexpr double kGrowth = 1.2;              // of dt after a gentle step
constexpr int kBodiesAtATime = 8;
constexpr double kImmovable = 1e-15;  // trace of W_ii, of the largest: rounding

/// An impulse the law allows: the tangential part made smaller until it is.
Eigen::Vector3d onto_cone(Eigen::Vector3d r, const ContactLaw& law) {
  r[0] = std::max(r[0], 0.0);
  const Eigen::Vector2d mu(law.friction[0], law.friction[1]);
  const double use = r.tail<2>().cwiseQuotient(mu.cwiseMax(1e-300)).norm();
  if (use > r[0]) r.tail<2>() *= r[0] / use;
  return r;
}

/// Contacts between points that are both prescribed (two held roots): no impulse can change them. Returns
/// whether there were any.
bool drop_immovable(const ContactProblem& problem, std::vector<Contact>& contacts,
                    std::vector<int>& continued, std::vector<int>& bond) {
  double largest = 0;
  for (int i = 0; i < problem.contacts(); ++i) largest = std::max(largest, problem.diagonal(i).trace());
  std::size_t kept = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (!(problem.diagonal(i).trace() > kImmovable * largest)) continue;
    contacts[kept] = contacts[i];
    bond[kept] = bond[i];
    continued[kept++] = continued[i];
  }
  const bool dropped = kept < contacts.size();
  contacts.resize(kept);
  continued.resize(kept);
  bond.resize(kept);
  return dropped;
}

}  // namespace

Simulation::Simulation(World world, StepOptions options)
    : world_(std::move(world)),
      options_(std::move(options)),
      executor_(options_.solve.executor ? *options_.solve.executor : serial_executor()),
      dt_(options_.dt),
      budget_(options_.budget),
      sticky_(world_.friction.any_adhesion()),
      finder_(world_, options_.detect, executor_),
      end_finder_(finder_),
      thickness_(thickness_of_bodies(world_)),
      thinnest_(thickness_.empty() ? 0 : *std::min_element(thickness_.begin(), thickness_.end())),
      least_passage_(least_passage(world_)) {
  if (!(options_.dt > 0)) throw InputError("dt: is " + std::to_string(options_.dt) + ", expected > 0");
  if (!(options_.dt_min > 0) || options_.dt_min > options_.dt)
    throw InputError("dt_min: is " + std::to_string(options_.dt_min) + ", expected > 0 and at most dt");
  if (sticky()) bond_what_touches();
}

StepReport Simulation::step(double t_limit) {
  const double left = t_limit - t_;
  if (!(left > 0)) throw InputError("step: the limit is not after the present time");
  StepReport report;
  work_left_ = -1;
  for (int attempts = 1;; ++attempts) {
    double dt = dt_;
    if (left < 1.001 * dt)
      dt = left;
    else if (left < 2 * dt)
      dt = 0.5 * left;  // rather two equal steps than a crumb at the end
    const double shortest = std::max(options_.dt / kMaxShrinking, options_.dt_min);
    const bool may_shrink = options_.adaptive && attempts < kMaxAttempts && dt > shortest &&
                            !without_strands() && futile_steps_ == 0;
    Attempt candidate = attempt(dt, may_shrink);
    const StepReport before = report;
    report = candidate.report;
    report.attempts = attempts;
    report.seconds_detect += before.seconds_detect;
    report.seconds_assemble += before.seconds_assemble;
    report.seconds_solve += before.seconds_solve;
    report.seconds_advance += before.seconds_advance;
    report.work += before.work;
    const bool solved = report.status == Status::converged;
    const bool crosses = report.crossings > 0 || report.overlap_left > kHalfThrough;
    const bool overlaps =
        options_.adaptive && report.overlap_left > kTooDeep && attempts < kMaxAttempts && dt > shortest;
    const bool leaps = options_.adaptive && report.farthest_move > kFarthestMove;
    double next = dt;
    if (leaps) next = std::max(dt * options_.longest_move / report.farthest_move, shortest);
    if (crosses && options_.adaptive) next = std::min(next, std::max(0.5 * dt, shortest));
    if ((!solved && may_shrink) || overlaps) next = std::min(next, std::max(0.5 * dt, shortest));
    if (next < dt) {
      move_back(candidate);
      dt_ = next;
      continue;
    }
    if (crosses || leaps) hold_what_crosses(candidate, report);
    learn_patience(attempts, candidate.report.sweeps);
    report.at_floor = !solved && options_.adaptive && dt <= shortest;
    futile_steps_ = solved ? 0 : futile_steps_ + (report.at_floor || futile_steps_ > 0);
    budget_.learn(report.work, solved);
    accept(std::move(candidate), report);
    t_ = dt == left ? t_limit : t_ + dt;
    report.t = t_;
    break;
  }
  adapt(report);
  return report;
}

/// A shorter step makes the problem of elastic strands easier, and changes nothing for a heap at rest: there
/// all steps would become as short as may be. If the last of several attempts still took more sweeps than an
/// attempt has before it is given up, the next steps are solved as they are.
void Simulation::learn_patience(int attempts, int sweeps_of_last) {
  if (attempts > 1)
    patient_steps_ = sweeps_of_last > options_.sweeps_before_shrinking ? kPatientSteps : 0;
  else if (patient_steps_ > 0)
    --patient_steps_;
}

void Simulation::set_friction(PairTable friction) {
  if (friction.families() != world_.friction.families())
    throw InputError("friction: is of " + std::to_string(friction.families()) + " families, expected " +
                     std::to_string(world_.friction.families()));
  world_.friction = std::move(friction);
  sticky_ = world_.friction.any_adhesion();
  std::erase_if(bonds_, [&](const Bond& bond) {
    return !world_.friction(world_.family_of(bond.a), world_.family_of(bond.b)).adhesion;
  });
}

Simulation::Attempt Simulation::attempt(double dt, bool may_shrink) {
  Attempt result;
  result.gap = options_.gap;
  StepReport& report = result.report;
  Stopwatch watch;
  begin_bodies(dt);
  report.seconds_advance = watch.lap();
  std::vector<Contact> aside;
  result.contacts = finder_.find(world_, t_, dt, aside);
  if (sticky()) measure_areas(world_, result.contacts);
  std::vector<int> continued = track(result.contacts, contacts_, finder_.scene());
  put_bonds_first(continued, result);
  report.seconds_detect = watch.lap();
  assemble_attempt(dt, continued, result);
  const Eigen::VectorXd guess = first_guess(result, continued, dt);
  report.seconds_assemble += watch.lap();
  solve_attempt(dt, may_shrink, guess, result);
  if (!may_shrink && report.status != Status::converged) leave_overlaps(dt, result);
  watch.lap();
  const std::vector<Contact> closed = finder_.closed_by(world_, result.solution.v, dt, aside);
  report.seconds_detect += watch.lap();
  if (!closed.empty()) solve_again(dt, may_shrink, closed, result);
  const OverlapReport overlap = overlap_of(result.contacts);  // repairs add contacts whose gap is of later on
  report.penetration = overlap.penetration;
  report.obstacle_penetration = overlap.obstacle_penetration;
  report.penetration_ratio = overlap.penetration_ratio;
  repair(dt, may_shrink, result);
  return result;
}

void Simulation::make_untangling_step(double dt) {
  Attempt candidate = attempt(dt, false);
  StepReport report = candidate.report;
  accept(std::move(candidate), report);
}

/// Returns the thickness of the thinner movable body of a contact.
double Simulation::thickness_at(const Contact& contact) const {
  const auto thickness = [&](const ContactSide& side) {
    const int body = world_.body_of(side);
    return body >= 0 ? thickness_[body] : std::numeric_limits<double>::infinity();
  };
  return std::min(thickness(contact.a), thickness(contact.b));
}

OverlapReport Simulation::overlap_of(const std::vector<Contact>& contacts) const {
  OverlapReport result;
  for (const Contact& contact : contacts) {
    const double depth = -contact.gap;
    if (!(depth > 0)) continue;
    result.penetration = std::max(result.penetration, depth);
    if (contact.b.obstacle >= 0) result.obstacle_penetration = std::max(result.obstacle_penetration, depth);
    const double ratio = depth / thickness_at(contact);
    result.penetration_ratio = std::max(result.penetration_ratio, ratio);
    result.total += ratio;
  }
  return result;
}

OverlapReport Simulation::measure_overlap() { return overlap_of(end_finder_.overlaps(world_, t_)); }

/// The problem of the attempt's contacts, without those that nothing can move.
void Simulation::assemble_attempt(double dt, std::vector<int>& continued, Attempt& attempt) {
  const auto problem_of = [&] {
    touch_nodes(world_, attempt.contacts, executor_);
    ChosenLaws chosen = choose_laws(world_, attempt.contacts, t_);
    attempt.one_sided = std::move(chosen.one_sided);
    if (sticky()) attempt.bonded = stick_all(world_, bonds_, attempt.bond, attempt.contacts, dt, chosen.laws);
    return assemble(world_, attempt.contacts, std::move(chosen.laws), attempt.bonded.borne, dt, attempt.gap,
                    executor_);
  };
  attempt.problem = problem_of();
  if (drop_immovable(*attempt.problem, attempt.contacts, continued, attempt.bond))
    attempt.problem = problem_of();
}

/// What is wedged cannot be pushed out on all sides: if no v has u_N >= mu |u_T| at every contact, there may
/// be no solution [Acary11]. Where obstacles rest and nothing is to be undone, v = 0 is such a v.
void Simulation::leave_overlaps(double dt, Attempt& attempt) {
  const bool any = std::any_of(attempt.contacts.begin(), attempt.contacts.end(),
                               [](const Contact& contact) { return contact.gap < 0; });
  if (!any || attempt.gap.correction == 0) return;
  const bool nearly = attempt.report.error < kNearly * options_.solve.tolerance;
  if (nearly && attempt.problem->contacts() > kFewContacts)
    return;  // a heap: dear, and not for want of a way
  Attempt again = attempt;
  again.gap.correction = 0;
  again.report.overlaps_left = true;
  again.solution.r.setZero();  // impulses grow without end where there is no solution
  solve_again(dt, false, {}, again);
  if (again.report.error < attempt.report.error) std::swap(attempt, again);
  attempt.report.sweeps = std::max(attempt.report.sweeps, again.report.sweeps);
  attempt.report.seconds_assemble = std::max(attempt.report.seconds_assemble, again.report.seconds_assemble);
  attempt.report.seconds_solve = std::max(attempt.report.seconds_solve, again.report.seconds_solve);
}

/// Impulses elsewhere can stop a strand that its neighbour then runs into: with those contacts, from the
/// impulses found so far.
void Simulation::solve_again(double dt, bool may_shrink, const std::vector<Contact>& closed,
                             Attempt& attempt) {
  Stopwatch watch;
  const auto before = static_cast<std::size_t>(attempt.problem->contacts());
  std::vector<int> continued(before);
  std::iota(continued.begin(), continued.end(), 0);
  attempt.contacts.insert(attempt.contacts.end(), closed.begin(), closed.end());
  continued.resize(attempt.contacts.size(), -1);
  attempt.bond.resize(attempt.contacts.size(), -1);
  assemble_attempt(dt, continued, attempt);
  const Eigen::Index d = attempt.problem->dimension();
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(attempt.problem->b().size());
  for (std::size_t i = 0; i < continued.size(); ++i)
    if (continued[i] >= 0)
      guess.segment(d * Eigen::Index(i), d) = attempt.solution.r.segment(d * continued[i], d);
  attempt.report.seconds_assemble += watch.lap();
  solve_attempt(dt, may_shrink, guess, attempt);
}

/// Moves strands and rigid bodies to the end of the step, where it can be judged. Soft bodies stay: where
/// they go is known without that, and to bring them back would cost a factorisation.
void Simulation::move_strands_and_rigid(Attempt& attempt) {
  if (attempt.moved) return;
  if (sticky()) attempt.bonds = bonds_of(attempt);
  const int count = static_cast<int>(world_.strands.size() + world_.rigid.size());
  const std::vector<int> start = world_.dof_starts();
  const Eigen::VectorXd& v = attempt.solution.v;
  attempt.states.resize(count);
  for_each_chunk(
      executor_, count,
      [&](int first, int last) {
        for (int k = first; k < last; ++k) {
          attempt.states[k] = world_.body(k).state();
          world_.body(k).end_step(v.segment(start[k], start[k + 1] - start[k]));
        }
      },
      kBodiesAtATime);
  attempt.moved = true;
}

/// Undoes move_strands_and_rigid: the step has begun again.
void Simulation::move_back(Attempt& attempt) {
  if (!attempt.moved) return;
  const StepConditions conditions{t_, attempt.report.dt, options_.theta, world_.gravity, world_.air};
  for_each_chunk(
      executor_, static_cast<int>(attempt.states.size()),
      [&](int first, int last) {
        for (int k = first; k < last; ++k) {
          world_.body(k).set_state(attempt.states[k]);
          world_.body(k).begin_step(conditions);
        }
      },
      kBodiesAtATime);
  attempt.moved = false;
}

EndOfStep Simulation::end_of_step(const Attempt& attempt) const {
  EndOfStep end;
  end.strand_nodes = strand_nodes_of(world_, finder_.scene(), executor_);
  for (const Obstacle& obstacle : world_.obstacles)
    end.solids.push_back(obstacle.motion.at(t_ + attempt.report.dt));
  for (const WorldRigid& rigid : world_.rigid) end.solids.push_back(rigid.body->frame());
  if (!world_.soft.empty()) end.soft_velocities = soft_velocities(attempt);
  return end;
}

/// What contacts do to all degrees of freedom: H^T r, and what springs along surfaces already bore.
Eigen::VectorXd Simulation::body_impulses(const Attempt& attempt) const {
  Eigen::VectorXd impulse;
  attempt.problem->H().multiply_transposed(attempt.solution.r, impulse);
  impulse += attempt.problem->f();
  const std::vector<int> start = world_.dof_starts();
  for (int k = 0; k < world_.bodies(); ++k)
    impulse.segment(start[k], start[k + 1] - start[k]) -= world_.body(k).force();
  return impulse;
}

/// Of all nodes at the end of the step.
std::vector<Eigen::Matrix3Xd> Simulation::soft_velocities(const Attempt& attempt) const {
  const Eigen::VectorXd impulse = body_impulses(attempt);
  const std::vector<int> start = world_.dof_starts();
  std::vector<Eigen::Matrix3Xd> velocities;
  for (std::size_t k = 0; k < world_.soft.size(); ++k) {
    const std::size_t body = world_.strands.size() + world_.rigid.size() + k;
    velocities.push_back(
        world_.soft[k].body->velocities_after(impulse.segment(start[body], start[body + 1] - start[body])));
  }
  return velocities;
}

void Simulation::solve_attempt(double dt, bool may_shrink, const Eigen::VectorXd& guess, Attempt& attempt) {
  Stopwatch watch;
  SolveOptions options = solve_options(may_shrink, attempt);
  solve_problem(options, guess, attempt);
  for (int round = 0; round < kFinerSolves && closes_too_far(dt, attempt); ++round) {
    options.tolerance *= kFiner;
    options.work_limit = kPartForFinerSolves * work_left_;
    if (!(options.work_limit > 0)) break;
    solve_problem(options, Eigen::VectorXd(attempt.solution.r), attempt);
  }
  const ContactProblem& problem = *attempt.problem;
  if (on_solved) on_solved(problem, attempt.solution);
  StepReport& report = attempt.report;
  report.seconds_solve += watch.lap();
  report.dt = dt;
  report.contacts = problem.contacts();
  report.nu = problem.dofs() > 0 ? 3.0 * problem.contacts() / problem.dofs() : 0.0;
  report.error = attempt.solution.report.certificate.error;
  report.status = attempt.solution.report.status;
}

/// One solve, which the tolerance of the scene has the last word on.
void Simulation::solve_problem(const SolveOptions& options, const Eigen::VectorXd& guess, Attempt& attempt) {
  if (attempt.one_sided.empty()) {
    attempt.solution = solve_box(*attempt.problem, attempt.bonded.boxes, guess, options);
  } else {
    OneSidedSolution found =
        solve_one_sided(*attempt.problem, attempt.one_sided, guess, options, attempt.bonded.boxes);
    attempt.problem = std::move(found.problem);
    attempt.solution = std::move(found.solution);
  }
  SolveReport& solved = attempt.solution.report;
  if (solved.certificate.error <= options_.solve.tolerance) solved.status = Status::converged;
  attempt.report.sweeps += solved.iterations;
  attempt.report.work += solved.work;
  work_left_ = std::max(work_left_ - solved.work, 0.0);
}

/// Whether what is left of the error lets a contact close by more than is allowed. The error is relative to
/// all that moves: next to a heavy body, a light strand can be far from its own answer and hardly count.
bool Simulation::closes_too_far(double dt, const Attempt& attempt) const {
  const Eigen::Index d = attempt.problem->dimension();
  for (int i = 0; i < attempt.problem->contacts(); ++i) {
    const double overlap = -attempt.solution.u[d * i] * dt;
    if (overlap > options_.repair_target * thickness_at(attempt.contacts[i])) return true;
  }
  return false;
}

/// A shorter step makes the problem of elastic strands easier: a long one is given up early. Between rigid
/// bodies it changes nothing, nor does it help a light cloth under a heavy body: wedged bodies need patience.
SolveOptions Simulation::solve_options(bool may_shrink, const Attempt& attempt) {
  const int contacts = attempt.problem->contacts();
  SolveOptions result = options_.solve;
  result.settle = true;  // the next step begins with what this one finds
  if (on_judged)
    result.on_judged = [this, contacts, asked = options_.solve.on_judged](const HistoryPoint& point) {
      on_judged(contacts, point);
      return !asked || asked(point);
    };
  const int asked = result.max_iterations;
  if (may_shrink && patient_steps_ == 0)
    result.max_iterations =
        asked > 0 ? std::min(asked, options_.sweeps_before_shrinking) : options_.sweeps_before_shrinking;
  if (asked > 0) return result;
  const double sweep = work_of_sweep(*attempt.problem);
  if (work_left_ < 0) work_left_ = budget_.of_step(sweep);
  const double part = (may_shrink ? kPartForFirstTries : kPartForLastTry) * work_left_;
  result.work_limit = std::max({part, kLeastSweeps * sweep, std::numeric_limits<double>::min()});
  return result;
}

void Simulation::begin_bodies(double dt) {
  const StepConditions conditions{t_, dt, options_.theta, world_.gravity, world_.air};
  const int soft = static_cast<int>(world_.soft.size()), others = world_.bodies() - soft;
  for_each_chunk(
      executor_, others,
      [&](int first, int last) {
        for (int k = first; k < last; ++k) world_.body(k).begin_step(conditions);
      },
      kBodiesAtATime);
  executor_.for_each(soft, [&](int k) { world_.soft[k].body->begin_step(conditions); });
}

/// The impulses of the last step, where they still fit.
Eigen::VectorXd Simulation::first_guess(const Attempt& attempt, const std::vector<int>& continued,
                                        double dt) const {
  const ContactProblem& problem = *attempt.problem;
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(problem.b().size());
  if (contacts_.empty() || !options_.warm_start) return guess;
  const double scale = dt / dt_used_;
  const auto impulses = transfer_impulses(attempt.contacts, continued, impulses_, scale);
  for (int i = 0; i < problem.contacts(); ++i) {
    auto r = guess.segment<3>(problem.dimension() * i);
    if (const int bond = attempt.bond[i]; bond >= 0)
      r = scale * attempt.contacts[i].frame.transpose() * bonds_[bond].impulse;
    else
      r = onto_cone(impulses[i], problem.law(i));
  }
  return guess;
}

/// The bonds where matter touches when time begins.
void Simulation::bond_what_touches() {
  std::vector<Contact> aside, touching = finder_.find(world_, t_, dt_, aside);
  measure_areas(world_, touching);
  for (const Contact& contact : touching) {
    const Adhesion* const adhesion = adhesion_of(world_, contact);
    if (adhesion && adhesion->initial > 0 && contact.gap < adhesion->debond_gap)
      bonds_.push_back(bond_at(world_, contact, adhesion->initial, t_));
  }
}

/// Bonded points are contacts as long as they hold, and stand for what touches near them. What rolls over
/// such a point and overlaps elsewhere is held apart there, and does not stick a second time.
void Simulation::put_bonds_first(std::vector<int>& continued, Attempt& attempt) const {
  std::vector<Contact> bonded;
  for (const Bond& bond : bonds_) {
    Contact contact = contact_of(world_, bond, t_);
    if (contact.b.obstacle >= 0) {
      const PlacedObstacle& placed = finder_.scene().obstacles[contact.b.obstacle];
      contact.velocity_b = placed.twist.at(contact.point_b, placed.pose.x);
      contact.spin_b = placed.twist.angular.dot(contact.frame.col(0));
    }
    bonded.push_back(contact);
  }
  const std::vector<char> covered = covered_by(world_, bonded, attempt.contacts);
  attempt.bond.resize(bonded.size());
  std::iota(attempt.bond.begin(), attempt.bond.end(), 0);
  std::vector<int> before(bonded.size(), -1);
  for (std::size_t i = 0; i < covered.size(); ++i) {
    const Contact& contact = attempt.contacts[i];
    if (covered[i] && !(-contact.gap > options_.repaired_overlap * thickness_at(contact))) continue;
    bonded.push_back(contact);
    if (covered[i]) bonded.back().area = 0;
    before.push_back(continued[i]);
  }
  attempt.bond.resize(bonded.size(), -1);
  attempt.contacts = std::move(bonded);
  continued = std::move(before);
}

/// One for each contact that may stick, from where bodies are before the step is made; others are of area 0.
std::vector<Bond> Simulation::bonds_of(const Attempt& attempt) const {
  std::vector<Bond> bonds(attempt.contacts.size());
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const Contact& contact = attempt.contacts[i];
    if (attempt.bond[i] >= 0)
      bonds[i] = bonds_[attempt.bond[i]];
    else if (contact.area > 0)
      bonds[i] = bond_at(world_, contact, 0, t_);
  }
  return bonds;
}

/// By impulses of the step, and where bodies are after it.
void Simulation::evolve_bonds(const Attempt& attempt, std::vector<Bond> bonds) {
  const double dt = attempt.report.dt;
  const Eigen::Index d = attempt.problem->dimension();
  bonds_.clear();
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    if (bonds[i].area == 0) continue;
    const Eigen::Vector3d r = attempt.solution.r.segment<3>(d * Eigen::Index(i));
    const Adhesion& adhesion = *adhesion_of(world_, attempt.contacts[i]);
    if (!evolve(world_, adhesion, r[0], t_ + dt, dt, bonds[i]) || bonds[i].beta == 0) continue;
    bonds[i].impulse = attempt.contacts[i].frame * r;
    bonds_.push_back(bonds[i]);
  }
}

void Simulation::finish_soft(const Attempt& attempt) {
  if (world_.soft.empty()) return;
  const std::vector<int> start = world_.dof_starts();
  const Eigen::VectorXd impulse = body_impulses(attempt);
  const int others = static_cast<int>(world_.strands.size() + world_.rigid.size());
  executor_.for_each(static_cast<int>(world_.soft.size()), [&](int i) {
    const int k = others + i, size = start[k + 1] - start[k];
    world_.body(k).finish_step(attempt.solution.v.segment(start[k], size), impulse.segment(start[k], size));
  });
}

void Simulation::accept(Attempt&& attempt, StepReport& report) {
  Stopwatch watch;
  move_strands_and_rigid(attempt);
  std::vector<Bond>& bonds = attempt.bonds;
  finish_soft(attempt);
  contact_intensity_.assign(attempt.contacts.size(), 0.0);
  for (std::size_t i = 0; i < bonds.size(); ++i) contact_intensity_[i] = bonds[i].beta;
  if (sticky()) evolve_bonds(attempt, std::move(bonds));
  contacts_ = std::move(attempt.contacts);
  impulses_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Eigen::Vector3d r = attempt.solution.r.segment<3>(attempt.problem->dimension() * Eigen::Index(i));
    if (!attempt.bonded.borne.empty()) r -= attempt.bonded.borne[i];
    impulses_[i] = contacts_[i].frame * r;
  }
  certificate_ = std::move(attempt.solution.report.certificate);
  contact_friction_.clear();
  for (const ContactLaw& law : attempt.problem->laws())
    contact_friction_.emplace_back(law.friction[0], law.friction[1]);
  dt_used_ = attempt.report.dt;
  ++steps_;
  finder_.measure_velocities(world_);
  report.seconds_advance += watch.lap();
}

/// Grows dt after a gentle step, or where short steps fail as long ones do, and keeps the next one from
/// moving any point too far.
void Simulation::adapt(const StepReport& report) {
  if (!options_.adaptive) return;
  const bool gentle = report.attempts == 1 && report.status == Status::converged;
  if (gentle || futile_steps_ > 1) dt_ = std::min(kGrowth * dt_, options_.dt);
  for (int k = 0; k < world_.bodies(); ++k) {
    const std::size_t strands = world_.strands.size(), index = k;
    const double longest = index < strands                         ? options_.longest_move
                           : index < strands + world_.rigid.size() ? options_.longest_rigid_move
                                                                   : options_.longest_soft_move;
    const double reach = longest * finder_.size(k);
    const double speed = finder_.speed(k);
    if (speed * dt_ > reach) dt_ = std::max(reach / speed, options_.dt_min);
  }
}

}  // namespace capstan

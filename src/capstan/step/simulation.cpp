#include "capstan/step/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "capstan/collide/tracking.hpp"
#include "capstan/errors.hpp"
#include "capstan/step/contact_laws.hpp"

namespace capstan {
namespace {

constexpr int kMostAttempts = 3;
// Of dt for the solver: what is still hard then has no solution, or will pass.
constexpr double kMostShrinking = 64;
constexpr int kMostSweeps = 100'000;  // of few contacts
constexpr double kGrowth = 1.2;       // of dt after a gentle step
constexpr int kBodiesAtATime = 8;
constexpr int kNumbersPerContact = 27;
constexpr int kIdsPerContact = 5;
constexpr double kImmovable = 1e-15;  // trace of W_ii, of the largest: rounding

/// Seconds since it was made or last asked.
class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

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
                    std::vector<int>& continued) {
  double largest = 0;
  for (int i = 0; i < problem.contacts(); ++i) largest = std::max(largest, problem.diagonal(i).trace());
  std::size_t kept = 0;
  for (int i = 0; i < problem.contacts(); ++i) {
    if (!(problem.diagonal(i).trace() > kImmovable * largest)) continue;
    contacts[kept] = contacts[i];
    continued[kept++] = continued[i];
  }
  const bool dropped = kept < contacts.size();
  contacts.resize(kept);
  continued.resize(kept);
  return dropped;
}

void append(std::vector<double>& numbers, const Contact& c, const Eigen::Vector3d& impulse) {
  const auto put = [&](const auto& matrix) {
    numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
  };
  put(c.point_a);
  put(c.point_b);
  put(c.frame);
  put(c.velocity_b);
  put(impulse);
  put(c.a.local);
  numbers.insert(numbers.end(), {c.gap, c.a.s, c.b.s});
}

Contact contact_from(const double* numbers, const int* ids, Eigen::Vector3d& impulse) {
  Contact c;
  c.a.strand = ids[0];
  c.a.rigid = ids[1];
  c.b.strand = ids[2];
  c.b.rigid = ids[3];
  c.b.obstacle = ids[4];
  c.point_a = Eigen::Map<const Eigen::Vector3d>(numbers);
  c.point_b = Eigen::Map<const Eigen::Vector3d>(numbers + 3);
  c.frame = Eigen::Map<const Eigen::Matrix3d>(numbers + 6);
  c.velocity_b = Eigen::Map<const Eigen::Vector3d>(numbers + 15);
  impulse = Eigen::Map<const Eigen::Vector3d>(numbers + 18);
  c.a.local = Eigen::Map<const Eigen::Vector3d>(numbers + 21);
  c.gap = numbers[24];
  c.a.s = numbers[25];
  c.b.s = numbers[26];
  return c;
}

}  // namespace

/// A step that has been computed and not yet made.
struct Simulation::Attempt {
  std::vector<Contact> contacts;
  std::optional<ContactProblem> problem;
  std::vector<OneSidedContact> one_sided;
  Solution solution;
  StepReport report;
};

Simulation::Simulation(World world, StepOptions options)
    : world_(std::move(world)),
      options_(std::move(options)),
      executor_(options_.solve.executor ? *options_.solve.executor : serial_executor()),
      dt_(options_.dt),
      finder_(world_, options_.detect, executor_) {
  if (!(options_.dt > 0)) throw InputError("dt: is " + std::to_string(options_.dt) + ", expected > 0");
  if (!(options_.dt_min > 0) || options_.dt_min > options_.dt)
    throw InputError("dt_min: is " + std::to_string(options_.dt_min) + ", expected > 0 and at most dt");
}

StepReport Simulation::step(double t_limit) {
  const double left = t_limit - t_;
  if (!(left > 0)) throw InputError("step: the limit is not after the present time");
  StepReport report;
  for (int attempts = 1;; ++attempts) {
    double dt = dt_;
    if (left < 1.001 * dt)
      dt = left;
    else if (left < 2 * dt)
      dt = 0.5 * left;  // rather two equal steps than a crumb at the end
    const double shortest = std::max(options_.dt / kMostShrinking, options_.dt_min);
    const bool may_shrink = options_.adaptive && attempts < kMostAttempts && dt > shortest && !all_rigid();
    Attempt candidate = attempt(dt, may_shrink);
    const StepReport before = report;
    report = candidate.report;
    report.attempts = attempts;
    report.seconds_detect += before.seconds_detect;
    report.seconds_assemble += before.seconds_assemble;
    report.seconds_solve += before.seconds_solve;
    report.seconds_advance += before.seconds_advance;
    const bool good = report.status == Status::converged;
    if (!good && may_shrink) {
      dt_ = std::max(0.5 * dt, shortest);
      continue;
    }
    report.at_floor = !good && options_.adaptive && dt <= shortest;
    accept(std::move(candidate), report);
    t_ = dt == left ? t_limit : t_ + dt;
    report.t = t_;
    break;
  }
  adapt(report);
  return report;
}

Simulation::Attempt Simulation::attempt(double dt, bool may_shrink) {
  Attempt result;
  StepReport& report = result.report;
  Stopwatch watch;
  begin_bodies(dt);
  report.seconds_advance = watch.lap();
  std::vector<Contact> aside;
  result.contacts = finder_.find(world_, t_, dt, aside);
  std::vector<int> continued = track(result.contacts, contacts_, finder_.scene());
  report.seconds_detect = watch.lap();
  assemble_attempt(dt, continued, result);
  const Eigen::VectorXd guess = first_guess(result.contacts, continued, *result.problem, dt);
  report.seconds_assemble += watch.lap();
  solve_attempt(dt, may_shrink, guess, result);
  watch.lap();
  const std::vector<Contact> closed = finder_.closed_by(world_, result.solution.v, dt, aside);
  report.seconds_detect += watch.lap();
  if (!closed.empty()) solve_again(dt, may_shrink, closed, result);
  for (const Contact& contact : result.contacts) {
    report.penetration = std::max(report.penetration, -contact.gap);
    if (contact.b.obstacle >= 0)
      report.obstacle_penetration = std::max(report.obstacle_penetration, -contact.gap);
  }
  return result;
}

/// The problem of the attempt's contacts, without those that nothing can move.
void Simulation::assemble_attempt(double dt, std::vector<int>& continued, Attempt& attempt) {
  const auto problem_of = [&] {
    ChosenLaws chosen = choose_laws(world_, attempt.contacts, t_);
    attempt.one_sided = std::move(chosen.one_sided);
    return assemble(world_, attempt.contacts, std::move(chosen.laws), dt, options_.gap, executor_);
  };
  attempt.problem = problem_of();
  if (drop_immovable(*attempt.problem, attempt.contacts, continued)) attempt.problem = problem_of();
}

/// Impulses elsewhere can stop a strand that its neighbour then runs into: with those contacts, from the
/// impulses found so far.
void Simulation::solve_again(double dt, bool may_shrink, const std::vector<Contact>& closed,
                             Attempt& attempt) {
  Stopwatch watch;
  std::vector<int> continued(attempt.contacts.size());
  std::iota(continued.begin(), continued.end(), 0);
  attempt.contacts.insert(attempt.contacts.end(), closed.begin(), closed.end());
  continued.resize(attempt.contacts.size(), -1);
  assemble_attempt(dt, continued, attempt);
  const Eigen::Index d = attempt.problem->dimension();
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(attempt.problem->b().size());
  for (std::size_t i = 0; i < continued.size(); ++i)
    if (continued[i] >= 0)
      guess.segment(d * Eigen::Index(i), d) = attempt.solution.r.segment(d * continued[i], d);
  attempt.report.seconds_assemble += watch.lap();
  solve_attempt(dt, may_shrink, guess, attempt);
}

void Simulation::solve_attempt(double dt, bool may_shrink, const Eigen::VectorXd& guess, Attempt& attempt) {
  Stopwatch watch;
  const SolveOptions options = solve_options(attempt.problem->contacts(), may_shrink);
  if (attempt.one_sided.empty()) {
    attempt.solution = solve(*attempt.problem, guess, options);
  } else {
    OneSidedSolution found = solve_one_sided(*attempt.problem, attempt.one_sided, guess, options);
    attempt.problem = std::move(found.problem);
    attempt.solution = std::move(found.solution);
  }
  const ContactProblem& problem = *attempt.problem;
  if (on_solved) on_solved(problem, attempt.solution);
  StepReport& report = attempt.report;
  report.seconds_solve += watch.lap();
  report.dt = dt;
  report.contacts = problem.contacts();
  report.nu = problem.dofs() > 0 ? 3.0 * problem.contacts() / problem.dofs() : 0.0;
  report.sweeps += attempt.solution.report.iterations;
  report.error = attempt.solution.report.certificate.error;
  report.status = attempt.solution.report.status;
}

/// A shorter step makes an elastic problem stiffer, and so easier: it is given up early. Between rigid bodies
/// it changes nothing, and wedged ones need patience.
SolveOptions Simulation::solve_options(int contacts, bool may_shrink) const {
  SolveOptions result = options_.solve;
  const int asked = result.max_iterations;
  if (may_shrink)
    result.max_iterations =
        asked > 0 ? std::min(asked, options_.sweeps_before_shrinking) : options_.sweeps_before_shrinking;
  if (all_rigid()) {
    result.most_direct_rows = std::min(result.most_direct_rows, options_.most_direct_rows);
    if (asked > 0)
      result.max_iterations =
          std::max(asked, std::min(options_.most_rigid_updates / std::max(contacts, 1), kMostSweeps));
  }
  return result;
}

void Simulation::begin_bodies(double dt) {
  const StepConditions conditions{t_, dt, options_.theta, world_.gravity, world_.air};
  for_each_chunk(
      executor_, world_.bodies(),
      [&](int first, int last) {
        for (int k = first; k < last; ++k) world_.body(k).begin_step(conditions);
      },
      kBodiesAtATime);
}

/// The impulses of the last step, where they still fit.
Eigen::VectorXd Simulation::first_guess(const std::vector<Contact>& contacts,
                                        const std::vector<int>& continued, const ContactProblem& problem,
                                        double dt) const {
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(problem.b().size());
  if (contacts_.empty()) return guess;
  const auto impulses = transfer_impulses(contacts, continued, impulses_, dt / dt_used_);
  for (int i = 0; i < problem.contacts(); ++i)
    guess.segment<3>(problem.dimension() * i) = onto_cone(impulses[i], problem.law(i));
  return guess;
}

void Simulation::accept(Attempt&& attempt, StepReport& report) {
  Stopwatch watch;
  const std::vector<int> start = world_.dof_starts();
  const Eigen::VectorXd& v = attempt.solution.v;
  for_each_chunk(
      executor_, world_.bodies(),
      [&](int first, int last) {
        for (int k = first; k < last; ++k)
          world_.body(k).end_step(v.segment(start[k], start[k + 1] - start[k]));
      },
      kBodiesAtATime);
  contacts_ = std::move(attempt.contacts);
  impulses_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    impulses_[i] =
        contacts_[i].frame * attempt.solution.r.segment<3>(attempt.problem->dimension() * Eigen::Index(i));
  contact_states_ = attempt.solution.report.certificate.states;
  contact_friction_.clear();
  for (const ContactLaw& law : attempt.problem->laws())
    contact_friction_.emplace_back(law.friction[0], law.friction[1]);
  dt_used_ = attempt.report.dt;
  ++steps_;
  finder_.measure_velocities(world_);
  report.seconds_advance += watch.lap();
}

/// Grows dt after a gentle step, and keeps the next one from moving any point too far.
void Simulation::adapt(const StepReport& report) {
  if (!options_.adaptive) return;
  if (report.attempts == 1 && report.status == Status::converged) dt_ = std::min(kGrowth * dt_, options_.dt);
  for (int k = 0; k < world_.bodies(); ++k) {
    const bool strand = k < static_cast<int>(world_.strands.size());
    const double reach = (strand ? options_.longest_move : options_.longest_rigid_move) * finder_.size(k);
    const double speed = finder_.speed(k);
    if (speed * dt_ > reach) dt_ = std::max(reach / speed, options_.dt_min);
  }
}

Simulation::State Simulation::state() const {
  State result;
  result.t = t_;
  result.dt = dt_;
  result.dt_used = dt_used_;
  result.steps = steps_;
  for (int k = 0; k < world_.bodies(); ++k) {
    const std::vector<double> one = world_.body(k).state();
    result.body_sizes.push_back(static_cast<int>(one.size()));
    result.bodies.insert(result.bodies.end(), one.begin(), one.end());
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& c = contacts_[i];
    append(result.contacts, c, impulses_[i]);
    result.contact_ids.insert(result.contact_ids.end(),
                              {c.a.strand, c.a.rigid, c.b.strand, c.b.rigid, c.b.obstacle});
  }
  return result;
}

void Simulation::set_state(const State& state) {
  const auto refuse = [](const std::string& what) {
    throw InputError("state: " + what + " does not fit this world");
  };
  if (static_cast<int>(state.body_sizes.size()) != world_.bodies()) refuse("number of bodies");
  if (state.contacts.size() / kNumbersPerContact != state.contact_ids.size() / kIdsPerContact ||
      state.contacts.size() % kNumbersPerContact != 0 || state.contact_ids.size() % kIdsPerContact != 0)
    refuse("number of contacts");
  std::size_t at = 0;
  for (int k = 0; k < world_.bodies(); ++k) {
    const auto size = static_cast<std::size_t>(state.body_sizes[k]);
    if (at + size > state.bodies.size()) refuse("size of the bodies");
    world_.body(k).set_state(std::span(state.bodies).subspan(at, size));
    at += size;
  }
  contacts_.clear();
  impulses_.clear();
  for (std::size_t i = 0; i < state.contact_ids.size() / kIdsPerContact; ++i) {
    Eigen::Vector3d impulse;
    contacts_.push_back(contact_from(state.contacts.data() + i * kNumbersPerContact,
                                     state.contact_ids.data() + kIdsPerContact * i, impulse));
    impulses_.push_back(impulse);
  }
  t_ = state.t;
  dt_ = state.dt;
  dt_used_ = state.dt_used;
  steps_ = state.steps;
  finder_.measure_velocities(world_);
}

}  // namespace capstan

#include "capstan/step/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>

#include "capstan/collide/tracking.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

constexpr int kMostAttempts = 3;
constexpr double kGrowth = 1.2;  // of dt after a gentle step
// Contacts that may close in a step are wanted before they do. Margins are parts of the radius.
constexpr double kStillMargin = 0.1;
constexpr double kLargestMargin = 2;  // between strands, where most of what is near moves along
constexpr double kSurprise = 1.5;     // times the approach at the start of the step
constexpr double kUnseen = 0.15;      // of both radii: what impulses elsewhere may close or overlap
constexpr int kStrandsAtATime = 8;
constexpr int kNumbersPerContact = 24;
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

/// The nearest impulse the law allows, along the tangent.
Eigen::Vector3d onto_cone(Eigen::Vector3d r, double mu) {
  r[0] = std::max(r[0], 0.0);
  const double tangential = r.tail<2>().norm();
  if (tangential > mu * r[0]) r.tail<2>() *= tangential > 0 ? mu * r[0] / tangential : 0.0;
  return r;
}

CollisionScene collision_scene_of(const World& world) {
  CollisionScene scene;
  for (const WorldStrand& strand : world.strands) {
    std::vector<Eigen::Vector3d> nodes;
    for (const double s : strand.collision_s) nodes.push_back(strand.body->position(s));
    scene.add_strand(strand.collision, nodes, strand.collision_s);
  }
  return scene;
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
  numbers.insert(numbers.end(), {c.gap, c.a.s, c.b.s});
}

Contact contact_from(const double* numbers, const int* ids, Eigen::Vector3d& impulse) {
  Contact c;
  c.a.strand = ids[0];
  c.b.strand = ids[1];
  c.b.obstacle = ids[2];
  c.point_a = Eigen::Map<const Eigen::Vector3d>(numbers);
  c.point_b = Eigen::Map<const Eigen::Vector3d>(numbers + 3);
  c.frame = Eigen::Map<const Eigen::Matrix3d>(numbers + 6);
  c.velocity_b = Eigen::Map<const Eigen::Vector3d>(numbers + 15);
  impulse = Eigen::Map<const Eigen::Vector3d>(numbers + 18);
  c.gap = numbers[21];
  c.a.s = numbers[22];
  c.b.s = numbers[23];
  return c;
}

}  // namespace

/// A step that has been computed and not yet made.
struct Simulation::Attempt {
  std::vector<Contact> contacts;
  std::optional<ContactProblem> problem;
  Solution solution;
  StepReport report;
};

Simulation::Simulation(World world, StepOptions options)
    : world_(std::move(world)),
      options_(std::move(options)),
      executor_(options_.solve.executor ? *options_.solve.executor : serial_executor()),
      dt_(options_.dt),
      scene_(collision_scene_of(world_)) {
  if (!(options_.dt > 0)) throw InputError("dt: is " + std::to_string(options_.dt) + ", expected > 0");
  if (!(options_.dt_min > 0) || options_.dt_min > options_.dt)
    throw InputError("dt_min: is " + std::to_string(options_.dt_min) + ", expected > 0 and at most dt");
  measure_velocities();
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
    const bool may_shrink = options_.adaptive && attempts < kMostAttempts && dt > options_.dt_min;
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
      dt_ = std::max(0.5 * dt, options_.dt_min);
      continue;
    }
    report.at_floor = !good && options_.adaptive && dt <= options_.dt_min;
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
  begin_strands(dt);
  report.seconds_advance = watch.lap();
  std::vector<Contact> aside;
  result.contacts = detect_contacts(dt, aside);
  std::vector<int> continued = track(result.contacts, contacts_, scene_);
  report.seconds_detect = watch.lap();
  assemble_attempt(dt, continued, result);
  const Eigen::VectorXd guess = first_guess(result.contacts, continued, *result.problem, dt);
  report.seconds_assemble += watch.lap();
  solve_attempt(dt, may_shrink, guess, result);
  watch.lap();
  const std::vector<Contact> closed = closed_by(result.solution, dt, aside);
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
  attempt.problem = assemble(world_, attempt.contacts, dt, options_.gap, executor_);
  if (drop_immovable(*attempt.problem, attempt.contacts, continued))
    attempt.problem = assemble(world_, attempt.contacts, dt, options_.gap, executor_);
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
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(3 * Eigen::Index(continued.size()));
  for (std::size_t i = 0; i < continued.size(); ++i)
    if (continued[i] >= 0)
      guess.segment<3>(3 * Eigen::Index(i)) = attempt.solution.r.segment<3>(3 * Eigen::Index(continued[i]));
  attempt.report.seconds_assemble += watch.lap();
  solve_attempt(dt, may_shrink, guess, attempt);
}

void Simulation::solve_attempt(double dt, bool may_shrink, const Eigen::VectorXd& guess, Attempt& attempt) {
  Stopwatch watch;
  const ContactProblem& problem = *attempt.problem;
  SolveOptions solve_options = options_.solve;
  if (may_shrink)
    solve_options.max_iterations =
        solve_options.max_iterations > 0
            ? std::min(solve_options.max_iterations, options_.sweeps_before_shrinking)
            : options_.sweeps_before_shrinking;
  attempt.solution = solve(problem, guess, solve_options);
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

void Simulation::measure_velocities() {
  node_velocity_.resize(scene_.x.size());
  speed_.resize(world_.strands.size());
  for_each_chunk(
      executor_, static_cast<int>(world_.strands.size()),
      [&](int first, int last) {
        for (int k = first; k < last; ++k) {
          const WorldStrand& strand = world_.strands[k];
          speed_[k] = 0;
          for (std::size_t n = 0; n < strand.collision_s.size(); ++n) {
            Eigen::Vector3d& v = node_velocity_[scene_.strands[k].first_node + n];
            v = strand.body->velocity(strand.collision_s[n]);
            speed_[k] = std::max(speed_[k], v.norm());
          }
        }
      },
      kStrandsAtATime);
}

void Simulation::begin_strands(double dt) {
  const StepConditions conditions{t_, dt, options_.theta, world_.gravity, world_.air};
  for_each_chunk(
      executor_, static_cast<int>(world_.strands.size()),
      [&](int first, int last) {
        for (int k = first; k < last; ++k) world_.strands[k].body->begin_step(conditions);
      },
      kStrandsAtATime);
}

std::vector<Contact> Simulation::detect_contacts(double dt, std::vector<Contact>& aside) {
  std::vector<double> reach(world_.strands.size());  // how far a strand's points may go in this step
  for_each_chunk(
      executor_, static_cast<int>(world_.strands.size()),
      [&](int first, int last) {
        for (int k = first; k < last; ++k) {
          const WorldStrand& strand = world_.strands[k];
          const auto nodes = scene_.nodes_of(k);
          for (std::size_t n = 0; n < nodes.size(); ++n)
            nodes[n] = strand.body->position(strand.collision_s[n]);
          reach[k] = dt * (speed_[k] + dt * world_.gravity.norm());
          const double radius = strand.collision.radius;
          scene_.strands[k].margin = kStillMargin * radius + std::min(reach[k], kLargestMargin * radius);
        }
      },
      kStrandsAtATime);
  scene_.obstacles.clear();
  for (const Obstacle& obstacle : world_.obstacles) scene_.obstacles.push_back(place(obstacle, t_, dt));
  std::vector<Contact> contacts = detect_between_strands(scene_, options_.detect, executor_);
  // An obstacle has one surface, so contacts that never close are few: nothing may fall into it in one step.
  for (std::size_t k = 0; k < reach.size(); ++k)
    scene_.strands[k].margin = kStillMargin * scene_.strands[k].radius + reach[k];
  const std::vector<Contact> more = detect_with_obstacles(scene_, options_.detect, executor_);
  contacts.insert(contacts.end(), more.begin(), more.end());
  for_each_chunk(executor_, static_cast<int>(contacts.size()), [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      Contact& c = contacts[i];
      const Eigen::Vector3d a = world_.strands[c.a.strand].body->position(c.a.s);
      c = on_curves(c, a, c.b.strand >= 0 ? world_.strands[c.b.strand].body->position(c.b.s) : c.point_b);
    }
  });
  const auto apart = std::stable_partition(
      contacts.begin(), contacts.end(), [&](const Contact& c) { return c.b.strand < 0 || may_close(c, dt); });
  aside.assign(apart, contacts.end());
  contacts.erase(apart, contacts.end());
  return contacts;
}

/// Whether two strands may touch before the step is over: what is near but moves along does not count.
bool Simulation::may_close(const Contact& contact, double dt) const {
  const Eigen::Vector3d relative =
      velocity_of(contact.a.strand, contact.a.s) - velocity_of(contact.b.strand, contact.b.s);
  const double approach = std::max(-dt * relative.dot(contact.frame.col(0)), 0.0);
  return contact.gap < kUnseen * radii_of(contact) + kSurprise * approach;
}

/// Of both strands.
double Simulation::radii_of(const Contact& contact) const {
  return world_.strands[contact.a.strand].collision.radius +
         world_.strands[contact.b.strand].collision.radius;
}

/// Of those set aside, what the velocities found so far would make overlap by more than is undone unnoticed.
std::vector<Contact> Simulation::closed_by(const Solution& solution, double dt,
                                           const std::vector<Contact>& aside) const {
  const std::vector<int> start = world_.dof_starts();
  const auto velocity = [&](const ContactSide& side) -> Eigen::Vector3d {
    const Strand& body = *world_.strands[side.strand].body;
    const PointMotion motion = body.point_motion(side.s);
    return motion.J * solution.v.segment(start[side.strand], body.dofs()) + motion.free_velocity;
  };
  std::vector<char> overlaps(aside.size());
  for_each_chunk(executor_, static_cast<int>(aside.size()), [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const Contact& c = aside[i];
      const double opening = (velocity(c.a) - velocity(c.b)).dot(c.frame.col(0));
      overlaps[i] = c.gap + dt * opening < -kUnseen * radii_of(c);
    }
  });
  std::vector<Contact> closed;
  for (std::size_t i = 0; i < aside.size(); ++i)
    if (overlaps[i]) closed.push_back(aside[i]);
  return closed;
}

/// Of a point of the centreline, between the velocities of the nodes beside it.
Eigen::Vector3d Simulation::velocity_of(int strand, double s) const {
  const std::vector<double>& at = world_.strands[strand].collision_s;
  const auto after = std::clamp<std::ptrdiff_t>(std::upper_bound(at.begin(), at.end(), s) - at.begin(), 1,
                                                static_cast<std::ptrdiff_t>(at.size()) - 1);
  const double fraction = (s - at[after - 1]) / (at[after] - at[after - 1]);
  const Eigen::Vector3d* const v = node_velocity_.data() + scene_.strands[strand].first_node + after - 1;
  return v[0] + fraction * (v[1] - v[0]);
}

/// The impulses of the last step, where they still fit.
Eigen::VectorXd Simulation::first_guess(const std::vector<Contact>& contacts,
                                        const std::vector<int>& continued, const ContactProblem& problem,
                                        double dt) const {
  Eigen::VectorXd guess = Eigen::VectorXd::Zero(3 * Eigen::Index(contacts.size()));
  if (contacts_.empty()) return guess;
  const auto impulses = transfer_impulses(contacts, continued, impulses_, dt / dt_used_);
  for (int i = 0; i < problem.contacts(); ++i)
    guess.segment<3>(3 * i) = onto_cone(impulses[i], problem.law(i).friction[0]);
  return guess;
}

void Simulation::accept(Attempt&& attempt, StepReport& report) {
  Stopwatch watch;
  const std::vector<int> start = world_.dof_starts();
  const Eigen::VectorXd& v = attempt.solution.v;
  for_each_chunk(
      executor_, static_cast<int>(world_.strands.size()),
      [&](int first, int last) {
        for (int k = first; k < last; ++k)
          world_.strands[k].body->end_step(v.segment(start[k], start[k + 1] - start[k]));
      },
      kStrandsAtATime);
  contacts_ = std::move(attempt.contacts);
  impulses_.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    impulses_[i] = contacts_[i].frame * attempt.solution.r.segment<3>(3 * Eigen::Index(i));
  contact_states_ = attempt.solution.report.certificate.states;
  dt_used_ = attempt.report.dt;
  ++steps_;
  measure_velocities();
  report.seconds_advance += watch.lap();
}

/// Grows dt after a gentle step, and keeps the next one from moving any point too far.
void Simulation::adapt(const StepReport& report) {
  if (!options_.adaptive) return;
  if (report.attempts == 1 && report.status == Status::converged) dt_ = std::min(kGrowth * dt_, options_.dt);
  for (std::size_t k = 0; k < world_.strands.size(); ++k) {
    const double reach = options_.longest_move * scene_.mean_capsule_length(static_cast<int>(k));
    if (speed_[k] * dt_ > reach) dt_ = std::max(reach / speed_[k], options_.dt_min);
  }
}

Simulation::State Simulation::state() const {
  State result;
  result.t = t_;
  result.dt = dt_;
  result.dt_used = dt_used_;
  result.steps = steps_;
  for (const WorldStrand& strand : world_.strands) {
    const std::vector<double> one = strand.body->state();
    result.strand_sizes.push_back(static_cast<int>(one.size()));
    result.strands.insert(result.strands.end(), one.begin(), one.end());
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& c = contacts_[i];
    append(result.contacts, c, impulses_[i]);
    result.contact_ids.insert(result.contact_ids.end(), {c.a.strand, c.b.strand, c.b.obstacle});
  }
  return result;
}

void Simulation::set_state(const State& state) {
  const auto refuse = [](const std::string& what) {
    throw InputError("state: " + what + " does not fit this world");
  };
  if (state.strand_sizes.size() != world_.strands.size()) refuse("number of strands");
  if (state.contacts.size() / kNumbersPerContact != state.contact_ids.size() / 3 ||
      state.contacts.size() % kNumbersPerContact != 0 || state.contact_ids.size() % 3 != 0)
    refuse("number of contacts");
  std::size_t at = 0;
  for (std::size_t k = 0; k < world_.strands.size(); ++k) {
    const auto size = static_cast<std::size_t>(state.strand_sizes[k]);
    if (at + size > state.strands.size()) refuse("size of the strands");
    world_.strands[k].body->set_state(std::span(state.strands).subspan(at, size));
    at += size;
  }
  contacts_.clear();
  impulses_.clear();
  for (std::size_t i = 0; i < state.contact_ids.size() / 3; ++i) {
    Eigen::Vector3d impulse;
    contacts_.push_back(contact_from(state.contacts.data() + i * kNumbersPerContact,
                                     state.contact_ids.data() + 3 * i, impulse));
    impulses_.push_back(impulse);
  }
  t_ = state.t;
  dt_ = state.dt;
  dt_used_ = state.dt_used;
  steps_ = state.steps;
  measure_velocities();
}

}  // namespace capstan

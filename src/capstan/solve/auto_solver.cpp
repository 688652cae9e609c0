#include "capstan/solve/clusters.hpp"
#include "capstan/solve/interior.hpp"
#include "capstan/solve/momentum.hpp"
#include "capstan/solve/registry.hpp"
#include "capstan/solve/resting.hpp"

namespace capstan {
namespace {

/// Runs one stage from where the last one got best. Returns whether the solve is over.
template <class Stage>
bool finished(const SolverContext& context, Status& status, Stage stage) {
  context.monitor.start_stage();
  status = stage();
  context.x = context.monitor.best();
  return status == Status::converged || context.monitor.out_of_time();
}

Status interior_then_levenberg(const SolverContext& context) {
  const Status status = solve_interior(context, {});
  if (status == Status::converged) return status;
  context.x = context.monitor.best();
  context.monitor.start_stage();
  return solve_levenberg(context, {});
}

constexpr int kLarge = 700;      // contacts
constexpr int kPatience = 4000;  // sweeps without progress where nothing else is left to try

/// What you would want if you knew nothing. What rests is solved at once; momentum sweeps settle nearly all
/// else; in large problems, what creeps in a few places is solved there; where the exact contact update
/// stalls (it can cycle between several local roots), projection steps take over; small problems that resist
/// get a second-order method, which starts cold and does not care; what is left gets patience, turn by turn.
/// The best iterate of all stages is kept.
Status solve_automatically(const SolverContext& context) {
  const int contacts = context.problem.contacts();
  const bool large = contacts > kLarge, direct = context.problem.size() <= context.most_direct_rows;
  Status status = Status::iteration_limit;
  const auto sweeps = [&](ContactUpdate update, int patience, bool judged = false) {
    return [&context, update, patience, judged] {
      const int left = std::max(context.max_iterations - context.monitor.iterations(), 0);
      return solve_momentum(context,
                            {.update = update, .max_sweeps = left, .patience = patience, .judged = judged});
    };
  };
  const Eigen::VectorXd first_guess = context.x;
  const bool may_rest = !first_guess.isZero(0) && can_rest(context.problem);
  if (may_rest && finished(context, status, [&] { return solve_resting(context); })) return status;
  if (finished(context, status, sweeps(ContactUpdate::exact, large ? 800 : 200, may_rest))) return status;
  const auto clusters = [&] {
    return solve_clusters(context, {.max_sweeps = context.max_iterations - context.monitor.iterations()});
  };
  if (large && finished(context, status, clusters)) return status;
  context.x = first_guess;  // where W is singular, the way decides where one ends up: go another one
  const auto worth_of_direct = [&] { return std::max(600, contacts * contacts / 50); };  // sweeps; not large
  const int patience = large ? 1000 : direct ? worth_of_direct() : kPatience;
  if (finished(context, status, sweeps(ContactUpdate::projection, patience))) return status;
  if (direct && finished(context, status, [&] { return interior_then_levenberg(context); })) return status;
  for (int turn = 1000; context.monitor.iterations() < context.max_iterations; turn *= 2) {
    if (finished(context, status, sweeps(ContactUpdate::exact, turn))) return status;
    if (finished(context, status, sweeps(ContactUpdate::projection, turn))) return status;
  }
  return status;
}

}  // namespace

std::vector<SolverEntry> auto_solvers() {
  return {
      {"auto",
       "the default: momentum sweeps, projection steps where they cycle, interior point where they stall",
       200000, solve_automatically,
       [](const SolverContext& c) { return solve_momentum(c, {.patience = kPatience}); }},
      {"resting", "direct, for a few bodies that rest, from a good guess: what bears a load sticks", 1,
       [](const SolverContext& c) { return solve_resting(c); }},
      {"clusters", "for large problems: solves around the worst contact, then sweeps over all, and again",
       100000, [](const SolverContext& c) { return solve_clusters(c, {}); }},
      {"momentum", "guarded momentum around the four-wide Gauss-Seidel sweep, exact contact update", 100000,
       [](const SolverContext& c) { return solve_momentum(c, {}); },
       [](const SolverContext& c) { return solve_momentum(c, {}); }},
      {"momentum_projection", "the same with a projection step for each contact: slower, never cycles",
       100000,
       [](const SolverContext& c) { return solve_momentum(c, {.update = ContactUpdate::projection}); }},
      {"sweep", "the four-wide Gauss-Seidel sweep alone", 100000,
       [](const SolverContext& c) { return solve_momentum(c, {.momentum = false}); },
       [](const SolverContext& c) { return solve_momentum(c, {.momentum = false}); }},
      {"interior", "interior point with smoothed De Saxce term, then Levenberg-Marquardt; small problems",
       1000, interior_then_levenberg},
      {"levenberg", "Levenberg-Marquardt on Fischer-Burmeister; small problems, from a good guess", 1000,
       [](const SolverContext& c) { return solve_levenberg(c, {}); }},
  };
}

}  // namespace capstan

#include "capstan/solve/interior.hpp"
#include "capstan/solve/momentum.hpp"
#include "capstan/solve/registry.hpp"

namespace capstan {
namespace {

Status interior_then_levenberg(const SolverContext& context) {
  const Status status = solve_interior(context, {});
  if (status == Status::converged) return status;
  context.x = context.monitor.best();
  context.monitor.start_stage();
  return solve_levenberg(context, {});
}

}  // namespace

std::vector<SolverEntry> auto_solvers() {
  return {
      {"momentum", "guarded momentum around the four-wide Gauss-Seidel sweep, exact contact update", 100000,
       [](const SolverContext& c) { return solve_momentum(c, {}); }},
      {"momentum_projection", "the same with a projection step for each contact: slower, never cycles", 100000,
       [](const SolverContext& c) { return solve_momentum(c, {.update = ContactUpdate::projection}); }},
      {"sweep", "the four-wide Gauss-Seidel sweep alone", 100000,
       [](const SolverContext& c) { return solve_momentum(c, {.momentum = false}); }},
      {"interior", "interior point with smoothed De Saxce term, then Levenberg-Marquardt; small problems", 1000,
       interior_then_levenberg},
      {"levenberg", "Levenberg-Marquardt on Fischer-Burmeister; small problems, from a good guess", 1000,
       [](const SolverContext& c) { return solve_levenberg(c, {}); }},
  };
}

}  // namespace capstan

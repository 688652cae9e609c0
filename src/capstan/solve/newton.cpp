#include "capstan/solve/ncp_newton.hpp"
#include "capstan/solve/newton_iteration.hpp"
#include "capstan/solve/newton_system.hpp"
#include "capstan/solve/registry.hpp"

namespace capstan {

std::vector<SolverEntry> newton_solvers() {
  const auto newton_on = [](auto system) {
    return [system](const SolverContext& context) { return run_newton(context, system(context.problem)); };
  };
  return {{"newton_ac", "Newton on Alart-Curnier with the Goldstein-Price line search [Bertails11]", 200,
           newton_on(alart_curnier_system)},
          {"newton_fb", "Newton on Fischer-Burmeister with De Saxce's term [Daviet11, app. A]", 200,
           newton_on(fischer_burmeister_system)},
          {"ncp_newton", "Newton on maximum dissipation with a multiplier [Erleben20, sec. 4.2]", 200,
           newton_on([](const CanonicalProblem& problem) { return ncp_system(problem); })}};
}

}  // namespace capstan

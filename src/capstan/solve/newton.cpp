#include "capstan/solve/registry.hpp"

namespace capstan {

std::vector<SolverEntry> newton_solvers() { return {}; }

}  // namespace capstan

#include "capstan/solve/registry.hpp"

namespace capstan {

std::vector<SolverEntry> gradient_solvers() { return {}; }

}  // namespace capstan

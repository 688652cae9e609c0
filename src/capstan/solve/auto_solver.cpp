#include "capstan/solve/registry.hpp"

namespace capstan {

std::vector<SolverEntry> auto_solvers() { return {}; }

}  // namespace capstan

#include "capstan/solve/registry.hpp"

namespace capstan {

std::vector<SolverEntry> pivoting_solvers() { return {}; }

}  // namespace capstan

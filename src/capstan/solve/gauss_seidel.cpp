#include "capstan/solve/registry.hpp"

namespace capstan {

std::vector<SolverEntry> gauss_seidel_solvers() { return {}; }

}  // namespace capstan

#include "capstan/solve/registry.hpp"

namespace capstan {

const std::vector<SolverEntry>& solvers() {
  static const std::vector<SolverEntry> all = [] {
    std::vector<SolverEntry> list;
    for (const auto family :
         {auto_solvers, gauss_seidel_solvers, gradient_solvers, newton_solvers, pivoting_solvers})
      for (SolverEntry& entry : family()) list.push_back(std::move(entry));
    return list;
  }();
  return all;
}

}  // namespace capstan

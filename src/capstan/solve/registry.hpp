#pragma once
#include <vector>

#include "capstan/solve/solver.hpp"

/// Each family of solvers gives its own entries; solvers() in registry.cpp lists them all.
namespace capstan {

std::vector<SolverEntry> auto_solvers();          ///< auto and its parts: auto_solver.cpp
std::vector<SolverEntry> gauss_seidel_solvers();  ///< gauss_seidel.cpp, proximal.cpp
std::vector<SolverEntry> gradient_solvers();      ///< gradient.cpp
std::vector<SolverEntry> newton_solvers();        ///< newton.cpp
std::vector<SolverEntry> pivoting_solvers();      ///< pivoting.cpp

}  // namespace capstan

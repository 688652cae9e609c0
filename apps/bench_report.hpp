#pragma once
#include <string>
#include <vector>

#include "apps/bench_run.hpp"
#include "apps/svg_plot.hpp"

namespace capstan::app {

std::string bench_csv(const std::vector<BenchRow>& rows, const std::string& first_solver);

/// Share of the problems solved within a factor of the fastest time [Dolan, Moré 2002], over the problems
/// that all solvers were run on.
Plot performance_profile(const std::vector<BenchRow>& rows, double tolerance);

/// Measure over time of every solver on one problem, at its tightest tolerance.
Plot convergence_plot(const std::vector<BenchRow>& rows, const std::string& problem,
                      const std::string& measure);

/// For each solver and tolerance: how many of the problems it was run on were solved, and the geometric mean
/// of the ratio to the first, over the problems that both solved.
std::string bench_summary(const std::vector<BenchRow>& rows);

/// InputError if it cannot be written.
void write_text(const std::string& path, const std::string& text);

}  // namespace capstan::app

#include "apps/bench_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "apps/text_table.hpp"
#include "capstan/errors.hpp"

namespace capstan::app {
namespace {

/// Values in the order in which they first appear.
template <class T>
std::vector<T> distinct(const std::vector<BenchRow>& rows, T BenchRow::*field) {
  std::vector<T> values;
  for (const BenchRow& row : rows)
    if (std::find(values.begin(), values.end(), row.*field) == values.end()) values.push_back(row.*field);
  return values;
}

/// Problems that every solver was run on: a peer is not blamed for what it cannot express.
std::vector<std::string> shared_problems(const std::vector<BenchRow>& rows, double tolerance) {
  const auto solvers = distinct(rows, &BenchRow::solver);
  std::vector<std::string> shared;
  for (const std::string& problem : distinct(rows, &BenchRow::problem)) {
    const auto runs = std::count_if(rows.begin(), rows.end(), [&](const BenchRow& row) {
      return row.problem == problem && row.tolerance == tolerance;
    });
    if (runs == std::ptrdiff_t(solvers.size())) shared.push_back(problem);
  }
  return shared;
}

/// Fastest time a problem at this tolerance.
std::map<std::string, double> best_times(const std::vector<BenchRow>& rows, double tolerance) {
  std::map<std::string, double> best;
  for (const BenchRow& row : rows)
    if (row.tolerance == tolerance && row.converged()) {
      const auto [entry, is_new] = best.emplace(row.problem, row.minimum());
      if (!is_new) entry->second = std::min(entry->second, row.minimum());
    }
  return best;
}

}  // namespace

std::string bench_csv(const std::vector<BenchRow>& rows, const std::string& first_solver) {
  std::string text =
      "problem,contacts,solver,tolerance,status,seconds_min,seconds_median,repeats,ratio_to_first,iterations,"
      "error,"
      "natural_map_error,hash\n";
  for (const BenchRow& row : rows) {
    const double ratio = ratio_to_first(rows, row, first_solver);
    text += fmt::format("{},{},{},{:g},{},{:.6g},{:.6g},{},{},{},{:.4e},{:.4e},{}\n", row.problem,
                        row.contacts, row.solver, row.tolerance, to_string(row.status), row.minimum(),
                        row.median(), row.seconds.size(), ratio > 0 ? fmt::format("{:.4g}", ratio) : "",
                        row.iterations, row.error, row.natural_map, row.hash);
  }
  return text;
}

Plot performance_profile(const std::vector<BenchRow>& rows, double tolerance) {
  const auto best = best_times(rows, tolerance);
  const auto problems = shared_problems(rows, tolerance);
  const auto is_shared = [&](const BenchRow& row) {
    return std::find(problems.begin(), problems.end(), row.problem) != problems.end();
  };
  Plot plot;
  plot.title = fmt::format("Problems solved to {:g}, of {}", tolerance, problems.size());
  plot.x = {"time, as a multiple of the fastest solver's", true};
  plot.y = {"solved", false, 0, 1, true};
  double widest = 10;
  for (const std::string& solver : distinct(rows, &BenchRow::solver)) {
    std::vector<double> ratios;
    for (const BenchRow& row : rows)
      if (row.solver == solver && row.tolerance == tolerance && row.converged() && is_shared(row))
        ratios.push_back(row.minimum() / best.at(row.problem));
    std::sort(ratios.begin(), ratios.end());
    Series series{solver, {{1, 0}}, true, false};
    for (std::size_t k = 0; k < ratios.size(); ++k)
      series.points.emplace_back(ratios[k], double(k + 1) / double(problems.size()));
    if (!ratios.empty()) widest = std::max(widest, ratios.back());
    plot.series.push_back(std::move(series));
  }
  plot.x.low = 1;
  plot.x.high = std::pow(10, std::ceil(std::log10(widest)));
  for (Series& series : plot.series) series.points.emplace_back(plot.x.high, series.points.back().second);
  return plot;
}

Plot convergence_plot(const std::vector<BenchRow>& rows, const std::string& problem,
                      const std::string& measure) {
  double tightest = std::numeric_limits<double>::infinity();
  for (const BenchRow& row : rows)
    if (row.problem == problem) tightest = std::min(tightest, row.tolerance);
  Plot plot;
  plot.title = problem;
  plot.x = {"time, s (set-up included)", true};
  plot.y = {measure, true};
  for (const BenchRow& row : rows) {
    if (row.problem != problem || row.tolerance != tightest) continue;
    Series series{row.solver, {}, false, true};
    for (const HistoryPoint& point : row.history) series.points.emplace_back(point.seconds, point.value);
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::string bench_summary(const std::vector<BenchRow>& rows) {
  const auto solvers = distinct(rows, &BenchRow::solver);
  if (solvers.empty()) return "";
  int longest = 0;
  for (const std::string& solver : solvers) longest = std::max(longest, int(solver.size()));
  const TextTable table({{"solver", longest, true},
                         {"tol", 6},
                         {"solved", 8},
                         {"mean ratio to " + solvers[0], 0},
                         {"over", 4}});
  std::string text = table.header();
  for (const double tolerance : distinct(rows, &BenchRow::tolerance))
    for (const std::string& solver : solvers) {
      int tried = 0, solved = 0, compared = 0;
      double logarithms = 0;
      for (const BenchRow& row : rows) {
        if (row.solver != solver || row.tolerance != tolerance) continue;
        ++tried;
        solved += row.converged();
        if (const double ratio = ratio_to_first(rows, row, solvers[0]); ratio > 0) {
          logarithms += std::log(ratio);
          ++compared;
        }
      }
      text += table.row({{solver},
                         {fmt::format("{:g}", tolerance)},
                         {fmt::format("{}/{}", solved, tried)},
                         {compared ? fmt::format("{:.3g}", std::exp(logarithms / compared)) : "-"},
                         {std::to_string(compared)}});
    }
  return text;
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw InputError(path + ": cannot be written");
}

}  // namespace capstan::app

#pragma once
#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "capstan/executor.hpp"
#include "capstan/solve/certificate.hpp"
#include "capstan/solve/monitor.hpp"

namespace capstan {

struct SolveOptions {
  std::string solver = "auto";                                  ///< a name from solvers()
  Measure measure = Measure::error;                             ///< what the tolerance is held against
  double tolerance = 1e-6;                                      ///< dimensionless, > 0
  int max_iterations = 0;                                       ///< 0: the solver's own default
  double time_limit = std::numeric_limits<double>::infinity();  ///< seconds
  /// Limit on counted work, in nominal seconds (see work.hpp): like a time limit, and the same on every
  /// machine. `auto` starts no stage that could not end within it.
  double work_limit = std::numeric_limits<double>::infinity();
  const Executor* executor = nullptr;                  ///< nullptr: serial
  std::function<bool(const HistoryPoint&)> on_judged;  ///< progress; return false to stop
  /// Rows up to which `auto` may factorise all of a problem that resists sweeps: time grows with their cube.
  int most_direct_rows = 2100;
  /// Makes a first guess better even if it would do, where that is cheap: for the next step of what rests.
  /// See resting.hpp.
  bool settle = false;
};

struct SolveReport {
  Status status = Status::converged;
  std::string solver;
  int iterations = 0;  ///< of the island that took most
  int islands = 0;
  Certificate certificate;  ///< of the returned r, by certify()
  LocalStatistics local;
  std::vector<HistoryPoint> history;  ///< of the largest island
  double seconds_setup = 0, seconds_solve = 0;
  double work = 0;  ///< counted, nominal seconds, of all islands; set-up does not count
};

struct Solution {
  Eigen::VectorXd r;  ///< impulses, N s
  Eigen::VectorXd u;  ///< relative velocities, m/s
  Eigen::VectorXd v;  ///< generalised velocities; empty for a problem given as (W, b)
  SolveReport report;
};

/// Solves the contact problem from r = 0, or from a first guess. Never throws for mathematics that does not
/// converge: the report says so, and r is the best iterate.
Solution solve(const ContactProblem& problem, const SolveOptions& options = {});
Solution solve(const ContactProblem& problem, const Eigen::VectorXd& first_guess,
               const SolveOptions& options = {});

/// What every door to a solver does first: throws InputError unless options and guess are as described above.
void check_solve(const ContactProblem& problem, const Eigen::VectorXd& first_guess,
                 const SolveOptions& options);
/// And last: v and u of solution.r.
void find_velocities(const ContactProblem& problem, const Executor& executor, Solution& solution);

/// What a solver is given. x: first guess in, last iterate out (the monitor has the best).
struct SolverContext {
  const CanonicalProblem& problem;
  Eigen::VectorXd& x;
  Monitor& monitor;
  int max_iterations;
  const Executor& executor;
  int most_direct_rows = SolveOptions{}.most_direct_rows;
  bool settle = false;
};

struct SolverEntry {
  std::string name;
  std::string summary;  ///< one line
  int default_iterations;
  std::function<Status(const SolverContext&)> run;
  /// For problems whose tractions stay in their contacts (TractionForm), which is faster; empty if the method
  /// has to have them in the mass matrix.
  std::function<Status(const SolverContext&)> with_springs = {};
};

/// Every solver, in the order in which to show them.
const std::vector<SolverEntry>& solvers();
/// Throws InputError with the nearest names if there is none of that name.
const SolverEntry& find_solver(const std::string& name);

}  // namespace capstan

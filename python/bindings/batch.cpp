#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <functional>
#include <limits>
#include <mutex>

#include "bindings/bind.hpp"
#include "bindings/build_problem.hpp"
#include "bindings/solving.hpp"
#include "capstan/errors.hpp"

namespace capstan::python {
namespace {

/// Problems that a thread takes at a time.
constexpr int kAtATime = 16;

/// The first of the problems with something wrong, whichever thread saw its own first.
class FirstError {
 public:
  void keep(int problem, const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (problem >= problem_) return;
    problem_ = problem;
    what_ = "problem " + std::to_string(problem) + ": " + what;
  }
  void raise() const {
    if (!what_.empty()) throw InputError(what_);
  }

 private:
  std::mutex mutex_;
  int problem_ = std::numeric_limits<int>::max();
  std::string what_;
};

/// solve_one(k, options) for every k, side by side; the answer of each does not depend on the others.
void solve_each(int count, int threads, const SolveOptions& options,
                const std::function<void(int, const SolveOptions&)>& solve_one) {
  Watch watch{nb::none()};
  FirstError error;
  {
    const nb::gil_scoped_release released;
    const Threads several(threads, count > kAtATime);
    SolveOptions own = options;
    own.on_judged = [&watch](const HistoryPoint&) { return watch.go_on(); };
    for_each_chunk(
        several.executor(), count,
        [&](int first, int last) {
          for (int k = first; k < last && watch.go_on(); ++k) try {
              solve_one(k, own);
            } catch (const InputError& found) {
              error.keep(k, found.what());
            }
        },
        kAtATime);
  }
  watch.raise();
  error.raise();
}

nb::typed<nb::list, Fields> solve_problems(const std::vector<const ContactProblem*>& problems,
                                           const SolveOptions& options, int threads) {
  std::vector<Solution> solutions(problems.size());
  solve_each(static_cast<int>(problems.size()), threads, options,
             [&](int k, const SolveOptions& own) { solutions[k] = solve(*problems[k], own); });
  nb::list result;
  for (Solution& solution : solutions) result.append(to_python(std::move(solution)));
  return result;
}

/// Answers to problems of the same size, one row a problem.
class Answers {
 public:
  Answers(std::size_t problems, int rows, int contacts, int dofs)
      : problems_(problems),
        rows_(rows),
        contacts_(contacts),
        dofs_(dofs),
        r_(problems * rows),
        u_(problems * rows),
        v_(problems * dofs),
        error_(problems),
        iterations_(problems),
        status_(problems),
        states_(problems * contacts) {}

  void keep(std::size_t k, const Solution& solution) {
    std::copy(solution.r.begin(), solution.r.end(), r_.begin() + k * rows_);
    std::copy(solution.u.begin(), solution.u.end(), u_.begin() + k * rows_);
    std::copy(solution.v.begin(), solution.v.end(), v_.begin() + k * dofs_);
    const SolveReport& report = solution.report;
    error_[k] = report.certificate.error;
    iterations_[k] = report.iterations;
    status_[k] = static_cast<std::uint8_t>(report.status);
    for (int i = 0; i < contacts_; ++i)
      states_[k * contacts_ + i] = static_cast<std::uint8_t>(report.certificate.states[i]);
  }

  Fields to_python() && {
    Fields result;
    result["r"] = table(std::move(r_), rows_);
    result["u"] = table(std::move(u_), rows_);
    result["v"] = dofs_ ? nb::cast(table(std::move(v_), dofs_)) : nb::none();
    result["error"] = to_numpy(std::move(error_));
    result["iterations"] = to_numpy(std::move(iterations_));
    result["status_codes"] = to_numpy(std::move(status_));
    result["state_codes"] = table(std::move(states_), contacts_);
    return result;
  }

 private:
  template <class T>
  Numpy<T, 2> table(std::vector<T> values, int columns) const {
    return to_numpy(std::move(values), std::array{problems_, std::size_t(columns)});
  }

  std::size_t problems_;
  int rows_, contacts_, dofs_;
  std::vector<double> r_, u_, v_, error_;
  std::vector<int> iterations_;
  std::vector<std::uint8_t> status_, states_;
};

/// make(k) for every k, solved from row k of the guesses if there are any.
Fields solve_stack(std::size_t count, int rows, int contacts, int dofs, const SolveOptions& options,
                   int threads, const std::optional<Matrix>& guess,
                   const std::function<ContactProblem(int)>& make) {
  Answers answers(count, rows, contacts, dofs);
  solve_each(static_cast<int>(count), threads, options, [&](int k, const SolveOptions& own) {
    const ContactProblem problem = make(k);
    answers.keep(k, guess ? solve(problem, row(*guess, k), own) : solve(problem, own));
  });
  return std::move(answers).to_python();
}

Fields solve_delassus(int dimension, const Stack& W, const Matrix& b, const Laws& laws,
                      const SolveOptions& options, int threads, const std::optional<Matrix>& guess) {
  const int rows = static_cast<int>(b.shape(1)), contacts = rows / dimension;
  return solve_stack(W.shape(0), rows, contacts, 0, options, threads, guess, [&](int k) {
    return ContactProblem::from_delassus(BlockMatrix::from_dense(view(W, k), dimension), row(b, k),
                                         laws.slice(k * contacts, contacts));
  });
}

Fields solve_mass(int dimension, const Stack& M, const Matrix& f, const Stack& H, const Matrix& w,
                  const Laws& laws, const SolveOptions& options, int threads,
                  const std::optional<Matrix>& guess) {
  const int rows = static_cast<int>(w.shape(1)), contacts = rows / dimension;
  const int dofs = static_cast<int>(f.shape(1));
  return solve_stack(M.shape(0), rows, contacts, dofs, options, threads, guess, [&](int k) {
    return ContactProblem::from_sparse(dimension, nonzeros<Eigen::ColMajor>(view(M, k)), row(f, k),
                                       nonzeros<Eigen::RowMajor>(view(H, k)), row(w, k),
                                       laws.slice(k * contacts, contacts));
  });
}

}  // namespace

void bind_batch(nb::module_& module) {
  module.def("solve_problems", &solve_problems, nb::arg("problems"), nb::arg("options"), nb::arg("threads"));
  module.def("solve_delassus", &solve_delassus, nb::arg("dimension"), nb::arg("W").noconvert(),
             nb::arg("b").noconvert(), nb::arg("laws"), nb::arg("options"), nb::arg("threads"),
             nb::arg("guess").none());
  module.def("solve_mass", &solve_mass, nb::arg("dimension"), nb::arg("M").noconvert(),
             nb::arg("f").noconvert(), nb::arg("H").noconvert(), nb::arg("w").noconvert(), nb::arg("laws"),
             nb::arg("options"), nb::arg("threads"), nb::arg("guess").none());
}

}  // namespace capstan::python

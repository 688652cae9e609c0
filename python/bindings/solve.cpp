#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/solving.hpp"
#include "capstan/errors.hpp"

namespace capstan::python {
namespace {

/// Contacts below which threads cost more than they bring.
constexpr int kWorthThreads = 200;

void set_solver(SolveOptions& options, const std::string& name) { options.solver = find_solver(name).name; }

void set_measure(SolveOptions& options, const std::string& name) {
  if (name != "error" && name != "natural_map")
    throw InputError("measure: is '" + name + "', expected 'error' or 'natural_map'");
  options.measure = name == "error" ? Measure::error : Measure::natural_map;
}

std::string measure_of(const SolveOptions& options) {
  return options.measure == Measure::error ? "error" : "natural_map";
}

Fields solve_problem(const ContactProblem& problem, SolveOptions options, int threads,
                     const std::optional<Vector>& guess, nb::object callback) {
  Watch watch(std::move(callback));
  Solution solution;
  {
    const nb::gil_scoped_release released;
    const Threads several(threads, problem.contacts() >= kWorthThreads);
    options.executor = &several.executor();
    options.on_judged = [&watch](const HistoryPoint& point) { return watch.go_on(point); };
    solution = guess ? solve(problem, view(*guess), options) : solve(problem, options);
  }
  watch.raise();
  return to_python(std::move(solution));
}

Fields certify_impulses(const ContactProblem& problem, const Vector& r) {
  Certificate certificate;
  {
    const nb::gil_scoped_release released;
    certificate = certify(problem, view(r));
  }
  return to_python(certificate);
}

using SolverLine = std::tuple<std::string, std::string, int>;

std::vector<SolverLine> solver_lines() {
  std::vector<SolverLine> lines;
  for (const SolverEntry& entry : solvers())
    lines.emplace_back(entry.name, entry.summary, entry.default_iterations);
  return lines;
}

}  // namespace

void bind_solve(nb::module_& module) {
  nb::class_<SolveOptions>(module, "Options")
      .def(nb::init<>())
      .def_prop_rw(
          "solver", [](const SolveOptions& o) { return o.solver; }, &set_solver)
      .def_prop_rw("measure", &measure_of, &set_measure)
      .def_rw("tolerance", &SolveOptions::tolerance)
      .def_rw("max_iterations", &SolveOptions::max_iterations)
      .def_rw("time_limit", &SolveOptions::time_limit)
      .def_rw("most_direct_rows", &SolveOptions::most_direct_rows);
  module.def("solve", &solve_problem, nb::arg("problem"), nb::arg("options"), nb::arg("threads"),
             nb::arg("guess").none(), nb::arg("on_judged").none());
  module.def("certify", &certify_impulses, nb::arg("problem"), nb::arg("r").noconvert());
  module.def("solvers", &solver_lines);
}

}  // namespace capstan::python

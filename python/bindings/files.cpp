#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/arrays.hpp"
#include "bindings/bind.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/sample/sample.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan::python {
namespace {

ContactProblem load(const std::string& path) {
  const nb::gil_scoped_release released;
  return read_problem(path);
}

std::tuple<std::string, std::string, std::string> info(const std::string& path) {
  const ProblemInfo found = read_info(path);
  return {found.title, found.description, found.math_info};
}

std::optional<std::tuple<Numpy<double, 1>, Numpy<double, 1>, Numpy<double, 1>>> stored_solution(
    const std::string& path) {
  auto found = read_solution(path);
  if (!found) return std::nullopt;
  return std::tuple{to_numpy(std::move(found->r)), to_numpy(std::move(found->u)),
                    to_numpy(std::move(found->v))};
}

void save_fclib(const std::string& path, const ContactProblem& problem, const std::optional<Vector>& r,
                const std::optional<Vector>& u, const std::optional<Vector>& v,
                const std::tuple<std::string, std::string, std::string>& about) {
  const nb::gil_scoped_release released;
  Solution solution;
  if (r) solution.r = view(*r);
  if (u) solution.u = view(*u);
  if (v) solution.v = view(*v);
  const auto& [title, description, math_info] = about;
  write_fclib(path, problem, r ? &solution : nullptr, {title, description, math_info});
}

void save_siconos(const std::string& path, const ContactProblem& problem) {
  const nb::gil_scoped_release released;
  write_siconos(path, problem);
}

ContactProblem sample(const std::string& name) {
  const nb::gil_scoped_release released;
  return make_sample(name);
}

std::vector<std::tuple<std::string, std::string, std::string>> sample_lines() {
  std::vector<std::tuple<std::string, std::string, std::string>> lines;
  for (const Sample& known : samples()) lines.emplace_back(known.name, known.pattern, known.summary);
  return lines;
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("load", &load, nb::arg("path"));
  module.def("info", &info, nb::arg("path"));
  module.def("stored_solution", &stored_solution, nb::arg("path"));
  module.def("save_fclib", &save_fclib, nb::arg("path"), nb::arg("problem"), nb::arg("r").none(),
             nb::arg("u").none(), nb::arg("v").none(), nb::arg("info"));
  module.def("save_siconos", &save_siconos, nb::arg("path"), nb::arg("problem"));
  module.def("sample", &sample, nb::arg("name"));
  module.def("samples", &sample_lines);
}

}  // namespace capstan::python

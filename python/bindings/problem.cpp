#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "bindings/build_problem.hpp"
#include "bindings/compressed_rows.hpp"
#include "bindings/laws.hpp"

namespace capstan::python {
namespace {

using Compressed = std::tuple<Numpy<int, 1>, Numpy<int, 1>, Numpy<double, 1>>;

template <class Sparse>
Compressed compressed(const Sparse& matrix) {
  const auto copy = [](const auto* first, Eigen::Index count) {
    return std::vector<std::remove_cvref_t<decltype(*first)>>(first, first + count);
  };
  return {to_numpy(copy(matrix.outerIndexPtr(), matrix.outerSize() + 1)),
          to_numpy(copy(matrix.innerIndexPtr(), matrix.nonZeros())),
          to_numpy(copy(matrix.valuePtr(), matrix.nonZeros()))};
}

/// indptr, indices and data of W as scipy's BSR has them: blocks row by row.
std::tuple<Numpy<int, 1>, Numpy<int, 1>, Numpy<double, 3>> delassus(const ContactProblem& problem) {
  std::vector<int> row_start{0}, column;
  std::vector<double> values;
  const int d = problem.dimension();
  {
    const nb::gil_scoped_release released;
    const bool given =
        !problem.has_mass() || !(problem.mass().is_block_diagonal() || problem.mass().has_sparse_bodies());
    const BlockMatrix W =
        given ? problem.W() : assemble_delassus(problem.mass(), problem.H(), serial_executor());
    for (int i = 0; i < W.rows(); ++i) row_start.push_back(W.row_end(i));
    for (int k = 0; k < W.blocks(); ++k) column.push_back(W.column(k));
    values.resize(std::size_t(W.blocks()) * d * d);
    using RowByRow = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    for (int k = 0; k < W.blocks(); ++k)
      Eigen::Map<RowByRow>(values.data() + std::size_t(k) * d * d, d, d) = W.at(k);
  }
  const std::array shape{column.size(), std::size_t(d), std::size_t(d)};
  return {to_numpy(std::move(row_start)), to_numpy(std::move(column)), to_numpy(std::move(values), shape)};
}

/// One row a contact and one column an axis, from `first` on.
template <class Member>
Numpy<double, 2> law_array(const ContactProblem& problem, Member member, int columns) {
  std::vector<double> values;
  for (const ContactLaw& law : problem.laws())
    for (int a = 0; a < columns; ++a) values.push_back((law.*member)[a]);
  return to_numpy(std::move(values), std::array{std::size_t(problem.contacts()), std::size_t(columns)});
}

void bind_inputs(nb::module_& module) {
  nb::class_<CompressedRows>(module, "CompressedRows")
      .def(nb::init<const std::string&, int, int, Indices, Indices, Vector>(), nb::arg("name"),
           nb::arg("rows"), nb::arg("columns"), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
           nb::arg("data").noconvert())
      .def_static(
          "from_dense", [](const Matrix& matrix) { return CompressedRows::from_dense(view(matrix)); },
          nb::arg("matrix").noconvert());
  nb::class_<Laws>(module, "Laws")
      .def(nb::init<const Matrix&, const std::optional<Matrix>&, const std::optional<Matrix>&,
                    const std::optional<Vector>&, const std::optional<Vector>&>(),
           nb::arg("friction").noconvert(), nb::arg("traction").none(), nb::arg("shift").none(),
           nb::arg("restitution").none(), nb::arg("velocity_before").none());
}

}  // namespace

void bind_problem(nb::module_& module) {
  bind_inputs(module);
  nb::class_<ContactProblem>(module, "Problem")
      .def_static("from_dense", &delassus_from_dense, nb::arg("dimension"), nb::arg("W").noconvert(),
                  nb::arg("b").noconvert(), nb::arg("laws"))
      .def_static("from_rows", &delassus_from_rows, nb::arg("dimension"), nb::arg("W"),
                  nb::arg("b").noconvert(), nb::arg("laws"))
      .def_static("from_blocks", &delassus_from_blocks, nb::arg("dimension"), nb::arg("indptr").noconvert(),
                  nb::arg("indices").noconvert(), nb::arg("data").noconvert(), nb::arg("b").noconvert(),
                  nb::arg("laws"))
      .def_static("from_mass", &mass_from_rows, nb::arg("dimension"), nb::arg("M"), nb::arg("f").noconvert(),
                  nb::arg("H"), nb::arg("w").noconvert(), nb::arg("laws"))
      .def_static("from_mass_blocks", &mass_from_blocks, nb::arg("dimension"), nb::arg("M"),
                  nb::arg("f").noconvert(), nb::arg("H"), nb::arg("w").noconvert(), nb::arg("laws"))
      .def_prop_ro("dimension", &ContactProblem::dimension)
      .def_prop_ro("contacts", &ContactProblem::contacts)
      .def_prop_ro("dofs", &ContactProblem::dofs)
      .def_prop_ro("has_mass", &ContactProblem::has_mass)
      .def("b", [](const ContactProblem& p) { return to_numpy(p.b()); })
      .def("f", [](const ContactProblem& p) { return to_numpy(p.f()); })
      .def("w", [](const ContactProblem& p) { return to_numpy(p.w()); })
      .def("M", [](const ContactProblem& p) { return compressed(p.mass().matrix()); })
      .def("H", [](const ContactProblem& p) { return compressed(p.H().sparse()); })
      .def("W", &delassus)
      .def("friction",
           [](const ContactProblem& p) { return law_array(p, &ContactLaw::friction, p.dimension() - 1); })
      .def("traction",
           [](const ContactProblem& p) { return law_array(p, &ContactLaw::traction, p.dimension()); })
      .def("shift", [](const ContactProblem& p) { return law_array(p, &ContactLaw::shift, p.dimension()); });
}

}  // namespace capstan::python

#include "bindings/build_problem.hpp"

namespace capstan::python {

ContactProblem delassus_from_dense(int dimension, const Matrix& W, const Vector& b, const Laws& laws) {
  const nb::gil_scoped_release released;
  return ContactProblem::from_delassus(BlockMatrix::from_dense(view(W), dimension), view(b), laws.all());
}

ContactProblem delassus_from_rows(int dimension, const CompressedRows& W, const Vector& b, const Laws& laws) {
  const nb::gil_scoped_release released;
  return ContactProblem::from_delassus(BlockMatrix::from_sparse(W.view(), dimension), view(b), laws.all());
}

ContactProblem delassus_from_blocks(int dimension, const Indices& row_start, const Indices& column,
                                    const Vector& data, const Vector& b, const Laws& laws) {
  const nb::gil_scoped_release released;
  const int contacts = static_cast<int>(laws.all().size());
  check_pattern("W", contacts, contacts, span_of(row_start), span_of(column));
  return ContactProblem::from_delassus(
      BlockMatrix::from_blocks(dimension, span_of(row_start), span_of(column), data.data()), view(b),
      laws.all());
}

ContactProblem mass_from_rows(int dimension, const CompressedRows& M, const Vector& f,
                              const CompressedRows& H, const Vector& w, const Laws& laws) {
  const nb::gil_scoped_release released;
  return ContactProblem::from_sparse(dimension, Eigen::SparseMatrix<double>(M.view()), view(f), H.view(),
                                     view(w), laws.all());
}

ContactProblem mass_from_blocks(int dimension, const std::vector<Matrix>& M, const Vector& f,
                                const CompressedRows& H, const Vector& w, const Laws& laws) {
  const nb::gil_scoped_release released;
  std::vector<Eigen::MatrixXd> blocks;
  for (const Matrix& block : M) blocks.emplace_back(view(block));
  MassMatrix mass = MassMatrix::block_diagonal(blocks);
  ContactJacobian jacobian = ContactJacobian::from_sparse(H.view(), dimension, mass.dof_starts());
  return ContactProblem::from_mass(std::move(mass), view(f), std::move(jacobian), view(w), laws.all());
}

}  // namespace capstan::python

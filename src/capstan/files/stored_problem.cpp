#include "capstan/files/stored_problem.hpp"

#include <charconv>

#include "capstan/errors.hpp"

namespace capstan::files {
namespace {

template <int Order>
Eigen::SparseMatrix<double, Order> sparse_matrix(const StoredMatrix& matrix) {
  Eigen::SparseMatrix<double, Order> result(matrix.rows, matrix.columns);
  result.setFromTriplets(matrix.entries.begin(), matrix.entries.end());
  return result;
}

ContactProblem build(StoredProblem& stored) {
  if (!stored.H)
    return ContactProblem::from_delassus(
        BlockMatrix::from_sparse(sparse_matrix<Eigen::RowMajor>(stored.M), stored.dimension),
        std::move(stored.f), std::move(stored.laws));
  // The file's H in columns is our H, its transpose, in rows: the same memory.
  const Eigen::SparseMatrix<double, Eigen::RowMajor> H =
      sparse_matrix<Eigen::ColMajor>(*stored.H).transpose();
  return ContactProblem::from_sparse(stored.dimension, sparse_matrix<Eigen::ColMajor>(stored.M),
                                     std::move(stored.f), H, std::move(stored.w), std::move(stored.laws));
}

std::optional<std::string> beyond_coulomb(const ContactLaw& law, int dimension) {
  if (!law.is_isotropic(dimension)) return "elliptic friction";
  if ((law.traction.head(dimension).array() != 0).any()) return "a traction";
  if ((law.shift.head(dimension).array() != 0).any()) return "a velocity shift";
  return std::nullopt;
}

}  // namespace

ContactProblem to_problem(StoredProblem stored, const std::string& file_name) {
  try {
    return build(stored);
  } catch (const InputError& error) {
    throw InputError(file_name + ": " + error.what());
  }
}

std::optional<std::string> beyond_coulomb(const ContactProblem& problem) {
  const int d = problem.dimension();
  if (d > 3) return "contacts have dimension " + std::to_string(d);
  for (int i = 0; i < problem.contacts(); ++i)
    if (const auto what = beyond_coulomb(problem.law(i), d))
      return "the law of contact " + std::to_string(i) + " has " + *what;
  return std::nullopt;
}

Eigen::SparseMatrix<double, Eigen::RowMajor> mass_to_store(const ContactProblem& problem,
                                                           const std::string& file_name) {
  const Eigen::SparseMatrix<double> M = problem.mass().matrix();
  if (M.rows() != problem.dofs())
    throw InputError(file_name +
                     ": cannot be written: the mass matrix is an operator, whose entries are not known");
  return M;
}

std::string to_text(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

}  // namespace capstan::files

#pragma once
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "capstan/problem/contact_problem.hpp"

namespace capstan::files {

/// Upper bound of counts to which a format sets none.
inline constexpr int kAny = std::numeric_limits<int>::max();

/// A matrix as it stands in a file: nothing of the size of rows or columns is allocated until vectors of that
/// length have been read, so that a wrong size cannot ask for more memory than the file itself.
struct StoredMatrix {
  int rows = 0, columns = 0;
  std::vector<Eigen::Triplet<double>> entries;

  void add(int row, int column, double value) {
    if (value != 0) entries.emplace_back(row, column, value);
  }
};

/// The parts common to all formats, in the convention of the files: M v = H r + f, u = H^T v + w, or
/// u = M r + f where there is no H (then M is W and f is its q).
struct StoredProblem {
  int dimension = 3;
  StoredMatrix M;
  std::optional<StoredMatrix> H;  ///< dofs x (dimension contacts)
  Eigen::VectorXd f, w;
  std::vector<ContactLaw> laws;
};

/// The problem, checked by ContactProblem itself; its complaints get the file's name in front.
ContactProblem to_problem(StoredProblem stored, const std::string& file_name);

/// Nothing if all laws are isotropic Coulomb friction in dimension 2 or 3, as the formats of others have it;
/// otherwise what the first other one is.
std::optional<std::string> beyond_coulomb(const ContactProblem& problem);

/// M of form (1) as a matrix. An operator has none: InputError.
Eigen::SparseMatrix<double, Eigen::RowMajor> mass_to_store(const ContactProblem& problem,
                                                           const std::string& file_name);

/// Shortest text that reads back as the same double.
std::string to_text(double value);

}  // namespace capstan::files

#include <algorithm>
#include <charconv>

#include "capstan/errors.hpp"
#include "capstan/files/siconos.hpp"
#include "capstan/files/stored_problem.hpp"

namespace capstan::files {
namespace {

using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// Text that grows. Doubles are written with the fewest digits that give the same double back.
class TextWriter {
 public:
  template <class Number>
  TextWriter& put(Number value, char after = '\n') {
    char buffer[32];
    text_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
    text_ += after;
    return *this;
  }
  template <class Numbers>
  void put_line(const Numbers& values) {
    for (const auto value : values) put(value, ' ');
    text_ += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Where each block ends: 3, 6, 9, ...
std::vector<int> equal_blocks(int count, int size) {
  std::vector<int> ends(count);
  for (int k = 0; k < count; ++k) ends[k] = (k + 1) * size;
  return ends;
}

/// Bodies, where M is made of them; otherwise single dofs, so that a large sparse M is not filled up.
std::vector<int> mass_blocks(const MassMatrix& M) {
  if (!M.is_block_diagonal()) return equal_blocks(M.dofs(), 1);
  std::vector<int> ends;
  for (int body = 0; body < M.bodies(); ++body)
    if (M.dof_starts()[body + 1] > M.dof_starts()[body]) ends.push_back(M.dof_starts()[body + 1]);
  return ends;
}

struct Blocks {
  std::vector<int> row_pointer{0}, column;
  std::vector<std::vector<double>> values;  ///< of each block, column-major
};

/// The blocks in which the matrix has an entry, zero or not.
Blocks cut_into_blocks(const RowMajor& matrix, const std::vector<int>& row_ends,
                       const std::vector<int>& column_ends) {
  std::vector<int> block_of;
  for (std::size_t k = 0; k < column_ends.size(); ++k) block_of.resize(column_ends[k], static_cast<int>(k));
  const auto start = [](const std::vector<int>& ends, int k) { return k == 0 ? 0 : ends[k - 1]; };
  Blocks result;
  std::vector<int> entry(column_ends.size(), -1);
  for (int i = 0; i < static_cast<int>(row_ends.size()); ++i) {
    const int first_row = start(row_ends, i), rows = row_ends[i] - first_row;
    std::vector<int> columns;
    for (int r = first_row; r < row_ends[i]; ++r)
      for (RowMajor::InnerIterator it(matrix, r); it; ++it) columns.push_back(block_of[it.col()]);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const int j : columns) {
      entry[j] = static_cast<int>(result.values.size());
      result.values.emplace_back(std::size_t(rows) * (column_ends[j] - start(column_ends, j)), 0.0);
    }
    for (int r = first_row; r < row_ends[i]; ++r)
      for (RowMajor::InnerIterator it(matrix, r); it; ++it) {
        const int j = block_of[it.col()];
        result.values[entry[j]][std::size_t(it.col() - start(column_ends, j)) * rows + (r - first_row)] =
            it.value();
      }
    result.column.insert(result.column.end(), columns.begin(), columns.end());
    result.row_pointer.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

/// Storage type 1; an empty matrix has no blocks and is written dense (type 0).
void put_matrix(TextWriter& out, const RowMajor& matrix, const std::vector<int>& row_ends,
                const std::vector<int>& column_ends) {
  out.put(matrix.size() == 0 ? 0 : 1).put(matrix.rows()).put(matrix.cols());
  if (matrix.size() == 0) {
    out.put(matrix.rows(), '\t').put(matrix.cols());
    return;
  }
  const Blocks blocks = cut_into_blocks(matrix, row_ends, column_ends);
  out.put(blocks.column.size()).put(row_ends.size()).put(column_ends.size());
  out.put_line(row_ends);
  out.put_line(column_ends);
  out.put(blocks.row_pointer.size()).put(blocks.column.size());
  out.put_line(blocks.row_pointer);
  out.put_line(blocks.column);
  for (std::size_t k = 0; k < blocks.values.size(); ++k) {
    out.put(k);
    for (const double value : blocks.values[k]) out.put(value);
  }
}

}  // namespace

std::string siconos_text(const ContactProblem& problem, const std::string& name) {
  if (const auto what = beyond_coulomb(problem))
    throw InputError(name + ": cannot be written: " + *what +
                     ", but Siconos text has isotropic Coulomb friction in "
                     "dimension 2 or 3 only; write_fclib keeps the rest");
  TextWriter out;
  out.put(problem.dimension()).put(problem.contacts());
  const std::vector<int> contact_ends = equal_blocks(problem.contacts(), problem.dimension());
  if (problem.has_mass()) {
    const std::vector<int> body_ends = mass_blocks(problem.mass());
    put_matrix(out, mass_to_store(problem, name), body_ends, body_ends);
    put_matrix(out, RowMajor(problem.H().sparse().transpose()), body_ends, contact_ends);
    out.put_line(problem.f());
    out.put_line(problem.w());
  } else {
    put_matrix(out, problem.W().sparse(), contact_ends, contact_ends);
    out.put_line(problem.b());
  }
  for (const ContactLaw& law : problem.laws()) out.put(law.friction[0]);
  return out.take();
}

}  // namespace capstan::files

#include <optional>
#include <vector>

#include "capstan/files/siconos.hpp"
#include "capstan/files/stored_problem.hpp"
#include "capstan/files/text_scanner.hpp"

namespace capstan::files {
namespace {

enum Storage { dense = 0, sparse_block = 1, sparse = 2 };
enum Origin { triplet = 1, compressed_columns = 2, compressed_rows = 3, half_triplet = 4 };

/// Column by column, whatever the line breaks suggest.
void read_dense(TextScanner& in, StoredMatrix& matrix) {
  in.integer("the number of rows once more", matrix.rows, matrix.rows);
  in.integer("the number of columns once more", matrix.columns, matrix.columns);
  in.require_room(static_cast<long long>(matrix.rows) * matrix.columns, "a dense matrix");
  for (int j = 0; j < matrix.columns; ++j)
    for (int i = 0; i < matrix.rows; ++i) matrix.add(i, j, in.number("an entry of a dense matrix"));
}

/// First row (or column) of each block, then their total; the file gives where each block ends.
std::vector<int> read_block_starts(TextScanner& in, int blocks, int total) {
  in.require_room(blocks, "the list of block sizes");
  std::vector<int> start{0};
  start.reserve(std::size_t(blocks) + 1);
  for (int k = 0; k < blocks; ++k) start.push_back(in.integer("the end of a block", start.back() + 1, total));
  if (start.back() != total) in.refuse("blocks that end at " + std::to_string(total));
  return start;
}

/// Row pointers of `blocks` blocks. Empty rows at the end may be left out.
std::vector<int> read_row_pointers(TextScanner& in, int given, int rows, int blocks) {
  in.require_room(given, "the list of row pointers");
  std::vector<int> pointer;
  for (int k = 0; k < given; ++k)
    pointer.push_back(
        in.integer("a pointer to the blocks of a row", k == 0 ? 0 : pointer.back(), k == 0 ? 0 : blocks));
  if (pointer.back() != blocks) in.refuse("row pointers that end at " + std::to_string(blocks));
  pointer.resize(std::size_t(rows) + 1, blocks);
  return pointer;
}

void read_sparse_block(TextScanner& in, StoredMatrix& matrix) {
  const int blocks = in.integer("the number of blocks", 0, kAny);
  const int rows = in.integer("the number of block rows", 0, matrix.rows);
  const int columns = in.integer("the number of block columns", 0, matrix.columns);
  const std::vector<int> row_start = read_block_starts(in, rows, matrix.rows);
  const std::vector<int> column_start = read_block_starts(in, columns, matrix.columns);
  const int pointers = in.integer("the number of row pointers", 1, rows + 1);
  in.integer("the number of blocks once more", blocks, blocks);
  const std::vector<int> pointer = read_row_pointers(in, pointers, rows, blocks);
  in.require_room(2LL * blocks, "the list of blocks");
  std::vector<int> column(blocks);
  for (int& j : column) j = in.integer("the column of a block", 0, columns - 1);
  for (int i = 0; i < rows; ++i)
    for (int k = pointer[i]; k < pointer[i + 1]; ++k) {
      in.integer("the number of this block", k, k);
      for (int c = column_start[column[k]]; c < column_start[column[k] + 1]; ++c)
        for (int r = row_start[i]; r < row_start[i + 1]; ++r)
          matrix.add(r, c, in.number("an entry of a block"));
    }
}

/// `M-by-N, nzmax: A nnz: B`; returns B.
int read_sparse_sizes(TextScanner& in, const StoredMatrix& matrix) {
  in.integer("the number of rows once more", matrix.rows, matrix.rows, "-");
  in.literal("-by-");
  in.integer("the number of columns once more", matrix.columns, matrix.columns, ",");
  in.literal(",");
  in.literal("nzmax:");
  in.integer("the room for entries", 0, kAny);
  in.literal("nnz:");
  const int entries = in.integer("the number of entries", 0, kAny, ",");
  in.require_room(entries, "the list of entries");
  return entries;
}

void read_triplets(TextScanner& in, StoredMatrix& matrix, bool half) {
  if (half && matrix.rows != matrix.columns)
    in.refuse_with("half of a symmetric matrix (origin 4) is given for a matrix that is not square");
  in.literal("triplet:");
  const int entries = read_sparse_sizes(in, matrix);
  for (int k = 0; k < entries; ++k) {
    const int i = in.integer("the row of an entry", 0, matrix.rows - 1);
    const int j = in.integer("the column of an entry", 0, matrix.columns - 1);
    in.literal(":");
    const double value = in.number("an entry of a sparse matrix");
    matrix.add(i, j, value);
    if (half && i != j) matrix.add(j, i, value);
  }
}

/// Columns one after the other. Rows are printed in the same words ("col" for a row), and only a square
/// matrix is printed whole then.
void read_compressed(TextScanner& in, StoredMatrix& matrix, bool by_rows) {
  if (by_rows && matrix.rows != matrix.columns)
    in.refuse_with(
        "a matrix stored by rows (origin 3) that is not square is printed incompletely by Siconos and "
        "cannot be read");
  const int entries = read_sparse_sizes(in, matrix);
  in.literal(",");
  in.literal("1-norm:");
  in.skip_line();  // of no use, and "-1" or "nan" where it was not computed
  int begin = 0;
  for (int j = 0; j < matrix.columns; ++j) {
    in.literal("col");
    in.integer("the number of this column", j, j);
    in.literal(":");
    in.literal("locations");
    in.integer("the first location of this column", begin, begin);
    in.literal("to");
    const int end = in.integer("the last location of this column", begin - 1, entries - 1) + 1;
    for (; begin < end; ++begin) {
      const int i = in.integer("the row of an entry", 0, matrix.rows - 1);
      in.literal(":");
      const double value = in.number("an entry of a sparse matrix");
      by_rows ? matrix.add(j, i, value) : matrix.add(i, j, value);
    }
  }
  if (begin != entries)
    in.refuse_with("columns hold " + std::to_string(begin) + " entries, expected " + std::to_string(entries));
}

void read_sparse(TextScanner& in, StoredMatrix& matrix) {
  const int origin = in.integer("the kind of sparse matrix", triplet, half_triplet);
  if (in.ahead("CSparse") || in.ahead("CXSparse")) in.skip_line();
  if (origin == triplet || origin == half_triplet)
    read_triplets(in, matrix, origin == half_triplet);
  else
    read_compressed(in, matrix, origin == compressed_rows);
}

StoredMatrix read_matrix(TextScanner& in) {
  StoredMatrix matrix;
  const int storage = in.integer("the storage type of a matrix", dense, sparse);
  matrix.rows = in.integer("the number of rows of a matrix", 0, kAny);
  matrix.columns = in.integer("the number of columns of a matrix", 0, kAny);
  if (storage == dense) read_dense(in, matrix);
  if (storage == sparse_block) read_sparse_block(in, matrix);
  if (storage == sparse) read_sparse(in, matrix);
  return matrix;
}

Eigen::VectorXd read_vector(TextScanner& in, int size, const std::string& what) {
  in.require_room(size, what);
  Eigen::VectorXd result(size);
  const std::string entry = "an entry of " + what;
  for (double& value : result) value = in.number(entry);
  return result;
}

std::vector<ContactLaw> read_friction(TextScanner& in, int contacts) {
  in.require_room(contacts, "mu");
  std::vector<ContactLaw> laws;
  for (int i = 0; i < contacts; ++i) {
    const double mu = in.number("a coefficient of friction");
    if (mu < 0) in.refuse("mu of contact " + std::to_string(i) + ", a number >= 0");
    laws.push_back(ContactLaw::coulomb(mu));
  }
  return laws;
}

bool begins_like_matrix(TextScanner look, int with_rows) {
  const auto storage = look.try_integer(), rows = look.try_integer(), columns = look.try_integer();
  return storage && *storage >= dense && *storage <= sparse && rows == with_rows && columns && *columns >= 0;
}

/// Nothing in the file says whether it is local (M q mu) or global (M H q b mu). It is global if a matrix
/// with as many rows as M seems to follow, and M does not have one row a contact component or more numbers
/// are left than a local problem can use: its q and mu, and a flag.
bool is_global(const TextScanner& in, const StoredMatrix& M, int contacts, int contact_rows) {
  const bool second_matrix = begins_like_matrix(in, M.rows);
  if (M.rows != contact_rows && !second_matrix)
    in.refuse_with("the matrix above is " + std::to_string(M.rows) + " x " + std::to_string(M.columns) +
                   ", but " + std::to_string(contacts) + " contacts need " + std::to_string(contact_rows) +
                   " rows (local problem) or a second matrix with as many rows (global problem)");
  const long long local_tokens = static_cast<long long>(M.rows) + contacts + 1;
  return second_matrix && (M.rows != contact_rows || in.count_tokens(local_tokens + 1) > local_tokens);
}

int read_dimension(TextScanner& in) {
  const std::optional<int> dimension = in.try_integer();
  if (dimension == 5)
    in.refuse_with(
        "contacts have dimension 5 (rolling friction), which is not supported yet; expected 2 or 3");
  if (dimension != 2 && dimension != 3) in.refuse("the dimension of a contact, 2 or 3");
  return *dimension;
}

/// Some writers add a flag 0 or 1 after the last number.
void read_end(TextScanner& in) {
  if (in.at_end()) return;
  const std::optional<int> flag = in.try_integer();
  if (flag != 0 && flag != 1) in.refuse("the end of the file");
  if (!in.at_end()) in.refuse("the end of the file");
}

}  // namespace

ContactProblem parse_siconos(std::string_view text, const std::string& name) {
  TextScanner in(text, name);
  StoredProblem stored;
  stored.dimension = read_dimension(in);
  const int contacts = in.integer("the number of contacts", 0, kAny / stored.dimension);
  const int contact_rows = contacts * stored.dimension;
  stored.M = read_matrix(in);
  if (stored.M.rows != stored.M.columns)
    in.refuse_with("the first matrix is " + std::to_string(stored.M.rows) + " x " +
                   std::to_string(stored.M.columns) + ", expected a square");
  if (is_global(in, stored.M, contacts, contact_rows)) {
    stored.H = read_matrix(in);
    if (stored.H->rows != stored.M.rows || stored.H->columns != contact_rows)
      in.refuse_with("H is " + std::to_string(stored.H->rows) + " x " + std::to_string(stored.H->columns) +
                     ", expected " + std::to_string(stored.M.rows) + " x " + std::to_string(contact_rows) +
                     " for " + std::to_string(contacts) + " contacts of dimension " +
                     std::to_string(stored.dimension));
  }
  stored.f = read_vector(in, stored.M.rows, "q");
  if (stored.H) stored.w = read_vector(in, contact_rows, "b");
  stored.laws = read_friction(in, contacts);
  read_end(in);
  return to_problem(std::move(stored), name);
}

}  // namespace capstan::files

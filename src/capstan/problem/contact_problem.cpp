#include "capstan/problem/contact_problem.hpp"

#include <algorithm>
#include <string>

#include "capstan/errors.hpp"
#include "capstan/executor.hpp"
#include "capstan/problem/dense_algebra.hpp"

namespace capstan {
namespace {

void check_size(const char* name, Eigen::Index found, Eigen::Index expected) {
  if (found != expected)
    throw InputError(std::string(name) + ": has " + std::to_string(found) + " entries, expected " +
                     std::to_string(expected));
}

void check_finite(const char* name, const double* values, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    if (!std::isfinite(values[k]))
      throw InputError(std::string(name) + ": entry " + std::to_string(k) + " is " +
                       std::to_string(values[k]) + ", expected a finite number");
}

void check_finite(const ContactJacobian& H, const Executor& executor) {
  if (H.all_finite(executor)) return;
  for (int i = 0; i < H.contacts(); ++i)
    for (int k = H.begin(i); k < H.end(i); ++k)
      if (!H.block(k).allFinite())
        throw InputError("H: block of contact " + std::to_string(i) + " on body " +
                         std::to_string(H.body(k)) + " has an entry that is not finite");
}

std::vector<int> columns_in_use(const Eigen::Map<const Eigen::MatrixXd>& block) {
  std::vector<int> used;
  for (int column = 0; column < block.cols(); ++column)
    if ((block.col(column).array() != 0).any()) used.push_back(column);
  return used;
}

/// A sparse body is a body of H a node.
void check_nodes(const MassMatrix& M, const ContactJacobian& H) {
  std::vector<int> expected;
  for (int body = 0; body < M.bodies(); ++body)
    for (int dof = M.dof_starts()[body]; dof < M.dof_starts()[body + 1];
         dof += M.factor(body).reached() ? 3 : M.dof_starts()[body + 1] - M.dof_starts()[body])
      expected.push_back(dof);
  expected.push_back(M.dofs());
  std::vector<int> found = H.dof_starts();
  found.erase(std::unique(found.begin(), found.end()), found.end());  // bodies without dofs
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  if (found != expected)
    throw InputError("H: its bodies are not those of M, with one for each node of a sparse body");
}

void check_dimension(int dimension) {
  if (dimension < 2 || dimension > 4)
    throw InputError("dimension: is " + std::to_string(dimension) + ", expected 2, 3 or 4");
}

/// The nodes of one sparse body in one contact, and their parts of H one below the other, transposed.
struct NodesOfContact {
  std::vector<int> nodes;
  std::vector<Eigen::Matrix<double, 3, Eigen::Dynamic>> parts;
};

/// H_i A^-1 H_i^T of one sparse body. Nodes that the matrix does not couple have no block in the part of the
/// inverse that is there: they cost a solve.
Eigen::MatrixXd compliance_of(const SparseBody& body, const NodesOfContact& contact) {
  const Eigen::Index d = contact.parts.front().cols();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(d, d);
  for (std::size_t a = 0; a < contact.nodes.size(); ++a)
    for (std::size_t b = 0; b < contact.nodes.size(); ++b) {
      const auto G = body.inverse_block(contact.nodes[a], contact.nodes[b]);
      if (!G) {
        std::vector<int> rows;
        Eigen::MatrixXd B(3 * contact.nodes.size(), d);
        for (std::size_t k = 0; k < contact.nodes.size(); ++k) {
          for (int c = 0; c < 3; ++c) rows.push_back(3 * contact.nodes[k] + c);
          B.middleRows<3>(3 * Eigen::Index(k)) = contact.parts[k];
        }
        return body.factor.inverse_form(rows, B);
      }
      sum.noalias() += contact.parts[a].transpose() * *G * contact.parts[b];
    }
  return sum;
}

/// d x d diagonal blocks of W where there are sparse bodies.
Eigen::MatrixXd diagonal_of_sparse(const MassMatrix& M, const ContactJacobian& H, const Executor& executor) {
  const int d = H.dimension();
  const std::vector<int> block_of = blocks_of_bodies(M, H);
  Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(d, Eigen::Index(H.contacts()) * d);
  for_each_chunk(executor, H.contacts(), [&](int first, int last) {
    Eigen::MatrixXd half;
    for (int i = first; i < last; ++i)
      for (int k = H.begin(i); k < H.end(i); ++k) {
        const int block = block_of[H.body(k)];
        auto sum = diagonal.middleCols(Eigen::Index(i) * d, d);
        const ReachedNodes* const reached = M.factor(block).reached();
        if (!reached) {
          half = H.block(k).transpose();
          M.factor(block).solve_in_place(half);
          sum += H.block(k) * half;
          continue;
        }
        const auto same = [&](int other) { return block_of[H.body(other)] == block; };
        bool counted = false;
        for (int other = H.begin(i); other < k; ++other) counted |= same(other);
        if (counted) continue;
        NodesOfContact contact;
        for (int other = k; other < H.end(i); ++other)
          if (same(other)) {
            contact.nodes.push_back(reached->nodes[(H.dof_start(H.body(other)) - M.dof_starts()[block]) / 3]);
            contact.parts.push_back(H.block(other).transpose());
          }
        sum += compliance_of(*reached->body, contact);
      }
  });
  return diagonal;
}

}  // namespace

std::vector<int> blocks_of_bodies(const MassMatrix& M, const ContactJacobian& H) {
  std::vector<int> block_of(H.bodies());
  for (int body = 0, block = 0; body < H.bodies(); ++body) {
    while (H.dof_start(body) >= M.dof_starts()[block + 1] && block + 1 < M.bodies()) ++block;
    block_of[body] = block;
  }
  return block_of;
}

ContactProblem ContactProblem::from_mass(MassMatrix M, Eigen::VectorXd f, ContactJacobian H,
                                         Eigen::VectorXd w, std::vector<ContactLaw> laws,
                                         const Executor& executor) {
  ContactProblem p;
  p.dimension_ = H.dimension();
  p.laws_ = std::move(laws);
  check_dimension(p.dimension_);
  check_size("f", f.size(), M.dofs());
  check_size("columns of H", H.dofs(), M.dofs());
  check_size("laws", p.contacts(), H.contacts());
  check_size("w", w.size(), Eigen::Index(H.contacts()) * p.dimension_);
  check_finite("f", f.data(), f.size());
  check_finite("w", w.data(), w.size());
  check_finite(H, executor);
  if (M.is_block_diagonal() && H.dof_starts() != M.dof_starts())
    throw InputError("H: its bodies do not start at the same dofs as the blocks of M");
  if (M.has_sparse_bodies()) check_nodes(M, H);
  p.check_laws();
  p.form_1_ =
      std::make_shared<const MassForm>(MassForm{std::move(M), std::move(f), std::move(H), std::move(w)});
  p.b_ = p.relative_velocity_of(p.mass().solve(p.f(), executor), executor);
  p.compute_diagonal(executor);
  return p;
}

ContactProblem ContactProblem::from_sparse(int dimension, const Eigen::SparseMatrix<double>& M,
                                           Eigen::VectorXd f, const RowsView& H, Eigen::VectorXd w,
                                           std::vector<ContactLaw> laws) {
  check_dimension(dimension);
  check_size("columns of H", H.cols(), M.rows());
  check_size("rows of H", H.rows(), Eigen::Index(laws.size()) * dimension);
  MassMatrix mass = MassMatrix::sparse(M, dimension == 2 ? 3 : 6);
  ContactJacobian jacobian = ContactJacobian::from_sparse(H, dimension, mass.dof_starts());
  return from_mass(std::move(mass), std::move(f), std::move(jacobian), std::move(w), std::move(laws));
}

ContactProblem ContactProblem::from_delassus(BlockMatrix W, Eigen::VectorXd b, std::vector<ContactLaw> laws) {
  ContactProblem p;
  p.dimension_ = W.block();
  p.laws_ = std::move(laws);
  check_dimension(p.dimension_);
  check_size("laws", p.contacts(), W.rows());
  check_size("b", b.size(), Eigen::Index(W.rows()) * p.dimension_);
  check_finite("b", b.data(), b.size());
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.row_begin(i); k < W.row_end(i); ++k)
      if (!W.at(k).allFinite())
        throw InputError("W: block (" + std::to_string(i) + ", " + std::to_string(W.column(k)) +
                         ") has an entry that is not finite");
  p.check_laws();
  p.W_ = std::make_shared<const BlockMatrix>(std::move(W));
  p.b_ = std::move(b);
  p.compute_diagonal(serial_executor());
  return p;
}

ContactProblem ContactProblem::with_laws(std::vector<ContactLaw> laws) const {
  check_size("laws", static_cast<Eigen::Index>(laws.size()), contacts());
  ContactProblem p = *this;
  p.laws_ = std::move(laws);
  p.check_laws();
  return p;
}

void ContactProblem::check_laws() const {
  for (int i = 0; i < contacts(); ++i) {
    const ContactLaw& law = laws_[i];
    const std::string where = " of contact " + std::to_string(i);
    for (int a = 0; a < dimension_ - 1; ++a)
      if (!(law.friction[a] >= 0) || !std::isfinite(law.friction[a]))
        throw InputError("mu" + where + ": is " + std::to_string(law.friction[a]) +
                         ", expected a finite number >= 0");
    for (int a = 0; a < dimension_; ++a) {
      if (!(law.traction[a] >= 0) || !std::isfinite(law.traction[a]))
        throw InputError("traction" + where + ": is " + std::to_string(law.traction[a]) +
                         ", expected a finite number >= 0");
      if (!std::isfinite(law.shift[a]))
        throw InputError("shift" + where + ": is " + std::to_string(law.shift[a]) +
                         ", expected a finite number");
    }
  }
}

void ContactProblem::compute_diagonal(const Executor& executor) {
  const int d = dimension_;
  diagonal_.setZero(d, Eigen::Index(contacts()) * d);
  if (has_mass() && mass().is_block_diagonal()) {
    for_each_chunk(executor, contacts(), [&](int first, int last) {
      Eigen::MatrixXd half;
      for (int i = first; i < last; ++i)
        for (int k = H().begin(i); k < H().end(i); ++k) {
          const BodyFactor& factor = mass().factor(H().body(k));
          if (factor.is_compliance()) {
            diagonal_.middleCols(i * d, d).noalias() +=
                H().block(k) * factor.apply_inverse(H().block(k), columns_in_use(H().block(k)));
            continue;
          }
          half = H().block(k).transpose();
          factor.solve_lower(half);
          diagonal_.middleCols(i * d, d) += half.transpose().lazyProduct(half);
        }
    });
    return;
  }
  if (has_mass() && mass().has_sparse_bodies()) {
    diagonal_ = diagonal_of_sparse(mass(), H(), executor);
    return;
  }
  // Without small blocks the whole of W is the way to its diagonal, and every solver will need it.
  if (has_mass()) W_ = std::make_shared<const BlockMatrix>(assemble_delassus(mass(), H(), executor));
  for (int i = 0; i < contacts(); ++i) diagonal_.middleCols(i * d, d) = W_->at(W_->diagonal(i));
}

Eigen::VectorXd ContactProblem::velocity(const Eigen::VectorXd& r, const Executor& executor) const {
  Eigen::VectorXd force;
  if (executor.helped())
    H().multiply_transposed(r, force, H().by_body(), executor);
  else
    H().multiply_transposed(r, force);
  return mass().solve(f() + force, executor);
}

Eigen::VectorXd ContactProblem::relative_velocity_of(const Eigen::VectorXd& v,
                                                     const Executor& executor) const {
  Eigen::VectorXd u;
  H().multiply(v, u, executor);
  return u + w();
}

Eigen::VectorXd ContactProblem::relative_velocity(const Eigen::VectorXd& r) const {
  if (has_mass()) return relative_velocity_of(velocity(r));
  Eigen::VectorXd u;
  W_->multiply(r, u);
  return u + b_;
}

namespace {

/// One entry a row of the problem, from one entry an axis of each law.
Eigen::VectorXd gather(const ContactProblem& problem, Eigen::Vector4d ContactLaw::*member) {
  const int d = problem.dimension();
  Eigen::VectorXd result(Eigen::Index(problem.contacts()) * d);
  for (int i = 0; i < problem.contacts(); ++i) result.segment(i * d, d) = (problem.law(i).*member).head(d);
  return result;
}

}  // namespace

ContactProblem without_shift(const ContactProblem& problem) {
  std::vector<ContactLaw> laws = problem.laws();
  for (ContactLaw& law : laws) law.shift.setZero();
  const Eigen::VectorXd s = gather(problem, &ContactLaw::shift);
  if (s.isZero(0)) return problem;
  if (problem.has_mass())
    return ContactProblem::from_mass(problem.mass(), problem.f(), problem.H(), problem.w() + s,
                                     std::move(laws));
  return ContactProblem::from_delassus(problem.W(), problem.b() + s, std::move(laws));
}

namespace {

/// Rows up to which W is made and softened where M has blocks. With more, M is stiffened: that is sparse, but
/// the diagonal of its W takes a solve for each row.
constexpr Eigen::Index kMaxRowsOfSoftened = 2100;

/// (I + W E)^-1 W = W - W B (I + B W B)^-1 B W and the same of b, with B = sqrt(E): a system of the rows that
/// have a traction, however many there are in all.
ContactProblem softened(const BlockMatrix& given, Eigen::VectorXd b, const Eigen::VectorXd& E,
                        std::vector<ContactLaw> laws) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index k = 0; k < E.size(); ++k)
    if (E[k] != 0) rows.push_back(k);
  const Eigen::VectorXd root = E(rows).cwiseSqrt();
  Eigen::MatrixXd W = given.dense();
  const Eigen::MatrixXd right = root.asDiagonal() * W(rows, Eigen::all),
                        left = W(Eigen::all, rows) * root.asDiagonal();
  const Eigen::Index n = root.size();
  const DenseLu middle(Eigen::MatrixXd::Identity(n, n) + right(Eigen::all, rows) * root.asDiagonal());
  b -= left * middle.solve(Eigen::VectorXd(root.cwiseProduct(b(rows))));
  W.noalias() -= left * middle.solve(right);
  return ContactProblem::from_delassus(BlockMatrix::from_dense(W, given.block()), std::move(b),
                                       std::move(laws));
}

}  // namespace

ContactProblem without_traction(const ContactProblem& problem, const Executor& executor) {
  const bool plain = std::none_of(problem.laws().begin(), problem.laws().end(), [](const ContactLaw& law) {
    return law.has_traction() || (law.shift.array() != 0).any();
  });
  if (plain) return problem;
  std::vector<ContactLaw> laws(problem.contacts());
  for (int i = 0; i < problem.contacts(); ++i) laws[i].friction = problem.law(i).friction;
  const Eigen::VectorXd s = gather(problem, &ContactLaw::shift), E = gather(problem, &ContactLaw::traction);
  const bool traction = (E.array() != 0).any();
  if (problem.has_mass()) {
    const Eigen::VectorXd w = problem.w() + s;
    if (!traction)
      return ContactProblem::from_mass(problem.mass(), problem.f(), problem.H(), w, std::move(laws));
    const bool is_small = problem.mass().is_block_diagonal() && E.size() <= kMaxRowsOfSoftened;
    if (problem.mass().has_compliance() || problem.mass().has_sparse_bodies() || is_small)
      return softened(assemble_delassus(problem.mass(), problem.H(), executor), problem.b() + s, E,
                      std::move(laws));
    const Eigen::SparseMatrix<double> M = problem.mass().matrix();
    if (M.rows() == 0)
      throw InputError(
          "M: a law with traction needs the mass matrix itself, not only an operator for its inverse");
    const Eigen::SparseMatrix<double, Eigen::RowMajor> H = problem.H().sparse();
    const Eigen::SparseMatrix<double> stiffened =
        M + Eigen::SparseMatrix<double>(H.transpose() * (E.asDiagonal() * H));
    return ContactProblem::from_sparse(problem.dimension(), stiffened,
                                       problem.f() - H.transpose() * (E.asDiagonal() * w), H, w,
                                       std::move(laws));
  }
  const Eigen::VectorXd b = problem.b() + s;
  if (!traction) return ContactProblem::from_delassus(problem.W(), b, std::move(laws));
  return softened(problem.W(), b, E, std::move(laws));
}

namespace {

constexpr double kHeaviest = 1e15;  // times the lightest contact: moves by rounding only

}  // namespace

namespace {

/// d / tr(S W'_ii S), or 0 where that is infinite.
double contact_mass(const ContactProblem& problem, int i) {
  using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 4, 4>;  // not on the heap
  const int d = problem.dimension();
  const ContactLaw& law = problem.law(i);
  SmallMatrix W = problem.diagonal(i);
  if (law.has_traction()) {
    const Eigen::MatrixXd stiffness = law.traction.head(d).asDiagonal();
    W = DenseLu(Eigen::MatrixXd::Identity(d, d) + W * stiffness).solve(Eigen::MatrixXd(W));
  }
  double trace = W(0, 0);
  int axes = 1;
  for (int a = 1; a < d; ++a) {
    const double mu = law.friction[a - 1];
    trace += mu * mu * W(a, a);
    axes += mu > 0;
  }
  return trace > 0 ? axes / trace : 0.0;
}

}  // namespace

Eigen::VectorXd contact_masses(const ContactProblem& problem, const Executor& executor) {
  Eigen::VectorXd rho(problem.contacts());
  for_each_chunk(executor, problem.contacts(), [&](int first, int last) {
    for (int i = first; i < last; ++i) rho[i] = contact_mass(problem, i);
  });
  // What is left of a W_ii by rounding alone would otherwise set the scale of everything.
  double smallest = std::numeric_limits<double>::infinity();
  for (const double mass : rho)
    if (mass > 0) smallest = std::min(smallest, mass);
  for (double& mass : rho)
    if (mass > kHeaviest * smallest) mass = 0;
  const double largest = rho.size() ? rho.maxCoeff() : 0.0;
  for (int i = 0; i < rho.size(); ++i)
    if (rho[i] == 0) rho[i] = largest > 0 ? largest : 1.0;
  return rho;
}

namespace {

/// Contacts that touch each body, in order.
std::vector<std::vector<std::pair<int, int>>> contacts_of_bodies(const ContactJacobian& H) {
  std::vector<std::vector<std::pair<int, int>>> result(H.bodies());  // (contact, entry)
  for (int i = 0; i < H.contacts(); ++i)
    for (int k = H.begin(i); k < H.end(i); ++k) result[H.body(k)].emplace_back(i, k);
  return result;
}

/// Contacts that share a body: the pattern of W.
BlockMatrix coupling_pattern(const ContactJacobian& H,
                             const std::vector<std::vector<std::pair<int, int>>>& contacts_of) {
  std::vector<int> row_start{0}, column, seen(H.contacts(), -1);
  for (int i = 0; i < H.contacts(); ++i) {
    const std::size_t begin = column.size();
    seen[i] = i;
    column.push_back(i);
    for (int k = H.begin(i); k < H.end(i); ++k)
      for (const auto& [j, entry] : contacts_of[H.body(k)])
        if (seen[j] != i) {
          seen[j] = i;
          column.push_back(j);
        }
    std::sort(column.begin() + begin, column.end());
    row_start.push_back(static_cast<int>(column.size()));
  }
  return BlockMatrix::from_pattern(H.dimension(), std::move(row_start), std::move(column));
}

int find_entry(const BlockMatrix& W, int row, int column) {
  int low = W.row_begin(row), high = W.row_end(row) - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (W.column(middle) < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void copy_upper_to_lower(BlockMatrix& W) {
  for (int i = 0; i < W.rows(); ++i)
    for (int k = W.row_begin(i); k < W.row_end(i); ++k)
      if (W.column(k) < i) W.at(k) = W.at(find_entry(W, W.column(k), i)).transpose();
}

/// Contacts whose columns are solved for together.
constexpr int kPanel = 32;

/// Contacts that share a block of M: the pattern of W where blocks are not bodies of H.
BlockMatrix coupling_pattern(const MassMatrix& M, const ContactJacobian& H) {
  const std::vector<int> block_of = blocks_of_bodies(M, H);
  std::vector<int> start{0}, blocks;
  for (int i = 0; i < H.contacts(); ++i) {
    for (int k = H.begin(i); k < H.end(i); ++k)
      if (std::find(blocks.begin() + start.back(), blocks.end(), block_of[H.body(k)]) == blocks.end())
        blocks.push_back(block_of[H.body(k)]);
    start.push_back(static_cast<int>(blocks.size()));
  }
  std::vector<std::vector<std::pair<int, int>>> contacts_of(M.bodies());
  for (int i = 0; i < H.contacts(); ++i)
    for (int k = start[i]; k < start[i + 1]; ++k) contacts_of[blocks[k]].emplace_back(i, k);
  std::vector<int> row_start{0}, column, seen(H.contacts(), -1);
  for (int i = 0; i < H.contacts(); ++i) {
    const std::size_t begin = column.size();
    seen[i] = i;
    column.push_back(i);
    for (int k = start[i]; k < start[i + 1]; ++k)
      for (const auto& other : contacts_of[blocks[k]])
        if (seen[other.first] != i) {
          seen[other.first] = i;
          column.push_back(other.first);
        }
    std::sort(column.begin() + begin, column.end());
    row_start.push_back(static_cast<int>(column.size()));
  }
  return BlockMatrix::from_pattern(H.dimension(), std::move(row_start), std::move(column));
}

/// Some column blocks of M^-1 H^T at a time, for a mass matrix without small blocks.
BlockMatrix assemble_by_columns(const MassMatrix& M, const ContactJacobian& H) {
  const int d = H.dimension();
  BlockMatrix W = M.has_sparse_bodies() ? coupling_pattern(M, H) : coupling_pattern(H, contacts_of_bodies(H));
  for (int first = 0; first < H.contacts(); first += kPanel) {
    const int last = std::min(first + kPanel, H.contacts());
    Eigen::MatrixXd X = Eigen::MatrixXd::Zero(M.dofs(), Eigen::Index(last - first) * d);
    for (int j = first; j < last; ++j)
      for (int k = H.begin(j); k < H.end(j); ++k)
        X.block(H.dof_start(H.body(k)), Eigen::Index(j - first) * d, H.body_dofs(H.body(k)), d) =
            H.block(k).transpose();
    M.solve_in_place(X);
    for (int j = first; j < last; ++j)
      for (int entry = W.row_begin(j); entry < W.row_end(j); ++entry) {  // the pattern is symmetric
        const int i = W.column(entry);
        auto block = W.at(find_entry(W, i, j));
        for (int k = H.begin(i); k < H.end(i); ++k)
          block += H.block(k) *
                   X.block(H.dof_start(H.body(k)), Eigen::Index(j - first) * d, H.body_dofs(H.body(k)), d);
      }
  }
  return W;
}

}  // namespace

BlockMatrix assemble_delassus(const MassMatrix& M, const ContactJacobian& H, const Executor& executor) {
  if (!M.is_block_diagonal()) return assemble_by_columns(M, H);
  // With M = L L^T the blocks H L^-T are formed once, and W_ij is a sum of their products. A contact moves
  // few nodes of a large body: there X = M^-1 H^T is formed instead, and H_i X_j needs but the columns in
  // use.
  const auto contacts_of = contacts_of_bodies(H);
  BlockMatrix W = coupling_pattern(H, contacts_of);
  ContactJacobian normalised = H;
  constexpr int kChunk = 64;
  const auto chunks = [](int count) { return (count + kChunk - 1) / kChunk; };
  executor.for_each(chunks(H.bodies()), [&](int chunk) {
    for (int body = chunk * kChunk; body < std::min((chunk + 1) * kChunk, H.bodies()); ++body)
      for (const auto& [i, k] : contacts_of[body]) {
        auto block = normalised.block(k);
        if (M.factor(body).is_large()) {
          block = M.factor(body).apply_inverse(H.block(k), columns_in_use(H.block(k))).transpose();
          continue;
        }
        Eigen::MatrixXd transposed = block.transpose();
        M.factor(body).solve_lower(transposed);
        block = transposed.transpose();
      }
  });
  executor.for_each(chunks(H.contacts()), [&](int chunk) {
    for (int i = chunk * kChunk; i < std::min((chunk + 1) * kChunk, H.contacts()); ++i)
      for (int k = H.begin(i); k < H.end(i); ++k) {
        const bool large = M.factor(H.body(k)).is_large();
        const std::vector<int> used = large ? columns_in_use(H.block(k)) : std::vector<int>();
        for (const auto& [j, other] : contacts_of[H.body(k)]) {
          if (j < i) continue;
          auto block = W.at(find_entry(W, i, j));
          if (!large) block.noalias() += normalised.block(k).lazyProduct(normalised.block(other).transpose());
          for (const int column : used)
            block.noalias() +=
                H.block(k).col(column).lazyProduct(normalised.block(other).col(column).transpose());
        }
      }
  });
  copy_upper_to_lower(W);
  return W;
}

}  // namespace capstan

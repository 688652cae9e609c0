#include "capstan/problem/body_matrix.hpp"

#include <algorithm>
#include <cassert>

namespace capstan {
namespace {

/// Rows above the first one that is not zero stay zero under L^-1.
int first_row_of(const Eigen::Ref<const Eigen::MatrixXd>& X) {
  for (int row = 0; row < X.rows(); ++row)
    if ((X.row(row).array() != 0).any()) return row;
  return static_cast<int>(X.rows());
}

/// A^-1 X over the reached nodes alone.
Eigen::MatrixXd solve_reached(const ReachedNodes& reached, const Eigen::Ref<const Eigen::MatrixXd>& X) {
  const int count = static_cast<int>(reached.nodes.size());
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * reached.body->nodes(), X.cols());
  for (int k = 0; k < count; ++k) all.middleRows<3>(3 * reached.nodes[k]) = X.middleRows<3>(3 * k);
  if (all.cols() == 1)
    all = reached.body->factor.solve(all);
  else
    reached.body->factor.solve_in_place(all);
  Eigen::MatrixXd result(X.rows(), X.cols());
  for (int k = 0; k < count; ++k) result.middleRows<3>(3 * k) = all.middleRows<3>(3 * reached.nodes[k]);
  return result;
}

bool looks_positive(const Eigen::MatrixXd& G) {
  return G.allFinite() && (G.diagonal().array() > 0).all() && G.isApprox(G.transpose(), 1e-9);
}

}  // namespace

std::optional<Eigen::Matrix3d> SparseBody::inverse_block(int row, int column) const {
  if (row < column) {
    const auto mirrored = inverse_block(column, row);
    return mirrored ? std::optional<Eigen::Matrix3d>(mirrored->transpose()) : std::nullopt;
  }
  Eigen::Matrix3d result;
  for (int c = 0; c < 3; ++c) {
    const int* const begin = lower.innerIndexPtr() + lower.outerIndexPtr()[3 * column + c];
    const int* const end = lower.innerIndexPtr() + lower.outerIndexPtr()[3 * column + c + 1];
    const int first = row == column ? c : 0;
    const int* const found = std::lower_bound(begin, end, 3 * row + first);
    if (found == end || *found != 3 * row + first) return std::nullopt;
    const double* const value = inverse.data() + (found - lower.innerIndexPtr());
    for (int r = first; r < 3; ++r) result(r, c) = value[r - first];
    if (row == column) result.row(c).tail(3 - c) = result.col(c).tail(3 - c).transpose();
  }
  return result;
}

int size_of(const BodyMatrix& A) {
  if (const auto* dense = std::get_if<Eigen::MatrixXd>(&A)) return static_cast<int>(dense->rows());
  if (const auto* compliance = std::get_if<Compliance>(&A)) return static_cast<int>(compliance->G.rows());
  if (const auto* reached = std::get_if<ReachedNodes>(&A)) return 3 * static_cast<int>(reached->nodes.size());
  return std::get<BandedMatrix>(A).size();
}

Eigen::MatrixXd dense(const BodyMatrix& A) {
  if (const auto* compliance = std::get_if<Compliance>(&A)) {
    const Eigen::Index n = compliance->G.rows();
    return compliance->G.llt().solve(Eigen::MatrixXd::Identity(n, n));
  }
  if (const auto* reached = std::get_if<ReachedNodes>(&A)) {
    const Eigen::Index n = size_of(A);
    const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(n, n);
    return solve_reached(*reached, one).llt().solve(one);
  }
  if (const auto* banded = std::get_if<BandedMatrix>(&A)) return banded->dense();
  return std::get<Eigen::MatrixXd>(A);
}

const Eigen::MatrixXd& BodyFactor::ComplianceFactor::C() const {
  std::call_once(lazy->once, [this] { lazy->C = G().llt().matrixL(); });
  return lazy->C;
}

BodyFactor::BodyFactor(const BodyMatrix& A) {
  if (const auto* full = std::get_if<Eigen::MatrixXd>(&A)) {
    positive_ = factor_.emplace<DenseFactor>(*full).info() == Eigen::Success;
  } else if (const auto* banded = std::get_if<BandedMatrix>(&A)) {
    positive_ = factor_.emplace<BandedCholesky>(*banded).is_positive();
  } else if (const auto* reached = std::get_if<ReachedNodes>(&A)) {
    factor_ = *reached;  // factorised already, or it would not be there
  } else {
    auto& factor = factor_.emplace<ComplianceFactor>();
    factor.lazy = std::make_shared<ComplianceFactor::Lazy>();
    factor.lazy->G = std::get<Compliance>(A).G;
    positive_ = looks_positive(factor.G());
  }
}

namespace {

constexpr int kFewDofs = 16;  // of which Eigen's blocked solve takes longer to start than to run

/// X <- L^-1 X with L in the lower triangle.
void substitute_forward(const Eigen::MatrixXd& L, Eigen::Ref<Eigen::MatrixXd> X) {
  const int n = static_cast<int>(L.rows());
  for (int c = 0; c < X.cols(); ++c)
    for (int j = 0; j < n; ++j) {
      const double x = X(j, c) /= L(j, j);
      for (int i = j + 1; i < n; ++i) X(i, c) -= x * L(i, j);
    }
}

/// The same for a rigid body in a contact, all columns at once: sizes that the compiler knows halve the work.
void substitute_rigid(const Eigen::MatrixXd& L, Eigen::Ref<Eigen::MatrixXd> X) {
  Eigen::Matrix<double, 6, 3> x = X;
  for (int j = 0; j < 6; ++j) {
    x.row(j) /= L(j, j);
    for (int i = j + 1; i < 6; ++i) x.row(i) -= L(i, j) * x.row(j);
  }
  X = x;
}

void substitute_few(const Eigen::MatrixXd& L, Eigen::Ref<Eigen::MatrixXd> X) {
  L.rows() == 6 && X.cols() == 3 ? substitute_rigid(L, X) : substitute_forward(L, X);
}

}  // namespace

Eigen::VectorXd BodyFactor::solve(const Eigen::VectorXd& f) const {
  if (const auto* dense = std::get_if<DenseFactor>(&factor_)) return dense->solve(f);
  if (const auto* compliance = std::get_if<ComplianceFactor>(&factor_)) return compliance->G() * f;
  if (const auto* nodes = reached()) return solve_reached(*nodes, f);
  return std::get<BandedCholesky>(factor_).solve(f);
}

void BodyFactor::solve_lower(Eigen::Ref<Eigen::MatrixXd> X) const {
  assert(!reached());
  if (const auto* dense = std::get_if<DenseFactor>(&factor_))
    X.rows() <= kFewDofs ? substitute_few(dense->matrixLLT(), X) : dense->matrixL().solveInPlace(X);
  else if (const auto* compliance = std::get_if<ComplianceFactor>(&factor_))
    X = (compliance->C().transpose() * X).eval();
  else
    std::get<BandedCholesky>(factor_).solve_lower(X, first_row_of(X));
}

void BodyFactor::solve_in_place(Eigen::Ref<Eigen::MatrixXd> X) const {
  if (const auto* compliance = std::get_if<ComplianceFactor>(&factor_)) {
    X = (compliance->G() * X).eval();
    return;
  }
  if (const auto* nodes = reached()) {
    X = solve_reached(*nodes, X);
    return;
  }
  solve_lower(X);
  if (const auto* dense = std::get_if<DenseFactor>(&factor_))
    dense->matrixU().solveInPlace(X);
  else
    std::get<BandedCholesky>(factor_).solve_upper(X);
}

Eigen::MatrixXd BodyFactor::apply_inverse(const Eigen::Ref<const Eigen::MatrixXd>& H,
                                          const std::vector<int>& columns) const {
  const auto* const compliance = std::get_if<ComplianceFactor>(&factor_);
  Eigen::MatrixXd X = H.transpose();
  if (!compliance) {
    solve_in_place(X);
    return X;
  }
  X.setZero();
  for (const int c : columns) X.noalias() += compliance->G().col(c) * H.col(c).transpose();
  return X;
}

}  // namespace capstan

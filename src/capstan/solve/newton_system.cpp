#include "capstan/solve/newton_system.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/problem/dense_algebra.hpp"
#include "capstan/solve/work.hpp"

namespace capstan {

void Linearisation::resize(int contacts, int unknowns, int dimension) {
  f.resize(Eigen::Index(contacts) * unknowns);
  df_dz.resize(unknowns, f.size());
  df_dy.resize(unknowns, Eigen::Index(contacts) * dimension);
}

Eigen::VectorXd impulse_of(const Eigen::VectorXd& z, int unknowns, int dimension) {
  if (unknowns == dimension) return z;
  const Eigen::Index contacts = z.size() / unknowns;
  Eigen::VectorXd x(contacts * dimension);
  for (Eigen::Index i = 0; i < contacts; ++i)
    x.segment(i * dimension, dimension) = z.segment(i * unknowns, dimension);
  return x;
}

namespace {

template <int D>
cone::FischerBurmeister<D> fischer_burmeister_law(const cone::Vector<D>& x, const cone::Vector<D>& y) {
  cone::FischerBurmeister<D> r = cone::fischer_burmeister_jacobian<D>(x, cone::de_saxce<D>(y));
  // At x = y~ = 0 any element of the generalised Jacobian will do [Daviet11, app. A.1]; the paper takes 0,
  // which makes J singular. The limit from x = y~ = t e, t -> 0, does not.
  if (r.df_dx.isZero(0) && r.df_dy.isZero(0)) {
    r.df_dx = (1 - std::sqrt(0.5)) * cone::Matrix<D>::Identity();
    r.df_dy = r.df_dx;
  }
  r.df_dy = (r.df_dy * cone::de_saxce_jacobian<D>(y)).eval();
  return r;
}

/// A system in x alone, from law.template operator()<D>(x_i, y_i) with members f, df_dx, df_dy.
template <class Law>
NonsmoothSystem impulse_system(const CanonicalProblem& problem, Law law) {
  NonsmoothSystem system;
  system.unknowns = problem.dimension();
  system.start = [](const Eigen::VectorXd& x, const Eigen::VectorXd&) { return x; };
  const int contacts = problem.contacts();
  system.linearise = [=](const Eigen::VectorXd& z, const Eigen::VectorXd& y, Linearisation& out) {
    cone::with_dimension(system.unknowns, [&]<int D>() {
      out.resize(contacts, D, D);
      for (int i = 0; i < contacts; ++i) {
        const auto r = law.template operator()<D>(cone::Vector<D>(z.segment<D>(i * D)),
                                                  cone::Vector<D>(y.segment<D>(i * D)));
        out.f.segment<D>(i * D) = r.f;
        out.df_dz.middleCols<D>(i * D) = r.df_dx;
        out.df_dy.middleCols<D>(i * D) = r.df_dy;
      }
    });
  };
  return system;
}

}  // namespace

NonsmoothSystem alart_curnier_system(const CanonicalProblem& problem) {
  return impulse_system(problem, []<int D>(const cone::Vector<D>& x, const cone::Vector<D>& y) {
    return cone::alart_curnier<D>(x, y);
  });
}

NonsmoothSystem fischer_burmeister_system(const CanonicalProblem& problem) {
  return impulse_system(problem, []<int D>(const cone::Vector<D>& x, const cone::Vector<D>& y) {
    return fischer_burmeister_law<D>(x, y);
  });
}

NewtonMatrix::NewtonMatrix(const BlockMatrix& W, int unknowns) : W_(W), unknowns_(unknowns) {
  const Eigen::Index size = Eigen::Index(W.rows()) * unknowns;
  J_.resize(size, size);
  J_.resizeNonZeros(Eigen::Index(W.blocks()) * unknowns * unknowns);
  Eigen::Index entry = 0;
  for (int i = 0; i < W.rows(); ++i)
    for (int a = 0; a < unknowns; ++a) {
      J_.outerIndexPtr()[i * unknowns + a] = static_cast<int>(entry);
      for (int k = W.row_begin(i); k < W.row_end(i); ++k)
        for (int c = 0; c < unknowns; ++c) J_.innerIndexPtr()[entry++] = W.column(k) * unknowns + c;
    }
  J_.outerIndexPtr()[size] = static_cast<int>(entry);
}

void NewtonMatrix::assemble(const Eigen::MatrixXd& df_dz, const Eigen::MatrixXd& df_dy) {
  const int d = W_.block(), m = unknowns_;
  for (int i = 0; i < W_.rows(); ++i) {
    const Eigen::Index stride = Eigen::Index(W_.row_end(i) - W_.row_begin(i)) * m;
    double* row = J_.valuePtr() + Eigen::Index(W_.row_begin(i)) * m * m;
    for (int k = W_.row_begin(i); k < W_.row_end(i); ++k, row += m) {
      const auto W = W_.at(k);
      const bool diagonal = k == W_.diagonal(i);
      for (int a = 0; a < m; ++a)
        for (int c = 0; c < m; ++c) {
          double entry = 0;
          for (int e = 0; c < d && e < d; ++e) entry += df_dy(a, Eigen::Index(i) * d + e) * W(e, c);
          if (diagonal) entry += df_dz(a, Eigen::Index(i) * m + c);
          row[a * stride + c] = entry;
        }
    }
  }
}

double NewtonMatrix::work_of_solve() const { return is_dense() ? work_of_dense_factorisation(J_.rows()) : 0; }

double NewtonMatrix::work_of_damped_solve() const { return 4 * work_of_solve(); }  // J^T J takes most of it

std::optional<Eigen::VectorXd> NewtonMatrix::solve(const Eigen::VectorXd& rhs) {
  Eigen::VectorXd d;
  if (is_dense()) {
    d = DenseLu(Eigen::MatrixXd(J_)).solve(rhs);
  } else {
    const Eigen::SparseMatrix<double> columns = J_;
    if (!analysed_) sparse_lu_.analyzePattern(columns);
    analysed_ = true;
    sparse_lu_.factorize(columns);
    if (sparse_lu_.info() != Eigen::Success) return std::nullopt;
    d = sparse_lu_.solve(rhs);
  }
  // Neither factorisation tells a singular matrix reliably; the residual does.
  if (!d.allFinite() || !((J_ * d - rhs).norm() <= 1e-6 * rhs.norm())) return std::nullopt;
  return d;
}

std::optional<Eigen::VectorXd> NewtonMatrix::solve_damped(const Eigen::VectorXd& rhs, double lambda) const {
  const Eigen::VectorXd gradient = J_.transpose() * rhs;
  Eigen::VectorXd d;
  if (is_dense()) {
    Eigen::MatrixXd normal = gram_matrix(Eigen::MatrixXd(J_));
    normal.diagonal().array() += lambda;
    const std::optional<Eigen::VectorXd> found =
        solve_positive(normal, gradient);  // much faster than with pivots
    d = found ? *found : solve_semidefinite(normal, gradient);
  } else {
    const Eigen::SparseMatrix<double> J = J_;
    Eigen::SparseMatrix<double> identity(J.rows(), J.cols());
    identity.setIdentity();
    const Eigen::SparseMatrix<double> normal =
        Eigen::SparseMatrix<double>(J.transpose()) * J + lambda * identity;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(normal);
    if (factor.info() != Eigen::Success) return std::nullopt;
    d = factor.solve(gradient);
  }
  if (!d.allFinite()) return std::nullopt;
  return d;
}

}  // namespace capstan

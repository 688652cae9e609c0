#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <functional>
#include <optional>

#include "capstan/problem/canonical_problem.hpp"

/// Equations whose zero is the canonical law of every contact, and their generalised Jacobian.
namespace capstan {

/// f(z, y) of all contacts and its derivatives, m rows a contact: the blocks of the contacts lie side by
/// side.
struct Linearisation {
  Eigen::VectorXd f;      ///< m n
  Eigen::MatrixXd df_dz;  ///< m x (m n)
  Eigen::MatrixXd df_dy;  ///< m x (d n)

  void resize(int contacts, int unknowns, int dimension);
};

/// m equations a contact in the m unknowns z_i = (x_i, multipliers) and the velocity y = W x + b.
struct NonsmoothSystem {
  int unknowns = 3;  ///< m >= d; the first d of them are the impulse x_i
  /// z from an impulse and its velocity.
  std::function<Eigen::VectorXd(const Eigen::VectorXd& x, const Eigen::VectorXd& y)> start;
  /// Value and one element of the generalised Jacobian.
  std::function<void(const Eigen::VectorXd& z, const Eigen::VectorXd& y, Linearisation& out)> linearise;
  /// For a system that is smoothed at first: told the largest entry of f after each step, and whether no step
  /// could be found; makes f sharper when it is time. False: f is as sharp as it gets. Empty where f is never
  /// smoothed.
  std::function<bool(double residual, bool stuck)> sharpen;
};

/// f_AC with rho = 1, which is natural here as W has diagonal blocks of trace d. [Bertails11, eq. 4]
NonsmoothSystem alart_curnier_system(const CanonicalProblem& problem);
/// f_FB(x, y + |y_T| e). [Daviet11, eq. 12, app. A.1]
NonsmoothSystem fischer_burmeister_system(const CanonicalProblem& problem);

/// The impulses of z.
Eigen::VectorXd impulse_of(const Eigen::VectorXd& z, int unknowns, int dimension);

/// J = df/dz + df/dy W (W acts on the impulses among the unknowns), on the fixed pattern of W's blocks.
class NewtonMatrix {
 public:
  NewtonMatrix(const BlockMatrix& W, int unknowns);

  void assemble(const Eigen::MatrixXd& df_dz, const Eigen::MatrixXd& df_dy);
  const Eigen::SparseMatrix<double, Eigen::RowMajor>& matrix() const { return J_; }

  /// J d = rhs; nothing where J is singular to working precision.
  std::optional<Eigen::VectorXd> solve(const Eigen::VectorXd& rhs);
  /// (J^T J + lambda I) d = J^T rhs, the Levenberg-Marquardt step.
  std::optional<Eigen::VectorXd> solve_damped(const Eigen::VectorXd& rhs, double lambda) const;
  /// About what one of either takes, nominal seconds (see work.hpp); 0 where J is sparse, and nothing is
  /// known.
  double work_of_solve() const;
  double work_of_damped_solve() const;

 private:
  /// A dense factorisation is faster for a few unknowns, and where there is little to leave out.
  bool is_dense() const {
    const Eigen::Index n = J_.rows();
    return n < kDense || (n < kMaxDense && J_.nonZeros() > kFilled * double(n) * double(n));
  }
  static constexpr Eigen::Index kDense = 300, kMaxDense = 5000;
  static constexpr double kFilled = 0.05;
  const BlockMatrix& W_;
  int unknowns_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> J_;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> sparse_lu_;
  bool analysed_ = false;
};

}  // namespace capstan

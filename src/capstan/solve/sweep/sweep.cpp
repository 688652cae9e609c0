#include "capstan/solve/sweep/sweep.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "capstan/cone/second_order_cone.hpp"

#include "capstan/solve/sweep/body_sweep.hpp"
#include "capstan/solve/sweep/delassus_sweep.hpp"

namespace capstan {
namespace {

/// Schur complement below this part of the trace counts as singular.
constexpr double kSingular = 1e-13;

/// Eigenvalues and eigenvectors of a symmetric 1 x 1, 2 x 2 or 3 x 3 matrix.
template <int T>
void diagonalise(const Eigen::Matrix<double, T, T>& S, double* values, Eigen::Matrix3d& vectors) {
  if constexpr (T == 1) {
    values[0] = S(0, 0);
  } else if constexpr (T == 2) {  // one Jacobi rotation
    const double angle = 0.5 * std::atan2(2 * S(0, 1), S(0, 0) - S(1, 1)), c = std::cos(angle),
                 s = std::sin(angle);
    vectors.topLeftCorner<2, 2>() << c, -s, s, c;
    values[0] = c * c * S(0, 0) + 2 * c * s * S(0, 1) + s * s * S(1, 1);
    values[1] = s * s * S(0, 0) - 2 * c * s * S(0, 1) + c * c * S(1, 1);
  } else {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, T, T>> eigen(S);
    vectors.topLeftCorner<T, T>() = eigen.eigenvectors();
    for (int a = 0; a < T; ++a) values[a] = eigen.eigenvalues()[a];
  }
}

/// Largest eigenvalue of a symmetric matrix, from above and within a few per cent: the p-th root of the trace
/// of the p-th power, p = 16. Much cheaper than an eigensolver, and a step a little too short does no harm.
template <int D>
double largest_eigenvalue_bound(const Eigen::Matrix<double, D, D>& W) {
  const double scale = W.trace();
  if (!(scale > 0)) return 0;
  Eigen::Matrix<double, D, D> power = W / scale;
  for (int k = 0; k < 4; ++k) power = (power * power).eval();
  return scale * std::pow(std::max(power.trace(), 1e-300), 1.0 / 16);
}

}  // namespace

template <int D>
RotatedContact rotate_contact(const Eigen::Matrix<double, D, D>& W_ii) {
  constexpr int T = D - 1;
  const Eigen::Matrix<double, D, D> W = 0.5 * (W_ii + W_ii.transpose());
  RotatedContact contact{};
  contact.rotation.setIdentity();
  const double trace = W.trace();
  contact.normal = W(0, 0);
  const bool movable = contact.normal > kSingular * trace && trace > 0;
  contact.inverse_normal = movable ? 1 / contact.normal : 0.0;
  const Eigen::Matrix<double, T, 1> w = W.template block<T, 1>(1, 0);
  diagonalise<T>(W.template bottomRightCorner<T, T>() - contact.inverse_normal * w * w.transpose(),
                 contact.lambda, contact.rotation);
  const Eigen::Matrix<double, T, 1> g =
      contact.inverse_normal * (contact.rotation.template topLeftCorner<T, T>().transpose() * w);
  for (int a = 0; a < T; ++a) {
    contact.g[a] = g[a];
    contact.lambda[a] = std::max(contact.lambda[a], kSingular * std::max(trace, 1e-300));
    contact.inverse_lambda[a] = 1 / contact.lambda[a];
  }
  const double largest = largest_eigenvalue_bound<D>(W);
  contact.step = largest > 0 ? 1 / largest : 0.0;
  return contact;
}

template RotatedContact rotate_contact<2>(const Eigen::Matrix2d&);
template RotatedContact rotate_contact<3>(const Eigen::Matrix3d&);
template RotatedContact rotate_contact<4>(const Eigen::Matrix4d&);

template <int D>
Eigen::Matrix<double, D, D> stiffened(const Eigen::Matrix<double, D, D>& W_ii, const ContactSpring& spring) {
  // (I + W E)^-1 W, made symmetric by scaling with the square root of E.
  const Eigen::Matrix<double, D, 1> root = spring.E.head<D>().cwiseSqrt();
  const Eigen::Matrix<double, D, D> middle =
      Eigen::Matrix<double, D, D>::Identity() + root.asDiagonal() * W_ii * root.asDiagonal();
  return W_ii - W_ii * root.asDiagonal() * middle.llt().solve(root.asDiagonal() * W_ii);
}

template Eigen::Matrix2d stiffened<2>(const Eigen::Matrix2d&, const ContactSpring&);
template Eigen::Matrix3d stiffened<3>(const Eigen::Matrix3d&, const ContactSpring&);
template Eigen::Matrix4d stiffened<4>(const Eigen::Matrix4d&, const ContactSpring&);

bool is_round(const ContactSpring& spring, int dimension) {
  for (int a = 1; a < dimension - 1; ++a)
    if (spring.mu[a] != spring.mu[0] || spring.E[1 + a] != spring.E[1]) return false;
  return true;
}

template <int D>
SpringContact<D> spring_contact(const Eigen::Matrix<double, D, D>& W_ii, const ContactSpring& spring) {
  constexpr int T = D - 1;
  SpringContact<D> contact;
  contact.E = spring.E.head<D>();
  contact.W = stiffened<D>(W_ii, spring);
  Eigen::Matrix<double, D, 1> S = Eigen::Matrix<double, D, 1>::Ones();
  for (int a = 0; a < T; ++a) S[a + 1] = spring.mu[a];
  contact.rotated = rotate_contact<D>(S.asDiagonal() * contact.W * S.asDiagonal());
  contact.P = S.template tail<T>().asDiagonal() * contact.rotated.rotation.template topLeftCorner<T, T>();
  return contact;
}

template SpringContact<2> spring_contact<2>(const Eigen::Matrix2d&, const ContactSpring&);
template SpringContact<3> spring_contact<3>(const Eigen::Matrix3d&, const ContactSpring&);
template SpringContact<4> spring_contact<4>(const Eigen::Matrix4d&, const ContactSpring&);

bool sweeps_in_body_space(const CanonicalProblem& problem) {
  return BodySweep::can_handle(problem) &&
         problem.cost_in_body_space() < kFourWideGain * problem.cost_in_delassus_space();
}

std::unique_ptr<Sweep> make_sweep(const CanonicalProblem& problem, const Executor& threads) {
  if (sweeps_in_body_space(problem)) return std::make_unique<BodySweep>(problem, threads);
  return std::make_unique<DelassusSweep>(problem);
}

}  // namespace capstan

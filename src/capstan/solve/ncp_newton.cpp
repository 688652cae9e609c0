#include "capstan/solve/ncp_newton.hpp"

#include <cmath>

#include "capstan/cone/second_order_cone.hpp"

namespace capstan {
namespace {

/// psi(a, b) = a + b - sqrt(a^2 + b^2): zero iff 0 <= a, b >= 0 and a b = 0. [Erleben20, eq. 15]
struct Complementarity {
  double value, da, db;
};

Complementarity complementarity(double a, double b) {
  const double norm = std::hypot(a, b);
  if (norm == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
  // a + b - norm cancels where one argument is small: (a + b - norm)(a + b + norm) = 2 a b.
  const double value = a + b > 0 ? 2 * a * b / (a + b + norm) : a + b - norm;
  return {value, 1 - a / norm, 1 - b / norm};
}

template <int D>
struct ContactEquations {
  Eigen::Matrix<double, D + 1, 1> f = Eigen::Matrix<double, D + 1, 1>::Zero();
  Eigen::Matrix<double, D + 1, D + 1> df_dz = Eigen::Matrix<double, D + 1, D + 1>::Zero();
  Eigen::Matrix<double, D + 1, D> df_dy = Eigen::Matrix<double, D + 1, D>::Zero();
};

/// Where the contact is open nothing determines s: then keep it, else J would be singular.
template <int D>
void keep_undetermined_speed(ContactEquations<D>& c) {
  if (c.df_dz.col(D).norm() < 1e-6) c.df_dz(D, D) = 1;
}

template <int D>
ContactEquations<D> contact_equations(const cone::Vector<D>& x, double s, const cone::Vector<D>& y, double eps) {
  constexpr int T = D - 1;
  ContactEquations<D> c;
  const cone::Vector<T> xT = cone::tangent<D>(x), yT = cone::tangent<D>(y);

  const Complementarity normal = complementarity(x[0], y[0]);
  c.f[0] = normal.value;
  c.df_dz(0, 0) = normal.da;
  c.df_dy(0, 0) = normal.db;

  const double root = std::sqrt(x[0] * x[0] + s * s + eps * eps);
  const cone::Vector<T> w = (x[0] * yT + s * xT) / root;
  c.f.template segment<T>(1) = w;
  c.df_dz.template block<T, 1>(1, 0) = yT / root - w * (x[0] / (root * root));
  c.df_dz.template block<T, T>(1, 1).diagonal().setConstant(s / root);
  c.df_dz.template block<T, 1>(1, D) = xT / root - w * (s / (root * root));
  c.df_dy.template block<T, T>(1, 1).diagonal().setConstant(x[0] / root);

  const double norm = xT.norm();
  const Complementarity slip = complementarity(s, x[0] - norm);
  c.f[D] = slip.value;
  c.df_dz(D, D) = slip.da;
  c.df_dz(D, 0) = slip.db;
  if (norm > 0) c.df_dz.template block<1, T>(D, 1) = -slip.db / norm * xT.transpose();
  keep_undetermined_speed<D>(c);
  return c;
}

template <int D>
Eigen::VectorXd with_speeds(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  const Eigen::Index contacts = x.size() / D;
  Eigen::VectorXd z(contacts * (D + 1));
  for (Eigen::Index i = 0; i < contacts; ++i) {
    z.segment<D>(i * (D + 1)) = x.segment<D>(i * D);
    z[i * (D + 1) + D] = y.segment<D - 1>(i * D + 1).norm();
  }
  return z;
}

}  // namespace

NonsmoothSystem ncp_system(const CanonicalProblem& problem) {
  const int d = problem.dimension(), contacts = problem.contacts();
  // Only keeps the root from zero: far below any velocity that matters.
  const double eps = 1e-10 * (problem.b().size() ? problem.b().cwiseAbs().maxCoeff() : 0.0) + 1e-300;
  NonsmoothSystem system;
  system.unknowns = d + 1;
  system.start = [d](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    return cone::with_dimension(d, [&]<int D>() { return with_speeds<D>(x, y); });
  };
  system.linearise = [=](const Eigen::VectorXd& z, const Eigen::VectorXd& y, Linearisation& out) {
    cone::with_dimension(d, [&]<int D>() {
      out.resize(contacts, D + 1, D);
      for (int i = 0; i < contacts; ++i) {
        const int first = i * (D + 1);
        const auto c = contact_equations<D>(z.segment<D>(first), z[first + D], y.segment<D>(i * D), eps);
        out.f.segment<D + 1>(first) = c.f;
        out.df_dz.middleCols<D + 1>(first) = c.df_dz;
        out.df_dy.middleCols<D>(i * D) = c.df_dy;
      }
    });
  };
  return system;
}

}  // namespace capstan

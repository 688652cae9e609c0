#include "capstan/solve/ncp_newton.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "capstan/cone/second_order_cone.hpp"

namespace capstan {
namespace {

/// psi(a, b) = a + b - sqrt(a^2 + b^2 + 2 mu^2): zero iff a, b > 0 and a b = mu^2, which for mu -> 0 becomes
/// 0 <= a, b >= 0 and a b = 0. [Erleben20, eq. 15]
struct Complementarity {
  double value, da, db;
};

Complementarity complementarity(double a, double b, double mu) {
  const double norm = std::hypot(a, b, std::sqrt(2.0) * mu);
  if (norm == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
  // a + b - norm cancels where one argument is small: (a + b - norm)(a + b + norm) = 2 (a b - mu^2).
  const double value = a + b > 0 ? 2 * (a * b - mu * mu) / (a + b + norm) : a + b - norm;
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
ContactEquations<D> contact_equations(const cone::Vector<D>& x, double s, const cone::Vector<D>& y, double mu,
                                      double unit) {
  constexpr int T = D - 1;
  ContactEquations<D> c;
  const cone::Vector<T> xT = cone::tangent<D>(x), yT = cone::tangent<D>(y);

  const Complementarity normal = complementarity(x[0], y[0], mu);
  c.f[0] = normal.value;
  c.df_dz(0, 0) = normal.da;
  c.df_dy(0, 0) = normal.db;

  const cone::Vector<T> w = (x[0] * yT + s * xT) / unit;
  c.f.template segment<T>(1) = w;
  c.df_dz.template block<T, 1>(1, 0) = yT / unit;
  c.df_dz.template block<T, T>(1, 1).diagonal().setConstant(s / unit);
  c.df_dz.template block<T, 1>(1, D) = xT / unit;
  c.df_dy.template block<T, T>(1, 1).diagonal().setConstant(x[0] / unit);

  const double floor = 1e-12 * unit;  // keeps the division at x = 0 harmless
  const double size = std::sqrt(x.squaredNorm() + mu * mu + floor * floor),
               gap = (x[0] * std::abs(x[0]) - xT.squaredNorm()) / size;
  cone::Vector<D> dgap = -gap / (size * size) * x;
  dgap[0] += 2 * std::abs(x[0]) / size;
  dgap.template tail<T>() -= 2 / size * xT;
  const Complementarity slip = complementarity(s, gap, mu);
  c.f[D] = slip.value;
  c.df_dz(D, D) = slip.da;
  c.df_dz.template block<1, D>(D, 0) = slip.db * dgap.transpose();
  keep_undetermined_speed<D>(c);
  return c;
}

constexpr int kPatience = 8;  // steps with one mu; a singular W may never let the residual fall as asked

double largest_entry(const Eigen::VectorXd& v) { return v.size() ? v.cwiseAbs().maxCoeff() : 0.0; }

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

NonsmoothSystem ncp_system(const CanonicalProblem& problem, const NcpOptions& options) {
  const int d = problem.dimension(), contacts = problem.contacts();
  const double velocity = largest_entry(problem.b()), unit = velocity > 0 ? options.unit * velocity : 1.0;
  const double first = options.smoothing * velocity, least = 1e-14 * velocity;
  const auto mu = std::make_shared<double>(first);  // these two are all that changes between the calls
  const auto steps = std::make_shared<int>(0);      // since mu last fell
  NonsmoothSystem system;
  system.unknowns = d + 1;
  system.start = [d](const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    return cone::with_dimension(d, [&]<int D>() { return with_speeds<D>(x, y); });
  };
  system.linearise = [=](const Eigen::VectorXd& z, const Eigen::VectorXd& y, Linearisation& out) {
    cone::with_dimension(d, [&]<int D>() {
      out.resize(contacts, D + 1, D);
      for (int i = 0; i < contacts; ++i) {
        const int j = i * (D + 1);
        const auto c = contact_equations<D>(z.segment<D>(j), z[j + D], y.segment<D>(i * D), *mu, unit);
        out.f.segment<D + 1>(j) = c.f;
        out.df_dz.middleCols<D + 1>(j) = c.df_dz;
        out.df_dy.middleCols<D>(i * D) = c.df_dy;
      }
    });
  };
  system.sharpen = [=](double residual, bool stuck) {
    if (*mu <= least) return false;
    if (!stuck && residual > 0.3 * *mu && ++*steps < kPatience) return true;
    // Halved while the shape of the answer is decided, then ever faster, so that Newton's tail stays
    // superlinear.
    *mu = std::max(std::min(0.5, std::sqrt(*mu / first)) * *mu, least);
    *steps = 0;
    return true;
  };
  return system;
}

}  // namespace capstan

#pragma once
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <utility>

/// The self-dual second-order cone K = { x = (x_N, x_T) : |x_T| <= x_N } in dimension 2, 3 or 4, and the
/// functions whose zeros are the canonical law
///
///     K contains y~ := y + |y_T| e, orthogonal to x in K                                    (3)
///
/// which is exact Coulomb friction with coefficient 1 (docs/solver.md). Normal component first.
namespace capstan::cone {

template <int D>
using Vector = Eigen::Matrix<double, D, 1>;
template <int D>
using Matrix = Eigen::Matrix<double, D, D>;

template <int D>
auto tangent(const Vector<D>& x) {
  return x.template tail<D - 1>();
}

/// y + |y_T| e: De Saxce's change of variable, which turns Coulomb's law into a complementarity.
template <int D>
Vector<D> de_saxce(Vector<D> y) {
  y[0] += tangent<D>(y).norm();
  return y;
}

/// d(de_saxce)/dy = I + e (y_T/|y_T|)^T; the identity where y_T = 0.
template <int D>
Matrix<D> de_saxce_jacobian(const Vector<D>& y) {
  Matrix<D> J = Matrix<D>::Identity();
  const double norm = tangent<D>(y).norm();
  if (norm > 0) J.template block<1, D - 1>(0, 1) += tangent<D>(y).transpose() / norm;
  return J;
}

/// Euclidean projection onto K.
template <int D>
Vector<D> project(const Vector<D>& x) {
  const double norm = tangent<D>(x).norm();
  if (norm <= x[0]) return x;
  if (norm <= -x[0]) return Vector<D>::Zero();
  const double half = 0.5 * (x[0] + norm);
  Vector<D> p;
  p[0] = half;
  p.template tail<D - 1>() = (half / norm) * tangent<D>(x);
  return p;
}

/// Jordan product x o y = (x.y, x_N y_T + y_N x_T).
template <int D>
Vector<D> jordan(const Vector<D>& x, const Vector<D>& y) {
  Vector<D> z;
  z[0] = x.dot(y);
  z.template tail<D - 1>() = x[0] * tangent<D>(y) + y[0] * tangent<D>(x);
  return z;
}

/// L_x with L_x y = x o y.
template <int D>
Matrix<D> jordan_matrix(const Vector<D>& x) {
  Matrix<D> L = x[0] * Matrix<D>::Identity();
  L.template block<1, D - 1>(0, 1) = tangent<D>(x).transpose();
  L.template block<D - 1, 1>(1, 0) = tangent<D>(x);
  return L;
}

/// The square root w of x o x + y o y, with its two eigenvalues s1 <= s2.
template <int D>
struct SquareRoot {
  Vector<D> w;
  double s1, s2;
};

/// |p x q|^2 of two tangential vectors.
template <int T>
double cross_squared(const Eigen::Matrix<double, T, 1>& p, const Eigen::Matrix<double, T, 1>& q) {
  if constexpr (T == 1) return 0;
  if constexpr (T == 2) return std::pow(p[0] * q[1] - p[1] * q[0], 2);
  if constexpr (T == 3) return p.cross(q).squaredNorm();
}

template <int D>
SquareRoot<D> root_of_squares(const Vector<D>& x, const Vector<D>& y) {
  const Vector<D - 1> xT = tangent<D>(x), yT = tangent<D>(y), a = x[0] * xT + y[0] * yT;
  const double norm = a.norm();
  const double s2 = std::sqrt(x.squaredNorm() + y.squaredNorm() + 2 * norm);
  // l1 = |x|^2 + |y|^2 - 2|a| cancels to half the digits where z nears the boundary of K, which is where
  // answers lie. As a sum of squares, l1 l2 = det(x)^2 + det(y)^2 + 2 ((x_N y_N - x_T.y_T)^2 + |x_N y_T - y_N
  // x_T|^2 + |x_T x y_T|^2), it keeps them all.
  const double det_x = (x[0] - xT.norm()) * (x[0] + xT.norm()),
               det_y = (y[0] - yT.norm()) * (y[0] + yT.norm());
  const double mixed = std::pow(x[0] * y[0] - xT.dot(yT), 2) + (x[0] * yT - y[0] * xT).squaredNorm() +
                       cross_squared<D - 1>(xT, yT);
  const double s1 = s2 > 0 ? std::sqrt(det_x * det_x + det_y * det_y + 2 * mixed) / s2 : 0.0;
  SquareRoot<D> root{Vector<D>::Zero(), s1, s2};
  root.w[0] = 0.5 * (s1 + s2);
  if (norm > 0) root.w.template tail<D - 1>() = (0.5 * (s2 - s1) / norm) * a;
  return root;
}

/// L_x^-1 c, the Jordan quotient, for x in the interior of K.
template <int D>
Vector<D> jordan_divide(const Vector<D>& x, const Vector<D>& c) {
  const double norm = tangent<D>(x).norm(), det = (x[0] - norm) * (x[0] + norm);
  Vector<D> result;
  result[0] = (x[0] * c[0] - tangent<D>(x).dot(tangent<D>(c))) / det;
  result.template tail<D - 1>() = (tangent<D>(c) - result[0] * tangent<D>(x)) / x[0];
  return result;
}

/// Fischer-Burmeister: zero iff K contains x and y, orthogonal to each other. [Daviet11, eq. 12]
/// x + y - w loses the smaller of x and y where the other is huge, and would call that solved; where s = x +
/// y + w is well inside K, the same number is s^-1 o (2 x o y), which keeps it.
template <int D>
Vector<D> fischer_burmeister(const Vector<D>& x, const Vector<D>& y) {
  const Vector<D> w = root_of_squares<D>(x, y).w, s = x + y + w;
  const bool well_inside = s[0] > 0.5 * std::max(x.norm(), y.norm()) && tangent<D>(s).norm() < 0.99 * s[0];
  if (well_inside) return jordan_divide<D>(s, 2 * jordan<D>(x, y));
  return x + y - w;
}

template <int D>
struct FischerBurmeister {
  Vector<D> f;
  Matrix<D> df_dx, df_dy;
};

/// Value and one element of the generalised Jacobian: df/dx = I - L_w^-1 L_x, df/dy = I - L_w^-1 L_y.
/// [Daviet11, app. A.1; the paper prints L_z^-1 where L_w^-1 with w = z^(1/2) is meant.]
template <int D>
FischerBurmeister<D> fischer_burmeister_jacobian(const Vector<D>& x, const Vector<D>& y) {
  const auto [w, s1, s2] = root_of_squares<D>(x, y);
  FischerBurmeister<D> result{x + y - w, Matrix<D>::Zero(), Matrix<D>::Zero()};
  if (s2 == 0) return result;  // x = y = 0: any element of the generalised Jacobian
  if (s1 <= 1e-14 * s2) {      // z on the boundary of K
    const double norm = std::hypot(x[0], y[0]);
    if (norm > 0) {
      result.df_dx = (1 - x[0] / norm) * Matrix<D>::Identity();
      result.df_dy = (1 - y[0] / norm) * Matrix<D>::Identity();
    }
    return result;
  }
  const double det = s1 * s2;
  const auto wT = tangent<D>(w);
  Matrix<D> inverse;  // of L_w
  inverse(0, 0) = w[0];
  inverse.template block<1, D - 1>(0, 1) = -wT.transpose();
  inverse.template block<D - 1, 1>(1, 0) = -wT;
  inverse.template block<D - 1, D - 1>(1, 1) =
      (det * Eigen::Matrix<double, D - 1, D - 1>::Identity() + wT * wT.transpose()) / w[0];
  inverse /= det;
  result.df_dx = Matrix<D>::Identity() - inverse * jordan_matrix<D>(x);
  result.df_dy = Matrix<D>::Identity() - inverse * jordan_matrix<D>(y);
  return result;
}

template <int D>
struct AlartCurnier {
  Vector<D> f;
  Matrix<D> df_dx, df_dy;  ///< with respect to the impulse x and to the velocity y (no De Saxce shift)
};

/// Alart-Curnier with friction coefficient 1: f_N = max(x_N - rho y_N, 0) - x_N and
/// f_T = P_disc(x_N)(x_T - rho y_T) - x_T. [Bertails11, eq. 4, sec. 4.3, app. B]
template <int D>
AlartCurnier<D> alart_curnier(const Vector<D>& x, const Vector<D>& y, double rho_N = 1, double rho_T = 1) {
  constexpr int T = D - 1;
  AlartCurnier<D> r{Vector<D>::Zero(), Matrix<D>::Zero(), Matrix<D>::Zero()};
  if (x[0] - rho_N * y[0] > 0) {
    r.f[0] = -rho_N * y[0];
    r.df_dy(0, 0) = -rho_N;
  } else {
    r.f[0] = -x[0];
    r.df_dx(0, 0) = -1;
  }
  const auto p = (tangent<D>(x) - rho_T * tangent<D>(y)).eval();
  const double norm = p.norm();
  const auto I = Eigen::Matrix<double, T, T>::Identity();
  if (norm <= x[0]) {
    r.f.template tail<T>() = -rho_T * tangent<D>(y);
    r.df_dy.template block<T, T>(1, 1) = -rho_T * I;
  } else if (x[0] > 0) {
    const Eigen::Matrix<double, T, T> shrink = (x[0] / norm) * (I - p * p.transpose() / (norm * norm));
    r.f.template tail<T>() = (x[0] / norm) * p - tangent<D>(x);
    r.df_dy.template block<T, T>(1, 1) = -rho_T * shrink;
    r.df_dx.template block<T, T>(1, 1) = shrink - I;
    r.df_dx.template block<T, 1>(1, 0) = p / norm;
  } else {
    r.f.template tail<T>() = -tangent<D>(x);
    r.df_dx.template block<T, T>(1, 1) = -I;
  }
  return r;
}

// Compiled once, in second_order_cone.cpp.
extern template SquareRoot<2> root_of_squares<2>(const Vector<2>&, const Vector<2>&);
extern template SquareRoot<3> root_of_squares<3>(const Vector<3>&, const Vector<3>&);
extern template SquareRoot<4> root_of_squares<4>(const Vector<4>&, const Vector<4>&);
extern template Vector<2> fischer_burmeister<2>(const Vector<2>&, const Vector<2>&);
extern template Vector<3> fischer_burmeister<3>(const Vector<3>&, const Vector<3>&);
extern template Vector<4> fischer_burmeister<4>(const Vector<4>&, const Vector<4>&);
extern template FischerBurmeister<2> fischer_burmeister_jacobian<2>(const Vector<2>&, const Vector<2>&);
extern template FischerBurmeister<3> fischer_burmeister_jacobian<3>(const Vector<3>&, const Vector<3>&);
extern template FischerBurmeister<4> fischer_burmeister_jacobian<4>(const Vector<4>&, const Vector<4>&);
extern template AlartCurnier<2> alart_curnier<2>(const Vector<2>&, const Vector<2>&, double, double);
extern template AlartCurnier<3> alart_curnier<3>(const Vector<3>&, const Vector<3>&, double, double);
extern template AlartCurnier<4> alart_curnier<4>(const Vector<4>&, const Vector<4>&, double, double);

/// Calls f.template operator()<D>() with D = dimension.
template <class F>
decltype(auto) with_dimension(int dimension, F&& f) {
  switch (dimension) {
    case 2:
      return std::forward<F>(f).template operator()<2>();
    case 3:
      return std::forward<F>(f).template operator()<3>();
    default:
      return std::forward<F>(f).template operator()<4>();
  }
}

}  // namespace capstan::cone

#include <cmath>

#include "capstan/solve/local/local_problem.hpp"
#include "capstan/solve/local/positive_roots.hpp"
#include "capstan/solve/local/small_lu.hpp"

/// Take-off, stick and slide, one after the other [Daviet11, app. B], in any dimension and for W that is
/// singular or not symmetric. Eliminating the normal by y_N = 0 leaves, with W = [w_N, w_r^T; w_c, W_T],
///
///     Wb = W_T - w_c w_r^T / w_N,   c = b_T - w_c b_N / w_N,   x_N = -(b_N + w_r . x_T) / w_N
///     y_T = Wb x_T + c = -alpha x_T    =>    x_T(alpha) = -(Wb + alpha I)^-1 c
///
/// alpha = 0 sticks, alpha > 0 with x_N(alpha) = |x_T(alpha)| slides. Differs from the paper: nothing is
/// divided by b_N, so that a contact about to open costs no digits.
namespace capstan::local {
namespace {

template <int D>
class SlidingCurve {
 public:
  static constexpr int T = D - 1;

  explicit SlidingCurve(const LocalProblem<D>& problem)
      : normal_(problem.W(0, 0)),
        b_normal_(problem.b[0]),
        w_row_(problem.W.template block<1, T>(0, 1).transpose()) {
    const Vector<T> w_column = problem.W.template block<T, 1>(1, 0);
    Wb_ = problem.W.template block<T, T>(1, 1) - w_column * w_row_.transpose() / normal_;
    c_ = cone::tangent<D>(problem.b) - w_column * (b_normal_ / normal_);
  }

  const Matrix<T>& Wb() const { return Wb_; }
  const Vector<T>& c() const { return c_; }
  const Vector<T>& w_row() const { return w_row_; }
  double normal() const { return normal_; }

  Vector<D> with_normal(const Vector<T>& tangential) const {
    Vector<D> x;
    x[0] = -(b_normal_ + w_row_.dot(tangential)) / normal_;
    x.template tail<T>() = tangential;
    return x;
  }
  Vector<D> at(double alpha) const { return with_normal(-shifted(alpha).solve(c_)); }

  /// x_N(alpha) - |x_T(alpha)|: negative where the impulse leaves the cone.
  double gap(double alpha) const { return gap(at(alpha)); }

  /// alpha after up to three Newton steps on the gap, each taken only if it lessens it.
  double polished(double alpha) const;

  /// q^2 - w_N^2 |p|^2 with p = adj(Wb + alpha I) c, q = -b_N det(Wb + alpha I) + w_r . p: zero where
  /// |x_N| = |x_T|. For d = 3 it is b_N^2 times the quartic of [Daviet11, eq. 16].
  Polynomial polynomial() const;

 private:
  static double gap(const Vector<D>& x) { return x[0] - cone::tangent<D>(x).norm(); }
  SmallLu<T> shifted(double alpha) const { return SmallLu<T>(Wb_ + alpha * Matrix<T>::Identity()); }

  double normal_, b_normal_;
  Vector<T> w_row_, c_;
  Matrix<T> Wb_;
};

template <int D>
double SlidingCurve<D>::polished(double alpha) const {
  for (int step = 0; step < 3; ++step) {
    const SmallLu<T> lu = shifted(alpha);
    const Vector<D> x = with_normal(-lu.solve(c_));
    const Vector<T> tangential = cone::tangent<D>(x), d_tangential = -lu.solve(tangential);
    const double slope =
        -w_row_.dot(d_tangential) / normal_ - tangential.dot(d_tangential) / tangential.norm();
    const double next = alpha - gap(x) / slope;
    if (!(next > 0) || !(std::abs(gap(next)) < std::abs(gap(x)))) break;
    alpha = next;
  }
  return alpha;
}

template <int D>
Polynomial SlidingCurve<D>::polynomial() const {
  // Faddeev and LeVerrier: adj(alpha I + Wb) = sum_k alpha^(T-1-k) B_k, det(alpha I + Wb) = sum_k alpha^(T-k)
  // e_k.
  std::array<Vector<T>, T> p;
  std::array<double, T + 1> q{};
  Matrix<T> B = Matrix<T>::Identity();
  q[T] = -b_normal_;
  for (int k = 0; k < T; ++k) {
    p[T - 1 - k] = B * c_;
    const Matrix<T> product = Wb_ * B;
    const double e = product.trace() / (k + 1);
    q[T - 1 - k] = -b_normal_ * e + w_row_.dot(p[T - 1 - k]);
    B = e * Matrix<T>::Identity() - product;
  }
  Polynomial result;
  result.degree = 2 * T;
  for (int i = 0; i <= T; ++i)
    for (int j = 0; j <= T; ++j) result.c[i + j] += q[i] * q[j];
  for (int i = 0; i < T; ++i)
    for (int j = 0; j < T; ++j) result.c[i + j] -= normal_ * normal_ * p[i].dot(p[j]);
  return result;
}

/// The answers that obey the law; of several the one nearest to the first guess, so that the result is
/// deterministic and an outer loop does not flip between them.
template <int D>
class Candidates {
 public:
  Candidates(const LocalProblem<D>& problem, const Vector<D>& guess)
      : problem_(problem), guess_(guess), best_(problem) {}

  void consider(Vector<D> x) {
    if (!x.allFinite()) return;
    ++tried_;
    if (!best_.offer(x)) {
      solve_fischer_burmeister<D>(problem_, x, 2);  // polish
      if (!best_.offer(x)) return;
    }
    const double distance = (x - guess_).squaredNorm();
    if (found_ && distance >= distance_) return;
    found_ = true;
    distance_ = distance;
    nearest_ = x;
  }
  bool found() const { return found_; }
  LocalResult finish(Vector<D>& x) const {
    if (!found_) {
      LocalResult result = best_.finish(x, tried_);
      result.no_solution = true;
      return result;
    }
    x = nearest_;
    return {true, problem_.residual(x), tried_, false, false};
  }

 private:
  const LocalProblem<D>& problem_;
  const Vector<D> guess_;
  Best<D> best_;
  Vector<D> nearest_ = Vector<D>::Zero();
  double distance_ = 0;
  int tried_ = 0;
  bool found_ = false;
};

/// Along x_T = p + z, z in a subspace with p normal to it, and x_N = beta - gamma . z: the z that is in the
/// cone and on the way from the guess to the deepest point. False if the cone is missed. With tau = |z|
/// against gamma, |x_T| - x_N = sqrt(|p|^2 + tau^2) - beta - |gamma| tau is smallest at tau = |p||gamma| /
/// sqrt(1 - |gamma|^2).
template <int T>
bool reach_cone(const Vector<T>& p, double beta, const Vector<T>& gamma, Vector<T>& z) {
  const auto is_inside = [&](const Vector<T>& at) {
    return std::hypot(p.norm(), at.norm()) <= beta - gamma.dot(at);
  };
  if (is_inside(z)) return true;
  const double g = gamma.norm();
  double tau = g < 1 ? p.norm() * g / std::sqrt(1 - g * g) : 0.0;
  Vector<T> deepest = g > 0 ? Vector<T>(-tau / g * gamma) : Vector<T>::Zero();
  if (g >= 1)  // the set goes up inside the cone: far enough is deep enough
    for (tau = p.norm() + std::abs(beta); !is_inside(deepest) && tau < 1e12 * (p.norm() + std::abs(beta));
         tau *= 10)
      deepest = -tau / g * gamma;
  if (!is_inside(deepest)) return false;
  double outside = 0, inside = 1;
  for (int k = 0; k < 60; ++k) {
    const double half = 0.5 * (outside + inside);
    (is_inside(z + half * (deepest - z)) ? inside : outside) = half;
  }
  z += inside * (deepest - z);
  return true;
}

/// Moore and Penrose's inverse, where singular values up to `zero` count as zero. Rotations V from the right
/// make the columns of A V orthogonal (Hestenes); their lengths are the singular values. Eigen's
/// decompositions allocate here.
template <int T>
Matrix<T> pseudo_inverse(Matrix<T> A, double zero) {
  Matrix<T> V = Matrix<T>::Identity();
  for (int sweep = 0; sweep < 20; ++sweep)
    for (int p = 0; p < T - 1; ++p)
      for (int q = p + 1; q < T; ++q) {
        const double product = A.col(p).dot(A.col(q));
        if (product == 0) continue;
        const double zeta = 0.5 * (A.col(q).squaredNorm() - A.col(p).squaredNorm()) / product;
        const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double c = 1 / std::hypot(1.0, tangent), s = c * tangent;
        for (Matrix<T>* M : {&A, &V}) {
          const Vector<T> old = M->col(p);
          M->col(p) = c * old - s * M->col(q);
          M->col(q) = s * old + c * M->col(q);
        }
      }
  Matrix<T> inverse = Matrix<T>::Zero();
  for (int k = 0; k < T; ++k)
    if (A.col(k).norm() > zero) inverse += V.col(k) * A.col(k).transpose() / A.col(k).squaredNorm();
  return inverse;
}

/// Stick with Wb singular: { x : W x = -b } is an affine set, empty or not; a member of the cone is looked
/// for.
template <int D>
void consider_singular_stick(const LocalProblem<D>& problem, const SlidingCurve<D>& curve,
                             const Vector<D>& guess, Candidates<D>& candidates) {
  constexpr int T = D - 1;
  constexpr double kRank = 1e-13;  // of W: what is left of a zero singular value of Wb after rounding
  const Matrix<T>& Wb = curve.Wb();
  const double zero = kRank * problem.W.norm();
  if (std::abs(Wb.determinant()) > zero * std::pow(Wb.norm(), T - 1))
    return;  // the smallest is larger than zero
  const Matrix<T> inverse = pseudo_inverse<T>(Wb, zero), to_kernel = Matrix<T>::Identity() - inverse * Wb;
  const Vector<T> p = -inverse * curve.c(), gamma = to_kernel * curve.w_row() / curve.normal();
  Vector<T> z = to_kernel * cone::tangent<D>(guess);
  if (reach_cone<T>(p, curve.with_normal(p)[0], gamma, z)) candidates.consider(curve.with_normal(p + z));
}

/// Sliding without the polynomial: every change of sign of the gap on a grid in log(alpha), closed in by
/// bisection. Where Wb is positive and stick fails the gap goes from negative to positive, so there is one.
template <int D>
void consider_slides_by_scan(const SlidingCurve<D>& curve, double scale, Candidates<D>& candidates) {
  constexpr int kPoints = 100;
  constexpr double kFirst = 1e-16, kRatio = 2.1;  // up to 1e16
  double a = kFirst * scale, gap_a = curve.gap(a);
  for (int k = 1; k < kPoints; ++k) {
    const double b = a * kRatio, gap_b = curve.gap(b);
    if ((gap_a < 0) != (gap_b < 0)) {
      double low = a, high = b;
      for (int step = 0; step < 60; ++step) {
        const double half = 0.5 * (low + high);
        ((curve.gap(half) < 0) == (gap_a < 0) ? low : high) = half;
      }
      candidates.consider(curve.at(high));
    }
    a = b;
    gap_a = gap_b;
  }
}

}  // namespace

template <int D>
LocalResult solve_enumerative(const LocalProblem<D>& problem, Vector<D>& x) {
  Candidates<D> candidates(problem, x);
  candidates.consider(Vector<D>::Zero());  // take-off: an answer wherever b_N >= 0
  if (problem.b[0] >= 0 || !(problem.W(0, 0) > 0)) return candidates.finish(x);
  const SlidingCurve<D> curve(problem);
  consider_singular_stick<D>(problem, curve, x, candidates);
  const Vector<D> stick = curve.at(0);
  if (!candidates.found() && cone::tangent<D>(stick).norm() <= stick[0]) candidates.consider(stick);
  if (candidates.found()) return candidates.finish(x);
  const PositiveRoots roots = positive_roots(curve.polynomial());
  for (int k = 0; k < roots.count; ++k) candidates.consider(curve.at(curve.polished(roots.values[k])));
  if (!candidates.found()) consider_slides_by_scan<D>(curve, problem.W.trace() / D, candidates);
  return candidates.finish(x);
}

template LocalResult solve_enumerative<2>(const LocalProblem<2>&, Vector<2>&);
template LocalResult solve_enumerative<3>(const LocalProblem<3>&, Vector<3>&);
template LocalResult solve_enumerative<4>(const LocalProblem<4>&, Vector<4>&);

}  // namespace capstan::local

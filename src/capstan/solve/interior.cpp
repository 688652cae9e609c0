#include "capstan/solve/interior.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/problem/dense_algebra.hpp"
#include "capstan/solve/work.hpp"

namespace capstan {
namespace {

using cone::Matrix;
using cone::Vector;

constexpr Eigen::Index kLargestDense = 6000;

template <int D>
double determinant(const Vector<D>& x) {
  const double t = cone::tangent<D>(x).norm();
  return (x[0] - t) * (x[0] + t);
}

/// Nesterov-Todd: the symmetric N that leaves the cone as it is with N^-1 x = N y.
template <int D>
struct Scaling {
  Vector<D> w;  // N = eta [w_N, w_T^T; w_T, I + w_T w_T^T/(1 + w_N)], det w = 1
  double eta;

  Scaling(const Vector<D>& x, const Vector<D>& y) {
    const double det_x = determinant<D>(x), det_y = determinant<D>(y);
    const Vector<D> xs = x / std::sqrt(det_x), ys = y / std::sqrt(det_y);
    const double gamma = std::sqrt(0.5 * (1 + xs.dot(ys)));
    w[0] = (xs[0] + ys[0]) / (2 * gamma);
    w.template tail<D - 1>() = (cone::tangent<D>(xs) - cone::tangent<D>(ys)) / (2 * gamma);
    eta = std::pow(det_x / det_y, 0.25);
  }
  Vector<D> apply(const Vector<D>& z) const { return eta * multiply(w, z); }
  Vector<D> apply_inverse(const Vector<D>& z) const { return multiply(reflected(), z) / eta; }
  Matrix<D> inverse_squared() const {
    const Vector<D> r = reflected();
    Matrix<D> result = 2 * r * r.transpose() + Matrix<D>::Identity();
    result(0, 0) -= 2;
    return result / (eta * eta);
  }

 private:
  Vector<D> reflected() const {
    Vector<D> r = -w;
    r[0] = w[0];
    return r;
  }
  static Vector<D> multiply(const Vector<D>& w, const Vector<D>& z) {
    const double dot = cone::tangent<D>(w).dot(cone::tangent<D>(z));
    Vector<D> result;
    result[0] = w[0] * z[0] + dot;
    result.template tail<D - 1>() = cone::tangent<D>(z) + (z[0] + dot / (1 + w[0])) * cone::tangent<D>(w);
    return result;
  }
};

/// The largest step t <= 1/0 with x + t dx in K.
template <int D>
double step_to_boundary(const Vector<D>& x, const Vector<D>& dx) {
  const double a = dx[0] * dx[0] - cone::tangent<D>(dx).squaredNorm();
  const double b = x[0] * dx[0] - cone::tangent<D>(x).dot(cone::tangent<D>(dx));
  const double c = std::max(determinant<D>(x), 0.0);
  const double root = b * b - a * c;
  double t = std::numeric_limits<double>::infinity();
  if (a < 0 || (b < 0 && root >= 0)) {
    const double s = std::sqrt(std::max(root, 0.0));
    const double candidate =
        b > 0 ? -(b + s) / a : c / (s - b);  // the smaller positive root of a t^2 + 2 b t + c
    if (candidate > 0)
      t = candidate;
    else
      t = 0;
  }
  if (dx[0] < 0) t = std::min(t, -x[0] / dx[0]);
  return t;
}

template <int D>
class InteriorPoint {
 public:
  explicit InteriorPoint(const CanonicalProblem& problem)
      : n_(problem.contacts()),
        scale_(std::max(problem.b().cwiseAbs().maxCoeff(), 1e-300)),
        b_(problem.b() / scale_),
        W_(problem.W().dense()),
        x_(Eigen::VectorXd::Zero(problem.size())) {
    for (int i = 0; i < n_; ++i) x_[i * D] = 1;
    y_ = x_;
    update_velocity();
  }

  Eigen::VectorXd impulse() const { return scale_ * x_; }
  double gap() const { return mu_; }

  /// One predictor-corrector step. Returns its length.
  double step() {
    mu_ = x_.dot(y_) / n_;
    factorise();
    Direction affine = direction(0.0, nullptr);
    const double reach = std::min(1.0, step_length(affine));
    const double after = (x_ + reach * affine.x).dot(y_ + reach * affine.y) / n_;
    double sigma = std::clamp(std::pow(after / mu_, 3), 1e-6, 1.0);
    if (short_steps_ == 1) sigma = std::max(sigma, 0.3);
    if (short_steps_ >= 2) sigma = std::max(sigma, 0.8);
    Direction d = direction(sigma, &affine);
    double length = std::min(1.0, kToBoundary * step_length(d));
    if (length < kShort) {
      const Direction plain = direction(sigma, nullptr);
      const double other = std::min(1.0, kToBoundary * step_length(plain));
      if (other > length) {
        d = plain;
        length = other;
      }
    }
    while (length > 1e-12 && !is_centred(d, length)) length *= 0.8;
    x_ += length * d.x;
    y_ += length * d.y;
    update_velocity();
    short_steps_ = length < kShort ? short_steps_ + 1 : 0;
    return length;
  }

 private:
  static constexpr double kToBoundary = 0.9, kShort = 0.1;
  struct Direction {
    Eigen::VectorXd x, y;
  };

  void update_velocity() { u_ = W_ * x_ + b_; }

  /// T_m and its derivative at contact i.
  Vector<D> smoothed(int i, Matrix<D>* derivative) const {
    Vector<D> u = u_.segment<D>(i * D);
    const double norm = std::sqrt(cone::tangent<D>(u).squaredNorm() + mu_ * mu_);
    if (derivative) {
      derivative->setIdentity();
      derivative->template block<1, D - 1>(0, 1) = cone::tangent<D>(u).transpose() / norm;
    }
    u[0] += norm;
    return u;
  }

  /// K = T' W + N^-2.
  void factorise() {
    scaling_.clear();
    residual_.resize(x_.size());
    K_ = W_;
    for (int i = 0; i < n_; ++i) {
      const Vector<D> xi = x_.segment<D>(i * D), yi = y_.segment<D>(i * D);
      scaling_.emplace_back(xi, yi);
      Matrix<D> J;
      residual_.segment<D>(i * D) = smoothed(i, &J) - yi;
      for (int a = 1; a < D; ++a) K_.row(i * D) += J(0, a) * K_.row(i * D + a);
      K_.block<D, D>(i * D, i * D) += scaling_.back().inverse_squared();
    }
    K_norm_rows_ = K_;
    lu_.compute(K_);
  }

  /// (T' W + N^-2) dx = N^-1 s - residual, dy = N^-1 s - N^-2 dx, s = l^-1 (sigma m e - l o l [- corrector]).
  Direction direction(double sigma, const Direction* affine) const {
    Eigen::VectorXd s(x_.size());
    for (int i = 0; i < n_; ++i) {
      const Scaling<D>& N = scaling_[i];
      const Vector<D> l = N.apply(y_.segment<D>(i * D));
      Vector<D> c = -cone::jordan<D>(l, l);
      c[0] += sigma * mu_;
      if (affine)
        c -= cone::jordan<D>(N.apply_inverse(affine->x.template segment<D>(i * D)),
                             N.apply(affine->y.template segment<D>(i * D)));
      s.template segment<D>(i * D) = N.apply_inverse(cone::jordan_divide<D>(l, c));
    }
    Direction d;
    const Eigen::VectorXd right = s - residual_;
    d.x = lu_.solve(right);
    d.x += lu_.solve(Eigen::VectorXd(right - K_norm_rows_ * d.x));  // one refinement
    d.y.resize(d.x.size());
    for (int i = 0; i < n_; ++i)
      d.y.template segment<D>(i * D) =
          s.template segment<D>(i * D) - scaling_[i].inverse_squared() * d.x.template segment<D>(i * D);
    return d;
  }

  double step_length(const Direction& d) const {
    double t = std::numeric_limits<double>::infinity();
    for (int i = 0; i < n_; ++i) {
      t = std::min(t, step_to_boundary<D>(x_.segment<D>(i * D), d.x.template segment<D>(i * D)));
      t = std::min(t, step_to_boundary<D>(y_.segment<D>(i * D), d.y.template segment<D>(i * D)));
    }
    return t;
  }

  /// No contact may run ahead of the others to the boundary.
  bool is_centred(const Direction& d, double length) const {
    const Eigen::VectorXd x = x_ + length * d.x, y = y_ + length * d.y;
    const double mu = x.dot(y) / n_;
    for (int i = 0; i < n_; ++i) {
      const double det_x = determinant<D>(x.template segment<D>(i * D)),
                   det_y = determinant<D>(y.template segment<D>(i * D));
      if (!(det_x > 0) || !(det_y > 0) || std::sqrt(det_x * det_y) < 1e-4 * mu) return false;
    }
    return true;
  }

  int n_;
  double scale_, mu_ = 1;
  int short_steps_ = 0;
  Eigen::VectorXd b_;
  Eigen::MatrixXd W_, K_, K_norm_rows_;
  Eigen::VectorXd x_, y_, u_, residual_;
  std::vector<Scaling<D>> scaling_;
  DenseLu lu_;
};

template <int D>
Status interior(const SolverContext& context, const InteriorOptions& options) {
  const int limit = std::min(options.max_interior, context.max_iterations);
  InteriorPoint<D> point(context.problem);
  for (int k = 0;; ++k) {
    if (k > 0) context.x = point.impulse();
    if (const auto stop = context.monitor.judge(context.x, k, limit)) return *stop;
    context.monitor.spend(work_of_dense_newton_step(context.problem.size()));
    const double length = point.step();
    if (!(length > 1e-10) || !(point.gap() > 1e-18)) {
      context.x = point.impulse();
      if (context.monitor.judge(context.x, k + 1, limit) == Status::converged) return Status::converged;
      return Status::stalled;
    }
  }
}

/// F and its Jacobian at x.
template <int D>
void evaluate(const Eigen::MatrixXd& W, const Eigen::VectorXd& x, const Eigen::VectorXd& y,
              Eigen::VectorXd& F, Eigen::MatrixXd* J) {
  F.resize(x.size());
  if (J) J->resize(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); i += D) {
    const Vector<D> yi = y.segment<D>(i);
    const auto fb = cone::fischer_burmeister_jacobian<D>(x.segment<D>(i), cone::de_saxce<D>(yi));
    F.segment<D>(i) = fb.f;
    if (!J) continue;
    const Matrix<D> through_y = fb.df_dy * cone::de_saxce_jacobian<D>(yi);
    for (Eigen::Index j = 0; j < x.size(); ++j)
      J->template block<D, 1>(i, j).noalias() = through_y * W.block<D, 1>(i, j);
    J->template block<D, D>(i, i) += fb.df_dx;
  }
}

template <int D>
Status levenberg(const SolverContext& context, const InteriorOptions& options) {
  const int limit = std::min(options.max_levenberg, context.max_iterations);
  const Eigen::MatrixXd W = context.problem.W().dense();
  const Eigen::VectorXd& b = context.problem.b();
  Eigen::VectorXd y = W * context.x + b, F, trial_F;
  Eigen::MatrixXd J;
  const Eigen::Index x_size = context.x.size();
  double damping = 1e-3;
  const double size = std::max(b.norm(), 1e-300);  // |F| is compared with this, so that units do not matter
  for (int k = 0;; ++k) {
    if (const auto stop = context.monitor.judge(context.x, y, k, limit)) return *stop;
    context.monitor.spend(work_of_dense_newton_step(x_size));
    evaluate<D>(W, context.x, y, F, &J);
    const Eigen::MatrixXd A = gram_matrix(J);
    const Eigen::VectorXd gradient = J.transpose() * F;
    const double before = F.norm(), trace = A.trace() / double(A.rows());
    bool moved = false;
    for (int attempt = 0; attempt < 12 && !moved; ++attempt) {
      if (attempt > 0) context.monitor.spend(work_of_dense_factorisation(x_size));
      Eigen::MatrixXd damped = A;
      damped.diagonal().array() += damping * before / size + 1e-16 * trace;
      if (const auto step = solve_positive(damped, gradient)) {
        const Eigen::VectorXd x = context.x - *step, trial_y = W * x + b;
        if (x.allFinite()) evaluate<D>(W, x, trial_y, trial_F, nullptr);
        moved = x.allFinite() && trial_F.norm() < before;
        if (moved) context.x = x, y = trial_y;
      }
      if (moved) {
        damping = std::max(damping * 0.1, 1e-14);
      } else {
        damping = std::max(damping * 10, 1e-12);
      }
      if (context.monitor.must_stop()) break;
    }
    if (!moved) return Status::stalled;
  }
}

}  // namespace

bool fits_dense(const CanonicalProblem& problem) { return problem.size() <= kLargestDense; }

Status solve_interior(const SolverContext& context, const InteriorOptions& options) {
  if (!fits_dense(context.problem)) {
    context.monitor.judge(context.x, 0, 0);
    return Status::stalled;
  }
  return cone::with_dimension(context.problem.dimension(),
                              [&]<int D>() { return interior<D>(context, options); });
}

Status solve_levenberg(const SolverContext& context, const InteriorOptions& options) {
  if (!fits_dense(context.problem)) {
    context.monitor.judge(context.x, 0, 0);
    return Status::stalled;
  }
  return cone::with_dimension(context.problem.dimension(),
                              [&]<int D>() { return levenberg<D>(context, options); });
}

}  // namespace capstan

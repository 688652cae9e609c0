#include "capstan/solve/augmented.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/errors.hpp"
#include "capstan/solve/sparse_system.hpp"
#include "capstan/solve/work.hpp"

namespace capstan {
namespace {

constexpr double kLongEnough = 0.3;  // slope left at the end of a whole step, of that at its start
constexpr double kFlatEnough = 0.1;  // the same where a shorter step is looked for
constexpr int kMaxTrials = 30;       // of a shorter step
constexpr double kSurely = 0.1;      // of the gain that is enough, where it is only expected
constexpr double kRounding = 1e-14;  // of the energy
constexpr double kProgress = 0.67;   // of the best error, that counts as progress
constexpr int kSlow = 3;             // outer steps without progress, after which the penalty grows by
constexpr double kStiffer = 4;       // this factor: fewer outer steps of more Newton steps each

/// An element of the generalised derivative of the projection onto K.
template <int D>
cone::Matrix<D> projection_derivative(const cone::Vector<D>& z) {
  using Tangents = Eigen::Matrix<double, D - 1, D - 1>;
  const double norm = cone::tangent<D>(z).norm();
  if (norm <= z[0]) return cone::Matrix<D>::Identity();
  if (norm <= -z[0]) return cone::Matrix<D>::Zero();
  const Eigen::Matrix<double, D - 1, 1> n = cone::tangent<D>(z) / norm;
  const double ratio = z[0] / norm;
  cone::Matrix<D> P;
  P(0, 0) = 0.5;
  P.template block<1, D - 1>(0, 1) = 0.5 * n.transpose();
  P.template block<D - 1, 1>(1, 0) = 0.5 * n;
  P.template block<D - 1, D - 1>(1, 1) =
      0.5 * ((1 + ratio) * Tangents::Identity() - ratio * n * n.transpose());
  return P;
}

template <int D>
class AugmentedLagrangian {
 public:
  AugmentedLagrangian(const SolverContext& context, const AugmentedOptions& options)
      : context_(context),
        options_(options),
        penalty_(options.penalty),
        monitor_(context.monitor),
        system_(context.problem.nodes()),
        load_(system_.load()),
        work_of_step_(work_of_sparse_factorisation(system_.factor().multiply_adds()) +
                      work_of_sparse_solve(double(system_.factor().entries()))) {}

  Status run() {
    x_ = context_.x;
    v_ = system_.solve_mass(load_ + system_.multiply_transposed(x_));
    y_ = system_.multiply(v_) + context_.problem.nodes().w;
    double reference = std::numeric_limits<double>::infinity();
    for (int k = 0, since = 0;; ++k) {
      context_.x = x_;
      if (k > 0)
        if (const auto stop = monitor_.judge(x_, k, context_.max_iterations, context_.executor)) return *stop;
      if (k == 0)
        if (const auto stop = monitor_.judge(x_, y_, k, context_.max_iterations, context_.executor))
          return *stop;
      if (monitor_.best_value() < kProgress * reference) {
        reference = monitor_.best_value();
        since = k;
      }
      if (k - since >= options_.patience) return Status::stalled;
      if (k > since && (k - since) % kSlow == 0) penalty_ *= kStiffer;
      take_sliding();
      if (!minimise()) return Status::stalled;
      x_ = p_;
    }
  }

 private:
  int contacts() const { return context_.problem.contacts(); }

  /// s = |y_T|.
  void take_sliding() {
    s_.resize(contacts());
    for (int i = 0; i < contacts(); ++i) s_[i] = y_.segment<D - 1>(i * D + 1).norm();
  }

  cone::Vector<D> moved(int i) const {
    cone::Vector<D> z = x_.segment<D>(i * D) - penalty_ * y_.segment<D>(i * D);
    z[0] -= penalty_ * s_[i];
    return z;
  }

  /// p = P_K(x - rho (y + s e)).
  void project() {
    p_.resize(x_.size());
    for (int i = 0; i < contacts(); ++i) p_.segment<D>(i * D) = cone::project<D>(moved(i));
  }

  /// -K^-1 g with K = M + rho H^T P_K' H.
  std::optional<Eigen::VectorXd> newton_step(const Eigen::VectorXd& g) {
    B_.resize(D, x_.size());
    for (int i = 0; i < contacts(); ++i)
      B_.middleCols<D>(i * D) = penalty_ * projection_derivative<D>(moved(i));
    monitor_.spend(work_of_step_);
    if (!system_.factorise(B_)) return std::nullopt;
    return -system_.solve(g);
  }

  /// The inner problem, from the present v. Returns false where nothing more can be done.
  bool minimise() {
    project();
    double expected = std::numeric_limits<double>::infinity(),
           before = 0;  // gain of the next step; |gradient|
    for (int step = 0; step < options_.max_inner_steps; ++step) {
      if (monitor_.must_stop()) return step > 0;
      const Eigen::VectorXd momentum = system_.multiply_mass(v_) - load_;  // M v - f
      const Eigen::VectorXd gradient = momentum - system_.multiply_transposed(p_);
      // The gain of a step goes with the square of the gradient.
      const double now = gradient.squaredNorm();
      if (step > 0 && expected * now / before <= kSurely * enough()) break;
      const auto found = newton_step(gradient);
      if (!found || !found->allFinite()) return false;
      const Eigen::VectorXd& dv = *found;
      const Eigen::VectorXd dy = system_.multiply(dv);
      const Line line{dv.dot(momentum), dv.dot(system_.multiply_mass(dv)), y_, dy};
      const double slope = line.linear - p_.dot(dy);
      const double t = search(line, slope);
      v_ += t * dv;
      if (t == 1 && -slope <= enough()) break;
      expected = -slope;
      before = now;
    }
    return true;
  }

  /// A gain of energy that is small against what the impulses have changed.
  double enough() const {
    return (options_.inner_accuracy * (p_ - x_).squaredNorm() + kRounding * p_.squaredNorm()) / penalty_;
  }

  /// The energy along v + t dv, but for the contacts: linear t + quadratic t^2/2.
  struct Line {
    double linear, quadratic;
    const Eigen::VectorXd y, dy;
  };

  /// The derivative of the energy at t. Leaves y and p there.
  double slope_at(const Line& line, double t) {
    y_ = line.y + t * line.dy;
    project();
    return line.linear + t * line.quadratic - p_.dot(line.dy);
  }

  /// How much of a Newton step to go: all of it, unless the energy rises again before its end. Then near to
  /// where it is least, by false position.
  double search(const Line& line, double slope) {
    double at_low = slope, at_high = slope_at(line, 1);
    if (at_high <= -kLongEnough * slope) return 1;
    double low = 0, high = 1, t = 1;
    for (int trial = 0; trial < kMaxTrials; ++trial) {
      t = low + (high - low) * at_low / (at_low - at_high);
      const double here = slope_at(line, t);
      if (std::abs(here) <= -kFlatEnough * slope) break;
      if (here < 0) {
        low = t;
        at_low = here;
        at_high *= 0.5;  // for the other end to move too (the Illinois method)
      } else {
        high = t;
        at_high = here;
        at_low *= 0.5;
      }
    }
    return t;
  }

  const SolverContext& context_;
  const AugmentedOptions options_;
  double penalty_;
  Monitor& monitor_;
  SparseSystem system_;
  Eigen::VectorXd load_;
  double work_of_step_;
  Eigen::VectorXd v_, y_, x_, p_, s_;
  Eigen::MatrixXd B_;
};

}  // namespace

Status solve_augmented(const SolverContext& context, const AugmentedOptions& options) {
  if (!context.problem.has_nodes())
    throw InputError("augmented: the problem has no sparse bodies, expected one or more");
  return cone::with_dimension(context.problem.dimension(),
                              [&]<int D>() { return AugmentedLagrangian<D>(context, options).run(); });
}

}  // namespace capstan

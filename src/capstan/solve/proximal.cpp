#include "capstan/solve/proximal.hpp"

#include <algorithm>
#include <limits>

#include "capstan/solve/local/local_problem.hpp"

namespace capstan {
namespace {

template <int D, class Rows>
class ProximalGaussSeidel {
 public:
  ProximalGaussSeidel(const SolverContext& context, const ProximalOptions& options, Rows rows)
      : problem_(context.problem),
        x_(context.x),
        monitor_(context.monitor),
        options_(options),
        rows_(std::move(rows)) {
    normal_.resize(problem_.contacts());
    friction_.resize(problem_.contacts());
    for (int i = 0; i < problem_.contacts(); ++i) {
      const cone::Matrix<D> W = problem_.diagonal(i);
      const double tangential = local::tangential_bound<D>(W);
      normal_[i] = W(0, 0) > 0 ? 1 / W(0, 0) : 0.0;
      friction_[i] = tangential > 0 ? 1 / tangential : 0.0;
    }
  }

  Status run(int max_sweeps) {
    rows_.restart(x_, y_);
    for (int k = 0;; ++k) {
      if (monitor_.due(k) || k >= max_sweeps) {
        rows_.restart(x_, y_);
        if (const auto stop = monitor_.judge(x_, y_, k, max_sweeps)) return *stop;
      }
      before_ = x_;
      accept_or_take_back(sweep() / factor_);
    }
  }

 private:
  /// Lines 12 to 17 of the algorithm.
  void accept_or_take_back(double step) {
    const bool grew = !(step <= options_.growth * last_step_);
    if (grew && factor_ > options_.smallest_factor) {
      factor_ = std::max(options_.shrink * factor_, options_.smallest_factor);
      x_ = before_;
      rows_.restart(x_, y_);  // line 3: w belongs to the impulses that are kept
      return;
    }
    last_step_ = step;
    factor_ = std::min(options_.recover * factor_, 1.0);
  }

  /// Lines 4 to 11; returns the largest change of an impulse.
  double sweep() {
    double largest = 0;
    for (int i = 0; i < problem_.contacts(); ++i) {
      const cone::Vector<D> old = x_.segment<D>(i * D), y = rows_.velocity(i, x_);
      cone::Vector<D> x;
      x[0] = std::max(old[0] - factor_ * normal_[i] * y[0], 0.0);
      const cone::Vector<D - 1> z = cone::tangent<D>(old) - factor_ * friction_[i] * cone::tangent<D>(y);
      const double norm = z.norm();
      x.template tail<D - 1>() = norm > x[0] ? (x[0] / norm * z).eval() : z;
      x_.segment<D>(i * D) = x;
      const cone::Vector<D> dx = x - old;
      rows_.moved(i, dx);
      largest = std::max(largest, problem_.weight()[i] * dx.norm());
    }
    return largest;
  }

  const CanonicalProblem& problem_;
  Eigen::VectorXd& x_;
  Monitor& monitor_;
  const ProximalOptions& options_;
  Rows rows_;
  Eigen::VectorXd normal_, friction_, before_, y_;  // 1 over the diagonal block; x before the sweep; W x + b
  double factor_ = 1, last_step_ = std::numeric_limits<double>::infinity();
};

}  // namespace

Status run_proximal_gauss_seidel(const SolverContext& context, const ProximalOptions& options) {
  return cone::with_dimension(context.problem.dimension(), [&]<int D>() {
    return local::with_rows<D>(context.problem, options.space, [&]<class Rows>(Rows rows) {
      return ProximalGaussSeidel<D, Rows>(context, options, std::move(rows)).run(context.max_iterations);
    });
  });
}

}  // namespace capstan

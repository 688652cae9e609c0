#include <algorithm>
#include <deque>
#include <limits>

#include "capstan/problem/dense_algebra.hpp"
#include "capstan/solve/gradient.hpp"

namespace capstan {

/// Fletcher-Reeves around a sweep: the sweep's displacement is taken for the negative gradient.
/// [Silcowitz-Hansen, Niebe, Erleben 2010, "A nonsmooth nonlinear conjugate gradient method for interactive
/// contact force problems"]; restarted where the displacement grows, as in the paper.
Status run_nonsmooth_conjugate_gradient(const SolverContext& context) {
  const ProjectedSweep sweep(context.problem);
  Eigen::VectorXd& x = context.x;
  Eigen::VectorXd direction = Eigen::VectorXd::Zero(x.size());
  double previous = 0;
  for (int k = 0;; ++k) {
    if (context.monitor.due(k) || k >= context.max_iterations)
      if (const auto stop = context.monitor.judge(x, k, context.max_iterations)) return *stop;
    const Eigen::VectorXd before = x;
    sweep(x);
    const Eigen::VectorXd displacement = x - before;
    const double size = displacement.squaredNorm();
    if (!(size > 1e-32 * x.squaredNorm())) return status_at_rest(context, k);
    const double beta = previous > 0 ? size / previous : 0;
    if (beta > 1 || beta == 0) {
      direction = displacement;
    } else {
      x += beta * direction;
      direction = beta * direction + displacement;
    }
    previous = size;
  }
}

namespace {

/// Differences of the last displacements f = G(x) - x and images G(x) of a fixed-point map.
class AndersonMemory {
 public:
  void clear() {
    df_.clear();
    dg_.clear();
    has_last_ = false;
  }
  /// The combination of images whose displacements combine to least length.
  Eigen::VectorXd mix(const Eigen::VectorXd& f, const Eigen::VectorXd& g) {
    if (has_last_) {
      df_.push_back(f - last_f_);
      dg_.push_back(g - last_g_);
      if (df_.size() > kDepth) df_.pop_front(), dg_.pop_front();
    }
    last_f_ = f;
    last_g_ = g;
    has_last_ = true;
    if (df_.empty()) return g;
    const int m = static_cast<int>(df_.size());
    Eigen::MatrixXd gram(m, m);
    Eigen::VectorXd rhs(m);
    for (int i = 0; i < m; ++i) {
      rhs[i] = df_[i].dot(f);
      for (int j = 0; j <= i; ++j) gram(i, j) = gram(j, i) = df_[i].dot(df_[j]);
    }
    gram.diagonal().array() += 1e-10 * gram.trace();  // nearly parallel differences
    const Eigen::VectorXd gamma = solve_semidefinite(gram, rhs);
    Eigen::VectorXd mixed = g;
    if (gamma.allFinite())
      for (int i = 0; i < m; ++i) mixed -= gamma[i] * dg_[i];
    return mixed;
  }

 private:
  static constexpr std::size_t kDepth = 5;
  std::deque<Eigen::VectorXd> df_, dg_;
  Eigen::VectorXd last_f_, last_g_;
  bool has_last_ = false;
};

}  // namespace

/// [Walker and Ni 2011], type II, around the projected sweep. The guard: where the displacement has doubled
/// since the best iterate, or that one is too long ago, go back to it and sweep without acceleration for a
/// while, each time for longer.
Status run_anderson(const SolverContext& context) {
  constexpr int patience = 15, longest_rest = 500;
  const ProjectedSweep sweep(context.problem);
  Eigen::VectorXd& x = context.x;
  AndersonMemory memory;
  Eigen::VectorXd safe = x;
  double least = std::numeric_limits<double>::infinity();
  int since_best = 0, rest = 0, next_rest = 1;
  for (int k = 0;; ++k) {
    if (context.monitor.due(k) || k >= context.max_iterations)
      if (const auto stop = context.monitor.judge(x, k, context.max_iterations)) return *stop;
    Eigen::VectorXd image = x;
    sweep(image);
    const Eigen::VectorXd displacement = image - x;
    const double size = displacement.norm();
    if (!(size > 1e-16 * image.norm())) return status_at_rest(context, k);
    if (size < least) {
      least = size;
      safe = image;
      since_best = 0;
    }
    if (rest > 0) {
      --rest;
      x = image;
    } else if (!(size <= 2 * least) || ++since_best > patience) {
      memory.clear();
      x = safe;
      least = std::numeric_limits<double>::infinity();
      since_best = 0;
      rest = next_rest;
      next_rest = std::min(2 * next_rest, longest_rest);
    } else {
      x = memory.mix(displacement, image);
      project_contacts(context.problem.dimension(), x);
    }
  }
}

}  // namespace capstan

#include "capstan/solve/clusters.hpp"

#include <algorithm>
#include <limits>

#include "capstan/solve/certificate.hpp"
#include "capstan/solve/momentum.hpp"

namespace capstan {
namespace {

/// Which contacts share a body, or an entry of W.
class Neighbours {
 public:
  explicit Neighbours(const CanonicalProblem& problem) : problem_(problem) {
    if (!problem.has_bodies()) return;
    const ContactJacobian& H = problem.bodies().H;
    contacts_of_.resize(H.bodies());
    for (int i = 0; i < H.contacts(); ++i)
      for (int k = H.begin(i); k < H.end(i); ++k) contacts_of_[H.body(k)].push_back(i);
  }

  /// `count` contacts around `centre` (a few more, to end with a whole ring of the last one), sorted.
  std::vector<int> around(int centre, std::size_t count) const {
    std::vector<int> found{centre};
    std::vector<bool> seen(problem_.contacts(), false);
    seen[centre] = true;
    for (std::size_t at = 0; at < found.size() && found.size() < count; ++at)
      for_each_neighbour(found[at], [&](int j) {
        if (!seen[j]) found.push_back(j);
        seen[j] = true;
      });
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  template <class F>
  void for_each_neighbour(int contact, F&& f) const {
    if (problem_.has_bodies()) {
      const ContactJacobian& H = problem_.bodies().H;
      for (int k = H.begin(contact); k < H.end(contact); ++k)
        for (const int j : contacts_of_[H.body(k)]) f(j);
    } else {
      const BlockMatrix& W = problem_.W();
      for (int k = W.row_begin(contact); k < W.row_end(contact); ++k) f(W.column(k));
    }
  }
  const CanonicalProblem& problem_;
  std::vector<std::vector<int>> contacts_of_;
};

/// Solves the contacts of `cluster` with all others held, and puts the answer into x.
void solve_cluster(const SolverContext& context, const std::vector<int>& cluster,
                   const ClustersOptions& options) {
  const int d = context.problem.dimension();
  const CanonicalProblem part = context.problem.part(cluster, context.x);
  Eigen::VectorXd x(part.size());
  for (std::size_t k = 0; k < cluster.size(); ++k)
    x.segment(Eigen::Index(k) * d, d) = context.x.segment(cluster[k] * d, d);
  Monitor monitor(part, context.monitor.options_for_part(options.cluster_accuracy));
  const int sweeps = std::min(options.cluster_sweeps, context.max_iterations);
  solve_momentum({part, x, monitor, sweeps, context.executor}, {});
  context.monitor.spend(monitor.work());
  for (std::size_t k = 0; k < cluster.size(); ++k)
    context.x.segment(cluster[k] * d, d) = monitor.best().segment(Eigen::Index(k) * d, d);
}

int worst_contact(const CanonicalProblem& problem, const Eigen::VectorXd& x) {
  Eigen::VectorXd y;
  problem.velocity(x, y);
  return worst_fischer_burmeister(problem, x, y).contact;
}

}  // namespace

Status solve_clusters(const SolverContext& context, const ClustersOptions& options) {
  const Neighbours neighbours(context.problem);
  const std::size_t size = std::min<std::size_t>(options.largest_cluster, context.problem.contacts() / 4 + 1);
  double reference = std::numeric_limits<double>::infinity();
  int patience = options.patience;
  for (int swept = 0; swept < std::min(options.max_sweeps, context.max_iterations) && patience > 0;
       --patience) {
    solve_cluster(context, neighbours.around(worst_contact(context.problem, context.x), size), options);
    context.monitor.start_stage();
    const Status status = solve_momentum(context, {.max_sweeps = options.sweeps_over_all});
    if (status == Status::converged || context.monitor.must_stop()) return status;
    swept += options.sweeps_over_all;
    if (context.monitor.best_value() < 0.67 * reference) {
      reference = context.monitor.best_value();
      patience = options.patience;
    }
  }
  return patience > 0 ? Status::iteration_limit : Status::stalled;
}

}  // namespace capstan

#pragma once
#include "capstan/solve/solver.hpp"

namespace capstan {

/// For large problems whose error has gathered in a few places. There a soft mode (a contact that creeps
/// towards its answer by the same small step in every sweep) would cost thousands of sweeps over everything;
/// over its neighbourhood alone, which stays in the cache, they are nearly free. Each round solves the
/// neighbourhood of the worst contact with all other impulses held, then sweeps over everything to spread
/// what that changed: an alternating Schwarz method with one moving subdomain.
struct ClustersOptions {
  int largest_cluster = 5000;     ///< contacts, and at most a quarter of all
  int cluster_sweeps = 30000;     ///< in one round
  int sweeps_over_all = 150;      ///< after each cluster
  double cluster_accuracy = 0.2;  ///< of the tolerance
  int max_sweeps = 100000;        ///< over all contacts, in all rounds
  int patience = 12;              ///< rounds that may pass without lowering the error by a third
};

Status solve_clusters(const SolverContext& context, const ClustersOptions& options);

}  // namespace capstan

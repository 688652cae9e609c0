#pragma once
#include <Eigen/Core>

#include "capstan/problem/canonical_problem.hpp"
#include "capstan/solve/solver.hpp"

/// Pieces that the first-order methods share. All work on canonical variables, where every diagonal block of
/// W has trace d: plain inner products are then already scaled by the masses of the contacts.
namespace capstan {

/// P_K of every contact, in place.
void project_contacts(int dimension, Eigen::VectorXd& x);
/// y + |y_T| e of every contact: the "gradient" of every method here, never lagged.
Eigen::VectorXd de_saxce_contacts(int dimension, const Eigen::VectorXd& y);

/// One forward sweep x_i <- P_K(x_i - (y_i + |y_iT| e) / lmax(W_ii)) on the rows of W.
/// A projection, not an exact local solve: it cannot cycle between several local solutions.
class ProjectedSweep {
 public:
  explicit ProjectedSweep(const CanonicalProblem& problem);
  void operator()(Eigen::VectorXd& x) const;

 private:
  const CanonicalProblem& problem_;
  const BlockMatrix& W_;
  Eigen::VectorXd step_;  // 1/lmax(W_ii); 0 for a contact that no impulse moves
};

/// The status of an iterate that no longer changes: it may be the answer, reached between two judgements.
Status status_at_rest(const SolverContext& context, int iteration);

Status run_spectral_projected_gradient(const SolverContext& context);     ///< spg
Status run_accelerated_projected_gradient(const SolverContext& context);  ///< apgd
Status run_nonsmooth_conjugate_gradient(const SolverContext& context);    ///< nncg
Status run_anderson(const SolverContext& context);                        ///< anderson

}  // namespace capstan

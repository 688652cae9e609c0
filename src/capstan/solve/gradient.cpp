#include "capstan/solve/gradient.hpp"

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/problem/dense_algebra.hpp"
#include "capstan/solve/registry.hpp"

namespace capstan {

void project_contacts(int dimension, Eigen::VectorXd& x) {
  cone::with_dimension(dimension, [&]<int D>() {
    for (Eigen::Index i = 0; i < x.size(); i += D) x.segment<D>(i) = cone::project<D>(x.segment<D>(i));
  });
}

Eigen::VectorXd de_saxce_contacts(int dimension, const Eigen::VectorXd& y) {
  Eigen::VectorXd shifted(y.size());
  cone::with_dimension(dimension, [&]<int D>() {
    for (Eigen::Index i = 0; i < y.size(); i += D) shifted.segment<D>(i) = cone::de_saxce<D>(y.segment<D>(i));
  });
  return shifted;
}

ProjectedSweep::ProjectedSweep(const CanonicalProblem& problem)
    : problem_(problem), W_(problem.W()), step_(problem.contacts()) {
  for (int i = 0; i < problem.contacts(); ++i) {
    const Eigen::MatrixXd block = problem.diagonal(i), symmetric = 0.5 * (block + block.transpose());
    const double largest = largest_eigenvalue(symmetric);
    step_[i] = largest > 0 ? 1 / largest : 0;
  }
}

void ProjectedSweep::operator()(Eigen::VectorXd& x) const {
  cone::with_dimension(problem_.dimension(), [&]<int D>() {
    for (int i = 0; i < problem_.contacts(); ++i) {
      cone::Vector<D> y = problem_.b().segment<D>(i * D);
      for (int k = W_.row_begin(i); k < W_.row_end(i); ++k)
        y.noalias() += Eigen::Map<const cone::Matrix<D>>(W_.values(k)) * x.segment<D>(W_.column(k) * D);
      x.segment<D>(i * D) = cone::project<D>(x.segment<D>(i * D) - step_[i] * cone::de_saxce<D>(y));
    }
  });
}

Status status_at_rest(const SolverContext& context, int iteration) {
  const auto stop = context.monitor.judge(context.x, iteration, context.max_iterations);
  return stop == Status::converged ? Status::converged : Status::stalled;
}

std::vector<SolverEntry> gradient_solvers() {
  return {
      {"spg", "spectral projected gradient, nonmonotone line search", 20000, run_spectral_projected_gradient},
      {"apgd", "accelerated projected gradient with restarts", 20000, run_accelerated_projected_gradient},
      {"nncg", "nonsmooth conjugate gradient around a projected sweep", 10000,
       run_nonsmooth_conjugate_gradient},
      {"anderson", "Anderson acceleration of a projected sweep, guarded", 10000, run_anderson}};
}

}  // namespace capstan

#include "capstan/solve/work.hpp"

#include <algorithm>

#include "capstan/solve/sweep/sweep.hpp"

namespace capstan {
namespace {

// Nominal seconds, measured on packings of rods and spheres and on steps of random scenes. They need to be
// right within a factor of two.
constexpr double kPerContact = 10e-9;         // the update of one of four contacts at a time
constexpr double kPerContactAlone = 50e-9;    // the update of one contact at a time
constexpr double kPerMultiplyAdd = 1e-9;      // of a sweep over the velocities of bodies, which are scattered
constexpr double kPerMultiplyAddOfW = 3e-10;  // of a sweep over the rows of W, which lie together
constexpr double kPerDenseMultiplyAdd = 8e-11;  // of a factorisation by blocks
constexpr double kPerDenseEntry = 12e-9;        // of all else that a step of a direct method does

constexpr double kPerFrontMultiplyAdd = 1e-10;  // of a sparse factorisation
constexpr double kPerSparseEntry = 2e-9;        // of L in a solve, which reads it twice

constexpr double kSweepsOfANewtonStep = 10;  // that a limit in sweeps grants for it

/// What stands for a sweep over contacts with sparse bodies.
double work_with_nodes(int contacts, const MassMatrix& M) {
  double work = kPerContactAlone * contacts;
  for (int body = 0; body < M.bodies(); ++body)
    if (const ReachedNodes* const reached = M.factor(body).reached()) {
      const SparseCholesky& factor = reached->body->factor;
      work += work_of_sparse_solve(double(factor.entries())) +
              work_of_sparse_factorisation(factor.multiply_adds()) / kSweepsOfANewtonStep;
    }
  return work;
}

double work_in_delassus_space(int contacts, double multiply_adds) {
  return kPerContactAlone * contacts + kPerMultiplyAddOfW * multiply_adds;
}

double work_in_body_space(int contacts, double multiply_adds) {
  return kPerContact * contacts + kPerMultiplyAdd * multiply_adds / kFourWideGain;
}

}  // namespace

double work_of_sweep(const CanonicalProblem& problem) {
  if (problem.has_nodes() && !problem.has_W()) return work_with_nodes(problem.contacts(), problem.nodes().M);
  if (sweeps_in_body_space(problem))
    return work_in_body_space(problem.contacts(), problem.cost_in_body_space());
  return work_in_delassus_space(problem.contacts(), problem.cost_in_delassus_space());
}

double work_of_sweep(const ContactProblem& problem) {
  const int contacts = problem.contacts();
  if (!problem.has_mass())
    return work_in_delassus_space(contacts,
                                  double(problem.dimension()) * problem.dimension() * problem.W().blocks());
  if (problem.mass().has_sparse_bodies()) return work_with_nodes(contacts, problem.mass());
  const double in_delassus_space = work_in_delassus_space(contacts, cost_in_delassus_space(problem.H()));
  const bool has_bodies = problem.mass().is_block_diagonal() && !problem.mass().has_compliance();
  if (!has_bodies) return in_delassus_space;
  return std::min(work_in_body_space(contacts, cost_in_body_space(problem.H())), in_delassus_space);
}

double work_of_judgement(const CanonicalProblem& problem) {
  if (problem.has_nodes() && !problem.has_W()) return work_of_sweep(problem);
  const double rows = std::min(problem.cost_in_body_space(), problem.cost_in_delassus_space());
  return 2 * kPerContact * problem.contacts() + kPerMultiplyAdd * rows;
}

double work_of_sparse_factorisation(double multiply_adds) { return kPerFrontMultiplyAdd * multiply_adds; }

double work_of_sparse_solve(double entries) { return kPerSparseEntry * entries; }

double work_of_dense_factorisation(Eigen::Index rows) {
  const double n = static_cast<double>(rows);
  return kPerDenseMultiplyAdd * n * n * n / 3 + kPerDenseEntry * n * n / 2;
}

double work_of_softening(const ContactProblem& problem) {
  double with_traction = 0;  // rows
  for (const ContactLaw& law : problem.laws()) with_traction += (law.traction.array() != 0).count();
  const double rows = static_cast<double>(problem.b().size());
  return work_of_dense_factorisation(static_cast<Eigen::Index>(with_traction)) +
         2 * kPerDenseMultiplyAdd * rows * with_traction * (rows + with_traction);
}

double work_of_dense_newton_step(Eigen::Index rows) { return 2 * work_of_dense_factorisation(rows); }

double work_of_direct_solve(Eigen::Index rows) {
  constexpr int kNewtonSteps = 35;
  return kNewtonSteps * work_of_dense_newton_step(rows);
}

}  // namespace capstan

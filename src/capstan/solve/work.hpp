#pragma once
#include <Eigen/Core>

#include "capstan/problem/canonical_problem.hpp"

/// Counted work. Limits that a clock sets depend on the machine, and so would the bits of the answer; these
/// do not. The unit is the nominal second: about what the operation takes on one core of a processor of 2020.
namespace capstan {

/// One Gauss-Seidel sweep over all contacts, by the sweep that make_sweep would choose. Where there are
/// sparse bodies and no W there are no sweeps: what stands for one is a product W x and a tenth of a
/// factorisation.
double work_of_sweep(const CanonicalProblem& problem);
/// The same, about, of a problem whose canonical form has not been made.
double work_of_sweep(const ContactProblem& problem);
/// One factorisation with so many multiply-adds of a sparse matrix in fronts.
double work_of_sparse_factorisation(double multiply_adds);
/// One solve with so many entries of L.
double work_of_sparse_solve(double entries);
/// One measurement of the error of an iterate.
double work_of_judgement(const CanonicalProblem& problem);
/// One factorisation L U of a dense matrix with so many rows, and some solves with it.
double work_of_dense_factorisation(Eigen::Index rows);
/// Taking tractions of the laws into M or W (without_traction), for problems that are small enough for a
/// direct solve.
double work_of_softening(const ContactProblem& problem);
/// One step of the interior point method, or of Levenberg-Marquardt.
double work_of_dense_newton_step(Eigen::Index rows);
/// As many of those as a direct solve usually takes at most.
double work_of_direct_solve(Eigen::Index rows);

}  // namespace capstan

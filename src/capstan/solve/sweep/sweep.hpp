#pragma once
#include <Eigen/Core>
#include <memory>

#include "capstan/executor.hpp"
#include "capstan/problem/canonical_problem.hpp"

namespace capstan {

/// How a sweep treats one contact, all others frozen.
enum class ContactUpdate {
  exact,      ///< solves the local problem
  projection  ///< x <- P_K(x - T(y)/l), l the largest eigenvalue of W_ii: never cycles between local roots
};

/// What a momentum method wants to know of one sweep z = sweep(y), z' the sweep before it.
struct SweepSums {
  double step = 0;       ///< |z - y|^2
  double alignment = 0;  ///< (z - y).(z - z')
};

/// One forward Gauss-Seidel pass over all contacts, in a fixed order that does not depend on the threads,
/// with the extrapolation of a momentum method folded in: contacts are read as y = z + beta (z - z').
class Sweep {
 public:
  virtual ~Sweep() = default;
  virtual void set(const Eigen::VectorXd& x) = 0;  ///< z = z' = x
  virtual Eigen::VectorXd get() = 0;               ///< z
  virtual SweepSums run(double beta, ContactUpdate update) = 0;
  /// Takes y = W z + b, computed afresh, for granted from now on: removes what rounding has gathered in
  /// quantities that are updated along with z.
  virtual void recentre(const Eigen::VectorXd& y) = 0;
};

/// Measured: four contacts at a time move about three times the multiply-adds of one contact at a time.
constexpr double kFourWideGain = 3;

/// Whether make_sweep sweeps over the velocities of bodies, four contacts at a time.
bool sweeps_in_body_space(const CanonicalProblem& problem);

/// In body space with four contacts at a time where there are bodies and it is cheaper, else in Delassus
/// space.
std::unique_ptr<Sweep> make_sweep(const CanonicalProblem& problem, const Executor& threads);

/// One contact in a frame whose tangents make the Schur complement of W_ii diagonal:
///   W_ii = [w_N, w^T; w, diag(l) + w w^T / w_N],  g = w / w_N.
/// The cone is round, so the law does not notice the rotation. Dropped and singular axes are made harmless.
struct RotatedContact {
  double normal, inverse_normal;  ///< w_N, 1/w_N (0 if no impulse moves the contact)
  double g[3], lambda[3], inverse_lambda[3];
  double step;               ///< 1/l_max(W_ii)
  Eigen::Matrix3d rotation;  ///< x_T = rotation * rotated x_T, in its leading (d-1) x (d-1) corner
};
template <int D>
RotatedContact rotate_contact(const Eigen::Matrix<double, D, D>& W_ii);

/// W' = (W_ii^-1 + E)^-1, a contact stiffened by its spring.
template <int D>
Eigen::Matrix<double, D, D> stiffened(const Eigen::Matrix<double, D, D>& W_ii, const ContactSpring& spring);

/// Whether friction and traction are the same along all tangents.
bool is_round(const ContactSpring& spring, int dimension);

/// A contact with any spring: W', P = S R and the rotated contact of S W' S.
template <int D>
struct SpringContact {
  RotatedContact rotated;
  Eigen::Matrix<double, D, D> W;
  Eigen::Matrix<double, D, 1> E;
  Eigen::Matrix<double, D - 1, D - 1> P;
};
template <int D>
SpringContact<D> spring_contact(const Eigen::Matrix<double, D, D>& W_ii, const ContactSpring& spring);

}  // namespace capstan

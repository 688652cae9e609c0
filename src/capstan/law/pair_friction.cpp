#include "capstan/law/pair_friction.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <sstream>
#include <string>
#include <utility>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Grain = std::optional<Eigen::Vector3d>;  // unit and tangential

constexpr double kShortestStructure = 1e-12;  // of structures whose length is about 1
constexpr double kLeastTangential = 1e-6;     // below, the direction is that of rounding errors

std::string friction_text(const Eigen::Vector3d& v) {
  std::ostringstream out;
  out << "(" << v[0] << ", " << v[1] << ", " << v[2] << ")";
  return out.str();
}

void check_coefficient(const char* name, double value) {
  if (std::isfinite(value) && value >= 0) return;
  std::ostringstream out;
  out << "friction: " << name << " = " << value << ", expected a finite number >= 0";
  throw InputError(out.str());
}

Eigen::Vector2d eigenvalues(const Eigen::Matrix2d& Q) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(Q, Eigen::EigenvaluesOnly).eigenvalues();
}

void check_tensor(const char* name, const Eigen::Matrix2d& Q) {
  std::ostringstream out;
  out << "friction: " << name << " = [" << Q(0, 0) << ", " << Q(0, 1) << "; " << Q(1, 0) << ", " << Q(1, 1)
      << "]";
  if (!Q.allFinite()) throw InputError(out.str() + ", expected finite numbers");
  if (std::abs(Q(0, 1) - Q(1, 0)) > 1e-12 * Q.norm())
    throw InputError(out.str() +
                     " is not symmetric: its force is no maximum of dissipation over any cone, expected "
                     "equal elements beside the diagonal");
}

void check_tensors(const PairFriction& pair) {
  check_tensor("tensor_a", pair.tensor_a);
  check_tensor("tensor_b", pair.tensor_b);
  check_coefficient("tensor_scale", pair.tensor_scale);
  // The smallest eigenvalue of the sum is at least the sum of the smallest ones, and equal to it where the
  // two eigenvectors fall on each other, which happens at some angle between the bodies.
  const double a = eigenvalues(pair.tensor_a)[0], b = eigenvalues(pair.tensor_b)[0];
  if (a + b >= -1e-12 * (pair.tensor_a.norm() + pair.tensor_b.norm())) return;
  std::ostringstream out;
  out << "friction: the smallest eigenvalues of tensor_a and tensor_b are " << a << " and " << b
      << ": their sum is negative, so that friction would drive the motion at some angle; expected a sum >= "
         "0";
  throw InputError(out.str());
}

Eigen::Vector3d checked_normal(const Eigen::Vector3d& n) {
  if (n.allFinite() && n.norm() > 0) return n.normalized();
  throw InputError("friction: normal " + friction_text(n) + ", expected a finite vector that is not zero");
}

/// The tangential direction of a structure, none if there is no telling.
Grain tangential_grain(const char* name, const Eigen::Vector3d& structure, const Eigen::Vector3d& n) {
  if (!structure.allFinite())
    throw InputError(std::string("friction: ") + name + " = " + friction_text(structure) +
                     ", expected finite numbers");
  const double length = structure.norm();
  if (length < kShortestStructure) return {};
  const Eigen::Vector3d tangential = structure - n * n.dot(structure);
  if (tangential.norm() < kLeastTangential * length) return {};
  const Eigen::Vector3d unit = tangential.normalized();
  return (unit - n * n.dot(unit)).normalized();  // once more: the first time lost digits if s is near n
}

double circular_spin(const PairFriction& pair) { return pair.mu_spin_isotropic.value_or(pair.mu_spin); }

OrientedFriction two_sided(const Eigen::Vector3d& t, double mu_t, double mu_b, double mu_tau) {
  return {t, mu_t, mu_b, mu_tau, mu_t};
}

OrientedFriction circle(const PairFriction& pair, const Eigen::Vector3d& t, double mu) {
  return two_sided(t, mu, mu, circular_spin(pair));
}

OrientedFriction along_one_grain(const PairFriction& pair, const Eigen::Vector3d& t) {
  return two_sided(t, pair.mu_along, pair.mu_across, pair.mu_spin);
}

/// [Erleben20, Alg. 1]; theta is taken from both sine and cosine, since acos loses half the digits at 0.
OrientedFriction matchstick(const PairFriction& pair, const Eigen::Vector3d& a, Eigen::Vector3d b) {
  if (a.dot(b) < 0) b = -b;
  const double theta = std::atan2(a.cross(b).norm(), a.dot(b));
  const double d = 1 - 2 * theta / M_PI;  // (5)
  const auto blend = [d](double parallel, double crossed) { return d * parallel + (1 - d) * crossed; };
  return two_sided((a + b).normalized(), blend(pair.mu_along, pair.mu), blend(pair.mu_across, pair.mu),
                   blend(pair.mu_spin, circular_spin(pair)));  // (7), (10), (11)
}

/// Q of one body in the tangent basis (e, n x e). A body without a grain has no frame for its tensor: what is
/// left is the mean over all directions.
Eigen::Matrix2d tensor_in(const Eigen::Matrix2d& Q, const Grain& grain, const Eigen::Vector3d& outward,
                          const Eigen::Matrix<double, 3, 2>& basis) {
  if (!grain) return 0.5 * Q.trace() * Eigen::Matrix2d::Identity();
  Eigen::Matrix<double, 3, 2> own;
  own << *grain, outward.cross(*grain);
  const Eigen::Matrix2d R = basis.transpose() * own;
  return R * Q * R.transpose();
}

/// L = kappa (Q_A + R Q_B R^T) is symmetric, so that (A.11) has its eigenvectors, and coefficients that are
/// its eigenvalues: C_P = L^-2. t is the axis of least resistance.
OrientedFriction tensor(const PairFriction& pair, const Grain& a, const Grain& b, const Eigen::Vector3d& n) {
  Eigen::Matrix<double, 3, 2> basis;
  basis << (a ? *a : *b), n.cross(a ? *a : *b);
  const Eigen::Matrix2d L =
      pair.tensor_scale * (tensor_in(pair.tensor_a, a, -n, basis) + tensor_in(pair.tensor_b, b, n, basis));
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(0.5 * (L + L.transpose()));
  const Eigen::Vector2d mu = axes.eigenvalues().cwiseMax(0.0);  // check() allows rounding below 0
  return two_sided(basis * axes.eigenvectors().col(0), mu[0], mu[1], pair.mu_spin);
}

/// What slides over a grain goes along it. Over the grain of B slides A, with velocity u; over that of A
/// slides B, with -u.
OrientedFriction one_sided(const PairFriction& pair, const Eigen::Vector3d& grain, GrainOf body) {
  const Eigen::Vector3d t = body == GrainOf::b ? grain : -grain;
  return {t, pair.mu_with, pair.mu_across, pair.mu_spin, pair.mu_against};
}

double circular_coefficient(const PairFriction& pair) {
  if (pair.model != FrictionModel::tensor) return pair.mu;
  return 0.5 * pair.tensor_scale * (pair.tensor_a.trace() + pair.tensor_b.trace());
}

}  // namespace

PairFriction swapped(PairFriction pair) {
  std::swap(pair.tensor_a, pair.tensor_b);
  pair.grain_of = pair.grain_of == GrainOf::a ? GrainOf::b : GrainOf::a;
  return pair;
}

void check(const PairFriction& pair) {
  check_coefficient("mu", pair.mu);
  check_coefficient("mu_along", pair.mu_along);
  check_coefficient("mu_across", pair.mu_across);
  check_coefficient("mu_with", pair.mu_with);
  check_coefficient("mu_against", pair.mu_against);
  check_coefficient("mu_spin", pair.mu_spin);
  check_coefficient("mu_spin_isotropic", circular_spin(pair));
  check_coefficient("restitution", pair.restitution);
  if (pair.restitution > 1)
    throw InputError("friction: restitution = " + std::to_string(pair.restitution) + ", expected 0 to 1");
  if (pair.model == FrictionModel::tensor) check_tensors(pair);
  if (!pair.adhesion) return;
  check(*pair.adhesion);
  if (pair.model == FrictionModel::one_sided)
    throw InputError("friction: adhesion beside one-sided friction is not supported");
  if (pair.adhesion->coupling == Coupling::box && (pair.mu_spin > 0 || circular_spin(pair) > 0))
    throw InputError("friction: a box contact bears no torque, expected mu_spin 0 beside that coupling");
}

OrientedFriction orient(const PairFriction& pair, const Eigen::Vector3d& normal,
                        const Eigen::Vector3d& structure_a, const Eigen::Vector3d& structure_b) {
  check(pair);
  const Eigen::Vector3d n = checked_normal(normal);
  const Grain a = tangential_grain("structure_a", structure_a, n);
  const Grain b = tangential_grain("structure_b", structure_b, n);
  const bool missing = !a || !b;
  if (pair.model == FrictionModel::isotropic || (!a && !b) ||
      (missing && pair.missing_grain == MissingGrain::isotropic))
    return circle(pair, a ? *a : b ? *b : n.unitOrthogonal(), circular_coefficient(pair));
  if (pair.model == FrictionModel::matchstick)
    return missing ? along_one_grain(pair, a ? *a : *b) : matchstick(pair, *a, *b);
  if (pair.model == FrictionModel::tensor) return tensor(pair, a, b, n);
  const GrainOf body = !a ? GrainOf::b : !b ? GrainOf::a : pair.grain_of;
  const Eigen::Vector3d& grain = body == GrainOf::a ? *a : *b;
  return pair.model == FrictionModel::ellipse ? along_one_grain(pair, grain) : one_sided(pair, grain, body);
}

Eigen::Matrix3d contact_frame_of(const OrientedFriction& friction, const Eigen::Vector3d& normal) {
  const Eigen::Vector3d n = checked_normal(normal);
  Eigen::Matrix3d frame;
  frame << n, friction.t, n.cross(friction.t);
  return frame;
}

ContactLaw contact_law(const OrientedFriction& friction) {
  if (friction.is_one_sided())
    throw InputError(
        "friction: one-sided friction has a law only once the side is known, expected a call of "
        "one_sided_law");
  return one_sided_law(friction, 0);
}

ContactLaw contact_law(const PairFriction& pair, const OrientedFriction& friction,
                       double normal_velocity_before) {
  return contact_law(friction).with_restitution(pair.restitution, normal_velocity_before);
}

ContactLaw one_sided_law(const OrientedFriction& friction, double sliding) {
  return ContactLaw::drilling(sliding < 0 ? friction.mu_t_back : friction.mu_t, friction.mu_b,
                              friction.mu_tau);
}

}  // namespace capstan

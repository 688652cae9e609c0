#pragma once
#include <Eigen/Core>
#include <optional>

#include "capstan/law/adhesion.hpp"
#include "capstan/law/contact_law.hpp"

namespace capstan {

/// How the grain of two surfaces becomes a friction cone. The derivations are in docs/friction.md.
enum class FrictionModel {
  isotropic,   ///< mu in every direction
  matchstick,  ///< both grains, by the angle between them [Erleben20, Alg. 1]
  ellipse,     ///< mu_along and mu_across, fixed to the grain of one body
  tensor,      ///< the sum of one tensor a body, [Erleben20, app. A], with maximal dissipation on its ellipse
  one_sided,   ///< mu_with and mu_against by the sense of sliding along the grain of one body, mu_across
};

/// What a contact does if exactly one of the two bodies has a grain there. [Erleben20] has both readings: its
/// section 6 the first, its Algorithm 1 the second (a scalar product with zero is 0, as at a right angle).
enum class MissingGrain {
  other_decides,  ///< the grain of the other body alone sets the anisotropy
  isotropic,      ///< no anisotropy
};

/// Which body a model of one grain is fixed to; where that body has none there, the other one.
enum class GrainOf { a, b };

/// Friction of a pair of materials. Coefficients are >= 0; 0 means no friction along that axis. A model reads
/// the fields that name it; all are checked, so that a mistake shows before the model is changed.
struct PairFriction {
  FrictionModel model = FrictionModel::isotropic;
  double mu = 0.5;  ///< isotropic; matchstick at a right angle; all but tensor where no body has a grain

  double mu_along = 0.5;   ///< mu_t^A: matchstick (parallel grains), ellipse. May exceed mu_across
  double mu_across = 0.5;  ///< mu_b^A: the same, and one_sided

  double mu_with = 0.5;     ///< one_sided: what slides over the grain goes where the grain points
  double mu_against = 0.5;  ///< one_sided: it goes the other way

  double mu_spin = 0;                       ///< mu_tau^A, m: torque about the normal; 0: none
  std::optional<double> mu_spin_isotropic;  ///< m, where the cone is circular; as mu_spin unless given

  /// Tensors of the two bodies, each in the frame (s, n' x s) of its own grain s and outward normal n'; the
  /// mean over all directions where a body has no grain. Symmetric; the sum of their smallest eigenvalues
  /// must be >= 0, or friction would drive the motion at some angle.
  Eigen::Matrix2d tensor_a = 0.25 * Eigen::Matrix2d::Identity();
  Eigen::Matrix2d tensor_b = 0.25 * Eigen::Matrix2d::Identity();
  double tensor_scale = 1;  ///< kappa of (A.1)

  double restitution = 0;  ///< Newton's, 0 to 1
  MissingGrain missing_grain = MissingGrain::other_decides;
  GrainOf grain_of = GrainOf::a;     ///< ellipse and one_sided
  std::optional<Adhesion> adhesion;  ///< not beside one_sided; a box not beside spin
};

/// The same pair with the names of the bodies exchanged.
PairFriction swapped(PairFriction pair);

/// Throws InputError, naming the field and its value, unless the pair is as described above.
void check(const PairFriction& pair);

/// An elliptic cone with its axes: (r_t/mu_t)^2 + (r_b/mu_b)^2 + (r_tau/mu_tau)^2 <= r_N^2. Rows of the
/// contact frame are n, t, b = n x t. Two-sided models have mu_t_back = mu_t, and then t and -t mean the
/// same.
struct OrientedFriction {
  Eigen::Vector3d t = Eigen::Vector3d::UnitX();  ///< unit, perpendicular to n
  double mu_t = 0, mu_b = 0;
  double mu_tau = 0;     ///< m
  double mu_t_back = 0;  ///< in place of mu_t where A slides along -t relative to B; see one_sided.hpp

  bool is_one_sided() const { return mu_t_back != mu_t; }
};

/// The cone at a contact with normal n (from B to A) between surfaces whose grains are along structure_a and
/// structure_b. All are in one frame. A structure need not be tangential nor of unit length: its tangential
/// part is normalised before any angle is taken. It counts as none if it is shorter than 1e-12 or if less
/// than 1e-6 of it is tangential. Only one_sided reads the sign of a structure.
///
/// The force is a continuous function of the structures wherever both are there: at a right angle
/// matchstick's axis turns by 90 degrees, but its cone is a circle. Exchanging the bodies,
/// orient(swapped(pair), -n, s_b, s_a), gives the same cone, and rotating all arguments rotates it (where
/// there is no grain the cone is a circle and t any perpendicular).
///
/// Throws InputError if the pair is wrong (check) or a vector is not finite or n is zero.
OrientedFriction orient(const PairFriction& pair, const Eigen::Vector3d& n,
                        const Eigen::Vector3d& structure_a, const Eigen::Vector3d& structure_b);

/// Columns n, t, b = n x t: what the Jacobian of the contact is written in.
Eigen::Matrix3d contact_frame_of(const OrientedFriction& friction, const Eigen::Vector3d& n);

/// The law in that frame: elliptic, or with a torque about the normal if mu_tau > 0 (dimension 4). Throws
/// InputError for one-sided friction, which is a law only once its side is known: one_sided_law.
ContactLaw contact_law(const OrientedFriction& friction);
/// The same with the restitution of the pair, for bodies that met with this normal velocity (m/s).
ContactLaw contact_law(const PairFriction& pair, const OrientedFriction& friction,
                       double normal_velocity_before);

/// One-sided friction if A slides along t (sliding > 0: mu_t) or along -t (sliding < 0: mu_t_back) relative
/// to B; `sliding` is u_t, or -r_t of a contact that sticks: friction points against what it prevents.
ContactLaw one_sided_law(const OrientedFriction& friction, double sliding);

}  // namespace capstan

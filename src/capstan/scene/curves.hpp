#pragma once
#include <Eigen/Core>
#include <numbers>
#include <vector>

/// Centre lines to start from, as polylines of `points` corners. Directions are unit vectors.
namespace capstan {

inline constexpr double kTurn = 2 * std::numbers::pi;  ///< rad

using Polyline = std::vector<Eigen::Vector3d>;

/// Some unit vector perpendicular to the unit vector t, the nearest one to `wish` unless that is zero or
/// along t.
Eigen::Vector3d perpendicular(const Eigen::Vector3d& t, const Eigen::Vector3d& wish);

/// Leaves `start` along `direction` and turns towards `normal` (made perpendicular).
Polyline arc_curve(const Eigen::Vector3d& start, const Eigen::Vector3d& direction,
                   const Eigen::Vector3d& normal, double radius, double length, int points);

/// Right-handed for a positive pitch (advance per turn), around an axis along `direction` through
/// start + radius normal.
Polyline helix_curve(const Eigen::Vector3d& start, const Eigen::Vector3d& direction,
                     const Eigen::Vector3d& normal, double radius, double pitch, double length, int points);

/// A straight tail along `direction`, `angle` around the axis through `center`, a tail that leaves along the
/// tangent.
Polyline wrap_curve(const Eigen::Vector3d& center, const Eigen::Vector3d& direction,
                    const Eigen::Vector3d& axis, double radius, double angle, double pitch,
                    const Eigen::Vector2d& tails, int points);

/// An overhand knot with a loop of about the given radius in the plane of direction and normal; the tails
/// leave along the direction, to both sides.
Polyline overhand_knot_curve(const Eigen::Vector3d& start, const Eigen::Vector3d& direction,
                             const Eigen::Vector3d& normal, double radius, double length, int points);

double length_of(const Polyline& line);

}  // namespace capstan

#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "capstan/body/rotation.hpp"
#include "capstan/body/strand.hpp"

namespace capstan {

/// How a strand lies at the start, how it would like to lie, and what holds its ends. Curvatures are
/// k = (tau, kappa_1, kappa_2), 1/m, in the material frame [n0 n1 n2] with n0 the tangent: dR/ds = R [k]x.
struct StrandShape {
  /// Start: a polyline (resampled to equal steps along it) ...
  std::vector<Eigen::Vector3d> nodes;
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< n1 at the root, made perpendicular; zero: any
  double twist = 0;                                  ///< rad, from root to tip, spread evenly
  /// ... or, if nodes is empty, the natural shape of this length from the root's frame at time 0.
  double length = 0;

  enum class Rest {
    curvature,  ///< natural_curvature everywhere (zero: straight)
    as_given    ///< the start is stress-free
  };
  Rest rest = Rest::curvature;
  Eigen::Vector3d natural_curvature = Eigen::Vector3d::Zero();

  End root, tip;
};

/// The start of a strand, cut into equal elements: n + 1 places with their frames.
struct FramedCurve {
  std::vector<Eigen::Vector3d> x;
  std::vector<Eigen::Matrix3d> R;  ///< tangent first
  double length = 0;               ///< along the curve, not along the chords
};

/// Frames of a polyline are carried along without turning (parallel transport), then turned by the twist.
/// Throws InputError for fewer than two nodes, nodes that coincide, or a length that is not positive.
FramedCurve sample_curve(const StrandShape& shape, int elements);

}  // namespace capstan

#pragma once
#include "capstan/collide/convex_core.hpp"

namespace capstan {

/// A direction from B to A and how far the cores are apart along it; < 0: overlap.
struct SeparatingAxis {
  Eigen::Vector3d n;
  double separation = 0;
};

/// The best directions of two kinds: normals of faces of both; and those perpendicular to an edge of each or,
/// if a side is round, between the centres.
struct SeparatingAxes {
  SeparatingAxis face, other;

  /// A face is preferred unless the other is better by 1e-3 of the separation and 1e-6 of the size: what
  /// rests must not flicker.
  const SeparatingAxis& best(double size) const;
};

/// Cores without round sides that overlap are parted with least motion along one of the two.
SeparatingAxes separating_axes(const ConvexCore& a, const ConvexCore& b);

}  // namespace capstan

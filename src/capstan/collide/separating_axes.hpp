#pragma once
#include "capstan/collide/convex_core.hpp"

namespace capstan {

/// A direction from B to A and how far the cores are apart along it; < 0: overlap.
struct SeparatingAxis {
  Eigen::Vector3d n;
  double separation = 0;
};

/// The best of the normals of faces of both, of the directions perpendicular to an edge of each, and, if one
/// of them is round, of the direction between the centres. Cores without round sides that overlap are parted
/// with least motion along it. A face is preferred to the others unless they are better by 1e-3 of the
/// separation and 1e-6 of the smaller size.
SeparatingAxis best_axis(const ConvexCore& a, const ConvexCore& b);

}  // namespace capstan

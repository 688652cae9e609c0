#pragma once
#include <Eigen/Core>
#include <algorithm>

namespace capstan {

/// From x to x + d.
struct Segment {
  Eigen::Vector3d x, d;
  Eigen::Vector3d at(double fraction) const { return x + fraction * d; }
};

/// Whether two segments are farther apart than that along an axis; cheap.
inline bool apart_along_axis(const Segment& a, const Segment& b, double distance) {
  for (int k = 0; k < 3; ++k) {
    const double between = a.x[k] - b.x[k];
    if (between + std::min(a.d[k], 0.0) - std::max(b.d[k], 0.0) > distance) return true;
    if (std::min(b.d[k], 0.0) - between - std::max(a.d[k], 0.0) > distance) return true;
  }
  return false;
}

/// Where two segments are closest: fractions of each, from 0 to 1.
struct ClosestFractions {
  double a, b;
};

/// Exact, points included. Where a whole stretch is equally close (parallel segments) the middle of the
/// stretch: an end would jump to the other end from one step to the next. A sine below 1e-5 counts as
/// parallel: the distance found is then too large by at most 1e-5 of the stretch.
ClosestFractions closest_fractions(const Segment& a, const Segment& b);

/// The stretch over which two segments run beside each other: the part of `a` onto which `b` projects.
struct Overlap {
  ClosestFractions first, last;  ///< by rising fraction of a
  double length = 0;             ///< m, along a
  double drift = 0;              ///< m, by how much they part sideways along the way; 0 if parallel
};

/// Length 0 if there is none, or if one of them is a point.
Overlap overlap(const Segment& a, const Segment& b);

}  // namespace capstan

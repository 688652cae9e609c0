#pragma once
#include <Eigen/Core>
#include <utility>
#include <vector>

namespace capstan::sample {

/// Pairs (i, j), i < j, of points no farther apart than `distance`, in increasing order; by a grid of cells.
std::vector<std::pair<int, int>> near_pairs(const std::vector<Eigen::Vector3d>& points, double distance);

struct Segment {
  Eigen::Vector3d a, b;
};

struct ClosestPoints {
  Eigen::Vector3d on_first, on_second;
  double distance;
};

/// The closest points of two segments that are longer than zero.
ClosestPoints closest_points(const Segment& first, const Segment& second);

}  // namespace capstan::sample

#pragma once
#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <vector>

/// Geometry of the judge, written for itself: it shares no code with the detection of contacts, so that
/// neither can hide an error of the other. Plain and slow. Lengths in m, times as a part of the step, 0 to 1.
namespace capstan::scenarios {

using Corners = std::array<int, 3>;

/// A point that moves evenly from one place to another.
struct Path {
  Eigen::Vector3d from, to;
  Eigen::Vector3d at(double time) const { return from + time * (to - from); }
};

/// Returns whether the segment pq and the triangle have a point in common; never if they are parallel.
bool segment_meets_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                            const std::array<Eigen::Vector3d, 3>& triangle);

/// Returns the first time at which a point passes through a triangle.
std::optional<double> point_through_triangle(const Path& point, const std::array<Path, 3>& triangle);

/// Returns the first time at which the segment ab passes through the segment cd.
std::optional<double> segments_pass(const Path& a, const Path& b, const Path& c, const Path& d);

/// Returns how often a closed surface goes around a point: 1 inside, 0 outside. The sum of the solid angles
/// of its triangles [Van Oosterom and Strackee 1983] over 4 pi.
double winding_number(const Eigen::Vector3d& p, std::span<const Eigen::Vector3d> vertices,
                      std::span<const Corners> triangles);

double distance_to_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b);
double distance_of_segments(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                            const Eigen::Vector3d& d);
double distance_to_triangle(const Eigen::Vector3d& p, const std::array<Eigen::Vector3d, 3>& triangle);

/// Indices of two boxes that overlap.
struct BoxPair {
  int a, b;
};
struct AxisBox {
  Eigen::Vector3d low, high;
  bool overlaps(const AxisBox& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};
AxisBox box_of(std::initializer_list<Path> paths);
/// Returns all pairs of boxes that overlap, found by sorting along the longest axis.
std::vector<BoxPair> overlapping(const std::vector<AxisBox>& boxes);

}  // namespace capstan::scenarios

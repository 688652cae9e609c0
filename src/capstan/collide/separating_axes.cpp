#include "capstan/collide/separating_axes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double parallel_sine = 1e-8;
constexpr double preference_of_separation = 1e-3, preference_of_size = 1e-6;
/// With more pairs of edge directions it pays to find out first which pairs of edges can matter.
constexpr int few_pairs_of_edges = 40;

class AxisSearch {
 public:
  AxisSearch(const ConvexCore& a, const ConvexCore& b) : a_(a), b_(b) {}

  SeparatingAxes axes() {
    for (int i = 0; i < a_.face_axes(); ++i) try_both_ways(a_.face_axis(i), face_);
    for (int i = 0; i < b_.face_axes(); ++i) try_both_ways(b_.face_axis(i), face_);
    const bool polytopes = a_.polytope() && b_.polytope();
    if (polytopes && a_.edge_axes() * b_.edge_axes() > few_pairs_of_edges)
      try_pairs_on_the_surface();
    else
      try_all_pairs_of_edges();
    if (!a_.flat_faced() || !b_.flat_faced()) try_both_ways(a_.centre() - b_.centre(), other_);
    return {face_, other_};
  }

 private:
  void try_both_ways(const Vector3d& direction, SeparatingAxis& best) const;
  void try_all_pairs_of_edges();
  void try_pairs_on_the_surface();

  const ConvexCore &a_, &b_;
  SeparatingAxis face_{Vector3d::UnitZ(), -std::numeric_limits<double>::infinity()};
  SeparatingAxis other_ = face_;
};

void AxisSearch::try_both_ways(const Vector3d& direction, SeparatingAxis& best) const {
  const double length = direction.norm();
  if (!(length > parallel_sine)) return;
  const Vector3d n = direction / length;
  const ConvexCore::Interval a = a_.interval(n), b = b_.interval(n);
  if (const double above = a.low - b.high; above > best.separation) best = {n, above};
  if (const double below = b.low - a.high; below > best.separation) best = {-n, below};
}

void AxisSearch::try_all_pairs_of_edges() {
  for (int i = 0; i < a_.edge_axes(); ++i) {
    const Vector3d along = a_.edge_axis(i);
    for (int j = 0; j < b_.edge_axes(); ++j) try_both_ways(along.cross(b_.edge_axis(j)), other_);
  }
}

// A pair of edges is a face of A - B if the arc between the normals beside the one, on the unit sphere,
// crosses the arc between the reversed normals beside the other. The other pairs cannot be the best.
void AxisSearch::try_pairs_on_the_surface() {
  const Polytope &a = *a_.polytope(), &b = *b_.polytope();
  const Frame to_b = inverse(b_.pose()) * a_.pose();
  for (const Polytope::Edge& edge_a : a.edges) {
    const Vector3d left_a = to_b.R * a.normals[edge_a.left], right_a = to_b.R * a.normals[edge_a.right];
    const Vector3d from_a = to_b.apply(a.vertices[edge_a.from]);
    const Vector3d along_a = to_b.apply(a.vertices[edge_a.to]) - from_a;
    for (const Polytope::Edge& edge_b : b.edges) {
      const Vector3d &left_b = b.normals[edge_b.left], &right_b = b.normals[edge_b.right];
      const double l = along_a.dot(left_b), r = along_a.dot(right_b);
      if (l * r >= 0) continue;  // both ends of the arc of B on one side of the circle of A
      const Vector3d& from_b = b.vertices[edge_b.from];
      const Vector3d along_b = b.vertices[edge_b.to] - from_b;
      if (along_b.dot(left_a) * along_b.dot(right_a) >= 0) continue;
      Vector3d n = along_a.cross(along_b);
      const double sine = n.norm();
      if (!(sine > parallel_sine * along_a.norm() * along_b.norm())) continue;
      n /= sine;
      // Outward of B between its two faces; the arcs meet only if that is inward of A.
      if (n.dot(left_b + right_b) < 0) n = -n;
      if (n.dot(left_a + right_a) >= 0) continue;
      const double separation = n.dot(from_a - from_b);
      if (separation > other_.separation) other_ = {b_.pose().R * n, separation};
    }
  }
}

}  // namespace

const SeparatingAxis& SeparatingAxes::best(double size) const {
  const double needed = preference_of_separation * std::abs(face.separation) + preference_of_size * size;
  return other.separation > face.separation + needed ? other : face;
}

SeparatingAxes separating_axes(const ConvexCore& a, const ConvexCore& b) { return AxisSearch(a, b).axes(); }

}  // namespace capstan

#pragma once
#include <memory>

#include "capstan/collide/polytope.hpp"
#include "capstan/collide/shape.hpp"

namespace capstan {

/// The convex hull of points as a solid. Distances are exact inside and outside; the cost grows with the
/// number of faces.
class ConvexHull : public Shape {
 public:
  /// Throws InputError as hull_of does.
  explicit ConvexHull(std::span<const Eigen::Vector3d> points);

  using Shape::closest;
  SurfacePoint closest(const Eigen::Vector3d& p) const override;
  double distance_at_least(const Eigen::Vector3d& p) const override;

  const Polytope& polytope() const { return polytope_; }
  const std::vector<Eigen::Vector3d>& vertices() const { return polytope_.vertices; }
  const std::vector<std::vector<int>>& faces() const { return polytope_.faces; }
  const std::vector<Eigen::Vector3d>& normals() const { return polytope_.normals; }
  const std::vector<Polytope::Edge>& edges() const { return polytope_.edges; }

 private:
  Polytope polytope_;
};

}  // namespace capstan

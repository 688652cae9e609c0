#pragma once
#include <array>
#include <memory>
#include <vector>

#include "capstan/collide/shape.hpp"

namespace capstan {

using Triangle = std::array<int, 3>;  ///< vertices, counterclockwise seen from outside

struct TriangleSoup {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<Triangle> triangles;
};

/// A solid bounded by triangles. The closest point comes from a tree of boxes. Its sign is that of the scalar
/// product with the angle-weighted pseudonormal there [Baerentzen and Aanaes 2005], right also where the
/// closest point is an edge or a vertex. A coarse grid of exact distances, sampled once, gives bounds that
/// rule out most far points at once and start the search in the tree well.
class TriangleMesh : public Shape {
 public:
  /// Throws InputError, naming the first offender, unless the mesh is closed and consistently oriented (each
  /// edge belongs to two triangles that run along it in opposite directions), has its outside outside
  /// (positive volume), finite vertices and no triangle with a repeated or unknown vertex. Unused vertices
  /// and triangles without area are fine. `name` begins the message.
  explicit TriangleMesh(TriangleSoup soup, const std::string& name = "mesh");
  ~TriangleMesh() override;

  SurfacePoint closest(const Eigen::Vector3d& p) const override;
  SurfacePoint closest(const Eigen::Vector3d& p, double at_most) const override;
  double distance_at_least(const Eigen::Vector3d& p) const override;
  bool convex() const override;
  double feature_length() const override;
  int nearest_triangle(const Eigen::Vector3d& p) const;

  double volume() const;  ///< m^3
  const TriangleSoup& soup() const;

 private:
  struct Tree;
  struct Samples;
  struct Found;
  Found find(const Eigen::Vector3d& p, double at_most) const;
  SurfacePoint surface_point(const Eigen::Vector3d& p, const Found& found) const;

  std::unique_ptr<const Tree> tree_;
  std::unique_ptr<const Samples> samples_;
};

}  // namespace capstan

#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

namespace capstan {

/// A bounded convex solid with flat faces, in its own frame.
struct Polytope {
  struct Edge {
    int from, to;     ///< vertices, in the order of the loop of `left`
    int left, right;  ///< the two faces
  };

  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::vector<int>> faces;      ///< loops of vertices, counterclockwise seen from outside
  std::vector<Eigen::Vector3d> normals;     ///< of the faces, unit, outward
  std::vector<double> offsets;              ///< n.x of the points of a face, m
  std::vector<Edge> edges;                  ///< each once
  std::vector<Eigen::Vector3d> directions;  ///< of the edges, unit; parallel ones once
  Eigen::Vector3d middle;                   ///< mean of the vertices, inside
};

/// |x|, |y|, |z| up to half the size.
Polytope polytope_of_box(const Eigen::Vector3d& half_size);

/// The convex hull of points. What lies within 1e-10 of their extent of a face belongs to it; triangles whose
/// corners lie within `one_face` of the extent of one plane are one face. Throws InputError with fewer than
/// four points, with one that is not finite, or if all lie in a plane to 1e-9 of the extent.
Polytope hull_of(std::span<const Eigen::Vector3d> points, double one_face = 1e-9);

}  // namespace capstan

#pragma once
#include <array>
#include <functional>
#include <vector>

#include "capstan/surface/structure_field.hpp"

namespace capstan {

/// Vertices and triangles of a surface, counterclockwise seen from outside, in the frame of the body.
class MeshSurface {
 public:
  /// The number of the triangle closest to a point.
  using Nearest = std::function<int(const Eigen::Vector3d&)>;

  /// Throws InputError, naming the first offender, for a vertex that is not finite and a triangle with an
  /// unknown vertex or without area. Who has a tree over these triangles gives `nearest`; without it all
  /// triangles are looked at.
  MeshSurface(std::vector<Eigen::Vector3d> vertices, std::vector<std::array<int, 3>> triangles,
              Nearest nearest = {});

  /// A place with a triangle and barycentric coordinates. What is known is kept; an unknown triangle is the
  /// closest one. Throws InputError for a triangle that does not exist.
  SurfacePlace located(SurfacePlace place) const;

  const std::vector<Eigen::Vector3d>& vertices() const { return vertices_; }
  const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
  const Eigen::Vector3d& corner(int triangle, int k) const { return vertices_[triangles_[triangle][k]]; }

 private:
  std::vector<Eigen::Vector3d> vertices_;
  std::vector<std::array<int, 3>> triangles_;
  Nearest nearest_;
};

/// A direction for each vertex of a mesh, interpolated in the tangent plane of the place (DirectionMean): the
/// result has unit length everywhere, also between the vertices of a coarse sweep.
class VertexField : public StructureField {
 public:
  /// Zero vectors: no structure at that vertex. Throws InputError unless there is one finite vector a vertex.
  VertexField(MeshSurface mesh, std::vector<Eigen::Vector3d> directions);
  Eigen::Vector3d at(const SurfacePlace& place) const override;

 private:
  MeshSurface mesh_;
  std::vector<Eigen::Vector3d> directions_;
};

}  // namespace capstan

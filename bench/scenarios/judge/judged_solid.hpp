#pragma once
#include <Eigen/Core>
#include <utility>
#include <variant>
#include <vector>

#include "bench/scenarios/judge/moving_features.hpp"

namespace capstan::scenarios {

/// A rigid solid in its own frame, as the judge sees it. Lengths in m.
class JudgedSolid {
 public:
  struct HalfSpace {};  ///< z <= 0
  struct Rod {
    double radius, half_length;  ///< points up to the radius from a segment of the z axis; 0: a ball
  };
  struct Drum {
    double radius, half_height;  ///< about the z axis, flat ends
  };
  struct Convex {
    std::vector<Eigen::Vector3d> normals;  ///< unit, outward
    std::vector<double> offsets;           ///< the solid is where n.x <= offset for all of them
  };
  struct Mesh {
    std::vector<AxisBox> boxes;  ///< of its triangles
  };

  static JudgedSolid half_space();
  static JudgedSolid rod(double radius, double half_length);
  static JudgedSolid drum(double radius, double half_height);
  static JudgedSolid box(const Eigen::Vector3d& half_size);
  /// The smallest convex solid around points that do not lie in one plane.
  static JudgedSolid hull(const std::vector<Eigen::Vector3d>& points);
  /// A closed surface, with its outside outside.
  static JudgedSolid mesh(std::vector<Eigen::Vector3d> vertices, std::vector<Corners> triangles);

  bool is_mesh() const { return std::holds_alternative<Mesh>(kind_); }
  bool bounded() const { return !std::holds_alternative<HalfSpace>(kind_); }
  /// Whether a point lies inside, by closed forms, or by the winding number of a mesh.
  bool contains(const Eigen::Vector3d& p) const;
  /// Whether a segment has a point inside; of a mesh whether it passes through the surface.
  bool meets(const Eigen::Vector3d& p, const Eigen::Vector3d& q) const;

  /// Triangles on the surface, or with corners there where it is round; empty for a half space.
  const std::vector<Eigen::Vector3d>& vertices() const { return vertices_; }
  const std::vector<Corners>& triangles() const { return triangles_; }
  const std::vector<std::pair<int, int>>& edges() const { return edges_; }  ///< of the triangles, each once
  /// Points deep inside: middles of chords that begin across the surface in the middle of triangles, where
  /// the solid is about as thick as the chord is long. A solid that holds one of them has come half way
  /// through. At least one but for a half space.
  const std::vector<Eigen::Vector3d>& core() const { return core_; }
  const AxisBox& bounds() const { return bounds_; }
  /// Of the surface from a point, slowly.
  double distance(const Eigen::Vector3d& p) const;

 private:
  using Kind = std::variant<HalfSpace, Rod, Drum, Convex, Mesh>;
  explicit JudgedSolid(Kind kind) : kind_(std::move(kind)) {}
  void add_surface(std::vector<Eigen::Vector3d> vertices, std::vector<Corners> triangles);
  void find_core();

  Kind kind_;
  std::vector<Eigen::Vector3d> vertices_, core_;
  std::vector<Corners> triangles_;
  std::vector<std::pair<int, int>> edges_;
  AxisBox bounds_;
};

}  // namespace capstan::scenarios

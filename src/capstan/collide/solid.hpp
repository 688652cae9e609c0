#pragma once
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "capstan/body/motion.hpp"
#include "capstan/collide/broad_phase.hpp"
#include "capstan/collide/convex_hull.hpp"
#include "capstan/collide/shape.hpp"
#include "capstan/collide/triangle_mesh.hpp"

namespace capstan {

/// What a rigid body is for collisions, in its own frame. Beside the shape, whose signed distance serves
/// strands, it knows what contact manifolds need: corners, edges, axes. Cheap to copy: what is large is
/// shared.
class Solid {
 public:
  struct Ball {
    double radius;
  };
  struct Capsule {
    double radius, half_length;  ///< of the core, along z
  };
  struct Block {
    Eigen::Vector3d half_size;
    std::shared_ptr<const Polytope> polytope;
  };
  struct Hull {
    std::shared_ptr<const Polytope> polytope;
  };
  struct Drum {
    double radius, half_height;  ///< about z, flat ends
  };
  /// A straight edge that sticks out.
  struct Edge {
    Eigen::Vector3d middle, half;  ///< from middle - half to middle + half
  };
  /// Known by its signed distance, and by points and edges of its surface that may be the first to touch.
  struct General {
    std::shared_ptr<const std::vector<Eigen::Vector3d>> corners;  ///< by rising x
    std::shared_ptr<const std::vector<Edge>> edges;               ///< by rising x of their middle
    double longest_half = 0;                                      ///< of the edges, m
    Eigen::Vector3d low, high;                                    ///< it lies between
  };
  struct Floor {};
  /// The order is that in which pairs are dealt with: the earlier one is A.
  using Kind = std::variant<Ball, Capsule, Block, Hull, Drum, General, Floor>;

  // Lengths in m. They throw InputError as the shapes do: unless sizes are positive, without a shape.
  static Solid sphere(double radius);
  static Solid capsule(double radius, double half_length);  ///< along z; half length 0: a sphere
  static Solid box(const Eigen::Vector3d& half_size);
  static Solid cylinder(double radius, double half_height);  ///< along z
  static Solid hull(std::shared_ptr<const ConvexHull> hull);
  static Solid mesh(std::shared_ptr<const TriangleMesh> mesh);
  /// Any other solid between two corners of a box; `corners` and `edges` are those that stick out.
  static Solid general(std::shared_ptr<const Shape> shape, const Eigen::Vector3d& low,
                       const Eigen::Vector3d& high, std::vector<Eigen::Vector3d> corners = {},
                       std::vector<Edge> edges = {});
  static Solid half_space();  ///< z <= 0; for what does not move freely

  const std::shared_ptr<const Shape>& shape() const { return shape_; }
  const Kind& kind() const { return kind_; }
  /// All of it lies this close to its origin; infinite for a half space.
  double bounding_radius() const { return bounding_radius_; }
  /// The least distance between two parallel planes that hold it, m: what it can pass through most easily has
  /// this size. Of a mesh that, or twice its volume over its area if that is less (the wall of a bowl);
  /// infinite for a half space.
  double thickness() const { return thickness_; }
  bool bounded() const { return !std::holds_alternative<Floor>(kind_); }

 private:
  Solid(std::shared_ptr<const Shape> shape, Kind kind, double bounding_radius, double thickness)
      : shape_(std::move(shape)),
        kind_(std::move(kind)),
        bounding_radius_(bounding_radius),
        thickness_(thickness) {}

  std::shared_ptr<const Shape> shape_;
  Kind kind_;
  double bounding_radius_, thickness_;
};

/// A box around a solid thickened by the margin, rounded outwards. For a half space all of space.
Bounds bounds(const Solid& solid, const Frame& pose, double margin);

}  // namespace capstan

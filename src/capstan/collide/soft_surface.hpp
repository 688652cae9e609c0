#pragma once
#include <Eigen/Core>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/contact.hpp"
#include "capstan/executor.hpp"

namespace capstan {

/// The surface of a soft body, for collisions. What it is made of stays; x, v and margin change from step to
/// step. `radius` is half the thickness of cloth, or a thin skin around a solid: surfaces touch where meshes
/// are that far apart (gap = distance - radii).
struct SoftSurface {
  std::vector<std::array<int, 3>> triangles;  ///< of a solid counterclockwise from outside
  std::vector<std::pair<int, int>> edges;     ///< each once
  std::vector<int> vertices;                  ///< nodes on the surface, rising
  std::vector<Eigen::Vector3d> rest;          ///< all nodes in the rest shape, m; inner ones too
  std::vector<double> vertex_area;            ///< of each node: a third of its triangles, m^2; 0 inside
  std::vector<double> edge_area;              ///< of each edge: a third of its triangles
  double radius = 0;                          ///< m, > 0
  bool closed = false;                        ///< has an inside: a solid
  bool self_contact = true;
  Eigen::Matrix3Xd x, v;  ///< nodes now, m and m/s
  double margin = 0;      ///< m; contacts are reported up to this gap (a pair: the sum of both)

  double triangle_area(int triangle) const;  ///< of the rest shape
};

/// Edges, vertices and areas from triangles and the rest shape.
SoftSurface make_soft_surface(std::vector<std::array<int, 3>> triangles, const Eigen::Matrix3Xd& rest,
                              double radius, bool closed);

/// The contacts below come in an order that does not depend on the threads. Each has its sides (soft, node,
/// weight, local = place in the rest shape), points, frame, gap, velocity_b where B is an obstacle, and area:
/// the smaller of what the two features stand for.

/// Vertices with triangles and edges with edges, of different surfaces and of one with itself (there not
/// between neighbours). The normal leads from B to A on the side where A is.
std::vector<Contact> detect_between_soft(std::span<const SoftSurface> surfaces,
                                         const Executor& executor = serial_executor());

/// With obstacles and rigid bodies by their signed distance: vertices, and the places inside edges and
/// triangles that are nearer than all of the corners (a ball between the nodes of a mesh). B is
/// `obstacle` k for k < obstacles, a rigid body k - obstacles after.
std::vector<Contact> detect_soft_with_solids(std::span<const SoftSurface> surfaces,
                                             std::span<const PlacedObstacle> solids, int obstacles,
                                             const Executor& executor = serial_executor());

/// Strands (A) with surfaces (B): capsules with edges, nodes with triangles.
std::vector<Contact> detect_strands_with_soft(const CollisionScene& scene,
                                              std::span<const SoftSurface> surfaces,
                                              const Executor& executor = serial_executor());

/// What would pass through each other on the way from x to x + dt v (v: end-of-step velocities, one matrix a
/// surface), continuously in time: vertices through triangles, edges through edges, of all surfaces and of
/// one with itself. Each comes as a contact of the start of the step, with the normal on the side where A
/// was.
std::vector<Contact> crossings(std::span<const SoftSurface> surfaces,
                               std::span<const Eigen::Matrix3Xd> velocities, double dt,
                               const Executor& executor = serial_executor());

}  // namespace capstan

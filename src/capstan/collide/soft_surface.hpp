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

/// The surface of a soft body, for collisions, from make_soft_surface. What it is made of stays; x, v and
/// margin change from step to step. `radius` is half the thickness of cloth, or a thin skin around a solid:
/// surfaces touch where meshes are that far apart (gap = distance - radii).
struct SoftSurface {
  std::vector<std::array<int, 3>> triangles;  ///< of a solid counterclockwise from outside
  std::vector<std::pair<int, int>> edges;     ///< each once, smaller node first, rising
  std::vector<int> vertices;                  ///< nodes on the surface, rising
  std::vector<Eigen::Vector3d> rest;          ///< all nodes in the rest shape, m; inner ones too
  std::vector<double> vertex_area;            ///< of each node: a third of its triangles, m^2; 0 inside
  std::vector<double> edge_area;              ///< of each edge: a third of its triangles
  double radius = 0;                          ///< m, > 0
  bool closed = false;                        ///< has an inside: a solid
  bool self_contact = true;
  Eigen::Matrix3Xd x, v;  ///< nodes now, m and m/s; from the start at rest
  double margin = 0;      ///< m, >= 0; contacts are reported up to this gap (a pair: the sum of both)

  std::vector<std::array<int, 3>> triangle_edges;  ///< edge k of a triangle joins its corners k and k + 1
  std::vector<int> edge_owner;                     ///< the first of the triangles of each edge
  std::vector<int> star_begin, star;               ///< what around() reads

  /// Triangles that have this corner, rising; none for a node inside.
  std::span<const int> around(int node) const {
    return std::span(star).subspan(star_begin[node], star_begin[node + 1] - star_begin[node]);
  }
  double triangle_area(int triangle) const;  ///< of the rest shape
};

/// Edges, vertices and areas from triangles and the rest shape. Throws InputError unless the radius is
/// positive, nodes are finite and triangles have three different known ones; if closed, unless each edge has
/// two triangles that run along it in opposite ways.
SoftSurface make_soft_surface(std::vector<std::array<int, 3>> triangles, const Eigen::Matrix3Xd& rest,
                              double radius, bool closed);

/// The contacts below come in an order that does not depend on the threads. Each has its sides (soft, node,
/// weight, local = place in the rest shape), points, frame, gap, velocity_b where B is an obstacle, and area:
/// the smaller of what the two features stand for. A side's nodes are those that count: one at a node, two
/// on an edge, three inside a triangle. t1 follows an edge of A, so that frames turn with the material.
/// All throw InputError if a position or velocity is not finite or is missing.

/// Vertices with triangles and edges with edges, of different surfaces and of one with itself.
///
/// Each vertex meets the places of a surface that are nearer to it than what is around them: inside a
/// triangle, or on an edge or a corner that sticks out towards it. Edges meet where both closest points are
/// inside. So every local minimum of the distance is there once, and every vertex within reach. Left out is
/// what is seen through the material: an edge or corner whose own surface leans towards the other by more
/// than 30 degrees, or 1 degree between edges side by side, whose normal is not that of the surfaces.
///
/// The normal leads from B to A on the side where A is. A solid has an outside: what is less deep inside it
/// than the reach (radii and margins) and an edge length is turned to the nearest way out, with
/// gap = - distance - radii. Where surfaces cross exactly, the material around or the relative velocity says
/// from where they came.
///
/// With itself a surface does not meet between features that share a node or that are closer in the rest
/// shape than pi radii: those overlap for no reason but the thickness (see may_touch in near_pair.hpp).
std::vector<Contact> detect_between_soft(std::span<const SoftSurface> surfaces,
                                         const Executor& executor = serial_executor());

/// With obstacles and rigid bodies by their signed distance: vertices, and the places inside edges and
/// triangles that are nearer than all of the corners, and those of triangles than their edges (a ball between
/// the nodes of a mesh), by 1e-3 of their size and a tenth of the radius. One place each; depths to 1e-5 of
/// the size. B is
/// `obstacle` k for k < obstacles, a rigid body k - obstacles after.
std::vector<Contact> detect_soft_with_solids(std::span<const SoftSurface> surfaces,
                                             std::span<const PlacedObstacle> solids, int obstacles,
                                             const Executor& executor = serial_executor());

/// Strands (A) with surfaces (B): nodes and capsules of the one with triangles, edges and vertices of the
/// other, by the rules of detect_between_soft. The area is the smaller of that of the surface's feature and
/// the shadow of the capsule, diameter times length.
std::vector<Contact> detect_strands_with_soft(const CollisionScene& scene,
                                              std::span<const SoftSurface> surfaces,
                                              const Executor& executor = serial_executor());

/// What would pass through each other on the way from x to x + dt v (v: end-of-step velocities, one matrix a
/// surface), continuously in time: vertices through triangles, edges through edges, of all surfaces and of
/// one with itself (not between features that share a node). What comes closer than 1e-6 of an edge length
/// counts; nothing that passes is missed. What leaves a solid from inside does not count.
///
/// Each comes as a contact of the start of the step: the points that will meet, where they are now, and the
/// normal of the moment they meet, on the side where A was. The gap is along that normal: gap + dt u_N is the
/// one at the end. Between features of one surface that are closer in the rest shape than pi radii it is that
/// of the meshes, without thickness.
std::vector<Contact> crossings(std::span<const SoftSurface> surfaces,
                               std::span<const Eigen::Matrix3Xd> velocities, double dt,
                               const Executor& executor = serial_executor());

}  // namespace capstan

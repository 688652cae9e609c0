#pragma once
#include <Eigen/Core>
#include <vector>

#include "capstan/collide/solid.hpp"

namespace capstan {

/// One of the points at which two solids touch or may soon, in the world.
struct ManifoldPoint {
  Eigen::Vector3d on_a, on_b;  ///< on the surfaces
  Eigen::Vector3d n;           ///< unit, from B to A
  double gap = 0;              ///< m, (on_a - on_b).n; < 0: overlap
};

/// Convex solids: at most four points, with the same normal but for two capsules. Others: at most four for
/// each direction of the surface.
using Manifold = std::vector<ManifoldPoint>;

/// Where two solids touch, up to a gap of `margin`; empty if they are farther apart.
///
/// Of convex solids the normal is the direction of the smallest distance, or of the least motion that ends an
/// overlap; the deepest point is always among the points, and the others are the corners of what the two
/// touching features (face, edge, flat end, line of a round side) have in common, seen along the normal.
///
///   ball             against all: one point from the exact signed distance
///   capsule          two capsules: one, or the two ends of the stretch along which they run beside each
///   other
///                    with little drift. Against convex solids: one, or the two ends on a face or along an
///                    edge
///   box, hull        separating axes: faces, then pairs of edges. Exact, apart or overlapping
///   cylinder         exact round side. Standing: four points of the rim; lying: the two ends of a line; on
///                    its rim: one. Faces, flat ends and crossed lines at once; else step by step, gaps to
///                    2e-7 of the size and normals to 1e-4. An overlap is parted with the least motion
///                    nearby, which need not be the least of all (docs/contacts.md has the measurements)
///   half space       exact: all corners and rims that are below
///   general (mesh)   corners, edges and rims of A by the distance of B, and corners of B by that of A. Edges
///   of
///                    a mesh against round sides are seen only at their ends
///
/// A face is preferred to a pair of edges unless that is better by 1e-3 of itself and 1e-6 of the size, so
/// that what rests does not flicker; the gap may be too small by that much. "Size" is the smaller bounding
/// radius. (b, a) gives the same points with n reversed, bit for bit.
Manifold manifold(const Solid& a, const Frame& pose_a, const Solid& b, const Frame& pose_b, double margin);

}  // namespace capstan

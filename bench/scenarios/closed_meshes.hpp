#pragma once
#include <Eigen/Core>
#include <string>

#include "capstan/random.hpp"

/// Closed triangle meshes as the text of an OBJ file, with their outside outside. Lengths in m, z up.
namespace capstan::scenarios {

/// Returns a part of a ball's shell that is open above. The middle of its ball lies at the origin.
///   radius  of the inside          wall    thickness
///   depth   from the bottom of the inside to the rim, at most 1.8 radius      around  corners of a ring
std::string bowl_obj(double radius, double wall, double depth, int around = 32);

/// Returns a prism of triangles: a ramp that rises along x from 0 to its height, in the middle of x and y.
std::string wedge_obj(const Eigen::Vector3d& size);

/// Returns a ball with bumps: radii vary by up to `bumps` of the radius, and smoothly.
std::string blob_obj(double radius, double bumps, Random& random, int rings = 12);

}  // namespace capstan::scenarios

#pragma once
#include <vector>

#include "capstan/body/mass_properties.hpp"
#include "capstan/collide/obstacle.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan {

/// Reads the file of a mesh or hull. Throws InputError naming the solid.
Solid make_solid(const SolidSpec& spec);
/// Throws InputError for a plane.
MassProperties mass_of(const SolidSpec& spec, const Solid& solid, double density);
std::vector<Obstacle> make_obstacles(const Scene& scene);

/// Triangles of the surface of a mesh or hull; none for other solids.
TriangleSoup triangles_of(const Shape& shape);

/// Where hair looks out from, in the obstacle's frame: the middle of a head, else the origin.
Eigen::Vector3d scalp_centre(const ObstacleSpec& obstacle);

/// Coordinates of a file whose axis `up` points up, turned so that z does.
Eigen::Vector3d turned_up(const Eigen::Vector3d& p, char up);

}  // namespace capstan

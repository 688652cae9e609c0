#pragma once
#include <memory>
#include <vector>

#include "capstan/collide/obstacle.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan {

/// Reads the file of a mesh. Throws InputError naming the obstacle.
std::shared_ptr<const Shape> make_shape(const ObstacleSpec& obstacle);
std::vector<Obstacle> make_obstacles(const Scene& scene);

/// Where hair looks out from, in the obstacle's frame: the middle of a head, else the origin.
Eigen::Vector3d scalp_centre(const ObstacleSpec& obstacle);

/// Coordinates of a file whose axis `up` points up, turned so that z does.
Eigen::Vector3d turned_up(const Eigen::Vector3d& p, char up);

}  // namespace capstan

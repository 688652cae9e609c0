#pragma once
#include <string>

#include "capstan/collide/shape.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan {

/// What pictures need to know of an obstacle (docs/runs.md).
std::string obstacle_json(const ObstacleSpec& spec, const Shape& shape);

}  // namespace capstan

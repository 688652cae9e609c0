#pragma once
#include <string>
#include <vector>

#include "capstan/scene/scene.hpp"
#include "capstan/step/world.hpp"

/// Records know strands and solids: obstacles, then rigid bodies (docs/runs.md).
namespace capstan {

/// What pictures need to know of each solid, as JSON.
std::vector<std::string> solids_json(const Scene& scene, const World& world);
std::vector<Frame> poses_of_solids(const World& world, double t);
/// How contacts name a body: a strand, or -1 - the solid.
int recorded_body(const World& world, const ContactSide& side);

}  // namespace capstan

#pragma once
#include <vector>

#include "capstan/scene/scene.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// All copies of a spec at their start, x fastest. Throws InputError naming the body.
std::vector<WorldRigid> grow_rigid(const RigidSpec& spec, int family);

}  // namespace capstan

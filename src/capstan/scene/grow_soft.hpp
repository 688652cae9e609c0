#pragma once
#include "capstan/scene/scene.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// Throw InputError naming the body if its file or its numbers cannot be used.
WorldSoft grow_cloth(const Scene& scene, const ClothSpec& spec, int family);
WorldSoft grow_soft(const Scene& scene, const SolidSoftSpec& spec, int family);

}  // namespace capstan

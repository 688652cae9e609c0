#pragma once
#include <memory>

#include "capstan/scene/scene.hpp"
#include "capstan/surface/structure_field.hpp"

namespace capstan {

/// nullptr if there is none. Reads the picture of a texture; throws InputError naming the solid.
std::shared_ptr<const StructureField> make_structure(const SolidSpec& solid);

}  // namespace capstan

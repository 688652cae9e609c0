#pragma once
#include <memory>

#include "capstan/collide/shape.hpp"
#include "capstan/scene/scene.hpp"
#include "capstan/surface/structure_field.hpp"

namespace capstan {

/// nullptr if there is none. `shape` is that of the solid: structures on meshes need its triangles. Reads the
/// picture of a texture, the texture coordinates of a mesh, the directions of vertices; throws InputError
/// with the place in the scene and the name of the solid.
std::shared_ptr<const StructureField> make_structure(const SolidSpec& solid,
                                                     const std::shared_ptr<const Shape>& shape);

}  // namespace capstan

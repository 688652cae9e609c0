#pragma once
#include "capstan/collide/shape.hpp"
#include "capstan/record/picture/solid.hpp"
#include "capstan/record/surface_lines.hpp"
#include "capstan/step/world.hpp"
#include "capstan/surface/structure_field.hpp"

/// What pictures show of the grain of surfaces.
namespace capstan {

/// About `count` lines along the structure, evenly spread over the triangles of a surface; none where there
/// is no structure. They are as long as they are apart, and end before an edge. All in the frame of the body.
record::SurfaceLines structure_lines(const StructureField& field, const Shape& shape,
                                     const record::Solid& surface, int count);

/// A rectangle of the plane z = 0 to draw its structure on: around all that moves at the start and as far as
/// it could slide down in that time (s), which is 50 times what it takes up at most.
record::Solid plane_patch(const World& world, const Frame& plane, double time);

}  // namespace capstan

#pragma once
#include <vector>

#include "capstan/step/world.hpp"

namespace capstan {

/// Overlaps up to this part of the thickness count as touching, dimensionless.
inline constexpr double kNegligibleOverlap = 1e-3;

/// Returns the thickness of a soft body, m: twice the radius of its surface for cloth; for a soft solid the
/// smallest extent of its rest shape along its principal axes.
double thickness(const SoftSurface& surface);

/// Returns the thickness of every movable body, m, in the order of World::body: how deep an overlap would
/// have to be to go right through it. Strands count with twice their collision radius. Obstacles have none:
/// an overlap is compared with the bodies that can give way.
std::vector<double> thickness_of_bodies(const World& world);

/// Returns the least way against each other, m, on which two things that touch can pass through each other:
/// the least thickness, where a soft solid counts with the layer around its surface.
double least_passage(const World& world);

}  // namespace capstan

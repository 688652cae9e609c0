#pragma once
#include "capstan/law/pair_table.hpp"
#include "capstan/scene/scene.hpp"

namespace capstan {

/// Friction of every pair of families: strands, grooms and bundles in the order of their specs, then rigid
/// bodies, then obstacles. mu is sqrt(mu_a mu_b), so that nothing rubs against what is frictionless; an
/// obstacle that gives none takes that of the other side. The last [[friction]] that names both sides
/// replaces it.
PairTable friction_table(const Scene& scene);
int first_rigid_family(const Scene& scene);

}  // namespace capstan

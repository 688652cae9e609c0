#pragma once
#include "capstan/collide/triangle_mesh.hpp"

namespace capstan {

/// Head and neck turn on shoulders that stay: as two solids that overlap inside the neck, or as one.
enum class BustPart { whole, head, shoulders };

/// A smooth closed mesh of human size, m: z up, the face towards +y, x to its right, the origin in the base
/// of the neck, the crown at z = 0.296. Ellipses stacked along a smooth curve through a table of measures.
/// Throws InputError for fewer than 8 rings or 8 points around.
TriangleSoup bust(BustPart part = BustPart::whole, int rings = 48, int around = 44);

/// Inside the head; from here every ray leaves through the scalp or the face once.
inline Eigen::Vector3d bust_head_centre() { return {0, 0.003, 0.2}; }

}  // namespace capstan

#pragma once
#include <span>
#include <vector>

#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/contact.hpp"

namespace capstan {

struct TrackOptions {
  /// How far a contact may move along its strands (both taken together) and stay the same, in capsule
  /// lengths; or over the rest shape of a soft A, in edges.
  double max_shift = 1;
  /// The same on a rigid body, in radii of the ball around it.
  double max_rigid_shift = 0.3;
  double min_cosine = 0.7;  ///< between its old and new normal
};

/// For each contact the index of the contact of the step before that it continues, or -1. Each old contact
/// is continued by at most one new one, the nearest along the strands first.
///
/// Two strands that have passed through each other look like a contact with the opposite normal, and the
/// points that touched are on the other side of each other. Such a contact is turned back: normal of the old
/// side, gap = - distance - radii. It stays so until the strands have come back, since the next step compares
/// with the turned normal. (Obstacles need none of this, their distance has a sign.)
std::vector<int> track(std::vector<Contact>& now, std::span<const Contact> before,
                       const CollisionScene& scene, const TrackOptions& options = {});

/// Impulses of the step before as first guess for this one: impulses in world axes (frame * impulse) at
/// `before`, result in the frames of `now`, zero for contacts that are new. `scale`: new dt / old dt.
/// The result may lie outside the cone of friction if the frame has turned.
std::vector<Eigen::Vector3d> transfer_impulses(std::span<const Contact> now, std::span<const int> continued,
                                               std::span<const Eigen::Vector3d> world_impulses,
                                               double scale = 1);

}  // namespace capstan

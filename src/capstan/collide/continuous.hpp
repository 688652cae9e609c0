#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/contact.hpp"
#include "capstan/collide/moving_solid.hpp"
#include "capstan/collide/soft_surface.hpp"
#include "capstan/executor.hpp"

// Continuous collision detection: what would pass through each other on the way from the start of a step to
// its end. Points of strands and of soft surfaces move evenly, solids move evenly and turn at constant rate.
// Conservative advancement is used throughout, so that nothing is stepped over. Overlaps at the end of the
// step are not looked for here: ContactFinder::overlaps finds them as contacts of that moment.
//
// A crossing is given as a contact as of the start of the step: the material points that will meet, and the
// normal of the moment they meet, on the side where A was. gap + dt u_N is the gap at the end along that
// normal.

namespace capstan {

/// Strands with each other and with themselves. `end`: nodes at the end of the step, in the order of scene.x.
std::vector<Contact> strand_crossings(const CollisionScene& scene, std::span<const Eigen::Vector3d> end,
                                      const Executor& executor = serial_executor());

/// Strands (A) with soft surfaces (B), whose nodes move by `moves` (m, one matrix for each surface).
std::vector<Contact> strand_soft_crossings(const CollisionScene& scene, std::span<const Eigen::Vector3d> end,
                                           std::span<const SoftSurface> surfaces,
                                           std::span<const Eigen::Matrix3Xd> moves,
                                           const Executor& executor = serial_executor());

/// Strands (A) with solids (B): obstacle k for k < obstacles, a rigid body k - obstacles after.
std::vector<Contact> strand_solid_crossings(const CollisionScene& scene, std::span<const Eigen::Vector3d> end,
                                            std::span<const MovingSolid> solids, int obstacles,
                                            const Executor& executor = serial_executor());

/// Soft surfaces (A) with solids (B), numbered as above.
std::vector<Contact> soft_solid_crossings(std::span<const SoftSurface> surfaces,
                                          std::span<const Eigen::Matrix3Xd> moves,
                                          std::span<const MovingSolid> solids, int obstacles,
                                          const Executor& executor = serial_executor());

/// Rigid bodies (A) with each other and with obstacles (B), numbered as above. Obstacles without a solid are
/// passed through.
std::vector<Contact> rigid_crossings(std::span<const MovingSolid> solids, int obstacles,
                                     const Executor& executor = serial_executor());

}  // namespace capstan

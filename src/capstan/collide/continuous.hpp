#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "capstan/collide/collision_scene.hpp"
#include "capstan/collide/contact.hpp"
#include "capstan/collide/moving_solid.hpp"
#include "capstan/collide/soft_surface.hpp"
#include "capstan/executor.hpp"

// Continuous collision detection: what comes too close to each other on the way from the start of a step to
// its end. Points of strands and of soft surfaces move evenly, solids move evenly and turn at constant rate.
// Conservative advancement is used throughout, so that nothing is stepped over.

namespace capstan {

/// Part of the thickness of the thinner of two things by which they may overlap. The same part of it again is
/// what an overlap may grow by in a step.
inline constexpr double allowed_overlap = 0.1, allowed_growth = 0.05;

/// A place where two things come too close on the way.
struct Crossing {
  /// Contact as of the start of the step: the material points that will meet, and the normal of the moment
  /// they meet, on the side where A was. gap + dt u_N is the gap at the end along that normal.
  Contact contact;
  /// Whether the two would go through each other. Otherwise they overlap by more than is allowed.
  bool passes = false;
};

/// Strands with each other and with themselves. `end`: nodes at the end of the step, in the order of scene.x.
std::vector<Crossing> strand_crossings(const CollisionScene& scene, std::span<const Eigen::Vector3d> end,
                                       const Executor& executor = serial_executor());

/// Strands (A) with soft surfaces (B), whose nodes move by `moves` (m, one matrix for each surface).
std::vector<Crossing> strand_soft_crossings(const CollisionScene& scene, std::span<const Eigen::Vector3d> end,
                                            std::span<const SoftSurface> surfaces,
                                            std::span<const Eigen::Matrix3Xd> moves,
                                            const Executor& executor = serial_executor());

/// Strands (A) with solids (B): obstacle k for k < obstacles, a rigid body k - obstacles after.
std::vector<Crossing> strand_solid_crossings(const CollisionScene& scene,
                                             std::span<const Eigen::Vector3d> end,
                                             std::span<const MovingSolid> solids, int obstacles,
                                             const Executor& executor = serial_executor());

/// Soft surfaces (A) with solids (B), numbered as above.
std::vector<Crossing> soft_solid_crossings(std::span<const SoftSurface> surfaces,
                                           std::span<const Eigen::Matrix3Xd> moves,
                                           std::span<const MovingSolid> solids, int obstacles,
                                           const Executor& executor = serial_executor());

/// Rigid bodies (A) with each other and with obstacles (B), numbered as above. Obstacles without a solid are
/// passed through.
std::vector<Crossing> rigid_crossings(std::span<const MovingSolid> solids, int obstacles,
                                      const Executor& executor = serial_executor());

}  // namespace capstan

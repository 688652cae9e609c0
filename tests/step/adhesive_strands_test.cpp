#include <gtest/gtest.h>

#include <cmath>

#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double kLength = 0.15, kDebondGap = 2e-4;  // m
constexpr int kElements = 15;

/// One strand along x, and one of the given direction from `start`; they stick where they touch.
World two_strands(const Vector3d& start, const Vector3d& direction) {
  World world;
  PairFriction pair;
  pair.adhesion = Adhesion{};
  pair.adhesion->stiffness = 1e5;
  pair.adhesion->energy = 1;
  pair.adhesion->viscosity = 0.1;
  pair.adhesion->debond_gap = kDebondGap;
  pair.adhesion->initial = 1;
  world.friction = PairTable(1, pair);
  world.gravity.setZero();
  for (const StrandShape& shape :
       {straight(start, direction, kLength), straight(Vector3d::Zero(), Vector3d::UnitX(), kLength)})
    world.strands.push_back(strand_of("mass_spring", shape, line_properties(), kElements, rod_radius));
  return world;
}

// The gap between parallel cylinders of radius r is below g_d in a strip as wide as 2 sqrt(g_d r), along all
// of L - shift where they lie side by side, wherever their nodes are. The last contact may stand for half a
// capsule, 5 mm, that is not there.
TEST(AdhesiveStrands, ParallelOnesStickInTheStripWhereTheyTouch) {
  for (const double shift : {0.0, 0.003, 0.005}) {
    const Simulation simulation(two_strands({shift, 0, 2 * rod_radius}, Vector3d::UnitX()),
                                fixed_steps(1e-3));
    double area = 0;
    for (const Bond& bond : simulation.bonds()) area += bond.area;
    const double width = 2 * std::sqrt(kDebondGap * rod_radius);
    EXPECT_NEAR(area, width * (kLength - shift), width * 0.005) << shift;
  }
}

/// The first bond of strands that touch, with the first one moved from `start` to `moved`.
Contact after_moving(const Vector3d& start, const Vector3d& moved, const Vector3d& direction) {
  const Simulation simulation(two_strands(start, direction), fixed_steps(1e-3));
  return contact_of(two_strands(moved, direction), simulation.bonds().at(0), 0);
}

// They are round: one that lies beside the other and not on top of it any more still touches it.
TEST(AdhesiveStrands, OneRollsAroundTheOtherWithoutAGap) {
  const double apart = 2 * rod_radius;
  for (const double angle : {0.3, 1.5, 3.0}) {
    const Vector3d around(0, std::sin(angle), std::cos(angle));
    const Contact contact = after_moving({0, 0, apart}, apart * around, Vector3d::UnitX());
    EXPECT_LT((contact.frame.col(0) - around).norm(), 1e-9) << angle;
    EXPECT_NEAR(contact.gap, 0, 1e-9);
  }
}

// What slides along either strand is slip, and opens no gap but for kKept slip^2/(2 thickness) = 0.01 mm.
TEST(AdhesiveStrands, SlidingAlongAStrandOpensNoGap) {
  const double apart = 2 * rod_radius, slip = 1.4e-3;
  const Contact parallel = after_moving({0, 0, apart}, {slip, 0, apart}, Vector3d::UnitX());
  EXPECT_NEAR(parallel.gap, 0, 1.1e-5);
  EXPECT_NEAR(std::abs(parallel.frame.col(1).dot(parallel.point_a - parallel.point_b)), slip, 0.02 * slip);
  const Vector3d crossing(0.05, -0.05, apart), across = Vector3d::UnitY();
  const Contact crossed = after_moving(crossing, crossing + slip * across, across);
  EXPECT_NEAR(crossed.gap, 0, 2.1e-5);
  EXPECT_NEAR(crossed.frame.col(0)[2], 1, 1e-3);
}

}  // namespace
}  // namespace capstan

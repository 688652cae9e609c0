#include "capstan/body/rod/mass_spring.hpp"

#include <gtest/gtest.h>

#include "body/chain_support.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

TEST(MassSpring, RefusesTwoBendingStiffnesses) {
  RodProperties rod = unit_rod();
  rod.bending_2 = 2;
  EXPECT_THROW(MassSpring(horizontal(), rod, 10), InputError);
}

TEST(MassSpring, StretchesLikeASpring) {
  // Hanging with a load: (P + w L/2) L/(E S)
  RodProperties rod = unit_rod();
  rod.stretching = 100;
  rod.bending_1 = rod.bending_2 = 1e-6;  // else the vector Laplacian resists uneven stretching too
  rod.air_drag = 10;
  MassSpring strand(clamped(-Vector3d::UnitZ(), Vector3d::UnitX()), rod, 20);
  strand.loads = {{1.0, Vector3d(0, 0, -2)}};
  ASSERT_TRUE(settle(strand, steps_of(0.05, Vector3d(0, 0, -1)), 1e-9, 2000).still);
  EXPECT_NEAR(-strand.position(1).z() - 1, 2.5 / 100, 1e-6);
}

TEST(MassSpring, BendingIsQuadraticInTheAngleOfAStraightRest) {
  // V = B/(2 c) (2 sin(angle/2))^2: two elements of length 1/2 that meet at an angle, c = 1/2
  for (const double angle : {1e-3, 0.5, 2.0}) {
    StrandShape shape;
    shape.nodes = {Vector3d(-0.5, 0, 0), Vector3d(0, 0, 0),
                   0.5 * Vector3d(std::cos(angle), std::sin(angle), 0)};
    const MassSpring strand(shape, unit_rod(), 2);
    const double w = 2 * std::sin(angle / 2);
    EXPECT_NEAR(strand.energy(Vector3d::Zero()).elastic, w * w, 1e-12 * w * w);
  }
}

TEST(MassSpring, CarriesACurvedRestThroughATumble) {
  // Free at both ends, its rest a helix, spun by a couple and left alone: it turns, and is free of stress.
  // (With a force that is no derivative it would spin itself up, to an elastic energy of 2 within 4 s.)
  StrandShape shape;
  shape.nodes = helix_nodes(6, 3, 1, 40);
  shape.rest = StrandShape::Rest::as_given;
  MassSpring strand(shape, unit_rod(), 40);
  const Vector3d before = (strand.position(0) - strand.position(0.5)).normalized();
  for (int step = 0; step < 2000; ++step) {
    strand.loads.clear();
    for (int i = 0; step < 500 && i <= 40; ++i) {
      const double s = strand.length() * i / 40;
      const Vector3d x = strand.position(s);
      strand.loads.push_back({s, Vector3d(-x.y(), x.x(), 0) / 10});
    }
    step_without_contacts(strand, steps_of(2e-3));
  }
  const Vector3d after = (strand.position(0) - strand.position(0.5)).normalized();
  EXPECT_GT((after - before).norm(), 0.5);
  EXPECT_LT(strand.energy(Vector3d::Zero()).elastic, 1e-4);
  EXPECT_LT(strand.energy(Vector3d::Zero()).kinetic, 0.05);
}

}  // namespace
}  // namespace capstan

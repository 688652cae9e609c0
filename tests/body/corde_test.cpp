#include "capstan/body/rod/corde.hpp"

#include <gtest/gtest.h>

#include <random>

#include "body/chain_support.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond turned(const Quaterniond& q, const Vector3d& phi) { return q * Quaterniond(rotation_exp(phi)); }

TEST(TurnStrain, DerivativesAreThoseOfTheStrain) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  const auto random = [&] { return Vector3d(normal(generator), normal(generator), normal(generator)); };
  for (int trial = 0; trial < 20; ++trial) {
    const Quaterniond a(rotation_exp(random())), b = turned(a, 0.5 * random());
    const TurnStrain s = turn_strain(a, b);
    const double h = 1e-6;
    for (int k = 0; k < 3; ++k) {
      const Vector3d phi = h * Vector3d::Unit(k);
      const Vector3d by_a =
          (turn_strain(turned(a, phi), b).value - turn_strain(turned(a, -phi), b).value) / (2 * h);
      const Vector3d by_b =
          (turn_strain(a, turned(b, phi)).value - turn_strain(a, turned(b, -phi)).value) / (2 * h);
      EXPECT_LT((s.J0.col(k) - by_a).norm(), 1e-8);
      EXPECT_LT((s.J1.col(k) - by_b).norm(), 1e-8);
    }
  }
}

// |s| = 4 tan(angle/4) about the axis of the rotation; the sign of a quaternion does not matter.
TEST(TurnStrain, IsTheRotationBetweenTheElements) {
  const Quaterniond a(rotation_exp(Vector3d(1, 2, 3)));
  const Vector3d phi(0.3, -0.5, 0.7);
  const Vector3d expected = 4 * std::tan(phi.norm() / 4) * phi.normalized();
  Quaterniond b = turned(a, phi);
  EXPECT_LT((turn_strain(a, b).value - expected).norm(), 1e-14);
  b.coeffs() *= -1;
  EXPECT_LT((turn_strain(a, b).value - expected).norm(), 1e-14);
}

// The stiffness kappa that aligns frames and elements acts as a shear stiffness: the tip of a cantilever
// under a small weight drops by Gamma/8 (1 + 4 B/(kappa L^2)).
TEST(Corde, IsSoftInShearAsItSays) {
  double drop[2];
  for (int k : {0, 1}) {
    RodProperties rod = unit_rod();
    rod.air_drag = 4;
    // kappa = 0.9 C/(2 inertia): 6000 B/L^2, against the least, 10 B/h^2 = 1000 B/L^2
    rod.inertia_1 = rod.inertia_2 = k == 0 ? 5e-5 : 1;
    Corde strand(horizontal(), rod, 10);
    EXPECT_TRUE(settle(strand, steps_of(0.05, Vector3d(0, 0, -0.01)), 1e-10, 20000).still);
    drop[k] = -strand.position(1).z() / (0.01 / 8);
  }
  EXPECT_NEAR(drop[1] - drop[0], 4.0 / 1000 - 4.0 / 6000, 1e-4);
}

TEST(Corde, FramesStayWithTheElements) {
  // A hair of 30 cm falls from horizontal
  const RodProperties rod = round_rod(40e-6, 1300, 3.9e9, 0.9e9);
  Corde strand(horizontal(0.3), rod, 30);
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    step_without_contacts(strand, steps_of(2e-3, Vector3d(0, 0, -9.81)));
    for (int j = 0; j < 30; ++j) {
      const Vector3d t = (strand.position(0.01 * (j + 1) - 1e-12) - strand.position(0.01 * j)).normalized();
      worst = std::max(worst, (t - strand.frame(0.01 * (j + 0.5)).col(0)).norm());
    }
  }
  EXPECT_LT(worst, 0.01);
  EXPECT_GT(strand.position(0).z() - strand.position(0.3).z(), 0.1);  // it did fall
}

TEST(Corde, NeedsRotationalInertia) {
  RodProperties rod = unit_rod();
  rod.inertia_2 = 0;
  EXPECT_THROW(Corde(horizontal(), rod, 10), InputError);
}

}  // namespace
}  // namespace capstan

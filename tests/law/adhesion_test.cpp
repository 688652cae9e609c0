#include "capstan/law/adhesion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

Adhesion glue(BondSteps steps = BondSteps::exponential) {
  Adhesion adhesion;
  adhesion.stiffness = 1e6;
  adhesion.energy = 1;
  adhesion.viscosity = 0.5;
  adhesion.bonding_rate = 1e-3;
  adhesion.saturation = 2000;
  adhesion.debond_gap = 2e-3;
  adhesion.steps = steps;
  return adhesion;
}

// d beta/dt = r (p - beta p0): beta = p/p0 (1 - exp(-r p0 t)).
TEST(Adhesion, GrowsUnderPressureAsTheClosedForm) {
  const Adhesion adhesion = glue();
  for (const double dt : {1e-3, 0.1, 1.0}) {
    double beta = 0;
    for (int k = 1; k * dt <= 3.001; ++k) {
      beta = bonded(adhesion, beta, 1500, dt);
      EXPECT_NEAR(beta, 0.75 * (1 - std::exp(-2 * k * dt)), 1e-12) << "dt = " << dt;
    }
  }
}

TEST(Adhesion, WithoutSaturationGrowsLinearlyAndStopsAtOne) {
  Adhesion adhesion = glue();
  adhesion.saturation = 0;
  EXPECT_NEAR(bonded(adhesion, 0.1, 100, 2), 0.3, 1e-15);
  EXPECT_EQ(bonded(adhesion, 0.9, 1000, 1), 1);
}

TEST(Adhesion, ALighterPressureThanBeforeTakesNothingAway) {
  EXPECT_EQ(bonded(glue(), 0.8, 1000, 1), 0.8);  // p/p0 = 0.5
}

// d beta/dt = (W - C g^2 beta)/eta: beta = b + (beta0 - b) exp(-C g^2 t/eta), b = W/(C g^2).
TEST(Adhesion, DecaysAtAGapAsTheClosedForm) {
  const Adhesion adhesion = glue();
  const double g2 = 2.5e-6, rest = 0.4;
  for (const double dt : {1e-3, 0.05, 10.0}) {
    double beta = 1;
    for (int k = 1; k <= 5; ++k) {
      beta = debonded(adhesion, beta, g2, dt);
      EXPECT_NEAR(beta, rest + 0.6 * std::exp(-5 * k * dt), 1e-12) << "dt = " << dt;
    }
  }
}

TEST(Adhesion, HoldsBelowItsEnergy) {
  EXPECT_EQ(debonded(glue(), 1, 0.999e-6, 100), 1);
  EXPECT_LT(debonded(glue(), 1, 1.001e-6, 100), 1);
}

// The reason for the exponential default: with dt > eta/(C g^2) Euler's step goes past where it should stop.
TEST(Adhesion, EulerConvergesToTheSameAndMayOvershoot) {
  const Adhesion euler = glue(BondSteps::euler);
  double beta = 1, grown = 0;
  for (int k = 0; k < 10000; ++k) {
    beta = debonded(euler, beta, 2.5e-6, 1e-5);
    grown = bonded(euler, grown, 1500, 1e-5);
  }
  EXPECT_NEAR(beta, 0.4 + 0.6 * std::exp(-0.5), 1e-5);
  EXPECT_NEAR(grown, 0.75 * (1 - std::exp(-0.2)), 1e-5);
  EXPECT_LT(debonded(euler, 1, 2.5e-6, 0.5), 0.4);
  EXPECT_GE(debonded(glue(), 1, 2.5e-6, 0.5), 0.4);
}

TEST(Adhesion, RefusesWhatMakesNoSense) {
  const auto with = [](double Adhesion::*field, double value) {
    Adhesion adhesion = glue();
    adhesion.*field = value;
    return adhesion;
  };
  EXPECT_NO_THROW(check(glue()));
  for (const Adhesion& wrong :
       {with(&Adhesion::stiffness, 0), with(&Adhesion::viscosity, 0), with(&Adhesion::energy, -1),
        with(&Adhesion::bonding_rate, NAN), with(&Adhesion::saturation, -1), with(&Adhesion::debond_gap, 0),
        with(&Adhesion::initial, 1.1), with(&Adhesion::tangential, -1)})
    EXPECT_THROW(check(wrong), InputError);
}

}  // namespace
}  // namespace capstan

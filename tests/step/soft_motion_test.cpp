// Soft bodies through the whole step, against closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

World soft_world(const std::string& text) { return build_world(parse_scene(text, "scene.toml")); }

const SoftBody& only_soft_body(const Simulation& simulation) { return *simulation.world().soft[0].body; }

// Mass per area rho, stretch E h: a strip of length L gets longer by rho g L^2/(2 E h). With lumped masses
// the sum over cells is exact; the membrane stiffens by 3/2 of the strain, 0.1 % here.
TEST(SoftMotion, AStripStretchesUnderItsOwnWeight) {
  for (const std::string model :
       {"model = \"membrane\"\npoisson = 0", "model = \"mass_spring\"\nshear = 0"}) {
    Simulation simulation(soft_world(R"(
      [[cloth]]
      size = [0.05, 0.5]
      cells = [2, 20]
      rotation = [1.5707963267949, 0, 0]
      density = 0.2
      stretch = 500
      damping = 0.05
      mass_damping = 5
      hold = [{ low = [-1, -1, 0.249], high = [1, 1, 1] }]
      )" + model),
                          fixed_steps(5e-3));
    run_until(simulation, 1.5);
    const double longer = -0.25 - only_soft_body(simulation).positions().row(2).minCoeff();
    const double expected = 0.2 * 9.81 * 0.5 * 0.5 / (2 * 500);
    EXPECT_NEAR(longer, expected, 3e-3 * expected) << model;
  }
}

// Let go at rest under gravity, a beam of length L and height h swings between that and twice its sag with
//   f = 1.8751^2/(2 pi) sqrt(E h^2/(12 rho L^4)).
// Four cells across sag by 0.88 of what they should (solid_elasticity_test.cpp), which makes them faster by
// up to 1/sqrt(0.88) = 1.07; shear and rotary inertia, left out above, make up for some of it.
TEST(SoftMotion, ACantileverSwingsAtItsNaturalFrequency) {
  StepOptions options = fixed_steps(2e-3);
  options.theta = 0.5;
  Simulation simulation(soft_world(R"(
    [[soft]]
    shape = "box"
    size = [0.2, 0.04, 0.04]
    cells = [20, 4, 4]
    young = 4e6
    poisson = 0
    damping = 0
    hold = [{ low = [-0.11, -1, -1], high = [-0.0999, 1, 1] }]
    )"),
                        options);
  int tip = 0;
  only_soft_body(simulation).positions().row(0).maxCoeff(&tip);
  const double start = only_soft_body(simulation).positions()(2, tip);
  std::vector<double> sag;
  for (int k = 1; k <= 250; ++k) {
    run_until(simulation, 2e-3 * k);
    sag.push_back(start - only_soft_body(simulation).positions()(2, tip));
  }
  std::vector<double> tops;  // times of least sag
  for (std::size_t k = 1; k + 1 < sag.size(); ++k)
    if (sag[k] < sag[k - 1] && sag[k] <= sag[k + 1]) tops.push_back(2e-3 * static_cast<double>(k));
  ASSERT_GE(tops.size(), 4u);
  const double f = static_cast<double>(tops.size() - 1) / (tops.back() - tops.front());
  const double beam =
      1.8751 * 1.8751 / (2 * pi) * std::sqrt(4e6 * 0.04 * 0.04 / (12 * 1000 * std::pow(0.2, 4)));
  EXPECT_GT(f, beam);
  EXPECT_LT(f, 1.07 * beam);
  const double first = *std::max_element(sag.begin(), sag.begin() + 60);
  EXPECT_GT(*std::max_element(sag.end() - 60, sag.end()), 0.93 * first);  // theta = 1/2 does not damp
}

const std::string jelly = R"(
  [[soft]]
  shape = "box"
  size = [0.1, 0.1, 0.1]
  cells = [4, 4, 4]
  position = [0, 0, 0.2]
  rotation = [0.3, 0.2, 0]
  young = 3e4
  damping = 0
)";

// With theta = 1/2 a fall is exact, v^2/(2 g) and all, and nothing is strained.
TEST(SoftMotion, AJellyFallsFreely) {
  StepOptions options = fixed_steps(2e-3);
  options.theta = 0.5;
  World world = soft_world(jelly);
  const double start = world.energy().total();
  Simulation simulation(std::move(world), options);
  run_until(simulation, 0.1);
  const SoftBody& body = only_soft_body(simulation);
  const Vector3d middle = body.positions() * body.masses() / body.masses().sum();
  EXPECT_NEAR(middle[2], 0.2 - 0.5 * 9.81 * 0.01, 1e-12);
  EXPECT_NEAR(simulation.world().energy().total(), start, 1e-12 * start);
  EXPECT_LT(body.strain().maxCoeff(), 1e-12);
}

// Implicit Euler damps; contacts take energy and give none.
TEST(SoftMotion, TheEnergyOfAJellyThatBouncesAndSpinsNeverGrows) {
  for (const std::string model : {"corotational", "neo_hookean"}) {
    World world =
        soft_world(jelly + "spin = [0, 3, 1]\nmodel = \"" + model + "\"\n[[obstacle]]\nshape = \"plane\"");
    const double start = world.energy().total();
    Simulation simulation(std::move(world), fixed_steps(4e-3, 1e-6));
    double before = start, most_growth = 0, rebound = 0;
    for (int k = 1; k <= 150; ++k) {
      run_until(simulation, 4e-3 * k);
      const double now = simulation.world().energy().total();
      most_growth = std::max(most_growth, now - before);
      before = now;
      if (simulation.t() > 0.25)
        rebound = std::max(rebound, only_soft_body(simulation).positions().row(2).minCoeff());
    }
    EXPECT_LT(most_growth, 1e-9 * start) << model;
    EXPECT_GT(rebound, 0.02) << model;
    EXPECT_LT(before, 0.7 * start) << model;
  }
}

// Two sheets on edge, one above the other and at right angles. The lower one is lifted by its upper edge,
// through the lower edge of the other, which is held: no force can prevent that, and none is tried.
TEST(SoftMotion, WhatIsHeldGoesThroughWhatIsHeld) {
  World world = soft_world(R"(
    [[cloth]]
    size = [0.1, 0.1]
    cells = [4, 4]
    position = [0.003, 0.004, 0.055]
    rotation = [1.5707963267949, 0, 0]
    hold = [{ low = [-1, -1, -1], high = [1, 1, 0.0051] }]
    [[cloth]]
    size = [0.1, 0.1]
    cells = [4, 4]
    position = [0, 0, -0.05]
    rotation = [0, 1.5707963267949, 0]
    [[cloth.hold]]
    low = [-1, -1, -1e-4]
    high = [1, 1, 1]
    keys = [{ t = 0 }, { t = 0.2, x = [0, 0, 0.006] }]
  )");
  StepOptions options = fixed_steps(4e-3, 1e-6);
  options.adaptive = true;
  Simulation simulation(std::move(world), options);
  double fastest = 0;
  for (int k = 1; k <= 50; ++k) {
    run_until(simulation, 4e-3 * k);
    for (const WorldSoft& soft : simulation.world().soft)
      fastest = std::max(fastest, soft.body->velocities().cwiseAbs().maxCoeff());
  }
  EXPECT_EQ(simulation.steps(), 50);
  EXPECT_LT(fastest, 0.3);
}

}  // namespace
}  // namespace capstan

// Strands that lie, slide and land on a plane, of every model.
#include <algorithm>

#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

class OnAPlane : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, OnAPlane, testing::ValuesIn(rod_models()), name_of_model);

/// A straight strand at `height` over the plane z = 0.
World strand_over_plane(const std::string& model, double height, double mu, const Vector3d& direction,
                        const Vector3d& gravity) {
  World world;
  const Vector3d start(0, 0, rod_radius + height);
  world.strands.push_back(
      strand_of(model, straight(start, direction, 0.2), line_properties(), 10, rod_radius));
  world.obstacles.push_back(still(std::make_shared<HalfSpace>()));
  set_friction(world, mu);
  world.gravity = gravity;
  return world;
}

/// How far the middle goes down a slope of the given tangent within 0.2 s, over g sin t^2/2, the way without
/// friction.
double slid(const std::string& model, double mu, double slope, const Vector3d& direction) {
  const double g = 9.81, c = 1 / std::sqrt(1 + slope * slope);
  Simulation simulation(strand_over_plane(model, 0, mu, direction, g * c * Vector3d(slope, 0, -1)),
                        fixed_steps(2e-3));
  const Vector3d before = simulation.world().strands[0].body->position(0.1);
  run_until(simulation, 0.2);
  const Vector3d moved = simulation.world().strands[0].body->position(0.1) - before;
  return moved.x() / (0.5 * g * c * slope * 0.2 * 0.2);
}

// Slides iff tan(alpha) > mu, with acceleration g (sin alpha - mu cos alpha): implicit Euler goes
// a t (t + dt)/2 in the time t.
TEST_P(OnAPlane, SlipsAboveTheAngleOfFriction) {
  const double mu = 0.3;
  for (const Vector3d& direction : {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(1, 1, 0)}) {
    EXPECT_LT(std::abs(slid(GetParam(), mu, 0.99 * mu, direction)), 1e-6) << direction.transpose();
    for (const double slope : {1.01 * mu, 2 * mu}) {
      const double way = (1 - mu / slope) * 1.01;
      EXPECT_NEAR(slid(GetParam(), mu, slope, direction), way, 1e-4) << direction.transpose();
    }
  }
}

// Dropped on one end at 0.6 m/s, which is 0.6 radii a step: what is apart may close its gap and no more.
TEST_P(OnAPlane, LandsWithoutBouncingOrSinkingIn) {
  Simulation simulation(strand_over_plane(GetParam(), 0.02, 0.3, Vector3d(1, 0, 0.1), Vector3d(0, 0, -9.81)),
                        fixed_steps(1e-3));
  const Strand& strand = *simulation.world().strands[0].body;
  double deepest = 0, highest_after_landing = 0;
  while (simulation.t() < 1.0) {
    const StepReport report = simulation.step(1.0);
    ASSERT_EQ(report.status, Status::converged);
    deepest = std::max(deepest, report.penetration);
    if (simulation.t() > 0.5)
      for (int i = 0; i <= 10; ++i)
        highest_after_landing = std::max(highest_after_landing, strand.position(0.02 * i).z() - rod_radius);
  }
  EXPECT_LT(deepest, 1e-3 * rod_radius);
  EXPECT_LT(highest_after_landing, 1e-2 * rod_radius);
  for (int i = 0; i <= 10; ++i) EXPECT_LT(strand.velocity(0.02 * i).norm(), 1e-5) << i;
}

// Two lines fall together, 0.4 radii apart, at 2 radii a step. They do not approach each other until the
// plane stops the lower one, in the middle of a step.
TEST(TwoLines, TheUpperOneDoesNotRunIntoTheOneThatIsStopped) {
  World world;
  world.obstacles.push_back(still(std::make_shared<HalfSpace>()));
  const double height = 0.05;
  for (const double z : {height, height + 2.4 * rod_radius}) {
    const bool lower = z == height;
    world.strands.push_back(strand_of("mass_spring",
                                      straight(Vector3d(lower ? -0.1 : 0, lower ? 0 : -0.1, z),
                                               lower ? Vector3d::UnitX() : Vector3d::UnitY(), 0.2),
                                      line_properties(), 10, rod_radius));
  }
  set_friction(world, 0.3);
  Simulation simulation(std::move(world), fixed_steps(2e-3));
  double deepest = 0;
  while (simulation.t() < 0.12) {
    const StepReport report = simulation.step(0.12);
    ASSERT_EQ(report.status, Status::converged);
    deepest = std::max(deepest, report.penetration);
  }
  EXPECT_FALSE(simulation.contacts().empty());
  EXPECT_LT(deepest, 0.1 * rod_radius);
}

}  // namespace
}  // namespace capstan

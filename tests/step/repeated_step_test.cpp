#include "step/worlds.hpp"

namespace capstan {
namespace {

// Rods that fall so fast that the first attempt at a step is too long, and the step is made again.
World falling_rods(const std::string& model) {
  World world;
  for (int i = 0; i < 3; ++i) {
    world.strands.push_back(strand_of(model,
                                      straight({-0.05, 0.01 * i - 0.05, 0.004 * i}, {1, 0.3 * i, 0}, 0.1),
                                      line_properties(), 6, 1e-3));
  }
  Frame below;
  below.x = {0, 0, -0.5};
  world.obstacles.push_back(still(std::make_shared<HalfSpace>(), below));
  set_friction(world, 0.4);
  return world;
}

// An attempt that is given up must leave nothing of it: the step that is made in its place is the one that
// would have been made at once with the shorter dt.
TEST(RepeatedSteps, AreTheStepsThatAShorterStepWouldHaveMade) {
  int repeated = 0;
  for (const std::string& model : rod_models()) {
    World fast = falling_rods(model);
    fast.gravity = {0, 0, -2e5};  // so that a step of 1 ms moves by more than ten capsules
    StepOptions options;
    options.dt = 1e-3;
    options.solve.tolerance = 1e-10;
    Simulation simulation(std::move(fast), options);
    for (int step = 0; step < 25; ++step) {
      const Simulation::State before = simulation.state();
      const StepReport report = simulation.step(1);
      if (report.attempts == 1) continue;
      ++repeated;
      World same = falling_rods(model);
      same.gravity = {0, 0, -2e5};
      StepOptions at_once = options;
      at_once.adaptive = false;
      at_once.dt = report.dt;
      Simulation again(std::move(same), at_once);
      Simulation::State start = before;
      start.dt = report.dt;
      again.set_state(start);
      again.step(1);
      const std::vector<double> a = simulation.state().bodies, b = again.state().bodies;
      const Eigen::Map<const Eigen::VectorXd> one(a.data(), Eigen::Index(a.size()));
      const Eigen::Map<const Eigen::VectorXd> other(b.data(), Eigen::Index(b.size()));
      EXPECT_LT((one - other).norm(), 1e-6 * one.norm()) << model << ", step " << step;
    }
  }
  EXPECT_GT(repeated, 0);
}

}  // namespace
}  // namespace capstan

#include "step/rigid_worlds.hpp"

namespace capstan {
namespace {

/// A light rod between two heavy blocks that close at 10 m/s.
World press(const std::string& model) {
  World world;
  world.strands.push_back(
      strand_of(model, straight({-0.05, 0, 0}, {1, 0, 0}, 0.1), line_properties(), 6, rod_radius));
  for (const double side : {-1.0, 1.0}) {
    const Frame pose{{0, 0, 0.053 * side}, Eigen::Matrix3d::Identity()};
    const MassProperties mass = mass_of_box(Eigen::Vector3d::Constant(0.05), 1e9);
    world.rigid.push_back({"block",
                           std::make_unique<RigidBody>(mass, pose, Twist{{0, 0, -5 * side}, {0, 0, 0}}),
                           Solid::box(Eigen::Vector3d::Constant(0.05))});
  }
  set_friction(world, 0.5);
  return world;
}

// Two sweeps cannot stop blocks of a million tons by way of a rod of a tenth of a gram. Then they are held:
// the step says so and is not called converged, and the rod is still between them.
TEST(Hold, KeepsThingsApartWhereTheSolverCannot) {
  for (const std::string& model : rod_models()) {
    StepOptions options;
    options.dt = 1e-3;
    options.solve.solver = "momentum";
    options.solve.max_iterations = 2;
    Simulation simulation(press(model), options);
    int held = 0;
    while (simulation.t() < 3e-3) {
      const StepReport report = simulation.step(3e-3);
      EXPECT_EQ(report.crossings, 0) << model;
      if (report.held > 0) {
        EXPECT_EQ(report.status, Status::stalled);
      }
      held += report.held;
    }
    EXPECT_GT(held, 0) << model;
    const World& world = simulation.world();
    const double low = world.rigid[0].body->centre().z() + 0.05,
                 high = world.rigid[1].body->centre().z() - 0.05;
    const double middle = world.strands[0].body->position(0.05).z();
    EXPECT_LT(low, middle) << model;
    EXPECT_GT(high, middle) << model;
  }
}

}  // namespace
}  // namespace capstan

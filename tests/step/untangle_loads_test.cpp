// Overlaps at the start are undone without what loads bodies.
#include "step/worlds.hpp"

namespace capstan {
namespace {

TEST(Untangle, DoesNotLetLoadsMoveWhatIsMovedApart) {
  const auto two_rods = [](double load) {
    World world;
    for (int i = 0; i < 2; ++i)
      world.strands.push_back(strand_of("discrete_elastic", straight({-0.1, 0, 0.0015 * i}, {1, 0, 0}, 0.2),
                                        line_properties(), 8, 1e-3));
    world.strands[1].body->loads.push_back({0.2, {0, 0, load}});
    set_friction(world, 0.3);
    Simulation simulation(std::move(world), fixed_steps(1e-3, 1e-6));
    simulation.untangle();
    EXPECT_EQ(simulation.world().strands[1].body->loads.size(), 1u);
    return simulation.state().bodies;
  };
  EXPECT_EQ(two_rods(0), two_rods(50));
}

}  // namespace
}  // namespace capstan

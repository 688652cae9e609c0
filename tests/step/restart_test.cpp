// What a step computes depends on the state alone: not on the threads, not on what came before the state.
#include <filesystem>
#include <limits>

#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "step/worlds.hpp"

namespace capstan {
namespace {

constexpr double far_away = 10;  // s; no step ends at the limit

Scene hair_scene() { return read_scene(shipped_scene("strands/hair_small.toml")); }

Simulation hair(const Executor& executor) {
  const Scene scene = hair_scene();
  return Simulation(build_world(scene), step_options(scene.simulation, executor));
}

void expect_same_bits(const Simulation::State& a, const Simulation::State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.dt, b.dt);
  EXPECT_EQ(a.dt_used, b.dt_used);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.body_sizes, b.body_sizes);
  EXPECT_EQ(a.contact_ids, b.contact_ids);
  EXPECT_TRUE(a.bodies == b.bodies);
  EXPECT_TRUE(a.contacts == b.contacts);
}

TEST(Restart, OneAndTwoThreadsGiveTheSameBits) {
  const TbbExecutor one(1), two(2);
  Simulation a = hair(one), b = hair(two);
  for (int i = 0; i < 20; ++i) {
    a.step(far_away);
    b.step(far_away);
  }
  EXPECT_GT(a.contacts().size(), 10u);
  expect_same_bits(a.state(), b.state());
}

TEST(Restart, ARestoredSimulationGoesOnBitForBit) {
  Simulation a = hair(serial_executor());
  for (int i = 0; i < 10; ++i) a.step(far_away);
  const Simulation::State middle = a.state();
  EXPECT_FALSE(middle.contacts.empty());
  for (int i = 0; i < 10; ++i) a.step(far_away);

  Simulation b = hair(serial_executor());
  b.set_state(middle);
  expect_same_bits(b.state(), middle);
  for (int i = 0; i < 10; ++i) b.step(far_away);
  expect_same_bits(b.state(), a.state());

  // Back in time in the same object: nothing of the steps already made is left over.
  a.set_state(middle);
  for (int i = 0; i < 10; ++i) a.step(far_away);
  expect_same_bits(a.state(), b.state());
}

TEST(Restart, AllModelsGoOnBitForBit) {
  for (const std::string& model : rod_models()) {
    const auto fall = [&] {
      World world;
      for (int i = 0; i < 2; ++i)
        world.strands.push_back(strand_of(model,
                                          straight({0, 0.003 * i, 0.002}, {1, 0.1 - 0.2 * i, 0.2}, 0.2),
                                          line_properties(), 8, 1e-3));
      world.obstacles.push_back(still(std::make_shared<HalfSpace>()));
      set_friction(world, 0.3);
      return Simulation(std::move(world), fixed_steps(1e-3, 1e-6));
    };
    Simulation a = fall(), b = fall();
    for (int i = 0; i < 60; ++i) a.step(far_away);
    EXPECT_FALSE(a.contacts().empty()) << model;
    b.set_state(a.state());
    for (int i = 0; i < 20; ++i) {
      a.step(far_away);
      b.step(far_away);
    }
    expect_same_bits(a.state(), b.state());
  }
}

TEST(Restart, AStateOfAnotherWorldIsRefused) {
  Simulation a = hair(serial_executor());
  Simulation::State state = a.state();
  state.body_sizes.pop_back();
  EXPECT_THROW(a.set_state(state), InputError);
  state = a.state();
  state.contact_ids.push_back(0);
  EXPECT_THROW(a.set_state(state), InputError);
  state = a.state();
  state.bodies.pop_back();
  EXPECT_THROW(a.set_state(state), InputError);
  state = a.state();
  state.body_sizes[0] = -1;
  EXPECT_THROW(a.set_state(state), InputError);
  for (const double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    state = a.state();
    state.dt = dt;
    EXPECT_THROW(a.set_state(state), InputError);
  }
}

TEST(Restart, AContactOfThingsThatAreNotThereIsRefused) {
  Simulation a = hair(serial_executor());
  for (int i = 0; i < 60 && a.contacts().empty(); ++i) a.step(far_away);
  ASSERT_FALSE(a.contacts().empty());
  const Simulation::State good = a.state();
  EXPECT_NO_THROW(a.set_state(good));
  for (int k = 0; k < 13; ++k)  // indices of bodies and nodes
    for (const int index : {1000, -2}) {
      Simulation::State state = good;
      state.contact_ids[static_cast<std::size_t>(k)] = index;
      EXPECT_THROW(a.set_state(state), InputError) << k;
    }
}

}  // namespace
}  // namespace capstan

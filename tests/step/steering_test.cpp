// What is changed between steps: motions that are taken over, friction, and how they survive a restart.
#include "capstan/errors.hpp"
#include "capstan/scene/friction_table.hpp"
#include "step/glue_worlds.hpp"
#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr const char* kSledge = R"(
[simulation]
dt = 0.01
tolerance = 1e-10
adaptive = false
[[obstacle]]
name = "table"
shape = "plane"
[[rigid]]
name = "box"
shape = "box"
size = [0.1, 0.1, 0.1]
position = [0, 0, 0.05]
[[friction]]
between = ["box", "table"]
mu = 0.5
)";

Simulation simulate(const Scene& scene) {
  return Simulation(build_world(scene), step_options(scene.simulation, serial_executor()));
}

void drive(const Simulation& simulation, const Vector3d& velocity) {
  const Motion& table = simulation.world().obstacles[0].motion;
  const double t = simulation.t();
  table.steer(Course{t, t + 100, table.at(t), {velocity, Vector3d::Zero()}});
}

// A table that starts at v drags the box along: it slides with mu g until it has caught up.
TEST(Steering, ADrivenObstacleDragsWhatLiesOnIt) {
  Simulation simulation = simulate(parse_scene(kSledge, "sledge.toml"));
  drive(simulation, {1, 0, 0});
  for (int k = 0; k < 10; ++k) simulation.step(100);
  const RigidBody& box = *simulation.world().rigid[0].body;
  EXPECT_NEAR(box.twist().linear[0], 0.5 * 9.81 * 0.1, 1e-8);
  for (int k = 0; k < 20; ++k) simulation.step(100);
  EXPECT_NEAR(box.twist().linear[0], 1, 1e-8);
}

TEST(Steering, IsPartOfTheState) {
  const Scene scene = parse_scene(kSledge, "sledge.toml");
  Simulation a = simulate(scene);
  a.step(100);
  drive(a, {1, 0, 0});
  for (int k = 0; k < 5; ++k) a.step(100);
  const Simulation::State middle = a.state();
  EXPECT_EQ(middle.course_ids, std::vector<int>{0});
  for (int k = 0; k < 5; ++k) a.step(100);

  Simulation b = simulate(parse_scene(kSledge, "sledge.toml"));
  b.set_state(middle);
  for (int k = 0; k < 5; ++k) b.step(100);
  EXPECT_TRUE(a.state().bodies == b.state().bodies);
  EXPECT_EQ(a.world().obstacles[0].motion.at(a.t()).x, b.world().obstacles[0].motion.at(b.t()).x);

  Simulation::State before = middle;
  before.courses.clear();
  before.course_ids.clear();
  b.set_state(before);
  EXPECT_FALSE(b.world().obstacles[0].motion.moves());
  before.course_ids = {99};
  EXPECT_THROW(b.set_state(before), InputError);
}

TEST(Steering, HoldsOfSceneCanBeSteered) {
  const Scene scene = read_scene(shipped_scene("adhesion/peel.toml"));
  const World world = build_world(scene);
  const std::vector<const Motion*> motions = world.scripted();
  ASSERT_EQ(motions.size(), 2u);  // the table and the end of the tape
  for (const Motion* motion : motions) EXPECT_TRUE(motion->is_steerable());
}

// Braking with mu g from v takes v/(mu g).
TEST(Steering, FrictionChangesFromTheNextStepOn) {
  Scene scene = parse_scene(kSledge, "sledge.toml");
  scene.rigid[0].velocity = {1, 0, 0};
  Simulation simulation = simulate(scene);
  for (int k = 0; k < 10; ++k) simulation.step(100);
  EXPECT_NEAR(simulation.world().rigid[0].body->twist().linear[0], 1 - 0.5 * 9.81 * 0.1, 1e-8);
  scene.friction = parse_friction("[[friction]]\nbetween = ['table', 'box']\nmu = 0.1", "friction", scene);
  simulation.set_friction(friction_table(scene));
  for (int k = 0; k < 10; ++k) simulation.step(100);
  EXPECT_NEAR(simulation.world().rigid[0].body->twist().linear[0], 1 - 0.6 * 9.81 * 0.1, 1e-8);
  EXPECT_EQ(simulation.certificate().slide, 4);
}

TEST(Steering, MistakesInFrictionAreToldAsThoseOfAScene) {
  const Scene scene = parse_scene(kSledge, "sledge.toml");
  try {
    parse_friction("[[friction]]\nbetween = ['tabel', 'box']\nmu = 0.1\n", "friction", scene);
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("friction:2:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("did you mean 'table'"), std::string::npos) << error.what();
  }
  EXPECT_THROW(parse_friction("[[rigid]]\nshape = 'sphere'\n", "friction", scene), InputError);
}

TEST(Steering, BondsGoWithTheirAdhesion) {
  Simulation simulation(hanging_cube(glue(), 0), fixed_steps(1e-3));
  for (int k = 0; k < 20; ++k) simulation.step(100);
  EXPECT_FALSE(simulation.bonds().empty());
  PairFriction plain;
  plain.mu = 0.5;
  simulation.set_friction(PairTable(1, plain));
  EXPECT_TRUE(simulation.bonds().empty());
  const double v = simulation.world().rigid[0].body->twist().linear[2];
  for (int k = 0; k < 10; ++k) simulation.step(100);
  EXPECT_NEAR(simulation.world().rigid[0].body->twist().linear[2], v - kFall * 0.01, 1e-9);
  EXPECT_THROW(simulation.set_friction(PairTable(2, plain)), InputError);
}

}  // namespace
}  // namespace capstan

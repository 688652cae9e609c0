// With still obstacles contacts only take energy, of every model: elastic + kinetic + gravity.
#include <algorithm>

#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// What the energy did along a run, in units of the largest kinetic energy it had.
struct EnergyRecord {
  double largest_growth = 0;  ///< in one step
  double lost = 0;
  int most_contacts = 0, self_contacts = 0, unsolved = 0;
};

EnergyRecord watch(Simulation& simulation, double until) {
  EnergyRecord record;
  double energy = simulation.world().energy().total(), kinetic = 0;
  const double start = energy;
  while (simulation.t() < until) {
    const StepReport report = simulation.step(until);
    if (report.status != Status::converged) ++record.unsolved;
    record.most_contacts = std::max(record.most_contacts, report.contacts);
    for (const Contact& contact : simulation.contacts())
      if (contact.b.strand == contact.a.strand) ++record.self_contacts;
    const Energy now = simulation.world().energy();
    kinetic = std::max(kinetic, now.kinetic);
    record.largest_growth = std::max(record.largest_growth, now.total() - energy);
    energy = now.total();
  }
  record.lost = (start - energy) / kinetic;
  record.largest_growth /= kinetic;
  return record;
}

/// A helical piece does the work of two chords, at a higher price.
int elements_of(const std::string& model, int chords) { return model == "super_helix" ? chords / 2 : chords; }

class EnergyOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, EnergyOf, testing::ValuesIn(rod_models()), name_of_model);

void expect_only_losses(const EnergyRecord& record) {
  EXPECT_LT(record.largest_growth, 1e-5);  // the tolerance of the solver
  EXPECT_GT(record.lost, 0.1);
  EXPECT_EQ(record.unsolved, 0);
}

/// A line thrown onto a slope: it lands on its end, falls over, slides and bends.
TEST_P(EnergyOf, AStrandThatFallsAndSlidesOnlyFalls) {
  for (const double mu : {0.0, 0.3}) {
    World world;
    world.strands.push_back(strand_of(GetParam(), straight({0, 0, 0.01}, {1, 0.2, 1}, 0.3), line_properties(),
                                      elements_of(GetParam(), 12), rod_radius));
    world.obstacles.push_back(still(std::make_shared<HalfSpace>()));
    set_friction(world, mu);
    world.gravity = Vector3d(4, 0, -9);
    Simulation simulation(std::move(world), fixed_steps(1e-3, 1e-5));
    expect_only_losses(watch(simulation, 0.4));
  }
}

/// Two lines fall across each other and a ball.
TEST_P(EnergyOf, StrandsThatFallOnABallAndOnEachOtherOnlyFall) {
  World world;
  RodProperties rod = line_properties();
  rod.bending_1 = rod.bending_2 = 2e-6;  // limp
  rod.twisting = 1.5e-6;
  world.strands.push_back(strand_of(GetParam(), straight({-0.13, 0.01, 0.056}, {1, 0, 0}, 0.3), rod,
                                    elements_of(GetParam(), 12), rod_radius));
  world.strands.push_back(strand_of(GetParam(), straight({0, -0.14, 0.062}, {0, 1, 0.02}, 0.3), rod,
                                    elements_of(GetParam(), 12), rod_radius));
  world.obstacles.push_back(still(std::make_shared<RoundedRod>(0.05)));
  set_friction(world, 0.3);
  Simulation simulation(std::move(world), fixed_steps(1e-3, 1e-5));
  expect_only_losses(watch(simulation, 0.4));
}

/// A coil of a turn and a half that would like to be a narrower coil of the other hand: it winds up, presses
/// its turns together and rubs.
TEST_P(EnergyOf, AStrandThatMeetsItselfOnlyLoses) {
  World world;
  StrandShape shape;
  const int points = 60;
  for (int i = 0; i <= points; ++i) {  // turns 2.2 mm apart: almost touching
    const double a = 3 * pi * i / points;
    shape.nodes.emplace_back(0.04 * std::cos(a), 0.04 * std::sin(a), 2.2e-3 * a / (2 * pi));
  }
  shape.normal = Vector3d(-1, 0, 0);
  shape.natural_curvature = Vector3d(-2, 0, 32);
  world.strands.push_back(
      strand_of(GetParam(), shape, line_properties(), elements_of(GetParam(), 40), rod_radius));
  set_friction(world, 0.3);
  world.gravity = Vector3d(0, 0, 0);
  Simulation simulation(std::move(world), fixed_steps(1e-3, 1e-5));
  const EnergyRecord record = watch(simulation, 0.2);
  expect_only_losses(record);
  EXPECT_GT(record.self_contacts, 10);
}

}  // namespace
}  // namespace capstan

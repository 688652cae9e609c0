// A strand whose free end rests on a ball that turns to and fro [Daviet11, fig. 7].
#include <algorithm>
#include <filesystem>

#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

// ---- sticks for ever, or not ----

/// A cantilever of length 1 and stiffness 1 whose tip rests at the height of its clamp on a ball that turns
/// about the strand's axis, so that its top moves sideways by delta sin(omega t).
///   N = 3/8 w L, lateral stiffness of the tip 3 B/L^3:  sticks for ever iff delta <= mu Gamma L/8,
/// and otherwise the tip goes no farther than that. For small deflections and a large ball (N/R << 3 B/L^3).
struct Cantilever {
  static constexpr double gamma = 0.4, mu = 0.05, ball_radius = 10, period = 300, start = 20;
  static constexpr double limit = mu * gamma / 8;

  /// How far the tip goes to the side, and how far it slips on the ball, in a period and a quarter.
  struct Swing {
    double reach = 0, slip = 0;
  };
  static Swing swing(const std::string& model, double delta);
};

Cantilever::Swing Cantilever::swing(const std::string& model, double delta) {
  RodProperties rod;
  rod.radius = 1e-3;
  rod.linear_density = gamma;
  rod.bending_1 = rod.bending_2 = 1;
  rod.twisting = 2.0 / 3;
  rod.stretching = 1e5;
  rod.inertia_1 = rod.inertia_2 = 1e-6;
  rod.internal_damping = 0.2;
  StrandShape shape;
  shape.length = 1;
  shape.root = {Hold::clamped, Motion(Frame{})};
  World world;
  world.strands.push_back(strand_of(model, shape, rod, model == "super_helix" ? 8 : 20, 1e-3));
  world.strands[0].collision_s = {0, 1};  // only the tip touches: the rest hangs lower than its chord
  Motion::Oscillation turning;
  turning.frequency = 1 / period;
  turning.rotation = Vector3d(-delta / ball_radius, 0, 0);
  turning.start = start;
  world.obstacles.push_back(Obstacle{
      "ball", std::make_shared<RoundedRod>(ball_radius),
      Motion(Frame{Vector3d(1.05, 0, -ball_radius - 1e-3)}, {}, Motion::Interpolation::smooth, {turning})});
  set_friction(world, mu);
  world.gravity = Vector3d(0, 0, -1);
  Simulation simulation(std::move(world), fixed_steps(0.2));
  const Strand& strand = *simulation.world().strands[0].body;
  Swing result;
  run_until(simulation, start);
  while (simulation.t() < start + 1.25 * period) {
    run_until(simulation, simulation.t() + 1);
    const double y = strand.position(1).y();
    const double ball = delta * std::sin(2 * pi * (simulation.t() - start) / period);
    result.reach = std::max(result.reach, std::abs(y));
    result.slip = std::max(result.slip, std::abs(y - ball));
  }
  keep_for_plot("ball", model, delta / limit, result.reach / limit, result.slip / limit);
  return result;
}

class TipOnABall : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, TipOnABall, testing::ValuesIn(rod_models()), name_of_model);

TEST_P(TipOnABall, SticksForEverUpToTheLimit) {
  const double limit = Cantilever::limit;
  const auto sticks = Cantilever::swing(GetParam(), 0.97 * limit);
  const auto slips = Cantilever::swing(GetParam(), 1.03 * limit);
  const auto far = Cantilever::swing(GetParam(), 2 * limit);
  // Bending to the side draws an inextensible tip in by 0.6 delta^2/L, which is some slip at any delta.
  EXPECT_LT(sticks.slip, 0.005 * limit);
  EXPECT_GT(slips.slip, 0.02 * limit);
  EXPECT_NEAR(far.reach, limit, 0.01 * limit);
}

// ---- the full orbit ----

/// Way of the free end, every 10 ms for three turns of 2 s. The scene as shipped, with a ball so large that
/// the strand does not fall off.
std::vector<Vector3d> orbit(const std::string& solver) {
  const Scene scene = read_scene(shipped_scene("strands/sphere_orbit.toml"),
                                 {{"obstacle.0.radius", "0.1"},
                                  {"obstacle.0.position", "[0.17, 0, -0.1015]"},
                                  {"obstacle.0.oscillation.0.rotation", "[0.2, 0.1, 0.3]"}});
  StepOptions options = step_options(scene.simulation, serial_executor());
  options.solve.solver = solver;
  Simulation simulation(build_world(scene), options);
  const Strand& strand = *simulation.world().strands[0].body;
  std::vector<Vector3d> way;
  for (int i = 1; i <= 600; ++i) {
    while (simulation.t() < 0.01 * i) simulation.step(0.01 * i);
    way.push_back(strand.position(strand.length()));
    if (i > 400) keep_for_plot("orbit", solver, way.back().x(), way.back().y());
  }
  return way;
}

/// Diameter of the last turn.
double size_of(const std::vector<Vector3d>& way) {
  double size = 0;
  for (std::size_t i = way.size() - 200; i < way.size(); ++i)
    for (std::size_t k = i; k < way.size(); ++k) size = std::max(size, (way[i] - way[k]).norm());
  return size;
}

double largest_distance(const std::vector<Vector3d>& a, const std::vector<Vector3d>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

TEST(SphereOrbit, IsTheSameForAllExactSolversAndAnotherForPyramids) {
  const std::vector<Vector3d> reference = orbit("gs:enum");
  const double size = size_of(reference);
  EXPECT_GT(size, 0.01);  // it is carried along,
  EXPECT_LT(size, 0.1);   // and stays on the ball
  for (const char* solver : {"auto", "momentum_projection", "interior", "gs", "gs:dac", "gs:duriez08",
                             "prox_gs", "newton_ac", "newton_fb"})
    EXPECT_LT(largest_distance(orbit(solver), reference), 1e-3 * size) << solver;
  for (const char* solver : {"gs:duriez06", "gs:4sides"})
    EXPECT_GT(largest_distance(orbit(solver), reference), 0.05 * size) << solver;
}

}  // namespace
}  // namespace capstan

// A rod pushed down onto a rough floor: clamped above, its tip stuck straight below until it slips.
#include <algorithm>
#include <array>

#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Length 1, stiffness 1, no weight. Starts bent in the xz plane as a clamped-pinned column buckles,
/// y = sin(k s) - k cos(k s) + k (1 - s), k = tan k = 4.4934, so far that the clamp is 0.01 low.
StrandShape bent_column(double& height) {
  const double k = 4.49341, amplitude = 0.01;
  const int points = 400;
  StrandShape shape;
  Vector3d x = Vector3d::Zero();
  shape.nodes.push_back(x);
  for (int i = 0; i < points; ++i) {
    const double s = (i + 0.5) / points;
    const double slope = amplitude * (k * std::cos(k * s) + k * k * std::sin(k * s) - k);
    x += Vector3d(std::sin(slope), 0, -std::cos(slope)) / points;
    shape.nodes.push_back(x);
  }
  height = -x.z() + rod_radius;
  for (Vector3d& node : shape.nodes) node.z() += height;
  return shape;
}

/// The rod on its floor, the clamp going down at 0.01 L/s.
struct PushedRod {
  static constexpr double speed = 0.01;
  double height = 0;  ///< of the clamp over the tip at the start
  Simulation simulation;

  PushedRod(const std::string& model, double mu) : simulation(world_of(model, mu), fixed_steps(0.05)) {}
  double eps() const { return 1 + rod_radius - height + speed * simulation.t(); }
  double tip() const { return simulation.world().strands[0].body->position(1).x(); }

  World world_of(const std::string& model, double mu) {
    RodProperties rod;
    rod.radius = rod_radius;
    rod.linear_density = 1e-2;
    rod.bending_1 = rod.bending_2 = 1;
    rod.twisting = 2.0 / 3;
    rod.stretching = 1e6;
    rod.inertia_1 = rod.inertia_2 = 1e-8;
    rod.internal_damping = 0.01;
    StrandShape shape = bent_column(height);
    Eigen::Matrix3d R;
    R << Vector3d(0, 0, -1), Vector3d(0, 1, 0), Vector3d(1, 0, 0);
    const std::vector<Motion::Key> keys{{0}, {40, Vector3d(0, 0, -40 * speed)}};
    shape.root = {Hold::clamped, Motion(Frame{shape.nodes.front(), R}, keys, Motion::Interpolation::linear)};
    World world;
    world.strands.push_back(strand_of(model, shape, rod, model == "super_helix" ? 14 : 32, rod_radius));
    world.strands[0].collision.self_contact = false;
    world.obstacles.push_back(still(std::make_shared<HalfSpace>()));
    set_friction(world, mu);
    world.gravity.setZero();
    return world;
  }
  void push_to(double wanted) { run_until(simulation, simulation.t() + (wanted - eps()) / speed); }
  /// On the tip, N.
  Vector3d force() const {
    Vector3d sum = Vector3d::Zero();
    for (const Vector3d& impulse : simulation.impulses()) sum += impulse;
    return sum / simulation.state().dt_used;
  }
};

class RodOnAFloor : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, RodOnAFloor, testing::ValuesIn(rod_models()), name_of_model);

// Clamped-pinned elastica (boundary value problem): P L^2/B and Q/P at a shortening eps.
TEST_P(RodOnAFloor, PushesBackLikeTheElasticaWhileItSticks) {
  constexpr std::array<std::array<double, 3>, 4> reference{
      {{0.05, 20.57, 0.1035}, {0.1, 20.96, 0.1528}, {0.2, 21.72, 0.2378}, {0.3, 22.42, 0.3265}}};
  PushedRod rod(GetParam(), 0.6);
  for (const auto& [eps, P, ratio] : reference) {
    rod.push_to(eps);
    const Vector3d force = rod.force();
    keep_for_plot("floor", GetParam(), eps, force.z(), std::abs(force.x()) / force.z());
    EXPECT_NEAR(force.z(), P, 0.015 * P) << eps;
    EXPECT_NEAR(std::abs(force.x()) / force.z(), ratio, 0.01 * ratio) << eps;
  }
}

// Slips at the eps at which Q/P = mu.
TEST_P(RodOnAFloor, SlipsWhereTheElasticaAsksForMoreThanMu) {
  for (const auto& [mu, eps] : {std::pair(0.1, 0.0469), std::pair(0.2, 0.155)}) {
    PushedRod rod(GetParam(), mu);
    const double start = rod.tip();
    while (std::abs(rod.tip() - start) < 1e-3 && rod.eps() < 0.3) rod.push_to(rod.eps() + 0.001);
    keep_for_plot("slip", GetParam(), mu, rod.eps());
    // a part of eps is half that part of mu: Q/P = 0.449 sqrt(eps), for small eps
    EXPECT_NEAR(rod.eps(), eps, 0.03 * eps) << mu;
  }
}

}  // namespace
}  // namespace capstan

// A loose overhand knot under a pull [Audoly, Clauvelin, Neukirch 2007].
#include <algorithm>

#include "capstan/scene/curves.hpp"
#include "step/worlds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Stiffness 1, loop of radius about 1, rod of radius h; the root is clamped, the tip is pulled along x.
class Knot {
 public:
  static constexpr double length = 14;

  Knot(double h, int elements, double mu, double start_radius)
      : h_(h), simulation_(world_of(h, elements, mu, start_radius), steps()) {}

  /// Radius of the loop, from the circle through three points of its far side, once it is still.
  double radius_under(double pull, double duration) {
    Strand& strand = *simulation_.world().strands[0].body;
    strand.loads = {{strand.length(), Vector3d(pull, 0, 0)}};
    const double end = simulation_.t() + duration;
    while (simulation_.t() < end) simulation_.step(end);
    return radius();
  }
  double radius() const {
    const Strand& strand = *simulation_.world().strands[0].body;
    const Vector3d a = strand.position(length / 2 - 0.5), b = strand.position(length / 2),
                   c = strand.position(length / 2 + 0.5);
    const double area = 0.5 * (b - a).cross(c - a).norm();
    return (b - a).norm() * (c - b).norm() * (c - a).norm() / (4 * area);
  }
  int steps_made() const { return simulation_.steps(); }

  /// T h^2/B = e^4/2 +- mu 0.492 e^3, e = sqrt(h/R), for e -> 0: + while tightening, - while loosening.
  double pull_of(double R, double friction) const {
    const double e = std::sqrt(h_ / R);
    return (std::pow(e, 4) / 2 + friction * 0.492 * std::pow(e, 3)) / (h_ * h_);
  }

 private:
  /// Nothing may move farther than half a radius in a step: it would jump through itself.
  static StepOptions steps() {
    StepOptions options = fixed_steps(0.05, 1e-6);
    options.adaptive = true;
    options.dt_min = 1e-5;
    options.longest_move = 0.1;
    return options;
  }
  static World world_of(double h, int elements, double mu, double start_radius) {
    RodProperties rod;
    rod.radius = h;
    rod.linear_density = 0.02;
    rod.bending_1 = rod.bending_2 = 1;
    rod.twisting = 2.0 / 3;
    rod.stretching = 1e4;
    rod.inertia_1 = rod.inertia_2 = 2e-6;
    rod.internal_damping = 0.02;
    rod.air_drag = 0.02;
    StrandShape shape;
    shape.nodes = overhand_knot_curve(Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitZ(), start_radius,
                                      length, 600);
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    R.col(0) = (shape.nodes[1] - shape.nodes[0]).normalized();
    R.col(1) = perpendicular(R.col(0), Vector3d::UnitZ());
    R.col(2) = R.col(0).cross(R.col(1));
    shape.root = {Hold::clamped, Motion(Frame{shape.nodes.front(), R})};
    World world;
    world.strands.push_back(strand_of("discrete_elastic", shape, rod, elements, h));
    set_friction(world, mu);
    world.gravity.setZero();
    return world;
  }
  double h_;
  Simulation simulation_;
};

// 5 % at R/h >= 50 in the limit of a short braid. At R/h = 51 (h = 0.02) it is 6.0 %, at 102 it is 4.6 %:
// what is left shrinks like the braid, as sqrt(h/R).
TEST(OverhandKnot, WithoutFrictionPullsLikeARing) {
  Knot knot(0.01, 180, 0, 1.4);
  const double R = knot.radius_under(0.5, 15);
  keep_for_plot("knot", "frictionless", R, 0.5 * R * R, knot.steps_made());
  EXPECT_NEAR(0.5 * R * R, 0.5, 0.05 * 0.5);
}

TEST(OverhandKnot, TightensAgainstFrictionAndHoldsByIt) {
  const double mu = 0.1;
  Knot knot(0.02, 130, mu, 1.4);
  const double R = knot.radius_under(0.5, 10);
  keep_for_plot("knot", "tightening", R, knot.pull_of(R, mu), knot.steps_made());
  EXPECT_NEAR(knot.pull_of(R, mu), 0.5, 0.05 * 0.5);
  // Without friction it would open to R = sqrt(B/2T) = 1.6; with it, below a pull of 0.05 only.
  const double held = knot.radius_under(0.2, 5);
  keep_for_plot("knot", "held", held, knot.pull_of(R, -mu), knot.steps_made());
  EXPECT_NEAR(held, R, 0.02 * R);
}

// From the tight side: the knot opens until the pull is the lower end of the hysteresis, whose width at this
// R is T+ - T- = 2 mu 0.492 e^3 B/h^2.
TEST(OverhandKnot, LoosensDownToTheLowerEndOfTheHysteresis) {
  const double mu = 0.1, pull = 0.02;
  Knot knot(0.02, 130, mu, 1.0);
  const double R = knot.radius_under(pull, 20);
  keep_for_plot("knot", "loosening", R, knot.pull_of(R, -mu), knot.steps_made());
  const double width = knot.pull_of(R, mu) - knot.pull_of(R, -mu);
  EXPECT_NEAR(knot.pull_of(R, -mu), pull, 0.05 * width);
}

}  // namespace
}  // namespace capstan

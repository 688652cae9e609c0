// Rods that know twist and an anisotropic section: instabilities and shapes with closed forms or independent
// numerical references. Units as in chains_test.cpp.
#include <gtest/gtest.h>

#include "body/chain_support.hpp"
#include "capstan/body/rod/corde.hpp"
#include "capstan/body/rod/discrete_elastic.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

template <class Model>
class TwistingChains : public testing::Test {};
using ChainsWithTwist = testing::Types<DiscreteElastic, Corde>;
TYPED_TEST_SUITE(TwistingChains, ChainsWithTwist);

// Straight, the tip turned by an angle within the stable range: torque C Phi/L, energy C Phi^2/(2 L).
TYPED_TEST(TwistingChains, TwistSpreadsEvenly) {
  StrandShape shape = horizontal();
  const Frame tip{Vector3d(1, 0, 0), shape.root.motion.at(0).R};
  shape.tip = {Hold::clamped, Motion(tip, {{0.0}, {1.0, Vector3d::Zero(), Vector3d(8, 0, 0)}})};
  RodProperties rod = unit_rod();
  rod.internal_damping = 1e-2;
  TypeParam strand(shape, rod, 80);
  step_for(strand, steps_of(1e-2), 400);
  EXPECT_NEAR(strand.energy(Vector3d::Zero()).elastic, 0.5 * rod.twisting * 64,
              0.002 * 0.5 * rod.twisting * 64);
  const Vector3d n1 = Eigen::AngleAxisd(4 + 0.5 * 8 / 80, Vector3d::UnitX()) * Vector3d::UnitZ();
  EXPECT_LT((strand.frame(0.501).col(1) - n1).norm(), 1e-6);
}

/// Pushes a strand in equilibrium sideways for a moment and lets go. The largest displacement in that
/// direction of the point at s in the second of two equal spans of time, as a multiple of the first: below 1
/// the equilibrium is stable.
double growth(Strand& strand, const StepConditions& step, double s, const Vector3d& push, int steps) {
  const Vector3d before = strand.position(s);
  const std::vector<PointForce> loads = strand.loads;
  strand.loads.push_back({s, push});
  step_for(strand, step, steps / 10);
  strand.loads = loads;
  double largest[2] = {0, 0};
  for (int i = 0; i < 2 * steps; ++i) {
    step_without_contacts(strand, step);
    double& span = largest[i / steps];
    span = std::max(span, std::abs((strand.position(s) - before).dot(push.normalized())));
  }
  return largest[1] / largest[0];
}

/// Weak about n1 = z (sideways), stiff about n2 (in the vertical plane).
RodProperties strip(double torsion) {
  RodProperties rod = unit_rod();
  rod.bending_2 = 1000;
  rod.twisting = torsion;
  rod.air_drag = 0.3;
  return rod;
}

// Own weight: w L^3/sqrt(B2 C) = 12.8538, tip load: P L^2/sqrt(B2 C) = 4.0126 (roots of J_{-1/6}, J_{-1/4}),
// over sqrt((1 - B2/B1)(1 - C/B1)) for a finite stiffness B1 in the plane
TYPED_TEST(TwistingChains, StripsBuckleSideways) {
  const double C = 0.7, correction = std::sqrt((1 - 1e-3) * (1 - C / 1000));
  for (const bool tip_load : {false, true})
    for (const double ratio : {0.97, 1.03}) {
      TypeParam strand(horizontal(), strip(C), 40);
      const double load = ratio * (tip_load ? 4.0126 : 12.8538) * std::sqrt(C) / correction;
      StepConditions step = steps_of(0.02, tip_load ? Vector3d(0, 0, 0) : Vector3d(0, 0, -load));
      if (tip_load) strand.loads = {{1.0, Vector3d(0, 0, -load)}};
      step_for(strand, step, 100);
      EXPECT_LT(std::abs(strand.position(1).y()), 1e-9);  // in its plane until it is pushed
      const double g = growth(strand, step, 1, Vector3d(0, 1e-5, 0), 250);
      if (ratio < 1)
        EXPECT_LT(g, 0.7);
      else
        EXPECT_GT(g, 1.5);
    }
}

/// Clamped pointing down, naturally curved by kn L, nu = 0.5: growth of what leaves the plane equilibrium at
/// this weight, followed from none on.
template <class Model>
double growth_out_of_plane(double kn, double gamma) {
  StrandShape shape = clamped(-Vector3d::UnitZ(), Vector3d::UnitX());
  shape.natural_curvature = Vector3d(0, 0, kn);
  RodProperties rod = unit_rod();
  rod.air_drag = 5;
  Model strand(shape, rod, 60);
  for (int i = 1; i <= 400; ++i)
    step_without_contacts(strand, steps_of(0.02, Vector3d(0, 0, -gamma * std::min(1.0, i / 200.0))));
  EXPECT_LT(std::abs(strand.position(1).y()), 1e-6);
  return growth(strand, steps_of(0.02, Vector3d(0, 0, -gamma)), 1, Vector3d(0, 1e-8, 0), 300);
}

// The plane equilibrium, continued from Gamma = 0, loses stability at these Gamma (second variation of a
// chain of rotations, computed apart, 2 %).
TYPED_TEST(TwistingChains, CurvedRodsLeaveTheirPlane) {
  const double table[][2] = {{6, 11.9}, {7, 14.6}, {8, 19.2}, {10, 28.5}};
  for (const auto& [kn, critical] : table) {
    EXPECT_LT(growth_out_of_plane<TypeParam>(kn, 0.97 * critical), 0.8) << "kn L = " << kn;
    EXPECT_GT(growth_out_of_plane<TypeParam>(kn, 1.03 * critical), 1.25) << "kn L = " << kn;
  }
}

TYPED_TEST(TwistingChains, CurvedRodsRegainTheirPlane) {  // kn L = 6 is unstable from 11.9 to 37.6 only
  EXPECT_GT(growth_out_of_plane<TypeParam>(6, 0.97 * 37.6), 1.25);
  EXPECT_LT(growth_out_of_plane<TypeParam>(6, 1.03 * 37.6), 0.8);
}

TYPED_TEST(TwistingChains, LittleCurvedRodsKeepTheirPlane) {
  for (const double kn : {4, 5})
    for (const double gamma : {5, 10, 20, 40, 100})
      EXPECT_LT(growth_out_of_plane<TypeParam>(kn, gamma), 0.8) << "kn L = " << kn << ", Gamma = " << gamma;
}

/// Ends clamped on a line, the tip turned by `angle`, and then moved along the line by `longer` in 20 ms.
StrandShape twisted_between_clamps(double angle, double longer = 0) {
  StrandShape shape;
  const Eigen::Matrix3d R = frame_of(Vector3d::UnitX(), Vector3d::UnitZ());
  shape.nodes = {Vector3d::Zero(), Vector3d::UnitX()};
  shape.twist = angle;
  shape.root = {Hold::clamped, Motion(Frame{Vector3d::Zero(), R})};
  shape.tip = {Hold::clamped,
               Motion(Frame{Vector3d::UnitX(), Eigen::AngleAxisd(angle, Vector3d::UnitX()) * R},
                      {{0.0}, {0.02, Vector3d(longer, 0, 0)}})};
  return shape;
}

// Straight, ends clamped in place and twisted: M L/B = 8.9868 (tan x = x), so Phi = 8.9868 B/C.
TYPED_TEST(TwistingChains, TwistedRodsBuckle) {
  for (const double ratio : {0.97, 1.02}) {
    RodProperties rod = unit_rod();
    rod.air_drag = 3;
    TypeParam strand(twisted_between_clamps(ratio * 8.9868 * 1.5), rod, 80);  // 0.17 rad a vertex
    // So small a push that the rod, whose ends cannot come closer, stays long enough.
    const double g = growth(strand, steps_of(5e-3), 0.4, Vector3d(0, 1e-8, 0), 200);
    if (ratio < 1)
      EXPECT_LT(g, 0.7);
    else
      EXPECT_GT(g, 1.5);
  }
}

/// By how much a pull along the rod lengthens it: what there is instead of inextensibility.
template <class Model>
double lengthening(double pull, const RodProperties& rod, int elements, const StepConditions& step) {
  Model strand(horizontal(), rod, elements);
  strand.loads = {{1.0, Vector3d(pull, 0, 0)}};
  step_for(strand, step, 100);
  return strand.position(1).x() - 1;
}

// A long rod, twisted and pulled by T: M = 2 sqrt(B T) in the limit, 2 sqrt(B T + pi^2 B^2/L^2) if hinged
// (40.490 here; 40.496 between clamps, whose linear equation is B w'''' - i M w''' - T w'' = 0, w = y + i z).
// L sqrt(T/B) = 20; 320 elements, because thresholds are low by 0.2 m^2 for a twist of m rad a vertex: 0.19.
TYPED_TEST(TwistingChains, TwistedRodsBuckleUnderTension) {
  const double T = 400, dt = 1e-3;
  const int elements = 320;
  RodProperties rod = unit_rod();
  rod.air_drag = 20;
  const double longer = lengthening<TypeParam>(T, rod, elements, steps_of(dt));
  for (const double ratio : {0.98, 1.02}) {
    const double angle = ratio * 2 * std::sqrt(T + pi * pi) / rod.twisting;
    // Held where the pull takes it: for what is linear in the deflection, that is the pull.
    TypeParam strand(twisted_between_clamps(angle, longer), rod, elements);
    step_for(strand, steps_of(dt), 100);
    StepConditions later = steps_of(dt);
    later.t = 100 * dt;
    const double g = growth(strand, later, 0.4, Vector3d(0, 1e-6, 0), 150);
    if (ratio < 1)
      EXPECT_LT(g, 0.5);
    else
      EXPECT_GT(g, 5);
  }
}

/// A ring of length 1: naturally straight, closed by clamping both ends to one frame, the tip turned by
/// `twist`.
StrandShape ring(double twist, int n) {
  StrandShape shape;
  for (int i = 0; i <= n; ++i) {
    const double a = 2 * pi * (i % n) / n;
    shape.nodes.push_back(Vector3d(std::cos(a), std::sin(a), 0) / (2 * pi));
  }
  shape.twist = twist;
  const Eigen::Matrix3d R = frame_of(Vector3d::UnitY(), Vector3d::UnitZ());
  shape.root = {Hold::clamped, Motion(Frame{shape.nodes[0], R})};
  shape.tip = {Hold::clamped, Motion(Frame{shape.nodes[0], Eigen::AngleAxisd(twist, Vector3d::UnitY()) * R})};
  return shape;
}

// Michell: a ring writhes out of its plane when the twist put into it exceeds 2 pi sqrt(3) B/C. It then turns
// over into an eight, and without contact on to a ring with less twist: what counts is the way.
TYPED_TEST(TwistingChains, TwistedRingsWrithe) {
  for (const double ratio : {0.98, 1.02}) {
    RodProperties rod = unit_rod();
    rod.air_drag = 40;
    TypeParam strand(ring(ratio * 2 * pi * std::sqrt(3.0) * 1.5, 72), rod, 72);
    double out_of_plane = 0;
    for (int i = 0; i < 1000 && out_of_plane < 0.02; ++i) {
      step_without_contacts(strand, steps_of(5e-3));
      out_of_plane = std::max(out_of_plane, std::abs(strand.position(strand.length() / 4).z()));
    }
    if (ratio < 1)
      EXPECT_LT(out_of_plane, 2e-3);  // the polygon is out of its plane by 5e-4 near the clamp
    else
      EXPECT_GT(out_of_plane, 0.02);
  }
}

// A rod of natural curvature kn pulled by F along z, free to turn, is a helix of least
// B (k - kn)^2/2 + C t^2/2 - F t/sqrt(k^2 + t^2): for F = 0.4 B kn^2, nu = 0.5, k = 0.8158 kn, t = 0.4748 kn.
TYPED_TEST(TwistingChains, CurlsStretchUnderAPull) {
  const double L = 40, k = 0.85, t = 0.43;  // not yet there
  const int n = 200;
  StrandShape shape;
  shape.nodes = helix_nodes(k, t, L, n);
  shape.normal = -Vector3d::UnitX();
  shape.twist = t * L;
  shape.natural_curvature = Vector3d(0, 0, 1);
  shape.root = {Hold::pinned, Motion(Frame{shape.nodes[0]})};
  RodProperties rod = unit_rod();
  rod.inertia_1 = rod.inertia_2 = 1e-2;
  rod.air_drag = 0.1;
  TypeParam strand(shape, rod, n);
  strand.loads = {{strand.length(), Vector3d(0, 0, 0.4)}};
  const double l = strand.length();
  step_for(strand, steps_of(0.5), 700);
  const double extension = (strand.position(2 * l / 3).z() - strand.position(l / 3).z()) / (l / 3);
  EXPECT_NEAR(extension, 0.5031, 0.02 * 0.5031);
  // The tangent goes round the axis at the rate sqrt(k^2 + t^2).
  double turned = 0;
  for (int i = n / 3; i < 2 * n / 3; ++i) {
    const Vector3d a = strand.frame((i + 0.5) * l / n).col(0), b = strand.frame((i + 1.5) * l / n).col(0);
    turned += std::atan2(a.x() * b.y() - a.y() * b.x(), a.x() * b.x() + a.y() * b.y());
  }
  const double w = std::hypot(0.8158, 0.4748);
  EXPECT_NEAR(turned / ((2 * n / 3 - n / 3) * l / n), w, 0.02 * w);
}

}  // namespace
}  // namespace capstan

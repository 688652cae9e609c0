#include "capstan/body/rigid_body.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "capstan/body/rotation.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

const Vector3d kDown(0, 0, -9.81);

StepConditions still_air(double dt, const Vector3d& gravity = Vector3d::Zero()) {
  StepConditions step;
  step.dt = dt;
  step.gravity = gravity;
  return step;
}

void fly(RigidBody& body, double dt, int steps, const Vector3d& gravity = Vector3d::Zero()) {
  for (int k = 0; k < steps; ++k) {
    body.begin_step(still_air(dt, gravity));
    body.end_step(BodyFactor(body.matrix()).solve(body.force()));
  }
}

/// Surface of a box, or of anything convex around the origin, out of a grid on the sphere of directions.
struct Surface {
  std::vector<Vector3d> vertices;
  std::vector<std::array<int, 3>> triangles;
};

Surface box_surface(const Vector3d& half) {
  Surface box;
  for (int k = 0; k < 8; ++k)
    box.vertices.push_back(
        {(k & 1 ? 1 : -1) * half[0], (k & 2 ? 1 : -1) * half[1], (k & 4 ? 1 : -1) * half[2]});
  box.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return box;
}

/// A body of revolution about z, fine enough for 1e-3: (radius, z) from the bottom pole to the top.
Surface lathe(const std::vector<Eigen::Vector2d>& outline, int sides) {
  Surface result;
  const int rings = static_cast<int>(outline.size());
  for (const Eigen::Vector2d& ring : outline)
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * pi * k / sides;
      result.vertices.push_back({ring[0] * std::cos(angle), ring[0] * std::sin(angle), ring[1]});
    }
  for (int i = 0; i + 1 < rings; ++i)
    for (int k = 0; k < sides; ++k) {
      const int next = (k + 1) % sides, a = i * sides + k, b = i * sides + next;
      result.triangles.push_back({a, b, a + sides});
      result.triangles.push_back({b, b + sides, a + sides});
    }
  return result;
}

double difference(const MassProperties& a, const MassProperties& b) {
  return std::max({std::abs(a.mass - b.mass) / b.mass, (a.centre - b.centre).norm(),
                   (a.inertia - b.inertia).norm() / b.inertia.norm()});
}

TEST(MassProperties, OfAMeshOfABoxAreThoseOfTheBoxWhereverItIs) {
  const Vector3d half(0.3, 0.5, 0.2), away(0.7, -2, 0.4);
  Surface surface = box_surface(half);
  for (Vector3d& vertex : surface.vertices) vertex += away;
  MassProperties moved = mass_of_mesh(surface.vertices, surface.triangles, 700);
  EXPECT_LT((moved.centre - away).norm(), 1e-14);
  moved.centre -= away;
  EXPECT_LT(difference(moved, mass_of_box(half, 700)), 1e-12);
}

TEST(MassProperties, OfRoundSolidsAreTheLimitsOfMeshes) {
  const double r = 0.3, h = 0.5;
  std::vector<Eigen::Vector2d> ball, pill, tin{{0, -h}, {r, -h}, {r, h}, {0, h}};
  for (int k = 0; k <= 200; ++k) {
    const double angle = -pi / 2 + pi * k / 200, z = r * std::sin(angle);
    ball.push_back({r * std::cos(angle), z});
    pill.push_back({r * std::cos(angle), z + (k <= 100 ? -h : h)});
    if (k == 100) pill.push_back({r, h});
  }
  const auto mesh = [&](const std::vector<Eigen::Vector2d>& outline) {
    const Surface surface = lathe(outline, 400);
    return mass_of_mesh(surface.vertices, surface.triangles, 2.0);
  };
  EXPECT_LT(difference(mesh(ball), mass_of_sphere(r, 2.0)), 3e-4);
  EXPECT_LT(difference(mesh(tin), mass_of_cylinder(r, h, 2.0)), 3e-4);
  EXPECT_LT(difference(mesh(pill), mass_of_capsule(r, h, 2.0)), 3e-4);
}

TEST(MassProperties, OfTwoHalvesAreThoseOfTheWhole) {
  MassProperties left = mass_of_box({0.2, 0.1, 0.3}, 5), right = left;
  left.centre = {-0.2, 0, 0};
  right.centre = {0.2, 0, 0};
  EXPECT_LT(difference(left + right, mass_of_box({0.4, 0.1, 0.3}, 5)), 1e-13);
}

TEST(MassProperties, RefuseWhatHasNoVolume) {
  EXPECT_THROW(mass_of_sphere(0, 1), InputError);
  EXPECT_THROW(mass_of_box({1, -1, 1}, 1), InputError);
  EXPECT_THROW(mass_of_cylinder(1, 1, std::nan("")), InputError);
  Surface inside_out = box_surface({1, 1, 1});
  for (auto& triangle : inside_out.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_THROW(mass_of_mesh(inside_out.vertices, inside_out.triangles, 1), InputError);
}

RigidBody tumbling_box() {
  return {mass_of_box({0.1, 0.2, 0.35}, 800),
          {{1, 2, 3}, rotation_exp({0.3, -1, 0.5})},
          {{1, -2, 3}, {7, -4, 9}}};
}

TEST(RigidBody, InFreeFlightKeepsItsMomentaAndItsEnergy) {
  RigidBody body = tumbling_box();
  const Vector3d L = body.angular_momentum();
  const double energy = body.energy(Vector3d::Zero()).kinetic;
  fly(body, 0.01, 10000);
  EXPECT_LT((body.angular_momentum() - L).norm(), 1e-12 * L.norm());
  EXPECT_EQ(body.twist().linear, Vector3d(1, -2, 3));
  EXPECT_NEAR(body.energy(Vector3d::Zero()).kinetic, energy, 1e-11 * energy);
}

TEST(RigidBody, TurningSeveralTimesInAStepKeepsThemToo) {
  RigidBody body({1, Vector3d::Zero(), Vector3d(1, 2, 2.5).asDiagonal()}, {},
                 {Vector3d::Zero(), {300, 400, -100}});
  const double energy = body.energy(Vector3d::Zero()).kinetic;
  fly(body, 0.02, 200);
  EXPECT_NEAR(body.energy(Vector3d::Zero()).kinetic, energy, 1e-11 * energy);
}

TEST(RigidBody, PrecessesAsEulersTop) {
  // Free symmetric top: its axis turns about L at |L| / I1, and it spins about its axis at (1/I3 - 1/I1) L3.
  const double I1 = 2, I3 = 3;
  const Vector3d spin(0.6, 0, 1.1);  // body axes = world axes at t = 0
  RigidBody body({1, Vector3d::Zero(), Vector3d(I1, I1, I3).asDiagonal()}, {}, {Vector3d::Zero(), spin});
  const Vector3d L = body.angular_momentum();
  const double t = 5;
  fly(body, t / 20000, 20000);
  const double own = t * (1 / I3 - 1 / I1) * L[2];
  const Matrix3d expected = rotation_exp(t * L / I1) * rotation_exp({0, 0, own});
  EXPECT_LT((body.frame().R - expected).norm(), 1e-6);
}

TEST(RigidBody, OrientationConvergesWithTheSquareOfDt) {
  const auto after = [](int steps) {
    RigidBody body = tumbling_box();
    fly(body, 1.0 / steps, steps);
    return body.frame().R;
  };
  const Matrix3d exact = after(40000);
  const double coarse = (after(500) - exact).norm(), fine = (after(1000) - exact).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(RigidBody, FallsWithGravityAndObeysLoads) {
  RigidBody body(mass_of_sphere(0.1, 1000), {});
  const double m = body.mass_properties().mass, moment = body.mass_properties().inertia(0, 0);
  body.force_on_centre = {3 * m, 0, 0};
  body.torque = {0, 2 * moment, 0};
  fly(body, 0.01, 100, kDown);
  EXPECT_LT((body.twist().linear - Vector3d(3, 0, -9.81)).norm(), 1e-12);
  EXPECT_LT((body.twist().angular - Vector3d(0, 2, 0)).norm(), 1e-12);
}

TEST(RigidBody, JacobianOfAPointIsTheDerivativeOfItsMotion) {
  MassProperties mass = mass_of_box({0.1, 0.2, 0.3}, 100);
  mass.centre = {0.05, -0.02, 0.1};
  RigidBody body(mass, {{1, 2, 3}, rotation_exp({0.3, -1, 0.5})});
  const Vector3d local(0.3, -0.1, 0.2), world = body.frame().apply(local);
  const double dt = 1e-7;
  body.begin_step(still_air(dt));
  Eigen::VectorXd v(6);
  v << 0.3, -0.7, 0.2, 1.1, 0.4, -0.9;
  const PointMotion motion = body.point_motion(world);
  body.end_step(v);
  EXPECT_LT(((body.frame().apply(local) - world) / dt - motion.J * v).norm(), 1e-6);
  EXPECT_LT((body.velocity(body.frame().apply(local)) - motion.J * v).norm(), 1e-6);
}

TEST(RigidBody, GoesOnBitForBitFromItsState) {
  RigidBody body = tumbling_box(), copy = tumbling_box();
  fly(body, 0.01, 7);
  copy.set_state(body.state());
  fly(body, 0.013, 5, kDown);
  fly(copy, 0.013, 5, kDown);
  EXPECT_EQ(body.state(), copy.state());
  EXPECT_THROW(copy.set_state(std::vector<double>(5)), InputError);
}

TEST(RigidBody, RefusesWhatCannotBe) {
  EXPECT_THROW(RigidBody({0, Vector3d::Zero(), Matrix3d::Identity()}, {}), InputError);
  EXPECT_THROW(RigidBody({1, Vector3d::Zero(), Vector3d(1, 1, -1).asDiagonal()}, {}), InputError);
}

}  // namespace
}  // namespace capstan

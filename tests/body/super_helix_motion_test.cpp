#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "body/settle.hpp"
#include "body/super_helix_statics.hpp"
#include "capstan/body/rod/helix_functions.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
const Vector3d none = Vector3d::Zero();

StepConditions conditions(double dt, const Vector3d& gravity = none, double theta = 1) {
  return {.t = 0, .dt = dt, .theta = theta, .gravity = gravity, .air = none};
}

StrandShape free_shape(double length, const Vector3d& k) {
  StrandShape shape = clamped_shape(rotation_exp(Vector3d(0.3, -0.7, 0.4)), length, k);
  shape.root.hold = Hold::free;
  return shape;
}

/// int rho S v ds and int rho S r x v ds, by 12 Gauss points a segment.
struct Momentum {
  Vector3d linear = none, angular = none;
};
Momentum momentum_of(const SuperHelix& strand) {
  Momentum momentum;
  const double l = strand.length() / strand.segments();
  for (int i = 0; i < strand.segments(); ++i)
    for (const GaussPoint& g : gauss_rule(100)) {
      const double s = (i + g.s) * l, m = g.weight * l * strand.properties().linear_density;
      momentum.linear += m * strand.velocity(s);
      momentum.angular += m * strand.position(s).cross(strand.velocity(s));
    }
  return momentum;
}

TEST(SuperHelix, FallsFreelyWithoutBending) {
  // A free strand at rest in its natural shape: every point falls with v = g t, x = g dt^2 n(n+1)/2.
  SuperHelix strand(free_shape(1, {2, 5, -1}), unit_rod(1), 4);
  const Vector3d start = strand.position(0.7);
  step_for(strand, conditions(0.01, 9.81 * down), 20);
  for (const double s : {0.0, 0.33, 1.0}) EXPECT_LT((strand.velocity(s) - 9.81 * 0.2 * down).norm(), 1e-12);
  EXPECT_LT((strand.position(0.7) - start - 9.81 * 0.0001 * 210 * down).norm(), 1e-12);
}

TEST(SuperHelix, MomentumOfAFreeStrandChangesByGravityAlone) {
  // However it tumbles and bends: m dv = m g dt in each step, here to the error of the quadrature.
  SuperHelix strand(free_shape(1, {0, 3, 0}), unit_rod(1), 4);
  VectorXd v(18);
  v << 1, 2, 3, 4, -3, 2, 5, -8, 4, 3, 2, -9, 1, 5, 4, -3, 6, 2;
  strand.set_velocity(v);
  const Vector3d before = momentum_of(strand).linear;
  const double dt = 0.005;
  step_for(strand, conditions(dt, 9.81 * down), 40);
  EXPECT_GT(strand.energy(none).elastic, 1e-2);  // it did bend
  EXPECT_LT((momentum_of(strand).linear - before - 40 * dt * 9.81 * down).norm(), 2e-5);
}

TEST(SuperHelix, SpinsLikeARigidRod) {
  // A straight free rod that turns about its middle. The stored velocity omega z x rho of the last pose, seen
  // from the pose turned by omega dt, is omega cos(omega dt) across the rod (and the rest along it, which no
  // dof can take up): omega_{n+1} = omega_n cos(omega_n dt), no bending, no drift of the momentum.
  StrandShape shape = clamped_shape(Matrix3d::Identity());
  shape.root.hold = Hold::free;
  SuperHelix strand(shape, unit_rod(1), 4);
  double omega = 2;
  VectorXd v = VectorXd::Zero(18);
  v[1] = -omega / 2;  // root of a rod along x
  v[5] = omega;
  strand.set_velocity(v);
  const double dt = 0.02;
  for (int i = 0; i < 100; ++i) {
    step_without_contacts(strand, conditions(dt));
    const Vector3d across = (strand.velocity(1) - strand.velocity(0));
    EXPECT_NEAR(across.norm(), omega * std::cos(i == 0 ? 0 : omega * dt), 1e-10);
    if (i > 0) omega *= std::cos(omega * dt);
    EXPECT_LT(momentum_of(strand).linear.norm(), 1e-12);
  }
  for (int i = 0; i < 4; ++i) EXPECT_LT(strand.curvature(i).norm(), 1e-10);
}

TEST(SuperHelix, AngularMomentumConvergesInTheTimeStep) {
  // Free, no gravity: r x v keeps its value but for the first order of the step.
  double error[2];
  for (const int half : {0, 1}) {
    SuperHelix strand(free_shape(1, {0, 3, 0}), unit_rod(1), 4);
    VectorXd v = VectorXd::Zero(18);
    v.head<6>() << 0, 0, 0, 1, 0.5, -1.5;
    v.tail<12>() << 0, 1, 0, 0, 1, 1, 0, -1, 0, 0, -1, 2;
    strand.set_velocity(v);
    const Vector3d before = momentum_of(strand).angular;
    step_for(strand, conditions(half ? 1e-3 : 2e-3), half ? 200 : 100);
    error[half] = (momentum_of(strand).angular - before).norm() / before.norm();
  }
  EXPECT_LT(error[1], 5e-3);
  EXPECT_NEAR(error[0] / error[1], 2, 0.3);
}

TEST(SuperHelix, PinnedRodSwingsLikeAPendulum) {
  // A stiff rod on a pin: omega^2 = 3 g/2 L. Trapezoidal rule; period from the quarter swing's zero crossing.
  RodProperties rod = unit_rod(1e-3);
  StrandShape shape = clamped_shape(axes({std::sin(0.01), 0, -std::cos(0.01)}, Vector3d::UnitY()));
  shape.root.hold = Hold::pinned;
  SuperHelix strand(shape, rod, 2);
  ASSERT_EQ(strand.dofs(), 9);
  const double dt = 1e-3;
  double before = strand.position(1)[0], t = 0;
  for (; t < 5; t += dt) {
    step_without_contacts(strand, conditions(dt, down, 0.5));
    const double now = strand.position(1)[0];
    if (now < 0) {
      t += dt * before / (before - now);
      break;
    }
    before = now;
  }
  EXPECT_NEAR(t, pi / 2 / std::sqrt(1.5), 2e-3);
  EXPECT_LT(strand.position(0).norm(), 1e-15);
}

/// omega^2 of all modes about the present shape, ascending.
VectorXd modes(SuperHelix& strand, const Vector3d& gravity) {
  Statics statics{strand, gravity};
  const MatrixXd K = statics.stiffness(statics.all());
  strand.begin_step(conditions(1e-3));
  const MatrixXd once = std::get<MatrixXd>(strand.matrix());
  strand.begin_step(conditions(2e-3));
  const MatrixXd M = (4 * once - std::get<MatrixXd>(strand.matrix())) / 3;  // A = M + dt^2 K
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M, Eigen::EigenvaluesOnly).eigenvalues();
}

TEST(SuperHelix, VibratesLikeACantilever) {
  // omega = (beta L)^2 sqrt(B/rho S L^4), beta L = 1.8751, 4.6941 of the continuous rod; N segments have the
  // values below (computed apart). Modes come in pairs, one in each plane.
  const double table[][3] = {{2, 1.9222, 6.13}, {4, 1.8865, 4.908}, {8, 1.8780, 4.745}, {16, 1.8758, 4.7065}};
  for (const auto& [segments, first, second] : table) {
    SuperHelix strand(clamped_shape(Matrix3d::Identity()), unit_rod(1), static_cast<int>(segments));
    const VectorXd w2 = modes(strand, none);
    EXPECT_NEAR(std::pow(w2[0], 0.25), first, 1e-4 * first);
    EXPECT_NEAR(std::pow(w2[1], 0.25), first, 1e-4 * first);
    EXPECT_NEAR(std::pow(w2[2], 0.25), second, 1e-3 * second);
  }
}

TEST(SuperHelix, OscillatesWithTheFrequencyOfItsFirstMode) {
  // By stepping: N = 8, beta_1 L = 1.8780, theta = 1/2, ten periods of a small vibration.
  SuperHelix strand(clamped_shape(Matrix3d::Identity()), unit_rod(1), 8);
  VectorXd v = VectorXd::Zero(24);
  for (int i = 0; i < 8; ++i)
    v[3 * i + 1] = 1e-3 * std::pow(1 - (i + 0.5) / 8, 2);  // close to the mode's shape
  strand.set_velocity(v);
  const double dt = 2e-3, period = 2 * pi / std::pow(1.8780, 2);
  double before = 0, t = 0, last = 0;
  int crossings = 0;
  for (; crossings < 20 && t < 12 * period; t += dt) {
    step_without_contacts(strand, conditions(dt, none, 0.5));
    const double now = strand.position(1)[2];
    if (before * now < 0) {
      ++crossings;
      last = t + dt * before / (before - now);
    }
    before = now;
  }
  ASSERT_EQ(crossings, 20);
  EXPECT_NEAR(last / 10, period, 2e-3 * period);
}

/// Decay of the tip's velocity amplitude over one period, from two crossings of the middle a period apart.
double decay_in_a_period(const RodProperties& rod, double theta) {
  SuperHelix strand(clamped_shape(Matrix3d::Identity()), rod, 8);
  VectorXd v = VectorXd::Zero(24);
  for (int i = 0; i < 8; ++i) v[3 * i + 1] = 1e-3 * std::pow(1 - (i + 0.5) / 8, 2);
  strand.set_velocity(v);
  const double period = 2 * pi / std::pow(1.8780, 2);
  const int steps = 800;
  const StepConditions step = conditions(period / steps, none, theta);
  step_for(strand, step, steps);  // higher modes fade
  const double before = strand.velocity(1)[2];
  step_for(strand, step, steps);
  return std::log(before / strand.velocity(1)[2]);
}

TEST(SuperHelix, DampingDecaysAtItsRate) {
  // Rayleigh gamma: amplitude ~ exp(-gamma omega^2 t/2); drag c: exp(-c t/(2 rho S)). Over a period 2
  // pi/omega.
  const double omega = std::pow(1.8780, 2);
  RodProperties rod = unit_rod(1);
  rod.internal_damping = 0.01;
  EXPECT_NEAR(decay_in_a_period(rod, 0.5), pi * 0.01 * omega, 0.02 * pi * 0.01 * omega);
  rod.air_drag = 0.3;
  const double expected = pi * (0.01 * omega + 0.3 / omega);
  EXPECT_NEAR(decay_in_a_period(rod, 0.5), expected, 0.02 * expected);
}

TEST(SuperHelix, FallsThroughMovingAirTowardsItsFinalSpeed) {
  // Every point: rho S (v' - v) = dt (rho S g - c (theta v' + (1 - theta) v - u)), no bending.
  RodProperties rod = unit_rod(2);
  rod.air_drag = 3;
  SuperHelix strand(free_shape(1, {2, 5, -1}), rod, 3);
  StepConditions step = conditions(0.05, 9.81 * down, 0.6);
  step.air = Vector3d(1, -2, 0.5);
  Vector3d v = none;
  const double c = 3.0 / 2 * step.dt;
  for (int i = 0; i < 30; ++i, step.t += step.dt) {
    step_without_contacts(strand, step);
    v = (v * (1 - 0.4 * c) + step.dt * step.gravity + c * step.air) / (1 + 0.6 * c);
    EXPECT_LT((strand.velocity(0.9) - v).norm(), 1e-11);
  }
  EXPECT_LT((v - (step.air + 9.81 * 2 / 3 * down)).norm(), 1.2);  // it is on its way to u + rho S g/c
}

TEST(SuperHelix, TwistVibratesLikeAShaft) {
  // omega = (pi/2L) sqrt(GJ/rho J) of a clamped shaft. Half-turn fields constant in 16 pieces: 0.1 % above.
  RodProperties rod = unit_rod(1);
  rod.inertia_1 = rod.inertia_2 = 0.5;  // so slow that it is the lowest mode of all
  rod.twisting = 1e-2;
  SuperHelix strand(clamped_shape(Matrix3d::Identity()), rod, 16);
  EXPECT_NEAR(std::sqrt(modes(strand, none)[0]), pi / 2 * std::sqrt(1e-2), 2e-3 * pi / 20);
}

TEST(SuperHelix, HangsAndSwingsLikeAChain) {
  // omega_n = (j_0n/2) sqrt(g/L) = 1.2024, 2.7600, 4.3269 without stiffness; with B = 1e-4 w L^3 and N = 16
  // (computed apart) 1.215, 2.805, 4.517.
  RodProperties rod = unit_rod(1e4);
  SuperHelix strand(clamped_shape(axes(down, Vector3d::UnitX())), rod, 16);
  const VectorXd w2 = modes(strand, down);
  EXPECT_NEAR(std::sqrt(w2[0]), 1.215, 1e-3);
  EXPECT_NEAR(std::sqrt(w2[2]), 2.805, 1e-3);
  EXPECT_NEAR(std::sqrt(w2[4]), 4.517, 2e-3);
  EXPECT_NEAR(std::sqrt(w2[0]) / 1.2024, 1, 0.015);
}

/// A root that turns about z with constant angular acceleration, keys at every step.
Motion spun_up(double alpha, double dt, double T) {
  std::vector<Motion::Key> keys;
  for (int i = 0; i * dt <= T + dt / 2; ++i)
    keys.push_back({i * dt, none, Vector3d(0, 0, alpha * i * dt * i * dt / 2)});
  return Motion(Frame{}, keys, Motion::Interpolation::linear);
}

TEST(SuperHelix, LagsBehindARootThatSpinsUp) {
  // Quasi-static: the load -rho S alpha s bends the tip back by 11 alpha rho S L^5/(120 B). N = 6 segments
  // and centrifugal stiffening (omega = 0.06) change it by less than a percent.
  const double alpha = 0.02, T = 3;
  for (const double dt : {0.02, 0.01}) {
    RodProperties rod = unit_rod(1, 1);
    rod.internal_damping = 0.3;
    StrandShape shape = clamped_shape(Matrix3d::Identity());
    shape.root.motion = spun_up(alpha, dt, T);
    SuperHelix strand(shape, rod, 12);
    step_for(strand, conditions(dt), static_cast<int>(std::lround(T / dt)));
    const Frame root = shape.root.motion.at(T);
    EXPECT_LT((strand.frame(0) - root.R).norm(), 1e-12);
    EXPECT_NEAR(root.apply_inverse(strand.position(1))[1], -11 * alpha / 120, 0.005 * 11 * alpha / 120);
  }
}

TEST(SuperHelix, AStiffStrandIsCarriedByItsRoot) {
  // Almost rigid: each point moves with the root's frame, and point_motion says so beforehand.
  StrandShape shape = clamped_shape(Matrix3d::Identity(), 0.1, {0, 0, 10});
  shape.root.motion = Motion(Frame{}, {{0}, {1, Vector3d(0.1, 0.2, 0.3), Vector3d(0.5, 1, 0.2)}});
  RodProperties rod = unit_rod(1e-3);
  rod.internal_damping = 1;
  SuperHelix strand(shape, rod, 3);
  const Vector3d local = strand.position(0.08);
  StepConditions step = conditions(0.01);
  for (int i = 0; i < 50; ++i, step.t += step.dt) {
    strand.begin_step(step);
    const VectorXd v = velocity_without_contacts(strand);
    const PointMotion point = strand.point_motion(0.08);
    strand.end_step(v);
    EXPECT_LT((point.J * v + point.free_velocity - strand.velocity(0.08)).norm(), 1e-12);
  }
  const Frame root = shape.root.motion.at(0.5);
  EXPECT_LT((strand.position(0.08) - root.apply(local)).norm(), 1e-6);
  // Velocity of the last step against the difference of the script.
  const Vector3d difference = (root.apply(local) - shape.root.motion.at(0.49).apply(local)) / 0.01;
  EXPECT_LT((strand.velocity(0.08) - difference).norm(), 1e-3);
}

TEST(SuperHelix, APolylineIsCarriedFromItsOwnPlace) {
  // The motion's frame is a head, somewhere else than the root.
  StrandShape shape;
  shape.nodes = {{0.2, 0, 1}, {0.25, 0, 1}, {0.3, 0, 1}};
  const Frame head{Vector3d(0, 0, 0.9), rotation_exp(Vector3d(0, 0, 1))};
  shape.root = {Hold::clamped,
                Motion(head, {{0}, {1, none, Vector3d(0, 0, 1.2)}}, Motion::Interpolation::linear)};
  RodProperties rod = unit_rod(1e-4);
  rod.internal_damping = 1;
  SuperHelix strand(shape, rod, 3);
  EXPECT_LT((strand.position(0) - shape.nodes[0]).norm(), 1e-15);
  step_for(strand, conditions(0.01), 100);
  EXPECT_LT((strand.position(0) - Vector3d(0.2 * std::cos(1.2), 0.2 * std::sin(1.2), 1)).norm(), 1e-13);
  EXPECT_LT((strand.position(0.1) - Vector3d(0.3 * std::cos(1.2), 0.3 * std::sin(1.2), 1)).norm(), 1e-5);
}

TEST(SuperHelix, EnergyNeverGrowsHoweverFastItMoves) {
  // Hair of 20 cm thrown with curvature rates up to 4000/(m s), dt = 5 ms: schemes with explicit Coriolis
  // terms blow up here from 200/(m s) on. Without gravity each step dissipates, whatever dt; only a change of
  // the number of Gauss points can add the error of the quadrature, 1e-5 of the kinetic energy.
  for (const double rate : {50.0, 200.0, 1000.0, 4000.0})
    for (const Hold hold : {Hold::clamped, Hold::free}) {
      StrandShape shape = clamped_shape(Matrix3d::Identity(), 0.2);
      shape.root.hold = hold;
      SuperHelix strand(shape, round_rod(50e-6, 1320, 3.9e9, 1.3e9), 3);
      strand.set_curvatures(std::vector<Vector3d>(3, Vector3d(0, 0, 2)));
      VectorXd v = VectorXd::Zero(strand.dofs());
      for (int i = 1; i < 9; i += 3) v[strand.dofs() - 9 + i] = rate;
      strand.set_velocity(v);
      double before = strand.energy(none).total();
      const double start = before;
      for (int i = 0; i < 60; ++i) {
        step_without_contacts(strand, conditions(0.005));
        const double now = strand.energy(none).total();
        ASSERT_LE(now, before * (1 + 1e-5)) << "rate " << rate << ", step " << i;
        before = now;
      }
      EXPECT_LT(before, start);
      EXPECT_GT(before, 0);
    }
}

/// Energy after 0.16 s of swing, let go from horizontal and bent sideways; change as a fraction of m g L/2.
double change_of_energy_in_a_swing(double dt) {
  const Vector3d gravity = 9.81 * down;
  SuperHelix strand(clamped_shape(Matrix3d::Identity(), 0.2), round_rod(50e-6, 1320, 3.9e9, 3.9e9 / 2.96), 3);
  strand.set_curvatures(std::vector<Vector3d>(3, Vector3d(0, 0, 2)));
  const double start = strand.energy(gravity).total();
  step_for(strand, conditions(dt, gravity), static_cast<int>(std::lround(0.16 / dt)));
  return (strand.energy(gravity).total() - start) / (strand.properties().linear_density * 0.2 * 9.81 * 0.1);
}

TEST(SuperHelix, EnergyLossOfASwingVanishesWithTheTimeStep) {
  // Implicit Euler loses energy to first order (0.051, 0.0083 and 0.0044 at dt = 8, 1 and 0.5 ms). The limit
  // loses nothing; without Coriolis terms 0.010 would stay at any dt.
  const double coarse = change_of_energy_in_a_swing(1e-3), fine = change_of_energy_in_a_swing(5e-4);
  EXPECT_LT(change_of_energy_in_a_swing(8e-3), -0.03);
  EXPECT_LT(fine, 0);
  EXPECT_GT(fine, -0.006);
  EXPECT_NEAR(2 * fine - coarse, 0, 1e-3);
}

TEST(SuperHelix, BeginStepLeavesTheStateAlone) {
  SuperHelix once(clamped_shape(Matrix3d::Identity(), 1, {0, 2, 1}), unit_rod(1), 4), twice = once;
  for (int i = 0; i < 10; ++i) {
    step_without_contacts(once, conditions(0.01, down));
    twice.begin_step(conditions(0.02, down));  // and thought better of
    step_without_contacts(twice, conditions(0.01, down));
  }
  EXPECT_EQ(once.state(), twice.state());
}

TEST(SuperHelix, GoesOnBitForBitFromItsState) {
  for (const Hold hold : {Hold::clamped, Hold::pinned, Hold::free}) {
    StrandShape shape = clamped_shape(Matrix3d::Identity(), 1, {1, 4, 2});
    shape.root.hold = hold;
    shape.root.motion = Motion(Frame{}, {}, Motion::Interpolation::smooth,
                               {{2.0, 0, Vector3d(0.1, 0, 0.2), Vector3d(0, 0.3, 0)}});
    SuperHelix strand(shape, unit_rod(1), 4);
    StepConditions step = conditions(0.01, 9.81 * down, 0.7);
    for (int i = 0; i < 20; ++i, step.t += step.dt) step_without_contacts(strand, step);
    SuperHelix other(shape, unit_rod(1), 4);
    other.set_state(strand.state());
    EXPECT_EQ(other.state(), strand.state());
    for (int i = 0; i < 20; ++i, step.t += step.dt) {
      step_without_contacts(strand, step);
      step_without_contacts(other, step);
      ASSERT_EQ(other.state(), strand.state()) << "step " << i;
      ASSERT_EQ(other.velocity(0.8), strand.velocity(0.8));
      ASSERT_EQ(other.energy(down).total(), strand.energy(down).total());
      if (hold == Hold::free) continue;
      ASSERT_LT((strand.position(0) - shape.root.motion.at(step.t + step.dt).x).norm(), 1e-15);
    }
  }
}

}  // namespace
}  // namespace capstan

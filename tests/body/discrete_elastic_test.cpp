#include "capstan/body/rod/discrete_elastic.hpp"

#include <gtest/gtest.h>

#include <random>

#include "body/chain_support.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Vector11d = Eigen::Matrix<double, 11, 1>;

/// Two elements with frames, moved by z = (x0, theta_e, x1, theta_f, x2) from a reference: the frames follow
/// their elements without turning and turn by theta.
struct Pair {
  Vector3d e, f;
  Matrix3d frame_e, frame_f;
  double twist;

  static Matrix3d moved(const Matrix3d& frame, const Vector3d& to, double theta) {
    const Vector3d t = to.normalized();
    return frame_of(t, Eigen::AngleAxisd(theta, t) * transport(frame.col(1), frame.col(0), t));
  }
  Vector3d strain(const Vector11d& z) const {
    const Vector3d e1 = e + z.segment<3>(4) - z.head<3>(), f1 = f + z.tail<3>() - z.segment<3>(4);
    const Matrix3d a = moved(frame_e, e1, z[3]), b = moved(frame_f, f1, z[7]);
    const Vector3d carried = Eigen::AngleAxisd(twist, b.col(0)) * transport(a.col(1), a.col(0), b.col(0));
    return vertex_strain(e1, a, f1, b, twist + signed_angle(carried, b.col(1), b.col(0))).value;
  }
};

Pair random_pair(unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const auto random = [&] { return Vector3d(normal(generator), normal(generator), normal(generator)); };
  Pair pair;
  pair.e = random();
  pair.f = pair.e + 0.7 * random();
  pair.frame_e = frame_of(pair.e, random());
  pair.frame_f = frame_of(pair.f, random());
  const Vector3d t = pair.frame_f.col(0);
  pair.twist = signed_angle(transport(pair.frame_e.col(1), pair.frame_e.col(0), t), pair.frame_f.col(1), t);
  return pair;
}

TEST(VertexStrain, DerivativesAreThoseOfTheStrain) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Pair pair = random_pair(seed);
    const VertexStrain s = vertex_strain(pair.e, pair.frame_e, pair.f, pair.frame_f, pair.twist);
    const double h = 1e-6;
    for (int k = 0; k < 11; ++k) {
      const Vector11d z = h * Vector11d::Unit(k);
      const Vector3d difference = (pair.strain(z) - pair.strain(-z)) / (2 * h);
      EXPECT_LT((s.J.col(k) - difference).norm(), 1e-7 * (1 + s.J.norm())) << seed << " " << k;
    }
  }
}

// In second order the strain of two frames is the rotation between them: R_f = R_e exp([s]x).
TEST(VertexStrain, IsTheRotationBetweenTheFrames) {
  const Vector3d s = 0.01 * Vector3d(1, -2, 3);
  const Matrix3d a = frame_of(Vector3d(1, 2, 3), Vector3d(0, 1, 0)), b = a * rotation_exp(s);
  const double twist = signed_angle(transport(a.col(1), a.col(0), b.col(0)), b.col(1), b.col(0));
  EXPECT_LT((vertex_strain(a.col(0), a, b.col(0), b, twist).value - s).norm(), 1e-5);
}

double length_error(const Strand& strand, int n, const std::vector<double>& rest) {
  double error = 0;
  for (int j = 0; j < n; ++j) {
    const double h = strand.length() / n;
    const double l =
        (strand.position(std::min((j + 1) * h, strand.length())) - strand.position(j * h)).norm();
    error = std::max(error, std::abs(l / rest[j] - 1));
  }
  return error;
}

TEST(DiscreteElastic, KeepsItsLength) {
  // A hair of 30 cm falls from horizontal while its root is shaken; 1 and 10 ms.
  const RodProperties rod = round_rod(40e-6, 1300, 3.9e9, 0.9e9);
  StrandShape shape = horizontal(0.3);
  shape.root.motion = Motion(shape.root.motion.at(0), {}, Motion::Interpolation::smooth,
                             {{2.0, 0.0, Vector3d(0, 0.05, 0.02), Vector3d(0, 0, 0.5)}});
  for (const double dt : {1e-3, 1e-2}) {
    DiscreteElastic strand(shape, rod, 30);
    double worst = 0;
    StepConditions step = steps_of(dt, Vector3d(0, 0, -9.81));
    for (; step.t < 1; step.t += dt) {
      step_without_contacts(strand, step);
      worst = std::max(worst, length_error(strand, 30, std::vector<double>(30, 0.01)));
    }
    EXPECT_LT(worst, 1.1e-6) << dt;
    // and at the level of velocities, before anything is projected
    strand.begin_step(step);
    const Eigen::VectorXd v = velocity_without_contacts(strand);
    double rate = 0, speed = 0;
    for (int j = 0; j < 30; ++j) {
      const PointMotion a = strand.point_motion(0.01 * j), b = strand.point_motion(0.01 * (j + 1) - 1e-15);
      const Vector3d dv = b.J * v + b.free_velocity - a.J * v - a.free_velocity;
      rate = std::max(rate, std::abs((b.x - a.x).normalized().dot(dv)));
      speed = std::max(speed, dv.norm());
    }
    EXPECT_LT(rate, 1e-5 * speed) << dt;
  }
}

// Torque M along the rod = C Phi/L, energy C Phi^2/(2 L), for any number of turns.
TEST(DiscreteElastic, CountsTheTurnsOfADrivenEnd) {
  StrandShape shape = horizontal();
  const double turns = 3 * 2 * pi;
  const Frame tip{Vector3d(1, 0, 0), shape.root.motion.at(0).R};
  shape.tip = {Hold::clamped, Motion(tip, {{0.0}, {1.0, Vector3d::Zero(), Vector3d(turns, 0, 0)}})};
  RodProperties rod = unit_rod();
  rod.twisting = 1e-3;  // below the torque at which a straight rod buckles, 8.99 B/L
  rod.inertia_1 = rod.inertia_2 = 1e-7;
  rod.internal_damping = 1e-2;
  DiscreteElastic strand(shape, rod, 40);
  step_for(strand, steps_of(5e-3), 1000);
  EXPECT_NEAR(strand.total_twist(), turns, 1e-9);
  EXPECT_NEAR(strand.energy(Vector3d::Zero()).elastic, 0.5 * 1e-3 * turns * turns, 1e-6);
  EXPECT_LT(
      (strand.frame(0.5125).col(1) - Eigen::AngleAxisd(turns * 0.5125, Vector3d::UnitX()) * tip.R.col(1))
          .norm(),
      1e-6);
}

TEST(DiscreteElastic, TwistWaveHasItsSpeed) {
  // Clamped at the root, free at the tip, straight: omega_n = (n - 1/2) pi sqrt(C/(rho J))/L
  RodProperties rod = unit_rod();
  rod.twisting = 1;
  rod.inertia_1 = rod.inertia_2 = 5e-2;  // rho J = 0.1: slow enough to be the first modes
  rod.bending_1 = rod.bending_2 = 1e6;
  DiscreteElastic strand(horizontal(), rod, 40);
  const Eigen::MatrixXd M = mass_matrix(strand), K = stiffness(strand);
  const Eigen::VectorXd w2 =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(K, M, Eigen::EigenvaluesOnly).eigenvalues();
  for (int n = 1; n <= 2; ++n)
    EXPECT_NEAR(std::sqrt(w2[n - 1]), (n - 0.5) * pi * std::sqrt(10), 0.01 * (n - 0.5) * pi * std::sqrt(10));
}

TEST(DiscreteElastic, NeedsTwistInertia) {
  RodProperties rod = unit_rod();
  rod.inertia_1 = rod.inertia_2 = 0;
  EXPECT_THROW(DiscreteElastic(horizontal(), rod, 10), InputError);
}

}  // namespace
}  // namespace capstan

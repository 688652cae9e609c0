#include "capstan/law/pair_friction.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "capstan/errors.hpp"
#include "capstan/random.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

const Vector3d n = Vector3d::UnitZ();
const Vector3d none = Vector3d::Zero();

Vector3d at_degrees(double angle) { return {std::cos(angle * M_PI / 180), std::sin(angle * M_PI / 180), 0}; }

PairFriction wood() {
  PairFriction pair;
  pair.model = FrictionModel::matchstick;
  pair.mu = 0.4;
  pair.mu_along = 0.2;
  pair.mu_across = 0.8;
  pair.mu_spin = 0.01;
  pair.mu_spin_isotropic = 0.03;
  return pair;
}

/// The ellipse as a symmetric matrix: half axes and directions in one, so that t and -t, and the axes of a
/// circle, compare equal.
Eigen::Matrix3d cone_of(const OrientedFriction& f, const Vector3d& normal) {
  const Vector3d b = normal.cross(f.t);
  return f.mu_t * f.t * f.t.transpose() + f.mu_b * b * b.transpose();
}

void expect_same_cone(const OrientedFriction& f, const OrientedFriction& g, const Vector3d& normal,
                      double tolerance = 1e-14) {
  EXPECT_LT((cone_of(f, normal) - cone_of(g, normal)).norm(), tolerance);
  EXPECT_NEAR(f.mu_tau, g.mu_tau, tolerance);
}

Vector3d random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// argmax of -f.v over the ellipse, per unit of normal force.
Vector3d friction_force(const OrientedFriction& f, const Vector3d& normal, const Vector3d& v) {
  const Eigen::Matrix3d D = cone_of(f, normal);
  return -D * D * v / (D * v).norm();
}

TEST(Matchstick, BlendsLinearlyInTheAngleAndLiesBetweenTheGrains) {
  // d = 1 - 2 theta/pi: 1, 2/3, 1/2, 1/3, 0 at 0, 30, 45, 60, 90 degrees.
  for (const double theta : {0.0, 30.0, 45.0, 60.0, 90.0}) {
    const OrientedFriction f = orient(wood(), n, at_degrees(10), at_degrees(10 + theta));
    const double d = 1 - theta / 90;
    EXPECT_NEAR(f.mu_t, 0.4 - 0.2 * d, 1e-15) << theta;
    EXPECT_NEAR(f.mu_b, 0.4 + 0.4 * d, 1e-15) << theta;
    EXPECT_NEAR(f.mu_tau, 0.03 - 0.02 * d, 1e-15) << theta;
    EXPECT_FALSE(f.is_one_sided());
    if (theta < 90) {
      EXPECT_LT((f.t - at_degrees(10 + theta / 2)).norm(), 1e-15) << theta;
    }
  }
}

TEST(Matchstick, KeepsAllDigitsOfSmallAngles) {
  // acos(1 - theta^2/2) would round 1e-9 to 0.
  const OrientedFriction f = orient(wood(), n, at_degrees(0), {1, 1e-9, 0});
  EXPECT_NEAR((f.mu_t - 0.2) / (0.2 * 2e-9 / M_PI), 1, 1e-6);
}

TEST(Matchstick, AntiparallelGrainsAreParallel) {
  for (const double theta : {0.0, 20.0, 70.0, 89.0})
    expect_same_cone(orient(wood(), n, at_degrees(5), at_degrees(5 + theta)),
                     orient(wood(), n, at_degrees(5), at_degrees(185 + theta)), n);
}

TEST(Matchstick, OnlyTheTangentialDirectionOfAStructureCounts) {
  const OrientedFriction plain = orient(wood(), n, at_degrees(0), at_degrees(40));
  expect_same_cone(plain, orient(wood(), n, 7 * at_degrees(0) + 3 * n, 1e-3 * at_degrees(40) - 0.02 * n), n);
  expect_same_cone(plain, orient(wood(), 5 * n, at_degrees(0) - n, at_degrees(40) + 2 * n), n);
  expect_same_cone(plain, orient(wood(), 0.1 * n, at_degrees(0) - n, at_degrees(40) + 2 * n), n);
}

TEST(Matchstick, WhereOneBodyHasNoGrainTheOtherDecidesUnlessAskedOtherwise) {
  PairFriction pair = wood();
  const OrientedFriction parallel = orient(pair, n, at_degrees(25), at_degrees(25));
  expect_same_cone(orient(pair, n, at_degrees(25), none), parallel, n);
  expect_same_cone(orient(pair, n, none, at_degrees(25)), parallel, n);
  EXPECT_EQ(parallel.mu_t, 0.2);
  pair.missing_grain = MissingGrain::isotropic;
  for (const OrientedFriction& f :
       {orient(pair, n, at_degrees(25), none), orient(pair, n, none, at_degrees(25))}) {
    EXPECT_EQ(f.mu_t, 0.4);
    EXPECT_EQ(f.mu_b, 0.4);
    EXPECT_EQ(f.mu_tau, 0.03);
  }
}

TEST(Matchstick, WithoutAnyGrainItIsIsotropicInSomeFrame) {
  for (const Vector3d& normal : {Vector3d(0, 0, 1), Vector3d(1, 0, 0), Vector3d(1, -2, 0.5)}) {
    const OrientedFriction f = orient(wood(), normal, none, none);
    EXPECT_EQ(f.mu_t, 0.4);
    EXPECT_EQ(f.mu_b, 0.4);
    EXPECT_EQ(f.mu_tau, 0.03);
    EXPECT_NEAR(f.t.norm(), 1, 1e-15);
    EXPECT_NEAR(f.t.dot(normal), 0, 1e-15);
  }
}

TEST(Matchstick, AStructureAlongTheNormalIsNone) {
  const OrientedFriction alone = orient(wood(), n, at_degrees(25), none);
  expect_same_cone(orient(wood(), n, at_degrees(25), n), alone, n);
  expect_same_cone(orient(wood(), n, at_degrees(25), n + 1e-7 * at_degrees(80)), alone,
                   n);  // rounding errors
  expect_same_cone(orient(wood(), n, at_degrees(25), 1e-13 * at_degrees(80)), alone, n);
  // Just above the bound it is a direction, exact to what rounding of n leaves of it.
  expect_same_cone(orient(wood(), n, at_degrees(25), n + 1e-5 * at_degrees(80)),
                   orient(wood(), n, at_degrees(25), at_degrees(80)), n, 1e-11);
}

TEST(Matchstick, ARightAngleIsACircleWhateverTheSigns) {
  const OrientedFriction f = orient(wood(), n, Vector3d::UnitX(), Vector3d::UnitY());
  EXPECT_EQ(f.mu_t, 0.4);  // the scalar product is exactly 0
  EXPECT_EQ(f.mu_b, 0.4);
  EXPECT_LT((f.t - at_degrees(45)).norm(), 1e-15);
  expect_same_cone(f, orient(wood(), n, Vector3d::UnitX(), -Vector3d::UnitY()), n);
}

TEST(Matchstick, TheForceIsContinuousThroughNinetyDegrees) {
  // The axis turns by a right angle, the force by no more than the angle times the slope of the coefficients.
  const Vector3d v(0.3, -0.8, 0);
  double axis_jump = 0, force_jump = 0;
  for (const double step : {1e-3, 1e-6, 1e-9}) {
    const OrientedFriction before = orient(wood(), n, at_degrees(0), at_degrees(90 - step));
    const OrientedFriction after = orient(wood(), n, at_degrees(0), at_degrees(90 + step));
    axis_jump = before.t.cross(after.t).norm();
    force_jump = (friction_force(before, n, v) - friction_force(after, n, v)).norm();
    EXPECT_GT(axis_jump, 0.999) << step;
    EXPECT_LT(force_jump, 0.05 * step) << step;
  }
}

TEST(Matchstick, TheEasyAxisMayBeTheStrongOne) {
  PairFriction pair = wood();
  pair.mu_along = 0.9, pair.mu_across = 0.1;
  const OrientedFriction f = orient(pair, n, at_degrees(0), at_degrees(0));
  EXPECT_EQ(f.mu_t, 0.9);
  EXPECT_EQ(f.mu_b, 0.1);
}

TEST(Matchstick, CoefficientsOfZeroAreAllowed) {
  PairFriction pair = wood();
  pair.mu = pair.mu_along = pair.mu_across = pair.mu_spin = 0;
  pair.mu_spin_isotropic = 0;
  const OrientedFriction f = orient(pair, n, at_degrees(0), at_degrees(30));
  EXPECT_EQ(f.mu_t + f.mu_b + f.mu_tau, 0);
}

TEST(PairFriction, ExchangingTheBodiesRotatingAndFlippingSignsChangeNothing) {
  Random random(5);
  PairFriction pair = wood();
  pair.tensor_a << 0.3, 0.1, 0.1, 0.2;
  pair.tensor_b << 0.1, -0.02, -0.02, 0.4;
  for (const FrictionModel model :
       {FrictionModel::isotropic, FrictionModel::matchstick, FrictionModel::ellipse, FrictionModel::tensor}) {
    pair.model = model;
    for (int k = 0; k < 200; ++k) {
      const Vector3d normal = random_vector(random).normalized();
      const Vector3d a = random_vector(random), b = random_vector(random);
      const OrientedFriction f = orient(pair, normal, a, b);
      expect_same_cone(orient(swapped(pair), -normal, b, a), f, normal, 1e-12);
      expect_same_cone(orient(pair, normal, -a, b), f, normal, 1e-12);
      expect_same_cone(orient(pair, normal, a, -b), f, normal, 1e-12);
      const Eigen::Matrix3d R =
          Eigen::AngleAxisd(random.uniform(0, 6), random_vector(random).normalized()).matrix();
      const OrientedFriction turned = orient(pair, R * normal, R * a, R * b);
      EXPECT_LT((cone_of(turned, R * normal) - R * cone_of(f, normal) * R.transpose()).norm(), 1e-12);
      EXPECT_NEAR(f.t.dot(normal), 0, 1e-15);
      EXPECT_NEAR(f.t.norm(), 1, 1e-15);
    }
  }
}

TEST(PairFriction, AnIsotropicPairIgnoresGrains) {
  PairFriction pair = wood();
  pair.model = FrictionModel::isotropic;
  const OrientedFriction f = orient(pair, n, at_degrees(0), at_degrees(0));
  EXPECT_EQ(f.mu_t, 0.4);
  EXPECT_EQ(f.mu_b, 0.4);
  EXPECT_EQ(f.mu_tau, 0.03);
  pair.mu_spin_isotropic.reset();
  EXPECT_EQ(orient(pair, n, none, none).mu_tau, 0.01);  // as mu_spin
}

TEST(PairFriction, AnEllipseIsFixedToTheBodyThatIsNamed) {
  PairFriction pair = wood();
  pair.model = FrictionModel::ellipse;
  EXPECT_LT((orient(pair, n, at_degrees(20), at_degrees(70)).t - at_degrees(20)).norm(), 1e-15);
  EXPECT_LT((orient(pair, n, none, at_degrees(70)).t - at_degrees(70)).norm(), 1e-15);
  pair.grain_of = GrainOf::b;
  EXPECT_LT((orient(pair, n, at_degrees(20), at_degrees(70)).t - at_degrees(70)).norm(), 1e-15);
  EXPECT_LT((orient(pair, n, at_degrees(20), none).t - at_degrees(20)).norm(), 1e-15);
  EXPECT_EQ(orient(pair, n, at_degrees(20), none).mu_b, 0.8);
  EXPECT_EQ(orient(pair, n, none, none).mu_b, 0.4);
}

TEST(FrictionTensor, HasTheEigenvaluesOfTheSumAsCoefficients) {
  // Aligned grains: 1.5 (0.1 + 0.2) along, 1.5 (0.3 + 0.25) across.
  PairFriction pair;
  pair.model = FrictionModel::tensor;
  pair.tensor_a = Eigen::Vector2d(0.1, 0.3).asDiagonal();
  pair.tensor_b = Eigen::Vector2d(0.2, 0.25).asDiagonal();
  pair.tensor_scale = 1.5;
  const OrientedFriction aligned = orient(pair, n, at_degrees(30), at_degrees(-150));
  EXPECT_NEAR(aligned.mu_t, 0.45, 1e-14);
  EXPECT_NEAR(aligned.mu_b, 0.825, 1e-14);
  EXPECT_LT(aligned.t.cross(at_degrees(30)).norm(), 1e-14);
  // Crossed: 1.5 (0.1 + 0.25) and 1.5 (0.3 + 0.2).
  const OrientedFriction crossed = orient(pair, n, at_degrees(0), at_degrees(90));
  EXPECT_NEAR(crossed.mu_t, 0.525, 1e-14);
  EXPECT_NEAR(crossed.mu_b, 0.75, 1e-14);
  // Grains 60 degrees apart: (A.1) itself along its axes, where it is a maximum of dissipation (A.18).
  const OrientedFriction oblique = orient(pair, n, at_degrees(0), at_degrees(60));
  Eigen::Matrix3d L = Eigen::Matrix3d::Zero();
  for (const auto& [angle, Q] : {std::pair(0.0, pair.tensor_a), std::pair(60.0, pair.tensor_b)})
    L += 1.5 * (Q(0, 0) * at_degrees(angle) * at_degrees(angle).transpose() +
                Q(1, 1) * at_degrees(angle + 90) * at_degrees(angle + 90).transpose());
  EXPECT_LT((cone_of(oblique, n) - L).norm(), 1e-14);
  EXPECT_LT((friction_force(oblique, n, oblique.t) + L * oblique.t).norm(), 1e-14);
}

TEST(FrictionTensor, ABodyWithoutGrainGivesTheMeanOfItsTensor) {
  PairFriction pair;
  pair.model = FrictionModel::tensor;
  pair.tensor_a = Eigen::Vector2d(0.1, 0.3).asDiagonal();
  pair.tensor_b = Eigen::Vector2d(0.2, 0.6).asDiagonal();
  const OrientedFriction f = orient(pair, n, at_degrees(0), none);
  EXPECT_NEAR(f.mu_t, 0.1 + 0.4, 1e-15);
  EXPECT_NEAR(f.mu_b, 0.3 + 0.4, 1e-15);
  EXPECT_NEAR(orient(pair, n, none, none).mu_t, 0.2 + 0.4, 1e-15);
  pair.missing_grain = MissingGrain::isotropic;
  EXPECT_NEAR(orient(pair, n, at_degrees(0), none).mu_b, 0.2 + 0.4, 1e-15);
}

std::string complaint(const PairFriction& pair, const Vector3d& normal = n, const Vector3d& a = none) {
  try {
    orient(pair, normal, a, none);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(FrictionTensor, RefusesWhatIsNoCone) {
  PairFriction pair;
  pair.model = FrictionModel::tensor;
  pair.tensor_b << 0.3, 0.1, 0, 0.3;
  EXPECT_NE(complaint(pair).find("tensor_b = [0.3, 0.1; 0, 0.3] is not symmetric"), std::string::npos);
  pair.tensor_b << 0.3, 0.6, 0.6, 0.3;  // eigenvalues 0.9 and -0.3; that of tensor_a is 0.25
  EXPECT_NE(complaint(pair).find("0.25 and -0.3: their sum is negative"), std::string::npos);
  pair.tensor_b << 0.3, 0.55, 0.55, 0.3;  // 0.85 and -0.25: no friction along one axis, but never a push
  EXPECT_EQ(complaint(pair), "");
}

TEST(PairFriction, ComplaintsNameTheFieldAndTheValue) {
  PairFriction pair;
  pair.mu_across = -0.2;
  EXPECT_EQ(complaint(pair), "friction: mu_across = -0.2, expected a finite number >= 0");
  pair = {};
  pair.mu_spin_isotropic = std::numeric_limits<double>::infinity();
  EXPECT_NE(complaint(pair).find("mu_spin_isotropic = inf"), std::string::npos);
  pair = {};
  pair.restitution = 1.5;
  EXPECT_NE(complaint(pair).find("restitution = 1.5"), std::string::npos);
  EXPECT_NE(complaint({}, none).find("normal (0, 0, 0)"), std::string::npos);
  EXPECT_NE(complaint({}, n, {0, std::nan(""), 0}).find("structure_a = (0, nan, 0)"), std::string::npos);
  EXPECT_EQ(complaint({}), "");
}

TEST(OneSided, TheSenseOfTheGrainSaysWhichCoefficient) {
  PairFriction pair;
  pair.model = FrictionModel::one_sided;
  pair.mu_with = 0.2, pair.mu_against = 0.5, pair.mu_across = 0.3;
  // Scales on B point along x. A slides along x: with them.
  const OrientedFriction on_b = orient(pair, n, none, Vector3d::UnitX());
  EXPECT_EQ(on_b.t, Vector3d(Vector3d::UnitX()));
  EXPECT_EQ(one_sided_law(on_b, 1).friction[0], 0.2);
  EXPECT_EQ(one_sided_law(on_b, -1).friction[0], 0.5);
  EXPECT_EQ(one_sided_law(on_b, -1).friction[1], 0.3);
  // Scales on A point along x. A slides along x, so B goes along -x over them: against.
  const OrientedFriction on_a = orient(pair, n, Vector3d::UnitX(), none);
  EXPECT_EQ(one_sided_law(on_a, on_a.t.dot(Vector3d::UnitX())).friction[0], 0.5);
  EXPECT_THROW(contact_law(on_a), InputError);
  // The same scene with the names of the bodies exchanged: the relative velocity changes its sign with them.
  const OrientedFriction renamed = orient(swapped(pair), -n, Vector3d::UnitX(), none);
  EXPECT_EQ(renamed.t, Vector3d(-on_b.t));
  // As strong both ways: an ellipse, and a law without further ado.
  pair.mu_against = 0.2;
  EXPECT_EQ(contact_law(orient(pair, n, none, Vector3d::UnitX())).friction[0], 0.2);
}

TEST(PairFriction, TheLawAndTheFrameOfAContact) {
  const OrientedFriction f = orient(wood(), 2 * n, at_degrees(0), at_degrees(0));
  const ContactLaw law = contact_law(f);
  EXPECT_EQ(law.friction, (std::array<double, 3>{0.2, 0.8, 0.01}));
  PairFriction bouncing = wood();
  bouncing.restitution = 0.5;
  EXPECT_EQ(contact_law(bouncing, f, -3).shift[0], -1.5);
  EXPECT_EQ(contact_law(bouncing, f, -3).friction, law.friction);
  const Eigen::Matrix3d frame = contact_frame_of(f, 2 * n);
  EXPECT_LT((frame.col(0) - n).norm() + (frame.col(1) - at_degrees(0)).norm(), 1e-15);
  EXPECT_NEAR(frame.determinant(), 1, 1e-15);
}

}  // namespace
}  // namespace capstan

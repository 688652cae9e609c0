#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "body/super_helix_statics.hpp"
#include "capstan/body/rod/helix_functions.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::mt19937 generator(7);

Vector3d random_vector(double norm) {
  std::normal_distribution<double> normal;
  const Vector3d v(normal(generator), normal(generator), normal(generator));
  return norm * v.normalized();
}

/// Lengths of k s from nothing to several turns, and both sides of x = 1 where series meet closed forms.
const std::vector<double> lengths_of_k = {1e-9, 1e-4, 1e-2, 0.3, 0.999999, 1.000001, 2, 5, 20};

TEST(HelixFunctions, SeriesAndClosedFormsMeet) {
  // The coefficients are smooth in x; a jump at the switch would show against the mean of both sides.
  const auto below = helix_coefficients(std::nextafter(1.0, 0.0), 1.0), above = helix_coefficients(1.0, 1.0);
  EXPECT_NEAR(above.a, below.a, 1e-15);
  EXPECT_NEAR(above.b, below.b, 1e-15);
  EXPECT_NEAR(above.a2 / below.a2, 1, 1e-14);
  EXPECT_NEAR(above.b2 / below.b2, 1, 1e-13);
  // (1 - cos 1), (1 - sin 1), sin 1 - 2 (1 - cos 1), (1 - cos 1) - 3 (1 - sin 1)
  EXPECT_NEAR(below.a, 0.45969769413186028, 1e-15);
  EXPECT_NEAR(below.b, 0.15852901519210350, 1e-15);
  EXPECT_NEAR(below.a2, -0.07792440345582406, 1e-15);
  EXPECT_NEAR(below.b2, -0.01588935144445022, 1e-15);
}

TEST(HelixFunctions, FirstTermsAtZero) {
  // a/s^2 = 1/2, b/s^3 = 1/6, a2/s^4 = -1/12, b2/s^5 = -1/60
  const auto c = helix_coefficients(0, 2);
  EXPECT_DOUBLE_EQ(c.a, 4.0 / 2);
  EXPECT_DOUBLE_EQ(c.b, 8.0 / 6);
  EXPECT_DOUBLE_EQ(c.a2, -16.0 / 12);
  EXPECT_DOUBLE_EQ(c.b2, -32.0 / 60);
}

TEST(HelixFunctions, PlaceFollowsTheKnownHelix) {
  // kappa = (tau, 0, kappa): Darboux vector d = (tau, 0, kappa); the curve winds about d with radius
  // kappa/|d|^2, and advances tau/|d| per length along d.
  const Vector3d k(3, 0, 4);
  const Vector3d axis = k / 5;
  for (const double s : {0.1, 0.7, 3.0}) {
    EXPECT_NEAR(helix_place(k, s).dot(axis), 3.0 / 5 * s, 1e-14);
    const Vector3d centre(0, 4.0 / 25, 0);  // the normal n1 points to the axis
    const Vector3d from_axis = helix_place(k, s) - centre;
    EXPECT_NEAR((from_axis - axis * axis.dot(from_axis)).norm(), 4.0 / 25, 1e-14);
  }
}

TEST(HelixFunctions, PlaceTangentAndTurnAgree) {
  for (const double size : lengths_of_k) {
    const Vector3d k = random_vector(size);
    const HelixPoint point = helix_point(k, 1);
    EXPECT_LT((point.f - helix_place(k, 1)).norm(), 1e-15);
    EXPECT_LT((point.f - helix_turning(k, 1).col(0)).norm(), 2e-15);
    EXPECT_LT((point.tangent - helix_turn(k, 1).col(0)).norm(), 2e-15);
    EXPECT_LT((helix_turn(k, 1) - rotation_exp(k)).norm(), 1e-14 * (1 + size));
  }
}

TEST(HelixFunctions, GIsTheDerivativeOfThePlace) {
  for (const double size : lengths_of_k) {
    const Vector3d k = random_vector(size);
    Matrix3d differences;
    const double h = 1e-5;
    for (int i = 0; i < 3; ++i)
      differences.col(i) =
          (helix_place(k + h * Vector3d::Unit(i), 1) - helix_place(k - h * Vector3d::Unit(i), 1)) / (2 * h);
    const Matrix3d G = helix_point(k, 1).G;
    EXPECT_LT((G - differences).norm(), 3e-10 * G.norm()) << "|k| = " << size;
  }
}

TEST(HelixFunctions, WTurnsTheFrame) {
  // exp([k + dk]) exp([k])^T = 1 + [W dk] + ...
  for (const double size : lengths_of_k) {
    const Vector3d k = random_vector(size);
    Matrix3d differences;
    const double h = 1e-5;
    for (int i = 0; i < 3; ++i) {
      const Matrix3d ahead = helix_turn(k + h * Vector3d::Unit(i), 1);
      const Matrix3d back = helix_turn(k - h * Vector3d::Unit(i), 1);
      differences.col(i) = rotation_log(ahead * back.transpose()) / (2 * h);
    }
    const Matrix3d W = helix_turning(k, 1);
    EXPECT_LT((W - differences).norm(), 1e-9 * W.norm()) << "|k| = " << size;
  }
}

TEST(HelixFunctions, GaussRulesAreExactToTheirDegree) {
  // n points integrate s^(2n-1) over [0, 1] exactly, and not s^(2n).
  for (const double x : {0.5, 2.0, 3.0, 5.0, 9.0}) {
    const auto rule = gauss_rule(x);
    const int n = static_cast<int>(rule.size());
    double exact = 0, beyond = 0;
    for (const GaussPoint& g : rule) {
      exact += g.weight * std::pow(g.s, 2 * n - 1);
      beyond += g.weight * std::pow(g.s, 2 * n);
    }
    EXPECT_NEAR(exact * 2 * n, 1, 1e-13);
    EXPECT_GT(std::abs(beyond * (2 * n + 1) - 1), 1e-13);
  }
  EXPECT_EQ(gauss_rule(1).size(), 3u);
  EXPECT_EQ(gauss_rule(1.01).size(), 4u);
  EXPECT_EQ(gauss_rule(3).size(), 5u);
  EXPECT_EQ(gauss_rule(4).size(), 8u);
  EXPECT_EQ(gauss_rule(7).size(), 12u);
}

SuperHelix random_strand(Hold root, double size_of_k, int segments = 5) {
  StrandShape shape = clamped_shape(rotation_exp(random_vector(1)));
  shape.root.hold = root;
  SuperHelix strand(shape, unit_rod(1), segments);
  std::vector<Vector3d> k;
  for (int i = 0; i < segments; ++i) k.push_back(random_vector(size_of_k));
  strand.set_curvatures(k);
  return strand;
}

VectorXd random_dofs(const SuperHelix& strand) {
  VectorXd v(strand.dofs());
  std::normal_distribution<double> normal;
  for (double& x : v) x = normal(generator);
  return v;
}

const StepConditions still{
    .t = 0, .dt = 1e-3, .theta = 1, .gravity = Vector3d::Zero(), .air = Vector3d::Zero()};

TEST(SuperHelix, PointJacobianIsTheDerivativeOfThePosition) {
  // The derivative of the position along v is what end_step with +-v makes of it; J v must say the same.
  for (const Hold hold : {Hold::clamped, Hold::pinned, Hold::free})
    for (const double size : {1e-9, 1e-4, 0.3, 4.9999, 5.0001, 20.0, 100.0}) {  // l = 0.2: Taylor ends at 5
      SuperHelix strand = random_strand(hold, size);
      const std::vector<double> start = strand.state();
      const VectorXd v = random_dofs(strand);
      StepConditions step = still;
      step.dt = 1e-5;
      for (const double s : {0.05, 0.53, 0.6, 1.0}) {
        strand.set_state(start);
        strand.begin_step(step);
        const Vector3d Jv = strand.point_motion(s).J * v;
        EXPECT_LT((strand.point_motion(s).x - strand.position(s)).norm(), 1e-14);
        strand.end_step(v);
        const Vector3d ahead = strand.position(s);
        EXPECT_LT((strand.velocity(s) - Jv).norm(), 1e-13 * (1 + Jv.norm()));
        strand.set_state(start);
        strand.begin_step(step);
        strand.end_step(-v);
        const Vector3d difference = (ahead - strand.position(s)) / (2 * step.dt);
        EXPECT_LT((Jv - difference).norm(), 2e-9 * (0.1 + Jv.norm())) << "|k| = " << size << ", s = " << s;
      }
    }
}

/// M = int rho S J^T J + rho (I1 + I2) c c^T by Simpson's rule on point_motion and differences of frame().
MatrixXd fine_mass_matrix(SuperHelix& strand) {
  const RodProperties& rod = strand.properties();
  const int n = strand.dofs(), panels = 60 * strand.segments();
  const double h = strand.length() / panels, e = 1e-5;
  strand.begin_step(still);
  MatrixXd M = MatrixXd::Zero(n, n);
  std::vector<double> arclengths, weights;
  for (int i = 0; i <= panels; ++i) {
    arclengths.push_back(std::min(i * h, strand.length()));
    weights.push_back(h / 3 * (i == 0 || i == panels ? 1 : i % 2 ? 4 : 2));
    const auto J = strand.point_motion(arclengths.back()).J;
    M += weights.back() * rod.linear_density * J.transpose() * J;
  }
  // Spin rows: the tangent's part of the rotation from -v to +v.
  MatrixXd spin(panels + 1, n);
  const std::vector<double> start = strand.state();
  StepConditions step = still;
  step.dt = e;
  for (int dof = 0; dof < n; ++dof) {
    std::vector<Matrix3d> ahead;
    for (const double sign : {1.0, -1.0}) {
      strand.set_state(start);
      strand.begin_step(step);
      strand.end_step(sign * VectorXd::Unit(n, dof));
      for (int i = 0; i <= panels; ++i) {
        if (sign > 0) {
          ahead.push_back(strand.frame(arclengths[i]));
          continue;
        }
        const Matrix3d back = strand.frame(arclengths[i]);
        spin(i, dof) = rotation_log(back.transpose() * ahead[i])[0] / (2 * e);
      }
    }
  }
  strand.set_state(start);
  for (int i = 0; i <= panels; ++i)
    M += weights[i] * (rod.inertia_1 + rod.inertia_2) * spin.row(i).transpose() * spin.row(i);
  return M;
}

/// A = M + dt^2 K: two steps tell M.
MatrixXd mass_matrix(SuperHelix& strand) {
  StepConditions step = still;
  strand.begin_step(step);
  const MatrixXd once = std::get<MatrixXd>(strand.matrix());
  step.dt *= 2;
  strand.begin_step(step);
  return (4 * once - std::get<MatrixXd>(strand.matrix())) / 3;
}

TEST(SuperHelix, MassMatrixIsThatOfAFineQuadrature) {
  // Relative error of the rule for x = |k| l (l = 0.2): 1e-7 at 0.3 (3 points), 3e-6 at 1 (3), 3e-7 at 2 (4),
  // 4e-6 at pi (5), 1e-8 at 2 pi (8 points); Simpson's own is below 1e-7.
  for (const Hold hold : {Hold::clamped, Hold::pinned, Hold::free})
    for (const auto& [x, tolerance] : {std::pair(0.3, 5e-7), std::pair(1.0, 1e-5), std::pair(2.0, 3e-6),
                                       std::pair(3.1, 2e-5), std::pair(6.2, 1e-6)}) {
      SuperHelix strand = random_strand(hold, x / 0.2);
      const MatrixXd fine = fine_mass_matrix(strand), M = mass_matrix(strand);
      EXPECT_LT((M - fine).norm(), tolerance * fine.norm()) << "x = " << x;
      EXPECT_LT((M - M.transpose()).norm(), 1e-14 * M.norm());
    }
}

TEST(SuperHelix, SpinOfTheSectionHasInertia) {
  // With a section so thick that its spin weighs as much as its path, the spin's part of M cannot hide.
  RodProperties rod = unit_rod(1);
  rod.inertia_1 = rod.inertia_2 = 0.2;
  for (const Hold hold : {Hold::clamped, Hold::free}) {
    StrandShape shape = clamped_shape(rotation_exp(random_vector(1)), 1, {2, 4, -3});
    shape.root.hold = hold;
    SuperHelix strand(shape, rod, 4);
    strand.set_curvatures(
        std::vector{random_vector(4), random_vector(6), random_vector(5), random_vector(3)});
    const MatrixXd fine = fine_mass_matrix(strand);
    EXPECT_LT((mass_matrix(strand) - fine).norm(), 1e-5 * fine.norm());
  }
}

/// Thick enough that spin shows, stress-free in a random shape.
SuperHelix thick_strand(Hold root, const Motion& motion = Motion(Frame{})) {
  RodProperties rod = unit_rod(1);
  rod.inertia_1 = rod.inertia_2 = 0.2;
  StrandShape shape = clamped_shape(Matrix3d::Identity());
  shape.root = {root, motion};
  SuperHelix strand(shape, rod, 3);
  const std::vector<Vector3d> k = {{2, 4, -3}, {-1, 3, 3}, {4, 0, 2}};
  strand.set_curvatures(k);
  strand.set_natural_curvatures(k);
  return strand;
}

TEST(SuperHelix, ForceOfAMovingStrandIsItsMomentum) {
  // With the velocity still that of the present pose and no forces: f = M v.
  for (const Hold hold : {Hold::clamped, Hold::pinned, Hold::free}) {
    SuperHelix strand = thick_strand(hold);
    const VectorXd v = random_dofs(strand);
    const MatrixXd M = mass_matrix(strand);
    strand.set_velocity(v);
    strand.begin_step(still);
    EXPECT_LT((strand.force() - M * v).norm(), 1e-12 * strand.force().norm());
    EXPECT_NEAR(strand.energy(Vector3d::Zero()).kinetic / (v.dot(M * v) / 2), 1, 1e-12);
  }
}

TEST(SuperHelix, AScriptedRootActsThroughTheMassItShares) {
  // From rest: f = -M_(k,root) (v_root, omega_root), with the block of M that a free root would have.
  const Vector3d x(1e-3, -2e-3, 5e-4), turn(2e-3, 1e-3, -3e-3);
  const Motion script(Frame{}, {{0}, {still.dt, x, turn}}, Motion::Interpolation::linear);
  SuperHelix driven = thick_strand(Hold::clamped, script), loose = thick_strand(Hold::free);
  Eigen::Matrix<double, 6, 1> root;
  root << x / still.dt, turn / still.dt;
  const VectorXd expected = -mass_matrix(loose).block(6, 0, 9, 6) * root;
  driven.begin_step(still);
  EXPECT_LT((driven.force() - expected).norm(), 1e-11 * expected.norm());
  // What point_motion calls the free velocity is the motion of that root.
  const Vector3d expected_velocity = root.head<3>() + root.tail<3>().cross(driven.position(0.8));
  EXPECT_LT((driven.point_motion(0.8).free_velocity - expected_velocity).norm(), 1e-12);
}

TEST(SuperHelix, ForceIsMinusTheGradientOfTheEnergy) {
  SuperHelix strand = random_strand(Hold::clamped, 6);
  const Vector3d gravity(0.3, -0.5, -1), pull(0.4, 0.2, 0.7);
  strand.loads = {{0.47, pull}};
  Statics statics{strand, gravity};
  const VectorXd q = statics.curvatures(), f = statics.force(q);
  const auto energy = [&](const VectorXd& at) {
    statics.set(at);
    return strand.energy(gravity).total() - pull.dot(strand.position(0.47));
  };
  const double h = 1e-4;
  for (int i = 0; i < q.size(); ++i) {
    const VectorXd step = h * VectorXd::Unit(q.size(), i);
    EXPECT_NEAR(f[i], (energy(q - step) - energy(q + step)) / (2 * h), 1e-8 * f.norm());
  }
}

TEST(SuperHelix, LoadsPushTheRootToo) {
  // f of the root's dofs: the impulse and its moment about the root.
  SuperHelix strand = random_strand(Hold::free, 6);
  strand.begin_step(still);
  const VectorXd unloaded = strand.force();
  const Vector3d pull(0.4, 0.2, 0.7);
  strand.loads = {{0.47, pull}};
  strand.begin_step(still);
  const VectorXd load = strand.force() - unloaded;
  EXPECT_LT((load.head<3>() - still.dt * pull).norm(), 1e-16);
  EXPECT_LT((load.segment<3>(3) - still.dt * strand.position(0.47).cross(pull)).norm(), 1e-16);
  EXPECT_LT((load - still.dt * strand.point_motion(0.47).J.transpose() * pull).norm(), 1e-14);
}

TEST(SuperHelix, NaturalStartIsExact) {
  const Vector3d k(2, 5, 0);
  const SuperHelix strand(clamped_shape(Matrix3d::Identity(), 1, k), unit_rod(1), 3);
  for (const double s : {0.0, 0.2, 0.77, 1.0}) {
    EXPECT_LT((strand.position(s) - helix_place(k, s)).norm(), 1e-15);
    EXPECT_LT((strand.frame(s) - helix_turn(k, s)).norm(), 1e-14);
  }
  EXPECT_EQ(strand.energy(Vector3d::Zero()).total(), 0);
}

StrandShape arc_of_nodes(double angle, int edges) {
  StrandShape shape;
  for (int i = 0; i <= edges; ++i) {
    const double phi = angle * i / edges;
    shape.nodes.push_back(Vector3d(5 + std::sin(phi) / angle, (1 - std::cos(phi)) / angle, 2));
  }
  shape.normal = Vector3d::UnitY();
  shape.root = {Hold::clamped, Motion(Frame{})};
  return shape;
}

/// Largest distance between the nodes and the strand at the same fraction of its length.
double farthest_off(const StrandShape& shape, int segments) {
  const SuperHelix strand(shape, unit_rod(1), segments);
  double off = 0;
  const std::size_t edges = shape.nodes.size() - 1;
  for (std::size_t i = 0; i <= edges; ++i)
    off = std::max(off, (strand.position(strand.length() * i / edges) - shape.nodes[i]).norm());
  return off;
}

TEST(SuperHelix, FollowsAnArc) {
  // An arc of length 1: curvature 4.5 about n2. The root's tangent is the first edge, half an edge's turn off
  // the arc's: 4.5/400 rad. With one segment this is also more than half a turn.
  for (const int segments : {1, 3, 8}) {
    const StrandShape shape = arc_of_nodes(4.5, 200);
    const SuperHelix strand(shape, unit_rod(1), segments);
    for (int i = 0; i < segments; ++i)
      EXPECT_LT((strand.curvature(i) - Vector3d(0, 0, 4.5)).norm(), 2.5 * 4.5 / 400 * segments);
    EXPECT_LT((strand.position(0) - Vector3d(5, 0, 2)).norm(), 1e-15);
    EXPECT_LT(farthest_off(shape, segments), 4.5 / 400);
    EXPECT_GT(strand.energy(Vector3d::Zero()).elastic, 0.9 * 4.5 * 4.5 / 2);  // rest is straight
  }
}

TEST(SuperHelix, FollowsACurl) {
  // A groom's curl: 30 cm, radius 8 mm, 5 turns of a helix of torsion 50/m. Frames carried along it without
  // turning do not have constant curvature; the segments must twist with the curl to follow it.
  const Vector3d k(50, 0, 100);
  StrandShape shape;
  for (int i = 0; i <= 100; ++i) shape.nodes.push_back(helix_place(k, 0.3 * i / 100));
  shape.root = {Hold::clamped, Motion(Frame{})};
  EXPECT_LT(farthest_off(shape, 20), 1e-3);
  const SuperHelix strand(shape, unit_rod(1), 20);
  EXPECT_NEAR(strand.curvature(10)[0], 50, 5);
  EXPECT_NEAR(strand.curvature(10).tail<2>().norm(), 100, 6);
}

TEST(SuperHelix, FollowsAWave) {
  StrandShape shape;
  for (int i = 0; i <= 100; ++i) shape.nodes.push_back({0.01 * std::sin(0.168 * i), 0, -0.0028 * i});
  shape.root = {Hold::clamped, Motion(Frame{})};
  EXPECT_LT(farthest_off(shape, 20), 1.5e-3);
}

TEST(SuperHelix, AStartAsGivenIsFreeOfStress) {
  StrandShape shape = arc_of_nodes(2, 20);
  shape.rest = StrandShape::Rest::as_given;
  const SuperHelix strand(shape, unit_rod(1), 6);
  EXPECT_EQ(strand.energy(Vector3d::Zero()).elastic, 0);
  EXPECT_GT(strand.natural_curvatures()[3].norm(), 1.5);
}

TEST(SuperHelix, TwistOfAPolylineIsSpreadEvenly) {
  StrandShape shape = arc_of_nodes(1e-6, 3);
  shape.twist = 9;  // more than half a turn in each of two segments
  const SuperHelix strand(shape, unit_rod(1), 2);
  for (int i = 0; i < 2; ++i) EXPECT_LT((strand.curvature(i) - Vector3d(9, 0, 0)).norm(), 1e-5);
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SuperHelix, SaysWhatIsWrong) {
  const StrandShape good = clamped_shape(Matrix3d::Identity());
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  StrandShape held = good;
  held.tip.hold = Hold::clamped;
  EXPECT_TRUE(
      contains(message_of([&] { SuperHelix(held, unit_rod(1), 3); }), "the tip is held, expected free"));
  EXPECT_TRUE(contains(message_of([&] { SuperHelix(good, unit_rod(1), 0); }), "has 0 segments, expected 1"));
  RodProperties limp = unit_rod(1);
  limp.bending_2 = 0;
  EXPECT_TRUE(
      contains(message_of([&] { SuperHelix(good, limp, 3); }), "bending_2 is 0.000000, expected > 0"));
  StrandShape loose = good;
  loose.root.hold = Hold::free;
  RodProperties thin = unit_rod(1);
  thin.inertia_1 = thin.inertia_2 = 0;
  EXPECT_TRUE(contains(message_of([&] { SuperHelix(loose, thin, 3); }), "inertia_1 + inertia_2 is 0"));
  EXPECT_EQ(message_of([&] { SuperHelix(good, thin, 3); }), "");  // a clamp holds the spin
  SuperHelix strand(good, unit_rod(1), 3);
  EXPECT_TRUE(contains(message_of([&] { strand.position(1.1); }), "arclength is 1.1"));
  EXPECT_TRUE(contains(message_of([&] { strand.position(std::nan("")); }), "arclength is"));
  EXPECT_TRUE(contains(message_of([&] { strand.set_state({}); }), "state has 0 numbers, expected 57"));
  EXPECT_TRUE(contains(message_of([&] { strand.begin_step({.t = 0, .dt = 0}); }), "dt is 0"));
  EXPECT_TRUE(
      contains(message_of([&] { strand.begin_step({.t = 0, .dt = 1, .theta = 0.4}); }), "theta is 0.4"));
  EXPECT_TRUE(contains(message_of([&] { strand.end_step(VectorXd::Zero(8)); }), "8 entries, expected 9"));
}

}  // namespace
}  // namespace capstan

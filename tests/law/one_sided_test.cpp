#include "capstan/solve/one_sided.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

OrientedFriction scales(double mu_with, double mu_against, double mu_across) {
  PairFriction pair;
  pair.model = FrictionModel::one_sided;
  pair.mu_with = mu_with, pair.mu_against = mu_against, pair.mu_across = mu_across;
  return orient(pair, Vector3d::UnitX(), Vector3d::Zero(),
                Vector3d::UnitY());  // on B, along the first tangent
}

SolveOptions sharply() {
  SolveOptions options;
  options.tolerance = 1e-12;
  return options;
}

/// A contact frame n, t, b along x, y, z.
OneSidedSolution solve_point(const Vector3d& velocity, const OrientedFriction& friction, double mass = 2) {
  const ContactProblem problem = testing_support::mass_point(mass, velocity, ContactLaw::frictionless());
  return solve_one_sided(problem, {{0, friction}}, sharply());
}

/// The largest power of friction over the cone of two half ellipses, per unit of normal impulse.
double largest_dissipation(const OrientedFriction& f, const Vector2d& u) {
  double best = 0;
  for (int k = 0; k < 200000; ++k) {
    const double angle = 2 * M_PI * k / 200000, c = std::cos(angle);
    const Vector2d r((c > 0 ? f.mu_t_back : f.mu_t) * c, f.mu_b * std::sin(angle));
    best = std::max(best, -r.dot(u));
  }
  return best;
}

TEST(OneSided, SlidesWithAndAgainstTheScalesWithTheirCoefficients) {
  const OrientedFriction f = scales(0.2, 0.5, 0.3);
  const OneSidedSolution with = solve_point({-1, 2, 0}, f), against = solve_point({-1, -2, 0}, f);
  EXPECT_NEAR(with.solution.v[1], 2 - 0.2, 1e-11);
  EXPECT_NEAR(against.solution.v[1], -2 + 0.5, 1e-11);
  EXPECT_EQ(with.rounds, 1);
  EXPECT_TRUE(with.inconsistent.empty());
  EXPECT_EQ(against.problem.law(0).friction[0], 0.5);
}

TEST(OneSided, SticksOnlyAgainstTheScalesBetweenTheTwoThresholds) {
  const OrientedFriction f = scales(0.2, 0.5, 0.3);
  EXPECT_NEAR(solve_point({-1, 0.35, 0}, f).solution.v[1], 0.15, 1e-11);
  EXPECT_NEAR(solve_point({-1, -0.35, 0}, f).solution.v[1], 0, 1e-11);
}

TEST(OneSided, AHalfWithoutFrictionIsLeftByTheVelocity) {
  const OrientedFriction f = scales(0, 0.5, 0.3);
  EXPECT_NEAR(solve_point({-1, 2, 0}, f).solution.v[1], 2, 1e-11);
  EXPECT_NEAR(solve_point({-1, -2, 0}, f).solution.v[1], -1.5, 1e-11);
  EXPECT_NEAR(solve_point({-1, -0.3, 0}, f).solution.v[1], 0, 1e-11);
  // The normal impulse throws the contact back against the scales, though b points with them; in the half
  // without friction r_t = 0 does not tell. r_t = r_N/2, 0 = -1 + r_N - 0.8 r_t, u_t = 0.3 - 0.8 r_N + r_t =
  // -0.2.
  Eigen::Matrix3d W = Eigen::Matrix3d::Identity();
  W(0, 1) = W(1, 0) = -0.8;
  const ContactProblem coupled = ContactProblem::from_delassus(
      BlockMatrix::from_dense(W, 3), Vector3d(-1, 0.3, 0), {ContactLaw::frictionless()});
  const OneSidedSolution back = solve_one_sided(coupled, {{0, f}}, sharply());
  EXPECT_NEAR(back.solution.u[1], -0.2, 1e-11);
  EXPECT_EQ(back.rounds, 2);
  EXPECT_TRUE(back.inconsistent.empty());
}

TEST(OneSided, SlidingAcrossFeelsNoForceAlongTheScales) {
  const OneSidedSolution s = solve_point({-1, 0, 1}, scales(0.2, 0.5, 0.3));
  EXPECT_NEAR(s.solution.r[1], 0, 1e-12);
  EXPECT_NEAR(s.solution.v[2], 1 - 0.3, 1e-11);
  EXPECT_TRUE(s.inconsistent.empty());
}

TEST(OneSided, NoOtherForceOfTheTwoHalvesDissipatesMore) {
  const OrientedFriction f = scales(0.2, 0.6, 0.3);
  for (const Vector2d& pull : {Vector2d(1, 0.4), Vector2d(-1, 0.4), Vector2d(0.1, -1), Vector2d(-0.1, -1)}) {
    const OneSidedSolution s = solve_point({-1, pull[0], pull[1]}, f);
    ASSERT_TRUE(s.inconsistent.empty());
    const Vector2d u = s.solution.u.tail(2), r = s.solution.r.tail(2);
    EXPECT_NEAR(-r.dot(u), s.solution.r[0] * largest_dissipation(f, u), 1e-8);
  }
}

TEST(OneSided, WithEqualCoefficientsItIsTheEllipse) {
  const OneSidedSolution s = solve_point({-1, 2, 1}, scales(0.2, 0.2, 0.8));
  const Solution plain =
      solve(testing_support::mass_point(2, {-1, 2, 1}, ContactLaw::elliptic(0.2, 0.8)), sharply());
  EXPECT_LT((s.solution.r - plain.r).norm(), 1e-14);
}

TEST(OneSided, CoupledContactsAgreeOnTheirSides) {
  // Contacts push each other over to the other side: the first guess from the free velocity is often wrong.
  const OrientedFriction f = scales(0.15, 0.7, 0.4);
  int rounds = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const ContactProblem problem = testing_support::random_bodies(8, 6, 6, 3, seed);
    std::vector<OneSidedContact> contacts;
    for (int i = 0; i < 8; ++i) contacts.push_back({i, f});
    const OneSidedSolution s = solve_one_sided(problem, contacts, sharply());
    EXPECT_TRUE(s.inconsistent.empty()) << seed;
    EXPECT_LT(s.solution.report.certificate.error, 1e-12) << seed;
    rounds = std::max(rounds, s.rounds);
    for (int i = 0; i < 8; ++i) {
      const Vector3d r = s.solution.r.segment<3>(3 * i), u = s.solution.u.segment<3>(3 * i);
      EXPECT_GE(u[0], -1e-10) << seed;
      EXPECT_NEAR(r[0] * u[0], 0, 1e-9) << seed;  // complementary: no dilatancy
      const double mu_t = r[1] > 0 ? f.mu_t_back : f.mu_t;
      EXPECT_LE(std::hypot(r[1] / mu_t, r[2] / f.mu_b), r[0] + 1e-9) << seed;
      if (i == 0) {
        EXPECT_NEAR(-r.tail(2).dot(u.tail(2)), r[0] * largest_dissipation(f, u.tail(2)), 1e-7) << seed;
      }
    }
  }
  EXPECT_GE(rounds, 2);
  RecordProperty("most_rounds", rounds);
}

TEST(OneSided, ATractionAndItsShiftMoveTheVelocityThatFrictionOpposes) {
  // u = 4.375 along the scales, but u + s = -0.625: friction acts as against them.
  const OrientedFriction f = scales(0.2, 0.5, 0.3);
  const ContactLaw spring = ContactLaw::frictionless().with_traction({0, 3, 3, 0}, {0, -5, 0, 0});
  const OneSidedSolution s =
      solve_one_sided(testing_support::mass_point(1, {-1, 2, 0}, spring), {{0, f}}, sharply());
  EXPECT_NEAR(s.solution.u[1], (2 + 15 + 0.5) / 4, 1e-10);  // (m + E) u = m v - E s + 0.5
  EXPECT_EQ(s.problem.law(0).friction[0], 0.5);
  EXPECT_EQ(s.rounds, 1);  // the first choice knows of the shift
  const ContactLaw shifted = ContactLaw::frictionless().with_traction(Eigen::Vector4d::Zero(), {0, -5, 0, 0});
  const OneSidedSolution conveyed =
      solve_one_sided(testing_support::mass_point(1, {-1, 2, 0}, shifted), {{0, f}}, sharply());
  EXPECT_NEAR(conveyed.solution.u[1], 2.5, 1e-10);
  EXPECT_EQ(conveyed.rounds, 1);
  EXPECT_TRUE(s.inconsistent.empty());
}

TEST(OneSided, AnEllipseOffTheAxisWouldSinkInAndPushAcross) {
  // |D^-1 (r_T - c r_N)| <= r_N, c = (against - with)/2 and D = (against + with)/2 along t, as r = L x with y
  // = L^T u: rows (1, c), (0, 1) in place of n and t. The canonical law then keeps u_N + c u_t >= 0, not u_N.
  const double c = 0.15;
  const ContactLaw law = ContactLaw::elliptic(0.35, 0.3);
  Eigen::Matrix3d L = Eigen::Matrix3d::Identity();
  L(1, 0) = c;
  ContactJacobian H(3, {0, 3});
  H.add_contact();
  H.add_block(0, L.transpose());
  const Solution associated =
      solve(ContactProblem::from_mass(MassMatrix::block_diagonal({Eigen::Matrix3d::Identity()}),
                                      Vector3d(-1, 2, 0), H, Vector3d::Zero(), {law}),
            sharply());
  EXPECT_NEAR(associated.v[0], -c * associated.v[1], 1e-11);
  EXPECT_LT(associated.v[0], -0.1);
  // With u itself and r = L x the operator W L is not symmetric, and the law is right.
  const Solution exact = solve(
      ContactProblem::from_delassus(BlockMatrix::from_dense(L, 3), Vector3d(-1, 2, 0), {law}), sharply());
  EXPECT_NEAR(exact.u[0], 0, 1e-11);
  EXPECT_NEAR(exact.u[1], 2 - 0.2, 1e-11);
  // Across: it would push along the scales with c r_N.
  const Solution across = solve(
      ContactProblem::from_delassus(BlockMatrix::from_dense(L, 3), Vector3d(-1, 0, 5), {law}), sharply());
  EXPECT_GT(across.u[1], 0.1);
}

TEST(OneSided, RefusesContactsThatDoNotExist) {
  const ContactProblem problem = testing_support::mass_point(1, {-1, 2, 0}, ContactLaw::frictionless());
  EXPECT_THROW(solve_one_sided(problem, {{1, scales(0.1, 0.2, 0.3)}}), InputError);
  EXPECT_THROW(solve_one_sided(problem, {{-1, scales(0.1, 0.2, 0.3)}}), InputError);
}

TEST(OneSided, SaysWhichContactsDisagreeWhenItMustStopEarly) {
  const OrientedFriction f = scales(0.15, 0.7, 0.4);
  std::size_t disagreeing = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::vector<OneSidedContact> contacts;
    for (int i = 0; i < 8; ++i) contacts.push_back({i, f});
    const ContactProblem problem = testing_support::random_bodies(8, 6, 6, 3, seed);
    disagreeing += solve_one_sided(problem, contacts, sharply(), 1).inconsistent.size();
  }
  EXPECT_GT(disagreeing, 0u);
}

}  // namespace
}  // namespace capstan

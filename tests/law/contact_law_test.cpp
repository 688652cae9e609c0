#include "capstan/law/contact_law.hpp"

#include <gtest/gtest.h>

#include "capstan/solve/solver.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using testing_support::mass_point;

Solution solve_tightly(const ContactProblem& problem) {
  SolveOptions options;
  options.tolerance = 1e-12;
  return solve(problem, options);
}

TEST(ContactLaw, FrictionlessStopsOnlyTheNormalVelocity) {
  const Solution s = solve_tightly(mass_point(2, {-3, 4, 5}, ContactLaw::frictionless()));
  EXPECT_NEAR(s.r[0], 6, 1e-10);  // m v_N
  EXPECT_NEAR(s.v[0], 0, 1e-12);
  EXPECT_NEAR(s.v[1], 4, 1e-12);
  EXPECT_NEAR(s.v[2], 5, 1e-12);
  EXPECT_EQ(s.r[1], 0);
}

TEST(ContactLaw, CoulombSlidesAgainstTheMotionWithMuTimesTheNormalImpulse) {
  // |r_T| = mu r_N = 0.5 * 6 against (3, 4)/5; the point keeps (5 - 3/2) of its tangential speed.
  const Solution s = solve_tightly(mass_point(2, {-3, 3, 4}, ContactLaw::coulomb(0.5)));
  EXPECT_NEAR(s.r[1], -3 * 0.6, 1e-9);
  EXPECT_NEAR(s.r[2], -3 * 0.8, 1e-9);
  EXPECT_NEAR(s.v.tail(2).norm(), 5 - 1.5, 1e-9);
  EXPECT_EQ(s.report.certificate.states[0], ContactState::slide);
}

TEST(ContactLaw, CoulombSticksInsideTheCone) {
  const Solution s = solve_tightly(mass_point(2, {-3, 0.3, 0.4}, ContactLaw::coulomb(0.5)));
  EXPECT_LT(s.v.norm(), 1e-10);
  EXPECT_EQ(s.report.certificate.states[0], ContactState::stick);
}

TEST(ContactLaw, EllipticImpulseMaximisesDissipationOverTheEllipse) {
  // r_T = -r_N D^2 u_T / |D u_T|, D = diag(mu_t, mu_b): checked against the sliding velocity that comes out.
  const double mu_t = 0.2, mu_b = 0.8;
  const Solution s = solve_tightly(mass_point(1, {-1, 2, 1}, ContactLaw::elliptic(mu_t, mu_b)));
  const Eigen::Vector2d u = s.u.tail(2), Du(mu_t * u[0], mu_b * u[1]);
  const Eigen::Vector2d expected = -s.r[0] * Eigen::Vector2d(mu_t * Du[0], mu_b * Du[1]) / Du.norm();
  EXPECT_LT((s.r.tail(2) - expected).norm(), 1e-10);
  double best = 0;  // brute force over the ellipse: no other impulse dissipates more
  for (int k = 0; k < 10000; ++k) {
    const double angle = 2 * M_PI * k / 10000;
    best = std::max(best, -s.r[0] * (mu_t * std::cos(angle) * u[0] + mu_b * std::sin(angle) * u[1]));
  }
  EXPECT_NEAR(-s.r.tail(2).dot(u), best, 1e-6);
}

TEST(ContactLaw, OneZeroCoefficientLetsThePointSlideFreelyAlongThatAxis) {
  const Solution s = solve_tightly(mass_point(1, {-1, 0.3, 0.2}, ContactLaw::elliptic(0, 0.9)));
  EXPECT_EQ(s.r[1], 0);
  EXPECT_NEAR(s.v[1], 0.3, 1e-12);
  EXPECT_NEAR(s.v[2], 0, 1e-10);  // 0.2 < 0.9: sticks across
}

TEST(ContactLaw, DrillingTorqueSharesTheCone) {
  // Fourth component: torque about the normal, inertia 1. The whole (t, b, tau) is braked along one
  // ellipsoid.
  ContactJacobian H(4, {0, 4});
  H.add_contact();
  H.add_block(0, Eigen::Matrix4d::Identity());
  const Eigen::Vector4d velocity(-1, 0.5, 0, 2);
  const ContactLaw law = ContactLaw::drilling(0.3, 0.3, 0.1);
  const auto problem = ContactProblem::from_mass(MassMatrix::block_diagonal({Eigen::Matrix4d::Identity()}),
                                                 velocity, H, Eigen::Vector4d::Zero(), {law});
  const Solution s = solve_tightly(problem);
  const double limit = std::pow(s.r[1] / 0.3, 2) + std::pow(s.r[2] / 0.3, 2) + std::pow(s.r[3] / 0.1, 2);
  EXPECT_NEAR(std::sqrt(limit), s.r[0], 1e-9);
  EXPECT_LT(s.r[3], 0);
  EXPECT_LT(s.report.certificate.error, 1e-12);
}

TEST(ContactLaw, NewtonRestitutionReversesTheNormalVelocity) {
  const Solution s =
      solve_tightly(mass_point(2, {-3, 0, 0}, ContactLaw::coulomb(0.3).with_restitution(0.6, -3)));
  EXPECT_NEAR(s.v[0], 1.8, 1e-10);
  const Solution gentle =
      solve_tightly(mass_point(2, {1, 0, 0}, ContactLaw::coulomb(0.3).with_restitution(0.6, 2)));
  EXPECT_NEAR(gentle.v[0], 1, 1e-12);  // was separating: nothing happens
}

TEST(ContactLaw, TractionIsASpringBesideTheContact) {
  // Pulled off with impulse m v = 1; E = 3 kg holds back: (m + E) u = m v, r = -E u.
  const ContactLaw law = ContactLaw::coulomb(0.4).with_traction({3, 3, 3, 0}, Eigen::Vector4d::Zero());
  const Solution s = solve_tightly(mass_point(1, {1, 0, 0}, law));
  EXPECT_NEAR(s.u[0], 0.25, 1e-12);
  EXPECT_NEAR(s.r[0], -0.75, 1e-12);
  EXPECT_LT(s.report.certificate.error, 1e-12);
}

TEST(ContactLaw, TractionInReducedFormEqualsTractionInMassForm) {
  std::vector<ContactLaw> laws = testing_support::coulomb_laws(6, 0.4);
  laws[1] = laws[1].with_traction({0.5, 0.2, 0.2, 0}, {-0.1, 0.05, 0, 0});
  laws[4] = ContactLaw::frictionless().with_traction({1, 0.3, 0.3, 0}, {0.02, 0, 0, 0});
  const ContactProblem mass = testing_support::random_bodies(6, 8, 6, 3, 3, laws);
  const ContactProblem reduced = ContactProblem::from_delassus(
      assemble_delassus(mass.mass(), mass.H(), serial_executor()), mass.b(), laws);
  const Solution a = solve_tightly(mass), b = solve_tightly(reduced);
  EXPECT_LT(a.report.certificate.error, 1e-12);
  EXPECT_LT(b.report.certificate.error, 1e-12);
  EXPECT_LT((a.r - b.r).norm(), 1e-9 * a.r.norm());
}

}  // namespace
}  // namespace capstan

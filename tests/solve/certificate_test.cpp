#include "capstan/solve/certificate.hpp"

#include <gtest/gtest.h>

#include "capstan/solve/solver.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using testing_support::mass_point;
using testing_support::random_bodies;

TEST(Certificate, DoingNothingScoresOne) {
  const ContactProblem p = random_bodies(20, 6, 6, 3, 1);
  EXPECT_DOUBLE_EQ(certify(p, Eigen::VectorXd::Zero(60)).error, 1);
}

TEST(Certificate, AContactThatOpensWhileItSlidesFastHasNoError) {
  // y~_N - |y_T| = u_N is there whatever |u_T|: with rounding 1e-16 |u_T| over the unit 1e-12 |b| it was
  // 1e-4.
  for (int k = 0; k < 100; ++k) {
    const ContactProblem p =
        mass_point(0.3, {1e-7 * (k % 3), 11 * std::cos(k), 11 * std::sin(k)}, ContactLaw::coulomb(0.2));
    EXPECT_EQ(certify(p, Eigen::Vector3d::Zero()).error, 0) << k;
    EXPECT_EQ(solve(p).report.status, Status::converged) << k;
  }
  // Approaching by a billionth of that still counts: doing nothing scores one.
  EXPECT_DOUBLE_EQ(
      certify(mass_point(0.3, {-1e-8, 11, 3}, ContactLaw::coulomb(0.2)), Eigen::Vector3d::Zero()).error, 1);
}

TEST(Certificate, PhysicalDefectsOfAWrongAnswerAreThoseComputedByHand) {
  // m = 2, v = (-3, 4, 0), mu = 0.5. r = (4, 3, 0): u = (-1, 5.5, 0), tangential impulse 3 > 0.5 * 4 and with
  // the motion.
  const ContactProblem p = mass_point(2, {-3, 4, 0}, ContactLaw::coulomb(0.5));
  const Certificate c = certify(p, Eigen::Vector3d(4, 3, 0));
  EXPECT_DOUBLE_EQ(c.penetration_velocity, 1);
  EXPECT_DOUBLE_EQ(c.cone_violation, 6 - 4);  // in canonical variables x_T = 3/0.5
  // x.y~ = r.u + mu |u_T| r_N = (-4 + 16.5) + 0.5 * 5.5 * 4
  EXPECT_DOUBLE_EQ(c.dissipation_defect, 12.5 + 11);
  EXPECT_EQ(c.worst_contact, 0);
}

TEST(Certificate, NaturalMapIsTheOneOfSiconos) {
  // r - P_K(r - (u + mu |u_T| e)) over |b|, one contact by hand: r = 0 and b = (-2, 0, 0) move to (2, 0, 0)
  // inside K.
  const auto p = ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::Matrix3d::Identity(), 3),
                                               Eigen::Vector3d(-2, 0, 0), {ContactLaw::coulomb(0.3)});
  EXPECT_DOUBLE_EQ(certify(p, Eigen::Vector3d::Zero()).natural_map_error, 1);
  EXPECT_DOUBLE_EQ(certify(p, Eigen::Vector3d(1, 0, 0)).natural_map_error, 0.5);
  EXPECT_DOUBLE_EQ(certify(p, Eigen::Vector3d(2, 0, 0)).natural_map_error, 0);
}

TEST(Certificate, NaturalMapInsideTheSolverEqualsTheOneOfTheCertificate) {
  std::vector<ContactLaw> laws = testing_support::coulomb_laws(12, 0.4);
  laws[3] = ContactLaw::elliptic(0.2, 0.7);
  laws[7] = ContactLaw::frictionless();
  const ContactProblem p = random_bodies(12, 5, 6, 3, 8, laws);
  CanonicalProblem c(p, serial_executor());
  Eigen::VectorXd r = Eigen::VectorXd::Random(36);
  r.segment<2>(22).setZero();  // the frictionless contact
  const Eigen::VectorXd x = c.canonical_from_impulse(r);
  Eigen::VectorXd y;
  c.velocity(x, y);
  // The elliptic contact is measured in canonical variables whose scale differs; leave it out of both.
  std::vector<ContactLaw> round = laws;
  round[3] = ContactLaw::coulomb(0.4);
  const ContactProblem q = random_bodies(12, 5, 6, 3, 8, round);
  const CanonicalProblem cq(q, serial_executor());
  Eigen::VectorXd yq;
  const Eigen::VectorXd xq = cq.canonical_from_impulse(r);
  cq.velocity(xq, yq);
  EXPECT_NEAR(natural_map(cq, xq, yq) / q.b().norm(), certify(q, r).natural_map_error, 1e-12);
  EXPECT_TRUE(std::isfinite(natural_map(c, x, y)));
}

TEST(Certificate, WorstFischerBurmeisterIsTheNumeratorOfTheError) {
  const ContactProblem p = random_bodies(15, 5, 6, 3, 8);
  const CanonicalProblem c(p, serial_executor());
  const Eigen::VectorXd r = Eigen::VectorXd::Random(45), x = c.canonical_from_impulse(r);
  Eigen::VectorXd y;
  c.velocity(x, y);
  const WorstContact worst = worst_fischer_burmeister(c, x, y);
  const Certificate certificate = certify(p, r);
  EXPECT_NEAR(worst.value / error_unit(p), certificate.error, 1e-12 * certificate.error);
  EXPECT_EQ(worst.contact, certificate.worst_contact);
}

TEST(Certificate, ATangentialImpulseOnAFrictionlessContactIsAnError) {
  const ContactProblem p = mass_point(1, {-1, 0, 0}, ContactLaw::frictionless());
  EXPECT_LT(certify(p, Eigen::Vector3d(1, 0, 0)).error, 1e-15);
  EXPECT_GT(certify(p, Eigen::Vector3d(1, 0.1, 0)).error, 0.01);
}

/// The problem of `p` in other units: lengths times `length`, masses times `mass`.
ContactProblem in_units(const ContactProblem& p, double length, double mass) {
  ContactJacobian H = p.H();
  std::vector<Eigen::MatrixXd> blocks;
  const Eigen::MatrixXd M = Eigen::MatrixXd(p.mass().matrix());
  for (int body = 0; body < p.mass().bodies(); ++body) {
    const int first = p.mass().dof_starts()[body], size = p.mass().dof_starts()[body + 1] - first;
    blocks.push_back(mass * M.block(first, first, size, size));
  }
  return ContactProblem::from_mass(MassMatrix::block_diagonal(blocks), mass * length * p.f(), H,
                                   length * p.w(), p.laws());
}

void expect_the_same_in_units(const char* solver, double length, double mass) {
  const ContactProblem p = random_bodies(40, 10, 6, 3, 77);
  SolveOptions options;
  options.solver = solver;
  options.tolerance = 1e-8;
  const Solution metres = solve(p, options), other = solve(in_units(p, length, mass), options);
  EXPECT_EQ(metres.report.iterations, other.report.iterations) << solver;
  EXPECT_NEAR(other.report.certificate.error / metres.report.certificate.error, 1, 1e-3) << solver;
  EXPECT_LT((other.r / (length * mass) - metres.r).norm(), 1e-9 * metres.r.norm()) << solver;
}

TEST(UnitInvariance, CentimetresAndGramsGiveTheSameErrorAndTheSameIterations) {
  for (const char* solver : {"auto", "momentum", "momentum_projection", "sweep"}) {
    expect_the_same_in_units(solver, 100, 1);
    expect_the_same_in_units(solver, 1, 1000);
    expect_the_same_in_units(solver, 100, 1000);
  }
}

TEST(UnitInvariance, TheInteriorPointTakesTheSameStepsInUnitsThatRoundAlike) {
  // Its last steps feel rounding, so the units differ by powers of two whose square roots are exact.
  expect_the_same_in_units("interior", 128, 1);
  expect_the_same_in_units("interior", 1, 1024);
}

TEST(Certificate, IsFiniteForAbsurdAnswers) {
  const ContactProblem p = random_bodies(5, 3, 6, 3, 4);
  const Certificate c = certify(p, Eigen::VectorXd::Constant(15, 1e150));
  EXPECT_TRUE(std::isfinite(c.error));
  EXPECT_GT(c.error, 1e100);
  // And nothing vanishes below: a tiny problem is not solved by doing nothing.
  const auto tiny = ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::Matrix3d::Identity(), 3),
                                                  Eigen::Vector3d(-1e-200, 0, 0), {ContactLaw::coulomb(0.5)});
  EXPECT_DOUBLE_EQ(certify(tiny, Eigen::Vector3d::Zero()).error, 1);
}

}  // namespace
}  // namespace capstan

#include <gtest/gtest.h>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/errors.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/solve/solver.hpp"
#include "capstan/solve/sweep/body_sweep.hpp"
#include "capstan/solve/sweep/colouring.hpp"
#include "capstan/solve/sweep/delassus_sweep.hpp"
#include "solve/random_problems.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using testing_support::random_bodies;
using testing_support::random_reduced;
using testing_support::with;

class FastSolvers : public testing::TestWithParam<const char*> {};

TEST_P(FastSolvers, ReachTheToleranceInEveryDimension) {
  for (const int dimension : {2, 3, 4})
    for (unsigned seed = 0; seed < 5; ++seed) {
      const Solution s = solve(random_bodies(30, 12, 6, dimension, seed), with(GetParam(), 1e-8));
      EXPECT_EQ(s.report.status, Status::converged) << "dimension " << dimension << " seed " << seed;
      EXPECT_LE(s.report.certificate.error, 1e-8);
    }
}

TEST_P(FastSolvers, SolveMixedLawsInOneProblem) {
  std::vector<ContactLaw> laws;
  for (int i = 0; i < 8; ++i) {
    laws.push_back(ContactLaw::frictionless());
    laws.push_back(ContactLaw::coulomb(0.1 * i));
    laws.push_back(ContactLaw::elliptic(0.05, 0.9));
    laws.push_back(ContactLaw::elliptic(0, 0.5));
    laws.push_back(ContactLaw::coulomb(0.4).with_restitution(0.5, -0.3));
    laws.push_back(ContactLaw::coulomb(0.4).with_traction({0.3, 0.1, 0.1, 0}, {0.02, 0, 0.01, 0}));
  }
  const Solution s = solve(random_bodies(48, 16, 6, 3, 5, laws), with(GetParam(), 1e-8));
  EXPECT_LE(s.report.certificate.error, 1e-8);
}

TEST_P(FastSolvers, ReturnAnExactFirstGuessAfterNoIteration) {
  const ContactProblem p = random_bodies(40, 12, 6, 3, 3);
  const Solution first = solve(p, with("auto", 1e-10));
  const Solution again = solve(p, first.r, with(GetParam(), 1e-9));
  EXPECT_EQ(again.report.iterations, 0);
  EXPECT_EQ(again.report.status, Status::converged);
}

INSTANTIATE_TEST_SUITE_P(All, FastSolvers,
                         testing::Values("auto", "momentum", "momentum_projection", "interior"));

TEST(Auto, AgreesWithTheInteriorPointOnTheVelocities) {
  // W is singular, so impulses may differ; where friction is small the velocities are unique.
  const ContactProblem p = random_bodies(30, 6, 6, 3, 12, testing_support::coulomb_laws(30, 0.05));
  const Solution a = solve(p, with("auto", 1e-10)), b = solve(p, with("interior", 1e-10));
  ASSERT_EQ(a.report.status, Status::converged);
  ASSERT_EQ(b.report.status, Status::converged);
  EXPECT_LT((a.u - b.u).norm(), 1e-6 * p.b().norm());
}

TEST(Auto, SolvesSingularAndAsymmetricDelassusOperatorsAsGiven) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Solution singular = solve(random_reduced(12, 3, 18, 0, seed), with("auto", 1e-8));
    EXPECT_LE(singular.report.certificate.error, 1e-8) << seed;
    const ContactProblem p = random_reduced(12, 3, 60, 0.1, seed);
    Eigen::MatrixXd W = p.W().dense();
    std::mt19937 generator(seed);
    W += 1e-3 * testing_support::random_matrix(generator, 36, 36);
    const auto asymmetric = ContactProblem::from_delassus(BlockMatrix::from_dense(W, 3), p.b(), p.laws());
    EXPECT_LE(solve(asymmetric, with("auto", 1e-8)).report.certificate.error, 1e-8) << seed;
  }
}

TEST(Auto, SaysSoWhereThereIsNoSolution) {
  // Nothing can move this contact, and it approaches: no impulse helps. The answer is finite and the status
  // honest.
  const auto p = ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::Matrix3d::Zero(), 3),
                                               Eigen::Vector3d(-1, 0, 0), {ContactLaw::coulomb(0.5)});
  SolveOptions options = with("auto", 1e-6);
  options.max_iterations = 2000;
  const Solution s = solve(p, options);
  EXPECT_NE(s.report.status, Status::converged);
  EXPECT_TRUE(s.r.allFinite());
}

TEST(Auto, NeverReturnsWhatIsNotFinite) {
  for (const double scale : {1e-8, 1.0, 1e6})
    for (unsigned seed = 0; seed < 10; ++seed) {
      const ContactProblem p = random_reduced(6, 3, 4, 0, seed);
      const auto scaled = ContactProblem::from_delassus(BlockMatrix::from_dense(scale * p.W().dense(), 3),
                                                        p.b() / scale, testing_support::coulomb_laws(6, 10));
      SolveOptions options = with("auto", 1e-8);
      options.max_iterations = 3000;
      const Solution s = solve(scaled, options);
      EXPECT_TRUE(s.r.allFinite() && s.u.allFinite() && std::isfinite(s.report.certificate.error));
    }
}

TEST(Auto, StopsWhenAskedTo) {
  SolveOptions options = with("momentum", 1e-14);
  int calls = 0;
  options.on_judged = [&](const HistoryPoint&) { return ++calls < 3; };
  const Solution s = solve(random_bodies(300, 40, 6, 3, 1), options);
  EXPECT_EQ(calls, 3);
  EXPECT_NE(s.report.status, Status::converged);
  EXPECT_LT(s.report.certificate.error, 1);  // the best iterate so far
}

TEST(Options, BadOnesAreNamed) {
  const ContactProblem p = random_bodies(2, 2, 6, 3, 1);
  EXPECT_THROW(solve(p, with("atuo", 1e-6)), InputError);
  EXPECT_THROW(solve(p, with("auto", 0)), InputError);
  EXPECT_THROW(solve(p, Eigen::VectorXd::Zero(5), with("auto", 1e-6)), InputError);
}

TEST(NoContacts, IsAValidProblemThatIsAnsweredAtOnce) {
  const auto p =
      ContactProblem::from_mass(MassMatrix::block_diagonal({Eigen::Matrix3d::Identity()}),
                                Eigen::Vector3d(1, 2, 3), ContactJacobian(3, {0, 3}), Eigen::VectorXd(), {});
  const Solution s = solve(p);
  EXPECT_EQ(s.report.status, Status::converged);
  EXPECT_EQ(s.v, Eigen::Vector3d(1, 2, 3));
}

TEST(Threads, TheirNumberDoesNotChangeABit) {
  const ContactProblem p = random_bodies(4000, 1500, 6, 3, 2);
  SolveOptions options = with("momentum", 1e-6);
  options.max_iterations = 3000;  // enough for any difference to show; to the tolerance takes a minute
  const Solution one = solve(p, options);
  for (const int threads : {2, 3, 4}) {
    const TbbExecutor executor(threads);
    options.executor = &executor;
    const Solution many = solve(p, options);
    EXPECT_EQ(one.r, many.r) << threads << " threads";
    EXPECT_EQ(one.report.iterations, many.report.iterations);
  }
}

TEST(Sweep, FixedPointsOfEverySpaceKernelAndUpdateAreTheSame) {
  const ContactProblem p = random_bodies(50, 20, 6, 3, 14);
  const CanonicalProblem c(p, serial_executor());
  const Eigen::VectorXd x = c.canonical_from_impulse(solve(p, with("interior", 1e-13)).r);
  BodySweep avx(c, serial_executor()), portable(c, serial_executor(), kernel::portable_kernel());
  DelassusSweep delassus(c);
  for (Sweep* sweep :
       {static_cast<Sweep*>(&avx), static_cast<Sweep*>(&portable), static_cast<Sweep*>(&delassus)})
    for (const ContactUpdate update : {ContactUpdate::exact, ContactUpdate::projection}) {
      sweep->set(x);
      EXPECT_LT(sweep->run(0, update).step, 1e-18 * x.squaredNorm());
    }
}

// A rounded W has other fixed points until it hears what the true velocity is.
TEST(Sweep, RoundingChangesNoFixedPoint) {
  const ContactProblem p = random_bodies(50, 20, 6, 3, 14);
  const CanonicalProblem c(p, serial_executor());
  const Eigen::VectorXd x = c.canonical_from_impulse(solve(p, with("interior", 1e-13)).r);
  Eigen::VectorXd y;
  c.W().multiply(x, y);
  y += c.b();
  for (const kernel::RowKernel* kernel : {&kernel::portable_row_kernel(), &kernel::best_row_kernel()})
    for (const std::size_t round_from : {std::size_t(0), std::size_t(1) << 40}) {
      DelassusSweep sweep(c, *kernel, round_from);
      const bool rounded = round_from == 0;
      sweep.set(x);
      EXPECT_EQ(sweep.run(0, ContactUpdate::exact).step > 1e-18 * x.squaredNorm(), rounded) << kernel->name;
      sweep.set(x);
      sweep.recentre(y);
      EXPECT_LT(sweep.run(0, ContactUpdate::exact).step, 1e-18 * x.squaredNorm()) << kernel->name;
    }
}

TEST(Sweep, ExactUpdatesSolveALoneContact) {
  // One contact a body: one sweep is the answer, whatever the dimension, the number of dofs or the friction.
  for (const int dimension : {2, 3, 4})
    for (const int dofs : {3, 6, 7, 16}) {
      if (dofs < dimension) continue;
      for (unsigned seed = 0; seed < 20; ++seed) {
        ContactJacobian H(dimension, {0, dofs});
        std::mt19937 generator(seed);
        H.add_contact();
        H.add_block(0, testing_support::random_matrix(generator, dimension, dofs));
        const double mu = 0.01 * std::pow(1.4, seed);
        const auto p = ContactProblem::from_mass(
            MassMatrix::block_diagonal({Eigen::MatrixXd::Identity(dofs, dofs)}),
            testing_support::random_matrix(generator, dofs, 1), H,
            testing_support::random_matrix(generator, dimension, 1), {ContactLaw::drilling(mu, 2 * mu, mu)});
        SolveOptions options = with("sweep", 1e-9);
        EXPECT_LE(solve(p, options).report.iterations, 2) << dimension << " " << dofs << " " << seed;
      }
    }
}

TEST(Sweep, MixedBodySizesShareNoGroupWrongly) {
  std::mt19937 generator(4);
  std::vector<int> dof_start{0};
  std::vector<Eigen::MatrixXd> blocks;
  for (int body = 0; body < 30; ++body) {
    const int dofs = body % 3 == 0 ? 6 : body % 3 == 1 ? 16 : 9;
    blocks.push_back(Eigen::MatrixXd::Identity(dofs, dofs) * (1 + body));
    dof_start.push_back(dof_start.back() + dofs);
  }
  ContactJacobian H(3, dof_start);
  for (int i = 0; i < 100; ++i) {
    H.add_contact();
    const int a = static_cast<int>(generator() % 30), b = static_cast<int>(generator() % 30);
    H.add_block(a, testing_support::random_matrix(generator, 3, H.body_dofs(a)));
    if (a != b) H.add_block(b, testing_support::random_matrix(generator, 3, H.body_dofs(b)));
  }
  const auto p = ContactProblem::from_mass(
      MassMatrix::block_diagonal(blocks), testing_support::random_matrix(generator, dof_start.back(), 1), H,
      Eigen::VectorXd::Zero(300), testing_support::coulomb_laws(100, 0.3));
  EXPECT_LE(solve(p, with("momentum", 1e-8)).report.certificate.error, 1e-8);
}

// Recentring also brings contacts together that do the same: each must keep its impulse, bodies and
// constants.
TEST(Sweep, GoesOnAsBeforeWhenContactsAreBroughtTogether) {
  struct Case {
    int contacts, dimension;
  };
  for (const auto& [contacts, dimension] :
       {Case{600, 2}, {600, 3}, {600, 4}, {16000, 3}}) {  // the last rounded
    const ContactProblem p = random_bodies(contacts, contacts * 2 / 3, 6, dimension, 3);
    const CanonicalProblem c(p, serial_executor());
    BodySweep sweep(c, serial_executor()), fresh(c, serial_executor());
    for (int k = 0; k < 10; ++k) sweep.run(0, ContactUpdate::exact);
    const Eigen::VectorXd x = sweep.get();
    Eigen::VectorXd y;
    c.velocity(x, y, serial_executor());
    sweep.recentre(y);
    EXPECT_EQ(sweep.get(), x);
    fresh.set(x);
    sweep.run(0, ContactUpdate::exact);
    fresh.run(0, ContactUpdate::exact);
    EXPECT_LT((sweep.get() - fresh.get()).norm(), 1e-5 * x.norm()) << contacts << " in " << dimension;
    EXPECT_GT((sweep.get() - x).norm(), 1e-3 * x.norm());
  }
}

TEST(Colouring, ContactsOfOneColourShareNoBody) {
  const ContactProblem p = random_bodies(500, 60, 6, 3, 2);
  int count = 0;
  for (const auto& colour : colour_contacts(p.H())) {
    std::vector<bool> touched(60, false);
    for (const int i : colour) {
      ++count;
      for (int k = p.H().begin(i); k < p.H().end(i); ++k) {
        EXPECT_FALSE(touched[p.H().body(k)]);
        touched[p.H().body(k)] = true;
      }
    }
  }
  EXPECT_EQ(count, 500);
}

TEST(Slope, TheBlockSticksBelowTheFrictionAngleAndSlidesAbove) {
  const double mu = 0.7, g = 9.81, dt = 0.01;
  for (const double offset : {-1e-6, 1e-6}) {
    const double angle = std::atan(mu) + offset;
    const Eigen::Vector3d v = dt * g * Eigen::Vector3d(-std::cos(angle), std::sin(angle), 0);
    const Solution s = solve(testing_support::mass_point(3, v, ContactLaw::coulomb(mu)), with("auto", 1e-12));
    // Above: slides with dt g (sin - mu cos) = dt g offset / cos to first order.
    const double expected = offset > 0 ? dt * g * (std::sin(angle) - mu * std::cos(angle)) : 0;
    EXPECT_NEAR(s.v[1], expected, 1e-12);
    EXPECT_EQ(s.report.certificate.states[0], offset > 0 ? ContactState::slide : ContactState::stick);
  }
}

}  // namespace
}  // namespace capstan

#include "capstan/solve/working_set.hpp"

#include <gtest/gtest.h>

#include "capstan/solve/work.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using testing_support::random_bodies;
using testing_support::with;

/// A ball of a milligram lies between two of a kilogram that press it: sweeps need as many rounds as the
/// ratio of the masses. Others fly away from one of these: their contacts are open.
ContactProblem light_between_heavy(int others) {
  const int balls = 3 + others;
  std::vector<Eigen::MatrixXd> masses;
  std::vector<int> dof_start{0};
  for (int k = 0; k < balls; ++k) {
    masses.push_back(Eigen::Matrix3d::Identity() * (k == 1 ? 1e-6 : k < 3 ? 1.0 : 1e-3));
    dof_start.push_back(dof_start.back() + 3);
  }
  ContactJacobian H(3, dof_start);
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  const auto add = [&](int above, int below) {
    H.add_contact();
    if (below >= 0) H.add_block(below, -one);
    H.add_block(above, one);
  };
  add(0, -1);
  add(1, 0);
  add(2, 1);
  for (int k = 3; k < balls; ++k) add(k, 0);
  Eigen::VectorXd f(3 * balls);
  for (int k = 0; k < balls; ++k)
    f.segment<3>(3 * k) = masses[k](0, 0) * Eigen::Vector3d(k < 3 ? -0.01 : 1, 0.002, 0);
  return ContactProblem::from_mass(MassMatrix::block_diagonal(masses), f, H,
                                   Eigen::VectorXd::Zero(3 * (3 + others)),
                                   testing_support::coulomb_laws(3 + others, 0.5));
}

TEST(WorkingSet, SolvesALightBodyBetweenHeavyOnesWhereSweepsCreep) {
  const ContactProblem p = light_between_heavy(20);
  SolveOptions few = with("momentum", 1e-10);
  few.max_iterations = 50;
  const Solution guess = solve(p, few);
  ASSERT_EQ(guess.report.status, Status::iteration_limit);
  const Solution found = solve(p, guess.r, with("working_set", 1e-10));
  EXPECT_EQ(found.report.status, Status::converged);
  EXPECT_LE(found.report.certificate.error, 1e-10);
}

TEST(WorkingSet, IsNeverWorseThanItsGuess) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const ContactProblem p = random_bodies(60, 30, 6, 3, seed);
    SolveOptions few = with("momentum", 1e-10);
    few.max_iterations = 20;
    const Solution guess = solve(p, few);
    const Solution found = solve(p, guess.r, with("working_set", 1e-10));
    EXPECT_LE(found.report.certificate.error, guess.report.certificate.error * 1.001) << seed;
    EXPECT_EQ(found.report.status == Status::converged, found.report.certificate.error <= 1e-10) << seed;
  }
}

// A limit on work is a promise: whatever a solver does, it must not go much beyond.
class LimitedWork : public testing::TestWithParam<const char*> {};

TEST_P(LimitedWork, IsObeyedOnWhatCannotBeSolved) {
  // Contacts that nothing can open, and contacts that can: no solver converges.
  for (const int contacts : {40, 300, 1200}) {
    const ContactProblem p =
        random_bodies(contacts, contacts / 6, 6, 3, 7, testing_support::coulomb_laws(contacts, 3));
    const double sweep = work_of_sweep(p);
    for (const double sweeps : {300.0, 3000.0}) {
      SolveOptions options = with(GetParam(), 1e-15);
      options.work_limit = sweeps * sweep;
      const Solution s = solve(p, options);
      EXPECT_LE(s.report.work, 1.25 * options.work_limit) << contacts << " contacts, " << sweeps << " sweeps";
      EXPECT_TRUE(s.r.allFinite());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, LimitedWork,
                         testing::Values("auto", "momentum", "momentum_projection", "clusters"));

// The same bits whatever the machine does meanwhile: counted work knows no clock.
TEST(WorkLimit, GivesTheSameBitsEveryTime) {
  const ContactProblem p = random_bodies(300, 50, 6, 3, 7, testing_support::coulomb_laws(300, 3));
  SolveOptions options = with("auto", 1e-15);
  options.work_limit = 0.05;
  const Solution one = solve(p, options), other = solve(p, options);
  EXPECT_EQ(one.r, other.r);
  EXPECT_EQ(one.report.work, other.report.work);
}

}  // namespace
}  // namespace capstan

#include "capstan/solve/clusters.hpp"

#include <gtest/gtest.h>

#include "capstan/solve/sweep/body_sweep.hpp"
#include "solve/random_problems.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using testing_support::random_bodies;
using testing_support::with;

TEST(PartOfAProblem, HasTheVelocitiesOfTheWholeWhileTheOthersAreHeld) {
  const ContactProblem p = random_bodies(40, 15, 6, 3, 5);
  for (const bool bodies : {true, false}) {
    const ContactProblem given =
        bodies ? p
               : ContactProblem::from_delassus(assemble_delassus(p.mass(), p.H(), serial_executor()), p.b(),
                                               p.laws());
    const CanonicalProblem whole(given, serial_executor());
    std::mt19937 generator(3);
    const Eigen::VectorXd x = testing_support::random_matrix(generator, static_cast<int>(whole.size()), 1);
    Eigen::VectorXd moved = x, y;
    const std::vector<int> keep{3, 4, 11, 17, 30};
    const CanonicalProblem part = whole.part(keep, x);
    Eigen::VectorXd own(part.size()), part_y;
    for (std::size_t k = 0; k < keep.size(); ++k) {
      own.segment<3>(3 * Eigen::Index(k)) = testing_support::random_matrix(generator, 3, 1);
      moved.segment<3>(3 * keep[k]) = own.segment<3>(3 * Eigen::Index(k));
    }
    whole.velocity(moved, y);
    part.velocity(own, part_y);
    for (std::size_t k = 0; k < keep.size(); ++k)
      EXPECT_LT((part_y.segment<3>(3 * Eigen::Index(k)) - y.segment<3>(3 * keep[k])).norm(),
                1e-12 * y.norm());
  }
}

TEST(Clusters, SolveAlone) {
  const ContactProblem p = random_bodies(900, 400, 6, 3, 8);
  const Solution solution = solve(p, with("clusters", 1e-8));
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_LE(certify(p, solution.r).error, 1e-8);
}

TEST(Sweep, RoundedConstantsDoNotLimitTheAnswer) {
  // From 4 MiB of constants on they are floats, good to 6e-8; the answer must be good to far less.
  const ContactProblem p = random_bodies(16000, 12000, 6, 3, 9);
  const Solution solution = solve(p, with("momentum", 1e-10));
  EXPECT_EQ(solution.report.status, Status::converged);
  EXPECT_LE(certify(p, solution.r).error, 1e-10);
}

}  // namespace
}  // namespace capstan

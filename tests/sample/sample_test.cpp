#include "capstan/sample/sample.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/random.hpp"
#include "capstan/sample/near_pairs.hpp"
#include "capstan/solve/certificate.hpp"

namespace capstan {
namespace {

Eigen::VectorXd zero_impulse(const ContactProblem& problem) {
  return Eigen::VectorXd::Zero(problem.b().size());
}

class EverySample : public testing::TestWithParam<std::string> {};

TEST_P(EverySample, HasContactsBodiesAndSomethingToSolve) {
  const ContactProblem problem = make_sample(GetParam());
  EXPECT_EQ(problem.dimension(), 3);
  EXPECT_GT(problem.contacts(), 0);
  EXPECT_GT(problem.dofs(), 0);
  EXPECT_TRUE(problem.b().allFinite());
  EXPECT_NEAR(certify(problem, zero_impulse(problem)).error, 1.0, 1e-12) << "r = 0 should be no answer";
}

TEST_P(EverySample, IsTheSameOnEveryCall) {
  const ContactProblem first = make_sample(GetParam()), second = make_sample(GetParam());
  EXPECT_EQ(first.b(), second.b());
  EXPECT_EQ(first.f(), second.f());
  EXPECT_TRUE(first.H().sparse().isApprox(second.H().sparse(), 0));
}

TEST_P(EverySample, IsNotViolatedAtRest) {
  // v = 0 gives u = w: no contact may approach, which proves that there is a solution [Acary11].
  const ContactProblem problem = make_sample(GetParam());
  for (int i = 0; i < problem.contacts(); ++i) EXPECT_GE(problem.w()[3 * i], 0) << "contact " << i;
}

INSTANTIATE_TEST_SUITE_P(Samples, EverySample, testing::ValuesIn(sample_names()), [](const auto& name) {
  std::string word;
  for (const char c : name.param) word += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return word;
});

TEST(Samples, RigidBodiesHaveOrthonormalContactFrames) {
  // A translation of a free body moves its contact points by the same vector: each 3 x 3 block is a rotation.
  for (const std::string& name : sample_names()) {
    const ContactProblem problem = make_sample(name);
    if (problem.mass().dof_starts()[1] != 6) continue;  // not a rigid body
    for (int k = 0; k < problem.H().end(problem.contacts() - 1); ++k) {
      const Eigen::Matrix3d frame = problem.H().block(k).leftCols<3>();
      EXPECT_TRUE((frame * frame.transpose()).isIdentity(1e-12)) << name << ", block " << k;
    }
  }
}

TEST(Samples, TheSlopeHasTheWeightOfItsBox) {
  // 1 kg on 15 degrees for 5 ms: the normal velocity without contact is -g dt cos(15 degrees).
  const ContactProblem problem = make_sample("slope");
  ASSERT_EQ(problem.contacts(), 4);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(problem.b()[3 * i], -9.81 * 0.005 * std::cos(0.2617993877991494), 1e-12);
    EXPECT_NEAR(problem.b()[3 * i + 1], 9.81 * 0.005 * std::sin(0.2617993877991494), 1e-12);
  }
}

TEST(Samples, AStuckBoxOnASlopeIsHeldByItsFourCornersTogether) {
  // Closed form for the sum: r_N = m g dt cos, r_T = -m g dt sin along the slope, and the moment about the
  // centre (half a side above the plane) shifts normal impulse towards the lower corners: +-(h/2a) r_T / 4, h
  // = 2a.
  const double angle = 0.2617993877991494, weight = 9.81 * 0.005;
  const ContactProblem problem = make_slope(angle, 0.3);
  Eigen::VectorXd r(12);
  for (int i = 0; i < 4; ++i) {
    const double side = i < 2 ? -1 : 1;  // add_face_contact: the first two have x = -a
    const double normal = weight / 4 * (std::cos(angle) + side * std::sin(angle));
    r.segment<3>(3 * i) << normal, -std::tan(angle) * normal,
        0;  // in proportion, so that no corner slides alone
  }
  EXPECT_LT(certify(problem, r).error, 1e-12);
}

TEST(Samples, FibersHaveTheNumberOfContactsThatNuSays) {
  for (const double nu : {0.5, 1.0, 2.0, 3.0}) {
    FiberOptions options;
    options.nu = nu;
    const ContactProblem problem = make_fibers(options);
    EXPECT_EQ(problem.dofs(), 60 * 16);
    EXPECT_NEAR(3.0 * problem.contacts() / problem.dofs(), nu, 2e-3);
  }
}

TEST(Samples, OtherSeedsGiveOtherFibers) {
  FiberOptions options;
  const Eigen::VectorXd first = make_fibers(options).f();
  options.seed = 2;
  EXPECT_NE(first, make_fibers(options).f());
}

TEST(Samples, FamiliesTakeOtherNumbers) {
  EXPECT_EQ(make_sample("stack_3").contacts(), 12);
  EXPECT_EQ(make_sample("stack").contacts(), 40);
  EXPECT_EQ(make_sample("fibers_nu1.5").contacts(), 480);
}

TEST(Samples, WrongNamesAreRefusedWithTheKnownOnes) {
  for (const char* name :
       {"", "stakc_3", "stack_", "stack_0", "stack_2.5", "stack_1e3", "fibers_nu0", "spheres_-2"})
    EXPECT_THROW(make_sample(name), InputError) << name;
  try {
    make_sample("sphere_20");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("spheres_COUNT"), std::string::npos) << error.what();
  }
}

TEST(NearPairs, FindsWhatBruteForceFinds) {
  Random random(7);
  std::vector<Eigen::Vector3d> points;
  for (int k = 0; k < 200; ++k)
    points.push_back({random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
  std::vector<std::pair<int, int>> expected;
  for (int i = 0; i < 200; ++i)
    for (int j = i + 1; j < 200; ++j)
      if ((points[i] - points[j]).norm() <= 0.3) expected.emplace_back(i, j);
  ASSERT_GT(expected.size(), 100u);
  EXPECT_EQ(sample::near_pairs(points, 0.3), expected);
}

TEST(ClosestPoints, AreNoFartherThanAnySampledPair) {
  Random random(3);
  const auto point = [&] {
    return Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  };
  for (int trial = 0; trial < 200; ++trial) {
    const sample::Segment p{point(), point()}, q{point(), point()};
    double best = 1e9;
    for (int s = 0; s <= 40; ++s)
      for (int t = 0; t <= 40; ++t)
        best = std::min(best, (p.a + s / 40.0 * (p.b - p.a) - q.a - t / 40.0 * (q.b - q.a)).norm());
    const double found = sample::closest_points(p, q).distance;
    EXPECT_LE(found, best + 1e-12) << "trial " << trial;
    EXPECT_GE(found, best - 0.1) << "trial " << trial;
  }
}

}  // namespace
}  // namespace capstan

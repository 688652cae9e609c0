// Tractions that stay in their contacts against tractions in the mass matrix: two ways to one answer.
#include <gtest/gtest.h>

#include "capstan/solve/sweep/body_sweep.hpp"
#include "random_problems.hpp"

namespace capstan::testing_support {
namespace {

/// Springs from weak to stiff, beside all kinds of friction, and contacts without any.
std::vector<ContactLaw> sticky_laws(int d, int contacts, unsigned seed) {
  NormalRandom random(seed);
  std::vector<ContactLaw> laws = mixed_laws(d, contacts);
  for (int i = 0; i < contacts; ++i) {
    if (i % 3 == 0) continue;
    const double k = std::exp(3 * random.normal());
    Eigen::Vector4d E(k, 0.5 * k, 0.5 * k, 0);
    laws[i] = laws[i].with_traction(E, 0.1 * Eigen::Vector4d(random.vector(4)));
  }
  return laws;
}

double largest_difference(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff());
}

// Few enough contacts that W is regular and the answer unique. Sweeps alone may cycle between local roots now
// and then; `auto` has more than sweeps.
TEST(Traction, SweepsFindWhatOtherSolversFind) {
  int cycled = 0;
  for (const int d : {2, 3, 4})
    for (unsigned seed = 0; seed < 20; ++seed) {
      const ContactProblem problem = bodies_problem(seed, d, 8, 10, sticky_laws(d, 10, seed));
      const Solution reference = solve_with("gs", problem, 1e-8);
      for (const std::string solver : {"auto", "momentum", "sweep"}) {
        const Solution found = solve_with(solver, problem, 1e-7);
        const bool converged = found.report.status == Status::converged;
        EXPECT_TRUE(converged || solver != "auto") << "d " << d << ", seed " << seed;
        cycled += !converged;
        if (!converged || reference.report.status != Status::converged) continue;
        EXPECT_LT(largest_difference(found.v, reference.v), 1e-4)
            << solver << ", d " << d << ", seed " << seed;
      }
    }
  EXPECT_LE(cycled, 6);  // of 180
}

TEST(Traction, SweepsOverWFindTheSame) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const ContactProblem problem = delassus_problem(seed, 3, 8, 30, sticky_laws(3, 8, seed));
    const Solution found = solve_with("momentum", problem, 1e-7), reference = solve_with("gs", problem, 1e-8);
    EXPECT_EQ(found.report.status, Status::converged) << seed;
    if (reference.report.status != Status::converged) continue;
    EXPECT_LT(largest_difference(found.u, reference.u), 1e-4) << seed;
  }
}

// Glue without friction (mu (1 - beta) = 0) is linear along the surface.
TEST(Traction, WithoutFrictionSpringsAlongTheSurfaceAreLinear) {
  const ContactLaw law = ContactLaw::frictionless().with_traction({2, 3, 3, 0}, Eigen::Vector4d::Zero());
  ContactJacobian H(3, {0, 3});
  H.add_contact();
  H.add_block(0, Eigen::Matrix3d::Identity());
  const ContactProblem problem =
      ContactProblem::from_mass(MassMatrix::block_diagonal({4 * Eigen::Matrix3d::Identity()}),
                                Eigen::Vector3d(4, 8, -12), H, Eigen::Vector3d::Zero(), {law});
  const Solution found = solve_with("momentum", problem, 1e-12);
  // u = f/(m + E): pulled off against the spring, and along the surface.
  EXPECT_LT((found.u - Eigen::Vector3d(4.0 / 6, 8.0 / 7, -12.0 / 7)).norm(), 1e-12);
  EXPECT_LT((found.r - Eigen::Vector3d(-8.0 / 6, -24.0 / 7, 36.0 / 7)).norm(), 1e-11);
}

// All but bonded: friction next to nothing must not make what it is measured against huge.
TEST(Traction, ABondHidesNoErrorOfItsNeighbours) {
  ContactJacobian H(3, {0, 3, 6});
  for (int body = 0; body < 2; ++body) {
    H.add_contact();
    H.add_block(body, Eigen::Matrix3d::Identity());
  }
  const Eigen::MatrixXd M = Eigen::Matrix3d::Identity();
  const Eigen::VectorXd f = (Eigen::VectorXd(6) << 1, 2, 3, -1, 0, 0).finished();
  const ContactProblem problem = ContactProblem::from_mass(
      MassMatrix::block_diagonal({M, M}), f, H, Eigen::VectorXd::Zero(6),
      {ContactLaw::coulomb(1e-6).with_traction({1, 1, 1, 0}, Eigen::Vector4d::Zero()),
       ContactLaw::coulomb(0.3)});
  Eigen::VectorXd r = solve_with("auto", problem, 1e-8).r;
  EXPECT_LT(certify(problem, r).error, 1e-8);
  r.tail<3>().setZero();  // the second body falls through
  EXPECT_GT(certify(problem, r).error, 0.1);
}

// Friction that is a rounding apart along the two tangents is not round for the kernel.
TEST(Traction, RoundSpringsAndAnyOthersAreOneLaw) {
  const auto swept = [](bool round) {
    std::vector<ContactLaw> laws;
    NormalRandom random(4);
    for (int i = 0; i < 90; ++i) {
      const double mu = 0.1 * (i % 5), k = std::exp(random.normal());  // none, too
      laws.push_back(ContactLaw::elliptic(mu, round ? mu : mu * (1 + 1e-15))
                         .with_traction({k, 0.5 * k, 0.5 * k * (round ? 1 : 1 + 1e-15), 0},
                                        0.1 * Eigen::Vector4d(random.vector(4))));
    }
    const CanonicalProblem canonical(bodies_problem(4, 3, 60, 90, laws), serial_executor(),
                                     TractionForm::in_contact);
    BodySweep sweep(canonical, serial_executor());
    for (int k = 0; k < 30; ++k) sweep.run(0.3, ContactUpdate::exact);
    return sweep.get();
  };
  const Eigen::VectorXd round = swept(true);
  EXPECT_LT((round - swept(false)).norm(), 1e-9 * round.norm());
}

TEST(Traction, BothKernelsAndAnyThreadsGiveTheSame) {
  const ContactProblem problem = bodies_problem(3, 3, 60, 90, sticky_laws(3, 90, 3));
  const CanonicalProblem canonical(problem, serial_executor(), TractionForm::in_contact);
  BodySweep portable(canonical, serial_executor(), kernel::portable_kernel()),
      best(canonical, serial_executor());
  for (int k = 0; k < 30; ++k) {
    portable.run(0.3, ContactUpdate::exact);
    best.run(0.3, ContactUpdate::exact);
  }
  EXPECT_LT((portable.get() - best.get()).norm(), 1e-10 * best.get().norm());
}

}  // namespace
}  // namespace capstan::testing_support

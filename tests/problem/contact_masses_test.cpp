#include <gtest/gtest.h>

#include "capstan/solve/certificate.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

TEST(ContactMasses, AreNotSetByWhatMovesByRoundingOnly) {
  // Two points of 1 kg; the second contact reaches its point through 1e-12 of a metre: W_22 = 1e-24 W_11.
  ContactJacobian H(3, {0, 3, 6});
  H.add_contact();
  H.add_block(0, Eigen::Matrix3d::Identity());
  H.add_contact();
  H.add_block(1, 1e-12 * Eigen::Matrix3d::Identity());
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6), w = Eigen::VectorXd::Zero(6);
  f[0] = -1;  // approaches
  w[3] = 1;   // open
  const auto p = ContactProblem::from_mass(
      MassMatrix::block_diagonal({Eigen::Matrix3d::Identity(), Eigen::Matrix3d::Identity()}), f, H, w,
      testing_support::coulomb_laws(2, 0.5));
  const Eigen::VectorXd rho = contact_masses(p);
  EXPECT_EQ(rho[1], rho[0]);
  // No impulse at all is wrong by all there is, not by a part of an absurd unit.
  EXPECT_NEAR(certify(p, Eigen::VectorXd::Zero(6)).error, 1, 1e-12);
}

}  // namespace
}  // namespace capstan

#include "capstan/problem/body_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "capstan/errors.hpp"
#include "capstan/solve/solver.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

/// Positive definite, half-bandwidth 2.
BandedMatrix banded(int size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  BandedMatrix A(size, 2);
  for (int j = 0; j < size; ++j) {
    A.at(j, j) = 5 + number(generator);
    for (int k = 1; k <= std::min(2, size - 1 - j); ++k) A.at(j + k, j) = number(generator);
  }
  return A;
}

TEST(BodyFactor, IsTheSameForABandedAndADenseMatrix) {
  const BandedMatrix A = banded(12, 1);
  const BodyFactor narrow{BodyMatrix(A)}, full{BodyMatrix(A.dense())};
  std::mt19937 generator(2);
  const Eigen::VectorXd f = testing_support::random_matrix(generator, 12, 1);
  EXPECT_LT((narrow.solve(f) - full.solve(f)).norm(), 1e-13);
  Eigen::MatrixXd X = testing_support::random_matrix(generator, 12, 3), Y;
  X.topRows(4).setZero();
  Y = X;
  narrow.solve_lower(X);
  full.solve_lower(Y);
  EXPECT_LT((X - Y).norm(), 1e-13);
  narrow.solve_in_place(X);
  full.solve_in_place(Y);
  EXPECT_LT((X - Y).norm(), 1e-13);
}

TEST(BodyFactor, IsTheSameForAMatrixKnownByItsInverse) {
  const Eigen::MatrixXd A = banded(12, 1).dense();
  const BodyMatrix given = Compliance{A.inverse()};
  const BodyFactor inverse(given), full{BodyMatrix(A)};
  EXPECT_TRUE(inverse.is_positive());
  EXPECT_LT((dense(given) - A).norm(), 1e-12);
  std::mt19937 generator(2);
  const Eigen::VectorXd f = testing_support::random_matrix(generator, 12, 1);
  EXPECT_LT((inverse.solve(f) - full.solve(f)).norm(), 1e-13);
  // L is another one, but L^-T L^-1 is not.
  const Eigen::MatrixXd right = testing_support::random_matrix(generator, 12, 3);
  Eigen::MatrixXd X = right, Y = right, Z = right;
  inverse.solve_lower(X);
  full.solve_lower(Y);
  EXPECT_LT((X.transpose() * X - Y.transpose() * Y).norm(), 1e-12);
  inverse.solve_in_place(Z);
  EXPECT_LT((A * Z - right).norm(), 1e-12);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(3, 12);
  H.middleCols(4, 3) = testing_support::random_matrix(generator, 3, 3);
  EXPECT_LT((A * inverse.apply_inverse(H, {4, 5, 6}) - H.transpose()).norm(), 1e-12);
}

// Touched nodes of a large body beside a small one.
TEST(MassMatrix, TakesBodiesKnownByTheirInverse) {
  std::mt19937 generator(4);
  ContactJacobian H(3, {0, 9, 15});
  for (int i = 0; i < 5; ++i) {
    H.add_contact();
    Eigen::MatrixXd sparse = Eigen::MatrixXd::Zero(3, 9);
    sparse.middleCols(3 * (i % 3), 3) = testing_support::random_matrix(generator, 3, 3);
    H.add_block(0, sparse);
    if (i > 1) H.add_block(1, testing_support::random_matrix(generator, 3, 6));
  }
  const Eigen::MatrixXd large = banded(9, 7).dense(), small = banded(6, 8).dense();
  const Eigen::VectorXd f = testing_support::random_matrix(generator, 15, 1),
                        w = testing_support::random_matrix(generator, 15, 1);
  const std::vector<ContactLaw> laws(5, ContactLaw::coulomb(0.4));
  const auto problem_of = [&](const BodyMatrix& first) {
    return ContactProblem::from_mass(MassMatrix::from_bodies({first, small}), f, H, w, laws);
  };
  const ContactProblem a = problem_of(Compliance{large.inverse()}), b = problem_of(large);
  for (int i = 0; i < 5; ++i) EXPECT_LT((a.diagonal(i) - b.diagonal(i)).norm(), 1e-12);
  SolveOptions options;
  options.tolerance = 1e-10;
  const Solution one = solve(a, options), other = solve(b, options);
  EXPECT_EQ(one.report.status, Status::converged);
  EXPECT_LT((one.v - other.v).norm(), 1e-8);
  EXPECT_LT((Eigen::MatrixXd(a.mass().matrix()) - Eigen::MatrixXd(b.mass().matrix())).norm(), 1e-11);
}

TEST(MassMatrix, TakesBandedBodies) {
  std::vector<BodyMatrix> narrow, full;
  ContactJacobian H(3, {0, 9, 21});
  std::mt19937 generator(4);
  for (const int size : {9, 12}) {
    narrow.emplace_back(banded(size, 7));
    full.emplace_back(banded(size, 7).dense());
  }
  for (int i = 0; i < 5; ++i) {
    H.add_contact();
    H.add_block(0, testing_support::random_matrix(generator, 3, 9));
    H.add_block(1, testing_support::random_matrix(generator, 3, 12));
  }
  const Eigen::VectorXd f = testing_support::random_matrix(generator, 21, 1),
                        w = testing_support::random_matrix(generator, 15, 1);
  const std::vector<ContactLaw> laws(5, ContactLaw::coulomb(0.4));
  const auto a = ContactProblem::from_mass(MassMatrix::from_bodies(narrow), f, H, w, laws);
  const auto b = ContactProblem::from_mass(MassMatrix::from_bodies(full), f, H, w, laws);
  SolveOptions options;
  options.tolerance = 1e-12;
  EXPECT_LT((solve(a, options).u - solve(b, options).u).norm(), 1e-9);
  EXPECT_LT((a.b() - b.b()).norm(), 1e-12);
}

// A contact that moves three dofs of a chain of 120, and three of a small body beside it.
TEST(Delassus, OfALongChainNeedsOnlyTheDofsInUse) {
  const int chain = 120, contacts = 7;
  ContactJacobian H(3, {0, chain, chain + 6});
  std::mt19937 generator(5);
  for (int i = 0; i < contacts; ++i) {
    H.add_contact();
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(3, chain);
    block.middleCols(15 * i, 3) = testing_support::random_matrix(generator, 3, 3);
    block.col(119 - i) = testing_support::random_matrix(generator, 3, 1);
    H.add_block(0, block);
    if (i % 2) H.add_block(1, testing_support::random_matrix(generator, 3, 6));
  }
  const BandedMatrix A = banded(chain, 8);
  const Eigen::MatrixXd B = banded(6, 9).dense();
  const MassMatrix M = MassMatrix::from_bodies({BodyMatrix(A), BodyMatrix(B)});
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(chain + 6, chain + 6);
  dense.topLeftCorner(chain, chain) = A.dense();
  dense.bottomRightCorner(6, 6) = B;
  const Eigen::MatrixXd rows = H.sparse(), expected = rows * dense.ldlt().solve(rows.transpose());
  EXPECT_LT((assemble_delassus(M, H, serial_executor()).dense() - expected).norm(), 1e-12);

  const auto problem =
      ContactProblem::from_mass(M, testing_support::random_matrix(generator, chain + 6, 1), H,
                                testing_support::random_matrix(generator, 3 * contacts, 1),
                                std::vector<ContactLaw>(contacts, ContactLaw::coulomb(0.4)));
  const CanonicalProblem canonical(problem, serial_executor());
  EXPECT_FALSE(canonical.has_bodies());  // 21 rows and columns are less than 7 times 3 times 120
  const Eigen::VectorXd x = testing_support::random_matrix(generator, 3 * contacts, 1);
  Eigen::VectorXd y;
  canonical.velocity(x, y);
  const Eigen::VectorXd u = problem.relative_velocity(canonical.impulse_from_canonical(x));
  EXPECT_LT((y - canonical.scale().cwiseProduct(u)).norm(), 1e-12);
}

TEST(MassMatrix, RefusesABandedBodyThatIsNotPositive) {
  BandedMatrix A = banded(6, 3);
  A.at(4, 4) = -1;
  EXPECT_THROW(MassMatrix::from_bodies({A}), InputError);
}

}  // namespace
}  // namespace capstan

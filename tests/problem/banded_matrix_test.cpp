#include "capstan/problem/banded_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

namespace capstan {
namespace {

/// Diagonally dominant, hence positive definite.
BandedMatrix random_banded(int n, int b, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  BandedMatrix A(n, b);
  for (int j = 0; j < n; ++j) {
    A.at(j, j) = 2 * b + 1.5 + uniform(generator);
    for (int i = j + 1; i <= std::min(n - 1, j + b); ++i) A.at(i, j) = uniform(generator);
  }
  return A;
}

Eigen::VectorXd random_vector(int n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  return Eigen::VectorXd::NullaryExpr(n, [&] { return normal(generator); });
}

// (size, half-bandwidth), from a diagonal to a full matrix
const std::vector<std::pair<int, int>> shapes = {{1, 0}, {5, 0}, {9, 2}, {40, 10}, {7, 6}, {30, 8}};

TEST(BandedMatrix, IsTheDenseMatrixItStandsFor) {
  BandedMatrix A(4, 1);
  A.at(0, 0) = 2;
  A.at(1, 0) = -1;
  A.at(2, 1) = 3;
  A.at(3, 3) = 5;
  Eigen::Matrix4d expected;
  expected << 2, -1, 0, 0, -1, 0, 3, 0, 0, 3, 0, 0, 0, 0, 0, 5;
  EXPECT_EQ(A.dense(), Eigen::MatrixXd(expected));
}

TEST(BandedMatrix, AddsTheLowerHalfOfABlock) {
  BandedMatrix A = random_banded(8, 2, 1);
  const Eigen::MatrixXd before = A.dense();
  Eigen::Matrix3d block;
  block << 1, 2, 3, 2, 4, 5, 3, 5, 6;
  A.add_block(4, block);
  Eigen::MatrixXd expected = before;
  expected.block<3, 3>(4, 4) += block;
  EXPECT_LT((A.dense() - expected).norm(), 1e-14);
}

TEST(BandedMatrix, MultipliesAsTheDenseMatrixDoes) {
  for (const auto& [n, b] : shapes) {
    const BandedMatrix A = random_banded(n, b, 2);
    const Eigen::VectorXd x = random_vector(n, 3);
    EXPECT_LT((A * x - A.dense() * x).norm(), 1e-13 * n) << n << " " << b;
  }
}

TEST(BandedCholesky, SolvesAsTheDenseFactorisationDoes) {
  for (const auto& [n, b] : shapes) {
    const BandedMatrix A = random_banded(n, b, 4);
    const Eigen::VectorXd x = random_vector(n, 5);
    const BandedCholesky cholesky(A);
    ASSERT_TRUE(cholesky.is_positive());
    EXPECT_LT((cholesky.solve(x) - A.dense().llt().solve(x)).norm(), 1e-13) << n << " " << b;
  }
}

TEST(BandedCholesky, ItsHalvesAreLAndItsTranspose) {
  const BandedMatrix A = random_banded(20, 5, 6);
  const Eigen::MatrixXd L = A.dense().llt().matrixL();
  const BandedCholesky cholesky(A);
  Eigen::MatrixXd lower(20, 2), upper(20, 2);
  lower << random_vector(20, 7), random_vector(20, 8);
  upper = lower;
  const Eigen::MatrixXd x = lower;
  cholesky.solve_lower(lower);
  cholesky.solve_upper(upper);
  EXPECT_LT((L * lower - x).norm(), 1e-12);
  EXPECT_LT((L.transpose() * upper - x).norm(), 1e-12);
}

TEST(BandedCholesky, MaySkipTheLeadingZerosOfTheRightHandSide) {
  const BandedMatrix A = random_banded(20, 5, 9);
  const BandedCholesky cholesky(A);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(20, 1), y;
  x.bottomRows(8) = random_vector(8, 10);
  y = x;
  cholesky.solve_lower(x);
  cholesky.solve_lower(y, 12);
  EXPECT_EQ(x, y);
}

TEST(BandedCholesky, RefusesAnIndefiniteMatrix) {
  BandedMatrix A = random_banded(10, 2, 11);
  A.at(6, 6) = -1;
  EXPECT_FALSE(BandedCholesky(A).is_positive());
  A.at(6, 6) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(BandedCholesky(A).is_positive());
}

}  // namespace
}  // namespace capstan

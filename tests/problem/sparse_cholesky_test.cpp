#include "capstan/problem/sparse_cholesky.hpp"

#include <gtest/gtest.h>

#include "capstan/problem/canonical_problem.hpp"
#include "capstan/problem/front_kernel.hpp"
#include "support/sparse_problems.hpp"

namespace capstan {
namespace {

using testing_support::factorised;
using testing_support::sheet_matrix;
using testing_support::whole;

TEST(SparseCholesky, SolvesAsADenseFactorisation) {
  for (const int side : {1, 2, 5, 13}) {
    const auto lower = sheet_matrix(side, 1);
    const auto body = factorised(lower);
    std::mt19937 generator(2);
    const Eigen::MatrixXd right = testing_support::random_matrix(generator, 3 * side * side, 5);
    Eigen::MatrixXd X = right;
    body->factor.solve_in_place(X);
    EXPECT_LT((whole(lower) * X - right).norm(), 1e-11 * right.norm()) << side;
    EXPECT_LT((body->factor.solve(right.col(0)) - X.col(0)).norm(), 1e-12 * X.norm()) << side;
  }
}

TEST(SparseCholesky, GivesTheInverseWhereTheMatrixHasEntries) {
  const auto lower = sheet_matrix(9, 3);
  const auto body = factorised(lower);
  const Eigen::MatrixXd inverse = whole(lower).inverse();
  for (int c = 0; c < lower.cols(); ++c)
    for (int k = lower.outerIndexPtr()[c]; k < lower.outerIndexPtr()[c + 1]; ++k)
      EXPECT_NEAR(body->inverse[k], inverse(lower.innerIndexPtr()[k], c), 1e-11);
  const auto near = body->inverse_block(4, 12);  // neighbours, above the diagonal
  ASSERT_TRUE(near);
  EXPECT_LT((*near - inverse.block<3, 3>(12, 36)).norm(), 1e-11);
  EXPECT_FALSE(body->inverse_block(0, 50));
}

TEST(SparseCholesky, GivesFormsOfTheInverseBetweenAnyNodes) {
  const auto lower = sheet_matrix(9, 3);
  const auto body = factorised(lower);
  std::mt19937 generator(4);
  const std::vector<int> rows{2, 70, 71, 200};
  const Eigen::MatrixXd B = testing_support::random_matrix(generator, 4, 3), inverse = whole(lower).inverse();
  EXPECT_LT((body->factor.inverse_form(rows, B) - B.transpose() * inverse(rows, rows) * B).norm(), 1e-11);
}

TEST(SparseCholesky, IsMadeAgainWithOtherValuesOfTheSamePattern) {
  auto lower = sheet_matrix(6, 5);
  SparseCholesky factor;
  factor.analyse(lower, testing_support::starts_of_nodes(36));
  ASSERT_TRUE(factor.factorise(lower));
  lower *= 4;
  ASSERT_TRUE(factor.factorise(lower));
  const Eigen::VectorXd f = Eigen::VectorXd::LinSpaced(108, 1, 2);
  EXPECT_LT((whole(lower) * factor.solve(f) - f).norm(), 1e-11);
}

TEST(SparseCholesky, SaysWhenTheMatrixIsNotPositive) {
  auto lower = sheet_matrix(6, 5);
  SparseCholesky factor;
  factor.analyse(lower, testing_support::starts_of_nodes(36));
  lower.coeffRef(50, 50) = -1;
  EXPECT_FALSE(factor.factorise(lower));
  lower.coeffRef(50, 50) = std::nan("");
  EXPECT_FALSE(factor.factorise(lower));
}

// L of n nodes in a sheet has O(n log n) entries: four times the nodes give less than seven times as many, of
// a dense L it would be sixteen times.
TEST(SparseCholesky, StaysSparse) {
  const auto entries = [](int side) { return double(factorised(sheet_matrix(side, 6))->factor.entries()); };
  EXPECT_LT(entries(24), 7 * entries(12));
}

TEST(FrontKernel, IsTheSameInBothInstructionSets) {
  std::mt19937 generator(7);
  for (const auto& [rows, columns] : std::vector<std::pair<int, int>>{{1, 1}, {7, 3}, {61, 61}, {130, 75}}) {
    const Eigen::MatrixXd C = testing_support::random_matrix(generator, rows, rows);
    const Eigen::MatrixXd A = C * C.transpose() + rows * Eigen::MatrixXd::Identity(rows, rows);
    const Eigen::MatrixXd L = A.llt().matrixL();
    for (const kernel::FrontKernel* kernel :
         {&kernel::portable_front_kernel(), &kernel::best_front_kernel()}) {
      const int below = rows - columns;
      Eigen::MatrixXd front = A.leftCols(columns), update = A.bottomRightCorner(below, below);
      std::vector<double> work(kernel::front_work(rows, columns));
      ASSERT_TRUE(kernel->factor(front.data(), rows, columns, update.data(), work.data()));
      const Eigen::MatrixXd found = front.triangularView<Eigen::Lower>();
      EXPECT_LT((found - L.leftCols(columns)).norm(), 1e-12 * L.norm()) << kernel->name << " " << rows;
      const Eigen::MatrixXd corner = L.bottomRightCorner(below, below);
      const Eigen::MatrixXd rest = (update - corner * corner.transpose()).triangularView<Eigen::Lower>();
      EXPECT_LT(rest.norm(), 1e-12 * A.norm()) << kernel->name << " " << rows;
    }
  }
}

// Reached nodes and their dense compliance are two forms of one matrix.
TEST(MassMatrix, TakesSparseBodies) {
  const ContactProblem a = testing_support::sheet_problem(6, 3, 8), b = testing_support::dense_form(a);
  ASSERT_TRUE(a.mass().has_sparse_bodies());
  EXPECT_FALSE(a.mass().is_block_diagonal());
  EXPECT_FALSE(b.mass().has_sparse_bodies());
  for (int i = 0; i < a.contacts(); ++i) EXPECT_LT((a.diagonal(i) - b.diagonal(i)).norm(), 1e-11) << i;
  EXPECT_LT((a.b() - b.b()).norm(), 1e-11);
  EXPECT_LT((Eigen::MatrixXd(a.mass().matrix()) - Eigen::MatrixXd(b.mass().matrix())).norm(), 1e-9);
  const Eigen::MatrixXd W = assemble_delassus(a.mass(), a.H(), serial_executor()).dense();
  EXPECT_LT((W - assemble_delassus(b.mass(), b.H(), serial_executor()).dense()).norm(), 1e-10);
}

TEST(MassMatrix, WantsABodyForEachReachedNode) {
  const ContactProblem p = testing_support::sheet_problem(6, 3, 8);
  ContactJacobian H(3, p.mass().dof_starts());
  EXPECT_THROW(ContactProblem::from_mass(p.mass(), p.f(), H, Eigen::VectorXd(), {}), InputError);
}

TEST(CanonicalProblem, CutsIslandsOfSmallBodiesOffSparseOnes) {
  const ContactProblem p = testing_support::sheet_problem(6, 3, 9), dense = testing_support::dense_form(p);
  const CanonicalProblem a(p, serial_executor()), b(dense, serial_executor());
  ASSERT_TRUE(a.has_nodes());
  const auto islands = a.islands();
  ASSERT_EQ(islands, b.islands());
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_TRUE(a.island(islands[0]).has_nodes());
  EXPECT_TRUE(a.island(islands[1]).has_bodies());
  std::mt19937 generator(1);
  const Eigen::VectorXd x = testing_support::random_matrix(generator, static_cast<int>(a.size()), 1);
  Eigen::VectorXd y, z;
  a.velocity(x, y);
  b.velocity(x, z);
  EXPECT_LT((y - z).norm(), 1e-10 * z.norm());
  for (const auto& island : islands) {
    Eigen::VectorXd part(3 * island.size());
    for (std::size_t k = 0; k < island.size(); ++k) part.segment<3>(3 * k) = x.segment<3>(3 * island[k]);
    a.island(island).velocity(part, y);
    for (std::size_t k = 0; k < island.size(); ++k)
      EXPECT_LT((y.segment<3>(3 * k) - z.segment<3>(3 * island[k])).norm(), 1e-10 * z.norm());
  }
  const std::vector<int> some{1, 4, 7};
  Eigen::VectorXd held(9);
  for (int k = 0; k < 3; ++k) held.segment<3>(3 * k) = x.segment<3>(3 * some[k]);
  a.part(some, x).velocity(held, y);
  for (int k = 0; k < 3; ++k)
    EXPECT_LT((y.segment<3>(3 * k) - z.segment<3>(3 * some[k])).norm(), 1e-10 * z.norm());
  EXPECT_FALSE(a.has_W());
}

}  // namespace
}  // namespace capstan

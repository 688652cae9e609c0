#include "capstan/problem/contact_problem.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "capstan/errors.hpp"
#include "capstan/executor.hpp"
#include "capstan/problem/canonical_problem.hpp"
#include "support/problems.hpp"

namespace capstan {
namespace {

using testing_support::random_bodies;
using testing_support::random_reduced;

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

TEST(ContactProblem, NamesTheEntryThatIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](double mu, double b, double w) {
    Eigen::MatrixXd W = Eigen::MatrixXd::Identity(6, 6);
    W(4, 5) = w;
    Eigen::VectorXd velocity = Eigen::VectorXd::Zero(6);
    velocity[3] = b;
    return ContactProblem::from_delassus(BlockMatrix::from_dense(W, 3), velocity,
                                         {ContactLaw::coulomb(0.1), ContactLaw::coulomb(mu)});
  };
  EXPECT_NE(message_of([&] { with(-0.5, 0, 0); }).find("mu of contact 1: is -0.5"), std::string::npos);
  EXPECT_NE(message_of([&] { with(0.5, nan, 0); }).find("b: entry 3"), std::string::npos);
  EXPECT_NE(message_of([&] { with(0.5, 0, nan); }).find("W: block (1, 1)"), std::string::npos);
  EXPECT_NE(message_of([] {
              ContactProblem::from_delassus(BlockMatrix::from_dense(Eigen::MatrixXd::Identity(6, 6), 3),
                                            Eigen::VectorXd::Zero(5), testing_support::coulomb_laws(2, 0.1));
            }).find("b: has 5 entries, expected 6"),
            std::string::npos);
}

TEST(MassMatrix, MustBePositiveAndSymmetric) {
  Eigen::Matrix2d indefinite, skewed;
  indefinite << 1, 2, 2, 1;
  skewed << 1, 0.1, 0.2, 1;
  EXPECT_NE(message_of([&] {
              MassMatrix::block_diagonal({Eigen::Matrix2d::Identity(), indefinite});
            }).find("block of body 1 is not positive definite"),
            std::string::npos);
  EXPECT_NE(message_of([&] { MassMatrix::block_diagonal({skewed}); }).find("must be symmetric"),
            std::string::npos);
}

TEST(MassMatrix, ASparseMatrixIsCutIntoBodies) {
  Eigen::SparseMatrix<double> M(12, 12);
  M.setIdentity();
  EXPECT_EQ(MassMatrix::sparse(M, 6).bodies(), 2);   // rigid bodies with diagonal inertia
  M.coeffRef(5, 6) = M.coeffRef(6, 5) = 0.1;         // coupled across
  EXPECT_EQ(MassMatrix::sparse(M, 6).bodies(), 11);  // all that is not coupled stands alone
  EXPECT_TRUE(MassMatrix::sparse(M, 6).is_block_diagonal());
}

TEST(MassMatrix, AnOperatorGivesTheSameProblemAsTheMatrix) {
  const ContactProblem blocks = random_bodies(12, 5, 6, 3, 11);
  const MassMatrix& M = blocks.mass();
  const auto with_operator = ContactProblem::from_mass(
      MassMatrix::from_operator(M.dofs(), [&M](const Eigen::VectorXd& f) { return M.solve(f); }), blocks.f(),
      blocks.H(), blocks.w(), blocks.laws());
  for (int i = 0; i < blocks.contacts(); ++i)
    EXPECT_LT((blocks.diagonal(i) - with_operator.diagonal(i)).norm(), 1e-12 * blocks.diagonal(i).norm());
}

TEST(MassMatrix, ALargeSparseMatrixIsNotMadeDense) {
  const int n = 600;  // one chain of masses and springs
  Eigen::SparseMatrix<double> M(n, n);
  for (int k = 0; k < n; ++k) {
    M.insert(k, k) = 4;
    if (k > 0) M.insert(k, k - 1) = M.insert(k - 1, k) = -1;
  }
  const MassMatrix mass = MassMatrix::sparse(M, 6);
  EXPECT_FALSE(mass.is_block_diagonal());
  const Eigen::VectorXd f = Eigen::VectorXd::LinSpaced(n, -1, 1);
  EXPECT_LT((M * mass.solve(f) - f).norm(), 1e-10);
}

TEST(Delassus, BlockAssemblyEqualsTheDenseProduct) {
  const ContactProblem p = random_bodies(40, 12, 6, 3, 5);
  const Eigen::MatrixXd H = Eigen::MatrixXd(p.H().sparse()), M = Eigen::MatrixXd(p.mass().matrix());
  const Eigen::MatrixXd expected = H * M.llt().solve(H.transpose());
  const BlockMatrix W = assemble_delassus(p.mass(), p.H(), serial_executor());
  EXPECT_LT((W.dense() - expected).norm(), 1e-12 * expected.norm());
  for (int i = 0; i < p.contacts(); ++i)
    EXPECT_LT((p.diagonal(i) - expected.block(3 * i, 3 * i, 3, 3)).norm(), 1e-12 * expected.norm());
}

TEST(Delassus, RelativeVelocityIsWTimesRPlusB) {
  const ContactProblem p = random_bodies(20, 6, 4, 2, 6);
  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(40, -1, 2);
  const BlockMatrix W = assemble_delassus(p.mass(), p.H(), serial_executor());
  Eigen::VectorXd u;
  W.multiply(r, u);
  EXPECT_LT((p.relative_velocity(r) - u - p.b()).norm(), 1e-12 * u.norm());
}

TEST(CanonicalProblem, VelocityInBodySpaceEqualsDelassusSpace) {
  const ContactProblem p = random_bodies(30, 8, 6, 3, 9);
  const CanonicalProblem c(p, serial_executor());
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(90, 0, 1);
  Eigen::VectorXd y, product;
  c.velocity(x, y);
  c.W().multiply(x, product);
  EXPECT_LT((y - product - c.b()).norm(), 1e-12 * y.norm());
  for (int i = 0; i < c.contacts(); ++i) EXPECT_NEAR(c.diagonal(i).trace(), 3, 1e-12);
}

TEST(CanonicalProblem, ImpulsesSurviveTheChangeOfVariables) {
  std::vector<ContactLaw> laws = testing_support::coulomb_laws(10, 0.3);
  laws[2] = ContactLaw::elliptic(0.1, 0.9);
  laws[5] = laws[5].with_traction({0.1, 0.2, 0.2, 0}, {0.01, 0, 0.02, 0});
  const ContactProblem p = random_bodies(10, 6, 6, 3, 2, laws);
  const CanonicalProblem c(p, serial_executor());
  const Eigen::VectorXd r = Eigen::VectorXd::LinSpaced(30, -1, 1);
  EXPECT_LT((c.impulse_from_canonical(c.canonical_from_impulse(r)) - r).norm(), 1e-11 * r.norm());
}

TEST(Islands, AreFoundFromBodiesAndFromW) {
  ContactJacobian H(3, {0, 3, 6, 9, 12});
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  const int pairs[4][2] = {{0, 1}, {2, 3}, {1, 0}, {3, 2}};
  for (const auto& pair : pairs) {
    H.add_contact();
    H.add_block(pair[0], I);
    H.add_block(pair[1], -I);
  }
  const auto problem =
      ContactProblem::from_mass(MassMatrix::block_diagonal({I, I, I, I}), Eigen::VectorXd::Ones(12), H,
                                Eigen::VectorXd::Zero(12), testing_support::coulomb_laws(4, 0.2));
  const std::vector<std::vector<int>> expected{{0, 2}, {1, 3}};
  EXPECT_EQ(CanonicalProblem(problem, serial_executor()).islands(), expected);
  const auto reduced = ContactProblem::from_delassus(
      assemble_delassus(problem.mass(), problem.H(), serial_executor()), problem.b(), problem.laws());
  EXPECT_EQ(CanonicalProblem(reduced, serial_executor()).islands(), expected);
}

TEST(Islands, AnIslandIsTheSameProblem) {
  const ContactProblem p = random_bodies(12, 40, 6, 3, 21);
  const CanonicalProblem whole(p, serial_executor());
  const auto islands = whole.islands();
  ASSERT_GT(islands.size(), 1u);
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(36, 0, 1);
  Eigen::VectorXd y, part;
  whole.velocity(x, y);
  for (const auto& contacts : islands) {
    Eigen::VectorXd xi(3 * contacts.size());
    for (std::size_t k = 0; k < contacts.size(); ++k) xi.segment<3>(3 * k) = x.segment<3>(3 * contacts[k]);
    whole.island(contacts).velocity(xi, part);
    for (std::size_t k = 0; k < contacts.size(); ++k)
      EXPECT_LT((part.segment<3>(3 * k) - y.segment<3>(3 * contacts[k])).norm(), 1e-13);
  }
}

TEST(BlockMatrix, RoundTripsThroughSparseAndDense) {
  const ContactProblem p = random_reduced(7, 3, 9, 0.1, 4);
  const Eigen::MatrixXd dense = p.W().dense();
  EXPECT_EQ((BlockMatrix::from_dense(dense, 3).dense() - dense).norm(), 0);
  EXPECT_EQ((BlockMatrix::from_sparse(p.W().sparse(), 3).dense() - dense).norm(), 0);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> row_by_row = dense;
  const Eigen::Map<const Eigen::MatrixXd, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> view(
      row_by_row.data(), dense.rows(), dense.cols(), {1, dense.cols()});
  EXPECT_EQ((BlockMatrix::from_dense(view, 3).dense() - dense).norm(), 0);
}

TEST(BlockMatrix, TakesBlocksInAnyOrderAndAddsThoseThatAreThereTwice) {
  // Rows of 2 x 2 blocks, each block row by row: (0, 1), then (0, 0); (1, 0) in two parts, no diagonal.
  const std::vector<int> row_start{0, 2, 4}, column{1, 0, 0, 0};
  const std::vector<double> values{5, 6, 7, 8, 1, 2, 3, 4, 1, 1, 1, 1, 8, 9, 10, 11};
  const BlockMatrix matrix = BlockMatrix::from_blocks(2, row_start, column, values.data());
  Eigen::Matrix4d expected;
  expected << 1, 2, 5, 6,  //
      3, 4, 7, 8,          //
      9, 10, 0, 0,         //
      11, 12, 0, 0;
  EXPECT_EQ(matrix.dense(), expected);
  EXPECT_EQ(matrix.blocks(), 4);
  EXPECT_EQ(matrix.column(matrix.diagonal(1)), 1);
}

}  // namespace
}  // namespace capstan

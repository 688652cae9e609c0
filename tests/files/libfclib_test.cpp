// What the reference library of FCLib makes of our files. It ends the process where it is not content.
#include <cstdlib>
#include <memory>

#include "files/support.hpp"

#ifdef CAPSTAN_HAS_FCLIB
extern "C" {
#include <fclib.h>
}
#endif

namespace capstan::test {
namespace {

#ifdef CAPSTAN_HAS_FCLIB

Eigen::MatrixXd dense(const fclib_matrix& matrix) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(matrix.m, matrix.n);
  if (matrix.nz >= 0)
    for (int k = 0; k < matrix.nz; ++k) result(matrix.i[k], matrix.p[k]) += matrix.x[k];
  else
    for (int row = 0; row < matrix.m; ++row)
      for (int k = matrix.p[row]; k < matrix.p[row + 1]; ++k) result(row, matrix.i[k]) += matrix.x[k];
  return result;
}

Eigen::VectorXd vector(const double* values, Eigen::Index size) {
  return Eigen::Map<const Eigen::VectorXd>(values, size);
}

// The library frees what its structs point to, but not the structs of problems.
struct Free {
  void operator()(fclib_local* problem) const {
    fclib_delete_local(problem);
    std::free(problem);
  }
  void operator()(fclib_global* problem) const {
    fclib_delete_global(problem);
    std::free(problem);
  }
  void operator()(fclib_solution* solution) const { fclib_delete_solutions(solution, 1); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

Solution ramp_solution(const ContactProblem& problem) {
  Solution solution;
  solution.r = Eigen::VectorXd::LinSpaced(problem.b().size(), 1, 2);
  solution.u = Eigen::VectorXd::LinSpaced(problem.b().size(), 3, 4);
  if (problem.has_mass()) solution.v = Eigen::VectorXd::LinSpaced(problem.dofs(), 5, 6);
  return solution;
}

TEST(LibFclib, ReadsOurLocalProblemWithTheSameNumbers) {
  const Scratch scratch;
  const ContactProblem problem = sample_local(3, 5);
  const Solution solution = ramp_solution(problem);
  write_fclib(scratch / "local.hdf5", problem, &solution, {"a title", "a description", ""});
  const Owned<fclib_local> read(fclib_read_local((scratch / "local.hdf5").c_str()));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->spacedim, 3);
  EXPECT_EQ(read->W->nz, -2);
  EXPECT_EQ(dense(*read->W), problem.W().dense());
  EXPECT_TRUE(same_bits(vector(read->q, 15), problem.b()));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(read->mu[i], problem.law(i).friction[0]);
  EXPECT_STREQ(read->info->title, "a title");
  EXPECT_STREQ(read->info->description, "a description");
  const Owned<fclib_solution> answer(fclib_read_solution((scratch / "local.hdf5").c_str()));
  ASSERT_NE(answer, nullptr);
  EXPECT_TRUE(same_bits(vector(answer->r, 15), solution.r));
  EXPECT_TRUE(same_bits(vector(answer->u, 15), solution.u));
}

TEST(LibFclib, ReadsOurGlobalProblemWithTheSameNumbers) {
  const Scratch scratch;
  const ContactProblem problem = sample_global(2, 4);
  const Solution solution = ramp_solution(problem);
  write_fclib(scratch / "global.hdf5", problem, &solution);
  const Owned<fclib_global> read(fclib_read_global((scratch / "global.hdf5").c_str()));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->spacedim, 2);
  EXPECT_EQ(read->H->nzmax, read->H->nz);
  EXPECT_EQ(dense(*read->M), Eigen::MatrixXd(problem.mass().matrix()));
  EXPECT_EQ(dense(*read->H), Eigen::MatrixXd(problem.H().sparse().transpose()));
  EXPECT_TRUE(same_bits(vector(read->f, problem.dofs()), problem.f()));
  EXPECT_TRUE(same_bits(vector(read->w, 8), problem.w()));
  const Owned<fclib_solution> answer(fclib_read_solution((scratch / "global.hdf5").c_str()));
  ASSERT_NE(answer, nullptr);
  EXPECT_TRUE(same_bits(vector(answer->v, problem.dofs()), solution.v));
}

#else

TEST(LibFclib, ReadsOurFiles) { GTEST_SKIP() << "libfclib is not installed"; }

#endif

}  // namespace
}  // namespace capstan::test

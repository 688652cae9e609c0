// Cloth with many contacts: the sparse form of its matrix against the dense one.
#include <gtest/gtest.h>

#include "step/worlds.hpp"
#include "support/sparse_problems.hpp"

namespace capstan {
namespace {

/// A sheet of 16 x 16 nodes on a box, with a ball on top that rolls.
const char* const kDraped = R"(
  [[obstacle]]
  name = "table"
  shape = "box"
  size = [0.2, 0.2, 0.1]
  position = [0, 0, -0.05]
  friction = 0.4
  [[rigid]]
  name = "ball"
  shape = "sphere"
  radius = 0.02
  velocity = [0.3, 0, 0]
  density = 300
  position = [0.03, 0.02, 0.0232]
  [[cloth]]
  name = "sheet"
  size = [0.3, 0.3]
  cells = [15, 15]
  position = [0.005, 0.01, 0.002]
  friction = 0.3
  )";

/// The world of a scene whose soft bodies take the sparse form with few contacts already.
World sparse_world(const char* scene) {
  World world = build_world(parse_scene(scene, "scene.toml"));
  for (WorldSoft& soft : world.soft) soft.body->max_dense_nodes = 80;
  return world;
}

TEST(SoftSparse, AClothIsSolvedTheSameInBothForms) {
  Simulation simulation(sparse_world(kDraped), fixed_steps(2e-3, 1e-6));
  int sparse = 0, compared = 0;
  simulation.on_solved = [&](const ContactProblem& problem, const Solution& solution) {
    if (!problem.mass().has_sparse_bodies()) return;
    EXPECT_EQ(solution.report.status, Status::converged) << "error " << solution.report.certificate.error;
    if (++sparse % 15 != 0) return;
    const ContactProblem dense = testing_support::dense_form(problem);
    EXPECT_NEAR(certify(dense, solution.r).error, certify(problem, solution.r).error, 1e-8);
    SolveOptions options;
    options.tolerance = 1e-8;
    const Solution one = solve(problem, solution.r, options), other = solve(dense, solution.r, options);
    EXPECT_EQ(one.report.status, Status::converged);
    EXPECT_EQ(other.report.status, Status::converged);
    EXPECT_LT((one.v - other.v).norm(), 1e-4 * other.v.norm());
    ++compared;
  };
  for (int k = 0; k < 60; ++k) simulation.step(2e-3 * (k + 1));
  EXPECT_GT(sparse, 15);
  EXPECT_GT(compared, 0);
}

// A cloth of many cells at rest on the ground: each node bears its own weight.
TEST(SoftSparse, TheGroundCarriesEachNodeOfAFlatCloth) {
  Simulation simulation(sparse_world(R"(
    [[obstacle]]
    shape = "plane"
    friction = 0.5
    [[cloth]]
    size = [0.3, 0.3]
    cells = [12, 12]
    position = [0, 0, 0.001]
    density = 0.2
    )"),
                        fixed_steps(2e-3));
  Solution last;
  simulation.on_solved = [&](const ContactProblem& problem, const Solution& solution) {
    EXPECT_TRUE(problem.mass().has_sparse_bodies());
    last = solution;
  };
  StepReport report;
  for (int k = 0; k < 20; ++k) report = simulation.step(2e-3 * (k + 1));
  ASSERT_EQ(report.contacts, 169);
  double sum = 0;
  for (int i = 0; i < report.contacts; ++i) sum += last.r[3 * i];
  EXPECT_NEAR(sum, 0.2 * 0.09 * 9.81 * 2e-3, 1e-3 * 0.2 * 0.09 * 9.81 * 2e-3);
}

}  // namespace
}  // namespace capstan

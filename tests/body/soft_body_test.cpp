#include "capstan/body/soft/soft_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kMass = 0.3, kSpring = 50;

/// Springs of no rest length between neighbours of a chain: forces are linear, K is constant.
class LinearChain : public Elasticity {
 public:
  explicit LinearChain(int nodes, double change = std::numeric_limits<double>::infinity())
      : nodes_(nodes), change_(change) {}
  std::vector<std::pair<int, int>> couplings() const override {
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i + 1 < nodes_; ++i) pairs.emplace_back(i + 1, i);
    return pairs;
  }
  double energy(const Matrix3Xd& x) const override {
    double sum = 0;
    for (int i = 0; i + 1 < nodes_; ++i) sum += 0.5 * kSpring * (x.col(i + 1) - x.col(i)).squaredNorm();
    return sum;
  }
  void add_forces(const Matrix3Xd& x, Matrix3Xd& f) const override {
    for (int i = 0; i + 1 < nodes_; ++i) {
      const Vector3d pull = kSpring * (x.col(i + 1) - x.col(i));
      f.col(i) += pull;
      f.col(i + 1) -= pull;
    }
  }
  void add_stiffness(const Matrix3Xd&, NodeMatrix& K) const override {
    const Eigen::Matrix3d k = kSpring * Eigen::Matrix3d::Identity();
    for (int i = 0; i + 1 < nodes_; ++i) {
      K.add(i, i, k);
      K.add(i + 1, i + 1, k);
      K.add(i, i + 1, -k);
    }
  }
  double stiffness_change(const Matrix3Xd&, const Matrix3Xd&) const override { return change_; }
  VectorXd strain(const Matrix3Xd& x) const override { return VectorXd::Zero(x.cols()); }

 private:
  int nodes_;
  double change_;
};

SoftShape chain(int nodes, double change = std::numeric_limits<double>::infinity()) {
  SoftShape shape;
  shape.x = Matrix3Xd::Zero(3, nodes);
  for (int i = 0; i < nodes; ++i) shape.x.col(i) = Vector3d(0.1 * i, 0.01 * i * i, 0);
  shape.mass = VectorXd::Constant(nodes, kMass);
  shape.elasticity = std::make_shared<LinearChain>(nodes, change);
  return shape;
}

/// Every node held by a spring to its neighbour and nothing else; the first one fixed.
SoftShape held_chain(int nodes) {
  SoftShape shape = chain(nodes);
  shape.held.push_back({{0}, Motion()});
  return shape;
}

void free_step(SoftBody& body, const StepConditions& step) {
  body.begin_step(step);
  body.end_step(VectorXd::Zero(0));
}

StepConditions weightless(double dt, double theta = 1) {
  return {0, dt, theta, Vector3d::Zero(), Vector3d::Zero()};
}

/// M + dt^2 K over the free nodes 1, 2, ..., whose first neighbour is held.
MatrixXd dense_matrix(int free_nodes, double dt) {
  MatrixXd A = MatrixXd::Zero(3 * free_nodes, 3 * free_nodes);
  for (int i = 0; i < free_nodes; ++i) {
    const double springs = i + 1 < free_nodes ? 2 : 1;
    A.block<3, 3>(3 * i, 3 * i).diagonal().setConstant(kMass + dt * dt * springs * kSpring);
    if (i == 0) continue;
    A.block<3, 3>(3 * i, 3 * (i - 1)).diagonal().setConstant(-dt * dt * kSpring);
    A.block<3, 3>(3 * (i - 1), 3 * i).diagonal().setConstant(-dt * dt * kSpring);
  }
  return A;
}

// Implicit Euler adds dt g to every velocity where nothing else acts.
TEST(SoftBody, FallsAsOne) {
  SoftBody body(chain(5));
  body.begin_step({0, 0.01, 1, Vector3d(0, 0, -9.81), Vector3d::Zero()});
  body.end_step(VectorXd::Zero(0));
  const Vector3d sum = body.velocities().rowwise().sum();
  EXPECT_NEAR(sum[2], -5 * 9.81 * 0.01, 1e-12);  // springs act inside: they add up to nothing
  EXPECT_NEAR(sum[0], 0, 1e-12);
}

// One mass on a spring: implicit Euler multiplies the amplitude by 1/sqrt(1 + h^2), h = dt sqrt(k/m), the
// midpoint rule (theta = 1/2) by 1.
TEST(SoftBody, OscillatesAsTheThetaSchemeDoes) {
  const double dt = 0.01, h = dt * std::sqrt(kSpring / kMass);
  for (const double theta : {1.0, 0.5}) {
    SoftShape shape = held_chain(2);
    shape.x.setZero();
    SoftBody body(shape);
    std::vector<double> state = body.state();
    state[3] = 0.2;  // x of the second node
    body.set_state(state);
    const auto amplitude = [&] {
      return std::hypot(body.positions()(0, 1), body.velocities()(0, 1) / std::sqrt(kSpring / kMass));
    };
    const double before = amplitude();
    free_step(body, weightless(dt, theta));
    EXPECT_NEAR(amplitude(), before * (theta == 1 ? 1 / std::sqrt(1 + h * h) : 1), 1e-14) << theta;
  }
}

TEST(SoftBody, ItsComplianceIsTheBlockOfTheInverse) {
  const double dt = 0.02;
  SoftBody body(held_chain(7));
  body.begin_step(weightless(dt));
  body.touch(std::vector<int>{5, 0, 2});  // the held one is left out
  ASSERT_EQ(body.dofs(), 6);
  const MatrixXd inverse = dense_matrix(6, dt).inverse();
  const MatrixXd& G = std::get<Compliance>(body.matrix()).G;
  const std::vector<int> place{4, 1};
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b)
      EXPECT_LT((G.block<3, 3>(3 * a, 3 * b) - inverse.block<3, 3>(3 * place[a], 3 * place[b])).norm(),
                1e-13);
}

TEST(SoftBody, ItsReachedNodesAreTheSameMatrix) {
  SoftBody body(held_chain(7));
  body.begin_step(weightless(0.02));
  const std::vector<int> nodes{5, 0, 2, 3};
  body.touch(nodes, serial_executor(), SoftBody::Form::dense);
  const MatrixXd expected = dense(body.matrix());
  body.touch(nodes, serial_executor(), SoftBody::Form::sparse);
  ASSERT_TRUE(body.is_sparse());
  EXPECT_LT((dense(body.matrix()) - expected).norm(), 1e-12 * expected.norm());
}

// What the contact problem sees of touched nodes is exact: an impulse there moves all nodes as the whole
// system would.
TEST(SoftBody, ImpulsesOnTouchedNodesMoveAllOfIt) {
  const double dt = 0.02;
  SoftBody free(held_chain(7)), pushed(held_chain(7)), by_velocity(held_chain(7));
  const VectorXd impulse = (VectorXd(6) << 1, 2, 3, -1, 0.5, 0).finished();
  free_step(free, weightless(dt));
  for (SoftBody* body : {&pushed, &by_velocity}) {
    body->begin_step(weightless(dt));
    body->touch(std::vector<int>{5, 2});
  }
  const VectorXd v = BodyFactor(pushed.matrix()).solve(impulse);
  pushed.finish_step(v, impulse);
  by_velocity.end_step(v);
  VectorXd all = VectorXd::Zero(18);
  all.segment<3>(12) = impulse.head<3>();
  all.segment<3>(3) = impulse.tail<3>();
  const VectorXd expected = dense_matrix(6, dt).llt().solve(all);
  const Matrix3Xd change = pushed.velocities() - free.velocities();
  EXPECT_LT((Eigen::Map<const VectorXd>(change.data() + 3, 18) - expected).norm(), 1e-12);
  EXPECT_LT((by_velocity.velocities() - pushed.velocities()).norm(), 1e-11);
}

TEST(SoftBody, APointMovesAsItsNodesDo) {
  SoftBody body(held_chain(7));
  body.begin_step({0, 0.02, 1, Vector3d(0, 0, -9.81), Vector3d::Zero()});
  body.touch(std::vector<int>{1, 2, 3});
  const std::array<int, 3> nodes{3, 1, 0};
  const Vector3d weights(0.5, 0.3, 0.2), push(0.1, -0.2, 0.3);
  const PointMotion motion = body.point_motion(nodes, weights);
  const VectorXd impulse = motion.J.transpose() * push;
  const Vector3d expected = motion.J * BodyFactor(body.matrix()).solve(impulse) + motion.free_velocity;
  body.finish_step({}, impulse);
  EXPECT_LT((body.velocity(nodes, weights) - expected).norm(), 1e-13);
}

TEST(SoftBody, HeldNodesGoWhereTheyAreLed) {
  SoftShape shape = chain(4);
  shape.held.push_back({{0, 1},
                        Motion({}, {{0, Vector3d::Zero()}, {1, Vector3d(0, 0, 1), Vector3d(0, 0, 1)}},
                               Motion::Interpolation::linear)});
  SoftBody body(shape);
  for (int k = 0; k < 10; ++k) free_step(body, {0.05 * k, 0.05, 1, Vector3d::Zero(), Vector3d::Zero()});
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.5, Vector3d::UnitZ()).toRotationMatrix();
  const Vector3d expected = turn * shape.x.col(1) + Vector3d(0, 0, 0.5);
  EXPECT_LT((body.positions().col(1) - expected).norm(), 1e-12);
  EXPECT_GT(body.positions()(2, 2), 0.1);  // and drag the others along
}

// Forces that add up to F give the whole F t, however the springs pass them on.
TEST(SoftBody, LoadsOnNodesAddUp) {
  SoftBody body(chain(5));
  body.loads = Matrix3Xd::Zero(3, 5);
  body.loads.col(1) = Vector3d(2, 0, 0);
  body.loads.col(3) = Vector3d(0, 3, 0);
  for (int k = 0; k < 10; ++k) free_step(body, {0.01 * k, 0.01, 1, Vector3d::Zero(), Vector3d::Zero()});
  const Vector3d momentum = kMass * body.velocities().rowwise().sum();
  EXPECT_LT((momentum - Vector3d(0.2, 0.3, 0)).norm(), 1e-12);
  EXPECT_GT(body.velocities()(0, 1), body.velocities()(0, 4));
  body.loads = Matrix3Xd::Zero(3, 2);
  EXPECT_THROW(free_step(body, {0, 0.01, 1, Vector3d::Zero(), Vector3d::Zero()}), InputError);
}

// A triangle that falls flat: drag times area balances the weight.
TEST(SoftBody, FallsThroughTheAirAtASteadySpeed) {
  for (const bool edge_on : {false, true}) {
    SoftShape shape = chain(3);
    shape.x.col(0) = Vector3d(0, 0, 0);
    shape.x.col(1) = Vector3d(1, 0, 0);
    shape.x.col(2) = edge_on ? Vector3d(0, 0, 1) : Vector3d(0, 1, 0);
    class Loose : public LinearChain {
     public:
      Loose() : LinearChain(3) {}
      void add_forces(const Matrix3Xd&, Matrix3Xd&) const override {}
      void add_stiffness(const Matrix3Xd&, NodeMatrix&) const override {}
    };
    shape.elasticity = std::make_shared<Loose>();
    shape.triangles = {{0, 1, 2}};
    shape.drag = 4;
    shape.skin_drag = 0.5;
    SoftBody body(shape);
    for (int k = 0; k < 2000; ++k) free_step(body, {0, 0.1, 1, Vector3d(0, 0, -9.81), Vector3d(0, 0, 2)});
    const double expected = 2 - 3 * kMass * 9.81 / (0.5 * (edge_on ? 0.5 : 4));
    EXPECT_NEAR(body.velocities()(2, 1), expected, 1e-9) << edge_on;
  }
}

TEST(SoftBody, DampingTakesMomentumAtItsRate) {
  SoftShape shape = chain(3);
  shape.x.setZero();
  shape.v = Matrix3Xd::Constant(3, 3, 2.0);
  shape.mass_damping = 5;
  SoftBody body(shape);
  free_step(body, weightless(0.1));
  EXPECT_NEAR(body.velocities()(1, 1), 2 / (1 + 0.5), 1e-14);
}

TEST(SoftBody, KeepsItsFactorsWhileTheStiffnessHardlyChanges) {
  for (const double change : {0.05, 0.2}) {
    SoftBody body(chain(5, change));
    for (int k = 0; k < 6; ++k) free_step(body, weightless(0.01));
    EXPECT_EQ(body.factorisations(), change < 0.1 ? 1 : 6);
    free_step(body, weightless(0.005));
    EXPECT_EQ(body.factorisations(), change < 0.1 ? 2 : 7);  // another dt
  }
}

TEST(SoftBody, GoesOnFromItsStateBitForBit) {
  for (const double change : {0.05, 0.2}) {
    SoftBody one(chain(6, change)), other(chain(6, change));
    const StepConditions step{0, 0.01, 1, Vector3d(0, 0, -9.81), Vector3d::Zero()};
    for (int k = 0; k < 3; ++k) free_step(one, step);
    other.set_state(one.state());
    for (SoftBody* body : {&one, &other}) {
      body->begin_step(step);
      body->touch(std::vector<int>{2});
      body->finish_step({}, Vector3d(1, 0, 0));
      free_step(*body, step);
    }
    EXPECT_EQ(one.state(), other.state());
  }
}

TEST(SoftBody, AFrameTurnsWithTheSurface) {
  SoftShape shape = chain(3);
  shape.x.col(2) = Vector3d(0, 0.1, 0);
  shape.triangles = {{0, 1, 2}};
  SoftBody body(shape);
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  std::vector<double> state = body.state();
  Eigen::Map<Matrix3Xd>(state.data(), 3, 3) = (turn * body.rest()).eval();
  body.set_state(state);
  for (const std::array<int, 3>& nodes :
       {std::array<int, 3>{0, 1, 2}, std::array<int, 3>{1, 2, -1}, std::array<int, 3>{2, -1, -1}}) {
    const Vector3d weights = nodes[1] < 0 ? Vector3d(1, 0, 0) : Vector3d(0.4, 0.6, 0);
    EXPECT_LT((body.carry(nodes, weights, Vector3d(1, -2, 0.5)) - turn * Vector3d(1, -2, 0.5)).norm(), 1e-13);
    EXPECT_LT((body.rest_normal(nodes, weights) - Vector3d::UnitZ()).norm(), 1e-13);
    EXPECT_LT((body.frame(nodes, weights).x - turn * weighted_sum(body.rest(), nodes, weights)).norm(),
              1e-14);
  }
}

TEST(SoftBody, RefusesWhatCannotBe) {
  const auto refused = [](const auto& change) {
    SoftShape shape = chain(3);
    change(shape);
    EXPECT_THROW(SoftBody{shape}, InputError);
  };
  refused([](SoftShape& shape) { shape.mass[1] = 0; });
  refused([](SoftShape& shape) { shape.x(0, 1) = NAN; });
  refused([](SoftShape& shape) { shape.held.push_back({{3}, Motion()}); });
  refused([](SoftShape& shape) { shape.triangles = {{0, 1, -1}}; });
  refused([](SoftShape& shape) { shape.drag = -1; });
  refused([](SoftShape& shape) { shape.elasticity = nullptr; });
  SoftBody body(chain(3));
  body.begin_step(weightless(0.01));
  EXPECT_THROW(body.end_step(VectorXd::Zero(3)), InputError);
  EXPECT_THROW(body.finish_step({}, VectorXd::Constant(3, 1)), InputError);
  EXPECT_THROW(body.set_state(std::vector<double>(4)), InputError);
}

}  // namespace
}  // namespace capstan

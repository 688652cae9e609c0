#include "bench/bullet_world.hpp"

#include <btBulletDynamicsCommon.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ctime>

#include "capstan/errors.hpp"

namespace capstan::bench {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

btVector3 to_bullet(const Vector3d& x) { return {btScalar(x[0]), btScalar(x[1]), btScalar(x[2])}; }
Vector3d from_bullet(const btVector3& x) { return {x[0], x[1], x[2]}; }

btTransform to_bullet(const Frame& frame) {
  btMatrix3x3 basis;
  for (int i = 0; i < 3; ++i) basis[i] = to_bullet(Vector3d(frame.R.row(i)));
  return btTransform(basis, to_bullet(frame.x));
}

Matrix3d from_bullet(const btMatrix3x3& m) {
  Matrix3d R;
  for (int i = 0; i < 3; ++i) R.row(i) = from_bullet(m[i]);
  return R;
}

std::unique_ptr<btCollisionShape> shape_of(const Solid& solid, const std::string& name) {
  if (const auto* ball = std::get_if<Solid::Ball>(&solid.kind()))
    return std::make_unique<btSphereShape>(btScalar(ball->radius));
  if (const auto* capsule = std::get_if<Solid::Capsule>(&solid.kind()))
    return std::make_unique<btCapsuleShapeZ>(btScalar(capsule->radius), btScalar(2 * capsule->half_length));
  if (const auto* block = std::get_if<Solid::Block>(&solid.kind()))
    return std::make_unique<btBoxShape>(to_bullet(block->half_size));
  if (const auto* drum = std::get_if<Solid::Drum>(&solid.kind()))
    return std::make_unique<btCylinderShapeZ>(
        to_bullet(Vector3d(drum->radius, drum->radius, drum->half_height)));
  if (std::holds_alternative<Solid::Floor>(solid.kind()))
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0));
  throw InputError(name + ": hulls and meshes are not handed to Bullet");
}

/// A factor for each family, so that the product of two is the mu of their pair: that is Bullet's rule.
std::vector<double> friction_factors(const World& world) {
  std::vector<double> factors(world.friction.families(), 0.0);
  for (const WorldRigid& rigid : world.rigid)
    factors[rigid.family] = std::sqrt(world.friction(rigid.family, rigid.family).mu);
  const int first = world.rigid.front().family;
  for (const WorldObstacle& obstacle : world.obstacles)
    if (factors[first] > 0)
      factors[obstacle.family] = world.friction(first, obstacle.family).mu / factors[first];
  const auto check = [&](int a, int b) {
    const PairFriction& pair = world.friction(a, b);
    if (pair.model != FrictionModel::isotropic || pair.restitution != 0 ||
        std::abs(pair.mu - factors[a] * factors[b]) > 1e-9)
      throw InputError("the friction of a pair is not isotropic, not a product, or has a restitution");
  };
  std::vector<int> rigid_families, others;
  for (const WorldRigid& rigid : world.rigid)
    if (rigid_families.empty() || rigid_families.back() != rigid.family)
      rigid_families.push_back(rigid.family);
  for (const WorldObstacle& obstacle : world.obstacles) others.push_back(obstacle.family);
  others.insert(others.end(), rigid_families.begin(), rigid_families.end());
  for (const int a : rigid_families)
    for (const int b : others) check(a, b);
  return factors;
}

/// Bullet's own solver, which can be watched. What it solves lies in its pools until a group is finished.
class WatchedSolver : public btSequentialImpulseConstraintSolver {
 public:
  /// One contact as it was solved; body -1 does not move freely.
  struct Contact {
    int a, b;
    Vector3d arm_a, arm_b;     // from the centres of mass
    Vector3d normal, impulse;  // world axes, on a
    double mu, shift;          // what the normal row adds to u_N, m/s
    Vector3d drift;            // of what does not move freely, as part of u
  };
  struct Body {
    Vector3d velocity, spin;              // before the contacts, gravity and gyroscopic torque included
    Vector3d velocity_after, spin_after;  // as Bullet goes on with them
  };

  explicit WatchedSolver(std::size_t body_count) : bodies(body_count) {}

  bool recording = false;
  std::vector<Contact> contacts;
  std::vector<Body> bodies;
  int count = 0;
  std::clock_t clocks = 0;

  btScalar solveGroup(btCollisionObject** all, int size, btPersistentManifold** manifolds, int manifold_count,
                      btTypedConstraint** constraints, int constraint_count, const btContactSolverInfo& info,
                      btIDebugDraw* drawer, btDispatcher* dispatcher) override {
    const std::clock_t start = std::clock();
    const btScalar result = btSequentialImpulseConstraintSolver::solveGroup(
        all, size, manifolds, manifold_count, constraints, constraint_count, info, drawer, dispatcher);
    clocks += std::clock() - start;
    return result;
  }

 protected:
  btScalar solveGroupCacheFriendlyFinish(btCollisionObject** all, int size,
                                         const btContactSolverInfo& info) override {
    count += m_tmpSolverContactConstraintPool.size();
    if (recording) record();
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(all, size, info);
  }

 private:
  static int index_of(const btSolverBody& body) {
    return body.m_originalBody ? body.m_originalBody->getUserIndex() : -1;
  }

  void record() {
    for (int k = 0; k < m_tmpSolverBodyPool.size(); ++k) {
      const btSolverBody& body = m_tmpSolverBodyPool[k];
      if (index_of(body) < 0) continue;
      const btVector3 v = body.m_linearVelocity + body.m_externalForceImpulse,
                      w = body.m_angularVelocity + body.m_externalTorqueImpulse;
      bodies[index_of(body)] = {from_bullet(v), from_bullet(w), from_bullet(v + body.m_deltaLinearVelocity),
                                from_bullet(w + body.m_deltaAngularVelocity)};
    }
    const std::size_t first = contacts.size();
    for (int k = 0; k < m_tmpSolverContactConstraintPool.size(); ++k)
      contacts.push_back(contact_of(m_tmpSolverContactConstraintPool[k]));
    for (int k = 0; k < m_tmpSolverContactFrictionConstraintPool.size(); ++k) {
      const btSolverConstraint& row = m_tmpSolverContactFrictionConstraintPool[k];
      contacts[first + row.m_frictionIndex].impulse +=
          double(row.m_appliedImpulse) * from_bullet(row.m_contactNormal1);
    }
  }

  /// The goal of a normal row is u_N = velocity before + rhs/effective mass; so that is what 0 means to us.
  Contact contact_of(const btSolverConstraint& row) const {
    const btSolverBody &a = m_tmpSolverBodyPool[row.m_solverBodyIdA],
                       &b = m_tmpSolverBodyPool[row.m_solverBodyIdB];
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    const btVector3 arm_a = point.getPositionWorldOnA() - a.m_worldTransform.getOrigin(),
                    arm_b = point.getPositionWorldOnB() - b.m_worldTransform.getOrigin();
    btVector3 velocity_a, velocity_b;
    a.getVelocityInLocalPointNoDelta(arm_a, velocity_a);
    b.getVelocityInLocalPointNoDelta(arm_b, velocity_b);
    const double before = (velocity_a - velocity_b).dot(row.m_contactNormal1);
    const btVector3 still(0, 0, 0);
    return {index_of(a),
            index_of(b),
            from_bullet(arm_a),
            from_bullet(arm_b),
            from_bullet(row.m_contactNormal1),
            double(row.m_appliedImpulse) * from_bullet(row.m_contactNormal1),
            double(row.m_friction),
            -(before + double(row.m_rhs) / double(row.m_jacDiagABInv)),
            from_bullet((index_of(a) < 0 ? velocity_a : still) - (index_of(b) < 0 ? velocity_b : still))};
  }
};

/// Rows: normal and two tangents.
Matrix3d rows_along(const Vector3d& normal) {
  Matrix3d frame;
  frame.row(0) = normal.normalized();
  frame.row(1) = normal.unitOrthogonal();
  frame.row(2) = frame.row(0).cross(frame.row(1));
  return frame;
}

/// The velocity of a point, seen in the frame, from (v, w) of its body.
Eigen::Matrix<double, 3, 6> point_rows(const Matrix3d& frame, const Vector3d& arm) {
  Eigen::Matrix<double, 3, 6> J;
  J.leftCols<3>() = frame;
  for (int row = 0; row < 3; ++row) J.row(row).tail<3>() = arm.cross(frame.row(row).transpose());
  return J;
}

Eigen::MatrixXd mass_matrix(const btRigidBody& body) {
  const Matrix3d inertia = from_bullet(body.getInvInertiaTensorWorld()).inverse();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
  M.topLeftCorner<3, 3>() = Matrix3d::Identity() / double(body.getInvMass());
  M.bottomRightCorner<3, 3>() = 0.5 * (inertia + inertia.transpose());
  return M;
}

/// What was solved, in our words, and in r the impulses in its frames.
ContactProblem problem_of(const std::vector<WatchedSolver::Contact>& contacts,
                          const std::vector<Eigen::MatrixXd>& M, const Eigen::VectorXd& before,
                          Eigen::VectorXd& r) {
  std::vector<int> dof_start{0};
  Eigen::VectorXd f(before.size()), w(r.size());
  for (std::size_t k = 0; k < M.size(); ++k) {
    f.segment<6>(dof_start.back()) = M[k] * before.segment<6>(dof_start.back());
    dof_start.push_back(dof_start.back() + 6);
  }
  ContactJacobian H(3, dof_start);
  std::vector<ContactLaw> laws;
  for (const WatchedSolver::Contact& contact : contacts) {
    const Matrix3d frame = rows_along(contact.normal);
    const Eigen::Index at = 3 * Eigen::Index(H.add_contact());
    if (contact.a >= 0) H.add_block(contact.a, point_rows(frame, contact.arm_a));
    if (contact.b >= 0) H.add_block(contact.b, -point_rows(frame, contact.arm_b));
    w.segment<3>(at) = frame * contact.drift + contact.shift * Vector3d::UnitX();
    r.segment<3>(at) = frame * contact.impulse;
    laws.push_back(ContactLaw::coulomb(contact.mu));
  }
  return ContactProblem::from_mass(MassMatrix::block_diagonal(M), std::move(f), std::move(H), std::move(w),
                                   std::move(laws));
}

}  // namespace

struct BulletWorld::Parts {
  explicit Parts(std::size_t rigid_count) : solver(rigid_count), rigid(rigid_count) {}

  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broad_phase;
  WatchedSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broad_phase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;  // the rigid ones, then the obstacles
  std::vector<Motion> motions;                       // of the obstacles
  const std::size_t rigid;                           // how many
  double t = 0;

  void add(const Solid& solid, const std::string& name, const Frame& pose, double mass,
           const Vector3d& inertia, double friction) {
    shapes.push_back(shape_of(solid, name));
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shapes.back().get(),
                                                  to_bullet(inertia));
    info.m_startWorldTransform = to_bullet(pose);
    info.m_friction = btScalar(friction);
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setUserIndex(mass > 0 ? int(bodies.size()) - 1 : -1);
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
  }
};

BulletWorld::BulletWorld(const World& world) : parts_(std::make_unique<Parts>(world.rigid.size())) {
  if (!world.strands.empty() || world.rigid.empty())
    throw InputError("Bullet is given rigid bodies alone, at least one");
  const std::vector<double> factors = friction_factors(world);
  parts_->world.setGravity(to_bullet(world.gravity));
  for (const WorldRigid& rigid : world.rigid) {
    const MassProperties& mass = rigid.body->mass_properties();
    if (!mass.centre.isZero(1e-12) || !mass.inertia.isDiagonal(1e-9))
      throw InputError(rigid.name + ": its frame is not that of its inertia");
    parts_->add(rigid.solid, rigid.name, rigid.body->frame(), mass.mass, mass.inertia.diagonal(),
                factors[rigid.family]);
    parts_->bodies.back()->setLinearVelocity(to_bullet(rigid.body->twist().linear));
    parts_->bodies.back()->setAngularVelocity(to_bullet(rigid.body->twist().angular));
  }
  for (const WorldObstacle& obstacle : world.obstacles) {
    if (!obstacle.solid) throw InputError(obstacle.name + ": has no solid");
    parts_->add(*obstacle.solid, obstacle.name, obstacle.motion.at(0), 0, Vector3d::Zero(),
                factors[obstacle.family]);
    parts_->bodies.back()->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    parts_->motions.push_back(obstacle.motion);
  }
  for (const auto& body : parts_->bodies) parts_->world.addRigidBody(body.get());
}

BulletWorld::~BulletWorld() {
  for (const auto& body : parts_->bodies) parts_->world.removeRigidBody(body.get());
}

void BulletWorld::set_options(const BulletOptions& options) {
  btContactSolverInfo& info = parts_->world.getSolverInfo();
  info.m_numIterations = options.iterations;
  info.m_solverMode &= ~SOLVER_USE_2_FRICTION_DIRECTIONS;
  if (options.friction_directions == 2) info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
}

void BulletWorld::step(double dt) {
  Parts& p = *parts_;
  for (std::size_t k = 0; k < p.motions.size(); ++k)
    p.bodies[p.rigid + k]->setWorldTransform(to_bullet(p.motions[k].at(p.t)));
  p.solver.count = 0;
  p.solver.clocks = 0;
  p.world.stepSimulation(btScalar(dt), 0);  // one step of this length
  p.t += dt;
}

BulletStep BulletWorld::recorded_step(double dt) {
  Parts& p = *parts_;
  std::vector<Eigen::MatrixXd> M;  // that of the orientations at the start
  for (std::size_t k = 0; k < p.rigid; ++k) M.push_back(mass_matrix(*p.bodies[k]));
  p.solver.contacts.clear();
  p.solver.recording = true;
  step(dt);
  p.solver.recording = false;
  Eigen::VectorXd r(3 * Eigen::Index(p.solver.contacts.size())), before = Eigen::VectorXd(6 * M.size()),
                                                                 after = before;
  for (Eigen::Index k = 0; k < Eigen::Index(M.size()); ++k) {
    const WatchedSolver::Body& body = p.solver.bodies[k];
    before.segment<6>(6 * k) << body.velocity, body.spin;
    after.segment<6>(6 * k) << body.velocity_after, body.spin_after;
  }
  ContactProblem problem = problem_of(p.solver.contacts, M, before, r);
  const double mismatch = (problem.velocity(r) - after).lpNorm<Eigen::Infinity>();
  return {std::move(problem), std::move(r), mismatch};
}

double BulletWorld::t() const { return parts_->t; }
int BulletWorld::contacts() const { return parts_->solver.count; }
double BulletWorld::seconds_solve() const { return double(parts_->solver.clocks) / CLOCKS_PER_SEC; }

double BulletWorld::kinetic_energy() const {
  double sum = 0;
  for (std::size_t k = 0; k < parts_->rigid; ++k) {
    const btRigidBody& body = *parts_->bodies[k];
    Eigen::Matrix<double, 6, 1> v;
    v << from_bullet(body.getLinearVelocity()), from_bullet(body.getAngularVelocity());
    sum += 0.5 * v.dot(mass_matrix(body) * v);
  }
  return sum;
}

std::vector<Frame> BulletWorld::poses() const {
  std::vector<Frame> poses;
  for (std::size_t k = 0; k < parts_->rigid; ++k) {
    const btTransform& transform = parts_->bodies[k]->getWorldTransform();
    poses.push_back({from_bullet(transform.getOrigin()), from_bullet(transform.getBasis())});
  }
  return poses;
}

}  // namespace capstan::bench

#include "capstan/sample/rigid_scene.hpp"

#include <Eigen/Geometry>

namespace capstan::sample {
namespace {

/// Velocity of `point` in the contact frame, per unit of the body's v = (velocity, spin).
Eigen::Matrix<double, 3, 6> point_jacobian(const Eigen::Matrix3d& frame, const Eigen::Vector3d& arm) {
  Eigen::Matrix<double, 3, 6> J;
  J.leftCols<3>() = frame;
  for (int row = 0; row < 3; ++row)  // d . (spin x arm) = (arm x d) . spin
    J.block<1, 3>(row, 3) = arm.cross(frame.row(row).transpose()).transpose();
  return J;
}

}  // namespace

Eigen::Matrix3d contact_frame(const Eigen::Vector3d& normal, const Eigen::Vector3d& along) {
  Eigen::Vector3d tangent = along - normal * normal.dot(along);
  if (tangent.norm() < 1e-6 * along.norm()) tangent = normal.unitOrthogonal();
  tangent.normalize();
  Eigen::Matrix3d frame;
  frame.row(0) = normal;
  frame.row(1) = tangent;
  frame.row(2) = normal.cross(tangent);
  return frame;
}

int RigidScene::add_body(const Body& body) {
  bodies_.push_back(body);
  return bodies() - 1;
}

int RigidScene::add_box(const Eigen::Vector3d& center, const Eigen::Vector3d& size,
                        const Eigen::Matrix3d& axes, double density) {
  const double mass = density * size.prod();
  const Eigen::Vector3d squares = size.cwiseAbs2();
  const Eigen::Vector3d moments = mass / 12 * (Eigen::Vector3d::Constant(squares.sum()) - squares);
  return add_body({mass, axes * moments.asDiagonal() * axes.transpose(), center});
}

int RigidScene::add_sphere(const Eigen::Vector3d& center, double radius, double density) {
  const double mass = density * 4 / 3 * 3.14159265358979323846 * radius * radius * radius;
  return add_body({mass, 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity(), center});
}

int RigidScene::add_rod(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double mass) {
  const Eigen::Vector3d axis = (b - a).normalized();
  const double across = mass * (b - a).squaredNorm() / 12;
  // A rod of zero thickness has no moment about its axis; a hundredth keeps M positive.
  const Eigen::Matrix3d inertia = across * (Eigen::Matrix3d::Identity() - 0.99 * axis * axis.transpose());
  return add_body({mass, inertia, 0.5 * (a + b)});
}

void RigidScene::add_contact(int a, int b, const Eigen::Vector3d& point, const Eigen::Vector3d& normal,
                             double mu, double gap) {
  contacts_.push_back({a, b, point, normal, mu, gap});
}

void RigidScene::add_face_contact(int a, int b, const Eigen::Vector3d& center, const Eigen::Vector3d& half_1,
                                  const Eigen::Vector3d& half_2, const Eigen::Vector3d& normal, double mu) {
  for (const double s : {-1.0, 1.0})
    for (const double t : {-1.0, 1.0}) add_contact(a, b, center + s * half_1 + t * half_2, normal, mu);
}

ContactProblem RigidScene::problem() const {
  std::vector<Eigen::MatrixXd> blocks;
  std::vector<int> dof_start{0};
  Eigen::VectorXd f = Eigen::VectorXd::Zero(6 * bodies());
  for (int k = 0; k < bodies(); ++k) {
    const Body& body = bodies_[k];
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(6, 6);
    M.topLeftCorner<3, 3>() = body.mass * Eigen::Matrix3d::Identity();
    M.bottomRightCorner<3, 3>() = 0.5 * (body.inertia + body.inertia.transpose());
    blocks.push_back(M);
    dof_start.push_back(6 * (k + 1));
    f.segment<3>(6 * k) = body.mass * (body.velocity + time_step * gravity);
  }
  ContactJacobian H(3, dof_start);
  Eigen::VectorXd w = Eigen::VectorXd::Zero(3 * Eigen::Index(contacts_.size()));
  std::vector<ContactLaw> laws;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const Eigen::Matrix3d frame = contact_frame(contact.normal, Eigen::Vector3d::UnitX());
    H.add_contact();
    if (contact.a != kGround)
      H.add_block(contact.a, point_jacobian(frame, contact.point - bodies_[contact.a].center));
    if (contact.b != kGround)
      H.add_block(contact.b, -point_jacobian(frame, contact.point - bodies_[contact.b].center));
    w[3 * Eigen::Index(i)] = contact.gap / time_step;
    laws.push_back(ContactLaw::coulomb(contact.mu));
  }
  return ContactProblem::from_mass(MassMatrix::block_diagonal(blocks), f, H, w, laws);
}

}  // namespace capstan::sample

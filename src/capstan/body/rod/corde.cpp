#include "capstan/body/rod/corde.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/body/rotation.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Vector9d = Eigen::Matrix<double, 9, 1>;
using Matrix9d = Eigen::Matrix<double, 9, 9>;

Quaterniond turned(const Quaterniond& q, const Vector3d& phi) {
  const double angle = phi.norm();
  if (!(angle > 0)) return q;
  return (q * Quaterniond(Eigen::AngleAxisd(angle, phi / angle))).normalized();
}

double alignment_stiffness(const RodProperties& rod, double length, double h) {
  const double bending = std::max(rod.bending_1, rod.bending_2);
  const double shear = rod.twisting * rod.linear_density / (rod.inertia_1 + rod.inertia_2);
  return std::max({0.9 * shear, 400 * bending / (length * length), 10 * bending / (h * h)});
}

}  // namespace

TurnStrain turn_strain(const Quaterniond& q0, const Quaterniond& q1) {
  Quaterniond p = q0.conjugate() * q1;
  if (p.w() < 0) p.coeffs() *= -1;
  const double w = p.w();
  const Vector3d v = p.vec();
  const Matrix3d cross = skew(v), I = Matrix3d::Identity();
  const Matrix3d through_re = v * v.transpose() / (2 * (1 + w) * (1 + w));
  TurnStrain strain;
  strain.value = 4 * v / (1 + w);
  strain.J0 = 4 * ((-w * I + cross) / (2 * (1 + w)) - through_re);
  strain.J1 = 4 * ((w * I + cross) / (2 * (1 + w)) + through_re);
  return strain;
}

Corde::Corde(const StrandShape& shape, const RodProperties& properties, int elements)
    : NodeChain(shape, properties, elements, 6, 8),
      stiffness_(properties.twisting, properties.bending_1, properties.bending_2) {
  const double I1 = properties.inertia_1, I2 = properties.inertia_2;
  if (!(I1 > 0 && I2 > 0))
    throw InputError("corde: inertia_1 is " + std::to_string(I1) + " and inertia_2 is " + std::to_string(I2) +
                     ", expected > 0");
  const double h = element_length();
  alignment_ = alignment_stiffness(properties, length(), h);
  for (int j = 0; j < elements; ++j) mass_.segment<3>(at_element(j)) = h * Vector3d(I1 + I2, I1, I2);
  for (const Matrix3d& R : start_.frames) orientations_.push_back(Quaterniond(R).normalized());
  for (int i = 0; i <= elements; ++i)
    rest_strains_.push_back(
        turn_strain(Quaterniond(rest_.frames[i]), Quaterniond(rest_.frames[i + 1])).value);
}

void Corde::add_forces() {
  for (int j = 0; j < elements(); ++j) {
    add_stretch(j);
    add_alignment(j);
  }
  for (int i = first_vertex(); i <= last_vertex(); ++i) add_vertex(i);
}

/// Residual c = t - n0: dc = (I - t t^T)/|e| de + R [e0]x phi.
void Corde::add_alignment(int j) {
  const Vector3d e = edge(j), t = e.normalized();
  const Matrix3d R = element_frame(j);
  const Matrix3d by_edge =
      (Matrix3d::Identity() - t * t.transpose()) / std::max(e.norm(), 0.1 * rest_length(j));
  Eigen::Matrix<double, 3, 9> J;
  J << -by_edge, R * skew(Vector3d::UnitX()), by_edge;
  const double k = alignment_ * element_length();
  const Matrix9d K = k * J.transpose().lazyProduct(J);
  add_elastic<9>(at_node(j), k * J.transpose() * (t - R.col(0)), K, K);
}

void Corde::add_vertex(int i) {
  const TurnStrain s = turn_strain(orientation(i - 1), orientation(i));
  const Vector3d k = stiffness_ / cell(i);
  Eigen::Matrix<double, 3, 9> J;  // by phi_{i-1}, x_i, phi_i
  J << s.J0, Matrix3d::Zero(), s.J1;
  const Vector9d gradient = J.transpose() * k.cwiseProduct(s.value - rest_strains_[i]);
  const Matrix9d K = J.transpose().lazyProduct(k.asDiagonal() * J);
  add_elastic<9>(at_element(i - 1), gradient, K, K);
}

void Corde::turn_ghost(int j, const Matrix3d& target, double dt, Eigen::VectorXd& rates) const {
  rates.segment<3>(at_element(j)) = rotation_log(element_frame(j).transpose() * target) / dt;
}

void Corde::follow(const std::vector<Vector3d>& old_nodes, const Eigen::VectorXd& moved,
                   const Eigen::VectorXd& v) {
  remember_tensions(old_nodes, moved, v);
  restore_lengths(predicted_lengths(old_nodes, moved));
  for (int j = 0; j < elements(); ++j) turn(j, old_nodes[j + 2] - old_nodes[j + 1], moved);
  if (is_clamped_at_root()) orientations_.front() = Quaterniond(target(-1).R).normalized();
  if (is_clamped_at_tip()) orientations_.back() = Quaterniond(target(elements()).R).normalized();
}

/// Turns the element by its own rotation, then onto the angle between frame and element that the linear step
/// has found, c + dc: element and frame turn by a, one linearly and the other exactly, and part by a^3/3,
/// which times kappa is a force that nobody ordered.
void Corde::turn(int j, const Vector3d& old_edge, const Eigen::VectorXd& moved) {
  const Vector3d t0 = old_edge.normalized(), t1 = edge(j).normalized(), phi = moved.segment<3>(at_element(j));
  const Vector3d stretched = moved.segment<3>(at_node(j + 1)) - moved.segment<3>(at_node(j));
  const Matrix3d R = element_frame(j);
  const Vector3d dt0 = (stretched - t0 * t0.dot(stretched)) / std::max(old_edge.norm(), 0.1 * rest_length(j));
  const Vector3d c = t0 - R.col(0) + dt0 - R * phi.cross(Vector3d::UnitX());
  Quaterniond& q = orientations_[j + 1];
  q = turned(q, phi);
  const Vector3d n0 = t1 - transport(c, t0, t1);
  if (n0.norm() > 0.5) q = (rotation_between(q * Vector3d::UnitX(), n0) * q).normalized();
}

double Corde::elastic_energy() const {
  double energy = 0;
  for (int j = 0; j < elements(); ++j) {
    const Vector3d off = edge(j).normalized() - element_frame(j).col(0);
    energy += stretch_energy(j) + 0.5 * alignment_ * element_length() * off.squaredNorm();
  }
  for (int i = first_vertex(); i <= last_vertex(); ++i) {
    const Vector3d s = turn_strain(orientation(i - 1), orientation(i)).value - rest_strains_[i];
    energy += 0.5 / cell(i) * stiffness_.dot(s.cwiseProduct(s));
  }
  return energy;
}

std::vector<double> Corde::model_state() const {
  std::vector<double> state;
  for (const Quaterniond& q : orientations_)
    state.insert(state.end(), q.coeffs().data(), q.coeffs().data() + 4);
  return state;
}

void Corde::set_model_state(std::span<const double> state) {
  for (std::size_t j = 0; j < orientations_.size(); ++j)
    std::copy_n(&state[4 * j], 4, orientations_[j].coeffs().data());
}

}  // namespace capstan

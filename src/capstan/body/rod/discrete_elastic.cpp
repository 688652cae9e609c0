#include "capstan/body/rod/discrete_elastic.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Vector11d = Eigen::Matrix<double, 11, 1>;
using Matrix11d = Eigen::Matrix<double, 11, 11>;

/// Twist from frame to frame, nearest to `known`.
double twist_near(const Matrix3d& frame_e, const Matrix3d& frame_f, double known) {
  const Vector3d t = frame_f.col(0);
  const Vector3d carried = Eigen::AngleAxisd(known, t) * transport(frame_e.col(1), frame_e.col(0), t);
  return known + signed_angle(carried, frame_f.col(1), t);
}

/// The frame on the element of direction t whose first normal is near u.
Matrix3d frame_on(const Vector3d& t, const Vector3d& u) {
  Matrix3d R;
  R.col(0) = t;
  R.col(1) = (u - t * t.dot(u)).normalized();
  R.col(2) = t.cross(R.col(1));
  return R;
}

/// Derivatives by the elements (e, f) and their angles, as derivatives by (x0, theta_e, x1, theta_f, x2).
Eigen::Matrix<double, 1, 11> by_dofs(const Vector3d& de, const Vector3d& df, double by_theta_e,
                                     double by_theta_f) {
  Eigen::Matrix<double, 1, 11> row;
  row << -de.transpose(), by_theta_e, (de - df).transpose(), by_theta_f, df.transpose();
  return row;
}

}  // namespace

VertexStrain vertex_strain(const Vector3d& e, const Matrix3d& frame_e, const Vector3d& f,
                           const Matrix3d& frame_f, double twist) {
  const double le = e.norm(), lf = f.norm();
  const Vector3d te = frame_e.col(0), tf = frame_f.col(0);
  // An element folded back onto its neighbour has infinite curvature; 1e-3 is an angle of 177 degrees.
  const double chi = std::max(1 + te.dot(tf), 1e-3);
  const Vector3d kb = 2 * te.cross(tf) / chi, tt = (te + tf) / chi;
  const Vector3d d1 = (frame_e.col(1) + frame_f.col(1)) / chi, d2 = (frame_e.col(2) + frame_f.col(2)) / chi;
  VertexStrain strain;
  const double k1 = kb.dot(d1) * chi / 2, k2 = kb.dot(d2) * chi / 2;
  strain.value << twist, k1, k2;
  strain.J.row(0) = by_dofs(kb / (2 * le), kb / (2 * lf), -1, 1);
  strain.J.row(1) = by_dofs((-k1 * tt + tf.cross(d1)) / le, (-k1 * tt - te.cross(d1)) / lf,
                            kb.dot(frame_e.col(2)) / 2, kb.dot(frame_f.col(2)) / 2);
  strain.J.row(2) = by_dofs((-k2 * tt + tf.cross(d2)) / le, (-k2 * tt - te.cross(d2)) / lf,
                            -kb.dot(frame_e.col(1)) / 2, -kb.dot(frame_f.col(1)) / 2);
  return strain;
}

DiscreteElastic::DiscreteElastic(const StrandShape& shape, const RodProperties& properties, int elements)
    : NodeChain(shape, properties, elements, 4, 10),
      stiffness_(properties.twisting, properties.bending_1, properties.bending_2) {
  const double inertia = properties.inertia_1 + properties.inertia_2;
  if (!(inertia > 0))
    throw InputError("discrete_elastic: inertia_1 + inertia_2 is " + std::to_string(inertia) +
                     ", expected > 0");
  for (int j = 0; j < elements; ++j) mass_[at_element(j)] = inertia * element_length();
  for (int i = 0; i <= elements; ++i) {
    const auto edge_of = [&](int j) -> Vector3d { return rest_.nodes[j + 2] - rest_.nodes[j + 1]; };
    const Matrix3d &a = rest_.frames[i], &b = rest_.frames[i + 1];
    rest_strains_.push_back(vertex_strain(edge_of(i - 1), a, edge_of(i), b, twist_near(a, b, 0)).value);
    twist_.push_back(twist_near(start_.frames[i], start_.frames[i + 1], 0));
  }
  frames_ = start_.frames;
}

VertexStrain DiscreteElastic::strain(int i) const {
  return vertex_strain(edge(i - 1), frames_[i], edge(i), frames_[i + 1], twist_[i]);
}

void DiscreteElastic::add_forces() {
  for (int j = 0; j < elements(); ++j) add_inextensibility(j);
  for (int i = first_vertex(); i <= last_vertex(); ++i) add_vertex(i);
}

void DiscreteElastic::add_vertex(int i) {
  const VertexStrain s = strain(i);
  const Vector3d k = stiffness_ / cell(i);
  const Vector11d gradient = s.J.transpose() * k.cwiseProduct(s.value - rest_strains_[i]);
  const Matrix11d K = s.J.transpose().lazyProduct(k.asDiagonal() * s.J);
  add_elastic<11>(at_node(i - 1), gradient, K, K);
}

double DiscreteElastic::constraint_stiffness() const {
  const double h = element_length(), bending = std::max(properties_.bending_1, properties_.bending_2);
  return 1e6 * (properties_.linear_density * length() * h / (step_.dt * step_.dt) + bending / (h * h));
}

void DiscreteElastic::add_inextensibility(int j) {
  const double k = constraint_stiffness(), l = rest_length(j), dt = step_.dt;
  const Vector3d t = edge(j).normalized();
  // What the last projection could not restore comes back at most a tenth of the length in a step.
  const double c = std::clamp(edge(j).norm() / l - 1, -0.1, 0.1);
  Eigen::Matrix<double, 7, 1> row;
  row << -t, 0, t;
  add_implicit<7>(at_node(j), dt * dt * k / l * row * row.transpose(), -dt * k * c * row);
  add_tension_across(j);
}

void DiscreteElastic::turn_ghost(int j, const Matrix3d& target, double dt, Eigen::VectorXd& rates) const {
  const Matrix3d& frame = frames_[j + 1];
  const Vector3d carried = transport(frame.col(1), frame.col(0), target.col(0));
  rates[at_element(j)] = signed_angle(carried, target.col(1), target.col(0)) / dt;
}

void DiscreteElastic::follow(const std::vector<Vector3d>& old_nodes, const Eigen::VectorXd& moved,
                             const Eigen::VectorXd& v) {
  const double k = constraint_stiffness();
  std::vector<double> lengths;
  for (int j = 0; j < elements(); ++j) {
    const Vector3d e = old_nodes[j + 2] - old_nodes[j + 1];
    const double change =
        step_.dt * e.normalized().dot(v.segment<3>(at_node(j + 1)) - v.segment<3>(at_node(j)));
    const double l = rest_length(j), strain = (e.norm() + change) / l - 1;
    tension_[j] = k * strain;
    // A strain of this size is what holds the tension; to take it out would leave a velocity in its place.
    lengths.push_back(l * (1 + std::clamp(strain, -1e-6, 1e-6)));
  }
  restore_lengths(lengths);
  for (int j = 0; j < elements(); ++j)
    move_frame(j, old_nodes[j + 2] - old_nodes[j + 1], moved[at_element(j)]);
  if (is_clamped_at_root()) frames_.front() = target(-1).R;
  if (is_clamped_at_tip()) frames_.back() = target(elements()).R;
  for (int i = first_vertex(); i <= last_vertex(); ++i) update_twist(i);
}

void DiscreteElastic::move_frame(int j, const Vector3d& old_edge, double turn) {
  const Vector3d t = edge(j).normalized(),
                 carried = transport(frames_[j + 1].col(1), old_edge.normalized(), t);
  frames_[j + 1] = frame_on(t, Eigen::AngleAxisd(turn, t) * carried);
}

void DiscreteElastic::update_twist(int i) { twist_[i] = twist_near(frames_[i], frames_[i + 1], twist_[i]); }

double DiscreteElastic::total_twist() const {
  double twist = 0;
  for (int i = first_vertex(); i <= last_vertex(); ++i) twist += twist_[i];
  return twist;
}

double DiscreteElastic::elastic_energy() const {
  double energy = 0;
  for (int i = first_vertex(); i <= last_vertex(); ++i) {
    const Vector3d s = strain(i).value - rest_strains_[i];
    energy += 0.5 / cell(i) * stiffness_.dot(s.cwiseProduct(s));
  }
  return energy;
}

std::vector<double> DiscreteElastic::model_state() const {
  std::vector<double> state(twist_);
  for (const Matrix3d& R : frames_) state.insert(state.end(), R.data(), R.data() + 9);
  return state;
}

void DiscreteElastic::set_model_state(std::span<const double> state) {
  std::copy_n(state.begin(), twist_.size(), twist_.begin());
  for (std::size_t j = 0; j < frames_.size(); ++j) frames_[j] = Matrix3d(&state[twist_.size() + 9 * j]);
}

int DiscreteElastic::model_state_size() const { return static_cast<int>(twist_.size() + 9 * frames_.size()); }

}  // namespace capstan

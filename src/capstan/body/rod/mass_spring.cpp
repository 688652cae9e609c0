#include "capstan/body/rod/mass_spring.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Vector9d = Eigen::Matrix<double, 9, 1>;
using Matrix9d = Eigen::Matrix<double, 9, 9>;

/// [tangent, n1, n2] of a vertex between unit directions t0 and t1; u is n1 of the first.
Matrix3d vertex_frame(const Vector3d& u, const Vector3d& t0, const Vector3d& t1) {
  const Vector3d sum = t0 + t1, t = sum.norm() > 1e-6 ? Vector3d(sum.normalized()) : t0;
  Matrix3d R;
  R.col(0) = t;
  R.col(1) = transport(u, t0, t);
  R.col(2) = t.cross(R.col(1));
  return R;
}

/// Frames of vertices `first` to n of a line of nodes (ghosts included: node i is nodes[i + 1]), u being n1
/// of element first - 1, carried along without twist.
std::vector<Matrix3d> vertex_frames(const std::vector<Vector3d>& nodes, Vector3d u, int first) {
  std::vector<Matrix3d> frames;
  const int last = static_cast<int>(nodes.size()) - 3;
  for (int i = first; i <= last; ++i) {
    const Vector3d t0 = (nodes[i + 1] - nodes[i]).normalized(),
                   t1 = (nodes[i + 2] - nodes[i + 1]).normalized();
    frames.push_back(vertex_frame(u, t0, t1));
    u = transport(u, t0, t1);
  }
  return frames;
}

/// What is left of u across t, of length 1.
Vector3d across(const Vector3d& u, const Vector3d& t) {
  const Vector3d n = u - t * t.dot(u);
  return n.norm() > 1e-9 ? Vector3d(n.normalized()) : Vector3d(t.unitOrthogonal());
}

}  // namespace

MassSpring::MassSpring(const StrandShape& shape, const RodProperties& properties, int elements)
    : NodeChain(shape, properties, elements, 3, 8) {
  if (std::abs(properties.bending_1 - properties.bending_2) > 1e-9 * properties.bending_1)
    throw InputError("mass_spring: bending_1 is " + std::to_string(properties.bending_1) +
                     " and bending_2 is " + std::to_string(properties.bending_2) +
                     ", expected equal: this model has one bending stiffness");
  const int first = first_vertex();
  const std::vector<Matrix3d> frames = vertex_frames(rest_.nodes, rest_.frames[first].col(1), first);
  straight_rest_ = true;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const int i = first + static_cast<int>(k);
    const auto direction = [&](int j) { return (rest_.nodes[j + 2] - rest_.nodes[j + 1]).normalized(); };
    rest_laplacian_.push_back(frames[k].transpose() * (direction(i) - direction(i - 1)));
    if (rest_laplacian_.back().norm() > 1e-12) straight_rest_ = false;
  }
  normal_ = start_.frames[first].col(1);
}

Vector3d MassSpring::laplacian(int i) const {
  return edge(i) / rest_length(i) - edge(i - 1) / rest_length(i - 1);
}

std::vector<Vector3d> MassSpring::carried_rest() const {
  std::vector<Vector3d> b(rest_laplacian_.size(), Vector3d::Zero());
  if (straight_rest_) return b;
  const std::vector<Matrix3d> frames = vertex_frames(nodes_, normal_, first_vertex());
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = frames[k] * rest_laplacian_[k];
  return b;
}

void MassSpring::add_forces() {
  for (int j = 0; j < elements(); ++j) add_stretch(j);
  const std::vector<Vector3d> b = carried_rest();
  for (int i = first_vertex(); i <= last_vertex(); ++i) add_bending(i, b[i - first_vertex()]);
  if (!straight_rest_) add_twisting_moments(b);
}

/// The frames that carry b follow the nodes: turning the one of vertex i by psi_i about its tangent t changes
/// V by -q_i psi_i, q_i = bending/c_i t . (b x w). Nodes that move turn a frame carried from direction t0 to
/// t1 by -dm, dm = kb . (dt0 + dt1)/2 with kb = 2 t0 x t1/(1 + t0 . t1): that of vertex k on the way from
/// element k - 1 to its tangent, and all downstream on the way from element k - 1 to k. Hence the force of
/// the twisting moment that keeps the strand from twisting, -sum_k (q_k dm_k'/dx + T_k dm_k/dx), T_k = sum of
/// q_i over i > k, without which V would not be a potential (and a spinning curl would go faster and faster).
void MassSpring::add_twisting_moments(const std::vector<Vector3d>& b) {
  // Elements folded onto each other have no kb; it is cut there.
  const auto binormal = [](const Vector3d& t0, const Vector3d& t1) -> Vector3d {
    return t0.cross(t1) / std::max(1 + t0.dot(t1), 0.1);  // kb/2
  };
  double moment = 0;  // T_k
  for (int i = last_vertex(); i >= first_vertex(); --i) {
    const Vector3d t0 = edge(i - 1).normalized(), t1 = edge(i).normalized(), sum = t0 + t1,
                   t = sum.normalized();
    const double q = properties_.bending_1 / cell(i) * t.dot(b[i - first_vertex()].cross(laplacian(i)));
    const Vector3d own = q * binormal(t0, t), carried = moment * binormal(t0, t1);
    const Vector3d along_both = carried + own / std::max(sum.norm(), 0.1);
    const Vector3d de = (along_both + own) / std::max(edge(i - 1).norm(), 0.1 * rest_length(i - 1));
    const Vector3d df = along_both / std::max(edge(i).norm(), 0.1 * rest_length(i));
    Vector9d gradient;
    gradient << -de, de - df, df;
    add_elastic<9>(at_node(i - 1), gradient, Matrix9d::Zero(), Matrix9d::Zero());
    moment += q;
  }
}

void MassSpring::add_bending(int i, const Vector3d& b) {
  constexpr double eps = 1e-3;
  const double stiffness = properties_.bending_1 / cell(i);
  const double a0 = 1 / rest_length(i - 1), a2 = 1 / rest_length(i);
  Eigen::Matrix<double, 3, 9> L;
  L << a0 * Matrix3d::Identity(), -(a0 + a2) * Matrix3d::Identity(), a2 * Matrix3d::Identity();
  const Vector3d w = laplacian(i);
  const double w2 = w.squaredNorm();
  const Matrix3d Q =
      Matrix3d::Identity() - (w2 * Matrix3d::Identity() - w * w.transpose()) / (w2 + eps * eps);
  add_elastic<9>(at_node(i - 1), stiffness * L.transpose() * (w - b),
                 stiffness * L.transpose().lazyProduct(L), stiffness * L.transpose().lazyProduct(Q * L));
}

/// The turn about the first element that brings the carried rest closest to the strand: with w and b as
/// complex numbers across the tangent, |w - b exp(i a)|^2 summed is least at a = arg sum w conj(b).
double MassSpring::best_angle() const {
  const std::vector<Matrix3d> frames = vertex_frames(nodes_, normal_, first_vertex());
  std::complex<double> sum = 0;
  for (int i = first_vertex(); i <= last_vertex(); ++i) {
    const int k = i - first_vertex();
    const Vector3d w = frames[k].transpose() * laplacian(i), b = rest_laplacian_[k];
    sum += std::complex<double>(w[1], w[2]) * std::complex<double>(b[1], -b[2]);
  }
  return std::abs(sum) > 1e-12 ? std::arg(sum) : 0;
}

void MassSpring::follow(const std::vector<Vector3d>& old_nodes, const Eigen::VectorXd& moved,
                        const Eigen::VectorXd& v) {
  remember_tensions(old_nodes, moved, v);
  restore_lengths(predicted_lengths(old_nodes, moved));
  if (is_clamped_at_root()) {
    normal_ = target(-1).R.col(1);
    return;
  }
  const Vector3d t0 = (old_nodes[2] - old_nodes[1]).normalized(), t1 = edge(0).normalized();
  normal_ = across(transport(normal_, t0, t1), t1);
  if (!straight_rest_) normal_ = Eigen::AngleAxisd(best_angle(), t1) * normal_;
}

double MassSpring::elastic_energy() const {
  double energy = 0;
  for (int j = 0; j < elements(); ++j) energy += stretch_energy(j);
  const std::vector<Vector3d> b = carried_rest();
  for (int i = first_vertex(); i <= last_vertex(); ++i)
    energy += 0.5 * properties_.bending_1 / cell(i) * (laplacian(i) - b[i - first_vertex()]).squaredNorm();
  return energy;
}

Matrix3d MassSpring::element_frame(int element) const {
  Vector3d u = normal_;
  for (int j = first_vertex(); j <= element; ++j)
    u = transport(u, edge(j - 1).normalized(), edge(j).normalized());
  Matrix3d R;
  R.col(0) = edge(element).normalized();
  R.col(1) = u;
  R.col(2) = R.col(0).cross(u);
  return R;
}

std::vector<double> MassSpring::model_state() const { return {normal_[0], normal_[1], normal_[2]}; }

void MassSpring::set_model_state(std::span<const double> state) { normal_ = Vector3d(state.data()); }

}  // namespace capstan

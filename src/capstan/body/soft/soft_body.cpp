#include "capstan/body/soft/soft_body.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kSameStep = 1e-9;  // relative; dt is rounded at the end of a frame
constexpr int kNodesOfAPanel = 4;   // whose columns of the inverse are solved for together

void check_number(const std::string& name, double value, const std::string& expected, bool good) {
  if (!good || !std::isfinite(value))
    throw InputError(name + ": is " + std::to_string(value) + ", expected " + expected);
}

void append(const Matrix3Xd& values, std::vector<double>& state) {
  state.insert(state.end(), values.data(), values.data() + values.size());
}

/// The first unknown of each node, and at the end their number.
std::vector<int> threes(std::size_t nodes) {
  std::vector<int> start{0};
  for (std::size_t k = 0; k < nodes; ++k) start.push_back(start.back() + 3);
  return start;
}

/// Assigned from this, places stay where they are in memory: others may look at them.
Eigen::Map<const Matrix3Xd> take(std::span<const double> state, int part, int nodes) {
  return {state.data() + std::size_t(3) * nodes * part, 3, nodes};
}

}  // namespace

Vector3d weighted_sum(const Matrix3Xd& x, const std::array<int, 3>& nodes, const Vector3d& weights) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < 3; ++k)
    if (nodes[k] >= 0) sum += weights[k] * x.col(nodes[k]);
  return sum;
}

SoftBody::SoftBody(SoftShape shape) : shape_(std::move(shape)), rest_(shape_.x), x_(shape_.x), v_(shape_.v) {
  if (v_.cols() == 0) v_ = Matrix3Xd::Zero(3, nodes());
  check();
  index_.assign(nodes(), 0);
  for (const HeldNodes& held : shape_.held)
    for (const int node : held.nodes) index_[node] = -1;
  for (int node = 0; node < nodes(); ++node)
    if (index_[node] == 0) {
      index_[node] = static_cast<int>(free_.size());
      free_.push_back(node);
    }
  K_ = all_ = NodeMatrix(nodes(), shape_.elasticity->couplings());
  triangles_of_.resize(nodes());
  for (std::size_t k = 0; k < shape_.triangles.size(); ++k)
    for (const int node : shape_.triangles[k]) triangles_of_[node].push_back(static_cast<int>(k));
  columns_.resize(free_.size());
  place_.assign(nodes(), -1);
  touch({});
}

void SoftBody::check() const {
  if (!shape_.elasticity) throw InputError("soft body: has no elasticity, expected one");
  if (nodes() == 0) throw InputError("soft body: has no nodes, expected one or more");
  if (shape_.mass.size() != nodes() || v_.cols() != nodes())
    throw InputError("soft body: " + std::to_string(shape_.mass.size()) + " masses and " +
                     std::to_string(v_.cols()) + " velocities, expected one for each of " +
                     std::to_string(nodes()) + " nodes");
  if (!x_.allFinite() || !v_.allFinite())
    throw InputError("soft body: a place or velocity is not finite, expected finite numbers");
  for (int i = 0; i < nodes(); ++i)
    check_number("mass of node " + std::to_string(i), shape_.mass[i], "> 0", shape_.mass[i] > 0);
  check_number("mass_damping", shape_.mass_damping, ">= 0", shape_.mass_damping >= 0);
  check_number("stiffness_damping", shape_.stiffness_damping, ">= 0", shape_.stiffness_damping >= 0);
  check_number("drag", shape_.drag, ">= 0", shape_.drag >= 0);
  check_number("skin_drag", shape_.skin_drag, ">= 0", shape_.skin_drag >= 0);
  const auto known = [&](int node) {
    if (node < 0 || node >= nodes())
      throw InputError("soft body: there is no node " + std::to_string(node) + ", expected 0 to " +
                       std::to_string(nodes() - 1));
  };
  for (const HeldNodes& held : shape_.held)
    for (const int node : held.nodes) known(node);
  for (const auto& triangle : shape_.triangles)
    for (const int node : triangle) known(node);
}

/// Each node's part of the drag of its triangles.
std::vector<Matrix3d> SoftBody::drag_at(const Matrix3Xd& x) const {
  if (shape_.drag == 0 && shape_.skin_drag == 0) return {};
  std::vector<Matrix3d> drag(nodes(), Matrix3d::Zero());
  for (const auto& [a, b, c] : shape_.triangles) {
    const Vector3d twice = (x.col(b) - x.col(a)).cross(x.col(c) - x.col(a));
    const double area = 0.5 * twice.norm();
    if (area == 0) continue;
    const Vector3d n = twice.normalized();
    const Matrix3d part =
        area / 3 *
        (shape_.skin_drag * Matrix3d::Identity() + (shape_.drag - shape_.skin_drag) * n * n.transpose());
    for (const int node : {a, b, c}) drag[node] += part;
  }
  return drag;
}

/// A = (1 + theta dt a) M + theta dt (b K + D) + theta^2 dt^2 K of where the nodes are at x, and its factors.
void SoftBody::factorise(const Matrix3Xd& x, double dt, double theta) {
  K_.set_zero();
  shape_.elasticity->add_stiffness(x, K_);
  drag_ = drag_at(x);
  all_ = K_;
  all_ *= theta * dt * (shape_.stiffness_damping + theta * dt);
  for (int i = 0; i < nodes(); ++i) {
    all_.add(i, i, (1 + theta * dt * shape_.mass_damping) * shape_.mass[i] * Matrix3d::Identity());
    if (!drag_.empty()) all_.add(i, i, theta * dt * drag_[i]);
  }
  if (factored_.use_count() > 1) factored_ = std::make_shared<SparseBody>(*factored_);
  factored_->inverse.clear();
  factored_->lower = all_.lower(free_, index_);
  if (!factored_->factor.analysed()) factored_->factor.analyse(factored_->lower, threes(free_.size()));
  if (!factored_->factor.factorise(factored_->lower))
    throw InputError("soft body: its matrix is not positive definite, expected finite forces and places");
  factored_x_ = x;
  factored_dt_ = dt;
  factored_theta_ = theta;
  ++factorisations_;
  for (Eigen::MatrixXd& column : columns_) column.resize(0, 0);
}

void SoftBody::begin_step(const StepConditions& step) {
  if (loads.cols() != 0 && loads.cols() != nodes())
    throw InputError("loads: are on " + std::to_string(loads.cols()) + " nodes, expected " +
                     std::to_string(nodes()));
  step_ = step;
  const bool same = factorisations_ > 0 && std::abs(step.dt - factored_dt_) <= kSameStep * step.dt &&
                    step.theta == factored_theta_ &&
                    shape_.elasticity->stiffness_change(x_, factored_x_) <= shape_.refactor_change;
  if (!same) factorise(x_, step.dt, step.theta);
  free_velocity_ = held_velocities(step.t, step.dt);
  const Matrix3Xd rhs = known_impulses(step) - all_.times(free_velocity_);  // only held nodes move as yet
  if (!free_.empty()) spread(factored_->factor.solve(gathered(rhs)), free_velocity_);
  touch({});
}

/// M v + dt f, with what damping and the theta scheme take from the old velocities.
Matrix3Xd SoftBody::known_impulses(const StepConditions& step) const {
  const double dt = step.dt, old = (1 - step.theta) * dt;
  Matrix3Xd p = Matrix3Xd::Zero(3, nodes());
  shape_.elasticity->add_forces(x_, p);
  p *= dt;
  if (old != 0) p -= old * (shape_.stiffness_damping + step.theta * dt) * K_.times(v_);
  for (int i = 0; i < nodes(); ++i) {
    p.col(i) += shape_.mass[i] * ((1 - old * shape_.mass_damping) * v_.col(i) + dt * step.gravity);
    if (!drag_.empty()) p.col(i) += drag_[i] * (dt * step.air - old * v_.col(i));
  }
  if (loads.cols() > 0) p += dt * loads;
  return p;
}

/// Zero for free nodes.
Matrix3Xd SoftBody::held_velocities(double t, double dt) const {
  Matrix3Xd v = Matrix3Xd::Zero(3, nodes());
  for (const HeldNodes& held : shape_.held) {
    const Frame carry = held.motion.at(t + dt) * inverse(held.motion.at(0));
    for (const int node : held.nodes) v.col(node) = (carry.apply(rest_.col(node)) - x_.col(node)) / dt;
  }
  return v;
}

VectorXd SoftBody::gathered(const Matrix3Xd& all) const {
  VectorXd result(3 * Eigen::Index(free_.size()));
  for (std::size_t k = 0; k < free_.size(); ++k) result.segment<3>(3 * Eigen::Index(k)) = all.col(free_[k]);
  return result;
}

void SoftBody::spread(const VectorXd& free, Matrix3Xd& all) const {
  for (std::size_t k = 0; k < free_.size(); ++k) all.col(free_[k]) = free.segment<3>(3 * Eigen::Index(k));
}

void SoftBody::touch(std::span<const int> nodes, const Executor& executor, Form form) {
  for (const int node : touched_) place_[node] = -1;
  touched_.clear();
  for (const int node : nodes) {
    if (is_held(node)) continue;
    place_[node] = static_cast<int>(touched_.size());
    touched_.push_back(node);
  }
  const bool few = static_cast<int>(touched_.size()) <= max_dense_nodes;
  const bool dense = form == Form::by_number ? few : form == Form::dense || touched_.empty();
  A_ = dense ? dense_compliance(executor) : reached_nodes();
  f_ = VectorXd::Zero(dofs());
}

BodyMatrix SoftBody::dense_compliance(const Executor& executor) {
  compute_columns(executor);
  Eigen::MatrixXd G(dofs(), dofs());
  for (std::size_t b = 0; b < touched_.size(); ++b)
    for (std::size_t a = 0; a < touched_.size(); ++a)
      G.block<3, 3>(3 * Eigen::Index(a), 3 * Eigen::Index(b)) =
          columns_[index_[touched_[b]]].middleRows<3>(3 * index_[touched_[a]]);
  return Compliance{0.5 * (G + G.transpose())};  // rounding aside it is symmetric
}

BodyMatrix SoftBody::reached_nodes() {
  for (Eigen::MatrixXd& column : columns_) column.resize(0, 0);  // there are too many to keep
  if (factored_->inverse.empty()) factored_->inverse = factored_->factor.inverse_on_pattern();
  ReachedNodes reached{factored_, {}};
  for (const int node : touched_) reached.nodes.push_back(index_[node]);
  return reached;
}

/// Those of A^-1 that touched nodes need and that are not there yet.
void SoftBody::compute_columns(const Executor& executor) {
  std::vector<int> missing;
  for (const int node : touched_)
    if (columns_[index_[node]].size() == 0) missing.push_back(index_[node]);
  for_each_chunk(
      executor, static_cast<int>(missing.size()),
      [&](int first, int last) {
        Eigen::MatrixXd X = Eigen::MatrixXd::Zero(all_dofs(), 3 * (last - first));
        for (int k = first; k < last; ++k) X.block<3, 3>(3 * missing[k], 3 * (k - first)).setIdentity();
        factored_->factor.solve_in_place(X);
        for (int k = first; k < last; ++k) columns_[missing[k]] = X.middleCols<3>(3 * (k - first));
      },
      kNodesOfAPanel);
}

Vector3d SoftBody::free_velocity(const std::array<int, 3>& nodes, const Vector3d& weights) const {
  return weighted_sum(free_velocity_, nodes, weights);
}

PointMotion SoftBody::point_motion(const std::array<int, 3>& nodes, const Vector3d& weights) const {
  PointMotion motion{position(nodes, weights), Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, dofs()),
                     Vector3d::Zero()};
  for (int k = 0; k < 3; ++k) {
    if (nodes[k] < 0) continue;
    motion.free_velocity += weights[k] * free_velocity_.col(nodes[k]);
    if (place_[nodes[k]] >= 0)
      motion.J.middleCols<3>(3 * place_[nodes[k]]) = weights[k] * Matrix3d::Identity();
  }
  return motion;
}

Vector3d SoftBody::position(const std::array<int, 3>& nodes, const Vector3d& weights) const {
  return weighted_sum(x_, nodes, weights);
}

Vector3d SoftBody::velocity(const std::array<int, 3>& nodes, const Vector3d& weights) const {
  return weighted_sum(v_, nodes, weights);
}

/// Columns: a tangent along the first edge at hand, what makes them right-handed, the normal.
Matrix3d SoftBody::axes(const Matrix3Xd& x, const std::array<int, 3>& nodes, const Vector3d& weights) const {
  Vector3d n = Vector3d::Zero(), along = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    if (nodes[k] < 0) continue;
    for (const int triangle : triangles_of_[nodes[k]]) {
      const auto& [a, b, c] = shape_.triangles[triangle];
      n += weights[k] * (x.col(b) - x.col(a)).cross(x.col(c) - x.col(a));
      if (along.isZero(0) && nodes[1] < 0) along = x.col(a == nodes[k] ? b : a) - x.col(nodes[k]);
    }
  }
  if (nodes[1] >= 0) along = x.col(nodes[1]) - x.col(nodes[0]);
  n = n.isZero(0) ? Vector3d::UnitZ().eval() : n.normalized();
  Matrix3d result;
  result.col(2) = n;
  const Vector3d t = along - n * n.dot(along);
  result.col(0) = t.isZero(0) ? n.unitOrthogonal() : t.normalized();
  result.col(1) = n.cross(result.col(0));
  return result;
}

Frame SoftBody::frame(const std::array<int, 3>& nodes, const Vector3d& weights) const {
  return {position(nodes, weights), axes(x_, nodes, weights)};
}

Vector3d SoftBody::carry(const std::array<int, 3>& nodes, const Vector3d& weights,
                         const Vector3d& rest_direction) const {
  return axes(x_, nodes, weights) * (axes(rest_, nodes, weights).transpose() * rest_direction);
}

Vector3d SoftBody::rest_normal(const std::array<int, 3>& nodes, const Vector3d& weights) const {
  return axes(rest_, nodes, weights).col(2);
}

double SoftBody::area_facing(int node, const Vector3d& direction) const {
  const auto twice_area = [](const Matrix3Xd& x, const std::array<int, 3>& t) -> Vector3d {
    return (x.col(t[1]) - x.col(t[0])).cross(x.col(t[2]) - x.col(t[0]));
  };
  double sum = 0;
  for (const int k : triangles_of_[node]) {
    const std::array<int, 3>& triangle = shape_.triangles[k];
    const double facing = twice_area(x_, triangle).normalized().dot(direction);
    sum +=
        twice_area(rest_, triangle).norm() / 6 * (shape_.closed ? std::max(facing, 0.0) : std::abs(facing));
  }
  return sum;
}

Matrix3Xd SoftBody::velocities_after(const VectorXd& impulse) const {
  if (impulse.size() != dofs())
    throw InputError("impulse: has " + std::to_string(impulse.size()) + " entries, expected " +
                     std::to_string(dofs()));
  if (touched_.empty()) return free_velocity_;
  Matrix3Xd p = Matrix3Xd::Zero(3, nodes()), change = p;
  for (std::size_t k = 0; k < touched_.size(); ++k)
    p.col(touched_[k]) = impulse.segment<3>(3 * Eigen::Index(k));
  spread(factored_->factor.solve(gathered(p)), change);
  return free_velocity_ + change;
}

void SoftBody::end_step(const VectorXd& v) {
  if (v.size() != dofs())
    throw InputError("velocity: has " + std::to_string(v.size()) + " entries, expected " +
                     std::to_string(dofs()));
  finish_step(v, dense(A_) * v);
}

void SoftBody::finish_step(const VectorXd&, const VectorXd& impulse) {
  const Matrix3Xd v = velocities_after(impulse);
  if (!v.allFinite()) throw InputError("velocity: has an entry that is not finite");
  const double theta = step_.theta, dt = step_.dt;
  Matrix3Xd moved = dt * (theta * v + (1 - theta) * v_);
  for (const HeldNodes& held : shape_.held)
    for (const int node : held.nodes) moved.col(node) = dt * v.col(node);
  x_ += moved;
  v_ = v;
}

Energy SoftBody::energy(const Vector3d& gravity) const {
  Energy energy;
  energy.elastic = shape_.elasticity->energy(x_);
  for (int i = 0; i < nodes(); ++i) {
    energy.kinetic += 0.5 * shape_.mass[i] * v_.col(i).squaredNorm();
    energy.gravity -= shape_.mass[i] * gravity.dot(x_.col(i));
  }
  return energy;
}

std::vector<double> SoftBody::state() const {
  std::vector<double> state;
  append(x_, state);
  append(v_, state);
  append(factorisations_ > 0 ? factored_x_ : x_, state);
  state.insert(state.end(), {factorisations_ > 0 ? 1.0 : 0.0, factored_dt_, factored_theta_});
  return state;
}

void SoftBody::set_state(std::span<const double> state) {
  const std::size_t expected = std::size_t(9) * nodes() + 3;
  if (state.size() != expected)
    throw InputError("state: has " + std::to_string(state.size()) + " numbers, expected " +
                     std::to_string(expected));
  x_ = take(state, 0, nodes());
  v_ = take(state, 1, nodes());
  const auto factored = state.last(3);
  factorisations_ = 0;
  if (factored[0] != 0) factorise(take(state, 2, nodes()), factored[1], factored[2]);
  touch({});
}

void SoftBody::stop() { v_.setZero(); }

void SoftBody::take_velocities(std::span<const double> state) { v_ = take(state, 1, nodes()); }

}  // namespace capstan

#include "capstan/body/rod/node_chain.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void expect(bool good, const std::string& name, double value, const std::string& expected) {
  if (!good) throw InputError("strand: " + name + " is " + std::to_string(value) + ", expected " + expected);
}

void check_properties(const RodProperties& rod) {
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  const auto not_negative = [](double value) { return value >= 0 && std::isfinite(value); };
  expect(positive(rod.linear_density), "linear_density", rod.linear_density, "> 0");
  expect(not_negative(rod.bending_1), "bending_1", rod.bending_1, ">= 0");
  expect(not_negative(rod.bending_2), "bending_2", rod.bending_2, ">= 0");
  expect(not_negative(rod.twisting), "twisting", rod.twisting, ">= 0");
  expect(not_negative(rod.stretching), "stretching", rod.stretching, ">= 0");
  expect(not_negative(rod.internal_damping), "internal_damping", rod.internal_damping, ">= 0");
  expect(not_negative(rod.air_drag), "air_drag", rod.air_drag, ">= 0");
}

/// An end that is held must start where the strand starts.
void check_end(const End& end, const Vector3d& x, double length, const std::string& name) {
  if (end.hold == Hold::free) return;
  const double off = (end.motion.at(0).x - x).norm();
  expect(off <= 1e-6 * length, "distance of the " + name + " from what holds it", off, "0");
}

/// Frames halfway between those of the nodes, turned the short way onto the elements.
std::vector<Matrix3d> element_frames(const FramedCurve& curve) {
  std::vector<Matrix3d> frames;
  for (std::size_t j = 0; j + 1 < curve.x.size(); ++j) {
    const Matrix3d half =
        curve.R[j] * rotation_exp(0.5 * rotation_log(curve.R[j].transpose() * curve.R[j + 1]));
    const Vector3d t = (curve.x[j + 1] - curve.x[j]).normalized();
    Matrix3d R;
    R.col(0) = t;
    R.col(1) = transport(half.col(1), half.col(0), t);
    R.col(2) = t.cross(R.col(1));
    frames.push_back(R);
  }
  return frames;
}

/// Nodes and frames with a ghost beyond each end, in the direction of `root` and `tip`.
auto with_ghosts(const FramedCurve& curve, const Matrix3d& root, const Matrix3d& tip) {
  const double h = curve.length / (curve.x.size() - 1);
  std::pair<std::vector<Vector3d>, std::vector<Matrix3d>> all;
  all.first.push_back(curve.x.front() - h * root.col(0));
  all.first.insert(all.first.end(), curve.x.begin(), curve.x.end());
  all.first.push_back(curve.x.back() + h * tip.col(0));
  all.second = element_frames(curve);
  all.second.insert(all.second.begin(), root);
  all.second.push_back(tip);
  return all;
}

/// The curve at the start: a polyline whose root is clamped takes the clamp's first normal, unless told
/// another.
FramedCurve start_curve(StrandShape shape, int elements) {
  if (shape.root.hold == Hold::clamped && shape.normal.isZero())
    shape.normal = shape.root.motion.at(0).R.col(1);
  return sample_curve(shape, elements);
}

FramedCurve natural_curve(const StrandShape& shape, double length, int elements) {
  StrandShape natural;
  natural.length = length;
  natural.natural_curvature = shape.natural_curvature;
  return sample_curve(natural, elements);
}

}  // namespace

NodeChain::NodeChain(const StrandShape& shape, const RodProperties& properties, int elements,
                     int dofs_per_node, int half_bandwidth)
    : Strand(properties), elements_(elements), p_(dofs_per_node), root_(shape.root), tip_(shape.tip) {
  check_properties(properties);
  if (elements < 2)
    throw InputError("strand: has " + std::to_string(elements) + " elements, expected 2 or more");
  const FramedCurve curve = start_curve(shape, elements);
  length_ = curve.length;
  check_end(root_, curve.x.front(), length_, "root");
  check_end(tip_, curve.x.back(), length_, "tip");
  const Matrix3d root = is_clamped_at_root() ? root_.motion.at(0).R : curve.R.front();
  const Matrix3d tip = is_clamped_at_tip() ? tip_.motion.at(0).R : curve.R.back();
  std::tie(start_.nodes, start_.frames) = with_ghosts(curve, root, tip);
  nodes_ = start_.nodes;
  for (int j = -1; j <= elements; ++j) rest_lengths_.push_back(edge(j).norm());
  rest_ = start_;
  if (shape.rest == StrandShape::Rest::curvature) {
    const FramedCurve natural = natural_curve(shape, length_, elements);
    std::tie(rest_.nodes, rest_.frames) = with_ghosts(natural, natural.R.front(), natural.R.back());
  }
  const int all = p_ * (elements + 2) + 3;
  first_ = root_.hold == Hold::free ? at_node(0) : at_node(0) + 3;
  last_ = tip_.hold == Hold::free ? at_node(elements) + 3 : at_node(elements);
  all_matrix_ = BandedMatrix(all, half_bandwidth);
  v_ = prescribed_ = present_ = all_force_ = mass_ = Eigen::VectorXd::Zero(all);
  tension_ = Eigen::VectorXd::Zero(elements);
  for (int i = 0; i <= elements; ++i)
    mass_.segment<3>(at_node(i)).setConstant(properties.linear_density * cell(i));
}

void NodeChain::check(const StepConditions& step) const {
  expect(step.dt > 0 && std::isfinite(step.dt), "dt", step.dt, "> 0");
  expect(step.theta >= 0.5 && step.theta <= 1, "theta", step.theta, "0.5 to 1");
  for (const PointForce& load : loads)
    expect(load.s >= 0 && load.s <= length_, "arclength of a load", load.s,
           "0 to " + std::to_string(length_));
}

void NodeChain::begin_step(const StepConditions& step) {
  check(step);
  step_ = step;
  prescribe();
  all_matrix_.set_zero();
  add_known_forces();
  add_forces();
  extract_unknowns();
  begun_ = true;
}

void NodeChain::prescribe() {
  const double end = step_.t + step_.dt;
  prescribed_.setZero();
  root_target_ = root_.motion.at(end);
  tip_target_ = tip_.motion.at(end);
  prescribe_end(root_, root_target_, 0, -1);
  prescribe_end(tip_, tip_target_, elements_, elements_);
  present_ = prescribed_;
  present_.segment(first_, dofs()) = v_.segment(first_, dofs());
}

void NodeChain::prescribe_end(const End& end, const Frame& target, int end_node, int ghost) {
  if (end.hold == Hold::free) return;
  prescribed_.segment<3>(at_node(end_node)) = (target.x - node(end_node)) / step_.dt;
  if (end.hold == Hold::pinned) return;
  const int ghost_node = ghost < 0 ? -1 : elements_ + 1;
  const double side = ghost < 0 ? -1 : 1;
  const Vector3d x = target.x + side * element_length() * target.R.col(0);
  prescribed_.segment<3>(at_node(ghost_node)) = (x - node(ghost_node)) / step_.dt;
  turn_ghost(ghost, target.R, step_.dt, prescribed_);
}

void NodeChain::add_known_forces() {
  const double dt = step_.dt, theta = step_.theta, drag = properties_.air_drag;
  all_force_ = mass_.cwiseProduct(present_);
  for (int k = 0; k < all_matrix_.size(); ++k) all_matrix_.at(k, k) += mass_[k];
  for (int i = 0; i <= elements_; ++i) {
    const int at = at_node(i);
    const double c = drag * cell(i);
    for (int k = at; k < at + 3; ++k) all_matrix_.at(k, k) += dt * theta * c;
    all_force_.segment<3>(at) +=
        dt * (mass_[at] * step_.gravity + c * (step_.air - (1 - theta) * present_.segment<3>(at)));
  }
  for (const PointForce& load : loads) {
    const auto [j, beta] = place(load.s);
    all_force_.segment<3>(at_node(j)) += dt * (1 - beta) * load.f;
    all_force_.segment<3>(at_node(j + 1)) += dt * beta * load.f;
  }
}

void NodeChain::extract_unknowns() {
  const int n = dofs(), b = all_matrix_.half_bandwidth(), all = all_matrix_.size();
  BandedMatrix A(n, std::min(b, n - 1));
  force_ = all_force_.segment(first_, n);
  for (int j = first_; j < last_; ++j)
    for (int i = j; i < std::min(last_, j + b + 1); ++i) A.at(i - first_, j - first_) = all_matrix_.at(i, j);
  for (int j = std::max(0, first_ - b); j < first_; ++j)
    for (int i = first_; i < std::min(last_, j + b + 1); ++i)
      force_[i - first_] -= all_matrix_.at(i, j) * prescribed_[j];
  for (int i = last_; i < std::min(all, last_ + b); ++i)
    for (int j = std::max(first_, i - b); j < last_; ++j)
      force_[j - first_] -= all_matrix_.at(i, j) * prescribed_[i];
  matrix_ = std::move(A);
}

void NodeChain::end_step(const Eigen::VectorXd& v) {
  if (!begun_) throw InputError("strand: end_step without begin_step");
  if (v.size() != dofs())
    throw InputError("strand: end_step got " + std::to_string(v.size()) + " velocities, expected " +
                     std::to_string(dofs()));
  v_ = prescribed_;
  v_.segment(first_, dofs()) = v;
  const Eigen::VectorXd moved = step_.dt * (step_.theta * v_ + (1 - step_.theta) * present_);
  const std::vector<Vector3d> old_nodes = nodes_;
  for (int i = -1; i <= elements_ + 1; ++i) nodes_[i + 1] += moved.segment<3>(at_node(i));
  // A held end sits in its hold to the last bit; its ghost is the clamp's direction, not a sum of steps.
  const double h = element_length();
  if (root_.hold != Hold::free) nodes_[1] = root_target_.x;
  if (tip_.hold != Hold::free) nodes_[elements_ + 1] = tip_target_.x;
  if (is_clamped_at_root()) nodes_.front() = root_target_.x - h * root_target_.R.col(0);
  if (is_clamped_at_tip()) nodes_.back() = tip_target_.x + h * tip_target_.R.col(0);
  follow(old_nodes, moved, v_);
  begun_ = false;
}

NodeChain::Place NodeChain::place(double s) const {
  expect(s >= 0 && s <= length_ * (1 + 1e-12), "arclength", s, "0 to " + std::to_string(length_));
  const double u = s / element_length();
  const int j = std::min(static_cast<int>(u), elements_ - 1);
  return {j, std::min(u - j, 1.0)};
}

Vector3d NodeChain::position(double s) const {
  const auto [j, beta] = place(s);
  return (1 - beta) * node(j) + beta * node(j + 1);
}

Vector3d NodeChain::velocity(double s) const {
  const auto [j, beta] = place(s);
  return (1 - beta) * v_.segment<3>(at_node(j)) + beta * v_.segment<3>(at_node(j + 1));
}

PointMotion NodeChain::point_motion(double s) const {
  const auto [j, beta] = place(s);
  PointMotion motion;
  motion.x = position(s);
  motion.J = Eigen::Matrix3Xd::Zero(3, dofs());
  motion.free_velocity.setZero();
  for (const auto& [i, weight] : {std::pair(j, 1 - beta), std::pair(j + 1, beta)}) {
    const int at = at_node(i);
    if (is_unknown(at))
      motion.J.middleCols<3>(at - first_) += weight * Matrix3d::Identity();
    else
      motion.free_velocity += weight * prescribed_.segment<3>(at);
  }
  return motion;
}

Matrix3d NodeChain::frame(double s) const { return element_frame(place(s).element); }

Energy NodeChain::energy(const Vector3d& gravity) const {
  Energy energy;
  energy.kinetic = 0.5 * v_.dot(mass_.cwiseProduct(v_));
  energy.elastic = elastic_energy();
  for (int i = 0; i <= elements_; ++i) energy.gravity -= mass_[at_node(i)] * gravity.dot(node(i));
  return energy;
}

std::vector<double> NodeChain::state() const {
  std::vector<double> state;
  for (const Vector3d& x : nodes_) state.insert(state.end(), x.data(), x.data() + 3);
  state.insert(state.end(), v_.data(), v_.data() + v_.size());
  state.insert(state.end(), tension_.data(), tension_.data() + tension_.size());
  const std::vector<double> more = model_state();
  state.insert(state.end(), more.begin(), more.end());
  return state;
}

void NodeChain::set_state(std::span<const double> state) {
  const std::size_t nodes = 3 * nodes_.size(), common = nodes + v_.size() + tension_.size();
  if (state.size() != common + model_state_size())
    throw InputError("strand: state has " + std::to_string(state.size()) + " numbers, expected " +
                     std::to_string(common + model_state_size()));
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] = Vector3d(&state[3 * i]);
  std::copy_n(&state[nodes], v_.size(), v_.data());
  std::copy_n(&state[nodes + v_.size()], tension_.size(), tension_.data());
  set_model_state(state.subspan(common));
  begun_ = false;
}

void NodeChain::stop() {
  v_.setZero();
  tension_.setZero();
}

void NodeChain::take_velocities(std::span<const double> state) {
  std::copy_n(&state[3 * nodes_.size()], v_.size(), v_.data());
}

void NodeChain::add_stretch(int j) {
  const Vector3d e = edge(j), t = e.normalized();
  const double l = rest_length(j), ES = properties_.stretching;
  const Matrix3d K = ES / l * (t * t.transpose());
  add_between_nodes(j, ES * (e.norm() / l - 1) * t, K, K);
  add_tension_across(j);
}

void NodeChain::add_tension_across(int j) {
  if (!(tension_[j] > 0)) return;
  const Vector3d e = edge(j), t = e.normalized();
  const Matrix3d K =
      tension_[j] / std::max(e.norm(), 0.1 * rest_length(j)) * (Matrix3d::Identity() - t * t.transpose());
  add_between_nodes(j, Vector3d::Zero(), K, Matrix3d::Zero());
}

void NodeChain::add_between_nodes(int j, const Vector3d& gradient, const Matrix3d& K, const Matrix3d& D) {
  const auto add = [&]<int N>() {
    using Block = Eigen::Matrix<double, N, N>;
    const auto spread = [](const Matrix3d& A) {
      Block B = Block::Zero();
      B.template topLeftCorner<3, 3>() = B.template bottomRightCorner<3, 3>() = A;
      B.template topRightCorner<3, 3>() = B.template bottomLeftCorner<3, 3>() = -A;
      return B;
    };
    Eigen::Matrix<double, N, 1> g = Eigen::Matrix<double, N, 1>::Zero();
    g.template head<3>() = -gradient;
    g.template tail<3>() = gradient;
    add_elastic<N>(at_node(j), g, spread(K), spread(D));
  };
  if (p_ == 3) add.template operator()<6>();
  if (p_ == 4) add.template operator()<7>();
  if (p_ == 6) add.template operator()<9>();
}

void NodeChain::remember_tensions(const std::vector<Vector3d>& old_nodes, const Eigen::VectorXd& moved,
                                  const Eigen::VectorXd& v) {
  const double ES = properties_.stretching;
  for (int j = 0; j < elements_; ++j) {
    const Vector3d e = old_nodes[j + 2] - old_nodes[j + 1], t = e.normalized();
    const int a = at_node(j), b = at_node(j + 1);
    const double change = t.dot(moved.segment<3>(b) - moved.segment<3>(a));
    const double rate = t.dot(v.segment<3>(b) - v.segment<3>(a));
    tension_[j] = ES * ((e.norm() + change + properties_.internal_damping * rate) / rest_length(j) - 1);
  }
}

std::vector<double> NodeChain::predicted_lengths(const std::vector<Vector3d>& old_nodes,
                                                 const Eigen::VectorXd& moved) const {
  std::vector<double> lengths;
  for (int j = 0; j < elements_; ++j) {
    const Vector3d e = old_nodes[j + 2] - old_nodes[j + 1];
    const double change = e.normalized().dot(moved.segment<3>(at_node(j + 1)) - moved.segment<3>(at_node(j)));
    lengths.push_back(std::max(e.norm() + change, 0.1 * rest_length(j)));
  }
  return lengths;
}

double NodeChain::length_error(const std::vector<double>& lengths) const {
  double error = 0;
  for (int j = 0; j < elements_; ++j) error = std::max(error, std::abs(edge(j).norm() / lengths[j] - 1));
  return error;
}

void NodeChain::restore_lengths(const std::vector<double>& lengths) {
  const int n = elements_;
  std::vector<double> weight(n + 1);  // 1/m
  for (int i = 0; i <= n; ++i) weight[i] = is_unknown(at_node(i)) ? 1 / mass_[at_node(i)] : 0;
  std::vector<Vector3d> t(n);
  std::vector<double> diagonal(n), next(n), lambda(n);
  for (int iteration = 0; iteration < 8 && length_error(lengths) > 1e-9; ++iteration) {
    for (int j = 0; j < n; ++j) t[j] = edge(j).normalized();
    // (C M^-1 C^T) lambda = c by Thomas; a straight strand held at both ends makes it singular, hence 1e-9
    for (int j = 0; j < n; ++j) {
      diagonal[j] = (weight[j] + weight[j + 1]) * (1 + 1e-9);
      next[j] = j + 1 < n ? -weight[j + 1] * t[j].dot(t[j + 1]) : 0;
      lambda[j] = edge(j).norm() - lengths[j];
      if (j == 0) continue;
      const double factor = next[j - 1] / diagonal[j - 1];
      diagonal[j] -= factor * next[j - 1];
      lambda[j] -= factor * lambda[j - 1];
    }
    for (int j = n - 1; j >= 0; --j)
      lambda[j] = (lambda[j] - (j + 1 < n ? next[j] * lambda[j + 1] : 0)) / diagonal[j];
    for (int j = 0; j < n; ++j) {
      nodes_[j + 1] += weight[j] * lambda[j] * t[j];
      nodes_[j + 2] -= weight[j + 1] * lambda[j] * t[j];
    }
  }
  const bool one_end_free = root_.hold == Hold::free || tip_.hold == Hold::free;
  if (one_end_free && !(length_error(lengths) < 1e-3)) restore_lengths_in_turn(lengths);
}

void NodeChain::restore_lengths_in_turn(const std::vector<double>& lengths) {
  const auto direction = [&](int j) {
    const Vector3d e = edge(j);
    return e.norm() > 0 ? Vector3d(e.normalized()) : Vector3d(Vector3d::UnitX());
  };
  std::vector<Vector3d> t;
  for (int j = 0; j < elements_; ++j) t.push_back(direction(j));
  if (tip_.hold == Hold::free)
    for (int j = 0; j < elements_; ++j) nodes_[j + 2] = nodes_[j + 1] + lengths[j] * t[j];
  else
    for (int j = elements_ - 1; j >= 0; --j) nodes_[j + 1] = nodes_[j + 2] - lengths[j] * t[j];
}

double NodeChain::stretch_energy(int j) const {
  const double l = rest_length(j), c = edge(j).norm() / l - 1;
  return 0.5 * properties_.stretching * l * c * c;
}

Vector3d transport(const Vector3d& u, const Vector3d& t0, const Vector3d& t1) {
  const Vector3d b = t0.cross(t1);
  const double c = t0.dot(t1);
  // Opposite directions: every half turn will do.
  if (1 + c < 1e-12) return u - 2 * t1 * t1.dot(u);
  return c * u + b.cross(u) + b * (b.dot(u) / (1 + c));
}

double signed_angle(const Vector3d& u, const Vector3d& w, const Vector3d& n) {
  return std::atan2(u.cross(w).dot(n), u.dot(w));
}

}  // namespace capstan

#include "capstan/body/rod/super_helix.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <string>

#include "capstan/body/rod/helix_fit.hpp"
#include "capstan/body/rod/helix_functions.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

/// [v] M: v x each column.
Matrix3d cross(const Vector3d& v, const Matrix3d& M) {
  Matrix3d result;
  for (int j = 0; j < 3; ++j) result.col(j) = v.cross(M.col(j));
  return result;
}

/// -[v][v] = |v|^2 I - v v^T, the inertia of a unit mass at v.
Matrix3d inertia_of(const Vector3d& v) {
  Matrix3d result = -v * v.transpose();
  result.diagonal().array() += v.squaredNorm();
  return result;
}

/// One Newton step towards the nearest rotation: rounding of products does not pile up.
Matrix3d polished(const Matrix3d& R) { return R * (1.5 * Matrix3d::Identity() - 0.5 * R.transpose() * R); }

void require(bool condition, const char* name, double value, const char* expected) {
  if (!condition)
    throw InputError(std::string("super-helix: ") + name + " is " + std::to_string(value) + ", expected " +
                     expected);
}

}  // namespace

/// Per length: what multiplies velocities in A and what is known in f.
struct SuperHelix::Weights {
  double lambda;     // of v in A: rho S + dt theta c
  double carried;    // of X in f: rho S - dt (1 - theta) c
  double spin;       // rho (I1 + I2)
  Vector3d impulse;  // dt (rho S g + c air)
};

/// Integrals over one segment in the axes of its start, places rho measured from its end.
struct SuperHelix::SegmentSums {
  double mass = 0;
  Vector3d moment = Vector3d::Zero();   // int rho
  Matrix3d inertia = Matrix3d::Zero();  // int -[rho][rho], and the spin's t t^T
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
  Matrix3d GG = Matrix3d::Zero();     // int G^T G, and the spin's f f^T
  Matrix3d G = Matrix3d::Zero();      // int G
  Matrix3d rho_G = Matrix3d::Zero();  // int [rho] G, and the spin's t f^T
  Vector3d on_k = Vector3d::Zero();   // int G^T force
};

/// Moments of all that lies beyond a point, places measured from it, world axes.
struct SuperHelix::Tail {
  double mass = 0;
  Vector3d moment = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();

  void add(const SegmentSums& sums, const Matrix3d& R) {
    mass += sums.mass;
    moment += R * sums.moment;
    inertia += R * sums.inertia * R.transpose();
    force += R * sums.force;
    torque += R * sums.torque;
  }
  /// The origin moves by -d, so that every place grows by d.
  void shift(const Vector3d& d) {
    inertia += mass * inertia_of(d) - d * moment.transpose() - moment * d.transpose();
    inertia.diagonal().array() += 2 * d.dot(moment);
    moment += mass * d;
    torque += d.cross(force);
  }
};

SuperHelix::SuperHelix(const StrandShape& shape, const RodProperties& properties, int segments)
    : Strand(properties), root_(shape.root), spin_inertia_(properties.inertia_1 + properties.inertia_2) {
  if (shape.tip.hold != Hold::free)
    throw InputError(
        "super-helix: the tip is held, expected free: its place follows from all curvatures and cannot be "
        "prescribed; choose another model, or a contact");
  root_dofs_ = root_.hold == Hold::clamped ? 0 : root_.hold == Hold::pinned ? 3 : 6;
  check();
  take_start(shape, segments);
  stiffness_ =
      pose_.segment_length * Vector3d(properties.twisting, properties.bending_1, properties.bending_2);
  const int n = root_dofs_ + 3 * segments;
  matrix_ = Eigen::MatrixXd(Eigen::MatrixXd::Zero(n, n));
  force_.setZero(n);
  remembered_.reserve(max_gauss_points * segments);
  first_point_.resize(segments);
  starts_.resize(segments);
  set_velocity(VectorXd::Zero(n));
}

void SuperHelix::check() const {
  const RodProperties& p = properties_;
  require(p.linear_density > 0, "linear_density", p.linear_density, "> 0 kg/m");
  require(p.bending_1 > 0, "bending_1", p.bending_1, "> 0 N m^2");
  require(p.bending_2 > 0, "bending_2", p.bending_2, "> 0 N m^2");
  require(p.twisting > 0, "twisting", p.twisting, "> 0 N m^2");
  require(p.internal_damping >= 0, "internal_damping", p.internal_damping, ">= 0 s");
  require(p.air_drag >= 0, "air_drag", p.air_drag, ">= 0 kg/(m s)");
  require(spin_inertia_ >= 0, "inertia_1 + inertia_2", spin_inertia_, ">= 0 kg m");
  require(root_dofs_ == 0 || spin_inertia_ > 0, "inertia_1 + inertia_2", spin_inertia_,
          "> 0 kg m: the root is not clamped, so that nothing else resists a spin about the tangent");
}

void SuperHelix::take_start(const StrandShape& shape, int segments) {
  if (segments < 1)
    throw InputError("super-helix: has " + std::to_string(segments) + " segments, expected 1 or more");
  const bool natural = shape.nodes.empty();
  // Fine enough to see every edge of a polyline: directions at its nodes are means of two edges.
  const int fine = natural ? 1 : 4 * (1 + static_cast<int>(shape.nodes.size()) / segments);
  const FramedCurve curve = sample_curve(shape, segments * fine);
  const std::vector<Vector3d> k =
      natural ? std::vector<Vector3d>(segments, shape.natural_curvature) : fit_helices(curve, segments, fine);
  natural_ = shape.rest == StrandShape::Rest::as_given
                 ? k
                 : std::vector<Vector3d>(segments, shape.natural_curvature);
  const Frame root{curve.x[0], curve.R[0]};
  attachment_ = natural ? Frame{} : inverse(root_.motion.at(0)) * root;
  pose_.segment_length = curve.length / segments;
  pose_.segments.resize(segments);
  for (int Q = 0; Q < segments; ++Q) pose_.segments[Q].k = k[Q];
  pose_.place(root);
}

void SuperHelix::begin_step(const StepConditions& step) {
  require(step.dt > 0, "dt", step.dt, "> 0 s");
  require(step.theta >= 0.5 && step.theta <= 1, "theta", step.theta, "0.5 to 1");
  step_ = step;
  prescribe_root(step);
  assemble(step);
  add_elasticity(step);
  for (const PointForce& load : loads) add_load(load, step.dt);
}

/// The script's place at the end of the step, and the constant velocity that leads there.
void SuperHelix::prescribe_root(const StepConditions& step) {
  next_root_ = pose_.root();
  prescribed_ = {};
  if (root_.hold == Hold::free || !root_.motion.moves()) return;
  const Frame next = root_.motion.at(step.t + step.dt) * attachment_;
  const Twist twist = twist_between(pose_.root(), next, step.dt);
  next_root_.x = next.x;
  prescribed_.linear = twist.linear;
  if (root_.hold == Hold::pinned) return;
  next_root_.R = next.R;
  prescribed_.angular = twist.angular;
}

/// Inertia, drag and gravity, from the tip to the root: what lies beyond a segment moves as one rigid body
/// when the segment's curvature changes, so that its mass, moment and inertia are all that A needs to know of
/// it.
void SuperHelix::assemble(const StepConditions& step) {
  const double rho = properties_.linear_density, drag = step.dt * properties_.air_drag;
  const Weights weights{rho + step.theta * drag, rho - (1 - step.theta) * drag, spin_inertia_,
                        step.dt * rho * step.gravity + drag * step.air};
  Tail beyond;
  for (int P = segments() - 1; P >= 0; --P) {
    const SegmentSums own = integrate(P, weights);
    add_columns(P, own, beyond);
    const Frame& start = pose_.segments[P].start;
    beyond.add(own, start.R);
    beyond.shift(pose_.end_of(P) - start.x);
  }
  if (root_dofs_ > 0) add_root(beyond);
}

/// A point at local arclength s of this segment moves by G dk, and its section spins by f . dk: the spin is
/// the tangent's part of W dk, and (E e0)^T W = e0^T W^T = f^T because E^T W = W^T.
SuperHelix::SegmentSums SuperHelix::integrate(int P, const Weights& weights) const {
  const HelixPose::Segment& segment = pose_.segments[P];
  const Matrix3d& R = segment.start.R;
  const double l = pose_.segment_length;
  const Vector3d end = R.transpose() * (pose_.end_of(P) - segment.start.x);
  // Prescribed motion of the root, in the axes of the segment.
  const Vector3d carry = R.transpose() * prescribed_.at(segment.start.x, pose_.root().x);
  const Vector3d turn = R.transpose() * prescribed_.angular;
  const Vector3d impulse = R.transpose() * weights.impulse;
  const PointVelocity* X = &remembered_[first_point_[P]];
  SegmentSums sums;
  for (const GaussPoint& g : gauss_rule(segment.k.norm() * l)) {
    const HelixPoint point = helix_point(segment.k, g.s * l);
    const Vector3d rho = point.f - end;
    const double m = g.weight * l * weights.lambda, j = g.weight * l * weights.spin;
    sums.mass += m;
    sums.moment += m * rho;
    sums.inertia += m * inertia_of(rho) + j * point.tangent * point.tangent.transpose();
    sums.GG += m * point.G.transpose() * point.G + j * point.f * point.f.transpose();
    sums.G += m * point.G;
    sums.rho_G += m * cross(rho, point.G) + j * point.tangent * point.f.transpose();
    const Vector3d force = g.weight * l * (weights.carried * (R.transpose() * X->v) + impulse) -
                           m * (carry + turn.cross(point.f));
    const double spin = j * (X->spin - turn.dot(point.tangent));
    sums.force += force;
    sums.torque += rho.cross(force) + spin * point.tangent;
    sums.on_k += point.G.transpose() * force + spin * point.f;
    ++X;
  }
  return sums;
}

/// Blocks (Q, P) of A for Q <= P. A point at rho from the end of P, P's own or beyond, has
///   J_Q = shift_Q - [rho + d] turn_Q,  d from the end of Q to the end of P,
/// so that with X = int J_P and Y = int [rho] J_P:  int J_Q^T J_P = shift_Q^T X + turn_Q^T (Y + [d] X).
void SuperHelix::add_columns(int P, const SegmentSums& own, const Tail& beyond) {
  const HelixPose::Segment& segment = pose_.segments[P];
  const Matrix3d& R = segment.start.R;
  Matrix3d X = beyond.mass * segment.shift - cross(beyond.moment, segment.turn);
  Matrix3d Y = cross(beyond.moment, segment.shift);
  Y.noalias() += beyond.inertia * segment.turn;
  const int column = root_dofs_ + 3 * P;
  A().block<3, 3>(column, column) = own.GG + segment.shift.transpose() * X + segment.turn.transpose() * Y;
  force_.segment<3>(column) =
      own.on_k + segment.shift.transpose() * beyond.force + segment.turn.transpose() * beyond.torque;
  X.noalias() += R * own.G;
  Y.noalias() += R * own.rho_G;
  const auto put = [&](int row, const Matrix3d& block) {
    A().block<3, 3>(row, column) = block;
    A().block<3, 3>(column, row) = block.transpose();
  };
  const Vector3d& end = pose_.end_of(P);
  for (int Q = 0; Q < P; ++Q) {
    const HelixPose::Segment& before = pose_.segments[Q];
    const Matrix3d lever = Y + cross(end - pose_.end_of(Q), X);
    put(root_dofs_ + 3 * Q, before.shift.transpose() * X + before.turn.transpose() * lever);
  }
  if (root_dofs_ == 0) return;
  put(root_dofs_ - 3, Y + cross(end - pose_.root().x, X));  // J = -[r - r_root]
  if (root_.hold == Hold::free) put(0, X);                  // J = I
}

void SuperHelix::add_root(const Tail& whole) {
  const int turning = root_dofs_ - 3;
  A().block<3, 3>(turning, turning) = whole.inertia;
  force_.segment<3>(turning) = whole.torque;
  if (root_.hold == Hold::pinned) return;
  const Matrix3d lever = cross(whole.moment, Matrix3d::Identity());
  A().block<3, 3>(0, 0) = whole.mass * Matrix3d::Identity();
  A().block<3, 3>(3, 0) = lever;
  A().block<3, 3>(0, 3) = lever.transpose();
  force_.head<3>() = whole.force;
}

void SuperHelix::add_elasticity(const StepConditions& step) {
  const double gamma = properties_.internal_damping, dt = step.dt, theta = step.theta;
  const Vector3d implicit = dt * theta * (gamma + dt * theta) * stiffness_;
  const Vector3d known = dt * (1 - theta) * (gamma + dt * theta) * stiffness_;
  for (int Q = 0; Q < segments(); ++Q) {
    const int at = root_dofs_ + 3 * Q;
    A().diagonal().segment<3>(at) += implicit;
    force_.segment<3>(at) +=
        dt * stiffness_.cwiseProduct(natural_[Q] - curvature(Q)) - known.cwiseProduct(v_.segment<3>(at));
  }
}

void SuperHelix::add_load(const PointForce& load, double dt) {
  const Vector3d impulse = dt * load.f;
  const HelixPose::Location at = locate(load.s);
  const HelixPose::Segment& segment = pose_.segments[at.segment];
  const HelixPoint point = helix_point(segment.k, at.s);
  const Vector3d r = segment.start.apply(point.f);
  force_.segment<3>(root_dofs_ + 3 * at.segment) +=
      point.G.transpose() * (segment.start.R.transpose() * impulse);
  for (int Q = 0; Q < at.segment; ++Q) {
    const HelixPose::Segment& before = pose_.segments[Q];
    force_.segment<3>(root_dofs_ + 3 * Q) +=
        before.shift.transpose() * impulse + before.turn.transpose() * (r - pose_.end_of(Q)).cross(impulse);
  }
  if (root_dofs_ > 0) force_.segment<3>(root_dofs_ - 3) += (r - pose_.root().x).cross(impulse);
  if (root_.hold == Hold::free) force_.head<3>() += impulse;
}

void SuperHelix::end_step(const VectorXd& v) {
  if (v.size() != dofs())
    throw InputError("super-helix: velocity has " + std::to_string(v.size()) + " entries, expected " +
                     std::to_string(dofs()));
  const double now = step_.dt * step_.theta, before = step_.dt * (1 - step_.theta);
  const VectorXd change = now * v + before * v_;
  root_velocity_ = prescribed_;
  if (root_dofs_ > 0) {
    root_velocity_.angular = v.segment<3>(root_dofs_ - 3);
    next_root_.R = polished(rotation_exp(change.segment<3>(root_dofs_ - 3)) * next_root_.R);
  }
  if (root_.hold == Hold::free) {
    root_velocity_.linear = v.head<3>();
    next_root_.x += change.head<3>();
  }
  v_ = v;
  std::swap(past_, pose_);
  for (int Q = 0; Q < segments(); ++Q)
    pose_.segments[Q].k = past_.segments[Q].k + change.segment<3>(root_dofs_ + 3 * Q);
  pose_.place(next_root_);
  remember_velocities();
}

/// The velocities that v_ gives to the segments' starts and to the Gauss points. They are those of the pose
/// before the step, but at the points that the present pose will integrate with.
void SuperHelix::remember_velocities() {
  Twist start = root_velocity_;
  remembered_.clear();
  for (int Q = 0; Q < segments(); ++Q) {
    const HelixPose::Segment& segment = past_.segments[Q];
    const Vector3d kdot = v_.segment<3>(root_dofs_ + 3 * Q);
    const Vector3d turn = segment.start.R.transpose() * start.angular;
    starts_[Q] = start;
    first_point_[Q] = static_cast<int>(remembered_.size());
    for (const GaussPoint& g : gauss_rule(curvature(Q).norm() * pose_.segment_length)) {
      const HelixPoint point = helix_point(segment.k, g.s * pose_.segment_length);
      const Vector3d local = turn.cross(point.f) + point.G * kdot;
      remembered_.push_back(
          {start.linear + segment.start.R * local, turn.dot(point.tangent) + kdot.dot(point.f)});
    }
    start.linear += start.angular.cross(past_.end_of(Q) - segment.start.x) + segment.shift * kdot;
    start.angular += segment.turn * kdot;
  }
}

HelixPose::Location SuperHelix::locate(double s) const {
  require(s >= 0 && s <= length() * (1 + 1e-12), "arclength", s, "0 to the length of the strand");
  return pose_.locate(s);
}

Vector3d SuperHelix::position(double s) const { return pose_.position(locate(s)); }

Matrix3d SuperHelix::frame(double s) const { return pose_.frame(locate(s)); }

Vector3d SuperHelix::velocity(double s) const {
  const HelixPose::Location at = locate(s);
  const HelixPose::Segment& segment = past_.segments[at.segment];
  const HelixPoint point = helix_point(segment.k, at.s);
  const Vector3d kdot = v_.segment<3>(root_dofs_ + 3 * at.segment);
  const Twist& start = starts_[at.segment];
  return start.linear + start.angular.cross(segment.start.R * point.f) + segment.start.R * (point.G * kdot);
}

PointMotion SuperHelix::point_motion(double s) const {
  const HelixPose::Location at = locate(s);
  const HelixPose::Segment& segment = pose_.segments[at.segment];
  const HelixPoint point = helix_point(segment.k, at.s);
  PointMotion motion;
  motion.x = segment.start.apply(point.f);
  motion.free_velocity = prescribed_.at(motion.x, pose_.root().x);
  motion.J.setZero(3, dofs());
  if (root_.hold == Hold::free) motion.J.leftCols<3>().setIdentity();
  if (root_dofs_ > 0)
    motion.J.middleCols<3>(root_dofs_ - 3) = cross(pose_.root().x - motion.x, Matrix3d::Identity());
  for (int Q = 0; Q < at.segment; ++Q) {
    const HelixPose::Segment& before = pose_.segments[Q];
    motion.J.middleCols<3>(root_dofs_ + 3 * Q) =
        before.shift - cross(motion.x - pose_.end_of(Q), before.turn);
  }
  motion.J.middleCols<3>(root_dofs_ + 3 * at.segment) = segment.start.R * point.G;
  return motion;
}

Energy SuperHelix::energy(const Vector3d& gravity) const {
  const double l = pose_.segment_length, rho = properties_.linear_density;
  Energy energy;
  auto X = remembered_.begin();
  for (int Q = 0; Q < segments(); ++Q) {
    const HelixPose::Segment& segment = pose_.segments[Q];
    const Vector3d strain = segment.k - natural_[Q];
    energy.elastic += 0.5 * strain.dot(stiffness_.cwiseProduct(strain));
    for (const GaussPoint& g : gauss_rule(segment.k.norm() * l)) {
      const Vector3d r = segment.start.apply(helix_place(segment.k, g.s * l));
      energy.gravity -= g.weight * l * rho * gravity.dot(r);
      energy.kinetic += 0.5 * g.weight * l * (rho * X->v.squaredNorm() + spin_inertia_ * X->spin * X->spin);
      ++X;
    }
  }
  return energy;
}

namespace {

constexpr int pose_header = 12;

void append(std::vector<double>& out, const HelixPose& pose) {
  out.insert(out.end(), pose.root().x.data(), pose.root().x.data() + 3);
  out.insert(out.end(), pose.root().R.data(), pose.root().R.data() + 9);
  for (const HelixPose::Segment& segment : pose.segments)
    out.insert(out.end(), segment.k.data(), segment.k.data() + 3);
}

const double* read(const double* in, HelixPose& pose) {
  const Frame root{Eigen::Map<const Vector3d>(in), Eigen::Map<const Matrix3d>(in + 3)};
  in += pose_header;
  for (HelixPose::Segment& segment : pose.segments) {
    segment.k = Eigen::Map<const Vector3d>(in);
    in += 3;
  }
  pose.place(root);
  return in;
}

}  // namespace

std::vector<double> SuperHelix::state() const {
  std::vector<double> out;
  append(out, pose_);
  append(out, past_);
  out.insert(out.end(), root_velocity_.linear.data(), root_velocity_.linear.data() + 3);
  out.insert(out.end(), root_velocity_.angular.data(), root_velocity_.angular.data() + 3);
  out.insert(out.end(), v_.data(), v_.data() + v_.size());
  return out;
}

void SuperHelix::set_state(std::span<const double> state) {
  const std::size_t expected = 2 * (pose_header + 3 * segments()) + 6 + dofs();
  if (state.size() != expected)
    throw InputError("super-helix: state has " + std::to_string(state.size()) + " numbers, expected " +
                     std::to_string(expected));
  const double* in = read(read(state.data(), pose_), past_);
  root_velocity_ = {Eigen::Map<const Vector3d>(in), Eigen::Map<const Vector3d>(in + 3)};
  v_ = Eigen::Map<const VectorXd>(in + 6, dofs());
  remember_velocities();
}

void SuperHelix::stop() {
  past_ = pose_;
  root_velocity_ = {};
  v_.setZero();
  remember_velocities();
}

void SuperHelix::take_velocities(std::span<const double> state) {
  const double* in = state.data() + 2 * (pose_header + 3 * segments());
  past_ = pose_;
  root_velocity_ = {Eigen::Map<const Vector3d>(in), Eigen::Map<const Vector3d>(in + 3)};
  v_ = Eigen::Map<const VectorXd>(in + 6, dofs());
  remember_velocities();
}

void SuperHelix::set_curvatures(std::span<const Vector3d> k) {
  if (static_cast<int>(k.size()) != segments())
    throw InputError("super-helix: " + std::to_string(k.size()) + " curvatures, expected " +
                     std::to_string(segments()));
  for (int Q = 0; Q < segments(); ++Q) pose_.segments[Q].k = k[Q];
  pose_.place(Frame(pose_.root()));
  set_velocity(VectorXd::Zero(dofs()));
}

void SuperHelix::set_natural_curvatures(std::span<const Vector3d> k) {
  if (static_cast<int>(k.size()) != segments())
    throw InputError("super-helix: " + std::to_string(k.size()) + " natural curvatures, expected " +
                     std::to_string(segments()));
  natural_.assign(k.begin(), k.end());
}

void SuperHelix::set_velocity(const VectorXd& v) {
  if (v.size() != dofs())
    throw InputError("super-helix: velocity has " + std::to_string(v.size()) + " entries, expected " +
                     std::to_string(dofs()));
  past_ = pose_;
  v_ = v;
  root_velocity_ = {};
  if (root_dofs_ > 0) root_velocity_.angular = v.segment<3>(root_dofs_ - 3);
  if (root_.hold == Hold::free) root_velocity_.linear = v.head<3>();
  remember_velocities();
}

}  // namespace capstan

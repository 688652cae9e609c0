#include "capstan/body/motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "capstan/body/rotation.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

Motion::Key between(const Motion::Key& a, const Motion::Key& b, double fraction) {
  return {a.t + fraction * (b.t - a.t), a.x + fraction * (b.x - a.x),
          a.rotation + fraction * (b.rotation - a.rotation)};
}

}  // namespace

Frame operator*(const Frame& outer, const Frame& inner) { return {outer.apply(inner.x), outer.R * inner.R}; }

Frame inverse(const Frame& frame) { return {-(frame.R.transpose() * frame.x), frame.R.transpose()}; }

Twist twist_between(const Frame& from, const Frame& to, double dt) {
  return {(to.x - from.x) / dt, rotation_log(to.R * from.R.transpose()) / dt};
}

Frame Course::at(double t) const {
  const double time = std::clamp(t, start, end) - start;
  return {from.x + time * twist.linear, rotation_exp(time * twist.angular) * from.R};
}

Course course_to(const Frame& from, const Frame& to, double start, double end) {
  if (!(end > start))
    throw InputError("course: ends at " + std::to_string(end) + " s, expected after its start");
  return {start, end, from, twist_between(from, to, end - start)};
}

Motion::Motion(Frame rest, std::vector<Key> keys, Interpolation interpolation,
               std::vector<Oscillation> oscillations)
    : rest_(std::move(rest)),
      keys_(std::move(keys)),
      interpolation_(interpolation),
      oscillations_(std::move(oscillations)) {}

Motion Motion::carried_by(const Motion& carrier) const {
  Motion result = *this;
  result.carrier_ = std::make_shared<const Motion>(carrier_ ? carrier_->carried_by(carrier) : carrier);
  return result;
}

Motion Motion::steerable() const {
  Motion result = *this;
  result.course_ = std::make_shared<std::optional<Course>>();
  return result;
}

void Motion::steer(const std::optional<Course>& course) const {
  if (!course_) throw InputError("motion: cannot be steered");
  *course_ = course;
}

Frame Motion::at(double t) const {
  if (course_ && *course_ && t >= (*course_)->start) return (*course_)->at(t);
  Eigen::Vector3d x = Eigen::Vector3d::Zero(), rotation = Eigen::Vector3d::Zero();
  if (!keys_.empty()) {
    const auto next = std::upper_bound(keys_.begin(), keys_.end(), t,
                                       [](double time, const Key& key) { return time < key.t; });
    Key key = next == keys_.begin() ? keys_.front() : *(next - 1);
    if (next != keys_.begin() && next != keys_.end()) {
      double fraction = (t - key.t) / (next->t - key.t);
      if (interpolation_ == Interpolation::smooth) fraction = fraction * fraction * (3 - 2 * fraction);
      key = between(key, *next, fraction);
    }
    x = key.x;
    rotation = key.rotation;
  }
  Eigen::Matrix3d R = rotation_exp(rotation);
  for (const Oscillation& o : oscillations_) {
    if (t < o.start) continue;
    const double s = std::sin(2 * std::numbers::pi * o.frequency * (t - o.start) + o.phase);
    x += s * o.translation;
    R = rotation_exp(s * o.rotation) * R;
  }
  const Frame own{rest_.x + x, R * rest_.R};
  return carrier_ ? carrier_->at(t) * own : own;
}

}  // namespace capstan

#pragma once
#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <vector>

namespace capstan {

/// A place and an orientation: world = x + R local.
struct Frame {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();

  Eigen::Vector3d apply(const Eigen::Vector3d& local) const { return x + R * local; }
  Eigen::Vector3d apply_inverse(const Eigen::Vector3d& world) const { return R.transpose() * (world - x); }
};
Frame operator*(const Frame& outer, const Frame& inner);
Frame inverse(const Frame& frame);

/// Linear and angular velocity of a frame, world axes.
struct Twist {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< of the frame's origin, m/s
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< rad/s

  /// Of the point that now is at `world`, rigidly carried by a frame whose origin is at `origin`.
  Eigen::Vector3d at(const Eigen::Vector3d& world, const Eigen::Vector3d& origin) const {
    return linear + angular.cross(world - origin);
  }
};

/// The constant velocity that takes a frame from one place to another in dt; exact for rotations below pi.
Twist twist_between(const Frame& from, const Frame& to, double dt);

/// The straight way at constant velocity from a place at `start` to `end`, and rest there.
struct Course {
  double start = 0, end = 0;  ///< s
  Frame from;
  Twist twist;  ///< of the frame's origin

  Frame at(double t) const;  ///< t >= start
};
/// The way to a place; turns by less than pi. Throws InputError unless end > start.
Course course_to(const Frame& from, const Frame& to, double start, double end);

/// A scripted rigid motion: keyframes (smooth in between, at rest before the first and after the last) and
/// oscillations on top of them. Used by obstacles and by the ends of strands alike.
class Motion {
 public:
  struct Key {
    double t;
    Eigen::Vector3d x = Eigen::Vector3d::Zero();
    Eigen::Vector3d rotation = Eigen::Vector3d::Zero();  ///< rotation vector, rad
  };
  /// Adds translation * sin(2 pi f t + phase) and, about the origin of the frame, rotation * sin(...).
  struct Oscillation {
    double frequency;  ///< Hz
    double phase = 0;  ///< rad
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();
    Eigen::Vector3d rotation = Eigen::Vector3d::Zero();  ///< rotation vector, rad
    double start = 0;                                    ///< s; at rest before
  };
  enum class Interpolation { linear, smooth };  ///< smooth: starts and stops every key at rest

  Motion() = default;
  explicit Motion(Frame rest, std::vector<Key> keys = {}, Interpolation interpolation = Interpolation::smooth,
                  std::vector<Oscillation> oscillations = {});

  /// This motion, seen from a frame that moves itself: carrier.at(t) * at(t).
  Motion carried_by(const Motion& carrier) const;

  /// The same motion, open to steer().
  Motion steerable() const;
  bool is_steerable() const { return course_ != nullptr; }
  /// From the start of the course on, the script no longer counts, nor what carries it. All copies of a
  /// steerable motion are steered together, so that what an obstacle carries follows it. Without a course:
  /// back to the script. Throws InputError unless it is steerable.
  void steer(const std::optional<Course>& course) const;
  std::optional<Course> course() const { return course_ ? *course_ : std::nullopt; }

  /// Pose at time t: rest, then what keys and oscillations add (both about the rest frame's origin).
  Frame at(double t) const;
  bool moves() const {
    return !keys_.empty() || !oscillations_.empty() || course() || (carrier_ && carrier_->moves());
  }

 private:
  Frame rest_;
  std::vector<Key> keys_;
  Interpolation interpolation_ = Interpolation::smooth;
  std::vector<Oscillation> oscillations_;
  std::shared_ptr<const Motion> carrier_;          // shared by all roots on a head; nullptr: the world
  std::shared_ptr<std::optional<Course>> course_;  // shared by all copies; nullptr: not steerable
};

}  // namespace capstan

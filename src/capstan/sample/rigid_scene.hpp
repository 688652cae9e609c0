#pragma once
#include <Eigen/Core>
#include <vector>

#include "capstan/problem/contact_problem.hpp"

namespace capstan::sample {

/// Rigid bodies and the points at which they touch, as one time step M v - f = H^T r: v = (velocity of the
/// centre of mass, angular velocity) a body, both in the world's axes.
class RigidScene {
 public:
  static constexpr int kGround = -1;  ///< the partner that never moves

  Eigen::Vector3d gravity{0, 0, -9.81};  ///< m/s^2
  double time_step = 0.005;              ///< s

  /// Returns the body's index. Columns of `axes` are the box's own axes in the world's.
  int add_box(const Eigen::Vector3d& center, const Eigen::Vector3d& size, const Eigen::Matrix3d& axes,
              double density);
  int add_sphere(const Eigen::Vector3d& center, double radius, double density);
  /// A thin rod of uniform mass.
  int add_rod(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double mass);
  void set_velocity(int body, const Eigen::Vector3d& velocity) { bodies_[body].velocity = velocity; }

  /// A touches B at `point`; the normal points from B to A. gap >= 0, m, may close during the step.
  void add_contact(int a, int b, const Eigen::Vector3d& point, const Eigen::Vector3d& normal, double mu,
                   double gap = 0);
  /// The four corners of a rectangle around `center`; `half_1` and `half_2` span it.
  void add_face_contact(int a, int b, const Eigen::Vector3d& center, const Eigen::Vector3d& half_1,
                        const Eigen::Vector3d& half_2, const Eigen::Vector3d& normal, double mu);

  int bodies() const { return static_cast<int>(bodies_.size()); }
  ContactProblem problem() const;

 private:
  struct Body {
    double mass;
    Eigen::Matrix3d inertia;
    Eigen::Vector3d center;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  };
  struct Contact {
    int a, b;
    Eigen::Vector3d point, normal;
    double mu, gap;
  };
  int add_body(const Body& body);

  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
};

/// Rows: the normal, then the unit tangent nearest to `along`, then the one that makes the frame
/// right-handed. Any tangent if `along` is parallel to the normal.
Eigen::Matrix3d contact_frame(const Eigen::Vector3d& normal, const Eigen::Vector3d& along);

}  // namespace capstan::sample

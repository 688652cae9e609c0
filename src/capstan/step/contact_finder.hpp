#pragma once
#include <Eigen/Core>
#include <span>
#include <vector>

#include "capstan/collide/continuous.hpp"
#include "capstan/collide/detect.hpp"
#include "capstan/executor.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// Where everything is at the end of a step that is not yet accepted.
struct EndOfStep {
  std::vector<Eigen::Vector3d> strand_nodes;      ///< in the order of CollisionScene::x
  std::vector<Frame> solids;                      ///< obstacles, then rigid bodies
  std::vector<Eigen::Matrix3Xd> soft_velocities;  ///< of all nodes, m/s: they move by dt times that
};

/// Returns the nodes of the collision polylines of all strands where they are now.
std::vector<Eigen::Vector3d> strand_nodes_of(const World& world, const CollisionScene& scene,
                                             const Executor& executor);

/// What may touch in a step: margins from velocities, detection, and what impulses elsewhere turn out to
/// close.
class ContactFinder {
 public:
  ContactFinder(const World& world, const DetectOptions& options, const Executor& executor);

  /// To be called whenever the bodies have moved.
  void measure_velocities(const World& world);
  /// Contacts that may close in the step from t to t + dt, and in `aside` those of strands that are near and
  /// do not approach.
  std::vector<Contact> find(const World& world, double t, double dt, std::vector<Contact>& aside);
  /// Returns what overlaps where all bodies are at t; contacts as find() has them. `soft_positions`: where
  /// the nodes of soft bodies are, if not where the world says. Forgets what find() knew.
  std::vector<Contact> overlaps(const World& world, double t,
                                std::span<const Eigen::Matrix3Xd> soft_positions = {});
  /// Of those set aside, what the velocities found so far (all degrees of freedom) would make overlap by more
  /// than is undone unnoticed.
  std::vector<Contact> closed_by(const World& world, const Eigen::VectorXd& v, double dt,
                                 const std::vector<Contact>& aside) const;
  /// Returns what would pass through each other on the way from where all was at the last find() to
  /// where `end` says, and could be kept from it: not where both sides are held.
  std::vector<Contact> crossed_by(const World& world, const EndOfStep& end, double dt) const;
  /// Fills in what crossed_by does not know: the true points of curved strands and the velocities of
  /// obstacles. All bodies are where they were at the last find().
  void complete(const World& world, Contact& contact) const;
  /// Returns the contact of the same matter as of the last find(), from a contact at the end of the step. The
  /// normal stays; the gap changes by what the two points move along it.
  Contact as_of_start(const World& world, const EndOfStep& end, const Contact& at_end) const;

  /// How far the fastest point of a strand goes between the last find() and `end`, in units of the size of
  /// that strand.
  double farthest_move(const EndOfStep& end) const;
  double farthest_move(const EndOfStep& end, int strand) const;

  const CollisionScene& scene() const { return scene_; }
  // Of each body, strands first.
  double speed(int body) const { return speed_[body]; }  ///< of its fastest point, m/s
  /// How far it is across, as far as a step is concerned, m: the mean capsule of a strand, the radius of the
  /// ball around a rigid body, or around a soft body at rest.
  double size(int body) const;

 private:
  void sort_out(const World& world, double dt, const std::vector<Contact>& near,
                std::vector<Contact>& closing, std::vector<Contact>& others) const;
  std::vector<Contact> all_near(const World& world, double dt, std::vector<Contact>& aside);
  void place_strands(const World& world, double dt);
  void place_solids(const World& world, double t, double dt);
  std::vector<Contact> between_strands(const World& world);
  std::vector<Contact> strands_with_solids(const World& world);
  std::vector<Contact> between_rigid_bodies(const World& world, double dt) const;
  void place_soft(const World& world);
  std::vector<Contact> with_soft(const World& world, double dt) const;
  bool soft_may_close(const World& world, const Contact& contact, double dt) const;
  void put_on_curves(const World& world, std::vector<Contact>& contacts) const;
  double largest_sag(const CollisionStrand& strand) const;
  Eigen::Vector3d point_at_start(const World& world, const EndOfStep& end, const ContactSide& side,
                                 const Eigen::Vector3d& point) const;
  bool may_close(const World& world, const Contact& contact, double dt) const;
  bool rigid_may_close(const World& world, const Contact& contact, double dt) const;
  Eigen::Vector3d velocity_of(const World& world, const ContactSide& side) const;

  DetectOptions options_;
  const Executor& executor_;
  CollisionScene scene_;
  std::vector<SoftSurface> soft_;
  std::vector<double> soft_radius_;
  std::vector<Eigen::Vector3d> node_velocity_;  // beside scene_.x
  std::vector<double> speed_;                   // of the fastest point of each body
  std::vector<double> reach_;                   // how far a strand's points may go in this step, m
};

}  // namespace capstan

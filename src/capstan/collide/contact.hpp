#pragma once
#include <Eigen/Core>
#include <array>

namespace capstan {

/// One side of a contact: a point of a strand, of a rigid body, of a soft body or of an obstacle. All but one
/// of the indices are -1.
struct ContactSide {
  int strand = -1;
  int obstacle = -1;
  double s = 0;  ///< arclength on a strand, m
  int rigid = -1;
  /// Place on a rigid body in its own frame, or on a soft one in its rest shape, m.
  Eigen::Vector3d local = Eigen::Vector3d::Zero();
  int soft = -1;
  std::array<int, 3> node{-1, -1, -1};               ///< of a soft body: a node, an edge or a triangle of it,
  Eigen::Vector3d weight = Eigen::Vector3d::Zero();  ///< and where on it: the sum of weight times node
};

/// Two points that touch or nearly do. A is the first of what there is: strand, soft body, rigid body; B may
/// be an obstacle. The normal points from B to A; t1 follows the fibre of a strand A from root to tip.
struct Contact {
  ContactSide a, b;
  /// On the centrelines (strands), on the mesh (soft bodies, whose skin lies beside it) or on the surface.
  Eigen::Vector3d point_a, point_b;
  Eigen::Matrix3d frame;                                 ///< columns n, t1, t2; right-handed
  double gap = 0;                                        ///< m, between the surfaces; < 0: overlap
  Eigen::Vector3d velocity_b = Eigen::Vector3d::Zero();  ///< of an obstacle's surface, m/s
  double spin_b = 0;                                     ///< of an obstacle about the normal, rad/s
  double area = 0;                                       ///< m^2, of what may stick; see measure_areas
  /// m, by which the two would end closer than the linearised motion says: the step makes up for it.
  double shortfall = 0;
  bool bonded = false;  ///< these two points stick to each other: they do not bounce
};

/// The columns n, t1, t2 for a unit normal: t1 is `fibre` made perpendicular to n; where they are parallel
/// (the end of a strand meets something head-on) `second_choice`, and then any perpendicular serves.
Eigen::Matrix3d contact_frame(const Eigen::Vector3d& n, const Eigen::Vector3d& fibre,
                              const Eigen::Vector3d& second_choice = Eigen::Vector3d::Zero());

/// The contact of the curves of which the polylines are chords: the points where they truly are at the same
/// arclengths. The frame stays; the gap changes by what the points move along the normal. (An obstacle's
/// point is already true.)
Contact on_curves(Contact contact, const Eigen::Vector3d& true_a, const Eigen::Vector3d& true_b);

}  // namespace capstan

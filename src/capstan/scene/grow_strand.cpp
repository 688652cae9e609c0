#include <Eigen/Geometry>

#include "capstan/scene/growing.hpp"

namespace capstan::scene_text {
namespace {

using StrandKind = StrandScript::Shape;

/// The axis stays as it is told; it is the tail that is made perpendicular.
Eigen::Vector3d wrap_axis(const StrandScript& s) {
  return s.normal.norm() > 0 ? s.normal : perpendicular(s.direction, s.normal);
}

/// Fine enough for sample_curve() to see a curve: twenty corners an element.
Polyline curve_of(const StrandScript& s) {
  const int points = 20 * s.elements + 1;
  switch (s.shape) {
    case StrandKind::points:
      return s.points;
    case StrandKind::line:
      return {s.start, s.start + s.length * s.direction};
    case StrandKind::natural:
      return {};
    case StrandKind::arc:
      return arc_curve(s.start, s.direction, s.normal, s.radius, s.length, points);
    case StrandKind::helix:
      return helix_curve(s.start, s.direction, s.normal, s.radius, s.pitch, s.length, points);
    case StrandKind::wrap:
      return wrap_curve(s.start, s.direction, wrap_axis(s), s.radius, s.angle, s.pitch, s.tails, points);
    case StrandKind::overhand_knot:
      break;
  }
  return overhand_knot_curve(s.start, s.direction, s.normal, s.radius, s.length, points);
}

Frame frame_along(const Eigen::Vector3d& x, const Eigen::Vector3d& direction, const Eigen::Vector3d& normal) {
  Frame frame{x, Eigen::Matrix3d()};
  frame.R.col(0) = direction;
  frame.R.col(1) = perpendicular(direction, normal);
  frame.R.col(2) = frame.R.col(0).cross(frame.R.col(1));
  return frame;
}

}  // namespace

StrandSpec grow_strand(const Scene& scene, const StrandScript& script, int family) {
  StrandSpec strand = common_spec(scene, script, family);
  strand.shape.nodes = curve_of(script);
  strand.shape.normal = script.normal;
  strand.shape.twist = script.twist;
  if (script.shape == StrandKind::natural) {
    strand.shape.length = script.length;
    strand.shape.root.motion = Motion(frame_along(script.start, script.direction, script.normal));
  }
  hold_ends(strand, script.root, script.tip, scene);
  const double length = sample_curve(strand.shape, strand.elements).length;
  for (const StrandScript::Load& load : script.loads) strand.loads.push_back({load.at * length, load.force});
  return strand;
}

}  // namespace capstan::scene_text

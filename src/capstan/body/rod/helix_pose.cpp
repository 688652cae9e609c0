#include "capstan/body/rod/helix_pose.hpp"

#include <algorithm>

#include "capstan/body/rod/helix_functions.hpp"

namespace capstan {

HelixPose::Location HelixPose::locate(double s) const {
  const int last = static_cast<int>(segments.size()) - 1;
  const int segment = std::clamp(static_cast<int>(s / segment_length), 0, last);
  return {segment, s - segment * segment_length};
}

void HelixPose::place(const Frame& root) {
  Frame frame = root;
  for (Segment& segment : segments) {
    segment.start = frame;
    const HelixPoint end = helix_point(segment.k, segment_length);
    segment.turn.noalias() = frame.R * helix_turning(segment.k, segment_length);
    segment.shift.noalias() = frame.R * end.G;
    frame.x += segment.start.R * end.f;
    frame.R = segment.start.R * helix_turn(segment.k, segment_length);
  }
  tip = frame;
}

Eigen::Vector3d HelixPose::position(Location at) const {
  const Segment& segment = segments[at.segment];
  return segment.start.apply(helix_place(segment.k, at.s));
}

Eigen::Matrix3d HelixPose::frame(Location at) const {
  const Segment& segment = segments[at.segment];
  return segment.start.R * helix_turn(segment.k, at.s);
}

}  // namespace capstan

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "capstan/body/rotation.hpp"
#include "capstan/random.hpp"
#include "capstan/scene/growing.hpp"

namespace capstan::scene_text {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/// The `count` places of a hexagonal packing nearest to its middle, in units of the distance of neighbours.
std::vector<Vector2d> hexagonal(int count) {
  const int reach = 2 + int(std::sqrt(double(count)));
  std::vector<Vector2d> places;
  for (int row = -reach; row <= reach; ++row)
    for (int i = -reach; i <= reach; ++i) places.emplace_back(i + 0.5 * (row & 1), row * std::sqrt(0.75));
  // Equal distances are ordered by angle, so that the same places are taken everywhere.
  const auto key = [](const Vector2d& p) {
    return std::pair(std::round(1e6 * p.squaredNorm()), std::round(1e6 * std::atan2(p[1], p[0])));
  };
  std::sort(places.begin(), places.end(),
            [&](const Vector2d& a, const Vector2d& b) { return key(a) < key(b); });
  places.resize(count);
  return places;
}

struct Layout {
  Vector3d direction, side, up;  ///< orthonormal; side and up span the section
  double pitch;                  ///< m, of the packing
  double rim;                    ///< m, of the outermost
};

Layout layout_of(const Bundle& bundle, double radius, const std::vector<Vector2d>& places) {
  Layout layout;
  layout.direction = bundle.direction;
  layout.up = perpendicular(bundle.direction, Vector3d::UnitZ());
  layout.side = layout.up.cross(bundle.direction);
  layout.pitch = 2 * radius + bundle.spacing;
  layout.rim = layout.pitch * places.back().norm();
  return layout;
}

/// Fanned out by the place in the section, then tilted at random.
Vector3d direction_of(const Bundle& bundle, const Layout& layout, const Vector3d& offset, Random& random) {
  const double angle = random.uniform(0, bundle.tilt), around = random.uniform(0, 2 * std::numbers::pi);
  Vector3d d = layout.direction;
  if (layout.rim > 0) d += std::tan(bundle.spread) * offset / layout.rim;
  d += std::tan(angle) * (std::cos(around) * layout.side + std::sin(around) * layout.up);
  return d.normalized();
}

/// Beside the bundle's middle line: the section is carried along it without turning, so that strands which
/// lie apart at the root stay apart where the bundle bends.
Polyline beside(const Polyline& middle, const Layout& layout, const Vector3d& offset,
                const Vector3d& direction, double length) {
  const double ahead = direction.dot(layout.direction), step = (middle[1] - middle[0]).norm();
  const Vector3d slope = direction / ahead - layout.direction;
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
  Vector3d t = layout.direction;
  Polyline line;
  for (std::size_t i = 0; i < middle.size() && step * double(i) < length + step / 2; ++i) {
    const Vector3d next = i + 1 < middle.size() ? Vector3d((middle[i + 1] - middle[i]).normalized()) : t;
    turn = rotation_between(t, next) * turn;
    t = next;
    line.push_back(middle[i] + turn * (offset + step * double(i) * slope));
  }
  return line;
}

/// Free rods lie with their middle, level, at the centre; held ones begin there.
Polyline bent_line(const Bundle& bundle, const Layout& layout, double length) {
  const double radius = 1 / std::abs(bundle.bend);
  const Vector3d towards = bundle.bend > 0 ? layout.up : Vector3d(-layout.up);
  Polyline line =
      arc_curve(bundle.center, bundle.direction, towards, radius, length, 20 * bundle.elements + 1);
  if (bundle.root.hold != Hold::free) return line;
  const Eigen::AngleAxisd level(-length / radius / 2, bundle.direction.cross(towards));
  const Vector3d middle = line[line.size() / 2];
  for (Vector3d& x : line) x = bundle.center + level * (x - middle);
  return line;
}

/// Of a bundle that is not straight; empty for one that is.
Polyline middle_line(const Bundle& bundle, const Layout& layout, const Surroundings& surroundings) {
  const double longest = bundle.length * (1 + bundle.length_spread);
  if (bundle.bend != 0) return bent_line(bundle, layout, longest);
  if (!bundle.droop) return {};
  const Drape drape{bundle.center, bundle.direction, -Vector3d::UnitZ(), *bundle.droop, 0, longest};
  return draped(drape, surroundings, 20 * bundle.elements);
}

Polyline straight_line(const Bundle& bundle, const Vector3d& place, const Vector3d& direction,
                       double length) {
  const bool held = bundle.root.hold != Hold::free;
  const Vector3d start = held ? place : Vector3d(place - length / 2 * direction);
  return {start, start + length * direction};
}

}  // namespace

std::vector<StrandSpec> grow_bundle(const Scene& scene, const Bundle& bundle, int family,
                                    const Surroundings& surroundings) {
  const StrandSpec common = common_spec(scene, bundle, family);
  const std::vector<Vector2d> places = hexagonal(bundle.count);
  const Layout layout = layout_of(bundle, common.collision_radius, places);
  const Polyline middle = middle_line(bundle, layout, surroundings);
  Random random(bundle.seed);
  std::vector<StrandSpec> strands;
  for (int i = 0; i < bundle.count; ++i) {
    StrandSpec strand = common;
    strand.name = numbered(bundle.name, i);
    const Vector3d offset = layout.pitch * (places[i][0] * layout.side + places[i][1] * layout.up);
    const Vector3d direction = direction_of(bundle, layout, offset, random);
    const double length = bundle.length * (1 + random.uniform(-1, 1) * bundle.length_spread);
    strand.shape.nodes = middle.empty() ? straight_line(bundle, bundle.center + offset, direction, length)
                                        : beside(middle, layout, offset, direction, length);
    hold_ends(strand, bundle.root, {}, scene);
    strands.push_back(std::move(strand));
  }
  return strands;
}

}  // namespace capstan::scene_text

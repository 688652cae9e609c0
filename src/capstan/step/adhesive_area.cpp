#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "capstan/step/bonds.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// 1/radius of what is round where it touches; 0: flat, or known by its surface alone.
double curvature(const Solid& solid) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (requires { kind.radius; })
          return 1 / kind.radius;
        else
          return 0.0;
      },
      solid.kind());
}

double curvature(const World& world, const ContactSide& side) {
  if (side.strand >= 0) return 1 / world.strands[side.strand].collision.radius;
  if (side.rigid >= 0) return curvature(world.rigid[side.rigid].solid);
  const auto& solid = world.obstacles[side.obstacle].solid;
  return solid ? curvature(*solid) : 0.0;
}

/// Half the width of the strip where the gap between two round surfaces is below `gap`: no more than the
/// smaller radius.
double half_width(const World& world, const Contact& contact, double gap) {
  const double of_a = curvature(world, contact.a), of_b = curvature(world, contact.b);
  double total = of_a + of_b, largest = std::max(of_a, of_b);
  if (total == 0 && contact.a.rigid >= 0)  // an edge or a corner: as blunt as the body is large
    total = largest = 1 / world.rigid[contact.a.rigid].solid.bounding_radius();
  return std::min(std::sqrt(2 * gap / total), 1 / largest);
}

/// Area of the convex polygon whose corners are these points, in the plane across n, m^2.
double polygon_area(std::span<const Contact> points) {
  const Eigen::Matrix3d& frame = points[0].frame;
  std::vector<Eigen::Vector2d> corners;
  Eigen::Vector2d centre = Eigen::Vector2d::Zero();
  for (const Contact& point : points)
    centre += corners.emplace_back((frame.transpose() * point.point_b).tail<2>());
  centre /= static_cast<double>(corners.size());
  std::sort(corners.begin(), corners.end(), [&](const auto& p, const auto& q) {
    return std::atan2(p[1] - centre[1], p[0] - centre[0]) < std::atan2(q[1] - centre[1], q[0] - centre[0]);
  });
  double twice = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Eigen::Vector2d &p = corners[k], &q = corners[(k + 1) % corners.size()];
    twice += p[0] * q[1] - p[1] * q[0];
  }
  return 0.5 * twice;
}

/// One contact's part of what two solids touch with.
double solid_area(const World& world, std::span<const Contact> points, double gap) {
  if (points.size() > 2) return polygon_area(points) / static_cast<double>(points.size());
  const double width = half_width(world, points[0], gap);
  if (points.size() == 1) return std::numbers::pi * width * width;
  return width * (points[0].point_b - points[1].point_b).norm();
}

/// Sine of the angle between two strands; 0 for one on anything else.
double sine_between(const World& world, const Contact& contact) {
  if (contact.b.strand < 0) return 0;
  const Vector3d along_a = world.strands[contact.a.strand].body->frame(contact.a.s).col(0),
                 along_b = world.strands[contact.b.strand].body->frame(contact.b.s).col(0);
  return along_a.cross(along_b).norm();
}

/// The length of a strand that each of its contacts with one other body stands for: half of the way to the
/// next ones and to the ends, and no more than half a capsule to either side.
std::vector<double> lengths_along(const WorldStrand& strand, std::span<const Contact> contacts) {
  const double whole = strand.body->length();
  const double most = 0.5 * whole / static_cast<double>(strand.collision_s.size() - 1);
  std::vector<double> lengths;
  for (const Contact& contact : contacts) {
    const double s = contact.a.s;
    double before = s, after = whole - s;
    for (const Contact& other : contacts) {
      const double way = other.a.s - s;
      if (way < 0) before = std::min(before, -0.5 * way);
      if (way > 0) after = std::min(after, 0.5 * way);
    }
    lengths.push_back(std::min(before, most) + std::min(after, most));
  }
  return lengths;
}

/// Crossed strands touch in a lozenge, parallel ones and those on a solid along a strip.
void measure_strand(const World& world, std::span<Contact> contacts, double gap) {
  const std::vector<double> lengths = lengths_along(world.strands[contacts[0].a.strand], contacts);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double width = 2 * half_width(world, contacts[i], gap), sine = sine_between(world, contacts[i]);
    contacts[i].area = width * (width < lengths[i] * sine ? width / sine : lengths[i]);
  }
}

/// A node at the rim of a solid's face stands for its part of that face alone: what looks towards the other
/// body. `outward` leads there.
double facing_area(const WorldSoft& soft, const ContactSide& side, const Vector3d& outward) {
  const bool vertex = side.node[1] < 0;
  return vertex ? soft.body->area_facing(side.node[0], outward) : std::numeric_limits<double>::infinity();
}

double soft_area(const World& world, const Contact& contact) {
  const Vector3d n = contact.frame.col(0);
  double area = contact.area;
  if (contact.a.soft >= 0) area = std::min(area, facing_area(world.soft[contact.a.soft], contact.a, -n));
  if (contact.b.soft >= 0) area = std::min(area, facing_area(world.soft[contact.b.soft], contact.b, n));
  return area;
}

bool same_bodies(const Contact& p, const Contact& q) {
  return p.a.strand == q.a.strand && p.a.rigid == q.a.rigid && p.b.strand == q.b.strand &&
         p.b.rigid == q.b.rigid && p.b.obstacle == q.b.obstacle;
}

bool is_soft(const Contact& contact) { return contact.a.soft >= 0 || contact.b.soft >= 0; }

}  // namespace

void measure_areas(const World& world, std::vector<Contact>& contacts) {
  for (std::size_t first = 0, last = 0; first < contacts.size(); first = last) {
    last = first + 1;
    const Adhesion* adhesion = adhesion_of(world, contacts[first]);
    if (is_soft(contacts[first])) {
      contacts[first].area = adhesion ? soft_area(world, contacts[first]) : 0;
      continue;
    }
    while (last < contacts.size() && !is_soft(contacts[last]) && same_bodies(contacts[first], contacts[last]))
      ++last;
    if (!adhesion) continue;
    const std::span<Contact> together(contacts.data() + first, last - first);
    if (contacts[first].a.strand >= 0) {
      measure_strand(world, together, adhesion->debond_gap);
    } else {
      const double area = solid_area(world, together, adhesion->debond_gap);
      for (Contact& contact : together) contact.area = area;
    }
  }
}

double patch_reach(const World& world, const Contact& bonded) {
  const Adhesion* adhesion = adhesion_of(world, bonded);
  if (bonded.a.strand < 0 || is_soft(bonded) || !adhesion) return 0.5 * std::sqrt(bonded.area);
  return 0.25 * bonded.area / half_width(world, bonded, adhesion->debond_gap);
}

}  // namespace capstan

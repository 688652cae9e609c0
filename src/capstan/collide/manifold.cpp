#include "capstan/collide/manifold.hpp"

#include <algorithm>
#include <cmath>

#include "capstan/collide/pair_contacts.hpp"

namespace capstan {
namespace {

/// Which of two solids is A within; by what they are and how large, and of equals by where they are.
bool comes_first(const Solid& a, const Frame& pose_a, const Solid& b, const Frame& pose_b) {
  if (a.kind().index() != b.kind().index()) return a.kind().index() < b.kind().index();
  if (a.bounding_radius() != b.bounding_radius()) return a.bounding_radius() < b.bounding_radius();
  const auto less = [](const auto& left, const auto& right) {
    return std::lexicographical_compare(left.data(), left.data() + left.size(), right.data(),
                                        right.data() + right.size());
  };
  return less(pose_a.x, pose_b.x) || (pose_a.x == pose_b.x && less(pose_a.R, pose_b.R));
}

void append_contacts(const Solid& a, const Solid& b, const Frame& b_in_a, double margin, Manifold& points) {
  if (!a.bounded()) return;  // two half spaces
  if (const auto* ball = std::get_if<Solid::Ball>(&a.kind()))
    return append_ball_contact(ball->radius, b, b_in_a, margin, points);
  if (!b.bounded()) return append_floor_contacts(a, b_in_a, margin, points);
  if (std::holds_alternative<Solid::General>(b.kind()))
    return append_general_contacts(a, b, b_in_a, margin, points);
  const auto *capsule_a = std::get_if<Solid::Capsule>(&a.kind()),
             *capsule_b = std::get_if<Solid::Capsule>(&b.kind());
  if (capsule_a && capsule_b) return append_capsule_contacts(*capsule_a, *capsule_b, b_in_a, margin, points);
  append_convex_contacts(a, b, b_in_a, margin, points);
}

}  // namespace

// The work is done in the frame of one of the two, where numbers are as small as the solids.
Manifold manifold(const Solid& a, const Frame& pose_a, const Solid& b, const Frame& pose_b, double margin) {
  if (comes_first(b, pose_b, a, pose_a)) {
    Manifold points = manifold(b, pose_b, a, pose_a, margin);
    for (ManifoldPoint& p : points) {
      std::swap(p.on_a, p.on_b);
      p.n = -p.n;
    }
    return points;
  }
  Manifold points;
  const Frame b_in_a{pose_a.R.transpose() * (pose_b.x - pose_a.x), pose_a.R.transpose() * pose_b.R};
  append_contacts(a, b, b_in_a, margin, points);
  for (ManifoldPoint& p : points) p = {pose_a.apply(p.on_a), pose_a.apply(p.on_b), pose_a.R * p.n, p.gap};
  return points;
}

}  // namespace capstan

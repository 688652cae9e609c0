#include <algorithm>
#include <cmath>

#include "capstan/collide/feature_overlap.hpp"
#include "capstan/collide/pair_contacts.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// Collects the points of a solid, in its own frame, that are below the margin above a plane.
class PointsBelow {
 public:
  PointsBelow(const Frame& floor, double margin, double size)
      : up_(floor.R.col(2)), base_(floor.x.dot(up_)), margin_(margin), size_(size) {}

  const Vector3d& up() const { return up_; }

  /// A point with a ball around it.
  void add(const Vector3d& p, double rounding = 0) {
    const double gap = up_.dot(p) - base_ - rounding;
    if (gap > margin_) return;
    const Vector3d on_a = p - rounding * up_;
    const auto end = points_.points.begin() + points_.count;
    if (std::any_of(points_.points.begin(), end, [&](const ManifoldPoint& known) {
          return (known.on_a - on_a).cwiseAbs().maxCoeff() <= 1e-9 * size_;
        }))
      return;
    if (points_.count == FewPoints::capacity) keep_four(points_, up_, accuracy(), HighPoints::count_less);
    points_.add({on_a, on_a - gap * up_, up_, gap});
  }

  void append_to(Manifold& result) {
    keep_four(points_, up_, accuracy(), HighPoints::count_less);
    result.insert(result.end(), points_.points.begin(), points_.points.begin() + points_.count);
  }

 private:
  double accuracy() const { return 1e-6 * size_; }

  Vector3d up_;
  double base_, margin_, size_;
  FewPoints points_;
};

struct AddLowest {
  const Solid& solid;
  PointsBelow& below;

  void operator()(const Solid::Ball& ball) const { below.add(Vector3d::Zero(), ball.radius); }
  void operator()(const Solid::Capsule& capsule) const {
    for (const double sign : {-1.0, 1.0}) below.add({0, 0, sign * capsule.half_length}, capsule.radius);
  }
  void operator()(const Solid::Block& block) const { all(block.polytope->vertices); }
  void operator()(const Solid::Hull& hull) const { all(hull.polytope->vertices); }
  /// Standing: points of the rim, the lowest among them. Lying or slanted: the ends of the lowest line, and
  /// the rest of the lower rim: a coin that wobbles rolls over it in a few steps.
  void operator()(const Solid::Drum&) const {
    const ConvexCore core(solid, Frame());
    const Feature standing = core.feature(-below.up());
    const Vector3d lowest = core.support(-below.up());
    const Feature points = standing.count > 2 ? standing : core.outline(-below.up());
    for (int i = 0; i < points.count; ++i) below.add(points.points[i]);
    below.add(lowest);
  }
  void operator()(const Solid::General& general) const { all(*general.corners); }
  void operator()(const Solid::Floor&) const {}

 private:
  void all(const std::vector<Vector3d>& points) const {
    for (const Vector3d& p : points) below.add(p);
  }
};

}  // namespace

void append_floor_contacts(const Solid& a, const Frame& b_in_a, double margin, Manifold& points) {
  if (-b_in_a.R.col(2).dot(b_in_a.x) > a.bounding_radius() + margin) return;
  PointsBelow below(b_in_a, margin, a.bounding_radius());
  std::visit(AddLowest{a, below}, a.kind());
  below.append_to(points);
}

}  // namespace capstan

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "capstan/collide/convex_distance.hpp"
#include "capstan/collide/feature_overlap.hpp"
#include "capstan/collide/pair_contacts.hpp"
#include "capstan/collide/segments.hpp"
#include "capstan/collide/separating_axes.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

// In parts of the smaller size.
constexpr double same_place = 1e-9;
constexpr double same_depth = 1e-6;
constexpr double nearby = 1e-3;
constexpr double shallow = 0.01;     // round sides that overlap by less have one minimum nearby
constexpr double many_minima = 0.1;  // and by more, many
constexpr double shrink = 0.8;       // of their own size
// In parts of both radii: capsules that part sideways by less run beside each other; between the ends of the
// stretch they may come closer by so much before the closest place is a contact of its own.
constexpr double capsule_drift = 0.25;
constexpr double closer_between_ends = 1e-9;

/// Two cores, and what their features have in common seen along a direction.
class ConvexPair {
 public:
  ConvexPair(const Solid& a, const Solid& b, const Frame& b_in_a, double margin)
      : a_(a, Frame()),
        b_(b, b_in_a),
        margin_(margin),
        radii_(a_.rounding() + b_.rounding()),
        size_(std::min(a_.size(), b_.size())) {}

  void append(Manifold& result) {
    if (b_.pose().x.norm() > a_.size() + b_.size() + margin_) return;
    const SeparatingAxes axes = separating_axes(a_, b_);
    const SeparatingAxis& axis = axes.best(size_);
    if (too_far(axis.separation)) return;
    FewPoints points = touching(axis.n);
    Vector3d n = axis.n;
    if (!surely_best(axis.separation) || !reach(points, axis.separation)) {
      // The closest features may not be those of the axis.
      const Separation best = best_separation(axes);
      if (too_far(best.distance)) return;
      n = best.n;
      points = touching(n);
      if (!reach(points, best.distance)) add_in_place_of_near(points, contact_of(best));
    }
    const bool tumbles = add_what_tumbles_on(points, n);
    drop_if(points, [&](const ManifoldPoint& p) { return p.gap > margin_; });
    keep_four(points, n, same_depth * size_, tumbles ? HighPoints::count_less : HighPoints::count_alike);
    result.insert(result.end(), points.points.begin(), points.points.begin() + points.count);
  }

 private:
  bool too_far(double separation) const { return separation > radii_ + margin_; }
  FewPoints touching(const Vector3d& n) const {
    return overlap_of_features(a_.feature(-n), a_.rounding(), b_.feature(n), b_.rounding(), n,
                               same_place * size_);
  }
  /// Round sides that overlap deeply may have several minima; then the one at hand need not be the best.
  bool surely_best(double separation) const {
    return (a_.flat_faced() && b_.flat_faced()) || separation > -shallow * size_;
  }
  Separation best_separation(const SeparatingAxes& axes) const {
    const SeparatingAxis& axis = axes.best(size_);
    if (surely_best(axis.separation)) return improve_separation(a_, b_, axis.n);
    Separation best = improve_separation(a_, b_, direction_inside(axis.n));
    const auto try_from = [&](const Vector3d& n) {
      const Separation other = improve_separation(a_, b_, n);
      if (other.distance > best.distance + same_depth * size_) best = other;
    };
    if (best.distance < axis.separation || best.distance < -many_minima * size_) {
      try_from(axes.face.n);
      try_from(axes.other.n);
    }
    return best;
  }
  /// Shrunk a little the cores are apart, if the overlap is not too deep, and then the direction is unique.
  Vector3d direction_inside(const Vector3d& otherwise) const {
    const ClosestPoints inside = closest_points(a_.shrunk(shrink), b_.shrunk(shrink), otherwise, 1e-4);
    return inside.distance > 0 ? inside.n : otherwise;
  }
  /// Whether two points, one above the other, are as deep as the separation of the cores says.
  bool reach(const FewPoints& points, double separation) const {
    const double deep = separation - radii_ + 10 * same_place * size_;
    return std::any_of(
        points.points.begin(), points.points.begin() + points.count, [&](const ManifoldPoint& p) {
          return p.gap <= deep && (p.on_a - p.on_b - p.gap * p.n).norm() <= 10 * same_place * size_;
        });
  }
  ManifoldPoint contact_of(const Separation& s) const {
    return {s.a - a_.rounding() * s.n, s.b + b_.rounding() * s.n, s.n, s.n.dot(s.a - s.b) - radii_};
  }
  /// The same place found less well goes.
  void add_in_place_of_near(FewPoints& points, const ManifoldPoint& point) const {
    drop_if(points, [&](const ManifoldPoint& p) { return (p.on_b - point.on_b).norm() <= nearby * size_; });
    points.add(point);
  }
  /// A corner, edge or rim on a face: what else of that solid is above the face, which a fast one turns onto
  /// it within a step.
  bool add_what_tumbles_on(FewPoints& points, const Vector3d& n) const {
    const Feature on_a = a_.feature(-n), on_b = b_.feature(n);
    if ((on_a.count > 2) == (on_b.count > 2)) return false;
    const Feature rest = on_a.count > 2 ? b_.outline(n) : a_.outline(-n);
    const int found = points.count;
    for (int i = 0; i < rest.count; ++i) {
      Feature corner;
      corner.add(rest.points[i]);
      const FewPoints above =
          overlap_of_features(on_a.count > 2 ? on_a : corner, a_.rounding(), on_b.count > 2 ? on_b : corner,
                              b_.rounding(), n, same_place * size_);
      if (above.count > 0 && !is_known(points, above.points[0])) points.add(above.points[0]);
    }
    return points.count > found;
  }
  bool is_known(const FewPoints& points, const ManifoldPoint& point) const {
    return std::any_of(
        points.points.begin(), points.points.begin() + points.count,
        [&](const ManifoldPoint& p) { return (p.on_b - point.on_b).norm() <= nearby * size_; });
  }
  template <class Condition>
  static void drop_if(FewPoints& points, const Condition& condition) {
    const auto end = std::remove_if(points.points.begin(), points.points.begin() + points.count, condition);
    points.count = int(end - points.points.begin());
  }

  ConvexCore a_, b_;
  double margin_, radii_, size_;
};

/// Where the cores of two capsules are given; a direction across both where they meet.
ManifoldPoint capsule_contact(const Vector3d& on_a, double radius_a, const Vector3d& on_b, double radius_b,
                              const Vector3d& along_b) {
  const double distance = (on_a - on_b).norm();
  Vector3d n = (on_a - on_b) / distance;
  if (!(distance > 1e-12 * (radius_a + radius_b))) {
    const Vector3d across = Vector3d::UnitZ().cross(along_b);
    n = across.norm() > 1e-6 ? Vector3d(across.normalized()) : Vector3d(Vector3d::UnitX());
  }
  return {on_a - radius_a * n, on_b + radius_b * n, n, distance - radius_a - radius_b};
}

}  // namespace

void append_ball_contact(double radius, const Solid& b, const Frame& b_in_a, double margin,
                         Manifold& points) {
  const Vector3d centre = b_in_a.apply_inverse(Vector3d::Zero());
  if (b.shape()->distance_at_least(centre) > radius + margin) return;
  const SurfacePoint surface = b.shape()->closest(centre);
  if (surface.distance > radius + margin) return;
  const Vector3d n = b_in_a.R * surface.n;
  points.push_back({-radius * n, b_in_a.apply(surface.x), n, surface.distance - radius});
}

void append_capsule_contacts(const Solid::Capsule& a, const Solid::Capsule& b, const Frame& b_in_a,
                             double margin, Manifold& points) {
  const Vector3d half_b = b.half_length * b_in_a.R.col(2);
  const Segment core_a{{0, 0, -a.half_length}, {0, 0, 2 * a.half_length}},
      core_b{b_in_a.x - half_b, 2 * half_b};
  const double radii = a.radius + b.radius;
  const auto contact = [&](const ClosestFractions& at) {
    return capsule_contact(core_a.at(at.a), a.radius, core_b.at(at.b), b.radius, half_b.normalized());
  };
  const auto append_if_near = [&](const ManifoldPoint& point) {
    if (point.gap <= margin) points.push_back(point);
  };
  const ManifoldPoint closest = contact(closest_fractions(core_a, core_b));
  if (closest.gap > margin) return;
  const Overlap beside = overlap(core_a, core_b);
  if (!(beside.length > same_place * radii) || beside.drift > capsule_drift * radii)
    return append_if_near(closest);
  const ManifoldPoint first = contact(beside.first), last = contact(beside.last);
  append_if_near(first);
  append_if_near(last);
  if (closest.gap < std::min(first.gap, last.gap) - closer_between_ends * radii) append_if_near(closest);
}

void append_convex_contacts(const Solid& a, const Solid& b, const Frame& b_in_a, double margin,
                            Manifold& points) {
  ConvexPair(a, b, b_in_a, margin).append(points);
}

}  // namespace capstan

#include "capstan/collide/feature_overlap.hpp"

#include <algorithm>
#include <cmath>

#include "capstan/collide/segments.hpp"

namespace capstan {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/// Two segments run beside each other if they part sideways by less than this part of their radii, or of the
/// stretch in common where they are sharp.
constexpr double drift_of_radii = 0.05;
constexpr double drift_of_length = 0.01;
/// Areas have to be larger by this part to count as larger.
constexpr double larger = 1 + 1e-9;
constexpr int few_enough_to_compare = 12;

double cross2(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Coordinates across a direction and along it.
struct View {
  Vector3d n, u, v;

  explicit View(const Vector3d& direction) : n(direction), u(direction.unitOrthogonal()), v(n.cross(u)) {}
  Vector2d across(const Vector3d& p) const { return {u.dot(p), v.dot(p)}; }
};

/// A corner of a polygon, seen along a direction.
struct SeenPoint {
  Vector2d at;
  double height;
};

struct SeenPolygon {
  std::array<SeenPoint, FewPoints::capacity> points;
  int count = 0;

  SeenPolygon() = default;
  SeenPolygon(const Feature& feature, const View& view) : count(feature.count) {
    for (int i = 0; i < count; ++i)
      points[i] = {view.across(feature.points[i]), view.n.dot(feature.points[i])};
  }
  void add(const SeenPoint& p) {
    if (count < int(points.size())) points[count++] = p;
  }
  double twice_area() const {
    double sum = 0;
    for (int i = 1; i + 1 < count; ++i)
      sum += cross2(points[i].at - points[0].at, points[i + 1].at - points[0].at);
    return sum;
  }
};

/// What is left of the line that leads from -accuracy on.
SeenPolygon clipped(const SeenPolygon& polygon, const Vector2d& from, const Vector2d& inward,
                    double accuracy) {
  SeenPolygon result;
  for (int i = 0; i < polygon.count; ++i) {
    const SeenPoint &here = polygon.points[i], &next = polygon.points[(i + 1) % polygon.count];
    const double in_here = inward.dot(here.at - from), in_next = inward.dot(next.at - from);
    if (in_here >= -accuracy) result.add(here);
    if ((in_here >= -accuracy) != (in_next >= -accuracy)) {
      const double t = std::clamp(in_here / (in_here - in_next), 0.0, 1.0);
      result.add({here.at + t * (next.at - here.at), here.height + t * (next.height - here.height)});
    }
  }
  return result;
}

/// The height of the plane of a polygon above a place.
struct HeightOfPlane {
  Vector2d base, slope = Vector2d::Zero();
  double height;

  explicit HeightOfPlane(const SeenPolygon& polygon)
      : base(polygon.points[0].at), height(polygon.points[0].height) {
    // The slope that the fan of triangles has in the mean, weighted by their areas.
    double area = 0;
    for (int i = 1; i + 1 < polygon.count; ++i) {
      const SeenPoint &p = polygon.points[i], &q = polygon.points[i + 1];
      const Vector2d a = p.at - base, b = q.at - base;
      const double rise_a = p.height - height, rise_b = q.height - height;
      slope += Vector2d(rise_a * b.y() - rise_b * a.y(), rise_b * a.x() - rise_a * b.x());
      area += cross2(a, b);
    }
    if (area != 0) slope /= area;
  }
  double at(const Vector2d& place) const { return height + slope.dot(place - base); }
};

/// Sutherland and Hodgman: a polygon or segment is cut by one side of a convex polygon after the other.
SeenPolygon intersection(SeenPolygon polygon, const SeenPolygon& window, double accuracy) {
  const double turn = window.twice_area() < 0 ? -1 : 1;
  for (int i = 0; i < window.count && polygon.count > 0; ++i) {
    const Vector2d& from = window.points[i].at;
    const Vector2d along = window.points[(i + 1) % window.count].at - from;
    if (along.squaredNorm() == 0) continue;
    const Vector2d inward = turn * Vector2d(-along.y(), along.x()).normalized();
    polygon = clipped(polygon, from, inward, accuracy);
  }
  return polygon;
}

/// Builds the points of a manifold from places and the heights of both cores above them.
struct PointMaker {
  const View& view;
  double rounding_a, rounding_b;

  ManifoldPoint operator()(const Vector3d& core_a, const Vector3d& core_b) const {
    return {core_a - rounding_a * view.n, core_b + rounding_b * view.n, view.n,
            view.n.dot(core_a - core_b) - rounding_a - rounding_b};
  }
  ManifoldPoint operator()(const Vector2d& place, double height_a, double height_b) const {
    const Vector3d foot = place.x() * view.u + place.y() * view.v;
    return (*this)(foot + height_a * view.n, foot + height_b * view.n);
  }
};

FewPoints overlap_with_polygon(const SeenPolygon& a, const SeenPolygon& b, const PointMaker& make,
                               double accuracy) {
  const bool a_is_window = a.count >= 3 && (b.count < 3 || a.count <= b.count);
  const SeenPolygon& window = a_is_window ? a : b;
  const SeenPolygon common = intersection(a_is_window ? b : a, window, accuracy);
  const HeightOfPlane plane(window);
  FewPoints result;
  for (int i = 0; i < common.count; ++i) {
    const SeenPoint& p = common.points[i];
    const double on_window = plane.at(p.at);
    const bool again = std::any_of(common.points.begin(), common.points.begin() + i, [&](const SeenPoint& q) {
      return (q.at - p.at).cwiseAbs().maxCoeff() <= 10 * accuracy;
    });
    if (!again) result.add(a_is_window ? make(p.at, on_window, p.height) : make(p.at, p.height, on_window));
  }
  return result;
}

/// Seen along n, so that the heights do not matter for what is beside what.
Segment seen_segment(const Feature& feature, const View& view) {
  const auto flat = [&](const Vector3d& p) { return Vector3d(p - view.n.dot(p) * view.n); };
  return {flat(feature.points[0]), flat(feature.points[1] - feature.points[0])};
}

FewPoints overlap_of_segments(const Feature& a, const Feature& b, const PointMaker& make, double accuracy) {
  const Segment along_a{a.points[0], a.points[1] - a.points[0]},
      along_b{b.points[0], b.points[1] - b.points[0]};
  const Segment seen_a = seen_segment(a, make.view), seen_b = seen_segment(b, make.view);
  const Overlap beside = overlap(seen_a, seen_b);
  FewPoints result;
  const double drift =
      std::max(drift_of_radii * (make.rounding_a + make.rounding_b), drift_of_length * beside.length);
  if (beside.length > 10 * accuracy && beside.drift <= drift) {
    for (const ClosestFractions& at : {beside.first, beside.last})
      if ((seen_a.at(at.a) - seen_b.at(at.b)).norm() <= drift)
        result.add(make(along_a.at(at.a), along_b.at(at.b)));
  } else {
    const ClosestFractions at = closest_fractions(seen_a, seen_b);
    if ((seen_a.at(at.a) - seen_b.at(at.b)).norm() <= 10 * accuracy)
      result.add(make(along_a.at(at.a), along_b.at(at.b)));
  }
  return result;
}

/// Corners, by number; -1 where there is none on that side.
struct Quadrilateral {
  int deepest = -1, opposite = -1, left = -1, right = -1;
  double area = 0;
};

using Weights = std::array<double, FewPoints::capacity>;

/// What each point counts by its height, a gap here: 1 for the lowest, almost nothing for the highest.
/// Heights within `even` of each other count alike to a part of 1e-3.
Weights weights_by_height(const SeenPolygon& places, double even) {
  double least = places.points[0].height, most = least;
  for (int i = 1; i < places.count; ++i) {
    least = std::min(least, places.points[i].height);
    most = std::max(most, places.points[i].height);
  }
  Weights weights{};
  const double range = std::max(most - least, 1000 * even);
  for (int i = 0; i < places.count; ++i) weights[i] = 1 - 0.999 * (places.points[i].height - least) / range;
  return weights;
}

int farthest_from(const SeenPolygon& places, const Weights& weights, int from) {
  int best = -1;
  double most = 0;
  for (int i = 0; i < places.count; ++i) {
    const double away = weights[i] * (places.points[i].at - places.points[from].at).norm();
    if (away > larger * most) most = away, best = i;
  }
  return best;
}

/// With the deepest corner and the opposite one given, the best on either side do not depend on each other.
Quadrilateral largest_quadrilateral(const SeenPolygon& places, const Weights& weights, int deepest) {
  const Vector2d& from = places.points[deepest].at;
  Quadrilateral best{deepest, farthest_from(places, weights, deepest)};  // if all lie on a line
  for (int i = 0; i < places.count; ++i) {
    if (i == deepest) continue;
    const Vector2d across = weights[i] * (places.points[i].at - from);
    Quadrilateral here{deepest, i};
    double left = 0, right = 0;
    for (int j = 0; j < places.count; ++j) {
      const double area = weights[j] * cross2(across, places.points[j].at - from);
      if (area > larger * left) left = area, here.left = j;
      if (-area > larger * right) right = -area, here.right = j;
    }
    here.area = left + right;
    if (here.area > larger * best.area) best = here;
  }
  return best;
}

/// Where faces lie on each other all points are equally deep, and edges that nearly coincide cross anywhere:
/// then the largest of all stays the same from one step to the next. Of a round end any will do. Heights are
/// gaps here.
Quadrilateral best_with_deepest(const SeenPolygon& places, const Weights& weights, double accuracy) {
  double least = places.points[0].height;
  for (int i = 1; i < places.count; ++i) least = std::min(least, places.points[i].height);
  Quadrilateral best;
  for (int i = 0; i < places.count; ++i) {
    if (places.points[i].height > least + accuracy) continue;
    const Quadrilateral here = largest_quadrilateral(places, weights, i);
    if (best.deepest < 0 || here.area > larger * best.area) best = here;
    if (places.count > few_enough_to_compare) break;
  }
  return best;
}

}  // namespace

FewPoints overlap_of_features(const Feature& a, double rounding_a, const Feature& b, double rounding_b,
                              const Vector3d& n, double accuracy) {
  const View view(n);
  const PointMaker make{view, rounding_a, rounding_b};
  if (a.count >= 3 || b.count >= 3)
    return overlap_with_polygon(SeenPolygon(a, view), SeenPolygon(b, view), make, accuracy);
  if (a.count == 2 && b.count == 2) return overlap_of_segments(a, b, make, accuracy);
  return {};
}

void keep_four(FewPoints& points, const Vector3d& n, double accuracy, HighPoints high) {
  if (points.count <= 4) return;
  const View view(n);
  SeenPolygon places;
  for (int i = 0; i < points.count; ++i)
    places.add({view.across(points.points[i].on_b), points.points[i].gap});
  Weights weights{};
  weights.fill(1);
  if (high == HighPoints::count_less) weights = weights_by_height(places, accuracy);
  const Quadrilateral best = best_with_deepest(places, weights, accuracy);
  std::array<int, 4> kept = {best.deepest, best.opposite, best.left, best.right};
  std::sort(kept.begin(), kept.end());  // the order in which they came
  FewPoints result;
  for (const int i : kept)
    if (i >= 0) result.add(points.points[i]);
  points = result;
}

}  // namespace capstan

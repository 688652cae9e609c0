#include <algorithm>
#include <cmath>

#include "capstan/collide/feature_overlap.hpp"
#include "capstan/collide/lowest_place.hpp"
#include "capstan/collide/pair_contacts.hpp"
#include "capstan/collide/segments.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double equally_deep = 1e-6;  // in parts of the size of A
constexpr double same_facing = 0.9;    // cosine; points with such normals hold the same side
constexpr int pieces_of_edge = 8;      // each has one closest place at most
constexpr int halvings = 30;
constexpr double level = 1e-9;       // slopes below are none
constexpr double at_the_end = 1e-6;  // in parts of the length

/// At a kink of the distance: the mean of the normals on both sides that is perpendicular to d. One of theirs
/// would push an edge along itself.
Vector3d level_normal(const Vector3d& before, const Vector3d& after, const Vector3d& d) {
  constexpr double least = 0.1;  // where normals cancel, in the middle of a thin solid
  const double down = before.dot(d), up = after.dot(d);
  if (!(up > down)) return before;
  const Vector3d mean = (up * before - down * after) / (up - down);
  return mean.norm() > least ? mean.normalized() : before;
}

/// Collects points of A, in its own frame, that are near a solid B given by its signed distance.
class Probes {
 public:
  Probes(const Shape& b, const Frame& b_in_a, double margin, Manifold& points)
      : b_(b), b_in_a_(b_in_a), margin_(margin), points_(points) {}

  /// A point with a ball around it.
  void add_point(const Vector3d& p, double rounding) { add(p, rounding, surface(p)); }

  /// The same of a bare point that is likely to be far away.
  void add_near_point(const Vector3d& p) {
    if (b_.distance_at_least(b_in_a_.apply_inverse(p)) <= margin_) add_point(p, 0);
  }

  /// The places within a segment, thickened by `rounding`, where the distance from B is least.
  void add_inside(const Segment& segment, double rounding);

 private:
  SurfacePoint surface(const Vector3d& p) const { return b_.closest(b_in_a_.apply_inverse(p)); }
  void add(const Vector3d& p, double rounding, const SurfacePoint& surface);
  bool all_far(const SurfacePoint& low, const SurfacePoint& high, double length, double rounding) const {
    return (low.distance + high.distance - length) / 2 > margin_ + rounding;
  }

  const Shape& b_;
  const Frame& b_in_a_;
  double margin_;
  Manifold& points_;
};

void Probes::add(const Vector3d& p, double rounding, const SurfacePoint& surface) {
  if (surface.distance - rounding > margin_) return;
  const Vector3d n = b_in_a_.R * surface.n;
  points_.push_back({p - rounding * n, b_in_a_.apply(surface.x), n, surface.distance - rounding});
}

// Where the distance falls at the beginning of a piece and not at its end there is a least one between:
// halve.
void Probes::add_inside(const Segment& segment, double rounding) {
  const double length = segment.d.norm();
  const Vector3d d = b_in_a_.R.transpose() * segment.d / length;  // the frame of B, as the normals
  const auto falls = [&](const SurfacePoint& at) { return at.n.dot(d) < -level; };
  const SurfacePoint begin = surface(segment.at(0)), end = surface(segment.at(1));
  if (all_far(begin, end, length, rounding)) return;
  SurfacePoint low = begin;
  for (int piece = 0; piece < pieces_of_edge; ++piece) {
    double from = double(piece) / pieces_of_edge, to = double(piece + 1) / pieces_of_edge;
    const SurfacePoint at_end = piece + 1 == pieces_of_edge ? end : surface(segment.at(to));
    SurfacePoint high = at_end;
    const bool within = falls(low) && !falls(high);
    for (int i = 0; within && i < halvings && !all_far(low, high, (to - from) * length, rounding); ++i) {
      const double half = (from + to) / 2;
      const SurfacePoint middle = surface(segment.at(half));
      (falls(middle) ? from : to) = half;
      (falls(middle) ? low : high) = middle;
    }
    if (within && from < 1 - at_the_end)  // ends are looked at anyway
      add(segment.at(from), rounding, {low.x, level_normal(low.n, high.n, d), low.distance});
    low = at_end;
  }
}

struct ProbeWith {
  Probes& probes;

  void operator()(const Solid::Ball& ball) const { probes.add_point(Vector3d::Zero(), ball.radius); }
  void operator()(const Solid::Capsule& capsule) const {
    const Vector3d end(0, 0, capsule.half_length);
    probes.add_point(-end, capsule.radius);
    probes.add_point(end, capsule.radius);
    probes.add_inside({-end, 2 * end}, capsule.radius);
  }
  void operator()(const Solid::Block& block) const { corners_and_edges(*block.polytope); }
  void operator()(const Solid::Hull& hull) const { corners_and_edges(*hull.polytope); }
  void operator()(const Solid::Drum& drum) const {
    for (const double sign : {-1.0, 1.0})
      for (int i = 0; i < rim_points; ++i) probes.add_point(rim_point(drum, i, sign), 0);
  }
  void operator()(const Solid::General& general) const {
    for (const Vector3d& corner : *general.corners) probes.add_near_point(corner);
  }
  void operator()(const Solid::Floor&) const {}

 private:
  void corners_and_edges(const Polytope& polytope) const {
    for (const Vector3d& v : polytope.vertices) probes.add_point(v, 0);
    for (const Polytope::Edge& e : polytope.edges)
      probes.add_inside({polytope.vertices[e.from], polytope.vertices[e.to] - polytope.vertices[e.from]}, 0);
  }
};

/// The corners of B within the box, or the ball, around A, by the distance of A.
void append_corners_of_b(const Solid& a, const Solid::General& b, const Frame& b_in_a, double margin,
                         Manifold& points) {
  const Vector3d centre = b_in_a.apply_inverse(Vector3d::Zero());
  const double around = a.bounding_radius() + margin;
  const auto first = std::lower_bound(b.corners->begin(), b.corners->end(), centre.x() - around,
                                      [](const Vector3d& corner, double x) { return corner.x() < x; });
  for (auto corner = first; corner != b.corners->end() && corner->x() <= centre.x() + around; ++corner) {
    if ((*corner - centre).squaredNorm() > around * around) continue;
    const Vector3d on_b = b_in_a.apply(*corner);
    if (a.shape()->distance_at_least(on_b) > margin) continue;
    const SurfacePoint surface = a.shape()->closest(on_b);
    if (surface.distance <= margin) points.push_back({surface.x, on_b, -surface.n, surface.distance});
  }
}

/// Where the edges of B pass a solid A nearest, with the exception of their ends: two edges may cross, or an
/// edge may carry a round side, where neither solid has a corner.
void append_edges_of_b(const Solid& a, const Solid::General& b, const Frame& b_in_a, double margin,
                       Manifold& points) {
  const Shape& shape = *a.shape();
  const Vector3d centre = b_in_a.apply_inverse(Vector3d::Zero());
  const double around = a.bounding_radius() + margin + b.longest_half;
  auto edge = std::lower_bound(b.edges->begin(), b.edges->end(), centre.x() - around,
                               [](const Solid::Edge& e, double x) { return e.middle.x() < x; });
  for (; edge != b.edges->end() && edge->middle.x() <= centre.x() + around; ++edge) {
    const double reach = edge->half.norm() + margin;
    if ((edge->middle - centre).norm() > a.bounding_radius() + reach) continue;
    if (shape.distance_at_least(b_in_a.apply(edge->middle)) > reach) continue;
    const auto measured = [&](const Vector3d& x) { return MeasuredPoint{x, shape.closest(x)}; };
    const std::array<MeasuredPoint, 2> ends{measured(b_in_a.apply(edge->middle - edge->half)),
                                            measured(b_in_a.apply(edge->middle + edge->half))};
    const LowestPlace lowest = lowest_on_segment(shape, ends, margin, equally_deep * a.bounding_radius());
    if (!lowest.found || lowest.weight.maxCoeff() > 1 - at_the_end) continue;
    const Vector3d on_b = lowest.weight[0] * ends[0].x + lowest.weight[1] * ends[1].x;
    points.push_back({on_b - lowest.distance * lowest.n, on_b, -lowest.n, lowest.distance});
  }
}

/// Whether the edges of a mesh have to be looked at: those of other solids are looked at themselves, and
/// cross them.
bool has_no_edges_of_its_own(const Solid& a) {
  return std::holds_alternative<Solid::Drum>(a.kind()) || std::holds_alternative<Solid::General>(a.kind());
}

/// At most four points of those that face the same way.
void thin_out(Manifold& points, double accuracy) {
  if (points.size() <= 4) return;
  std::stable_sort(points.begin(), points.end(), [](const ManifoldPoint& left, const ManifoldPoint& right) {
    return left.gap < right.gap;
  });
  Manifold kept;
  while (!points.empty()) {
    const Vector3d n = points.front().n;
    FewPoints same;
    const auto faces_so = [&](const ManifoldPoint& p) { return p.n.dot(n) > same_facing; };
    for (const ManifoldPoint& p : points)
      if (faces_so(p)) same.add(p);
    std::erase_if(points, faces_so);
    keep_four(same, n, accuracy, HighPoints::count_less);
    kept.insert(kept.end(), same.points.begin(), same.points.begin() + same.count);
  }
  points = std::move(kept);
}

}  // namespace

void append_general_contacts(const Solid& a, const Solid& b, const Frame& b_in_a, double margin,
                             Manifold& points) {
  const Vector3d centre = b_in_a.apply_inverse(Vector3d::Zero());
  if (b.shape()->distance_at_least(centre) > a.bounding_radius() + margin) return;
  Probes probes(*b.shape(), b_in_a, margin, points);
  std::visit(ProbeWith{probes}, a.kind());
  const auto& general = std::get<Solid::General>(b.kind());
  append_corners_of_b(a, general, b_in_a, margin, points);
  if (has_no_edges_of_its_own(a)) append_edges_of_b(a, general, b_in_a, margin, points);
  thin_out(points, equally_deep * a.bounding_radius());
}

}  // namespace capstan

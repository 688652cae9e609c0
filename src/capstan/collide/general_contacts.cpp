#include <algorithm>
#include <cmath>

#include "capstan/collide/feature_overlap.hpp"
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

/// Collects points of A, in its own frame, that are near a solid B given by its signed distance.
class Probes {
 public:
  Probes(const Shape& b, const Frame& b_in_a, double margin, Manifold& points)
      : b_(b), b_in_a_(b_in_a), margin_(margin), points_(points) {}

  /// A point with a ball around it.
  void add_point(const Vector3d& p, double rounding) { add(p, rounding, surface(p)); }

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
    if (within && from < 1 - at_the_end) add(segment.at(from), rounding, low);  // ends are looked at anyway
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
    for (const Vector3d& corner : *general.corners) probes.add_point(corner, 0);
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
  append_corners_of_b(a, std::get<Solid::General>(b.kind()), b_in_a, margin, points);
  thin_out(points, equally_deep * a.bounding_radius());
}

}  // namespace capstan

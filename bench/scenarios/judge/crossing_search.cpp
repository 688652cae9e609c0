#include "bench/scenarios/judge/crossing_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

AxisBox join(const AxisBox& a, const AxisBox& b) { return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)}; }

/// A piece of something thin on its way: two corners of a segment, or three of a triangle.
struct Piece {
  Thing thing;
  int count;                    ///< of corners
  std::array<int, 3> nodes;     ///< in the thing
  std::array<Path, 3> corners;  ///< the first `count` of them
};

class ThinSearch {
 public:
  ThinSearch(const JudgedThings& things, const Moment& before, const Moment& now, const OnCrossing& report)
      : things_(things), report_(report) {
    for (int c = 0; c < int(things.curves.size()); ++c)
      for (int k = things.curves[c].first; k < things.curves[c].last; ++k)
        add({ThingKind::curve, c}, 2, {k, k + 1, 0}, before.curves[c], now.curves[c]);
    for (int s = 0; s < int(things.surfaces.size()); ++s)
      for (const Corners& t : things.surfaces[s].triangles)
        add({ThingKind::surface, s}, 3, t, before.surfaces[s], now.surfaces[s]);
  }

  void run() {
    std::vector<AxisBox> boxes;
    for (const Piece& piece : pieces_) {
      AxisBox box = box_of({piece.corners[0], piece.corners[1]});
      if (piece.count == 3) box = join(box, box_of({piece.corners[2]}));
      boxes.push_back(box);
    }
    for (const BoxPair& pair : overlapping(boxes))
      if (may_not_pass(pieces_[pair.a].thing, pieces_[pair.b].thing) &&
          !(is_led(pieces_[pair.a]) && is_led(pieces_[pair.b])))
        meet(pieces_[pair.a], pieces_[pair.b]);
  }

  /// Where pieces intersect at the end of their ways.
  void run_at_end() {
    std::vector<AxisBox> boxes;
    for (Piece& piece : pieces_) {
      for (Path& corner : piece.corners) corner.from = corner.to;
      AxisBox box = box_of({piece.corners[0], piece.corners[1]});
      if (piece.count == 3) box = join(box, box_of({piece.corners[2]}));
      boxes.push_back(box);
    }
    for (const BoxPair& pair : overlapping(boxes))
      if (may_not_pass(pieces_[pair.a].thing, pieces_[pair.b].thing)) touch(pieces_[pair.a], pieces_[pair.b]);
  }

 private:
  void add(const Thing& thing, int count, const std::array<int, 3>& nodes, const Points& from,
           const Points& to) {
    Piece piece{thing, count, nodes, {}};
    for (int k = 0; k < count; ++k) piece.corners[k] = {from[nodes[k]], to[nodes[k]]};
    for (int k = count; k < 3; ++k) piece.corners[k] = piece.corners[0];
    pieces_.push_back(piece);
  }

  bool may_not_pass(const Thing& a, const Thing& b) const {
    if (a.kind == ThingKind::curve && b.kind == ThingKind::curve) {
      const JudgedCurve &first = things_.curves[a.index], &second = things_.curves[b.index];
      if (a.index == b.index) return !first.passes_itself;
      return first.group < 0 || first.group != second.group;
    }
    return !(a == b && things_.surfaces[a.index].passes_itself);
  }

  bool is_led(const Piece& piece) const {
    if (piece.thing.kind != ThingKind::surface) return false;
    const JudgedSurface& surface = things_.surfaces[piece.thing.index];
    return std::all_of(piece.nodes.begin(), piece.nodes.begin() + piece.count,
                       [&](int node) { return surface.is_led(node); });
  }

  static bool has_node(const Piece& piece, int node) {
    return std::find(piece.nodes.begin(), piece.nodes.begin() + piece.count, node) !=
           piece.nodes.begin() + piece.count;
  }

  void meet(const Piece& a, const Piece& b) {
    if (a.count == 3) points_through(b, a);
    if (b.count == 3) points_through(a, b);
    const int edges_a = a.count == 2 ? 1 : 3, edges_b = b.count == 2 ? 1 : 3;
    for (int i = 0; i < edges_a; ++i)
      for (int j = 0; j < edges_b; ++j) edges_pass(a, i, b, j);
  }

  void points_through(const Piece& from, const Piece& triangle) {
    for (int k = 0; k < from.count; ++k) {
      if (from.thing == triangle.thing && has_node(triangle, from.nodes[k])) continue;
      if (const auto time = point_through_triangle(from.corners[k], triangle.corners))
        report_(from.thing, triangle.thing, from.corners[k].at(*time));
    }
  }

  void edges_pass(const Piece& a, int i, const Piece& b, int j) {
    const int i2 = (i + 1) % a.count, j2 = (j + 1) % b.count;
    if (a.thing == b.thing)
      for (const int node : {a.nodes[i], a.nodes[i2]})
        if (node == b.nodes[j] || node == b.nodes[j2]) return;
    if (const auto time = segments_pass(a.corners[i], a.corners[i2], b.corners[j], b.corners[j2]))
      report_(a.thing, b.thing, a.corners[i].at(*time));
  }

  void touch(const Piece& a, const Piece& b) {
    if (a.count == 3) edges_in(b, a);
    if (b.count == 3) edges_in(a, b);
  }

  void edges_in(const Piece& from, const Piece& triangle) {
    for (int i = 0; i < (from.count == 2 ? 1 : 3); ++i) {
      const int i2 = (i + 1) % from.count;
      if (from.thing == triangle.thing &&
          (has_node(triangle, from.nodes[i]) || has_node(triangle, from.nodes[i2])))
        continue;
      if (segment_meets_triangle(from.corners[i].to, from.corners[i2].to,
                                 {triangle.corners[0].to, triangle.corners[1].to, triangle.corners[2].to}))
        report_(from.thing, triangle.thing, from.corners[i].to);
    }
  }

  const JudgedThings& things_;
  const OnCrossing& report_;
  std::vector<Piece> pieces_;
};

/// The way of one solid, and what lies in it or passes through it.
class SolidSearch {
 public:
  SolidSearch(const JudgedThings& things, const Moment& before, const Moment& now, int body,
              const OnCrossing& report)
      : things_(things), before_(before), now_(now), body_(body), report_(report) {
    const AxisBox& bounds = solid().bounds();
    if (!solid().bounded()) return;
    reach_ = join(world_box(bounds, before.bodies[body]), world_box(bounds, now.bodies[body]));
  }

  void run(bool at_start) {
    for (int c = 0; c < int(things_.curves.size()); ++c) meet_curve(c, at_start);
    for (int s = 0; s < int(things_.surfaces.size()); ++s)
      if (things_.surfaces[s].closed)
        meet_soft_solid(s, at_start);
      else
        meet_sheet(s, at_start);
    for (int other = 0; other < int(things_.bodies.size()); ++other)
      if (other != body_ && !(things_.bodies[other].obstacle && things_.bodies[body_].obstacle))
        meet_solid(other, at_start);
  }

 private:
  const JudgedSolid& solid() const { return things_.bodies[body_].solid; }
  Vector3d seen_before(const Vector3d& p) const { return before_.bodies[body_].inside(p); }
  Vector3d seen_now(const Vector3d& p) const { return now_.bodies[body_].inside(p); }

  static AxisBox world_box(const AxisBox& local, const Pose& pose) {
    const Vector3d middle = pose.outside(0.5 * (local.low + local.high));
    const Vector3d half = pose.R.cwiseAbs() * (0.5 * (local.high - local.low));
    return {middle - half, middle + half};
  }
  bool is_near(std::initializer_list<Path> paths) const {
    return !solid().bounded() || box_of(paths).overlaps(reach_);
  }

  /// Whether a point is inside now, or passes through on its way.
  bool hits(const Path& point, bool at_start) const {
    if (!is_near({point})) return false;
    const Vector3d to = seen_now(point.to);
    return at_start ? solid().contains(to) : solid().meets(seen_before(point.from), to);
  }

  void meet_curve(int c, bool at_start) {
    const JudgedCurve& curve = things_.curves[c];
    for (int k = curve.first; k < curve.last; ++k) {
      const Path a{before_.curves[c][k], now_.curves[c][k]},
          b{before_.curves[c][k + 1], now_.curves[c][k + 1]};
      if (is_near({a, b}) && segment_hits(a, b, at_start))
        return report_({ThingKind::curve, c}, {ThingKind::body, body_}, a.to);
    }
  }

  /// Points along the segment are followed, as close to each other as a fraction of the solid.
  bool segment_hits(const Path& a, const Path& b, bool at_start) const {
    if (solid().meets(seen_now(a.to), seen_now(b.to))) return true;
    const double size = solid().bounded() ? (reach_.high - reach_.low).minCoeff() : 1e300;
    const int pieces = std::clamp(int(std::ceil(4 * (b.to - a.to).norm() / size)), 1, 16);
    for (int k = 0; k <= pieces; ++k) {
      const double s = double(k) / pieces;
      if (hits({(1 - s) * a.from + s * b.from, (1 - s) * a.to + s * b.to}, at_start)) return true;
    }
    return false;
  }

  void meet_sheet(int s, bool at_start) {
    const Points &from = before_.surfaces[s], &to = now_.surfaces[s];
    for (const Corners& t : things_.surfaces[s].triangles) {
      const std::array<Path, 3> corners{Path{from[t[0]], to[t[0]]}, Path{from[t[1]], to[t[1]]},
                                        Path{from[t[2]], to[t[2]]}};
      if (!is_near({corners[0], corners[1], corners[2]})) continue;
      if (is_led_in(things_.surfaces[s], t)) continue;
      if (triangle_hits(corners, at_start))
        return report_({ThingKind::surface, s}, {ThingKind::body, body_}, corners[0].to);
    }
  }

  /// Whether the scene leads a corner, and the solid too: nothing can keep the two apart.
  bool is_led_in(const JudgedSurface& surface, const Corners& t) const {
    return things_.bodies[body_].obstacle &&
           std::any_of(t.begin(), t.end(), [&](int node) { return surface.is_led(node); });
  }

  bool triangle_hits(const std::array<Path, 3>& corners, bool at_start) const {
    for (int k = 0; k < 3; ++k)
      if (segment_hits(corners[k], corners[(k + 1) % 3], at_start)) return true;
    // What sticks through the middle of the triangle.
    const std::array<Vector3d, 3> local{seen_now(corners[0].to), seen_now(corners[1].to),
                                        seen_now(corners[2].to)};
    const AxisBox box = box_of({Path{local[0], local[1]}, Path{local[2], local[2]}});
    for (const auto& [a, b] : solid().edges()) {
      const Vector3d &p = solid().vertices()[a], &q = solid().vertices()[b];
      if (box_of({Path{p, q}}).overlaps(box) && segment_meets_triangle(p, q, local)) return true;
    }
    if (at_start) return false;
    for (const Vector3d& point : solid().core())
      if (core_through(point, corners)) return true;
    return false;
  }

  bool core_through(const Vector3d& point, const std::array<Path, 3>& triangle) const {
    const Path path{before_.bodies[body_].outside(point), now_.bodies[body_].outside(point)};
    if (!box_of({path}).overlaps(box_of({triangle[0], triangle[1], triangle[2]}))) return false;
    return point_through_triangle(path, triangle).has_value();
  }

  void meet_soft_solid(int s, bool at_start) {
    const JudgedSurface& surface = things_.surfaces[s];
    const Points &from = before_.surfaces[s], &to = now_.surfaces[s];
    const auto found = [&](const Vector3d& where) {
      report_({ThingKind::surface, s}, {ThingKind::body, body_}, where);
    };
    for (std::size_t k = 0; k < surface.inner.size(); ++k) {
      const int node = surface.inner[k];
      if (things_.bodies[body_].obstacle && surface.is_led(node)) continue;
      if (hits({from[node], to[node]}, at_start) && is_still_inside(surface, k, to)) return found(to[node]);
    }
    AxisBox box = box_of({Path{from[surface.triangles[0][0]], to[surface.triangles[0][0]]}});
    for (const Corners& t : surface.triangles)
      for (const int node : t) box = join(box, box_of({Path{from[node], to[node]}}));
    if (solid().bounded() && !box.overlaps(reach_)) return;
    for (const Vector3d& point : solid().core())
      if (core_in_soft(point, surface, from, to, at_start)) return found(now_.bodies[body_].outside(point));
  }

  /// Whether a node is below its own surface by a part of what it was at the start. One that is not has been
  /// squeezed out of a body that is as flat as a sheet there, and says nothing about what the body is in.
  static bool is_still_inside(const JudgedSurface& surface, std::size_t inner, const Points& points) {
    constexpr double part = 0.1;
    if (surface.inner_depth.empty()) return true;
    const Vector3d& p = points[surface.inner[inner]];
    for (const Corners& t : surface.triangles)
      if (distance_to_triangle(p, {points[t[0]], points[t[1]], points[t[2]]}) <
          part * surface.inner_depth[inner])
        return false;
    return winding_number(p, points, surface.triangles) > 0.5;
  }

  bool core_in_soft(const Vector3d& point, const JudgedSurface& surface, const Points& from, const Points& to,
                    bool at_start) const {
    if (at_start) return winding_number(now_.bodies[body_].outside(point), to, surface.triangles) > 0.5;
    for (const Corners& t : surface.triangles)
      if (core_through(point,
                       {Path{from[t[0]], to[t[0]]}, Path{from[t[1]], to[t[1]]}, Path{from[t[2]], to[t[2]]}}))
        return true;
    return false;
  }

  /// The core of the other one in this one; that of this one in the other is found from there.
  void meet_solid(int other, bool at_start) {
    const JudgedSolid& guest = things_.bodies[other].solid;
    if (!guest.bounded()) return;
    const Pose &from = before_.bodies[other], &to = now_.bodies[other];
    if (solid().bounded() &&
        !join(world_box(guest.bounds(), from), world_box(guest.bounds(), to)).overlaps(reach_))
      return;
    for (const Vector3d& point : guest.core())
      if (hits({from.outside(point), to.outside(point)}, at_start))
        return report_({ThingKind::body, other}, {ThingKind::body, body_}, to.outside(point));
  }

  const JudgedThings& things_;
  const Moment& before_;
  const Moment& now_;
  int body_;
  const OnCrossing& report_;
  AxisBox reach_;  // of the solid in both places
};

}  // namespace

void find_overlaps(const JudgedThings& things, const Moment& now, const OnCrossing& report) {
  ThinSearch(things, now, now, report).run_at_end();
  for (int body = 0; body < int(things.bodies.size()); ++body)
    SolidSearch(things, now, now, body, report).run(true);
}

void find_crossings(const JudgedThings& things, const Moment& before, const Moment& now,
                    const OnCrossing& report) {
  ThinSearch(things, before, now, report).run();
  for (int body = 0; body < int(things.bodies.size()); ++body)
    SolidSearch(things, before, now, body, report).run(false);
}

}  // namespace capstan::scenarios

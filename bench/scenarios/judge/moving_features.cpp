#include "bench/scenarios/judge/moving_features.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

constexpr double kSlack = 1e-9;  // of lengths along features: what passes just between two of them counts

double determinant(const Vector3d& a, const Vector3d& b, const Vector3d& c) { return a.dot(b.cross(c)); }

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3.
using Cubic = std::array<double, 4>;

double value(const Cubic& c, double t) { return c[0] + t * (c[1] + t * (c[2] + t * c[3])); }

/// The volume spanned by three vectors that change evenly.
Cubic volume_of(const Path& u, const Path& v, const Path& w) {
  const Vector3d du = u.to - u.from, dv = v.to - v.from, dw = w.to - w.from;
  return {determinant(u.from, v.from, w.from),
          determinant(du, v.from, w.from) + determinant(u.from, dv, w.from) + determinant(u.from, v.from, dw),
          determinant(u.from, dv, dw) + determinant(du, v.from, dw) + determinant(du, dv, w.from),
          determinant(du, dv, dw)};
}

/// Whether all Bernstein coefficients have one sign, so that there is no root between 0 and 1.
bool keeps_its_sign(const Cubic& c) {
  const std::array<double, 4> bernstein{c[0], c[0] + c[1] / 3, c[0] + (2 * c[1] + c[2]) / 3,
                                        c[0] + c[1] + c[2] + c[3]};
  const auto [low, high] = std::minmax_element(bernstein.begin(), bernstein.end());
  return *low > 0 || *high < 0;
}

/// Where a cubic turns between 0 and 1, with both ends; between two of these it is monotonic.
std::vector<double> monotonic_pieces(const Cubic& c) {
  std::vector<double> ends{0, 1};
  const double a = 3 * c[3], b = 2 * c[2], root2 = b * b - 4 * a * c[1];
  if (root2 >= 0) {
    const double q = -0.5 * (b + std::copysign(std::sqrt(root2), b));
    for (const double t : {q / a, c[1] / q})
      if (t > 0 && t < 1) ends.push_back(t);  // false for what is not a number
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

/// Calls use(t) for each time between 0 and 1 at which the sign changes, until it returns true.
template <class Use>
std::optional<double> first_root(const Cubic& c, const Use& use) {
  if (keeps_its_sign(c)) return std::nullopt;
  const std::vector<double> ends = monotonic_pieces(c);
  for (std::size_t piece = 0; piece + 1 < ends.size(); ++piece) {
    double low = ends[piece], high = ends[piece + 1];
    const double at_low = value(c, low), at_high = value(c, high);
    if (!((at_low < 0 && at_high >= 0) || (at_low > 0 && at_high <= 0))) continue;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      ((value(c, middle) < 0) == (at_low < 0) ? low : high) = middle;
    }
    if (use(high)) return high;
  }
  return std::nullopt;
}

Path difference(const Path& a, const Path& b) { return {a.from - b.from, a.to - b.to}; }

/// Whether p, in the plane of the triangle, is inside it.
bool is_inside(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d n = (b - a).cross(c - a);
  const double n2 = n.squaredNorm();
  if (n2 == 0) return false;
  const double wa = (c - b).cross(p - b).dot(n) / n2, wb = (a - c).cross(p - c).dot(n) / n2;
  return wa >= -kSlack && wb >= -kSlack && wa + wb <= 1 + kSlack;
}

struct Nearest {
  double s, t;  ///< of ab and cd, 0 to 1
};

/// The nearest points of two segments: of the lines, or with an end of one of them.
Nearest nearest_of_segments(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm();
  const double area2 = uu * vv - uv * uv;
  Nearest best{0, 0};
  double least = 1e300;
  const auto try_pair = [&](double s, double t) {
    const double distance2 = (w + s * u - t * v).squaredNorm();
    if (distance2 < least) least = distance2, best = {s, t};
  };
  const auto onto_cd = [&](double s) { return vv > 0 ? std::clamp((w + s * u).dot(v) / vv, 0.0, 1.0) : 0.0; };
  const auto onto_ab = [&](double t) { return uu > 0 ? std::clamp((t * v - w).dot(u) / uu, 0.0, 1.0) : 0.0; };
  if (area2 > 1e-14 * uu * vv) {
    const double s = (uv * v.dot(w) - vv * u.dot(w)) / area2, t = (uu * v.dot(w) - uv * u.dot(w)) / area2;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) try_pair(s, t);
  }
  for (const double end : {0.0, 1.0}) try_pair(end, onto_cd(end)), try_pair(onto_ab(end), end);
  return best;
}

/// Whether two segments that lie in one plane cross.
bool cross_in_plane(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = b - a, v = d - c, n = u.cross(v);
  const double n2 = n.squaredNorm();
  if (n2 <= 1e-20 * u.squaredNorm() * v.squaredNorm()) return false;
  const double s = (c - a).cross(v).dot(n) / n2, t = (c - a).cross(u).dot(n) / n2;
  return s >= -kSlack && s <= 1 + kSlack && t >= -kSlack && t <= 1 + kSlack;
}

}  // namespace

bool segment_meets_triangle(const Vector3d& p, const Vector3d& q, const std::array<Vector3d, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  const Vector3d n = (b - a).cross(c - a);
  const double at_p = n.dot(p - a), at_q = n.dot(q - a);
  if ((at_p > 0 && at_q > 0) || (at_p < 0 && at_q < 0) || at_p == at_q) return false;
  return is_inside(p + at_p / (at_p - at_q) * (q - p), a, b, c);
}

std::optional<double> point_through_triangle(const Path& point, const std::array<Path, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  const Cubic volume = volume_of(difference(point, a), difference(b, a), difference(c, a));
  return first_root(volume, [&](double t) { return is_inside(point.at(t), a.at(t), b.at(t), c.at(t)); });
}

std::optional<double> segments_pass(const Path& a, const Path& b, const Path& c, const Path& d) {
  const Cubic volume = volume_of(difference(b, a), difference(d, c), difference(c, a));
  return first_root(volume, [&](double t) { return cross_in_plane(a.at(t), b.at(t), c.at(t), d.at(t)); });
}

double winding_number(const Vector3d& p, std::span<const Vector3d> vertices,
                      std::span<const Corners> triangles) {
  double sum = 0;
  for (const Corners& corners : triangles) {
    const Vector3d a = vertices[corners[0]] - p, b = vertices[corners[1]] - p, c = vertices[corners[2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += std::atan2(determinant(a, b, c), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (2 * std::numbers::pi);
}

double distance_to_segment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
  const Vector3d u = b - a;
  const double uu = u.squaredNorm(), s = uu > 0 ? std::clamp((p - a).dot(u) / uu, 0.0, 1.0) : 0;
  return (p - a - s * u).norm();
}

double distance_of_segments(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Nearest nearest = nearest_of_segments(a, b, c, d);
  return (a + nearest.s * (b - a) - c - nearest.t * (d - c)).norm();
}

double distance_to_triangle(const Vector3d& p, const std::array<Vector3d, 3>& triangle) {
  const auto& [a, b, c] = triangle;
  const Vector3d n = (b - a).cross(c - a);
  const double area = n.norm();
  const Vector3d foot = area > 0 ? Vector3d(p - n.dot(p - a) / (area * area) * n) : p;
  if (area > 0 && is_inside(foot, a, b, c)) return (p - foot).norm();
  return std::min({distance_to_segment(p, a, b), distance_to_segment(p, b, c), distance_to_segment(p, c, a)});
}

AxisBox box_of(std::initializer_list<Path> paths) {
  AxisBox box{Vector3d::Constant(1e300), Vector3d::Constant(-1e300)};
  for (const Path& path : paths) {
    box.low = box.low.cwiseMin(path.from).cwiseMin(path.to);
    box.high = box.high.cwiseMax(path.from).cwiseMax(path.to);
  }
  return box;
}

std::vector<BoxPair> overlapping(const std::vector<AxisBox>& boxes) {
  if (boxes.empty()) return {};
  Vector3d low = boxes[0].low, high = boxes[0].high;
  for (const AxisBox& box : boxes) low = low.cwiseMin(box.low), high = high.cwiseMax(box.high);
  int axis = 0;
  (high - low).maxCoeff(&axis);
  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return boxes[a].low[axis] < boxes[b].low[axis]; });
  std::vector<BoxPair> pairs;
  std::vector<int> open;
  for (const int next : order) {
    std::erase_if(open, [&](int other) { return boxes[other].high[axis] < boxes[next].low[axis]; });
    for (const int other : open)
      if (boxes[other].overlaps(boxes[next])) pairs.push_back({std::min(other, next), std::max(other, next)});
    open.push_back(next);
  }
  return pairs;
}

}  // namespace capstan::scenarios

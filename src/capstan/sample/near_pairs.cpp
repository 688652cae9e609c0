#include "capstan/sample/near_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace capstan::sample {
namespace {

using Cell = std::array<int, 3>;

Cell cell_of(const Eigen::Vector3d& point, double size) {
  return {int(std::floor(point[0] / size)), int(std::floor(point[1] / size)),
          int(std::floor(point[2] / size))};
}

}  // namespace

std::vector<std::pair<int, int>> near_pairs(const std::vector<Eigen::Vector3d>& points, double distance) {
  std::map<Cell, std::vector<int>> cells;
  for (std::size_t i = 0; i < points.size(); ++i) cells[cell_of(points[i], distance)].push_back(int(i));
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < int(points.size()); ++i) {
    const Cell home = cell_of(points[i], distance);
    for (int offset = 0; offset < 27; ++offset) {
      const Cell cell{home[0] + offset / 9 - 1, home[1] + offset / 3 % 3 - 1, home[2] + offset % 3 - 1};
      const auto found = cells.find(cell);
      if (found == cells.end()) continue;
      for (const int j : found->second)
        if (i < j && (points[i] - points[j]).squaredNorm() <= distance * distance) pairs.emplace_back(i, j);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

ClosestPoints closest_points(const Segment& first, const Segment& second) {
  const Eigen::Vector3d p = first.b - first.a, q = second.b - second.a, gap = second.a - first.a;
  const double pp = p.squaredNorm(), qq = q.squaredNorm(), pq = p.dot(q), det = pp * qq - pq * pq;
  const auto clamp = [](double t) { return std::clamp(t, 0.0, 1.0); };
  // The distance is convex in (s, t): minimise over s on the line, then over t in [0, 1], then over s again.
  double s = det > 1e-12 * pp * qq ? clamp((gap.dot(p) * qq - gap.dot(q) * pq) / det) : 0.5;
  const double t = clamp((s * pq - gap.dot(q)) / qq);
  s = clamp((gap.dot(p) + t * pq) / pp);
  ClosestPoints result{first.a + s * p, second.a + t * q, 0.0};
  result.distance = (result.on_first - result.on_second).norm();
  return result;
}

}  // namespace capstan::sample

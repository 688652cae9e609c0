#include "bench/scenarios/judge/crossing_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace capstan::scenarios {
namespace {

double depth_below(const Points& points, const std::vector<Corners>& triangles, const Eigen::Vector3d& p) {
  double depth = std::numeric_limits<double>::infinity();
  for (const Corners& t : triangles)
    depth = std::min(depth, distance_to_triangle(p, {points[t[0]], points[t[1]], points[t[2]]}));
  return depth;
}

}  // namespace

CrossingJudge::CrossingJudge(const World& world, double t)
    : CrossingJudge(things_of(world), moment_of(world, t)) {}

CrossingJudge::CrossingJudge(JudgedThings things, Moment start)
    : things_(std::move(things)), last_(std::move(start)) {
  for (std::size_t k = 0; k < things_.surfaces.size(); ++k) {
    JudgedSurface& surface = things_.surfaces[k];
    surface.inner_depth.clear();
    for (const int node : surface.inner)
      surface.inner_depth.push_back(
          depth_below(last_.surfaces[k], surface.triangles, last_.surfaces[k][node]));
  }
  find_overlaps(things_, last_, [this](const Thing& a, const Thing& b, const Eigen::Vector3d& where) {
    count(a, b, where, last_.t);
  });
  at_start_ = static_cast<int>(seen_.size());
}

void CrossingJudge::look(Moment now) {
  find_crossings(things_, last_, now, [&](const Thing& a, const Thing& b, const Eigen::Vector3d& where) {
    count(a, b, where, now.t);
  });
  last_ = std::move(now);
}

void CrossingJudge::count(const Thing& a, const Thing& b, const Eigen::Vector3d& where, double t) {
  const bool is_new = seen_.insert(std::minmax(a, b)).second;
  if (is_new && first_.empty())
    first_ = fmt::format("t = {:.4g} s: {} and {} at ({:.4g}, {:.4g}, {:.4g})", t, name_of(a), name_of(b),
                         where[0], where[1], where[2]);
}

std::string CrossingJudge::name_of(const Thing& thing) const {
  switch (thing.kind) {
    case ThingKind::curve:
      return things_.curves[thing.index].name;
    case ThingKind::surface:
      return things_.surfaces[thing.index].name;
    case ThingKind::body:
      break;
  }
  return things_.bodies[thing.index].name;
}

}  // namespace capstan::scenarios

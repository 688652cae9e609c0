#include "capstan/collide/triangle_row.hpp"

#include <algorithm>

namespace capstan {
namespace {

using Eigen::Array3d;

Bounds triangle_box(const SoftSurface& surface, int triangle, const Eigen::Vector3d& origin, double thick,
                    const Eigen::Matrix3Xd* move) {
  Array3d low = surface.x.col(surface.triangles[triangle][0]), high = low;
  for (const int node : surface.triangles[triangle]) {
    const Array3d x = surface.x.col(node);
    const Array3d after = move ? Array3d(x + move->col(node).array()) : x;
    low = low.min(x).min(after), high = high.max(x).max(after);
  }
  return Bounds::around(low - origin.array() - thick, high - origin.array() + thick);
}

}  // namespace

TriangleRow::TriangleRow(std::span<const SoftSurface> surfaces, int before) : first_{before} {
  for (int i = 0; i < int(surfaces.size()); ++i) {
    first_.push_back(first_.back() + int(surfaces[i].triangles.size()));
    surface_.resize(first_.back() - before, i);
  }
}

TriangleRun TriangleRow::on_surface(std::span<const int> items, int surface) const {
  const auto begin = std::lower_bound(items.begin(), items.end(), first_[surface]);
  const auto end = std::lower_bound(begin, items.end(), first_[surface + 1]);
  return {surface, first_[surface], {begin, end}};
}

Eigen::Vector3d middle_of(std::span<const SoftSurface> surfaces) {
  Array3d low = Array3d::Zero(), high = Array3d::Zero();
  bool any = false;
  for (const SoftSurface& surface : surfaces) {
    if (surface.x.cols() == 0) continue;
    const Array3d least = surface.x.rowwise().minCoeff(), most = surface.x.rowwise().maxCoeff();
    low = any ? low.min(least).eval() : least, high = any ? high.max(most).eval() : most;
    any = true;
  }
  return (low + high) / 2;
}

std::vector<Bounds> triangle_bounds(std::span<const SoftSurface> surfaces, const Eigen::Vector3d& origin,
                                    std::span<const double> thickness,
                                    std::span<const Eigen::Matrix3Xd> moves, const Executor& executor) {
  const TriangleRow row(surfaces);
  std::vector<Bounds> bounds(row.end());
  for_each_chunk(executor, row.end(), [&](int begin, int end) {
    for (int item = begin; item < end; ++item) {
      const int k = row.surface_of(item);
      bounds[item] = triangle_box(surfaces[k], row.triangle_of(item), origin, thickness[k],
                                  moves.empty() ? nullptr : &moves[k]);
    }
  });
  return bounds;
}

std::vector<double> reaches(std::span<const SoftSurface> surfaces) {
  std::vector<double> result;
  for (const SoftSurface& surface : surfaces) result.push_back(surface.radius + surface.margin);
  return result;
}

bool may_meet(std::span<const SoftSurface> surfaces, const TriangleRow& row, int item_a, int item_b) {
  const int surface = row.surface_of(item_a);
  return surface != row.surface_of(item_b) || surfaces[surface].self_contact;
}

}  // namespace capstan

#pragma once
#include <span>
#include <vector>

#include "capstan/collide/joined.hpp"
#include "capstan/collide/near_boxes.hpp"
#include "capstan/collide/soft_features.hpp"

// Which triangles of all soft surfaces are near each other. Each vertex and each edge belongs to one
// triangle, the first that has it: pairs of triangles then find each pair of features once.

namespace capstan {

/// Triangles of one surface among all items: item - first is the triangle.
struct TriangleRun {
  int surface = -1, first = 0;
  std::span<const int> items;
};

/// The triangles of all surfaces in one row, after `before` other items.
class TriangleRow {
 public:
  explicit TriangleRow(std::span<const SoftSurface> surfaces, int before = 0);

  int end() const { return first_.back(); }
  int surface_of(int item) const { return surface_[item - first_[0]]; }
  int triangle_of(int item) const { return item - first_[surface_of(item)]; }
  int item_of(int surface, int triangle) const { return first_[surface] + triangle; }
  /// Of some items, rising, those on one surface.
  TriangleRun on_surface(std::span<const int> items, int surface) const;
  /// visit(run) for each surface of which there are some among the items, rising.
  template <class Visit>
  void for_each_run(std::span<const int> items, const Visit& visit) const {
    for (std::size_t i = 0; i < items.size();) {
      const TriangleRun run = on_surface(items, surface_of(items[i]));
      visit(run);
      i += run.items.size();
    }
  }

 private:
  std::vector<int> first_, surface_;  // of each surface, and the end; of each item
};

template <class Visit>
void for_each_own_vertex(const SoftSurface& surface, int triangle, const Visit& visit) {
  for (const int node : surface.triangles[triangle])
    if (surface.around(node)[0] == triangle) visit(node);
}

template <class Visit>
void for_each_own_edge(const SoftSurface& surface, int triangle, const Visit& visit) {
  for (const int edge : surface.triangle_edges[triangle])
    if (surface.edge_owner[edge] == triangle) visit(edge);
}

/// The middle of all nodes: seen from there single precision does not depend on where the scene lies.
Eigen::Vector3d middle_of(std::span<const SoftSurface> surfaces);

/// Of all triangles in a row, thickened; with `moves`, one matrix a surface, of all the way they go.
std::vector<Bounds> triangle_bounds(std::span<const SoftSurface> surfaces, const Eigen::Vector3d& origin,
                                    std::span<const double> thickness,
                                    std::span<const Eigen::Matrix3Xd> moves, const Executor& executor);

/// Radius and margin of each.
std::vector<double> reaches(std::span<const SoftSurface> surfaces);

/// Whether two items may meet: not those of a surface that does not meet itself.
bool may_meet(std::span<const SoftSurface> surfaces, const TriangleRow& row, int item_a, int item_b);

/// What append(item, contacts) finds for each item, in order, on any thread.
template <class Append>
std::vector<Contact> collect(int items, const Executor& executor, const Append& append) {
  constexpr int items_per_job = 64;
  std::vector<std::vector<Contact>> parts((items + items_per_job - 1) / items_per_job);
  for_each_chunk(
      executor, items,
      [&](int begin, int end) {
        for (int i = begin; i < end; ++i) append(i, parts[begin / items_per_job]);
      },
      items_per_job);
  return joined(parts);
}

}  // namespace capstan

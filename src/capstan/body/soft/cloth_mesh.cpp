#include "capstan/body/soft/cloth_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

[[noreturn]] void reject_triangle(std::size_t triangle, const std::string& why) {
  throw InputError("cloth: triangle " + std::to_string(triangle) + ": " + why);
}

void check_nodes(const ClothMesh& mesh) {
  std::vector<bool> used(mesh.x.cols(), false);
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (const int node : triangle) used[node] = true;
  for (int i = 0; i < mesh.x.cols(); ++i) {
    if (!mesh.x.col(i).allFinite()) throw InputError("cloth: node " + std::to_string(i) + " is not finite");
    if (!used[i]) throw InputError("cloth: node " + std::to_string(i) + " belongs to no triangle");
  }
}

void check_corners(const ClothMesh& mesh, std::size_t t) {
  const std::array<int, 3>& node = mesh.triangles[t];
  for (const int i : node)
    if (i < 0 || i >= mesh.x.cols())
      reject_triangle(
          t, "node is " + std::to_string(i) + ", expected 0 to " + std::to_string(mesh.x.cols() - 1));
  for (int k = 0; k < 3; ++k)
    if (node[k] == node[(k + 1) % 3]) reject_triangle(t, "has node " + std::to_string(node[k]) + " twice");
}

/// Rounding leaves 1e-16 of the square of the longest edge.
void check_area(const ClothMesh& mesh, std::size_t t) {
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    const Vector3d edge = mesh.x.col(mesh.triangles[t][k]) - mesh.x.col(mesh.triangles[t][(k + 1) % 3]);
    longest = std::max(longest, edge.squaredNorm());
  }
  const double area = triangle_area(mesh, static_cast<int>(t));
  if (!(area > 1e-10 * longest)) reject_triangle(t, "area is " + std::to_string(area) + ", expected > 0");
}

std::string name_of(int a, int b) { return std::to_string(a) + " " + std::to_string(b); }

/// A second triangle finds its edge from a to b.
void add_triangle(ClothEdge& edge, int triangle, int a, int b, int opposite) {
  if (edge.is_hinge())
    reject_triangle(triangle, "edge " + name_of(a, b) + " belongs to triangles " +
                                  name_of(edge.triangles[0], edge.triangles[1]) + " already, expected one");
  if (edge.nodes[0] == a)
    reject_triangle(triangle, "runs along edge " + name_of(a, b) + " the same way as triangle " +
                                  std::to_string(edge.triangles[0]) + ", expected the opposite");
  edge.triangles[1] = triangle;
  edge.opposite[1] = opposite;
}

}  // namespace

void check(const ClothMesh& mesh) {
  if (mesh.triangles.empty()) throw InputError("cloth: has no triangles");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) check_corners(mesh, t);
  check_nodes(mesh);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) check_area(mesh, t);
  cloth_edges(mesh);
}

std::vector<ClothEdge> cloth_edges(const ClothMesh& mesh) {
  std::map<std::pair<int, int>, std::size_t> known;
  std::vector<ClothEdge> edges;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto& node = mesh.triangles[t];
      const int a = node[k], b = node[(k + 1) % 3], c = node[(k + 2) % 3];
      const std::pair<int, int> key(std::min(a, b), std::max(a, b));
      const auto [place, is_new] = known.try_emplace(key, edges.size());
      if (is_new)
        edges.push_back({{a, b}, {t, -1}, {c, -1}});
      else
        add_triangle(edges[place->second], t, a, b, c);
    }
  return edges;
}

double triangle_area(const ClothMesh& mesh, int triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const Vector3d ab = mesh.x.col(b) - mesh.x.col(a), ac = mesh.x.col(c) - mesh.x.col(a);
  return ab.cross(ac).norm() / 2;
}

Eigen::VectorXd node_masses(const ClothMesh& mesh, double density) {
  if (!(density > 0) || !std::isfinite(density))
    throw InputError("cloth: density is " + std::to_string(density) + ", expected > 0");
  Eigen::VectorXd mass = Eigen::VectorXd::Zero(mesh.x.cols());
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
    for (const int node : mesh.triangles[t]) mass[node] += density * triangle_area(mesh, t) / 3;
  return mass;
}

ClothMesh grid_mesh(double width, double height, int cells_x, int cells_y) {
  for (const double size : {width, height})
    if (!(size > 0) || !std::isfinite(size))
      throw InputError("cloth: size is " + std::to_string(size) + ", expected > 0");
  for (const int cells : {cells_x, cells_y})
    if (cells < 1) throw InputError("cloth: cells is " + std::to_string(cells) + ", expected >= 1");
  const int row = cells_x + 1;
  ClothMesh mesh;
  mesh.x.resize(3, Eigen::Index(row) * (cells_y + 1));
  for (int j = 0; j <= cells_y; ++j)
    for (int i = 0; i <= cells_x; ++i)
      mesh.x.col(i + j * row) << width * (double(i) / cells_x - 0.5), height * (double(j) / cells_y - 0.5), 0;
  for (int j = 0; j < cells_y; ++j)
    for (int i = 0; i < cells_x; ++i) {
      const int a = i + j * row, b = a + 1, c = b + row, d = a + row;
      const bool rising = (i + j) % 2 == 0;
      mesh.triangles.push_back({a, b, rising ? c : d});
      mesh.triangles.push_back({rising ? a : b, c, d});
    }
  return mesh;
}

}  // namespace capstan

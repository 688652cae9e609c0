#include "capstan/collide/triangle_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>

#include "capstan/collide/triangle.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr int leaf_size = 4;
constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr int samples_along_longest_side = 64;

std::string text(int value) { return std::to_string(value); }

void require_known_vertices(const TriangleSoup& soup, const std::string& name) {
  if (soup.triangles.empty()) throw InputError(name + " has no triangles, expected a closed surface");
  for (std::size_t i = 0; i < soup.vertices.size(); ++i)
    if (!soup.vertices[i].allFinite()) throw InputError(name + ": vertex " + text(int(i)) + " is not finite");
  for (std::size_t i = 0; i < soup.triangles.size(); ++i) {
    const Triangle& t = soup.triangles[i];
    for (const int v : t)
      if (v < 0 || v >= int(soup.vertices.size()))
        throw InputError(name + ": triangle " + text(int(i)) + " has vertex " + text(v) + ", expected 0 to " +
                         text(int(soup.vertices.size()) - 1));
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
      throw InputError(name + ": triangle " + text(int(i)) + " has vertex " +
                       text(t[0] == t[1] ? t[0] : t[2]) + " twice, expected three different ones");
  }
}

using Edge = std::pair<int, int>;

/// Which triangle runs along each directed edge.
std::map<Edge, int> directed_edges(const TriangleSoup& soup, const std::string& name) {
  std::map<Edge, int> edges;
  for (int i = 0; i < int(soup.triangles.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const Edge edge(soup.triangles[i][k], soup.triangles[i][(k + 1) % 3]);
      const auto [at, fresh] = edges.emplace(edge, i);
      if (!fresh)
        throw InputError(name + ": triangles " + text(at->second) + " and " + text(i) +
                         " run the same way along the edge " + text(edge.first) + "-" + text(edge.second) +
                         ", expected opposite ways");
    }
  for (const auto& [edge, triangle] : edges)
    if (!edges.count({edge.second, edge.first}))
      throw InputError(name + " is open: only triangle " + text(triangle) + " has the edge " +
                       text(edge.first) + "-" + text(edge.second) + ", expected a closed surface");
  return edges;
}

Vector3d side(const TriangleSoup& soup, int from, int to) { return soup.vertices[to] - soup.vertices[from]; }

/// Whether the angle at each edge is convex and every ray from the middle meets the surface once, which
/// together make a closed surface the boundary of a convex solid. Meshes are written with few digits: what is
/// hollow by less than 1e-6 of the size is flat.
bool is_convex(const TriangleSoup& soup, const std::map<Edge, int>& edges, double size) {
  const double flat = 1e-6 * size;
  const auto normal = [&](const Triangle& t) {
    return side(soup, t[0], t[1]).cross(side(soup, t[0], t[2])).normalized();
  };
  for (const auto& [edge, triangle] : edges) {
    const Triangle& across = soup.triangles[edges.at({edge.second, edge.first})];
    const Vector3d n = normal(soup.triangles[triangle]);
    for (const int corner : across)
      if (n.dot(side(soup, edge.first, corner)) > flat) return false;
  }
  Vector3d middle = Vector3d::Zero();
  for (const Triangle& t : soup.triangles)
    for (const int corner : t) middle += soup.vertices[corner] / (3.0 * double(soup.triangles.size()));
  double seen = 0;
  for (const Triangle& t : soup.triangles) {
    const Corners v{soup.vertices[t[0]], soup.vertices[t[1]], soup.vertices[t[2]]};
    if (normal(t).dot(v[0] - middle) < -flat) return false;
    seen += solid_angle(middle, v);
  }
  return std::abs(seen - 4 * std::numbers::pi) < 1e-3;  // other surfaces have another multiple of it
}

double mean_length(const TriangleSoup& soup, const std::map<Edge, int>& edges) {
  double sum = 0;
  for (const auto& [edge, triangle] : edges) sum += side(soup, edge.first, edge.second).norm();
  return sum / double(edges.size());
}

double signed_volume(const TriangleSoup& soup) {
  double six = 0;
  for (const Triangle& t : soup.triangles)
    six += soup.vertices[t[0]].dot(soup.vertices[t[1]].cross(soup.vertices[t[2]]));
  return six / 6;
}

}  // namespace

struct TriangleMesh::Found {
  int triangle = -1;
  Vector3d weights = Vector3d::Zero();
  Vector3d x;
  double distance2;
};

struct TriangleMesh::Tree {
  struct Box {
    Eigen::Array3d low = Eigen::Array3d::Constant(std::numeric_limits<double>::infinity());
    Eigen::Array3d high = -low;

    void include(const Vector3d& p) { low = low.min(p.array()), high = high.max(p.array()); }
    double distance2(const Vector3d& p) const {
      return (low - p.array()).max(p.array() - high).max(0).square().sum();
    }
  };
  struct Node {
    Box box;
    int first, count;  // of a leaf, into order
    int left, right;   // of the others; -1 in a leaf
  };
  /// A triangle, a ball around it and its plane, which rule it out for less than its closest point costs.
  struct Placed {
    Corners corners;
    Vector3d centre, normal;  // unit, or zero without area
    double radius = 0;

    explicit Placed(const Corners& v)
        : corners(v), centre((v[0] + v[1] + v[2]) / 3), normal((1 - 1e-12) * twice_area(v).normalized()) {
      for (const Vector3d& corner : v) radius = std::max(radius, (corner - centre).norm());
      radius *= 1 + 1e-12;  // rounding
    }
    bool is_farther(const Vector3d& p, double distance) const {
      const Vector3d away = p - centre;
      const double reach = distance + radius;
      return std::abs(normal.dot(away)) > distance || away.squaredNorm() > reach * reach;
    }
  };
  TriangleSoup soup;
  std::vector<Vector3d> faces, vertices;       // unit normals; angle-weighted normals
  std::vector<std::array<Vector3d, 3>> edges;  // of triangle i from vertex k to k + 1: sum of both faces
  std::vector<int> order;
  std::vector<Placed> placed;  // in that order: a leaf reads what lies together
  std::vector<Node> nodes;
  double size = 0;       // the longest side of its box
  double mean_edge = 0;  // m
  bool is_convex = false;

  Tree(TriangleSoup given, const std::string& name) : soup(std::move(given)) {
    require_known_vertices(soup, name);
    const std::map<Edge, int> directed = directed_edges(soup, name);
    set_normals(directed);
    if (!(signed_volume(soup) > 0))
      throw InputError(name + " is inside out: its volume is " + std::to_string(signed_volume(soup)) +
                       ", expected > 0; turn its triangles round");
    order.resize(soup.triangles.size());
    for (int i = 0; i < int(order.size()); ++i) order[i] = i;
    build(0, int(order.size()));
    for (const int triangle : order) placed.emplace_back(corners(triangle));
    size = (nodes[0].box.high - nodes[0].box.low).maxCoeff();
    mean_edge = mean_length(soup, directed);
    is_convex = capstan::is_convex(soup, directed, size);
  }

  Corners corners(int triangle) const {
    const Triangle& t = soup.triangles[triangle];
    return {soup.vertices[t[0]], soup.vertices[t[1]], soup.vertices[t[2]]};
  }
  Vector3d centre(int triangle) const {
    const auto v = corners(triangle);
    return (v[0] + v[1] + v[2]) / 3;
  }

  void set_normals(const std::map<Edge, int>& directed);
  int build(int first, int count);
  void improve(const Vector3d& p, int node, Found& found) const;
  /// `hint`: a triangle that is likely to be near, or -1. Looked at first, it rules out most others.
  Found closest(const Vector3d& p, double at_most, int hint = -1) const;
  void improve_by(const Vector3d& p, int triangle, const Corners& v, Found& found) const;
  Vector3d pseudonormal(const Found& found) const;
};

void TriangleMesh::Tree::set_normals(const std::map<Edge, int>& directed) {
  vertices.assign(soup.vertices.size(), Vector3d::Zero());
  for (int i = 0; i < int(soup.triangles.size()); ++i) {
    const auto v = corners(i);
    faces.push_back(twice_area(v).normalized());
    for (int k = 0; k < 3; ++k) vertices[soup.triangles[i][k]] += angle_at(v, k) * faces.back();
  }
  edges.resize(soup.triangles.size());
  for (int i = 0; i < int(soup.triangles.size()); ++i)
    for (int k = 0; k < 3; ++k) {
      const Triangle& t = soup.triangles[i];
      edges[i][k] = faces[i] + faces[directed.at({t[(k + 1) % 3], t[k]})];
    }
}

/// Halves at the median of the centres along the longest side.
int TriangleMesh::Tree::build(int first, int count) {
  const int index = int(nodes.size());
  nodes.push_back({{}, first, count, -1, -1});
  Box box, centres;
  for (int i = first; i < first + count; ++i) {
    for (const Vector3d& v : corners(order[i])) box.include(v);
    centres.include(centre(order[i]));
  }
  nodes[index].box = box;
  if (count <= leaf_size) return index;
  int axis = 0;
  (centres.high - centres.low).maxCoeff(&axis);
  const auto begin = order.begin() + first;
  std::nth_element(begin, begin + count / 2, begin + count, [&](int i, int j) {
    return std::pair(centre(i)[axis], i) < std::pair(centre(j)[axis], j);
  });
  const int left = build(first, count / 2), right = build(first + count / 2, count - count / 2);
  nodes[index].left = left, nodes[index].right = right;
  return index;
}

void TriangleMesh::Tree::improve(const Vector3d& p, int index, Found& found) const {
  const Node& node = nodes[index];
  if (node.left >= 0) {
    const double left = nodes[node.left].box.distance2(p), right = nodes[node.right].box.distance2(p);
    const int near = left <= right ? node.left : node.right, far = left <= right ? node.right : node.left;
    if (std::min(left, right) < found.distance2) improve(p, near, found);
    if (std::max(left, right) < found.distance2) improve(p, far, found);
    return;
  }
  double distance = std::sqrt(found.distance2);
  for (int i = node.first; i < node.first + node.count; ++i) {
    if (placed[i].is_farther(p, distance)) continue;
    improve_by(p, order[i], placed[i].corners, found);
    distance = std::sqrt(found.distance2);
  }
}

void TriangleMesh::Tree::improve_by(const Vector3d& p, int triangle, const Corners& v, Found& found) const {
  const Vector3d weights = closest_on_triangle(p, v);
  const Vector3d x = weighted(weights, v);
  const double distance2 = (p - x).squaredNorm();
  if (distance2 < found.distance2) found = {triangle, weights, x, distance2};
}

TriangleMesh::Found TriangleMesh::Tree::closest(const Vector3d& p, double at_most, int hint) const {
  Found found;
  found.distance2 = at_most * at_most;
  if (hint >= 0) improve_by(p, hint, corners(hint), found);
  improve(p, 0, found);
  return found;
}

Vector3d TriangleMesh::Tree::pseudonormal(const Found& found) const {
  const int zeros = int(std::count(found.weights.begin(), found.weights.end(), 0.0));
  const Triangle& t = soup.triangles[found.triangle];
  if (zeros == 0) return faces[found.triangle];
  for (int k = 0; k < 3; ++k) {
    if (zeros == 2 && found.weights[k] != 0) return vertices[t[k]];
    if (zeros == 1 && found.weights[k] == 0) return edges[found.triangle][(k + 1) % 3];
  }
  return faces[found.triangle];
}

/// Exact distances at the middle of the cells of a coarse grid around the mesh.
struct TriangleMesh::Samples {
  Tree::Box box;
  double cell = 1;
  std::array<int, 3> count{};
  std::vector<double> distance;
  std::vector<int> triangle;  // the nearest one

  int index(const Eigen::Array3i& at) const { return at[0] + count[0] * (at[1] + count[1] * at[2]); }
  Vector3d middle(const Eigen::Array3i& at) const { return box.low + (at.cast<double>() + 0.5) * cell; }
  /// The cell in which p lies, or the one nearest to it.
  Eigen::Array3i cell_at(const Vector3d& p) const {
    const Eigen::Array3d last(count[0] - 1, count[1] - 1, count[2] - 1);
    return ((p.array() - box.low) / cell).floor().max(0).min(last).cast<int>();
  }
};

TriangleMesh::TriangleMesh(TriangleSoup soup, const std::string& name)
    : tree_(std::make_unique<Tree>(std::move(soup), name)) {
  auto samples = std::make_unique<Samples>();
  samples->box = tree_->nodes[0].box;
  const Eigen::Array3d size = samples->box.high - samples->box.low;
  samples->cell = size.maxCoeff() / samples_along_longest_side;
  for (int k = 0; k < 3; ++k) samples->count[k] = std::max(1, int(std::ceil(size[k] / samples->cell)));
  samples->distance.resize(std::size_t(samples->count[0]) * samples->count[1] * samples->count[2]);
  samples->triangle.resize(samples->distance.size());
  Eigen::Array3i at;
  for (at[2] = 0; at[2] < samples->count[2]; ++at[2])
    for (at[1] = 0; at[1] < samples->count[1]; ++at[1])
      for (at[0] = 0; at[0] < samples->count[0]; ++at[0]) {
        double& distance = samples->distance[samples->index(at)];
        const double at_most = at[0] > 0 ? std::abs((&distance)[-1]) + samples->cell : unknown;
        const Found found = find(samples->middle(at), at_most);
        distance = surface_point(samples->middle(at), found).distance;
        samples->triangle[samples->index(at)] = found.triangle;
      }
  samples_ = std::move(samples);
}

TriangleMesh::~TriangleMesh() = default;

SurfacePoint TriangleMesh::closest(const Vector3d& p) const { return closest(p, unknown); }

TriangleMesh::Found TriangleMesh::find(const Vector3d& p, double at_most) const {
  int hint = -1;
  if (samples_) {  // the distance changes by no more than one goes
    const Eigen::Array3i at = samples_->cell_at(p);
    hint = samples_->triangle[samples_->index(at)];
    at_most = std::min(at_most,
                       std::abs(samples_->distance[samples_->index(at)]) + (p - samples_->middle(at)).norm());
  }
  const double rounding = 1e-9 * (at_most + tree_->size);  // must not lose the triangle
  const Found found = tree_->closest(p, at_most + rounding, hint);
  return found.triangle >= 0 ? found : tree_->closest(p, unknown);  // far away, where rounding is coarse
}

int TriangleMesh::nearest_triangle(const Vector3d& p) const { return find(p, unknown).triangle; }

SurfacePoint TriangleMesh::closest(const Vector3d& p, double at_most) const {
  return surface_point(p, find(p, at_most));
}

SurfacePoint TriangleMesh::surface_point(const Vector3d& p, const Found& found) const {
  const Vector3d pseudonormal = tree_->pseudonormal(found);
  const double away = std::sqrt(found.distance2);
  const double sign = (p - found.x).dot(pseudonormal) < 0 ? -1 : 1;
  // On the surface itself the difference has no direction.
  const Vector3d n = away > 1e-12 * (1 + p.norm()) ? Vector3d(sign * (p - found.x) / away)
                                                   : Vector3d(pseudonormal.normalized());
  return {found.x, n, sign * away};
}

double TriangleMesh::distance_at_least(const Vector3d& p) const {
  const double to_box = std::sqrt(samples_->box.distance2(p));
  const Eigen::Array3i at = samples_->cell_at(p);
  const double from_sample = samples_->distance[samples_->index(at)] - (p - samples_->middle(at)).norm();
  return to_box > 0 ? std::max(to_box, from_sample) : from_sample;
}

bool TriangleMesh::convex() const { return tree_->is_convex; }

double TriangleMesh::feature_length() const { return tree_->mean_edge; }

double TriangleMesh::volume() const { return signed_volume(tree_->soup); }

const TriangleSoup& TriangleMesh::soup() const { return tree_->soup; }

}  // namespace capstan

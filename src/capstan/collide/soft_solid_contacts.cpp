#include <algorithm>
#include <cmath>
#include <string>

#include "capstan/collide/lowest_place.hpp"
#include "capstan/collide/triangle_row.hpp"
#include "capstan/errors.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;

/// A place inside must be nearer than the corners by this part of the edge, or of a triangle's longest, and
/// of the radius: how far the chords of cloth go into what is smoothly round does not matter next to that.
constexpr double least_gain_of_size = 1e-3, least_gain_of_radius = 0.1;
/// And its depth is found to this.
constexpr double depth_accuracy_of_place = 1e-5;

/// A ball around all nodes of a surface.
struct NodeBall {
  Vector3d centre = Vector3d::Zero();
  double radius = 0;
};

NodeBall ball_around(const SoftSurface& surface) {
  NodeBall ball;
  ball.centre = middle_of({&surface, 1});
  for (const int node : surface.vertices)
    ball.radius = std::max(ball.radius, (surface.x.col(node) - ball.centre).norm());
  return ball;
}

/// One surface against one solid. Points are in the frame of the solid.
class SurfaceOnSolid {
 public:
  SurfaceOnSolid(const SoftSurface& surface, const PlacedObstacle& solid)
      : surface_(surface), solid_(solid) {}

  /// Whether any of it may be near. To be asked first.
  bool may_touch(const NodeBall& ball);
  void measure(const Executor& executor);

  int items() const { return int(vertices_.size() + edges_.size() + triangles_.size()); }
  /// Vertices, then edges, then triangles. `pair` says which surface and solid these are.
  void append(int item, const Contact& pair, bool rigid, std::vector<Contact>& contacts) const;

 private:
  void find_near_features(const Executor& executor);
  bool is_near(int triangle) const;
  LowestPlace lowest_on_edge(int edge) const;
  LowestPlace lowest_in_triangle(int triangle) const;
  /// Where the surface is near, how far from the solid, and the normal in the frame of the solid.
  struct NearPlace {
    SoftPlace place;
    double distance;
    Vector3d n;
  };
  NearPlace place(int item) const;
  bool is_place(int item) const;

  MeasuredPoint measured(int node) const {
    return {solid_.pose.apply_inverse(surface_.x.col(node)), nodes_[node]};
  }
  double distance(int node) const { return nodes_[node].distance; }
  double least_gain(double size) const {
    return std::max(least_gain_of_size * size, least_gain_of_radius * surface_.radius);
  }

  const SoftSurface& surface_;
  const PlacedObstacle& solid_;
  double limit_ = 0;                               // what is farther does not matter
  std::vector<int> vertices_, edges_, triangles_;  // those near
  std::vector<SurfacePoint> nodes_;                // of near vertices
  std::vector<LowestPlace> edge_places_;           // of all edges
  std::vector<LowestPlace> triangle_places_;       // of triangles_
};

bool SurfaceOnSolid::may_touch(const NodeBall& ball) {
  const double farthest = (ball.centre - solid_.pose.x).norm() + ball.radius;
  const double fastest = solid_.twist.linear.norm() + solid_.twist.angular.norm() * farthest;
  limit_ = surface_.radius + surface_.margin + solid_.dt * fastest;
  return solid_.shape->distance_at_least(solid_.pose.apply_inverse(ball.centre)) < ball.radius + limit_;
}

bool SurfaceOnSolid::is_near(int triangle) const {
  const Corners v = corners_of(surface_, triangle);
  const Vector3d centre = (v[0] + v[1] + v[2]) / 3;
  double radius = 0;
  for (const Vector3d& corner : v) radius = std::max(radius, (corner - centre).norm());
  return solid_.shape->distance_at_least(solid_.pose.apply_inverse(centre)) < radius + limit_;
}

void SurfaceOnSolid::find_near_features(const Executor& executor) {
  std::vector<char> near(surface_.triangles.size()), node(surface_.rest.size()), edge(surface_.edges.size());
  for_each_chunk(executor, int(near.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) near[i] = is_near(i);
  });
  for (int i = 0; i < int(near.size()); ++i) {
    if (!near[i]) continue;
    triangles_.push_back(i);
    for (const int corner : surface_.triangles[i]) node[corner] = 1;
    for (const int side : surface_.triangle_edges[i]) edge[side] = 1;
  }
  for (const int i : surface_.vertices)
    if (node[i]) vertices_.push_back(i);
  for (int i = 0; i < int(edge.size()); ++i)
    if (edge[i]) edges_.push_back(i);
}

void SurfaceOnSolid::measure(const Executor& executor) {
  constexpr int features_per_job = 64;
  const auto for_all = [&](const std::vector<int>& features, const auto& job) {
    for_each_chunk(
        executor, int(features.size()),
        [&](int begin, int end) {
          for (int i = begin; i < end; ++i) job(i);
        },
        features_per_job);
  };
  find_near_features(executor);
  nodes_.resize(surface_.rest.size());
  edge_places_.resize(surface_.edges.size());
  triangle_places_.resize(triangles_.size());
  for_all(vertices_, [&](int i) {
    nodes_[vertices_[i]] = solid_.shape->closest(solid_.pose.apply_inverse(surface_.x.col(vertices_[i])));
  });
  for_all(edges_, [&](int i) { edge_places_[edges_[i]] = lowest_on_edge(edges_[i]); });
  for_all(triangles_, [&](int i) { triangle_places_[i] = lowest_in_triangle(triangles_[i]); });
}

LowestPlace SurfaceOnSolid::lowest_on_edge(int edge) const {
  const auto& [a, b] = surface_.edges[edge];
  const double length = edge_of(surface_, edge).d.norm();
  const double target = std::min(limit_, std::min(distance(a), distance(b)) - least_gain(length));
  return lowest_on_segment(*solid_.shape, {measured(a), measured(b)}, target,
                           depth_accuracy_of_place * length);
}

LowestPlace SurfaceOnSolid::lowest_in_triangle(int triangle) const {
  const auto& [a, b, c] = surface_.triangles[triangle];
  const double size = longest_edge(surface_, triangle);
  double known = std::min({distance(a), distance(b), distance(c)});
  for (const int edge : surface_.triangle_edges[triangle])
    if (edge_places_[edge].found) known = std::min(known, edge_places_[edge].distance);
  return lowest_on_triangle(*solid_.shape, {measured(a), measured(b), measured(c)},
                            std::min(limit_, known - least_gain(size)), depth_accuracy_of_place * size);
}

bool SurfaceOnSolid::is_place(int item) const {
  const int vertices = int(vertices_.size()), edges = int(edges_.size());
  if (item < vertices) return distance(vertices_[item]) < limit_;
  if (item < vertices + edges) return edge_places_[edges_[item - vertices]].found;
  return triangle_places_[item - vertices - edges].found;
}

SurfaceOnSolid::NearPlace SurfaceOnSolid::place(int item) const {
  const int vertices = int(vertices_.size()), edges = int(edges_.size());
  if (item < vertices) {
    const SurfacePoint& surface = nodes_[vertices_[item]];
    return {place_at_node(surface_, vertices_[item]), surface.distance, surface.n};
  }
  if (item < vertices + edges) {
    const int edge = edges_[item - vertices];
    const LowestPlace& lowest = edge_places_[edge];
    return {place_on_edge(surface_, edge, lowest.weight[1]), lowest.distance, lowest.n};
  }
  const LowestPlace& lowest = triangle_places_[item - vertices - edges];
  return {place_in_triangle(surface_, triangles_[item - vertices - edges], lowest.weight), lowest.distance,
          lowest.n};
}

void SurfaceOnSolid::append(int item, const Contact& pair, bool rigid, std::vector<Contact>& contacts) const {
  if (!is_place(item)) return;
  const auto [at, distance, local_n] = place(item);
  const Vector3d n = solid_.pose.R * local_n;
  Contact contact = pair;
  contact.a = side_of(pair.a.soft, surface_, at);
  contact.point_a = at.x;
  contact.point_b = at.x - distance * n;
  contact.frame = contact_frame(n, material_direction(surface_, at));
  contact.gap = distance - surface_.radius;
  contact.area = area_of(surface_, at);
  const Vector3d velocity = solid_.twist.at(contact.point_b, solid_.pose.x);
  if (rigid)
    contact.b.local = solid_.pose.apply_inverse(contact.point_b);
  else
    contact.velocity_b = velocity;
  const double approach = std::max(0.0, solid_.dt * velocity.dot(n));
  if (contact.gap < surface_.margin + approach) contacts.push_back(contact);
}

}  // namespace

std::vector<Contact> detect_soft_with_solids(std::span<const SoftSurface> surfaces,
                                             std::span<const PlacedObstacle> solids, int obstacles,
                                             const Executor& executor) {
  require_sound(surfaces);
  for (std::size_t k = 0; k < solids.size(); ++k)
    if (!solids[k].shape) throw InputError("solid " + std::to_string(k) + " has no shape, expected one");
  std::vector<std::vector<Contact>> parts;
  for (int i = 0; i < int(surfaces.size()); ++i) {
    const NodeBall ball = ball_around(surfaces[i]);
    for (int k = 0; k < int(solids.size()); ++k) {
      SurfaceOnSolid pair(surfaces[i], solids[k]);
      if (!pair.may_touch(ball)) continue;
      pair.measure(executor);
      Contact sides;
      sides.a.soft = i;
      (k < obstacles ? sides.b.obstacle : sides.b.rigid) = k < obstacles ? k : k - obstacles;
      parts.push_back(collect(pair.items(), executor, [&](int item, std::vector<Contact>& contacts) {
        pair.append(item, sides, k >= obstacles, contacts);
      }));
    }
  }
  return joined(parts);
}

}  // namespace capstan

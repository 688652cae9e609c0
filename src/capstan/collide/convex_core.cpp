#include "capstan/collide/convex_core.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace capstan {
namespace {

using Eigen::Vector3d;

constexpr double feature_sine = ConvexCore::feature_sine;
constexpr double feature_cosine = 1 - feature_sine * feature_sine / 2;  // of that angle, to 1e-4

/// A cylinder tilted less has no lowest point of its rim.
constexpr double upright_sine = 1e-9;

/// A hull with more corners has faces that meet at small angles: the next one is never far.
constexpr int few_corners = 16;

/// Vertices this much lower than the highest, in parts of the size, are as high.
constexpr double same_height = 1e-9;

/// The point of a circle of that radius about z farthest along d; on the x axis where all are.
Vector3d rim_support(double radius, const Vector3d& d) {
  const double sideways = std::hypot(d.x(), d.y());
  if (sideways == 0) return {radius, 0, 0};
  return {radius * d.x() / sideways, radius * d.y() / sideways, 0};
}

/// The loop of a face; of long ones as many corners as fit, evenly.
Feature feature_of_loop(const Polytope& polytope, int face) {
  const std::vector<int>& loop = polytope.faces[face];
  const std::size_t stride = (loop.size() + Feature::capacity - 1) / Feature::capacity;
  Feature feature;
  for (std::size_t k = 0; k < loop.size(); k += stride) feature.add(polytope.vertices[loop[k]]);
  return feature;
}

}  // namespace

Vector3d rim_point(const Solid::Drum& drum, int i, double sign) {
  static const auto circle = [] {
    std::array<Eigen::Vector2d, rim_points> points;
    for (int k = 0; k < rim_points; ++k) {
      const double angle = 2 * std::numbers::pi * k / rim_points;
      points[k] = {std::cos(angle), std::sin(angle)};
    }
    return points;
  }();
  return {drum.radius * circle[i].x(), drum.radius * circle[i].y(), sign * drum.half_height};
}

ConvexCore::ConvexCore(const Solid& solid, const Frame& pose) : pose_(pose), size_(solid.bounding_radius()) {
  if (const auto* ball = std::get_if<Solid::Ball>(&solid.kind())) {
    rounding_ = ball->radius;
  } else if ((capsule_ = std::get_if<Solid::Capsule>(&solid.kind()))) {
    rounding_ = capsule_->radius;
    edge_axes_ = 1;
  } else if ((block_ = std::get_if<Solid::Block>(&solid.kind()))) {
    polytope_ = block_->polytope.get();
    face_axes_ = edge_axes_ = 3;
  } else if (const auto* hull = std::get_if<Solid::Hull>(&solid.kind())) {
    polytope_ = hull->polytope.get();
    face_axes_ = int(polytope_->normals.size());
    edge_axes_ = int(polytope_->directions.size());
  } else {
    drum_ = std::get_if<Solid::Drum>(&solid.kind());
    face_axes_ = edge_axes_ = 1;
  }
}

ConvexCore ConvexCore::moved(const Vector3d& by) const {
  ConvexCore result = *this;
  result.pose_.x += by;
  return result;
}

ConvexCore ConvexCore::shrunk(double factor) const {
  ConvexCore result = *this;
  result.scale_ = factor;
  return result;
}

Vector3d ConvexCore::face_axis(int i) const {
  if (block_) return pose_.R.col(i);
  if (drum_) return pose_.R.col(2);
  return pose_.R * polytope_->normals[i];
}

Vector3d ConvexCore::edge_axis(int i) const {
  if (block_) return pose_.R.col(i);
  if (drum_ || capsule_) return pose_.R.col(2);
  return pose_.R * polytope_->directions[i];
}

Vector3d ConvexCore::local_support(const Vector3d& d) const {
  if (block_) {
    const Vector3d& half = block_->half_size;
    return {std::copysign(half.x(), d.x()), std::copysign(half.y(), d.y()), std::copysign(half.z(), d.z())};
  }
  if (capsule_) return {0, 0, std::copysign(capsule_->half_length, d.z())};
  if (drum_) {
    Vector3d x = rim_support(drum_->radius, d);
    x.z() = std::copysign(drum_->half_height, d.z());
    return x;
  }
  if (!polytope_) return Vector3d::Zero();
  const Vector3d* best = &polytope_->vertices[0];
  double most = best->dot(d);
  for (const Vector3d& v : polytope_->vertices)
    if (const double here = v.dot(d); here > most) most = here, best = &v;
  return *best;
}

Vector3d ConvexCore::support(const Vector3d& d) const {
  const Vector3d x = pose_.apply(local_support(pose_.R.transpose() * d));
  return scale_ == 1 ? x : Vector3d(centre() + scale_ * (x - centre()));
}

ConvexCore::Interval ConvexCore::interval(const Vector3d& d) const {
  const Vector3d local = pose_.R.transpose() * d;
  const double middle = pose_.x.dot(d);
  if (polytope_ && !block_) {
    Interval result{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const Vector3d& v : polytope_->vertices) {
      const double here = v.dot(local);
      result = {std::min(result.low, here), std::max(result.high, here)};
    }
    return {middle + result.low, middle + result.high};
  }
  const double half = local_support(local).dot(local);  // the others are symmetric
  return {middle - half, middle + half};
}

Feature ConvexCore::feature(const Vector3d& d) const {
  Feature result = local_feature(pose_.R.transpose() * d);
  for (int i = 0; i < result.count; ++i) result.points[i] = pose_.apply(result.points[i]);
  return result;
}

Feature ConvexCore::outline(const Vector3d& d) const {
  Feature result = local_outline(pose_.R.transpose() * d);
  for (int i = 0; i < result.count; ++i) result.points[i] = pose_.apply(result.points[i]);
  return result;
}

Feature ConvexCore::local_outline(const Vector3d& d) const {
  Feature feature;
  if (polytope_ && int(polytope_->vertices.size()) <= few_corners) {
    for (const Vector3d& corner : polytope_->vertices) feature.add(corner);
  } else if (capsule_) {
    for (const double sign : {-1.0, 1.0}) feature.add({0, 0, sign * capsule_->half_length});
  } else if (drum_) {
    const Vector3d first = local_support(d);
    feature.add({first.x(), first.y(), -first.z()});
    feature.add({-first.y(), first.x(), first.z()});
    feature.add({first.y(), -first.x(), first.z()});
    feature.add({-first.x(), -first.y(), first.z()});
  }
  return feature;
}

Feature ConvexCore::local_feature(const Vector3d& d) const {
  if (polytope_) return feature_of_polytope(d);
  if (drum_) return feature_of_drum(d);
  Feature feature;
  if (capsule_ && std::abs(d.z()) <= feature_sine) {
    feature.add({0, 0, -capsule_->half_length});
    feature.add({0, 0, capsule_->half_length});
  } else {
    feature.add(local_support(d));
  }
  return feature;
}

// The best face or edge at the vertex that is farthest. The most aligned face of all would do for a box, but
// of a hull need not reach that vertex.
Feature ConvexCore::feature_of_polytope(const Vector3d& d) const {
  const Vector3d farthest = local_support(d);
  const double slack = same_height * size_;
  int face = -1;
  double most = feature_cosine;
  for (int f = 0; f < int(polytope_->normals.size()); ++f) {
    const double aligned = polytope_->normals[f].dot(d);
    if (aligned <= most || polytope_->normals[f].dot(farthest) < polytope_->offsets[f] - slack) continue;
    most = aligned, face = f;
  }
  if (face >= 0) return feature_of_loop(*polytope_, face);
  const Polytope::Edge* edge = nullptr;
  double least = feature_sine;
  const double highest = farthest.dot(d);
  for (const Polytope::Edge& e : polytope_->edges) {
    const Vector3d &from = polytope_->vertices[e.from], &to = polytope_->vertices[e.to];
    if (std::max(from.dot(d), to.dot(d)) < highest - slack) continue;
    const double sine = std::abs((to - from).dot(d)) / (to - from).norm();
    if (sine < least) least = sine, edge = &e;
  }
  Feature feature;
  if (!edge) {
    feature.add(farthest);
    return feature;
  }
  feature.add(polytope_->vertices[edge->from]);
  feature.add(polytope_->vertices[edge->to]);
  return feature;
}

Feature ConvexCore::feature_of_drum(const Vector3d& d) const {
  Feature feature;
  if (std::abs(d.z()) >= feature_cosine) {
    const Vector3d farthest = local_support(d);
    const bool tilted = std::hypot(d.x(), d.y()) > upright_sine;
    const double sector = 2 * std::numbers::pi / rim_points;
    const double angle = std::atan2(farthest.y(), farthest.x());
    const int before = int(std::floor((angle < 0 ? angle + 2 * std::numbers::pi : angle) / sector));
    for (int i = 0; i < rim_points; ++i) {
      feature.add(rim_point(*drum_, i, std::copysign(1.0, d.z())));
      if (i == before && tilted) feature.add(farthest);
    }
  } else if (std::abs(d.z()) <= feature_sine) {
    const Vector3d rim = rim_support(drum_->radius, d), end(0, 0, drum_->half_height);
    feature.add(rim - end);
    feature.add(rim + end);
  } else {
    feature.add(local_support(d));
  }
  return feature;
}

}  // namespace capstan

#include "capstan/body/rod/strand_shape.hpp"

#include <cmath>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

Eigen::Vector3d perpendicular_to(const Eigen::Vector3d& t, const Eigen::Vector3d& wish) {
  const Eigen::Vector3d n = wish - t * t.dot(wish);
  if (n.norm() > 1e-9 * (1 + wish.norm())) return n.normalized();
  int axis;
  t.cwiseAbs().minCoeff(&axis);
  return t.cross(Eigen::Vector3d::Unit(axis)).normalized();
}

/// The rotation that takes unit t0 to unit t1 the short way, applied to R.
Eigen::Matrix3d transported(const Eigen::Matrix3d& R, const Eigen::Vector3d& t0, const Eigen::Vector3d& t1) {
  return rotation_between(t0, t1).toRotationMatrix() * R;
}

/// Points at equal steps along a polyline.
std::vector<Eigen::Vector3d> resampled(const std::vector<Eigen::Vector3d>& nodes, int elements,
                                       double length) {
  std::vector<Eigen::Vector3d> x;
  std::size_t edge = 0;
  double start = 0;  // arclength of nodes[edge]
  for (int i = 0; i <= elements; ++i) {
    const double s = length * i / elements;
    while (edge + 2 < nodes.size() && s > start + (nodes[edge + 1] - nodes[edge]).norm()) {
      start += (nodes[edge + 1] - nodes[edge]).norm();
      ++edge;
    }
    const double l = (nodes[edge + 1] - nodes[edge]).norm();
    x.push_back(nodes[edge] + std::min(1.0, (s - start) / l) * (nodes[edge + 1] - nodes[edge]));
  }
  return x;
}

FramedCurve sample_polyline(const StrandShape& shape, int elements) {
  FramedCurve curve;
  for (std::size_t i = 0; i + 1 < shape.nodes.size(); ++i) {
    const double l = (shape.nodes[i + 1] - shape.nodes[i]).norm();
    if (!(l > 0))
      throw InputError("strand: nodes " + std::to_string(i) + " and " + std::to_string(i + 1) + " coincide");
    curve.length += l;
  }
  curve.x = resampled(shape.nodes, elements, curve.length);
  const auto edge = [&](int i) { return (curve.x[i + 1] - curve.x[i]).normalized(); };
  const auto tangent = [&](int i) {
    if (i == 0) return edge(0);
    if (i == elements) return edge(elements - 1);
    return Eigen::Vector3d((edge(i - 1) + edge(i)).normalized());
  };
  Eigen::Matrix3d R;
  R.col(0) = tangent(0);
  R.col(1) = perpendicular_to(R.col(0), shape.normal);
  R.col(2) = R.col(0).cross(R.col(1));
  for (int i = 0; i <= elements; ++i) {
    if (i > 0) R = transported(R, R.col(0), tangent(i));
    const double angle = shape.twist * i / elements;
    curve.R.push_back(Eigen::AngleAxisd(angle, R.col(0)) * R);
  }
  return curve;
}

FramedCurve sample_natural(const StrandShape& shape, int elements) {
  if (!(shape.length > 0))
    throw InputError("strand: length is " + std::to_string(shape.length) + ", expected > 0");
  FramedCurve curve;
  curve.length = shape.length;
  const Frame root = shape.root.motion.at(0);
  const Eigen::Vector3d k = shape.natural_curvature;
  for (int i = 0; i <= elements; ++i) {
    const double s = shape.length * i / elements, x = k.norm() * s;
    const Eigen::Matrix3d K = skew(k);
    // W = int_0^s exp([k] s') ds'
    const double a = x > 1e-4 ? (1 - std::cos(x)) / (x * x) : 0.5 - x * x / 24;
    const double b = x > 1e-2 ? (x - std::sin(x)) / (x * x * x) : 1.0 / 6 - x * x / 120;
    const Eigen::Matrix3d W = s * Eigen::Matrix3d::Identity() + s * s * a * K + s * s * s * b * K * K;
    curve.x.push_back(root.x + root.R * W.col(0));
    curve.R.push_back(root.R * rotation_exp(s * k));
  }
  return curve;
}

}  // namespace

FramedCurve sample_curve(const StrandShape& shape, int elements) {
  if (elements < 1)
    throw InputError("strand: has " + std::to_string(elements) + " elements, expected 1 or more");
  if (shape.nodes.empty()) return sample_natural(shape, elements);
  if (shape.nodes.size() < 2) throw InputError("strand: has one node, expected two or more");
  return sample_polyline(shape, elements);
}

}  // namespace capstan

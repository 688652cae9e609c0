#include "capstan/run/structure_lines.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capstan/random.hpp"

namespace capstan {
namespace {

constexpr int kTriesPerLine = 12;
constexpr double kLongestSlide = 50;  // of the size of what slides

/// A place on a surface.
struct Spot {
  Eigen::Vector3d x, n;
};

/// Random places, evenly by area.
class SpotSource {
 public:
  explicit SpotSource(const record::Solid& surface) : surface_(surface) {
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t)
      area_.push_back(area() + 0.5 * cross_of(t).norm());
  }
  double area() const { return area_.empty() ? 0 : area_.back(); }
  Spot next() {
    const double wanted = random_.uniform(0, area());
    const Eigen::Index t = std::upper_bound(area_.begin(), area_.end() - 1, wanted) - area_.begin();
    double u = random_.uniform(0, 1), v = random_.uniform(0, 1);
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const Eigen::Vector3d a = corner(t, 0);
    return {a + u * (corner(t, 1) - a) + v * (corner(t, 2) - a), cross_of(t).normalized()};
  }

 private:
  Eigen::Vector3d corner(Eigen::Index t, int k) const {
    return surface_.vertices.col(surface_.triangles(k, t));
  }
  Eigen::Vector3d cross_of(Eigen::Index t) const {
    return (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0));
  }

  const record::Solid& surface_;
  std::vector<double> area_;  // of all triangles up to this one
  Random random_{1};
};

/// Keeps spots of the same side of a surface apart.
class Spacing {
 public:
  explicit Spacing(double distance) : distance_(distance) {}
  bool take(const Spot& spot) {
    const Eigen::Vector3i cell = (spot.x / distance_).array().floor().cast<int>();
    for (int k = 0; k < 27; ++k) {
      const auto near = cells_.find(key(cell + Eigen::Vector3i(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)));
      if (near == cells_.end()) continue;
      for (const Spot& other : near->second)
        if ((other.x - spot.x).norm() < distance_ && other.n.dot(spot.n) > 0) return false;
    }
    cells_[key(cell)].push_back(spot);
    return true;
  }

 private:
  /// Cells a multiple of 2^20 apart share one: that costs time, not correctness.
  static std::uint64_t key(const Eigen::Vector3i& cell) {
    constexpr std::uint64_t mask = (1u << 20) - 1;
    return (static_cast<std::uint64_t>(cell[0]) & mask) << 40 |
           (static_cast<std::uint64_t>(cell[1]) & mask) << 20 | (static_cast<std::uint64_t>(cell[2]) & mask);
  }
  double distance_;
  std::unordered_map<std::uint64_t, std::vector<Spot>> cells_;
};

/// Draws lines on one surface.
class LineMaker {
 public:
  LineMaker(const StructureField& field, const Shape& shape, double spacing)
      : field_(field), shape_(shape), lift_(0.01 * spacing), half_(0.6 * spacing) {}

  /// Both ends; nothing where there is no structure.
  std::optional<Eigen::Matrix<double, 6, 1>> line_at(const Spot& near) const {
    const SurfacePoint point = on_surface(near.x, near.n);
    const Spot spot{point.x, point.n};
    const Eigen::Vector3d along = direction_at(spot);
    if (along.isZero()) return {};
    const double ahead = reach(spot, along), back = reach(spot, -along);
    if (ahead + back < 0.5 * half_) return {};
    Eigen::Matrix<double, 6, 1> ends;
    ends << spot.x - back * along, spot.x + ahead * along;
    return ends;
  }

 private:
  /// From a little outside, where the side of the surface is beyond doubt.
  SurfacePoint on_surface(const Eigen::Vector3d& x, const Eigen::Vector3d& n) const {
    return shape_.closest(x + lift_ * n);
  }

  /// Of the structure, in the tangent plane: unit, or zero.
  Eigen::Vector3d direction_at(const Spot& spot) const {
    const Eigen::Vector3d s = field_.at({spot.x, spot.n}), tangential = s - spot.n * spot.n.dot(s);
    return tangential.norm() > 1e-6 ? tangential.normalized() : Eigen::Vector3d::Zero();
  }

  /// How far a line runs on the surface and along its structure.
  double reach(const Spot& spot, const Eigen::Vector3d& along) const {
    for (double length = half_; length > 0.1 * half_; length *= 0.7) {
      const SurfacePoint end = on_surface(spot.x + length * along, spot.n);
      const bool on_it = std::abs(end.distance - lift_) < 0.05 * length && end.n.dot(spot.n) > 0.5;
      if (on_it && std::abs(direction_at({end.x, end.n}).dot(along)) > 0.7) return length;
    }
    return 0;
  }

  const StructureField& field_;
  const Shape& shape_;
  double lift_, half_;
};

record::Solid rectangle(const Eigen::Vector2d& low, const Eigen::Vector2d& high) {
  record::Solid solid;
  solid.vertices.resize(3, 4);
  solid.vertices << low.x(), high.x(), high.x(), low.x(), low.y(), low.y(), high.y(), high.y(), 0, 0, 0, 0;
  solid.triangles.resize(3, 2);
  solid.triangles << 0, 0, 1, 2, 2, 3;
  return solid;
}

}  // namespace

record::SurfaceLines structure_lines(const StructureField& field, const Shape& shape,
                                     const record::Solid& surface, int count) {
  SpotSource spots(surface);
  if (count < 1 || !(spots.area() > 0)) return {};
  // Random spots that keep a distance d fill a surface with 0.7 of them in d^2.
  const double distance = std::sqrt(0.7 * spots.area() / count);
  Spacing spacing(distance);
  const LineMaker maker(field, shape, distance);
  std::vector<Eigen::Matrix<double, 6, 1>> lines;
  for (int k = 0; k < kTriesPerLine * count; ++k) {
    const Spot spot = spots.next();
    if (!spacing.take(spot)) continue;
    if (const auto line = maker.line_at(spot)) lines.push_back(*line);
  }
  record::SurfaceLines result(6, static_cast<Eigen::Index>(lines.size()));
  for (std::size_t k = 0; k < lines.size(); ++k) result.col(static_cast<Eigen::Index>(k)) = lines[k];
  return result;
}

record::Solid plane_patch(const World& world, const Frame& plane, double time) {
  Eigen::AlignedBox2d start, all;
  const auto flat = [&](const Eigen::Vector3d& x) -> Eigen::Vector2d {
    return plane.apply_inverse(x).head<2>();
  };
  for (const WorldRigid& rigid : world.rigid) {
    const Eigen::Vector2d x = flat(rigid.body->frame().x);
    const Eigen::Vector2d size = Eigen::Vector2d::Constant(rigid.solid.bounding_radius());
    start.extend(Eigen::AlignedBox2d(x - size, x + size));
  }
  for (const WorldStrand& strand : world.strands)
    for (const double s : strand.collision_s) start.extend(flat(strand.body->position(s)));
  if (start.isEmpty()) start = Eigen::AlignedBox2d(Eigen::Vector2d(-1, -1), Eigen::Vector2d(1, 1));
  const double size = start.diagonal().norm();
  Eigen::Vector2d slide = 0.5 * time * time * (plane.R.transpose() * world.gravity).head<2>();
  if (slide.norm() > kLongestSlide * size) slide *= kLongestSlide * size / slide.norm();
  all = start;
  all.extend(start.translated(slide));
  // Room for what goes to the side.
  const Eigen::Vector2d margin = Eigen::Vector2d::Constant(std::max(0.5 * size, 0.2 * slide.norm()));
  return rectangle(all.min() - margin, all.max() + margin);
}

}  // namespace capstan

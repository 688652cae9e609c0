#include "capstan/record/picture/shadow_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "capstan/record/picture/raster.hpp"

namespace capstan::record {
namespace {

constexpr int kGrid = 1536;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

Eigen::Vector3d middle(const Eigen::Matrix3Xd& points) {
  return 0.5 * (points.rowwise().minCoeff() + points.rowwise().maxCoeff());
}

double half_size(const Eigen::Matrix3Xd& points) {
  return std::max(1e-6,
                  1.02 * std::sqrt((points.colwise() - middle(points)).colwise().squaredNorm().maxCoeff()));
}

double mean_radius(const PictureScene& scene) {
  double sum = 0;
  for (const double radius : scene.radii) sum += radius;
  return scene.radii.empty() ? 0 : sum / static_cast<double>(scene.radii.size());
}

Camera lamp_camera(const Eigen::Matrix3Xd& points, const Lamp& lamp) {
  const double size = half_size(points);
  return {middle(points) + 2 * size * lamp.direction, lamp.direction, 0, 0.5 * kGrid / size, kGrid, kGrid};
}

void raise(float& stored, double nearness) { stored = std::max(stored, static_cast<float>(nearness)); }

}  // namespace

ShadowMap::ShadowMap(const PictureScene& scene, const Lamp& lamp)
    : size_(half_size(scene.points())),
      camera_(lamp_camera(scene.points(), lamp)),
      // Rods that cover whole grid cells are opaque; hair lets light through.
      fade_(std::max(0.10 * size_ * std::exp(-mean_radius(scene) * kGrid / size_), 0.5 * mean_radius(scene))),
      strands_(std::size_t(kGrid) * kGrid, kNothing),
      solids_(std::size_t(kGrid) * kGrid, kNothing) {
  for (const Solid& solid : scene.solids) add_solid(solid);
  for (std::size_t k = 0; k < scene.strands.size(); ++k)
    add_strand(smoothed(scene.strands[k], scene.strands[k].cols() < 300 ? 4 : 1), scene.radii[k]);
}

void ShadowMap::add_solid(const Solid& solid) {
  for (int t = 0; t < solid.triangles.cols(); ++t) {
    ScreenPoint p[3];
    for (int k = 0; k < 3; ++k)
      p[k] = camera_.project(solid.pose.apply(solid.vertices.col(solid.triangles(k, t))));
    for_each_pixel(p[0], p[1], p[2], kGrid, kGrid, [&](int x, int y, double a, double b, double c) {
      raise(solids_[std::size_t(y) * kGrid + x], a * p[0].nearness + b * p[1].nearness + c * p[2].nearness);
    });
  }
}

void ShadowMap::add_strand(const Eigen::Matrix3Xd& strand, double radius) {
  for (int k = 0; k + 1 < strand.cols(); ++k) {
    const ScreenPoint a = camera_.project(strand.col(k)), b = camera_.project(strand.col(k + 1));
    const double r = std::max(0.7, radius * a.scale);
    for_each_pixel(a, b, r, r, kGrid, kGrid, [&](int x, int y, double t, double u) {
      raise(strands_[std::size_t(y) * kGrid + x],
            a.nearness + t * (b.nearness - a.nearness) + radius * std::sqrt(std::max(0.0, 1 - u * u)));
    });
  }
}

double ShadowMap::open(const Eigen::Vector3d& p, double skin) const {
  const ScreenPoint s = camera_.project(p);
  constexpr int kBlur = 2;
  const double x_middle = std::clamp(s.x, -1e6, 1e6), y_middle = std::clamp(s.y, -1e6, 1e6);
  double sum = 0;
  int count = 0;
  for (int y = int(std::floor(y_middle)) - kBlur; y <= int(std::floor(y_middle)) + kBlur; ++y)
    for (int x = int(std::floor(x_middle)) - kBlur; x <= int(std::floor(x_middle)) + kBlur; ++x, ++count) {
      if (x < 0 || y < 0 || x >= kGrid || y >= kGrid) {
        sum += 1;
        continue;
      }
      const std::size_t cell = std::size_t(y) * kGrid + x;
      if (solids_[cell] - s.nearness > skin + 0.012 * size_) continue;
      const double below = strands_[cell] - s.nearness - skin;
      sum += below > 0 ? std::exp(-below / fade_) : 1;
    }
  return sum / count;
}

}  // namespace capstan::record

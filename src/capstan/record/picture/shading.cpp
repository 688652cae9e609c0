#include "capstan/record/picture/shading.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace capstan::record {
namespace {

constexpr double kHairRadius = 2e-4;  // m; thicker is a rod

/// A number from 0 to 1 that looks random, the same for the same strand.
double noise(int strand, std::uint32_t salt) {
  std::uint32_t h = static_cast<std::uint32_t>(strand) * 2654435761u + salt * 2246822519u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  h *= 3266489917u;
  h ^= h >> 16;
  return h / 4294967296.0;
}

Color from_hue(double hue, double saturation, double value) {
  const auto channel = [&](double shift) {
    const double k = std::fmod(shift + 6 * hue, 6);
    return value * (1 - saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0));
  };
  return {channel(5), channel(3), channel(1)};
}

/// [Ottosson 2020, "A perceptual color space for image processing"]: equal steps look equal.
Color oklch(double lightness, double chroma, double degrees) {
  const double a = chroma * std::cos(degrees * M_PI / 180), b = chroma * std::sin(degrees * M_PI / 180);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return Color(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
               -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
               -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)
      .cwiseMax(0)
      .cwiseMin(1);
}

}  // namespace

Lamp::Lamp(const Camera& camera)
    : direction((-0.55 * camera.axes().col(0) + 0.9 * Eigen::Vector3d::UnitZ() + 0.15 * camera.axes().col(1) +
                 0.75 * camera.axes().col(2))
                    .normalized()) {}

Color shade_surface(const Color& base, const Eigen::Vector3d& normal, const Eigen::Vector3d& to_eye,
                    const Lamp& lamp, double open, double gloss) {
  const double diffuse = std::max(0.0, normal.dot(lamp.direction));
  const double sky = 0.5 + 0.5 * normal.z();
  const double shine = std::pow(std::max(0.0, normal.dot((lamp.direction + to_eye).normalized())), 40);
  const Color ambient = (0.16 + 0.24 * sky) * Color(0.94, 0.97, 1.06);
  return base.cwiseProduct(ambient + 0.8 * open * diffuse * Color(1.04, 1, 0.93)) +
         Color::Constant(gloss * open * shine);
}

Color shine_through(const Color& base, const Eigen::Vector3d& normal, const Lamp& lamp, double open) {
  return 0.2 * open * std::max(0.0, -normal.dot(lamp.direction)) * base;
}

Color shade_fibre(const Color& base, const Eigen::Vector3d& tangent, const Eigen::Vector3d& to_eye,
                  const Lamp& lamp, double open) {
  // [Kajiya, Kay 1989]: diffuse sin(T, L); the highlight is a cone about the fibre. A second, wider and
  // coloured one stands for light that went through the fibre.
  const double tl = tangent.dot(lamp.direction), tv = tangent.dot(to_eye);
  const double sin_tl = std::sqrt(std::max(0.0, 1 - tl * tl)), sin_tv = std::sqrt(std::max(0.0, 1 - tv * tv));
  const double cone = std::max(0.0, sin_tl * sin_tv - tl * tv);
  const Color glow = base.cwiseSqrt();
  return base * (0.22 + 0.14 * std::abs(sin_tv) + 0.75 * open * sin_tl) +
         open * (0.34 * std::pow(cone, 70) * Color(1, 0.97, 0.9) + 0.26 * std::pow(cone, 14) * glow);
}

Color strand_color(int strand, double radius) {
  const double a = noise(strand, 1), b = noise(strand, 2);
  if (radius > kHairRadius)
    return from_hue(0.02 + 0.17 * a + (b > 0.7 ? 0.42 : 0), 0.45 + 0.25 * b, 0.62 + 0.25 * b);
  const Color dark(0.085, 0.042, 0.020), light(0.26, 0.145, 0.07);
  return dark + (0.25 + 0.75 * a * a) * (light - dark) + 0.02 * b * Color(1, 0.4, 0.1);
}

Color solid_color(const Solid& solid) {
  if (solid.color) return *solid.color;
  return solid.plane ? Color(0.62, 0.63, 0.65) : Color(0.56, 0.47, 0.42);
}

Color mesh_color(int k) { return oklch(0.62, 0.1, std::fmod(250 + 137.508 * k, 360)); }

Color ramp(double t) {
  const double c = std::clamp(t, 0.0, 1.0);
  return oklch(0.36 + 0.54 * c, 0.105 + 0.06 * c, 278 - 195 * c);
}

Color background(double y) {
  const double t = y * y * (3 - 2 * y);
  return (1 - t) * Color(0.80, 0.84, 0.89) + t * Color(0.56, 0.60, 0.66);
}

double srgb(double linear) {
  const double value = std::clamp(linear, 0.0, 1.0);
  return value <= 0.0031308 ? 12.92 * value : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

Eigen::Matrix3Xd smoothed(const Eigen::Matrix3Xd& points, int pieces) {
  const int count = static_cast<int>(points.cols());
  if (count < 3 || pieces < 2) return points;
  Eigen::Matrix3Xd curve(3, (count - 1) * pieces + 1);
  const auto at = [&](int k) { return points.col(std::clamp(k, 0, count - 1)); };
  for (int k = 0; k + 1 < count; ++k)
    for (int piece = 0; piece < pieces; ++piece) {
      const double t = double(piece) / pieces, t2 = t * t, t3 = t2 * t;  // Catmull-Rom
      curve.col(k * pieces + piece) = 0.5 * (2 * at(k) + t * (at(k + 1) - at(k - 1)) +
                                             t2 * (2 * at(k - 1) - 5 * at(k) + 4 * at(k + 1) - at(k + 2)) +
                                             t3 * (-at(k - 1) + 3 * at(k) - 3 * at(k + 1) + at(k + 2)));
    }
  curve.col(curve.cols() - 1) = points.col(count - 1);
  return curve;
}

}  // namespace capstan::record

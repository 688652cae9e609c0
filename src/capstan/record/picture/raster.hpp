#pragma once
#include <algorithm>
#include <cmath>

#include "capstan/record/picture/camera.hpp"

/// Which pixels a triangle or a piece of a strand covers. Pixel (x, y) has its centre at x + 0.5, y + 0.5.
namespace capstan::record {

/// use(x, y, b0, b1, b2) with barycentric coordinates on the screen.
template <typename Use>
void for_each_pixel(const ScreenPoint& a, const ScreenPoint& b, const ScreenPoint& c, int width, int height,
                    Use&& use) {
  const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area == 0 || !a.in_front || !b.in_front || !c.in_front) return;
  const auto low = [](double value) { return std::max(0, int(std::ceil(std::max(value, 0.0) - 0.5))); };
  const auto high = [](double value, int size) {
    return int(std::floor(std::clamp(value, -1.0, double(size)) - 0.5));
  };
  const int y_last = std::min(height - 1, high(std::max({a.y, b.y, c.y}), height));
  const int x_last = std::min(width - 1, high(std::max({a.x, b.x, c.x}), width));
  const int x_first = low(std::min({a.x, b.x, c.x}));
  for (int y = low(std::min({a.y, b.y, c.y})); y <= y_last; ++y)
    for (int x = x_first; x <= x_last; ++x) {
      const double px = x + 0.5, py = y + 0.5;
      const double b1 = ((px - a.x) * (c.y - a.y) - (py - a.y) * (c.x - a.x)) / area;
      const double b2 = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / area;
      if (b1 >= 0 && b2 >= 0 && b1 + b2 <= 1) use(x, y, 1 - b1 - b2, b1, b2);
    }
}

/// Pixels up to a radius (from `ra` at a to `rb` at b, in pixels) from the segment ab: use(x, y, t, u), t
/// from 0 at a to 1 at b, u from -1 to 1 across; beyond the ends u is the distance over the radius, so that
/// pieces of a strand join round.
template <typename Use>
void for_each_pixel(const ScreenPoint& a, const ScreenPoint& b, double ra, double rb, int width, int height,
                    Use&& use) {
  if (!a.in_front || !b.in_front) return;
  const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy, r = std::max(ra, rb);
  const auto clamped = [](double value, int size) {
    return int(std::floor(std::clamp(value, -1.0, size + 1.0)));
  };
  const int y_first = std::max(0, clamped(std::min(a.y, b.y) - r, height));
  const int y_last = std::min(height - 1, clamped(std::max(a.y, b.y) + r, height));
  // Along a row the distance from the line grows with slope |dy| / length: only a short piece is near.
  const double reach = std::abs(dy) > 1e-9 ? r * std::sqrt(length2) / std::abs(dy) + 1 : 1e9;
  for (int y = y_first; y <= y_last; ++y) {
    const double py = y + 0.5;
    double x_low = std::min(a.x, b.x) - r, x_high = std::max(a.x, b.x) + r;
    if (reach < 1e9) {
      const double on_line = a.x + (py - a.y) / dy * dx;
      x_low = std::max(x_low, on_line - reach);
      x_high = std::min(x_high, on_line + reach);
    }
    const int x_last = std::min(width - 1, clamped(x_high, width));
    for (int x = std::max(0, clamped(x_low, width)); x <= x_last; ++x) {
      const double px = x + 0.5;
      const double t = length2 > 0 ? std::clamp(((px - a.x) * dx + (py - a.y) * dy) / length2, 0.0, 1.0) : 0;
      const double ex = px - a.x - t * dx, ey = py - a.y - t * dy;
      const double radius = ra + t * (rb - ra), distance = std::sqrt(ex * ex + ey * ey);
      if (distance > radius) continue;
      const double across = length2 > 0 ? (dy * ex - dx * ey) / std::sqrt(length2) : distance;
      use(x, y, t, std::clamp(across / radius, -1.0, 1.0));
    }
  }
}

}  // namespace capstan::record

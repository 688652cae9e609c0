#include "bench/scenarios/closed_meshes.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>
#include <vector>

namespace capstan::scenarios {
namespace {

using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;

struct Obj {
  std::string text;
  int vertices = 0;

  int add(const Vector3d& x) {
    char line[96];
    std::snprintf(line, sizeof line, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    text += line;
    return ++vertices;
  }
  void face(int a, int b, int c) {
    text += "f " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + "\n";
  }
};

/// A surface without holes from a pole through rings to another pole; seen from outside, rings run
/// counterclockwise about the way from the first pole to the second.
std::string rings_obj(const Vector3d& first, const std::vector<std::vector<Vector3d>>& rings,
                      const Vector3d& second) {
  Obj obj;
  const int around = static_cast<int>(rings.front().size()), count = static_cast<int>(rings.size());
  for (const auto& ring : rings)
    for (const Vector3d& x : ring) obj.add(x);
  const int bottom = obj.add(first), top = obj.add(second);
  const auto at = [around](int ring, int k) { return 1 + ring * around + k % around; };
  for (int k = 0; k < around; ++k) {
    obj.face(bottom, at(0, k + 1), at(0, k));
    for (int ring = 0; ring + 1 < count; ++ring) {
      obj.face(at(ring, k), at(ring, k + 1), at(ring + 1, k + 1));
      obj.face(at(ring, k), at(ring + 1, k + 1), at(ring + 1, k));
    }
    obj.face(top, at(count - 1, k), at(count - 1, k + 1));
  }
  return obj.text;
}

std::vector<Vector3d> circle(double radius, double z, int around) {
  std::vector<Vector3d> ring;
  for (int k = 0; k < around; ++k) {
    const double phi = 2 * kPi * k / around;
    ring.emplace_back(radius * std::cos(phi), radius * std::sin(phi), z);
  }
  return ring;
}

}  // namespace

std::string bowl_obj(double radius, double wall, double depth, int around) {
  const int pieces = std::max(4, around / 3);
  const double rim = std::acos(1 - depth / radius), outer = radius + wall;
  std::vector<std::vector<Vector3d>> rings;
  for (int k = 1; k <= pieces; ++k) {
    const double angle = rim * k / pieces;
    rings.push_back(circle(outer * std::sin(angle), -outer * std::cos(angle), around));
  }
  for (int k = pieces; k >= 1; --k) {
    const double angle = rim * k / pieces;
    rings.push_back(circle(radius * std::sin(angle), -radius * std::cos(angle), around));
  }
  return rings_obj({0, 0, -outer}, rings, {0, 0, -radius});
}

std::string wedge_obj(const Vector3d& size) {
  Obj obj;
  const double x = size[0] / 2, y = size[1] / 2, z = size[2];
  for (const double side : {-y, y})
    for (const auto& [a, b] : {std::array{-x, 0.0}, std::array{x, 0.0}, std::array{x, z}})
      obj.add({a, side, b});
  obj.face(1, 2, 3), obj.face(4, 6, 5);  // the sides
  obj.face(1, 4, 5), obj.face(1, 5, 2);  // the bottom
  obj.face(2, 5, 6), obj.face(2, 6, 3);  // the back
  obj.face(3, 6, 4), obj.face(3, 4, 1);  // the ramp
  return obj.text;
}

std::string blob_obj(double radius, double bumps, Random& random, int rings) {
  struct Wave {
    Vector3d direction;
    double phase;
  };
  std::vector<Wave> waves;
  for (int k = 0; k < 4; ++k) {
    Vector3d direction;
    for (int i = 0; i < 3; ++i) direction[i] = random.uniform(-3, 3);
    waves.push_back({direction, random.uniform(0, 2 * kPi)});
  }
  const auto moved = [&](const Vector3d& unit) -> Vector3d {
    double sum = 0;
    for (const Wave& wave : waves) sum += std::sin(wave.direction.dot(unit) + wave.phase);
    return radius * (1 + bumps * sum / double(waves.size())) * unit;
  };
  std::vector<std::vector<Vector3d>> all;
  for (int ring = 1; ring < rings; ++ring) {
    const double angle = kPi * ring / rings;
    all.push_back(circle(std::sin(angle), -std::cos(angle), 2 * rings));
    for (Vector3d& x : all.back()) x = moved(x);
  }
  return rings_obj(moved(-Vector3d::UnitZ()), all, moved(Vector3d::UnitZ()));
}

}  // namespace capstan::scenarios

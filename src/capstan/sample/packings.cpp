// Many bodies thrown together.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "capstan/sample/near_pairs.hpp"
#include "capstan/sample/random_vector.hpp"
#include "capstan/sample/rigid_scene.hpp"
#include "capstan/sample/sample.hpp"

namespace capstan {
namespace {

using Eigen::Vector3d;
using sample::RigidScene;

struct Packing {
  std::vector<Vector3d> centers;
  std::vector<double> radii;
  double width;  // of the box, whose floor is [0, width]^2 at z = 0
  double largest;
};

Packing loose_packing(int count, Random& random) {
  Packing packing;
  packing.largest = 0.012;
  const int side = std::max(1, int(std::lround(std::cbrt(double(count)))));
  const double pitch = 2.1 * packing.largest;
  packing.width = pitch * side;
  for (int k = 0; k < count; ++k) {
    const Vector3d cell(k % side, k / side % side, k / (side * side));
    const Vector3d jitter = sample::random_vector(random, 0.04);
    packing.centers.push_back(pitch * (cell + Vector3d::Constant(0.5) + jitter));
    packing.radii.push_back(random.uniform(0.008, packing.largest));
  }
  return packing;
}

/// Moves overlapping pairs apart, then spheres into the box.
void push_apart(Packing& packing, const std::vector<std::pair<int, int>>& pairs) {
  for (const auto& [i, j] : pairs) {
    const Vector3d across = packing.centers[j] - packing.centers[i];
    const double distance = across.norm(), overlap = packing.radii[i] + packing.radii[j] - distance;
    if (overlap <= 0 || distance == 0) continue;
    packing.centers[i] -= 0.5 * overlap / distance * across;
    packing.centers[j] += 0.5 * overlap / distance * across;
  }
  for (std::size_t k = 0; k < packing.centers.size(); ++k) {
    Vector3d& center = packing.centers[k];
    const double radius = packing.radii[k];
    for (const int axis : {0, 1}) center[axis] = std::clamp(center[axis], radius, packing.width - radius);
    center[2] = std::max(center[2], radius);
  }
}

/// Lets everything sink in steps that get shorter, so that in the end nearly nothing overlaps.
void settle(Packing& packing) {
  constexpr int kRounds = 240;
  std::vector<std::pair<int, int>> pairs;
  for (int round = 0; round < kRounds; ++round) {
    if (round % 4 == 0) pairs = sample::near_pairs(packing.centers, 2.4 * packing.largest);
    const double sink = 0.08 * packing.largest * (1 - double(round) / kRounds);
    for (Vector3d& center : packing.centers) center[2] -= sink;
    push_apart(packing, pairs);
  }
}

void add_wall_contacts(RigidScene& scene, const Packing& packing, int k, double slack, double mu) {
  const Vector3d center = packing.centers[k];
  const double radius = packing.radii[k];
  const auto touch = [&](const Vector3d& inward, double distance) {
    const double gap = distance - radius;
    if (gap < slack)
      scene.add_contact(k, RigidScene::kGround, center - radius * inward, inward, mu, std::max(gap, 0.0));
  };
  touch(Vector3d::UnitZ(), center[2]);
  for (const int axis : {0, 1}) {
    touch(Vector3d::Unit(axis), center[axis]);
    touch(-Vector3d::Unit(axis), packing.width - center[axis]);
  }
}

std::vector<sample::Segment> random_segments(int count, double length, double spread, Random& random) {
  std::vector<sample::Segment> segments;
  for (int k = 0; k < count; ++k) {
    const Vector3d middle = sample::random_vector(random, spread);
    const double z = random.uniform(-1, 1), turn = random.uniform(0, 6.283185307179586);
    const double flat = std::sqrt(1 - z * z);
    const Vector3d half = 0.5 * length * Vector3d(flat * std::cos(turn), flat * std::sin(turn), z);
    segments.push_back({middle - half, middle + half});
  }
  return segments;
}

}  // namespace

ContactProblem make_spheres(int count, double mu, std::uint64_t seed) {
  Random random(seed);
  Packing packing = loose_packing(count, random);
  settle(packing);
  RigidScene scene;
  const double slack = 0.03 * packing.largest;
  for (int k = 0; k < count; ++k) {
    scene.add_sphere(packing.centers[k], packing.radii[k], 2500);
    scene.set_velocity(k, 0.02 * sample::random_vector(random, 1));
    add_wall_contacts(scene, packing, k, slack, mu);
  }
  for (const auto& [i, j] : sample::near_pairs(packing.centers, 2.4 * packing.largest)) {
    const Vector3d across = packing.centers[i] - packing.centers[j];
    const double gap = across.norm() - packing.radii[i] - packing.radii[j];
    const Vector3d normal = across.normalized();
    if (gap < slack)
      scene.add_contact(i, j, packing.centers[j] + packing.radii[j] * normal, normal, mu, std::max(gap, 0.0));
  }
  return scene.problem();
}

ContactProblem make_rods(int count, double mu, std::uint64_t seed) {
  Random random(seed);
  const double length = 0.1, thickness = 0.004;
  // A rod meets about 0.5 pi N L^2 thickness / volume others: seven, whatever the number of rods.
  const double spread =
      0.5 * std::cbrt(0.5 * 3.14159265358979323846 * count * length * length * thickness / 7);
  const auto segments = random_segments(count, length, spread, random);
  RigidScene scene;
  scene.gravity.setZero();
  std::vector<Vector3d> middles;
  for (int k = 0; k < count; ++k) {
    scene.add_rod(segments[k].a, segments[k].b, 0.001);
    middles.push_back(0.5 * (segments[k].a + segments[k].b));
    const Vector3d stray = sample::random_vector(random, 1);
    scene.set_velocity(k, -2.0 * middles[k] + 0.02 * stray);  // inwards, at 2/s
  }
  for (const auto& [i, j] : sample::near_pairs(middles, length + thickness)) {
    const auto closest = sample::closest_points(segments[i], segments[j]);
    if (closest.distance > thickness || closest.distance == 0) continue;
    const Vector3d normal = (closest.on_first - closest.on_second) / closest.distance;
    scene.add_contact(i, j, 0.5 * (closest.on_first + closest.on_second), normal, mu);
  }
  return scene.problem();
}

}  // namespace capstan

#include <algorithm>
#include <cmath>
#include <numeric>

#include "capstan/collide/broad_phase.hpp"
#include "capstan/collide/detect.hpp"
#include "capstan/collide/joined.hpp"
#include "capstan/collide/near_pair.hpp"

namespace capstan {
namespace {

constexpr int boxes_per_job = 64;
constexpr int pairs_per_job = 512;
constexpr int strands_per_sort = 16;

int jobs(std::size_t count, int per_job) { return int((count + per_job - 1) / per_job); }

std::vector<int> strand_of_node(const CollisionScene& scene) {
  std::vector<int> result(scene.x.size());
  for (int k = 0; k < int(scene.strands.size()); ++k)
    std::fill_n(result.begin() + scene.strands[k].first_node, scene.strands[k].nodes, k);
  return result;
}

/// Of every capsule, at the index of its first node, whether contacts are left out on all of it.
std::vector<char> capsules_left_out(const CollisionScene& scene) {
  std::vector<char> result(scene.x.size(), 0);
  for (const CollisionStrand& k : scene.strands) {
    const int last = k.first_node + k.nodes - 1;
    for (int i = k.first_node; i < last; ++i)
      result[i] =
          scene.s[i + 1] < scene.s[k.first_node] + k.skip_root || scene.s[i] > scene.s[last] - k.skip_tip;
  }
  return result;
}

void set_bounds(const CollisionScene& scene, int strand, const Eigen::Vector3d& origin,
                std::vector<Bounds>& bounds) {
  const CollisionStrand& k = scene.strands[strand];
  const int last = k.first_node + k.nodes - 1;
  for (int i = k.first_node; i < last; ++i) {
    const Eigen::Array3d a = scene.x[i] - origin, b = scene.x[i + 1] - origin;
    const double thick = k.radius + k.margin;
    bounds[i] = Bounds::around(a.min(b) - thick, a.max(b) + thick);
  }
}

/// Of every capsule, at the index of its first node.
std::vector<Bounds> capsule_bounds(const CollisionScene& scene, const Executor& executor) {
  std::vector<Bounds> bounds(scene.x.size(), Bounds::none());
  if (scene.x.empty()) return bounds;
  // Seen from the middle of the scene single precision does not depend on where the scene lies.
  Eigen::Array3d low = scene.x[0], high = scene.x[0];
  scene.require_finite();
  for (const Eigen::Vector3d& x : scene.x) low = low.min(x.array()), high = high.max(x.array());
  const Eigen::Vector3d middle = (low + high) / 2;
  executor.for_each(jobs(scene.strands.size(), boxes_per_job), [&](int job) {
    const int end = std::min(int(scene.strands.size()), (job + 1) * boxes_per_job);
    for (int k = job * boxes_per_job; k < end; ++k) set_bounds(scene, k, middle, bounds);
  });
  return bounds;
}

/// All places in order: dealt out by strand a, then each strand's own on any thread.
std::vector<NearPair> sorted(const std::vector<std::vector<NearPair>>& parts, int strands,
                             const Executor& executor) {
  std::vector<std::size_t> begin(strands + 1, 0);
  for (const auto& part : parts)
    for (const NearPair& place : part) ++begin[place.strand_a + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<NearPair> all(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (const auto& part : parts)
    for (const NearPair& place : part) all[next[place.strand_a]++] = place;
  for_each_chunk(
      executor, strands,
      [&](int first, int last) {
        for (int k = first; k < last; ++k)
          std::sort(all.begin() + std::ptrdiff_t(begin[k]), all.begin() + std::ptrdiff_t(begin[k + 1]));
      },
      strands_per_sort);
  return all;
}

std::vector<NearPair> near_pairs(const CollisionScene& scene, const Executor& executor) {
  const BoundsGrid grid(capsule_bounds(scene, executor));
  const std::vector<int> strand = strand_of_node(scene);
  const std::vector<char> left_out = capsules_left_out(scene);
  std::vector<std::vector<NearPair>> parts(grid.chunks());
  executor.for_each(grid.chunks(), [&](int chunk) {
    std::vector<std::pair<int, int>> pairs;
    grid.append_pairs(chunk, pairs);
    for (const auto& [a, b] : pairs)
      if (!(left_out[a] && left_out[b]) && may_touch(scene, strand[a], a, strand[b], b))
        append_near(scene, strand[a], a, strand[b], b, parts[chunk]);
  });
  return sorted(parts, int(scene.strands.size()), executor);
}

/// Where the places of each pair of strands begin, and the end.
std::vector<std::size_t> pair_begins(const std::vector<NearPair>& near) {
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < near.size(); ++i)
    if (i == 0 || near[i].strand_a != near[i - 1].strand_a || near[i].strand_b != near[i - 1].strand_b)
      begins.push_back(i);
  begins.push_back(near.size());
  return begins;
}

}  // namespace

std::vector<Contact> detect_between_strands(const CollisionScene& scene, const DetectOptions& options,
                                            const Executor& executor) {
  const std::vector<NearPair> near = near_pairs(scene, executor);
  const std::vector<std::size_t> begins = pair_begins(near);
  const std::size_t pairs = begins.size() - 1;
  std::vector<std::vector<Contact>> parts(jobs(pairs, pairs_per_job));
  executor.for_each(int(parts.size()), [&](int job) {
    const std::size_t end = std::min(pairs, std::size_t(job + 1) * pairs_per_job);
    for (std::size_t pair = std::size_t(job) * pairs_per_job; pair < end; ++pair) {
      const std::span places(near.data() + begins[pair], begins[pair + 1] - begins[pair]);
      for (const NearPair& place : without_duplicates(scene, places, options))
        parts[job].push_back(make_contact(scene, place));
    }
  });
  return joined(parts);
}

}  // namespace capstan

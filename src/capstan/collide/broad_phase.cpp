#include "capstan/collide/broad_phase.hpp"

#include <algorithm>
#include <bit>

namespace capstan {
namespace {

/// More cells than this in the mean, and the cells are too small for the longest boxes.
constexpr std::size_t max_cells_per_box = 12;
/// A box that touches more cells is cheaper to compare with all others.
constexpr std::size_t max_cells_of_a_box = 4096;
constexpr int max_chunks = 128;
constexpr int min_entries_of_a_chunk = 32;

}  // namespace

/// The boxes of one bucket, component by component, so that one loop compares a box with all others.
struct BoundsGrid::Gathered {
  std::array<std::vector<float>, 3> low, high;
  std::vector<int> hits;

  void gather(const std::vector<Bounds>& bounds, const int* first, int count) {
    for (int axis = 0; axis < 3; ++axis) {
      low[axis].resize(count), high[axis].resize(count);
      for (int i = 0; i < count; ++i) {
        low[axis][i] = bounds[first[i]].low[axis];
        high[axis][i] = bounds[first[i]].high[axis];
      }
    }
    hits.resize(count + 1);
  }
  /// Fills hits with the boxes after `i` that meet it; returns how many.
  int find_hits(int i) {
    const float *lx = low[0].data(), *ly = low[1].data(), *lz = low[2].data();
    const float *hx = high[0].data(), *hy = high[1].data(), *hz = high[2].data();
    const int count = int(low[0].size());
    int found = 0, *out = hits.data();
    for (int j = i + 1; j < count; ++j) {
      out[found] = j;
      found += int(lx[j] <= hx[i]) & int(hx[j] >= lx[i]) & int(ly[j] <= hy[i]) & int(hy[j] >= ly[i]) &
               int(lz[j] <= hz[i]) & int(hz[j] >= lz[i]);
    }
    return found;
  }
};

BoundsGrid::BoundsGrid(std::vector<Bounds> bounds) : bounds_(std::move(bounds)) {
  choose_cell_size();
  fill_buckets();
  divide_work();
}

void BoundsGrid::choose_cell_size() {
  Bounds all = Bounds::none();
  double sum = 0;
  std::size_t count = 0;
  for (const Bounds& box : bounds_) {
    if (box.empty()) continue;
    all = count == 0 ? box : Bounds{all.low.min(box.low), all.high.max(box.high)};
    sum += (box.high - box.low).maxCoeff();
    ++count;
  }
  if (count == 0) return;
  origin_ = all.low;
  extent_ = (all.high - all.low).maxCoeff();
  // A cell as large as the mean box: a box touches about four. 2^20 cells along an axis always fit an index.
  float cell = std::max(float(sum / double(count)), extent_ * 0x1p-20f);
  if (!(cell > 0)) cell = 1;
  for (inverse_cell_ = 1 / cell; count_cells() > max_cells_per_box * count;) inverse_cell_ /= 1.5f;
  last_cell_ = cell_of(all.high);
  for (int box = 0; box < int(bounds_.size()); ++box)
    if (!bounds_[box].empty() && !in_grid(bounds_[box])) large_.push_back(box);
}

std::size_t BoundsGrid::cells_of(const Bounds& box) const {
  const Cell a = cell_of(box.low), b = cell_of(box.high);
  return std::size_t(b[0] - a[0] + 1) * std::size_t(b[1] - a[1] + 1) * std::size_t(b[2] - a[2] + 1);
}

bool BoundsGrid::in_grid(const Bounds& box) const {
  return !box.empty() && cells_of(box) <= max_cells_of_a_box;
}

std::size_t BoundsGrid::count_cells() const {
  std::size_t count = 0;
  for (const Bounds& box : bounds_)
    if (in_grid(box)) count += cells_of(box);
  return count;
}

template <class Visit>
void BoundsGrid::for_each_bucket(int box, Visit visit) const {
  if (!in_grid(bounds_[box])) return;
  const Cell a = cell_of(bounds_[box].low), b = cell_of(bounds_[box].high);
  for (std::int32_t k = a[2]; k <= b[2]; ++k)
    for (std::int32_t j = a[1]; j <= b[1]; ++j)
      for (std::int32_t i = a[0]; i <= b[0]; ++i) visit(bucket_of({i, j, k}));
}

// Two cells of one box may share a bucket. The box enters it once, or pairs would come twice.
void BoundsGrid::fill_buckets() {
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(16, bounds_.size()));
  bucket_mask_ = buckets - 1;
  bucket_begin_.assign(buckets + 1, 0);
  std::vector<int> latest(buckets, -1);
  for (int box = 0; box < int(bounds_.size()); ++box)
    for_each_bucket(box, [&](std::uint32_t bucket) {
      if (std::exchange(latest[bucket], box) != box) ++bucket_begin_[bucket + 1];
    });
  for (std::size_t i = 0; i < buckets; ++i) bucket_begin_[i + 1] += bucket_begin_[i];
  entries_.resize(bucket_begin_.back());
  std::vector<std::uint32_t> next(bucket_begin_.begin(), bucket_begin_.end() - 1);
  std::fill(latest.begin(), latest.end(), -1);
  for (int box = 0; box < int(bounds_.size()); ++box)
    for_each_bucket(box, [&](std::uint32_t bucket) {
      if (std::exchange(latest[bucket], box) != box) entries_[next[bucket]++] = box;
    });
}

// Equal numbers of entries a chunk; the work is in the pairs, but there are many chunks.
void BoundsGrid::divide_work() {
  const std::uint32_t buckets = std::uint32_t(bucket_begin_.size() - 1);
  const int chunks = std::clamp(int(entries_.size()) / min_entries_of_a_chunk, 1, max_chunks);
  chunk_begin_ = {0};
  for (int chunk = 1; chunk < chunks; ++chunk) {
    const std::uint32_t target = std::uint32_t(std::uint64_t(entries_.size()) * chunk / chunks);
    const auto at = std::lower_bound(bucket_begin_.begin(), bucket_begin_.end() - 1, target);
    const std::uint32_t begin = std::min(buckets, std::uint32_t(at - bucket_begin_.begin()));
    if (begin > chunk_begin_.back()) chunk_begin_.push_back(begin);
  }
  chunk_begin_.push_back(buckets);
}

void BoundsGrid::append_pairs(int chunk, std::vector<std::pair<int, int>>& pairs) const {
  const int in_grid_chunks = int(chunk_begin_.size()) - 1;
  if (chunk >= in_grid_chunks) return append_large(large_[chunk - in_grid_chunks], pairs);
  Gathered boxes;
  for (std::uint32_t bucket = chunk_begin_[chunk]; bucket < chunk_begin_[chunk + 1]; ++bucket)
    if (bucket_begin_[bucket + 1] - bucket_begin_[bucket] > 1) append_bucket(bucket, boxes, pairs);
}

void BoundsGrid::append_large(int box, std::vector<std::pair<int, int>>& pairs) const {
  for (int other = 0; other < int(bounds_.size()); ++other) {
    const Bounds& bounds = bounds_[other];
    if (other == box || bounds.empty() || !bounds.meets(bounds_[box])) continue;
    if (in_grid(bounds) || box < other) pairs.push_back(std::minmax(box, other));  // two large ones: once
  }
}

void BoundsGrid::append_bucket(std::uint32_t bucket, Gathered& boxes,
                               std::vector<std::pair<int, int>>& pairs) const {
  const int* first = entries_.data() + bucket_begin_[bucket];
  const int count = int(bucket_begin_[bucket + 1] - bucket_begin_[bucket]);
  boxes.gather(bounds_, first, count);
  for (int i = 0; i + 1 < count; ++i) {
    const int found = boxes.find_hits(i);
    for (int hit = 0; hit < found; ++hit) {
      const int j = boxes.hits[hit];
      const Eigen::Array3f corner = bounds_[first[i]].low.max(bounds_[first[j]].low);
      if (bucket_of(cell_of(corner)) == bucket) pairs.emplace_back(first[i], first[j]);
    }
  }
}

}  // namespace capstan

#pragma once
#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace capstan {

/// An axis-aligned box. Single precision is enough to sort out what is far apart: round outwards.
struct Bounds {
  Eigen::Array3f low, high;
  /// Rounded outwards by a little more than the unit of single precision.
  static Bounds around(const Eigen::Array3d& low, const Eigen::Array3d& high) {
    const Eigen::Array3d slack = 0x1p-22 * low.abs().max(high.abs());
    return {(low - slack).cast<float>(), (high + slack).cast<float>()};
  }
  static Bounds none() { return {Eigen::Array3f::Constant(1), Eigen::Array3f::Constant(-1)}; }
  bool empty() const { return !(low <= high).all(); }
  bool meets(const Bounds& other) const { return (low <= other.high && other.low <= high).all(); }
};

/// Finds the pairs of boxes that meet with a uniform grid whose cells are hashed to buckets. A pair is found
/// in every cell that both boxes touch; it is kept only in the bucket of the cell that holds the smallest
/// corner of their intersection, so each pair comes once and no set of pairs is needed. The buckets are
/// filled by a counting sort and visited in chunks whose number does not depend on the threads.
class BoundsGrid {
 public:
  /// Empty boxes meet nothing.
  explicit BoundsGrid(std::vector<Bounds> bounds);

  int chunks() const { return int(chunk_begin_.size()) - 1 + int(large_.size()); }
  /// All pairs (i < j) of a chunk. Any two chunks may be visited at the same time.
  void append_pairs(int chunk, std::vector<std::pair<int, int>>& pairs) const;

 private:
  using Cell = std::array<std::int32_t, 3>;
  struct Gathered;

  Cell cell_of(const Eigen::Array3f& corner) const {
    const Eigen::Array3f at = (corner - origin_) * inverse_cell_;  // never negative: truncation is floor
    return {std::int32_t(at[0]), std::int32_t(at[1]), std::int32_t(at[2])};
  }
  /// Cells are counted row by row, modulo the number of buckets: neighbours in space are so in memory.
  std::uint32_t bucket_of(const Cell& cell) const {
    const std::uint64_t row =
        std::uint64_t(cell[2]) * std::uint64_t(last_cell_[1] + 1) + std::uint64_t(cell[1]);
    return std::uint32_t((row * std::uint64_t(last_cell_[0] + 1) + std::uint64_t(cell[0])) & bucket_mask_);
  }
  void choose_cell_size();
  std::size_t cells_of(const Bounds& box) const;
  bool in_grid(const Bounds& box) const;
  std::size_t count_cells() const;
  template <class Visit>
  void for_each_bucket(int box, Visit visit) const;
  void fill_buckets();
  void divide_work();
  void append_bucket(std::uint32_t bucket, Gathered& boxes, std::vector<std::pair<int, int>>& pairs) const;

  void append_large(int box, std::vector<std::pair<int, int>>& pairs) const;

  std::vector<Bounds> bounds_;
  std::vector<int> large_;
  Eigen::Array3f origin_ = Eigen::Array3f::Zero();
  float extent_ = 0, inverse_cell_ = 1;
  Cell last_cell_ = {0, 0, 0};
  std::uint64_t bucket_mask_ = 0;            // number of buckets - 1, a power of two less one
  std::vector<std::uint32_t> bucket_begin_;  // into entries_, one more than buckets
  std::vector<int> entries_;                 // boxes, bucket by bucket, rising
  std::vector<std::uint32_t> chunk_begin_;   // buckets
};

}  // namespace capstan

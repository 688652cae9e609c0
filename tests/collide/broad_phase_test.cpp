#include "capstan/collide/broad_phase.hpp"

#include <algorithm>

#include "collide/support.hpp"

namespace capstan::test {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

Pairs found_by_grid(const std::vector<Bounds>& bounds) {
  const BoundsGrid grid(bounds);
  Pairs pairs;
  for (int chunk = 0; chunk < grid.chunks(); ++chunk) grid.append_pairs(chunk, pairs);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Pairs found_by_trying_all(const std::vector<Bounds>& bounds) {
  Pairs pairs;
  for (int i = 0; i < int(bounds.size()); ++i)
    for (int j = i + 1; j < int(bounds.size()); ++j)
      if (!bounds[i].empty() && !bounds[j].empty() && bounds[i].meets(bounds[j])) pairs.emplace_back(i, j);
  return pairs;
}

/// Sizes spread evenly in their logarithm.
std::vector<Bounds> random_boxes(std::uint64_t seed, int count, double smallest, double largest) {
  Random random(seed);
  std::vector<Bounds> boxes;
  for (int i = 0; i < count; ++i) {
    const Eigen::Array3f low = random_point(random).cast<float>();
    const double size = smallest * std::pow(largest / smallest, random.uniform(0, 1));
    const Eigen::Array3f extent = (size * random_point(random).cwiseAbs()).cast<float>();
    boxes.push_back({low, low + extent});
  }
  return boxes;
}

// Equality of sorted lists: none missing, none twice.
TEST(BoundsGrid, FindsEveryPairOnce) {
  for (const double largest : {0.2, 0.6, 3.0}) {
    const std::vector<Bounds> boxes = random_boxes(5, 1500, 0.1, largest);
    const Pairs expected = found_by_trying_all(boxes);
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(found_by_grid(boxes), expected);
  }
}

// Few buckets: many cells share one.
TEST(BoundsGrid, FindsEveryPairOnceWhenCellsShareBuckets) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::vector<Bounds> boxes = random_boxes(seed, 12, 0.2, 1.0);
    EXPECT_EQ(found_by_grid(boxes), found_by_trying_all(boxes)) << seed;
  }
}

TEST(BoundsGrid, BearsOneBoxThatIsFarAndTwoThatAreHuge) {
  std::vector<Bounds> boxes = random_boxes(6, 500, 0.05, 0.2);
  boxes.push_back({Eigen::Array3f::Constant(1e6f), Eigen::Array3f::Constant(1e6f)});
  boxes.insert(boxes.begin() + 7, {Eigen::Array3f::Constant(-3e3f), Eigen::Array3f::Constant(3e3f)});
  boxes.push_back({Eigen::Array3f::Constant(-2e3f), Eigen::Array3f::Constant(4e3f)});
  const Pairs pairs = found_by_grid(boxes);
  EXPECT_EQ(pairs, found_by_trying_all(boxes));
  EXPECT_GE(pairs.size(), 1001u);
}

TEST(BoundsGrid, LeavesOutEmptyBoxesAndBearsEmptyScenes) {
  EXPECT_TRUE(found_by_grid({}).empty());
  EXPECT_TRUE(found_by_grid({Bounds::none(), Bounds::none()}).empty());
  const Bounds box{Eigen::Array3f::Constant(1), Eigen::Array3f::Constant(1)};
  EXPECT_EQ(found_by_grid({Bounds::none(), box, box, Bounds::none()}), (Pairs{{1, 2}}));
}

}  // namespace
}  // namespace capstan::test

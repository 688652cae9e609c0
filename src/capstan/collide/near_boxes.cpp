#include "capstan/collide/near_boxes.hpp"

#include <algorithm>
#include <numeric>

namespace capstan {

NearBoxes::NearBoxes(std::vector<Bounds> boxes, const std::function<bool(int, int)>& wanted,
                     const Executor& executor) {
  const int count = int(boxes.size());
  const BoundsGrid grid(std::move(boxes));
  std::vector<std::vector<std::pair<int, int>>> parts(grid.chunks());
  executor.for_each(grid.chunks(), [&](int chunk) {
    grid.append_pairs(chunk, parts[chunk]);
    std::erase_if(parts[chunk], [&](const auto& pair) { return !wanted(pair.first, pair.second); });
  });
  begin_.assign(count + 1, 0);
  for (const auto& part : parts)
    for (const auto& [i, j] : part) ++begin_[i + 1], ++begin_[j + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  near_.resize(begin_.back());
  std::vector<int> next(begin_.begin(), begin_.end() - 1);
  for (const auto& part : parts)
    for (const auto& [i, j] : part) near_[next[i]++] = j, near_[next[j]++] = i;
  for_each_chunk(executor, count, [&](int first, int last) {
    for (int i = first; i < last; ++i) std::sort(near_.begin() + begin_[i], near_.begin() + begin_[i + 1]);
  });
}

}  // namespace capstan

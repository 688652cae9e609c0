#pragma once
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "capstan/collide/broad_phase.hpp"
#include "capstan/executor.hpp"

namespace capstan {

/// For each box those that meet it: what a feature needs to know about all that is near it at once.
class NearBoxes {
 public:
  /// Only pairs (i < j) with wanted(i, j). Does not depend on the threads.
  NearBoxes(std::vector<Bounds> boxes, const std::function<bool(int, int)>& wanted, const Executor& executor);

  /// Rising.
  std::span<const int> of(int box) const {
    return std::span(near_).subspan(begin_[box], begin_[box + 1] - begin_[box]);
  }

 private:
  std::vector<int> begin_, near_;
};

}  // namespace capstan

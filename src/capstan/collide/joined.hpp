#pragma once
#include <vector>

namespace capstan {

/// What the chunks of a parallel loop found, in their order.
template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& parts) {
  std::size_t count = 0;
  for (const auto& part : parts) count += part.size();
  std::vector<T> all;
  all.reserve(count);
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace capstan

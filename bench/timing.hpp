#pragma once
#include <algorithm>
#include <ctime>
#include <vector>

namespace capstan::bench {

/// Processor time of all threads, s: what else the machine does counts less than on a clock.
template <class F>
double processor_seconds(F&& f) {
  const std::clock_t start = std::clock();
  f();
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Of a list that is not empty.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace capstan::bench

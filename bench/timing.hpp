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

/// The value below which `part` of a list lies that is not empty: 0 is the least one.
inline double quantile(std::vector<double> values, double part) {
  const auto at = values.begin() + std::ptrdiff_t(part * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace capstan::bench

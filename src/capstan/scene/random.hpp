#pragma once
#include <cstdint>

namespace capstan::scene_text {

/// SplitMix64 (Steele, Lea, Flood 2014): grooms must not depend on the standard library's distributions. The
/// same generator as sample/random.hpp, which cannot be included beside capstan::sample(), a function.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Evenly in [low, high).
  double uniform(double low, double high) { return low + (high - low) * (double(bits() >> 11) * 0x1p-53); }

 private:
  std::uint64_t state_;
};

}  // namespace capstan::scene_text

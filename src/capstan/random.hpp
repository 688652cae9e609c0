#pragma once
#include <cstdint>

namespace capstan {

/// A counter through the 64-bit mixing function of SplitMix64 (Steele, Lea, Flood 2014). The distributions of
/// the standard library differ from one library to the next; samples and grooms must not.
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

}  // namespace capstan

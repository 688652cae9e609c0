#pragma once
#include <vector>

#include "capstan/law/pair_friction.hpp"

namespace capstan {

/// Friction of every pair of families of surfaces; a family is whatever shares a material and its exceptions.
class PairTable {
 public:
  explicit PairTable(int families = 0, const PairFriction& all = {});

  int families() const { return families_; }
  /// As seen from a contact whose A is of family a.
  const PairFriction& operator()(int a, int b) const { return pairs_[index(a, b)]; }
  /// Sets (a, b), and (b, a) with the names of the bodies exchanged. Throws InputError unless the pair is
  /// sound and both families exist.
  void set(int a, int b, const PairFriction& pair);
  bool any_adhesion() const;  ///< whether any pair may stick

 private:
  std::size_t index(int a, int b) const { return static_cast<std::size_t>(a) * families_ + b; }

  int families_ = 0;
  std::vector<PairFriction> pairs_;
};

}  // namespace capstan

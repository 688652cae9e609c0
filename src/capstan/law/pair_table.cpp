#include "capstan/law/pair_table.hpp"

#include <algorithm>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {

PairTable::PairTable(int families, const PairFriction& all)
    : families_(families), pairs_(static_cast<std::size_t>(families) * families, all) {
  check(all);
}

void PairTable::set(int a, int b, const PairFriction& pair) {
  check(pair);
  for (const int family : {a, b})
    if (family < 0 || family >= families_)
      throw InputError("friction: there is no family " + std::to_string(family) + ", expected below " +
                       std::to_string(families_));
  pairs_[index(b, a)] = swapped(pair);
  pairs_[index(a, b)] = pair;
}

bool PairTable::any_adhesion() const {
  return std::any_of(pairs_.begin(), pairs_.end(),
                     [](const PairFriction& pair) { return pair.adhesion.has_value(); });
}

}  // namespace capstan

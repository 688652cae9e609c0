#pragma once
#include "capstan/solve/solver.hpp"

namespace capstan {

struct WorkingSetOptions {
  int max_rounds = 8;         ///< of adding contacts that close after all
  double largest_part = 0.7;  ///< of all contacts that a group may have: with more, solve them all at once
};

/// Second order on the contacts that matter, from a first guess that sweeps have found. Most contacts of a
/// step are open and stay so, and without them a problem falls apart into small ones. Those that bear an
/// impulse or close are solved directly, each group that shares bodies on its own, by the interior point
/// method; contacts that the answer would close join them, until there are none. A light body between two
/// heavy ones, which costs sweeps in proportion to the ratio of the masses, is such a group.
///
/// A group is left as it is if it meets the tolerance, if it has more than context.most_direct_rows rows or
/// nearly all of them, or if its solve would not end within the work that is left. Returns `stalled` if
/// contacts are left that do not meet the tolerance.
Status solve_working_set(const SolverContext& context, const WorkingSetOptions& options = {});

}  // namespace capstan

#pragma once
#include "bench/peers.hpp"

namespace capstan::bench {

/// The three-dimensional friction solvers of Siconos/numerics on the reduced problem u = W r + q.
std::vector<Peer> siconos_peers();

}  // namespace capstan::bench

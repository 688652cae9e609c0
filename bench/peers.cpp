#include "bench/peers.hpp"

#ifdef CAPSTAN_WITH_SICONOS
#include "bench/siconos_peer.hpp"
#endif

namespace capstan::bench {

std::vector<Peer> peers() {
#ifdef CAPSTAN_WITH_SICONOS
  return siconos_peers();
#else
  return {};
#endif
}

}  // namespace capstan::bench

#include "capstan/solve/sweep/body_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace capstan {
namespace {

/// Steps from contact to contact, breadth first, and on from island to island.
std::vector<double> levels(const ContactJacobian& H) {
  const ContactJacobian::ByBody touching = H.by_body();
  std::vector<double> level(H.bodies(), -1);
  std::vector<int> queue;
  queue.reserve(H.bodies());
  for (int start = 0; start < H.bodies(); ++start) {
    if (level[start] >= 0) continue;
    level[start] = queue.empty() ? 0 : level[queue.back()] + 1;
    queue.push_back(start);
    for (std::size_t next = queue.size() - 1; next < queue.size(); ++next)
      for (int e = touching.start[queue[next]]; e < touching.start[queue[next] + 1]; ++e) {
        const int contact = touching.contact[e];
        for (int k = H.begin(contact); k < H.end(contact); ++k)
          if (const int body = H.body(k); level[body] < 0) {
            level[body] = level[queue[next]] + 1;
            queue.push_back(body);
          }
      }
  }
  return level;
}

/// Every body at the mean of itself and of all that touch it.
void smooth(const ContactJacobian& H, std::vector<double>& x) {
  std::vector<double> sum = x;
  std::vector<int> count(x.size(), 1);
  for (int i = 0; i < H.contacts(); ++i)
    for (int k = H.begin(i); k < H.end(i); ++k)
      for (int l = H.begin(i); l < H.end(i); ++l) {
        if (k == l) continue;
        sum[H.body(k)] += x[H.body(l)];
        ++count[H.body(k)];
      }
  for (std::size_t body = 0; body < x.size(); ++body) x[body] = sum[body] / count[body];
}

}  // namespace

/// Levels of a search are whole numbers, so that a cut between two halves of the bodies runs through one of
/// them anyhow; smoothed, it finds a way (rods_50k: 5.4 % of the contacts lie across, 3.0 % after two rounds,
/// 2.6 % after six).
std::vector<int> neighbours_together(const ContactJacobian& H) {
  constexpr int kRounds = 2;
  std::vector<double> at = levels(H);
  for (int round = 0; round < kRounds; ++round) smooth(H, at);
  std::vector<int> order(H.bodies());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::pair(at[a], a) < std::pair(at[b], b); });
  return order;
}

}  // namespace capstan

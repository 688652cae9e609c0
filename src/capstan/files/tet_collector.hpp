#pragma once
#include <limits>
#include <unordered_map>

#include "capstan/files/tet_files.hpp"
#include "capstan/files/text_scanner.hpp"

namespace capstan::files {

inline constexpr int kLargest = std::numeric_limits<int>::max(), kSmallest = std::numeric_limits<int>::min();

/// Puts a TetFile together as it is read. Nodes can have any numbers; these come before the points, which
/// follow in the same order.
class TetCollector {
 public:
  /// Refuses one that was there before.
  int read_number(TextScanner& in, int low, int high);
  void read_point(TextScanner& in);
  /// Four numbers of nodes.
  void read_tet(TextScanner& in);
  int nodes() const { return static_cast<int>(x_.size()); }
  /// Refuses a file without tets.
  TetFile finish(const TextScanner& in) &&;

 private:
  void turn_round();
  void drop_unused_nodes();

  std::vector<Eigen::Vector3d> x_;
  std::unordered_map<int, int> place_;  // of the node of this number
  std::vector<std::array<int, 4>> tets_;
};

}  // namespace capstan::files

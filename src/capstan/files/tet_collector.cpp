#include "capstan/files/tet_collector.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

namespace capstan::files {

int TetCollector::read_number(TextScanner& in, int low, int high) {
  const int number = in.integer("the number of a node", low, high);
  if (!place_.emplace(number, static_cast<int>(place_.size())).second)
    in.refuse("the number of a node that was not there before");
  return number;
}

void TetCollector::read_point(TextScanner& in) {
  Eigen::Vector3d x;
  for (double& coordinate : x) coordinate = in.number("a coordinate");
  x_.push_back(x);
}

void TetCollector::read_tet(TextScanner& in) {
  std::array<int, 4> tet{-1, -1, -1, -1};
  for (int& node : tet) {
    const auto number = in.try_integer();
    const auto found = number ? place_.find(*number) : place_.end();
    if (found == place_.end()) in.refuse("the number of one of the " + std::to_string(x_.size()) + " nodes");
    if (std::count(tet.begin(), tet.end(), found->second) > 0) in.refuse("four different nodes");
    node = found->second;
  }
  tets_.push_back(tet);
}

void TetCollector::turn_round() {
  for (std::array<int, 4>& tet : tets_) {
    const Eigen::Vector3d &x = x_[tet[0]], a = x_[tet[1]] - x, b = x_[tet[2]] - x, c = x_[tet[3]] - x;
    if (a.cross(b).dot(c) < 0) std::swap(tet[2], tet[3]);
  }
}

void TetCollector::drop_unused_nodes() {
  std::vector<int> place(x_.size(), -1);
  for (const std::array<int, 4>& tet : tets_)
    for (const int node : tet) place[node] = 0;
  int count = 0;
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (place[i] == 0) {
      x_[count] = x_[i];
      place[i] = count++;
    }
  x_.resize(count);
  for (std::array<int, 4>& tet : tets_)
    for (int& node : tet) node = place[node];
}

TetFile TetCollector::finish(const TextScanner& in) && {
  if (tets_.empty()) in.refuse_with("the file has no tets");
  turn_round();
  drop_unused_nodes();
  TetFile file;
  file.x.resize(3, Eigen::Index(x_.size()));
  for (std::size_t i = 0; i < x_.size(); ++i) file.x.col(Eigen::Index(i)) = x_[i];
  file.tets = std::move(tets_);
  return file;
}

}  // namespace capstan::files

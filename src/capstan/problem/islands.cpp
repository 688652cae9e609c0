#include <algorithm>
#include <numeric>

#include "capstan/problem/canonical_problem.hpp"

namespace capstan {
namespace {

class DisjointSets {
 public:
  explicit DisjointSets(int count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int i, int j) {
    const auto [low, high] = std::minmax({find(i), find(j)});
    parent_[high] = low;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace

std::vector<std::vector<int>> CanonicalProblem::islands() const {
  DisjointSets sets(contacts_);
  if (bodies_) {
    std::vector<int> first(bodies_->H.bodies(), -1);
    for (int i = 0; i < contacts_; ++i)
      for (int k = bodies_->H.begin(i); k < bodies_->H.end(i); ++k) {
        int& other = first[bodies_->H.body(k)];
        if (other < 0)
          other = i;
        else
          sets.join(i, other);
      }
  } else if (nodes_) {
    const std::vector<int> block_of = blocks_of_bodies(nodes_->M, nodes_->H);
    std::vector<int> first(nodes_->M.bodies(), -1);
    for (int i = 0; i < contacts_; ++i)
      for (int k = nodes_->H.begin(i); k < nodes_->H.end(i); ++k) {
        int& other = first[block_of[nodes_->H.body(k)]];
        if (other < 0)
          other = i;
        else
          sets.join(i, other);
      }
  } else {
    for (int i = 0; i < contacts_; ++i)
      for (int k = W_->row_begin(i); k < W_->row_end(i); ++k)
        if (W_->column(k) != i && (W_->at(k).array() != 0).any()) sets.join(i, W_->column(k));
  }
  std::vector<std::vector<int>> result;
  std::vector<int> group(contacts_, -1);
  for (int i = 0; i < contacts_; ++i) {
    const int root = sets.find(i);
    if (group[root] < 0) {
      group[root] = static_cast<int>(result.size());
      result.emplace_back();
    }
    result[group[root]].push_back(i);
  }
  return result;
}

}  // namespace capstan

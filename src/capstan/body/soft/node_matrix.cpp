#include "capstan/body/soft/node_matrix.hpp"

#include <algorithm>
#include <cassert>

namespace capstan {

NodeMatrix::NodeMatrix(int nodes, const std::vector<std::pair<int, int>>& couplings) {
  std::vector<std::vector<int>> rows(nodes);
  for (int j = 0; j < nodes; ++j) rows[j].push_back(j);
  for (const auto& [i, j] : couplings) rows[std::min(i, j)].push_back(std::max(i, j));
  for (std::vector<int>& column : rows) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    row_.insert(row_.end(), column.begin(), column.end());
    start_.push_back(static_cast<int>(row_.size()));
  }
  block_.assign(row_.size(), Eigen::Matrix3d::Zero());
}

void NodeMatrix::set_zero() { std::fill(block_.begin(), block_.end(), Eigen::Matrix3d::Zero()); }

int NodeMatrix::find(int row, int column) const {
  const auto begin = row_.begin() + start_[column], end = row_.begin() + start_[column + 1];
  const auto found = std::lower_bound(begin, end, row);
  assert(found != end && *found == row);
  return static_cast<int>(found - row_.begin());
}

void NodeMatrix::add(int i, int j, const Eigen::Matrix3d& block) {
  if (i >= j)
    block_[find(i, j)] += block;
  else
    block_[find(j, i)] += block.transpose();
}

NodeMatrix& NodeMatrix::operator+=(const NodeMatrix& other) {
  assert(row_ == other.row_);
  for (std::size_t k = 0; k < block_.size(); ++k) block_[k] += other.block_[k];
  return *this;
}

NodeMatrix& NodeMatrix::operator*=(double factor) {
  for (Eigen::Matrix3d& block : block_) block *= factor;
  return *this;
}

Eigen::Matrix3Xd NodeMatrix::times(const Eigen::Matrix3Xd& x) const {
  Eigen::Matrix3Xd y = Eigen::Matrix3Xd::Zero(3, nodes());
  for (int j = 0; j < nodes(); ++j)
    for (int k = start_[j]; k < start_[j + 1]; ++k) {
      const int i = row_[k];
      y.col(i).noalias() += block_[k] * x.col(j);
      if (i != j) y.col(j).noalias() += block_[k].transpose() * x.col(i);
    }
  return y;
}

Eigen::SparseMatrix<double> NodeMatrix::lower(const std::vector<int>& keep,
                                              const std::vector<int>& index) const {
  const int n = 3 * static_cast<int>(keep.size());
  Eigen::SparseMatrix<double> result(n, n);
  result.reserve(Eigen::Index(9) * Eigen::Index(row_.size()));
  for (const int j : keep)
    for (int c = 0; c < 3; ++c) {
      result.startVec(3 * index[j] + c);
      for (int k = start_[j]; k < start_[j + 1]; ++k) {
        const int i = index[row_[k]];
        if (i < 0) continue;
        for (int r = row_[k] == j ? c : 0; r < 3; ++r)
          result.insertBack(3 * i + r, 3 * index[j] + c) = block_[k](r, c);
      }
    }
  result.finalize();
  return result;
}

}  // namespace capstan

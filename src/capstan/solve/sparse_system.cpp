#include "capstan/solve/sparse_system.hpp"

#include <algorithm>

namespace capstan {

SparseSystem::SparseSystem(const NodeSpace& space) : space_(space) {
  lay_out_groups();
  lay_out_columns();
  put_mass();
  find_pairs();
  K_ = mass_;
  factor_.analyse(K_, group_start_);
}

void SparseSystem::lay_out_groups() {
  const MassMatrix& M = space_.M;
  const ContactJacobian& H = space_.H;
  group_start_ = {0};
  for (int block = 0; block < M.bodies(); ++block) {
    first_group_.push_back(static_cast<int>(group_start_.size()) - 1);
    const ReachedNodes* const reached = M.factor(block).reached();
    const int size = M.dof_starts()[block + 1] - M.dof_starts()[block];
    const int pieces = reached ? reached->body->nodes() : 1;
    for (int k = 0; k < pieces; ++k) group_start_.push_back(group_start_.back() + (reached ? 3 : size));
  }
  const std::vector<int> block_of = blocks_of_bodies(M, H);
  for (int body = 0; body < H.bodies(); ++body) {
    const int block = block_of[body];
    const ReachedNodes* const reached = M.factor(block).reached();
    const int place = (H.dof_start(body) - M.dof_starts()[block]) / 3;
    group_of_.push_back(first_group_[block] + (reached ? reached->nodes[place] : 0));
  }
}

/// The pattern of K: groups that M or a contact couples.
void SparseSystem::lay_out_columns() {
  const int groups = static_cast<int>(group_start_.size()) - 1;
  row_groups_.resize(groups);
  const auto couple = [&](int a, int b) {
    if (a != b) row_groups_[std::min(a, b)].push_back(std::max(a, b));
  };
  for (int block = 0; block < space_.M.bodies(); ++block)
    if (const ReachedNodes* const reached = space_.M.factor(block).reached()) {
      const auto& lower = reached->body->lower;
      for (int c = 0; c < lower.cols(); c += 3)
        for (int k = lower.outerIndexPtr()[c]; k < lower.outerIndexPtr()[c + 1]; ++k)
          couple(first_group_[block] + c / 3, first_group_[block] + lower.innerIndexPtr()[k] / 3);
    }
  for (int i = 0; i < space_.H.contacts(); ++i)
    for (int a = space_.H.begin(i); a < space_.H.end(i); ++a)
      for (int b = space_.H.begin(i); b < a; ++b)
        couple(group_of_[space_.H.body(a)], group_of_[space_.H.body(b)]);
  mass_.resize(size(), size());
  std::vector<int> counts(size());
  row_offset_.resize(groups);
  for (int g = 0; g < groups; ++g) {
    std::vector<int>& rows = row_groups_[g];
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    int below = 0;
    for (const int r : rows) {
      row_offset_[g].push_back(below);
      below += width(r);
    }
    for (int c = 0; c < width(g); ++c) counts[group_start_[g] + c] = width(g) - c + below;
  }
  mass_.reserve(counts);
  for (int g = 0; g < groups; ++g)
    for (int c = group_start_[g]; c < group_start_[g + 1]; ++c) {
      for (int r = c; r < group_start_[g + 1]; ++r) mass_.insert(r, c) = 0;
      for (const int other : row_groups_[g])
        for (int r = group_start_[other]; r < group_start_[other + 1]; ++r) mass_.insert(r, c) = 0;
    }
  mass_.makeCompressed();
}

void SparseSystem::put_mass() {
  for (int block = 0; block < space_.M.bodies(); ++block) {
    const int first = group_start_[first_group_[block]];
    const ReachedNodes* const reached = space_.M.factor(block).reached();
    if (!reached) {
      const Eigen::MatrixXd M = dense(space_.M.block(block));
      for (int c = 0; c < M.cols(); ++c)
        for (int r = c; r < M.rows(); ++r)
          mass_.valuePtr()[mass_.outerIndexPtr()[first + c] + r - c] = M(r, c);
      continue;
    }
    const auto& lower = reached->body->lower;
    for (int c = 0; c < lower.cols(); ++c) {
      int to = mass_.outerIndexPtr()[first + c];
      for (int k = lower.outerIndexPtr()[c]; k < lower.outerIndexPtr()[c + 1]; ++k) {
        while (mass_.innerIndexPtr()[to] != first + lower.innerIndexPtr()[k]) ++to;
        mass_.valuePtr()[to] = lower.valuePtr()[k];
      }
    }
  }
}

void SparseSystem::find_pairs() {
  for (int i = 0; i < space_.H.contacts(); ++i)
    for (int a = space_.H.begin(i); a < space_.H.end(i); ++a)
      for (int b = space_.H.begin(i); b < space_.H.end(i); ++b) {
        const int row = group_of_[space_.H.body(a)], column = group_of_[space_.H.body(b)];
        if (row < column) continue;
        int offset = -1;
        if (row > column) {
          const auto& rows = row_groups_[column];
          offset = row_offset_[column][std::lower_bound(rows.begin(), rows.end(), row) - rows.begin()];
        }
        pairs_.push_back({i, a, b, offset});
      }
}

bool SparseSystem::factorise(const Eigen::MatrixXd& B) {
  const int d = space_.H.dimension();
  std::copy(mass_.valuePtr(), mass_.valuePtr() + mass_.nonZeros(), K_.valuePtr());
  Eigen::MatrixXd product, right;
  for (const Pair& pair : pairs_) {
    const auto B_i = B.middleCols(Eigen::Index(pair.contact) * d, d);
    if (B_i.isZero(0)) continue;
    right.noalias() = B_i * space_.H.block(pair.column_entry);
    product.noalias() = space_.H.block(pair.row_entry).transpose() * right;
    const int column = start_of(pair.column_entry), n = static_cast<int>(product.cols());
    for (int c = 0; c < n; ++c) {
      double* const to = K_.valuePtr() + K_.outerIndexPtr()[column + c];
      if (pair.offset < 0)
        for (int r = c; r < n; ++r) to[r - c] += product(r, c);
      else
        for (int r = 0; r < product.rows(); ++r) to[n - c + pair.offset + r] += product(r, c);
    }
  }
  return factor_.factorise(K_);
}

Eigen::VectorXd SparseSystem::load() const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(size());
  for (int body = 0; body < space_.H.bodies(); ++body)
    result.segment(group_start_[group_of_[body]], space_.H.body_dofs(body)) =
        space_.f.segment(space_.H.dof_start(body), space_.H.body_dofs(body));
  return result;
}

Eigen::VectorXd SparseSystem::solve_mass(const Eigen::VectorXd& b) const {
  Eigen::VectorXd v(size());
  for (int block = 0; block < space_.M.bodies(); ++block) {
    const int first = group_start_[first_group_[block]];
    const int last = block + 1 < space_.M.bodies() ? group_start_[first_group_[block + 1]] : size();
    const ReachedNodes* const reached = space_.M.factor(block).reached();
    const Eigen::VectorXd own = b.segment(first, last - first);
    v.segment(first, last - first) =
        reached ? reached->body->factor.solve(own) : space_.M.factor(block).solve(own);
  }
  return v;
}

Eigen::VectorXd SparseSystem::multiply_mass(const Eigen::VectorXd& v) const {
  return mass_.selfadjointView<Eigen::Lower>() * v;
}

Eigen::VectorXd SparseSystem::multiply(const Eigen::VectorXd& v) const {
  const int d = space_.H.dimension();
  Eigen::VectorXd u = Eigen::VectorXd::Zero(Eigen::Index(space_.H.contacts()) * d);
  for (int i = 0; i < space_.H.contacts(); ++i)
    for (int k = space_.H.begin(i); k < space_.H.end(i); ++k)
      u.segment(Eigen::Index(i) * d, d).noalias() +=
          space_.H.block(k).lazyProduct(v.segment(start_of(k), space_.H.body_dofs(space_.H.body(k))));
  return u;
}

Eigen::VectorXd SparseSystem::multiply_transposed(const Eigen::VectorXd& x) const {
  const int d = space_.H.dimension();
  Eigen::VectorXd f = Eigen::VectorXd::Zero(size());
  for (int i = 0; i < space_.H.contacts(); ++i)
    for (int k = space_.H.begin(i); k < space_.H.end(i); ++k)
      f.segment(start_of(k), space_.H.body_dofs(space_.H.body(k))).noalias() +=
          space_.H.block(k).transpose().lazyProduct(x.segment(Eigen::Index(i) * d, d));
  return f;
}

}  // namespace capstan

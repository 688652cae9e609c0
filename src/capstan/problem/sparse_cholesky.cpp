#include "capstan/problem/sparse_cholesky.hpp"

#include <Eigen/Cholesky>
#include <Eigen/OrderingMethods>
#include <algorithm>
#include <numeric>

#include "capstan/problem/front_kernel.hpp"

namespace capstan {
namespace {

using Lists = std::vector<std::vector<int>>;

/// Groups that A couples, each with all its neighbours, rising.
Lists graph_of_groups(const Eigen::SparseMatrix<double>& lower, const std::vector<int>& group_start) {
  const int groups = static_cast<int>(group_start.size()) - 1;
  std::vector<int> group_of(lower.cols());
  for (int g = 0; g < groups; ++g)
    std::fill(group_of.begin() + group_start[g], group_of.begin() + group_start[g + 1], g);
  Lists neighbours(groups);
  std::vector<int> seen(groups, -1);
  for (int g = 0; g < groups; ++g) {
    seen[g] = g;
    for (int c = group_start[g]; c < group_start[g + 1]; ++c)
      for (int k = lower.outerIndexPtr()[c]; k < lower.outerIndexPtr()[c + 1]; ++k) {
        const int other = group_of[lower.innerIndexPtr()[k]];
        if (seen[other] == g) continue;
        seen[other] = g;
        neighbours[g].push_back(other);
        neighbours[other].push_back(g);
      }
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

/// Returns the groups in the order of elimination.
std::vector<int> minimum_degree(const Lists& neighbours) {
  const int n = static_cast<int>(neighbours.size());
  Eigen::SparseMatrix<double> pattern(n, n);
  std::vector<int> counts(n);
  for (int g = 0; g < n; ++g) counts[g] = static_cast<int>(neighbours[g].size()) + 1;
  pattern.reserve(counts);
  for (int g = 0; g < n; ++g) {
    pattern.insert(g, g) = 1;
    for (const int other : neighbours[g]) pattern.insert(other, g) = 1;
  }
  pattern.makeCompressed();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(pattern, order);
  return {order.indices().data(), order.indices().data() + n};
}

std::vector<int> inverse_of(const std::vector<int>& order) {
  std::vector<int> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  return place;
}

/// The elimination tree: the first later group that each one couples to.
std::vector<int> elimination_tree(const Lists& neighbours, const std::vector<int>& order) {
  const std::vector<int> place = inverse_of(order);
  std::vector<int> parent(order.size(), -1), ancestor(order.size(), -1);
  for (int k = 0; k < static_cast<int>(order.size()); ++k)
    for (const int other : neighbours[order[k]])
      for (int i = place[other]; i >= 0 && i < k;) {
        const int next = ancestor[i];
        ancestor[i] = k;
        if (next < 0) parent[i] = k;
        i = next;
      }
  return parent;
}

/// Children before their parents, each subtree in one piece.
std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> first(n + 1, -1), next(n, -1), result, stack;
  for (int k = n - 1; k >= 0; --k) {
    const int p = parent[k] < 0 ? n : parent[k];
    next[k] = first[p];
    first[p] = k;
  }
  for (int root = first[n]; root >= 0; root = next[root]) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int k = stack.back(), child = first[k];
      if (child >= 0) {
        first[k] = next[child];
        stack.push_back(child);
      } else {
        result.push_back(k);
        stack.pop_back();
      }
    }
  }
  return result;
}

}  // namespace

/// Groups in the order of elimination, and the fronts they form.
struct SparseCholesky::Symbolic {
  std::vector<int> order;        // groups
  std::vector<int> unknowns;     // before each place of `order`, and at the end their number
  Lists rows;                    // of each front: later places, rising
  std::vector<int> first_place;  // of each front, and at the end their number
  std::vector<int> parent;

  Symbolic(const Eigen::SparseMatrix<double>& lower, const std::vector<int>& group_start) {
    const Lists neighbours = graph_of_groups(lower, group_start);
    order = minimum_degree(neighbours);
    const std::vector<int> tree = elimination_tree(neighbours, order), post = postorder(tree);
    const std::vector<int> new_place = inverse_of(post);
    std::vector<int> reordered(order.size()), parents(order.size(), -1);
    for (std::size_t k = 0; k < post.size(); ++k) {
      reordered[k] = order[post[k]];
      if (tree[post[k]] >= 0) parents[k] = new_place[tree[post[k]]];
    }
    order = std::move(reordered);
    unknowns.assign(1, 0);
    for (const int g : order) unknowns.push_back(unknowns.back() + group_start[g + 1] - group_start[g]);
    find_fronts(neighbours, parents);
  }

 private:
  int width(int place) const { return unknowns[place + 1] - unknowns[place]; }
  int columns(int front) const { return unknowns[first_place[front + 1]] - unknowns[first_place[front]]; }
  static int total(const std::vector<int>& places, const std::vector<int>& starts) {
    int sum = 0;
    for (const int place : places) sum += starts[place + 1] - starts[place];
    return sum;
  }

  /// A front under construction: a run of places.
  struct Run {
    int first, last;
    std::vector<int> rows;
    double columns, below, zeros;
    double entries() const { return columns * (0.5 * columns + below); }
  };

  /// Whether so many zeros may be kept for the sake of a larger block.
  static bool is_worth(const Run& merged) {
    if (merged.columns <= 12) return true;
    const double part = merged.zeros / merged.entries();
    return merged.columns <= 48 ? part < 0.3 : part < 0.08;
  }

  /// Merges each place with the run that ends before it, as long as few zeros come of it.
  void find_fronts(const Lists& neighbours, const std::vector<int>& parents) {
    const std::vector<int> place = inverse_of(order);
    const int n = static_cast<int>(order.size());
    Lists pattern(n), children(n);
    std::vector<int> seen(n, -1);
    std::vector<Run> runs;
    for (int k = 0; k < n; ++k) {
      seen[k] = k;
      std::vector<int>& later = pattern[k];
      const auto add = [&](int i) {
        if (i > k && seen[i] != k) {
          seen[i] = k;
          later.push_back(i);
        }
      };
      for (const int other : neighbours[order[k]]) add(place[other]);
      for (const int child : children[k]) {
        for (const int i : pattern[child]) add(i);
        // Its pattern lives on in its run.
        std::vector<int>().swap(pattern[child]);
      }
      std::sort(later.begin(), later.end());
      if (parents[k] >= 0) children[parents[k]].push_back(k);
      Run run{k, k + 1, later, double(width(k)), double(total(later, unknowns)), 0};
      while (!runs.empty() && runs.back().last == run.first && parents[run.first - 1] >= 0 &&
             parents[run.first - 1] < run.last) {
        const Run& child = runs.back();
        Run merged{child.first, run.last, {}, child.columns + run.columns, run.below, 0};
        merged.zeros = child.zeros + run.zeros + child.columns * (run.columns + run.below - child.below);
        if (!is_worth(merged)) break;
        merged.rows = std::move(run.rows);
        runs.pop_back();
        run = std::move(merged);
      }
      runs.push_back(std::move(run));
    }
    std::vector<int> front_of(n);
    for (std::size_t f = 0; f < runs.size(); ++f) {
      first_place.push_back(runs[f].first);
      for (int k = runs[f].first; k < runs[f].last; ++k) front_of[k] = static_cast<int>(f);
      rows.push_back(std::move(runs[f].rows));
    }
    first_place.push_back(n);
    for (const auto& list : rows) parent.push_back(list.empty() ? -1 : front_of[list.front()]);
  }
};

void SparseCholesky::analyse(const Eigen::SparseMatrix<double>& lower, const std::vector<int>& group_start) {
  const Symbolic symbolic(lower, group_start);
  place_.resize(lower.cols());
  for (std::size_t k = 0; k < symbolic.order.size(); ++k) {
    const int g = symbolic.order[k];
    for (int c = group_start[g]; c < group_start[g + 1]; ++c)
      place_[c] = symbolic.unknowns[k] + c - group_start[g];
  }
  lay_out(lower, symbolic);
  place_entries(lower);
}

void SparseCholesky::lay_out(const Eigen::SparseMatrix<double>& lower, const Symbolic& symbolic) {
  const int count = static_cast<int>(symbolic.rows.size());
  parent_ = symbolic.parent;
  front_start_.clear();
  for (const int first : symbolic.first_place) front_start_.push_back(symbolic.unknowns[first]);
  front_of_.resize(lower.cols());
  row_start_.assign(1, 0);
  row_.clear();
  L_start_.assign(1, 0);
  multiply_adds_ = 0;
  for (int f = 0; f < count; ++f) {
    std::fill(front_of_.begin() + front_start_[f], front_of_.begin() + front_start_[f + 1], f);
    for (const int place : symbolic.rows[f])
      for (int r = symbolic.unknowns[place]; r < symbolic.unknowns[place + 1]; ++r) row_.push_back(r);
    row_start_.push_back(static_cast<int>(row_.size()));
    L_start_.push_back(L_start_.back() + std::size_t(height(f)) * columns(f));
    const double c = columns(f), r = rows_below(f);
    multiply_adds_ += c * c * c / 6 + c * c * r / 2 + c * r * r / 2;
  }
  in_parent_.resize(row_.size());
  for (int f = 0; f < count; ++f) {
    if (parent_[f] < 0) continue;
    const int p = parent_[f];
    int other = row_start_[p];
    for (int k = row_start_[f]; k < row_start_[f + 1]; ++k) {
      if (row_[k] < front_start_[p + 1]) {
        in_parent_[k] = row_[k] - front_start_[p];
        continue;
      }
      while (row_[other] != row_[k]) ++other;
      in_parent_[k] = columns(p) + other - row_start_[p];
    }
  }
  L_.assign(L_start_.back(), 0.0);
}

/// Where each value of A goes in L.
void SparseCholesky::place_entries(const Eigen::SparseMatrix<double>& lower) {
  entry_.resize(lower.nonZeros());
  std::vector<int> front_of_entry(entry_.size());
  entries_start_.assign(fronts() + 1, 0);
  for (int c = 0; c < lower.cols(); ++c)
    for (int k = lower.outerIndexPtr()[c]; k < lower.outerIndexPtr()[c + 1]; ++k) {
      const auto [column, row] = std::minmax(place_[c], place_[lower.innerIndexPtr()[k]]);
      const int f = front_of_[column];
      std::size_t local = row - front_start_[f];
      if (row >= front_start_[f + 1]) {
        const auto begin = row_.begin() + row_start_[f], end = row_.begin() + row_start_[f + 1];
        local = columns(f) + (std::lower_bound(begin, end, row) - begin);
      }
      entry_[k] = L_start_[f] + std::size_t(column - front_start_[f]) * height(f) + local;
      front_of_entry[k] = f;
      ++entries_start_[f + 1];
    }
  std::partial_sum(entries_start_.begin(), entries_start_.end(), entries_start_.begin());
  entries_.resize(entry_.size());
  std::vector<int> next(entries_start_.begin(), entries_start_.end() - 1);
  for (std::size_t k = 0; k < entry_.size(); ++k) entries_[next[front_of_entry[k]]++] = static_cast<int>(k);
}

bool SparseCholesky::factorise(const Eigen::SparseMatrix<double>& lower) {
  std::fill(L_.begin(), L_.end(), 0.0);
  for (std::size_t k = 0; k < entry_.size(); ++k) L_[entry_[k]] += lower.valuePtr()[k];
  const kernel::FrontKernel& dense = kernel::best_front_kernel();
  std::vector<Eigen::MatrixXd> updates(fronts());  // what the fronts done so far leave to their parents
  std::vector<double> work;
  for (int f = 0; f < fronts(); ++f) {
    const int c = columns(f), r = rows_below(f);
    Eigen::MatrixXd& update = updates[f];
    if (update.size() == 0) update.setZero(r, r);
    const auto needed = static_cast<std::size_t>(kernel::front_work(c + r, c));
    if (work.size() < needed) work.resize(needed);
    if (!dense.factor(L_.data() + L_start_[f], c + r, c, update.data(), work.data())) return false;
    if (r > 0) add_to_parent(f, update, updates);
    update.resize(0, 0);
  }
  return true;
}

void SparseCholesky::add_to_parent(int front, const Eigen::MatrixXd& update,
                                   std::vector<Eigen::MatrixXd>& updates) {
  const int p = parent_[front], own = columns(p), n = rows_below(front);
  const int* const to = in_parent_.data() + row_start_[front];
  Block L = block(p);
  Eigen::MatrixXd& rest = updates[p];
  if (rest.size() == 0) rest.setZero(rows_below(p), rows_below(p));
  for (int j = 0; j < n; ++j) {
    const double* const from = update.data() + std::size_t(j) * n;
    double* const column =
        to[j] < own ? &L(0, to[j]) : rest.data() + std::size_t(to[j] - own) * rest.rows() - own;
    for (int i = j; i < n; ++i) column[to[i]] += from[i];
  }
}

/// X_c <- L_cc^-1 X_c, X_r <- X_r - L_rc X_c.
void SparseCholesky::solve_forward(int front, Eigen::MatrixXd& X, Eigen::MatrixXd& below) const {
  const int c = columns(front), r = rows_below(front);
  const ConstBlock L = block(front);
  auto own = X.middleRows(front_start_[front], c);
  L.topRows(c).triangularView<Eigen::Lower>().solveInPlace(own);
  if (r == 0) return;
  auto rest = below.topRows(r);
  rest.col(0).noalias() = L.bottomRows(r) * own.col(0);
  const int* const row = row_.data() + row_start_[front];
  for (int i = 0; i < r; ++i) X(row[i], 0) -= rest(i, 0);
}

/// X_c <- L_cc^-T (X_c - L_rc^T X_r).
void SparseCholesky::solve_backward(int front, Eigen::MatrixXd& X, Eigen::MatrixXd& below) const {
  const int c = columns(front), r = rows_below(front);
  const ConstBlock L = block(front);
  auto own = X.middleRows(front_start_[front], c);
  auto rest = below.topRows(r);
  const int* const row = row_.data() + row_start_[front];
  for (int i = 0; i < r; ++i) rest(i, 0) = X(row[i], 0);
  if (r > 0) own.col(0).noalias() -= L.bottomRows(r).transpose() * rest.col(0);
  L.topRows(c).triangularView<Eigen::Lower>().transpose().solveInPlace(own);
}

void SparseCholesky::solve_in_place(Eigen::Ref<Eigen::MatrixXd> given) const {
  // L is read once for so many columns. Each of them sees the same operations whatever the others are: what
  // is found again, in other company, has the same bits.
  constexpr int kPanel = 12;
  using Row = Eigen::Matrix<double, 1, kPanel>;
  Eigen::Matrix<double, Eigen::Dynamic, kPanel, Eigen::RowMajor> X(size(), kPanel);
  for (Eigen::Index first = 0; first < given.cols(); first += kPanel) {
    const auto count = std::min<Eigen::Index>(kPanel, given.cols() - first);
    X.setZero();
    for (int i = 0; i < size(); ++i) X.row(place_[i]).head(count) = given.row(i).segment(first, count);
    for (int f = 0; f < fronts(); ++f) {
      const int begin = front_start_[f], c = columns(f), r = rows_below(f);
      if (X.middleRows(begin, c).isZero(0)) continue;
      const ConstBlock L = block(f);
      const int* const row = row_.data() + row_start_[f];
      for (int j = 0; j < c; ++j) {
        const Row x = X.row(begin + j) /= L(j, j);
        for (int i = j + 1; i < c; ++i) X.row(begin + i).noalias() -= L(i, j) * x;
        for (int i = 0; i < r; ++i) X.row(row[i]).noalias() -= L(c + i, j) * x;
      }
    }
    for (int f = fronts() - 1; f >= 0; --f) {
      const int begin = front_start_[f], c = columns(f), r = rows_below(f);
      const ConstBlock L = block(f);
      const int* const row = row_.data() + row_start_[f];
      for (int j = c - 1; j >= 0; --j) {
        Row x = X.row(begin + j);
        for (int i = 0; i < r; ++i) x.noalias() -= L(c + i, j) * X.row(row[i]);
        for (int i = j + 1; i < c; ++i) x.noalias() -= L(i, j) * X.row(begin + i);
        X.row(begin + j) = x / L(j, j);
      }
    }
    for (int i = 0; i < size(); ++i) given.row(i).segment(first, count) = X.row(place_[i]).head(count);
  }
}

Eigen::VectorXd SparseCholesky::solve(const Eigen::VectorXd& f) const {
  Eigen::MatrixXd X(f.size(), 1);
  for (int i = 0; i < size(); ++i) X(place_[i], 0) = f[i];
  int tallest = 0;
  for (int front = 0; front < fronts(); ++front) tallest = std::max(tallest, rows_below(front));
  Eigen::MatrixXd below(tallest, 1);
  for (int front = 0; front < fronts(); ++front) solve_forward(front, X, below);
  for (int front = fronts() - 1; front >= 0; --front) solve_backward(front, X, below);
  Eigen::VectorXd x(f.size());
  for (int i = 0; i < size(); ++i) x[i] = X(place_[i], 0);
  return x;
}

Eigen::MatrixXd SparseCholesky::inverse_form(const std::vector<int>& rows, const Eigen::MatrixXd& B) const {
  // B^T A^-1 B = |L^-1 B|^2, and L^-1 B is not zero but on the way from the rows of B to the roots.
  std::vector<int> way;
  for (const int r : rows)
    for (int f = front_of_[place_[r]]; f >= 0; f = parent_[f]) way.push_back(f);
  std::sort(way.begin(), way.end());
  way.erase(std::unique(way.begin(), way.end()), way.end());
  // Rows of all those fronts, numbered along the way.
  std::vector<int> start{0};
  for (const int f : way) start.push_back(start.back() + columns(f));
  const auto local = [&](int row) {
    const auto at = std::lower_bound(way.begin(), way.end(), front_of_[row]) - way.begin();
    return start[at] + row - front_start_[way[at]];
  };
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(start.back(), B.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) X.row(local(place_[rows[k]])) += B.row(Eigen::Index(k));
  Eigen::MatrixXd below;
  for (std::size_t k = 0; k < way.size(); ++k) {
    const int f = way[k], c = columns(f), r = rows_below(f);
    auto own = X.middleRows(start[k], c);
    block(f).topRows(c).triangularView<Eigen::Lower>().solveInPlace(own);
    if (r == 0) continue;
    below.noalias() = block(f).bottomRows(r) * own;
    for (int i = 0; i < r; ++i) X.row(local(row_[row_start_[f] + i])) -= below.row(i);
  }
  return X.transpose() * X;
}

std::vector<double> SparseCholesky::inverse_on_pattern() const {
  // From the roots down, with Y = L_rc L_cc^-1:  Z_rc = -Z_rr Y,  Z_cc = (L_cc L_cc^T)^-1 + Y^T Z_rr Y.
  std::vector<double> result(entry_.size());
  std::vector<Eigen::MatrixXd> inverse(fronts());  // over all rows of a front, while children need it
  const kernel::FrontKernel& dense = kernel::best_front_kernel();
  std::vector<double> work;
  std::vector<int> first_child(fronts(), -1);  // in the order of elimination: the last one to be done
  for (int f = fronts() - 1; f >= 0; --f)
    if (parent_[f] >= 0) first_child[parent_[f]] = f;
  for (int f = fronts() - 1; f >= 0; --f) {
    const int c = columns(f), r = rows_below(f), p = parent_[f];
    const ConstBlock L = block(f);
    const auto corner = L.topRows(c).triangularView<Eigen::Lower>();
    Eigen::MatrixXd& Z = inverse[f];
    Z.resize(c + r, c + r);
    const auto needed = static_cast<std::size_t>(kernel::front_work(2 * (c + r), std::max(c, r)));
    if (work.size() < needed) work.resize(needed);
    Eigen::MatrixXd root = Eigen::MatrixXd::Identity(c, c);  // L_cc^-1
    corner.solveInPlace(root);
    const kernel::Strided root_by_rows{root.data(), c, 1};
    Z.topLeftCorner(c, c).setZero();
    dense.subtract_product(Z.data(), c + r, c, c, root_by_rows, root_by_rows, c, false, work.data());
    Z.topLeftCorner(c, c) *= -1;
    if (r > 0) {
      const int* const from = in_parent_.data() + row_start_[f];
      for (int j = 0; j < r; ++j)
        for (int i = 0; i < r; ++i) Z(c + i, c + j) = inverse[p](from[i], from[j]);
      Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(r, c);
      const kernel::Strided L_rc{L.data() + c, 1, c + r};
      dense.subtract_product(Y.data(), r, r, c, L_rc, root_by_rows, c, false, work.data());
      Y *= -1;
      const kernel::Strided Z_rr{Z.data() + c + Eigen::Index(c) * (c + r), 1, c + r},
          Y_by_rows{Y.data(), r, 1}, Z_cr{Z.data() + c, c + r, 1};
      Z.bottomLeftCorner(r, c).setZero();
      dense.subtract_product(Z.data() + c, c + r, r, c, Z_rr, Y_by_rows, r, false, work.data());
      dense.subtract_product(Z.data(), c + r, c, c, Y_by_rows, Z_cr, r, false, work.data());
      Z.topRightCorner(c, r) = Z.bottomLeftCorner(r, c).transpose();
    }
    for (int k = entries_start_[f]; k < entries_start_[f + 1]; ++k)
      result[entries_[k]] = Z.data()[Eigen::Index(entry_[entries_[k]] - L_start_[f])];
    if (first_child[f] < 0) Z.resize(0, 0);
    if (p >= 0 && first_child[p] == f) inverse[p].resize(0, 0);
  }
  return result;
}

}  // namespace capstan

#include "capstan/problem/mass_matrix.hpp"
#include <optional>

#include <algorithm>
#include <numeric>
#include <string>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

constexpr int kLargestDenseBlock = 256;
constexpr int kBodiesAtATime = 32;

[[noreturn]] void not_positive(const std::string& where) {
  throw InputError("M: " + where + " is not positive definite");
}

void check_symmetric(double a, double b, double scale, int row, int column) {
  if (std::abs(a - b) > 1e-9 * scale)
    throw InputError("M: entry (" + std::to_string(row) + ", " + std::to_string(column) +
                     ") = " + std::to_string(a) + " differs from its mirror image " + std::to_string(b) +
                     "; the mass matrix must be symmetric");
}

/// Intervals of dofs that M does not couple to each other.
std::vector<int> uncoupled_intervals(const Eigen::SparseMatrix<double>& M) {
  const int n = static_cast<int>(M.rows());
  std::vector<int> reach(n);
  std::iota(reach.begin(), reach.end(), 0);
  for (int c = 0; c < n; ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it) {
      const int r = static_cast<int>(it.row());
      reach[std::min(r, c)] = std::max(reach[std::min(r, c)], std::max(r, c));
    }
  std::vector<int> start{0};
  for (int k = 0, last = 0; k < n; ++k) {
    last = std::max(last, reach[k]);
    if (last == k) start.push_back(k + 1);
  }
  return start;
}

/// Groups intervals into aligned chunks of `chunk` dofs, if none straddles a chunk's end.
std::vector<int> grouped(const std::vector<int>& start, int chunk) {
  const int n = start.back();
  if (chunk <= 1 || n % chunk != 0) return start;
  std::vector<int> result;
  for (int k = 0; k <= n; k += chunk) {
    if (!std::binary_search(start.begin(), start.end(), k)) return start;
    result.push_back(k);
  }
  return result;
}

void check_block(const Eigen::MatrixXd& M, int body, int first) {
  const std::string name = "block of body " + std::to_string(body);
  if (M.rows() != M.cols())
    throw InputError("M: " + name + " is " + std::to_string(M.rows()) + " x " + std::to_string(M.cols()) +
                     ", expected a square");
  if (!M.allFinite()) throw InputError("M: " + name + " has an entry that is not finite");
  const double scale = M.size() ? M.cwiseAbs().maxCoeff() : 0.0;
  for (int c = 0; c < M.cols(); ++c)
    for (int r = 0; r < c; ++r) check_symmetric(M(r, c), M(c, r), scale, first + r, first + c);
}

}  // namespace

MassMatrix MassMatrix::block_diagonal(const std::vector<Eigen::MatrixXd>& blocks) {
  return from_bodies({blocks.begin(), blocks.end()});
}

MassMatrix MassMatrix::from_bodies(std::vector<BodyMatrix> blocks, const Executor& executor) {
  MassMatrix result;
  for (std::size_t body = 0; body < blocks.size(); ++body) {
    if (const auto* dense = std::get_if<Eigen::MatrixXd>(&blocks[body]))
      check_block(*dense, static_cast<int>(body), result.dofs());
    result.dof_start_.push_back(result.dofs() + size_of(blocks[body]));
    result.has_sparse_bodies_ |= std::holds_alternative<ReachedNodes>(blocks[body]);
  }
  std::vector<std::optional<BodyFactor>> factors(blocks.size());
  for_each_chunk(
      executor, static_cast<int>(blocks.size()),
      [&](int first, int last) {
        for (int body = first; body < last; ++body) factors[body].emplace(blocks[body]);
      },
      kBodiesAtATime);
  Blocks data;
  for (std::size_t body = 0; body < blocks.size(); ++body) {
    if (!factors[body]->is_positive()) not_positive("block of body " + std::to_string(body));
    data.factors.push_back(std::move(*factors[body]));
  }
  data.M = std::move(blocks);
  result.data_ = std::make_shared<const Data>(std::move(data));
  return result;
}

MassMatrix MassMatrix::sparse(const Eigen::SparseMatrix<double>& M, int preferred_block) {
  if (M.rows() != M.cols())
    throw InputError("M: is " + std::to_string(M.rows()) + " x " + std::to_string(M.cols()) +
                     ", expected a square");
  double scale = 0;
  for (int c = 0; c < M.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it) {
      if (!std::isfinite(it.value()))
        throw InputError("M: entry (" + std::to_string(it.row()) + ", " + std::to_string(c) +
                         ") is not finite");
      scale = std::max(scale, std::abs(it.value()));
    }
  const std::vector<int> start = grouped(uncoupled_intervals(M), preferred_block);
  int largest = 0;
  for (std::size_t k = 0; k + 1 < start.size(); ++k) largest = std::max(largest, start[k + 1] - start[k]);
  if (largest <= kLargestDenseBlock) {
    std::vector<Eigen::MatrixXd> blocks;
    for (std::size_t k = 0; k + 1 < start.size(); ++k) {
      const int size = start[k + 1] - start[k];
      Eigen::MatrixXd block = Eigen::MatrixXd::Zero(size, size);
      for (int c = start[k]; c < start[k + 1]; ++c)
        for (Eigen::SparseMatrix<double>::InnerIterator it(M, c); it; ++it)
          block(it.row() - start[k], c - start[k]) += it.value();
      blocks.push_back(std::move(block));
    }
    return block_diagonal(blocks);
  }
  const Eigen::SparseMatrix<double> difference = M - Eigen::SparseMatrix<double>(M.transpose());
  for (int c = 0; c < difference.outerSize(); ++c)
    for (Eigen::SparseMatrix<double>::InnerIterator it(difference, c); it; ++it)
      if (std::abs(it.value()) > 1e-9 * scale)
        check_symmetric(M.coeff(it.row(), c), M.coeff(c, it.row()), scale, static_cast<int>(it.row()), c);
  auto data = std::make_shared<Data>(std::in_place_type<Sparse>);
  Sparse& held = std::get<Sparse>(*data);
  held.M = M;
  held.factor.compute(M);
  if (held.factor.info() != Eigen::Success) not_positive("the matrix");
  MassMatrix result;
  result.dof_start_ = start;
  result.data_ = std::move(data);
  return result;
}

MassMatrix MassMatrix::from_operator(int dofs, Operator solve) {
  if (!solve) throw InputError("M: the operator is empty");
  MassMatrix result;
  result.dof_start_ = {0, dofs};
  result.data_ = std::make_shared<const Data>(std::move(solve));
  return result;
}

bool MassMatrix::has_compliance() const {
  const auto* blocks = std::get_if<Blocks>(data_.get());
  return blocks && std::any_of(blocks->factors.begin(), blocks->factors.end(),
                               [](const BodyFactor& factor) { return factor.is_compliance(); });
}

MassMatrix MassMatrix::restricted(const std::vector<int>& keep) const {
  const Blocks& all = std::get<Blocks>(*data_);
  MassMatrix result;
  Blocks data;
  for (const int body : keep) {
    data.M.push_back(all.M[body]);
    data.factors.push_back(all.factors[body]);
    result.dof_start_.push_back(result.dofs() + size_of(all.M[body]));
    result.has_sparse_bodies_ |= std::holds_alternative<ReachedNodes>(all.M[body]);
  }
  result.data_ = std::make_shared<const Data>(std::move(data));
  return result;
}

void MassMatrix::solve_in_place(Eigen::MatrixXd& X) const {
  if (const auto* blocks = std::get_if<Blocks>(data_.get())) {
    for (int body = 0; body < bodies(); ++body) {
      const int first = dof_start_[body], size = dof_start_[body + 1] - first;
      Eigen::MatrixXd own = X.middleRows(first, size);
      blocks->factors[body].solve_in_place(own);
      X.middleRows(first, size) = own;
    }
    return;
  }
  for (Eigen::Index c = 0; c < X.cols(); ++c) X.col(c) = solve(Eigen::VectorXd(X.col(c)));
}

Eigen::VectorXd MassMatrix::solve(const Eigen::VectorXd& f, const Executor& executor) const {
  if (const auto* blocks = std::get_if<Blocks>(data_.get())) {
    Eigen::VectorXd v(f.size());
    for_each_chunk(
        executor, bodies(),
        [&](int begin, int end) {
          for (int body = begin; body < end; ++body) {
            const int first = dof_start_[body], size = dof_start_[body + 1] - first;
            v.segment(first, size) = blocks->factors[body].solve(f.segment(first, size));
          }
        },
        kBodiesAtATime);
    return v;
  }
  if (const auto* sparse = std::get_if<Sparse>(data_.get())) return sparse->factor.solve(f);
  Eigen::VectorXd v = std::get<Operator>(*data_)(f);
  if (v.size() != f.size() || !v.allFinite())
    throw InputError("M: the operator returned " + std::to_string(v.size()) + " numbers, expected " +
                     std::to_string(f.size()) + " finite ones");
  return v;
}

Eigen::SparseMatrix<double> MassMatrix::matrix() const {
  if (const auto* sparse = std::get_if<Sparse>(data_.get())) return sparse->M;
  if (!std::holds_alternative<Blocks>(*data_)) return {};
  std::vector<Eigen::Triplet<double>> triplets;
  for (int body = 0; body < bodies(); ++body) {
    const Eigen::MatrixXd M = dense(std::get<Blocks>(*data_).M[body]);
    for (int c = 0; c < M.cols(); ++c)
      for (int r = 0; r < M.rows(); ++r)
        if (M(r, c) != 0) triplets.emplace_back(dof_start_[body] + r, dof_start_[body] + c, M(r, c));
  }
  Eigen::SparseMatrix<double> result(dofs(), dofs());
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

}  // namespace capstan

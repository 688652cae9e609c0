#pragma once
#include <cmath>
#include <utility>

#include "capstan/cone/second_order_cone.hpp"

namespace capstan::local {

/// P A = L U of a matrix of a few rows, with partial pivoting. Plain loops: Eigen's PartialPivLU does the
/// same and takes the compiler seconds for each size.
template <int N>
class SmallLu {
 public:
  explicit SmallLu(const cone::Matrix<N>& A) : lu_(A) {
    for (int k = 0; k < N; ++k) {
      row_[k] = k;
      for (int i = k + 1; i < N; ++i)
        if (std::abs(lu_(i, k)) > std::abs(lu_(row_[k], k))) row_[k] = i;
      if (lu_(row_[k], k) == 0) continue;  // singular: the determinant says so
      for (int j = 0; j < N; ++j) std::swap(lu_(k, j), lu_(row_[k], j));
      for (int i = k + 1; i < N; ++i) {
        lu_(i, k) /= lu_(k, k);
        for (int j = k + 1; j < N; ++j) lu_(i, j) -= lu_(i, k) * lu_(k, j);
      }
    }
  }

  /// Zero, to the bit, where a pivot is.
  bool is_singular() const {
    double product = 1;  // may underflow, as the determinant does
    for (int k = 0; k < N; ++k) product *= lu_(k, k);
    return product == 0;
  }
  /// A^-1 b; not finite where A is singular.
  cone::Vector<N> solve(cone::Vector<N> b) const {
    for (int k = 0; k < N; ++k) std::swap(b[k], b[row_[k]]);
    for (int i = 1; i < N; ++i)
      for (int j = 0; j < i; ++j) b[i] -= lu_(i, j) * b[j];
    for (int i = N - 1; i >= 0; --i) {
      for (int j = i + 1; j < N; ++j) b[i] -= lu_(i, j) * b[j];
      b[i] /= lu_(i, i);
    }
    return b;
  }

 private:
  cone::Matrix<N> lu_;
  int row_[N];  // swapped with row k at step k
};

}  // namespace capstan::local

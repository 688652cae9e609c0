#pragma once
#include <Eigen/LU>
#include <cmath>
#include <random>

#include "capstan/cone/second_order_cone.hpp"

namespace capstan::local {

template <int D>
struct Contact {
  cone::Matrix<D> W;
  cone::Vector<D> b, guess;
};

/// Random contacts as canonical problems have them: a Delassus block of full or lower rank, friction from
/// 0.01 to 10 and ellipses up to ratio 100 folded in, the trace scaled to D, now and then slightly
/// asymmetric; b of any sign.
template <int D>
class ContactSource {
 public:
  explicit ContactSource(unsigned seed) : generator_(seed) {}

  Contact<D> draw(int rank = D) {
    Contact<D> contact;
    const Eigen::Matrix<double, D, Eigen::Dynamic, 0, D, 2 * D> A = random(D, rank == D ? 2 * D : rank);
    contact.W = A * A.transpose();
    cone::Vector<D> S = cone::Vector<D>::Ones();
    const double mu = std::pow(10.0, uniform(-2, 1));
    for (int a = 1; a < D; ++a) S[a] = mu * std::pow(10.0, a == 1 ? 0.0 : uniform(-2, 0));
    contact.W = S.asDiagonal() * contact.W * S.asDiagonal();
    contact.W *= D / contact.W.trace();
    contact.b = S.asDiagonal() * random(D, 1);
    const double kind = uniform(0, 1);
    if (kind < 0.05) contact.b[0] = 0;
    if (kind > 0.2) contact.b[0] = -std::abs(contact.b[0]);
    contact.b /= contact.b.norm();
    contact.guess = uniform(0, 1) < 0.5 ? cone::Vector<D>::Zero().eval() : cone::project<D>(random(D, 1));
    return contact;
  }
  /// W made asymmetric by up to `size` of its entries.
  Contact<D> draw_asymmetric(double size) {
    Contact<D> contact = draw();
    for (int row = 0; row < D; ++row)
      for (int column = 0; column < row; ++column) contact.W(row, column) *= 1 + uniform(-size, size);
    return contact;
  }
  /// b in the range of W, so that a singular W has an answer to look for.
  Contact<D> draw_consistent(int rank) {
    Contact<D> contact = draw(rank);
    contact.b = contact.W * random(D, 1);
    if (contact.b[0] > 0) contact.b = -contact.b;
    return contact;
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  Eigen::MatrixXd random(int rows, int columns) {
    std::normal_distribution<double> normal;
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator_); });
  }

 private:
  std::mt19937 generator_;
};

}  // namespace capstan::local

#pragma once
#include <Eigen/Core>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/problem/canonical_problem.hpp"

/// Two ways for a sweep over the contacts to know y_i = (W x + b)_i of the current x: both offer
///
///     Rows(problem)         restart(x, y)   y = W x + b, free of drift; start(x) without y
///     velocity(i, x)        moved(i, dx)    after x_i += dx
///
/// so that a sweep is written once. [docs/local-solvers.md, "Two spaces"]
namespace capstan::local {

/// One d x d block a neighbour.
template <int D>
class DelassusRows {
 public:
  explicit DelassusRows(const CanonicalProblem& problem) : problem_(problem), W_(problem.W()) {}

  void start(const Eigen::VectorXd& /*x*/) {}
  void restart(const Eigen::VectorXd& x, Eigen::VectorXd& y) { problem_.velocity(x, y); }
  cone::Vector<D> velocity(int contact, const Eigen::VectorXd& x) const {
    cone::Vector<D> y = problem_.b().segment<D>(contact * D);
    for (int k = W_.row_begin(contact); k < W_.row_end(contact); ++k)
      y += Eigen::Map<const cone::Matrix<D>>(W_.values(k)) * x.segment<D>(W_.column(k) * D);
    return y;
  }
  void moved(int /*contact*/, const cone::Vector<D>& /*dx*/) {}

 private:
  const CanonicalProblem& problem_;
  const BlockMatrix& W_;
};

/// Mass-normalised velocities are kept current: one d x dofs block a body, read and written.
template <int D>
class BodyRows {
 public:
  explicit BodyRows(const CanonicalProblem& problem) : space_(problem.bodies()) {}

  void start(const Eigen::VectorXd& x) {
    space_.H.multiply_transposed(x, v_);
    v_ += space_.v0;
  }
  void restart(const Eigen::VectorXd& x, Eigen::VectorXd& y) {
    start(x);
    space_.H.multiply(v_, y);
    y += space_.w;
  }
  cone::Vector<D> velocity(int contact, const Eigen::VectorXd& /*x*/) const {
    cone::Vector<D> y = space_.w.segment<D>(contact * D);
    for (int k = space_.H.begin(contact); k < space_.H.end(contact); ++k) y += block(k) * velocity_of(k);
    return y;
  }
  void moved(int contact, const cone::Vector<D>& dx) {
    for (int k = space_.H.begin(contact); k < space_.H.end(contact); ++k)
      velocity_of(k) += block(k).transpose() * dx;
  }

 private:
  using Block = Eigen::Map<const Eigen::Matrix<double, D, Eigen::Dynamic>>;
  Block block(int k) const { return Block(space_.H.values(k), D, space_.H.body_dofs(space_.H.body(k))); }
  auto velocity_of(int k) const {
    const int body = space_.H.body(k);
    return v_.segment(space_.H.dof_start(body), space_.H.body_dofs(body));
  }
  auto velocity_of(int k) {
    const int body = space_.H.body(k);
    return v_.segment(space_.H.dof_start(body), space_.H.body_dofs(body));
  }

  const BodySpace& space_;
  Eigen::VectorXd v_;
};

enum class Space { automatic, delassus, body };

/// Calls f(rows) with the cheaper rows by counted multiply-adds, or with those asked for.
template <int D, class F>
auto with_rows(const CanonicalProblem& problem, Space space, F&& f) {
  const bool body = space == Space::automatic ? problem.has_bodies() && problem.cost_in_body_space() <
                                                                            problem.cost_in_delassus_space()
                                              : space == Space::body;
  if (body) return f(BodyRows<D>(problem));
  return f(DelassusRows<D>(problem));
}

}  // namespace capstan::local

#include "capstan/solve/resting.hpp"

#include <algorithm>

#include "capstan/cone/second_order_cone.hpp"
#include "capstan/problem/banded_matrix.hpp"

namespace capstan {
namespace {

constexpr double kMargin = 1e-3;

/// Of H^T H: how far apart the unknowns of a contact can be. Towers that are numbered from the ground have a
/// narrow one.
int half_bandwidth(const ContactJacobian& H) {
  int widest = 0;
  for (int i = 0; i < H.contacts(); ++i) {
    int first = H.dofs(), last = -1;
    for (int k = H.begin(i); k < H.end(i); ++k) {
      first = std::min(first, H.dof_start(H.body(k)));
      last = std::max(last, H.dof_start(H.body(k)) + H.body_dofs(H.body(k)) - 1);
    }
    widest = std::max(widest, last - first);
  }
  return widest;
}

template <int D>
class RestingContacts {
 public:
  using Block = Eigen::Map<const Eigen::Matrix<double, D, Eigen::Dynamic>>;

  RestingContacts(const CanonicalProblem& problem, double softness)
      : H_(problem.bodies().H), softness_(softness) {}

  /// Whether a contact that bears a load moves faster than what is wrong there could explain.
  bool slides(const Eigen::VectorXd& x, const Eigen::VectorXd& y, double wrong) const {
    for (int i = 0; i < H_.contacts(); ++i)
      if (x[i * D] > wrong && y.segment<D>(i * D).norm() > wrong) return true;
    return false;
  }

  void step(Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    choose(x, y);
    Eigen::VectorXd t = Eigen::VectorXd::Zero(H_.dofs());
    for_each_block([&](int i, int first, const Block& H) {
      t.segment(first, H.cols()).noalias() += H.transpose() * y.segment<D>(i * D);
    });
    t = factor_.solve(std::move(t));
    Eigen::VectorXd rest = y;
    for_each_block([&](int i, int first, const Block& H) {
      rest.segment<D>(i * D).noalias() -= H * t.segment(first, H.cols());
    });
    for (const int i : chosen_)
      x.segment<D>(i * D) = inside(x.segment<D>(i * D) - rest.segment<D>(i * D) / softness_);
  }

 private:
  /// In the cone; what is not is drawn a little further in than onto it, for the next step not to bring it
  /// out again: others that share its load take over.
  static cone::Vector<D> inside(const cone::Vector<D>& x) {
    cone::Vector<D> result = cone::project<D>(x);
    if (result != x) result.template tail<D - 1>() *= 1 - kMargin;
    return result;
  }

  template <class F>
  void for_each_block(const F& f) const {
    for (const int i : chosen_)
      for (int k = H_.begin(i); k < H_.end(i); ++k)
        f(i, H_.dof_start(H_.body(k)), Block(H_.values(k), D, H_.body_dofs(H_.body(k))));
  }

  void choose(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
    std::vector<int> bear;
    for (int i = 0; i < H_.contacts(); ++i)
      if (x[i * D] > 0 || y[i * D] < 0) bear.push_back(i);
    if (bear == chosen_ && factorised_) return;
    chosen_ = std::move(bear);
    factorise();
  }

  void factorise() {
    BandedMatrix S(H_.dofs(), half_bandwidth(H_));
    for (int i = 0; i < S.size(); ++i) S.at(i, i) = softness_;
    for (const int i : chosen_)
      for (int k = H_.begin(i); k < H_.end(i); ++k)
        for (int m = H_.begin(i); m < H_.end(i); ++m) add_product(k, m, S);
    factor_ = BandedCholesky(S);
    factorised_ = true;
  }

  /// The part of H^T H between two bodies of a contact, as far as it is in the lower triangle.
  void add_product(int k, int m, BandedMatrix& S) const {
    const int row = H_.dof_start(H_.body(k)), column = H_.dof_start(H_.body(m));
    if (row < column) return;
    const double *const left = H_.values(k), *const right = H_.values(m);
    for (int c = 0; c < H_.body_dofs(H_.body(m)); ++c) {
      const auto h = Eigen::Map<const cone::Vector<D>>(right + c * D);
      for (int r = row == column ? c : 0; r < H_.body_dofs(H_.body(k)); ++r)
        S.at(row + r, column + c) += Eigen::Map<const cone::Vector<D>>(left + r * D).dot(h);
    }
  }

  const ContactJacobian& H_;
  double softness_;
  std::vector<int> chosen_;
  BandedCholesky factor_;
  bool factorised_ = false;
};

}  // namespace

bool can_rest(const CanonicalProblem& problem, const RestingOptions& options) {
  if (!problem.has_bodies() || !problem.springs().empty()) return false;
  const double band = half_bandwidth(problem.bodies().H);
  return problem.bodies().H.dofs() * band * band <= options.most_work;
}

Status solve_resting(const SolverContext& context, const RestingOptions& options) {
  Monitor& monitor = context.monitor;
  const double tolerance = monitor.tolerance();
  const auto stop = monitor.judge(context.x, 0, context.max_iterations);
  const Status as_it_is = stop.value_or(Status::stalled);
  const double value = monitor.last_value();
  if (value <= (context.settle ? options.nearest : 1) * tolerance || value > options.farthest * tolerance)
    return as_it_is;
  if (!can_rest(context.problem, options)) return as_it_is;
  return cone::with_dimension(context.problem.dimension(), [&]<int D>() {
    RestingContacts<D> contacts(context.problem, options.softness);
    Eigen::VectorXd y = monitor.last_velocity();
    if (contacts.slides(context.x, y, std::max(2 * value, tolerance) * context.problem.error_unit()))
      return as_it_is;
    for (int k = 0; k < options.rounds; ++k) {
      contacts.step(context.x, y);
      context.problem.velocity(context.x, y);
    }
    return monitor.judge(context.x, y, 1, context.max_iterations).value_or(as_it_is);
  });
}

}  // namespace capstan

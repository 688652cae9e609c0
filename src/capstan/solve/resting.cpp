#include "capstan/solve/resting.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "capstan/cone/second_order_cone.hpp"

namespace capstan {
namespace {

constexpr double kMargin = 1e-3;

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
    factor_.solveInPlace(t);
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
    if (bear == chosen_ && factor_.rows() > 0) return;
    chosen_ = std::move(bear);
    factorise();
  }

  void factorise() {
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(H_.dofs(), H_.dofs());
    S.diagonal().setConstant(softness_);
    for (const int i : chosen_)
      for (int k = H_.begin(i); k < H_.end(i); ++k) {
        const Block left(H_.values(k), D, H_.body_dofs(H_.body(k)));
        for (int m = H_.begin(i); m < H_.end(i); ++m) {
          const int row = H_.dof_start(H_.body(k)), column = H_.dof_start(H_.body(m));
          if (row < column) continue;  // the lower triangle is enough
          const Block right(H_.values(m), D, H_.body_dofs(H_.body(m)));
          S.block(row, column, left.cols(), right.cols()) += left.transpose().lazyProduct(right);
        }
      }
    factor_.compute(S);
  }

  const ContactJacobian& H_;
  double softness_;
  std::vector<int> chosen_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

}  // namespace

bool can_rest(const CanonicalProblem& problem, const RestingOptions& options) {
  return problem.has_bodies() && problem.springs().empty() && problem.bodies().H.dofs() <= options.most_dofs;
}

Status solve_resting(const SolverContext& context, const RestingOptions& options) {
  Monitor& monitor = context.monitor;
  const double tolerance = monitor.tolerance();
  const auto stop = monitor.judge(context.x, 0, context.max_iterations);
  const Status as_it_is = stop.value_or(Status::stalled);
  const double value = monitor.last_value();
  if (value <= options.nearest * tolerance || value > options.farthest * tolerance) return as_it_is;
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

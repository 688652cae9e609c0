#include <algorithm>
#include <cmath>

#include "capstan/solve/lemke.hpp"
#include "capstan/solve/newton_system.hpp"
#include "capstan/solve/registry.hpp"

namespace capstan {
namespace {

constexpr int kLargestTableau = 1200;  // unknowns: 120 contacts of 8 facets, 11 MB, some seconds

/// Lemke's method on the faceted cone. Its answer is exact in the plane; in space the certificate tells what
/// the facets cost, and the status is `stalled`: more pivots cannot help.
Status run_lemke(const SolverContext& context, int facets) {
  if (const auto stop = context.monitor.judge(context.x, 0, context.max_iterations)) return *stop;
  const FacetedContacts contacts(context.problem, facets);
  if (contacts.size() > kLargestTableau) return Status::stalled;
  const auto go_on = [&](int pivots) {
    return pivots < context.max_iterations && !context.monitor.must_stop();
  };
  const LemkeResult result = solve_lemke(contacts.problem(), go_on);
  const Eigen::VectorXd x = contacts.impulse(result.z);
  if (!x.allFinite()) return Status::stalled;
  context.x = x;
  return context.monitor.judge(context.x, result.pivots, context.max_iterations).value_or(Status::stalled);
}

/// What holds each component of x: nothing (then y = 0), its lower or its upper limit.
enum class Label : signed char { free = 0, lower = -1, upper = 1 };

/// Contacts with a box for the friction of each axis, |x_a| <= limit_i, and their labels.
class BoxFriction {
 public:
  explicit BoxFriction(const CanonicalProblem& problem)
      : problem_(problem),
        d_(problem.dimension()),
        A_(problem.W(), d_),
        labels_(problem.size(), Label::lower),
        limits_(Eigen::VectorXd::Zero(problem.contacts())) {}

  const Eigen::VectorXd& x() const { return x_; }
  const std::vector<Label>& labels() const { return labels_; }
  void set_limits(const Eigen::VectorXd& x) {
    for (int i = 0; i < problem_.contacts(); ++i) limits_[i] = std::max(x[i * d_], 0.0);
  }

  /// Finds labels that agree with the solution they imply. All wrong labels are changed at once; when that
  /// does not lessen their number for some rounds, only the last wrong one is, until it does [Judice and
  /// Pires 1994, after Kostreva and Murty]. False: no agreement within the rounds or the time, or a singular
  /// matrix.
  bool pivot(int rounds, const Monitor& monitor) {
    int fewest = static_cast<int>(labels_.size()) + 1, patience = kPatience;
    for (int round = 0; round < rounds && !(round > 0 && monitor.must_stop()); ++round) {
      if (!solve(false)) return false;
      const std::vector<Label> wanted = wanted_labels();
      std::vector<int> wrong;
      for (std::size_t j = 0; j < labels_.size(); ++j)
        if (wanted[j] != labels_[j]) wrong.push_back(static_cast<int>(j));
      if (wrong.empty()) return true;
      const int count = static_cast<int>(wrong.size());
      patience = count < fewest ? kPatience : patience - 1;
      fewest = std::min(fewest, count);
      if (patience < 0) wrong = {wrong.back()};
      for (const int j : wrong) labels_[j] = wanted[j];
    }
    return false;
  }

  /// The solution of the labels where sliding components follow x_N instead of the last limit: the limits
  /// that the next round of the fixed point would only approach.
  bool follow_limits() { return solve(true); }

 private:
  static constexpr int kPatience = 10;
  static constexpr double kRegularisation = 1e-11;  // W has blocks of trace d; rank deficiency is common

  double limit(int j) const { return j % d_ == 0 || problem_.scale()[j] == 0 ? 0.0 : limits_[j / d_]; }

  bool solve(bool follow) {
    const Eigen::Index n = problem_.size();
    Eigen::MatrixXd on_x = Eigen::MatrixXd::Zero(d_, n), on_y = Eigen::MatrixXd::Zero(d_, n);
    Eigen::VectorXd rhs(n);
    for (int j = 0; j < n; ++j) {
      const int a = j % d_, sign = static_cast<int>(labels_[j]);
      const bool free = labels_[j] == Label::free;
      on_y(a, j) = free;
      on_x(a, j) = free ? kRegularisation : 1.0;
      rhs[j] = free ? -problem_.b()[j] : follow ? 0.0 : sign * limit(j);
      if (!free && follow && limit(j) > 0) on_x(a, j - a) = -sign;
    }
    A_.assemble(on_x, on_y);
    const auto x = A_.solve(rhs);
    if (!x) return false;
    x_ = *x;
    problem_.velocity(x_, y_);
    return true;
  }

  /// A free component beyond a limit is held by it; a held one that y would pull inside is freed.
  std::vector<Label> wanted_labels() const {
    std::vector<Label> wanted = labels_;
    const double x_noise = 1e-12 * x_.cwiseAbs().maxCoeff(),
                 y_noise = 1e-12 * problem_.b().cwiseAbs().maxCoeff();
    for (int j = 0; j < x_.size(); ++j) {
      const bool normal = j % d_ == 0;
      if (!normal && problem_.scale()[j] == 0) continue;
      if (labels_[j] == Label::free) {
        if (x_[j] < -limit(j) - x_noise)
          wanted[j] = Label::lower;
        else if (!normal && x_[j] > limit(j) + x_noise)
          wanted[j] = Label::upper;
      } else if (static_cast<int>(labels_[j]) * y_[j] > y_noise) {
        wanted[j] = normal || limit(j) > 0 ? Label::free : Label(-static_cast<int>(labels_[j]));
      }
    }
    return wanted;
  }

  const CanonicalProblem& problem_;
  int d_;
  NewtonMatrix A_;
  std::vector<Label> labels_;
  Eigen::VectorXd limits_, x_, y_;
};

/// [Erleben20, sec. 4.3]: normal impulses without friction, friction limits from them, labels by block
/// pivoting with a direct solver, limits again, until nothing changes. The box is the cone in the plane; in
/// space it lets friction grow to sqrt(2) times its limit, and the certificate says so.
Status run_block_pivoting(const SolverContext& context) {
  constexpr int rounds = 100;
  if (const auto stop = context.monitor.judge(context.x, 0, context.max_iterations)) return *stop;
  BoxFriction box(context.problem);
  Eigen::VectorXd last;
  for (int k = 1;; ++k) {
    const bool agreed = box.pivot(rounds, context.monitor);
    if (box.x().size() == 0 || !box.x().allFinite()) return Status::stalled;
    context.x = box.x();
    if (const auto stop = context.monitor.judge(context.x, k, context.max_iterations)) return *stop;
    if (!agreed && k > 1) return Status::stalled;
    const bool settled = last.size() > 0 && (context.x - last).norm() <= 1e-13 * context.x.norm();
    if (settled) return Status::stalled;
    last = context.x;
    if (k > 1) box.follow_limits();
    box.set_limits(box.x());
  }
}

}  // namespace

std::vector<SolverEntry> pivoting_solvers() {
  const auto lemke = [](int facets) {
    return [facets](const SolverContext& context) { return run_lemke(context, facets); };
  };
  return {{"lemke", "Lemke's method on a pyramid of 8 facets [Erleben20, sec. 4.1]; small problems", 20000,
           lemke(8)},
          {"lemke4", "the same with 4 facets", 20000, lemke(4)},
          {"lemke16", "the same with 16 facets", 20000, lemke(16)},
          {"pivot", "block pivoting with box friction [Erleben20, sec. 4.3]", 100, run_block_pivoting}};
}

}  // namespace capstan

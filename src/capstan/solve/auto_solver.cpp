#include <algorithm>
#include <limits>

#include "capstan/solve/augmented.hpp"
#include "capstan/solve/clusters.hpp"
#include "capstan/solve/interior.hpp"
#include "capstan/solve/momentum.hpp"
#include "capstan/solve/registry.hpp"
#include "capstan/solve/resting.hpp"
#include "capstan/solve/work.hpp"
#include "capstan/solve/working_set.hpp"

namespace capstan {
namespace {

Status interior_then_levenberg(const SolverContext& context) {
  const Status status = solve_interior(context, {});
  if (status == Status::converged) return status;
  context.x = context.monitor.best();
  context.monitor.start_stage();
  return solve_levenberg(context, {});
}

constexpr int kLarge = 700;         // contacts
constexpr int kMaxInDenseW = 1500;  // contacts of sparse bodies that resist
constexpr int kTrial = 200;         // sweeps in which the two contact updates show what they can do
constexpr int kPatience = 4000;     // sweeps without progress where nothing else costs less
constexpr int kPatienceOfLarge[] = {800, 1000};  // the same of large problems, before and after the clusters

/// The stages of `auto`, each from where it may profit from the others. A stage returns whether the solve is
/// over. The monitor keeps the best iterate of all of them.
class Stages {
 public:
  explicit Stages(const SolverContext& context)
      : context_(context),
        monitor_(context.monitor),
        work_of_direct_(work_of_direct_solve(context.problem.size())),
        direct_(context.problem.size() <= context.most_direct_rows && monitor_.affords(work_of_direct_)),
        first_guess_(context.x) {
    if (direct_) monitor_.reserve(work_of_direct_);
  }

  Status run() {
    if (context_.problem.has_nodes() && settle_nodes()) return status_;
    const bool large = context_.problem.contacts() > kLarge;
    if (rest() || (large ? sweep_and_clusters() : sweep_with_the_better()) || solve_directly())
      return status_;
    for (int turn = 1000; monitor_.iterations() < context_.max_iterations; turn *= 2)
      if (sweep(exact_, kNoLimit, turn) || sweep(projection_, kNoLimit, turn)) break;
    return status_;
  }

 private:
  /// Sweeps with one contact update, which go on from where they stopped.
  struct Track {
    ContactUpdate update;
    Eigen::VectorXd x = {};
    double best = std::numeric_limits<double>::infinity();
  };
  static constexpr int kNoLimit = std::numeric_limits<int>::max();

  template <class Stage>
  bool over_after(Stage stage) {
    monitor_.start_stage();
    status_ = stage();
    return status_ == Status::converged || monitor_.must_stop();
  }

  /// Where there are sparse bodies. All else needs W, which is as large as the square of the contacts.
  bool settle_nodes() {
    if (over_after([&] { return solve_augmented(context_, {}); })) return true;
    context_.x = monitor_.best();
    first_guess_ = context_.x;
    return context_.problem.contacts() > kMaxInDenseW;
  }

  bool rest() {
    if (first_guess_.isZero(0) || !can_rest(context_.problem)) return false;
    judged_ = true;
    const bool over = over_after([&] { return solve_resting(context_); });
    context_.x = monitor_.best();
    first_guess_ = context_.x;
    return over;
  }

  bool sweep(Track& track, int max_sweeps, int patience) {
    context_.x = track.x.size() > 0 ? track.x : first_guess_;
    MomentumOptions options{.update = track.update, .patience = patience, .judged = judged_};
    options.max_sweeps = std::min(max_sweeps, std::max(context_.max_iterations - monitor_.iterations(), 0));
    judged_ = false;
    const std::size_t before = monitor_.history().size();
    const bool over = over_after([&] { return solve_momentum(context_, options); });
    for (std::size_t k = before; k < monitor_.history().size(); ++k)
      track.best = std::min(track.best, monitor_.history()[k].value);
    track.x = context_.x;
    return over;
  }

  /// Exact contact updates need fewer sweeps for most problems, but they can cycle between several local
  /// roots, or creep; projection steps do not. Both try a little, from the same guess: where W is singular,
  /// the way decides where one ends up. The better one goes on, for as long as the direct solve that would
  /// follow it takes: whichever of the two suits the problem, the other then costs no more than that again.
  bool sweep_with_the_better() {
    const int patience = direct_
                             ? static_cast<int>(std::clamp(work_of_direct_ / work_of_sweep(context_.problem),
                                                           200.0, double(kPatience)))
                             : kPatience;
    if (sweep(exact_, kTrial, kTrial) || sweep(projection_, kTrial, kTrial)) return true;
    const bool exact_first = exact_.best <= projection_.best;
    Track& better = exact_first ? exact_ : projection_;
    return sweep(better, kNoLimit, patience) || sweep(exact_first ? projection_ : exact_, kNoLimit, patience);
  }

  /// In large problems, what creeps in a few places is solved there.
  bool sweep_and_clusters() {
    if (sweep(exact_, kNoLimit, kPatienceOfLarge[0])) return true;
    context_.x = monitor_.best();
    const int left = context_.max_iterations - monitor_.iterations();
    if (over_after([&] { return solve_clusters(context_, {.max_sweeps = left}); })) return true;
    exact_.x = monitor_.best();
    return sweep(projection_, kNoLimit, kPatienceOfLarge[1]);
  }

  /// Second order: first on the contacts that matter, then on all, which starts cold.
  bool solve_directly() {
    monitor_.reserve(0);
    context_.x = monitor_.best();
    if (over_after([&] { return solve_working_set(context_); })) return true;
    context_.x = monitor_.best();
    if (direct_ && over_after([&] { return interior_then_levenberg(context_); })) return true;
    exact_.x = projection_.x = monitor_.best();
    return false;
  }

  const SolverContext& context_;
  Monitor& monitor_;
  double work_of_direct_;
  bool direct_;  // whether a direct solve of all contacts could end within the limit on work
  Eigen::VectorXd first_guess_;
  bool judged_ = false;  // whether the guess has been judged already
  Track exact_{ContactUpdate::exact}, projection_{ContactUpdate::projection};
  Status status_ = Status::iteration_limit;
};

/// What you would want if you knew nothing: bodies at rest are solved at once, momentum sweeps settle nearly
/// all else, and what resists gets a second-order method if it is small.
Status solve_automatically(const SolverContext& context) { return Stages(context).run(); }

}  // namespace

std::vector<SolverEntry> auto_solvers() {
  return {
      {"auto",
       "the default: momentum sweeps, projection steps where they cycle, interior point where they stall",
       200000, solve_automatically,
       [](const SolverContext& c) { return solve_momentum(c, {.patience = kPatience}); }},
      {"resting", "direct, for a few bodies that rest, from a good guess: what bears a load sticks", 1,
       [](const SolverContext& c) { return solve_resting(c); }},
      {"clusters", "for large problems: solves around the worst contact, then sweeps over all, and again",
       100000, [](const SolverContext& c) { return solve_clusters(c, {}); }},
      {"working_set",
       "direct on the contacts that bear an impulse or close, group by group; from a good guess", 100,
       [](const SolverContext& c) { return solve_working_set(c, {.largest_part = 1}); }},
      {"momentum", "guarded momentum around the four-wide Gauss-Seidel sweep, exact contact update", 100000,
       [](const SolverContext& c) { return solve_momentum(c, {}); },
       [](const SolverContext& c) { return solve_momentum(c, {}); }},
      {"momentum_projection", "the same with a projection step for each contact: slower, never cycles",
       100000,
       [](const SolverContext& c) { return solve_momentum(c, {.update = ContactUpdate::projection}); }},
      {"sweep", "the four-wide Gauss-Seidel sweep alone", 100000,
       [](const SolverContext& c) { return solve_momentum(c, {.momentum = false}); },
       [](const SolverContext& c) { return solve_momentum(c, {.momentum = false}); }},
      {"interior", "interior point with smoothed De Saxce term, then Levenberg-Marquardt; small problems",
       1000, interior_then_levenberg},
      {"levenberg", "Levenberg-Marquardt on Fischer-Burmeister; small problems, from a good guess", 1000,
       [](const SolverContext& c) { return solve_levenberg(c, {}); }},
  };
}

}  // namespace capstan

#include "bench/scenarios/run_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <optional>

#include "bench/scenarios/judge/crossing_judge.hpp"
#include "bench/timing.hpp"
#include "capstan/files/fclib.hpp"
#include "capstan/run/scene_run.hpp"
#include "capstan/step/thickness.hpp"

namespace capstan::scenarios {
namespace {

/// Whether nothing does work on the bodies but gravity, and nothing stores energy but them.
bool energy_can_only_fall(const Scene& scene, const World& world) {
  const auto moves = [](const Motion* motion) { return motion->moves(); };
  const auto sticks = [](const FrictionPair& pair) { return pair.friction.adhesion.has_value(); };
  const std::vector<const Motion*> scripted = world.scripted();
  return std::none_of(scripted.begin(), scripted.end(), moves) &&
         std::none_of(scene.friction.begin(), scene.friction.end(), sticks);
}

/// Seconds that something takes: by the clock, but not much more than of the processor, whose time may be
/// known in coarse ticks only. What else the machine does counts for a tick at most.
template <class F>
double step_seconds(const F& make) {
  constexpr double kTick = 4e-3;
  const auto start = std::chrono::steady_clock::now();
  const double processor = bench::processor_seconds(make);
  const std::chrono::duration<double> clock = std::chrono::steady_clock::now() - start;
  return std::min(clock.count(), processor + kTick);
}

std::string bodies_of(const World& world) {
  return fmt::format("{} strands, {} rigid, {} soft, {} obstacles, {} dofs", world.strands.size(),
                     world.rigid.size(), world.soft.size(), world.obstacles.size(), world.dofs());
}

std::string side_of(const World& world, const ContactSide& side) {
  if (side.strand >= 0) {
    const WorldStrand& strand = world.strands[side.strand];
    return fmt::format("{} (strand {}) at {:.4g} of {:.4g} m", strand.name, side.strand, side.s,
                       strand.collision_s.back());
  }
  if (side.soft >= 0) return world.soft[side.soft].name;
  if (side.rigid >= 0) return fmt::format("{} (rigid {})", world.rigid[side.rigid].name, side.rigid);
  return world.obstacles.at(side.obstacle).name;
}

/// The contact of the last step that overlaps most for the thickness of what is in it, in words. Contacts
/// that were added within the step have the gap of a later moment: what is deeper than was reported is one of
/// them.
std::string deepest_contact(const Simulation& simulation, const std::vector<double>& thickness,
                            double ratio) {
  const World& world = simulation.world();
  const Contact* deepest = nullptr;
  double best = 0;
  for (const Contact& contact : simulation.contacts()) {
    double thinner = 1e300;
    for (const ContactSide* side : {&contact.a, &contact.b})
      if (const int body = world.body_of(*side); body >= 0) thinner = std::min(thinner, thickness[body]);
    const double its_ratio = -contact.gap / thinner;
    if (its_ratio > best && its_ratio <= 1.0001 * ratio) best = its_ratio, deepest = &contact;
  }
  if (!deepest) return "";
  const Eigen::Vector3d x = deepest->point_a;
  return fmt::format("{} and {}, near ({:.4g}, {:.4g}, {:.4g})", side_of(world, deepest->a),
                     side_of(world, deepest->b), x[0], x[1], x[2]);
}

void write_picture(const record::PictureScene& scene, const std::filesystem::path& path) {
  record::PictureOptions options;
  options.width = 640, options.height = 480, options.samples = 2;
  const std::string bytes = record::png_bytes(record::draw_picture(scene, options));
  std::ofstream(path, std::ios::binary) << bytes;
}

/// One scene on its way.
class Trial {
 public:
  Trial(SceneRun run, const TrialOptions& options, Row row)
      : run_(std::move(run)), options_(options), row_(std::move(row)) {
    const World& world = run_.simulation().world();
    row_.bodies = bodies_of(world);
    row_.wanted = run_.scene().simulation.duration;
    row_.start_overlap = run_.untangled().before.penetration_ratio;
    thickness_ = thickness_of_bodies(world);
    watch(run_.simulation().measure_overlap());
    if (options_.judge) {
      judge_.emplace(world, run_.simulation().t());
      row_.start_crossings = judge_->at_start();
    }
    judge_energy_ = energy_can_only_fall(run_.scene(), world);
    if (!options_.hard_problems.empty()) keep_hard_problems();
    first_energy_ = lowest_energy_ = highest_energy_ = world.energy().total();
  }

  void run() {
    while (run_.frames_done() < run_.frames_wanted()) {
      StepReport report;
      const double seconds = step_seconds([&] { report = run_.step(); });
      count(report, seconds);
      if (judge_) {
        judge_->look(run_.simulation().world(), run_.simulation().t());
        row_.crossings = judge_->crossings();
        row_.first_crossing = judge_->first();
      }
      watch_energy();
      if (options_.on_step) options_.on_step(row_);
    }
    watch(run_.simulation().measure_overlap());
    row_.median_step = bench::median(times_);
    row_.end = "finished";
  }

  const Row& row() const { return row_; }

  void draw() {
    if (!options_.picture.empty() && picture_) write_picture(*picture_, options_.picture);
    if (!options_.end_picture.empty()) write_picture(run_.picture(), options_.end_picture);
  }

 private:
  void count(const StepReport& report, double seconds) {
    times_.push_back(seconds);
    ++row_.steps;
    row_.simulated = report.t;
    row_.total_seconds += seconds;
    if (row_.steps % 16 == 0) row_.median_step = bench::median(times_);
    if (seconds > row_.worst_step) {
      row_.worst_step = seconds, row_.worst_step_t = report.t;
      row_.worst_step_contacts = report.contacts, row_.worst_step_sweeps = report.sweeps;
      row_.worst_step_attempts = report.attempts;
    }
    row_.max_contacts = std::max(row_.max_contacts, report.contacts);
    row_.mean_contacts += (report.contacts - row_.mean_contacts) / row_.steps;
    row_.sweeps += report.sweeps;
    row_.contact_sweeps += long(report.sweeps) * report.contacts;
    row_.attempts += report.attempts;
    if (report.status != Status::converged) ++row_.above_tolerance;
    row_.worst_error = std::max(row_.worst_error, report.error);
    row_.reported_crossings += report.crossings;
    row_.repaired_crossings += report.repaired_crossings;
    watch({report.penetration, report.obstacle_penetration, report.penetration_ratio});
  }

  void keep_hard_problems() {
    run_.simulation().on_solved = [this, kept = 0](const ContactProblem& problem,
                                                   const Solution& solution) mutable {
      if (solution.report.status == Status::converged || kept >= options_.max_hard_problems) return;
      const std::string name = fmt::format("{}_{}.hdf5", row_.name, ++kept);
      write_fclib(options_.hard_problems / name, problem, &solution, {name, "a step of " + row_.name, ""});
    };
  }

  void watch(const OverlapReport& overlap) {
    row_.deepest = std::max({row_.deepest, overlap.penetration, overlap.obstacle_penetration});
    if (overlap.penetration_ratio <= row_.deepest_ratio) return;
    if (!options_.picture.empty() && overlap.penetration_ratio > 1.1 * row_.deepest_ratio)
      picture_ = run_.picture();
    row_.deepest_ratio = overlap.penetration_ratio;
    row_.deepest_t = run_.simulation().t();
    if (row_.steps > 0)
      row_.deepest_between = deepest_contact(run_.simulation(), thickness_, overlap.penetration_ratio);
  }

  void watch_energy() {
    if (!judge_energy_) return;
    const double energy = run_.simulation().world().energy().total();
    lowest_energy_ = std::min(lowest_energy_, energy);
    highest_energy_ = std::max(highest_energy_, energy);
    const double turned_over = std::max(highest_energy_ - lowest_energy_, 1e-300);
    row_.energy_gained = (highest_energy_ - first_energy_) / turned_over;
  }

  SceneRun run_;
  const TrialOptions& options_;
  Row row_;
  std::vector<double> times_;
  std::vector<double> thickness_;  // of each body, m
  std::optional<CrossingJudge> judge_;
  std::optional<record::PictureScene> picture_;
  bool judge_energy_ = false;
  double first_energy_ = 0, lowest_energy_ = 0, highest_energy_ = 0;
};

}  // namespace

Row run_scenario(const std::filesystem::path& scene, const std::vector<Override>& overrides,
                 const TrialOptions& options) {
  Row row;
  row.name = scene.stem().string();
  if (options.on_step) options.on_step(row);
  RunOptions run_options;
  run_options.threads = options.threads;
  run_options.overrides = overrides;
  std::optional<SceneRun> run;
  row.start_seconds = step_seconds([&] { run.emplace(SceneRun::start(scene, run_options)); });
  Trial trial(std::move(*run), options, row);
  trial.run();
  trial.draw();
  return trial.row();
}

}  // namespace capstan::scenarios

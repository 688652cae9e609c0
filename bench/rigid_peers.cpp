// One scene of rigid bodies, by us and by Bullet, on one thread each: time and contacts of a step, and what
// certify() says of both answers.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "apps/text_table.hpp"
#include "bench/bench_main.hpp"
#include "bench/bullet_world.hpp"
#include "bench/timing.hpp"
#include "capstan/collide/rigid_contacts.hpp"
#include "capstan/errors.hpp"
#include "capstan/scene/build_world.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {
namespace {

using app::TextTable;
using bench::BulletOptions;
using bench::BulletStep;
using bench::BulletWorld;
using bench::median;
using bench::processor_seconds;

struct Arguments {
  std::string scene = "scenes/rigid/drum_10000.toml";
  double until = 1.4;
  int steps = 20;
  std::vector<int> iterations{10, 50, 200, 1000};
  std::vector<double> tolerances{1e-2, 1e-3, 1e-4, 1e-6};
  double time_limit = 120;
};

/// By our geometry, whoever placed the bodies; m.
double deepest_overlap(const World& world, const std::vector<Frame>& poses, double t) {
  std::vector<RigidCollider> bodies, fixed;
  for (std::size_t k = 0; k < poses.size(); ++k) bodies.push_back({&world.rigid[k].solid, poses[k]});
  for (const WorldObstacle& obstacle : world.obstacles)
    fixed.push_back({&*obstacle.solid, obstacle.motion.at(t)});
  double deepest = 0;
  for (const RigidPair& pair : detect_between_rigid(bodies, fixed))
    for (const ManifoldPoint& point : pair.points) deepest = std::max(deepest, -point.gap);
  return deepest;
}

std::vector<Frame> poses_of(const World& world) {
  std::vector<Frame> poses;
  for (const WorldRigid& rigid : world.rigid) poses.push_back(rigid.body->frame());
  return poses;
}

/// Both from the start of the scene to the same time.
struct Race {
  explicit Race(const Scene& scene)
      : dt(scene.simulation.dt),
        ours(build_world(scene), step_options(scene.simulation, serial_executor())),
        bullet(ours.world()) {}

  void run_until(double t) {
    seconds_ours += processor_seconds([&] {
      while (ours.t() < t) {
        const StepReport report = ours.step(t);
        missed += report.status != Status::converged;
      }
    });
    seconds_bullet += processor_seconds([&] {
      while (bullet.t() < t - 0.5 * dt) bullet.step(dt), ++bullet_steps;
    });
  }

  double dt;
  Simulation ours;
  BulletWorld bullet;
  double seconds_ours = 0, seconds_bullet = 0;
  int missed = 0, bullet_steps = 0;
};

void print_fall(const Race& race) {
  fmt::print(
      "\nFrom the start to t = {:.4g} s\n"
      "  capstan  {:5} steps, {:7.2f} s; above the tolerance {}\n"
      "  bullet   {:5} steps, {:7.2f} s\n",
      race.ours.t(), race.ours.steps(), race.seconds_ours, race.missed, race.bullet_steps,
      race.seconds_bullet);
}

TextTable step_table() {
  return TextTable({{"a step of", 36, true},
                    {"contacts", 8},
                    {"ms, median", 10},
                    {"solve, %", 8},
                    {"error", 8},
                    {"natural map", 11},
                    {"penetration, m/s", 16},
                    {"overlap, mm", 11},
                    {"energy, J", 9}});
}

struct StepRow {
  std::string name;
  int contacts;
  std::vector<double> seconds, solve_share;
  Certificate certificate;
  double overlap, kinetic_energy;
};

void print_row(const TextTable& table, const StepRow& row) {
  fmt::print("{}", table.row({{row.name},
                              {std::to_string(row.contacts)},
                              {fmt::format("{:.1f}", 1e3 * median(row.seconds))},
                              {fmt::format("{:.0f}", 100 * median(row.solve_share))},
                              {fmt::format("{:.1e}", row.certificate.error)},
                              {fmt::format("{:.1e}", row.certificate.natural_map_error)},
                              {fmt::format("{:.1e}", row.certificate.penetration_velocity)},
                              {fmt::format("{:.2f}", 1e3 * row.overlap)},
                              {fmt::format("{:.3g}", row.kinetic_energy)}}));
}

/// One of ours, one of theirs, in turn; then Bullet with other options from where it is.
BulletStep compare_steps(Race& race, const Arguments& arguments) {
  StepRow ours{"capstan", 0, {}, {}, {}, 0, 0},
      theirs{"bullet, 10 iterations (default)", 0, {}, {}, {}, 0, 0};
  race.ours.on_solved = [&](const ContactProblem&, const Solution& solution) {
    ours.certificate = solution.report.certificate;
  };
  for (int k = 0; k < arguments.steps; ++k) {
    ours.seconds.push_back(processor_seconds([&] {
      const StepReport report = race.ours.step(race.ours.t() + race.dt);
      ours.contacts = report.contacts;
      const double all =
          report.seconds_detect + report.seconds_assemble + report.seconds_solve + report.seconds_advance;
      ours.solve_share.push_back(report.seconds_solve / all);
    }));
    theirs.seconds.push_back(processor_seconds([&] { race.bullet.step(race.dt); }));
    theirs.solve_share.push_back(race.bullet.seconds_solve() / theirs.seconds.back());
  }
  const auto judge = [&](StepRow& row) {
    BulletStep step = race.bullet.recorded_step(race.dt);
    row.contacts = race.bullet.contacts();
    row.certificate = certify(step.problem, step.r);
    row.overlap = deepest_overlap(race.ours.world(), race.bullet.poses(), race.bullet.t());
    row.kinetic_energy = race.bullet.kinetic_energy();
    return step;
  };
  ours.overlap = deepest_overlap(race.ours.world(), poses_of(race.ours.world()), race.ours.t());
  ours.kinetic_energy = race.ours.world().energy().kinetic;
  BulletStep recorded = judge(theirs);
  const TextTable table = step_table();
  fmt::print("\n{} steps of each in turn\n{}", arguments.steps, table.header());
  print_row(table, ours);
  print_row(table, theirs);
  for (const int iterations : arguments.iterations) {
    race.bullet.set_options({iterations, 2});
    StepRow row{fmt::format("bullet, {} iterations, 2 directions", iterations), 0, {}, {}, {}, 0, 0};
    for (int k = 0; k < 5; ++k) {
      row.seconds.push_back(processor_seconds([&] { race.bullet.step(race.dt); }));
      row.solve_share.push_back(race.bullet.seconds_solve() / row.seconds.back());
    }
    judge(row);
    print_row(table, row);
  }
  return recorded;
}

/// Our solver on the problem that Bullet had.
void solve_theirs(const BulletStep& step, const Arguments& arguments) {
  const Certificate theirs = certify(step.problem, step.r);
  fmt::print(
      "\nThe problem of Bullet's step, {} contacts (its own velocities are met to {:.1e})\n"
      "  bullet, 10 iterations: error {:.2e}, natural map {:.1e}; open {}, stick {}, slide {}\n",
      step.problem.contacts(), step.mismatch, theirs.error, theirs.natural_map_error, theirs.open,
      theirs.stick, theirs.slide);
  std::vector<double> tolerances{theirs.error};  // as good as Bullet's answer, then better
  tolerances.insert(tolerances.end(), arguments.tolerances.begin(), arguments.tolerances.end());
  for (const double tolerance : tolerances) {
    SolveOptions options;
    options.tolerance = tolerance;
    options.time_limit = arguments.time_limit;
    std::optional<Solution> answer;
    const double seconds = processor_seconds([&] { answer = solve(step.problem, options); });
    fmt::print("  capstan from zero, to {:.1e}: {:8.1f} ms, {} sweeps, error {:.2e}, natural map {:.1e}\n",
               tolerance, 1e3 * seconds, answer->report.iterations, answer->report.certificate.error,
               answer->report.certificate.natural_map_error);
  }
}

void parse(CLI::App& app, Arguments& arguments) {
  app.add_option("SCENE", arguments.scene, "Rigid bodies alone")->capture_default_str();
  app.add_option("--until", arguments.until, "Time at which steps are compared, s")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--steps", arguments.steps, "To compare, in turn")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--iterations", arguments.iterations, "Of Bullet, with two directions of friction")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--tols", arguments.tolerances, "Of our solver on Bullet's problem")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--time-limit", arguments.time_limit, "Of each of these solves, s")->capture_default_str();
}

int run(const Arguments& arguments) {
  const Scene scene = read_scene(arguments.scene);
  Race race(scene);
  fmt::print("{}: {} bodies, dt {:g} s, our tolerance {:g}; one thread each, processor time\n", scene.title,
             race.ours.world().rigid.size(), race.dt, scene.simulation.tolerance);
  race.run_until(arguments.until);
  print_fall(race);
  solve_theirs(compare_steps(race, arguments), arguments);
  return 0;
}

}  // namespace
}  // namespace capstan

int main(int argc, char** argv) {
  return capstan::bench::bench_main<capstan::Arguments>(
      argc, argv, "Rigid bodies by Capstan and by Bullet, both judged by the same certificate",
      capstan::parse, capstan::run);
}

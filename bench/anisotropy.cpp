// What friction with a grain, or adhesion, costs beside Coulomb's law: the same contacts with matchstick
// friction of grains at random, or with springs. One thread.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <optional>

#include "apps/problem_source.hpp"
#include "apps/text_table.hpp"
#include "bench/bench_main.hpp"
#include "bench/timing.hpp"
#include "capstan/errors.hpp"
#include "capstan/law/pair_friction.hpp"
#include "capstan/random.hpp"
#include "capstan/solve/solver.hpp"

namespace capstan {
namespace {

using bench::median;
using bench::processor_seconds;

struct Arguments {
  std::vector<std::string> problems{"sample:spheres_2000", "sample:rods_3000"};
  std::vector<std::string> solvers;  // none: those that know the law
  int repeats = 15;
  int sweeps = 400;
  double tolerance = 1e-4;
  double along = 0.5, across = 2;  // of mu
  std::string law = "matchstick";
  double stiffness = 1;  // dt^2 times a spring, of the mass of its contact
};

Eigen::Vector3d random_tangent(Random& random) {
  const double angle = random.uniform(0, 2 * std::numbers::pi);
  return {0, std::cos(angle), std::sin(angle)};
}

/// The cones of matchstick friction at every contact, each in the frame of its contact.
std::vector<OrientedFriction> random_grains(const ContactProblem& problem, const Arguments& arguments) {
  Random random(1);
  std::vector<OrientedFriction> cones;
  for (const ContactLaw& law : problem.laws()) {
    PairFriction pair;
    pair.model = FrictionModel::matchstick;
    pair.mu = law.friction[0];
    pair.mu_along = arguments.along * pair.mu;
    pair.mu_across = arguments.across * pair.mu;
    cones.push_back(orient(pair, Eigen::Vector3d::UnitX(), random_tangent(random), random_tangent(random)));
  }
  return cones;
}

/// The same contacts with their frames turned to the axes of these cones.
ContactProblem with_cones(const ContactProblem& problem, const std::vector<OrientedFriction>& cones) {
  ContactJacobian H = problem.H();
  Eigen::VectorXd w = problem.w();
  std::vector<ContactLaw> laws;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Eigen::Matrix3d rows = contact_frame_of(cones[i], Eigen::Vector3d::UnitX()).transpose();
    for (int k = H.begin(i); k < H.end(i); ++k) H.block(k) = (rows * H.block(k)).eval();
    w.segment<3>(3 * i) = (rows * w.segment<3>(3 * i)).eval();
    laws.push_back(contact_law(cones[i]));
  }
  return ContactProblem::from_mass(problem.mass(), problem.f(), std::move(H), std::move(w), std::move(laws));
}

/// The same contacts, bonded with half the intensity: half the friction, and springs.
ContactProblem with_glue(const ContactProblem& problem, double stiffness) {
  const Eigen::VectorXd mass = contact_masses(problem);
  std::vector<ContactLaw> laws;
  for (int i = 0; i < problem.contacts(); ++i) {
    const Eigen::Vector4d E = stiffness * mass[i] * Eigen::Vector4d(1, 1, 1, 0);
    laws.push_back(
        ContactLaw::coulomb(0.5 * problem.law(i).friction[0]).with_traction(E, Eigen::Vector4d::Zero()));
  }
  return ContactProblem::from_mass(problem.mass(), problem.f(), problem.H(), problem.w(), std::move(laws));
}

ContactProblem load(const app::ProblemSource& source) {
  ContactProblem problem = source.load();
  if (problem.dimension() != 3 || !problem.has_mass())
    throw InputError(source.name + ": expected a problem with masses in space");
  for (const ContactLaw& law : problem.laws())
    if (!law.is_isotropic(3) || law.has_traction() || !law.shift.isZero(0))
      throw InputError(source.name + ": expected Coulomb's law");
  return problem;
}

struct Run {
  double seconds;
  SolveReport report;
};

Run timed_solve(const ContactProblem& problem, const std::string& solver, double tolerance, int sweeps) {
  SolveOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = sweeps;
  std::optional<Solution> answer;
  const double seconds = processor_seconds([&] { answer = solve(problem, options); });
  return {seconds, answer->report};
}

/// Of one law in several repeats: seconds of a sweep, and of a solve without its sweeps.
struct Times {
  std::vector<double> sweep, set_up;

  /// From a short and a long solve that cannot converge.
  void add(const ContactProblem& problem, const std::string& solver, int sweeps) {
    constexpr double kNever = 1e-30;
    const Run few = timed_solve(problem, solver, kNever, sweeps / 10),
              many = timed_solve(problem, solver, kNever, sweeps);
    if (many.report.iterations == few.report.iterations) throw InputError(solver + ": does not sweep");
    sweep.push_back((many.seconds - few.seconds) / (many.report.iterations - few.report.iterations));
    set_up.push_back(few.seconds - few.report.iterations * sweep.back());
  }
};

app::TextTable result_table(const std::string& law) {
  return app::TextTable({{"problem", 14, true},
                         {"contacts", 8},
                         {"solver", 20, true},
                         {"us/sweep, mu", 12},
                         {law, 10},
                         {"ratio", 6},
                         {"of minima", 9},
                         {"set-up, ratio", 13},
                         {"sweeps to tol, mu", 17},
                         {law, 10}});
}

double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

std::string sweeps_text(const Run& run) {
  const bool done = run.report.status == Status::converged;
  return fmt::format("{}{}", done ? "" : "> ", run.report.iterations);
}

void compare(const app::ProblemSource& source, const Arguments& arguments, const app::TextTable& table) {
  const ContactProblem circular = load(source);
  const bool glue = arguments.law == "glue";
  std::vector<OrientedFriction> cones;
  const double seconds_orient = processor_seconds([&] { cones = random_grains(circular, arguments); });
  const ContactProblem other = glue ? with_glue(circular, arguments.stiffness) : with_cones(circular, cones);
  for (const std::string& solver : arguments.solvers) {
    Times plain, grain;
    for (int k = 0; k < arguments.repeats; ++k) {
      plain.add(circular, solver, arguments.sweeps);
      grain.add(other, solver, arguments.sweeps);
    }
    const Run solved_plain = timed_solve(circular, solver, arguments.tolerance, 50000),
              solved_grain = timed_solve(other, solver, arguments.tolerance, 50000);
    fmt::print("{}", table.row({{source.name},
                                {std::to_string(circular.contacts())},
                                {solver},
                                {fmt::format("{:.1f}", 1e6 * median(plain.sweep))},
                                {fmt::format("{:.1f}", 1e6 * median(grain.sweep))},
                                {fmt::format("{:.3f}", median(grain.sweep) / median(plain.sweep))},
                                {fmt::format("{:.3f}", least(grain.sweep) / least(plain.sweep))},
                                {fmt::format("{:.3f}", median(grain.set_up) / median(plain.set_up))},
                                {sweeps_text(solved_plain)},
                                {sweeps_text(solved_grain)}}));
    std::fflush(stdout);
  }
  if (!glue)
    fmt::print("{:16}cones from grains: {:.2f} us a contact, once a step\n", "",
               1e6 * seconds_orient / circular.contacts());
}

void parse(CLI::App& app, Arguments& arguments) {
  app.add_option("PROBLEM", arguments.problems, "Files, or sample:NAME, with Coulomb's law")
      ->capture_default_str();
  app.add_option("--solvers", arguments.solvers,
                 "That sweep (default momentum, and beside a grain momentum_projection)")
      ->delimiter(',');
  app.add_option("--repeats", arguments.repeats, "Of both, in turn")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--sweeps", arguments.sweeps, "Of a timed solve")
      ->check(CLI::Range(100, 100000))
      ->capture_default_str();
  app.add_option("--tol", arguments.tolerance, "Up to which sweeps are counted")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--law", arguments.law, "Beside Coulomb's")
      ->check(CLI::IsMember({"matchstick", "glue"}))
      ->capture_default_str();
  app.add_option("--stiffness", arguments.stiffness,
                 "Of glue: dt^2 times a spring over the mass of a contact")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--along", arguments.along, "Friction along parallel grains, in parts of mu")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--across", arguments.across, "And across them")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

int run(Arguments arguments) {
  if (arguments.solvers.empty()) {
    arguments.solvers = {"momentum"};
    if (arguments.law == "matchstick") arguments.solvers.push_back("momentum_projection");
  }
  for (const std::string& solver : arguments.solvers) app::check_solver_name(solver);
  const app::TextTable table = result_table(arguments.law);
  fmt::print("{} repeats of both laws in turn, medians, processor time of one thread\n{}", arguments.repeats,
             table.header());
  for (const app::ProblemSource& source : app::sources_of(arguments.problems))
    compare(source, arguments, table);
  return 0;
}

}  // namespace
}  // namespace capstan

int main(int argc, char** argv) {
  return capstan::bench::bench_main<capstan::Arguments>(argc, argv, "The cost of friction with a grain",
                                                        capstan::parse, capstan::run);
}

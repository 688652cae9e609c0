#include <fmt/format.h>

#include <memory>

#include "apps/commands.hpp"
#include "apps/number_checks.hpp"
#include "apps/report.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/solve/certificate.hpp"

namespace capstan::app {
namespace {

struct CertifyArguments {
  std::string file;
  double tolerance = 1e-6;
  bool json = false;
};

void print_certificate(const ContactProblem& problem, const Certificate& c) {
  const auto worst = [](int contact) {
    return contact < 0 ? std::string() : fmt::format("  at contact {}", contact);
  };
  fmt::print("contacts              {} ({} open, {} stick, {} slide)\n", problem.contacts(), c.open, c.stick,
             c.slide);
  fmt::print("error                 {:.3e}{}\n", c.error, worst(c.worst_contact));
  fmt::print("penetration velocity  {:.3e} m/s{}\n", c.penetration_velocity, worst(c.worst_penetration));
  fmt::print("cone violation        {:.3e} N s{}\n", c.cone_violation, worst(c.worst_cone));
  fmt::print("dissipation defect    {:.3e} J{}\n", c.dissipation_defect, worst(c.worst_dissipation));
  fmt::print("natural map           {:.3e}\n", c.natural_map_error);
  fmt::print("Fischer-Burmeister    {:.3e}\n", c.fischer_burmeister);
  fmt::print("Alart-Curnier         {:.3e}\n", c.alart_curnier);
}

int certify_file(const CertifyArguments& arguments) {
  const ContactProblem problem = read_problem(arguments.file);
  const auto solution = read_solution(arguments.file);
  if (!solution) throw InputError(arguments.file + ": has no solution to certify");
  const Certificate certificate = certify(problem, solution->r);
  const bool good = certificate.error <= arguments.tolerance;
  if (arguments.json) {
    nlohmann::ordered_json json = {{"file", arguments.file},
                                   {"contacts", problem.contacts()},
                                   {"dofs", problem.dofs()},
                                   {"within_tolerance", good}};
    json.update(certificate_json(certificate));
    fmt::print("{}\n", json.dump());
  } else {
    print_certificate(problem, certificate);
    fmt::print("{}\n",
               styled(fmt::format("{} tolerance {:g}", good ? "within" : "outside", arguments.tolerance),
                      good ? Style::good : Style::fair));
  }
  return good ? kAllConverged : kSomeDidNot;
}

}  // namespace

void add_certify_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CertifyArguments>();
  CLI::App* command = app.add_subcommand("certify", "Judge the answer that is stored in a file");
  command->add_option("FILE", arguments->file, "FCLib file with a solution")->required();
  command->add_option("--tol", arguments->tolerance, "Tolerance on the error; decides the exit code")
      ->check(above_zero())
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "One JSON object");
  command->footer(R"(
Example:
  capstan solve tower.dat --write answers && capstan certify answers/tower.hdf5

Exit codes: 0 within the tolerance, 1 outside, 2 the file has no solution or cannot be read.)");
  command->callback([&action, arguments] { action = [arguments] { return certify_file(*arguments); }; });
}

}  // namespace capstan::app

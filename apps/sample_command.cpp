#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "apps/commands.hpp"
#include "apps/suggest.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/sample/sample.hpp"

namespace capstan::app {
namespace {

struct SampleArguments {
  std::string name, output;
  bool list = false;
};

int list_samples() {
  std::size_t longest = 0, pattern = 0;
  for (const Sample& sample : samples()) {
    longest = std::max(longest, sample.name.size());
    pattern = std::max(pattern, sample.pattern.size());
  }
  for (const Sample& sample : samples())
    fmt::print("{:<{}}  {:<{}}  {}\n", sample.name, longest,
               sample.pattern == sample.name ? "" : sample.pattern, pattern, sample.summary);
  fmt::print("\nThe second column is the family: stack_25 or fibers_nu1.5 are samples too.\n");
  return kAllConverged;
}

int write_sample(const SampleArguments& arguments) {
  if (arguments.list) return list_samples();
  if (arguments.name.empty()) throw InputError("sample: expected a name, or --list");
  if (arguments.output.empty()) throw InputError("sample: expected -o FILE");
  const ContactProblem problem = make_sample(arguments.name);
  files::make_folders_for(arguments.output);
  write_fclib(arguments.output, problem, nullptr, {arguments.name, "built-in sample of capstan", ""});
  fmt::print("{}: {} contacts, {} degrees of freedom\n", arguments.output, problem.contacts(),
             problem.dofs());
  return kAllConverged;
}

}  // namespace

void add_sample_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<SampleArguments>();
  CLI::App* command = app.add_subcommand("sample", "List the built-in problems, or write one to a file");
  command->add_option("NAME", arguments->name, "A name of the list, or another member of a family");
  command->add_option("-o,--output", arguments->output, "FCLib file to write")->type_name("FILE");
  command->add_flag("--list", arguments->list, "List them");
  command->footer(R"(
Examples:
  capstan sample --list
  capstan sample fibers_nu1.5 -o wisp.hdf5
  capstan solve sample:spheres_1000        without a file)");
  command->callback([&action, arguments] { action = [arguments] { return write_sample(*arguments); }; });
}

}  // namespace capstan::app

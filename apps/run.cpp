#include "apps/run.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <new>

#include "apps/commands.hpp"
#include "apps/suggest.hpp"
#include "capstan/errors.hpp"

namespace capstan::app {
namespace {

constexpr const char* kDescription =
    "Capstan solves contact problems with exact Coulomb friction and says how good the answer is.";

constexpr const char* kFooter = R"(
Examples:
  capstan solve                         the built-in problems
  capstan solve tower.dat --tol 1e-8    one file, to a tighter tolerance
  capstan solve *.hdf5 --json           one JSON object a file, for programs
  capstan solve a.dat --write answers   problem and answer to answers/a.hdf5 (FCLib)
  capstan certify answers/a.hdf5        judge the answer kept in a file
  capstan bench sample:wall tower.dat --solvers auto,gs --out bench_out
  capstan sample fibers_nu2 -o wisp.hdf5
  capstan run curls.toml                simulate it, into runs/curls
  capstan new curls                     a scene to start from, curls.toml
  capstan check curls.toml              what is in it, or what is wrong with it
  capstan plot runs/hair                the statistics of a run as SVG plots
  capstan frame runs/hair --at 1.5 -o hair.png
  capstan view runs/hair                look at it in the browser
  capstan render runs/hair -o hair.mp4  a clip of it
  capstan export runs/hair --to usd     for Blender, Houdini; also for ParaView, numpy, the web
  capstan import model.xml -o s.toml    a scene from a MuJoCo model
  capstan live curls.toml               simulate it there, and pull at it

Exit codes: 0 every problem converged, 1 some did not, 2 bad input or usage, 130 interrupted.
'capstan COMMAND --help' tells more about a command.)";

/// Options and commands that can be written where the parser stopped.
std::vector<std::string> words_of(const CLI::App& app, bool options) {
  std::vector<std::string> words;
  if (options)
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
      for (const std::string& name : option->get_snames()) words.push_back("-" + name);
    }
  else
    for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
  return words;
}

/// The command that was given, or the program itself.
const CLI::App& active(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : *given.front();
}

int report_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& where = active(app);
  const std::vector<std::string> extra = app.remaining(true);
  if (extra.empty()) {
    fmt::print(stderr, "capstan: {}\n", error.what());
  } else {
    const bool option = extra.front().rfind('-', 0) == 0;
    const std::string word = option ? extra.front().substr(0, extra.front().find('=')) : extra.front();
    fmt::print(stderr, "capstan: there is no {} '{}'{}\n", option ? "option" : "command", word,
               did_you_mean(word, words_of(where, option)));
  }
  fmt::print(stderr, "'capstan {}--help' shows how it is used.\n",
             &where == &app ? std::string() : where.get_name() + " ");
  return kBadInput;
}

/// A file system error without the name of the C++ function that met it.
std::string in_words(const std::filesystem::filesystem_error& error) {
  std::string reason = error.code().message();
  if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return fmt::format("{}: cannot be used: {}", error.path1().empty() ? "a file" : error.path1().string(),
                     reason);
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app(kDescription, "capstan");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("capstan ") + CAPSTAN_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(34);
  Action action = [&] {
    fmt::print("{}\n", app.help());
    return int(kAllConverged);
  };
  add_run_command(app, action);
  add_solve_command(app, action);
  add_bench_command(app, action);
  add_certify_command(app, action);
  add_sample_command(app, action);
  add_solvers_command(app, action);
  add_check_command(app, action);
  add_new_command(app, action);
  add_plot_command(app, action);
  add_frame_command(app, action);
  add_view_command(app, action);
  add_live_command(app, action);
  add_render_command(app, action);
  add_export_command(app, action);
  add_import_command(app, action);
  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return report_usage_error(app, error);
  } catch (const InputError& error) {
    fmt::print(stderr, "capstan: {}\n", error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "capstan: {}\n", in_words(error));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "capstan: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "capstan: {}\n", error.what());
  }
  return kBadInput;
}

}  // namespace capstan::app

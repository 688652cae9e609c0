#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/number_checks.hpp"
#include "apps/run_summary.hpp"
#include "apps/terminal.hpp"
#include "capstan/errors.hpp"
#include "capstan/record/summary.hpp"
#include "capstan/run/scene_run.hpp"

namespace capstan::app {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::string scene, folder, dump;
  std::vector<std::string> overrides;
  int frames = 0, threads = 0;
  bool resume = false, overwrite = false, json = false;
};

int dump_every(const std::string& text) {
  if (text.empty()) return 0;
  const std::string number = text.starts_with("every=") ? text.substr(6) : "";
  int every = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), every);
  if (error != std::errc() || end != number.data() + number.size() || every < 1)
    throw InputError("--dump-problems: is '" + text + "', expected every=N with N a whole number from 1");
  return every;
}

RunOptions options_of(const RunArguments& arguments) {
  RunOptions options;
  options.folder = arguments.folder.empty() ? fs::path("runs") / fs::path(arguments.scene).stem()
                                            : fs::path(arguments.folder);
  options.threads = arguments.threads;
  options.overwrite = arguments.overwrite;
  options.dump_every = dump_every(arguments.dump);
  for (const std::string& text : arguments.overrides) options.overrides.push_back(parse_override(text));
  return options;
}

SceneRun open(const RunArguments& arguments, const RunOptions& options) {
  if (arguments.resume && !arguments.overrides.empty())
    throw InputError("--set: a resumed run keeps the scene it was started with");
  if (arguments.resume && record::RunDirectory::holds_run(options.folder)) return SceneRun::resume(options);
  return SceneRun::start(arguments.scene, options);
}

/// Frame after frame until all are there or Ctrl-C; returns whether all are.
bool record_frames(SceneRun& run, int wanted) {
  InterruptGuard guard;
  Progress progress;
  progress.start("simulating");
  const int first = run.frames_done();
  while (run.frames_done() < wanted && !interrupted()) {
    const bool added = run.next_frame([&](const StepReport& step) {
      progress.set_text(fmt::format(
          "frame {}/{}  step {}  dt {:.2g} ms  {} contacts  {} sweeps  error {:.0e}", run.frames_done() + 1,
          wanted, run.simulation().steps(), 1e3 * step.dt, step.contacts, step.sweeps, step.error));
      return !interrupted();
    });
    if (!added) break;
    progress.set_fraction(double(run.frames_done() - first) / std::max(1, wanted - first));
  }
  progress.clear();
  return run.frames_done() >= wanted;
}

void print_json(const SceneRun& run, const record::Summary& s, bool complete) {
  const nlohmann::json json = {{"folder", run.directory().path().string()},
                               {"complete", complete},
                               {"frames", s.frames},
                               {"steps", s.steps},
                               {"strands", s.strands},
                               {"dofs", s.dofs},
                               {"mean_contacts", s.mean_contacts},
                               {"max_contacts", s.max_contacts},
                               {"above_tolerance", s.above_tolerance},
                               {"max_error", s.max_error},
                               {"mean_detect", s.mean_detect},
                               {"mean_assemble", s.mean_assemble},
                               {"mean_solve", s.mean_solve},
                               {"mean_step", s.mean_step},
                               {"seconds", s.total}};
  fmt::print("{}\n", json.dump());
}

int run_scene(const RunArguments& arguments) {
  const RunOptions options = options_of(arguments);
  SceneRun run = open(arguments, options);
  const int wanted =
      arguments.frames > 0 ? std::min(arguments.frames, run.frames_wanted()) : run.frames_wanted();
  if (run.frames_done() <= 1)
    for (const std::string& warning : run.warnings()) fmt::print(stderr, "warning: {}\n", warning);
  if (!run.directory().problems().empty()) fmt::print(stderr, "{}\n", run.directory().problems());
  const bool complete = record_frames(run, wanted);
  if (complete) run.finish();
  const auto stats = record::read_statistics(options.folder);
  record::Manifest manifest = record::read_manifest(options.folder);
  manifest.frames = run.frames_done();  // written only once the run is complete
  const record::Summary summary = record::summarize(manifest, stats.steps);
  if (arguments.json) {
    print_json(run, summary, complete);
  } else {
    fmt::print("{}", summary_table(options.folder.filename().string(), run.directory().manifest(), summary));
    fmt::print("{} frames in {}\n", run.frames_done(), options.folder.string());
  }
  if (complete) return 0;
  fmt::print(stderr, "interrupted; 'capstan run {} -o {} --resume' goes on\n", arguments.scene,
             options.folder.string());
  return 130;
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto* command = app.add_subcommand("run", "Simulate a scene and record it");
  const auto arguments = std::make_shared<RunArguments>();
  command->add_option("SCENE", arguments->scene, "A scene file (.toml); 'capstan new' writes one")
      ->required();
  command->add_option("-o,--output", arguments->folder, "Folder of the run (default: runs/NAME)");
  command->add_option("--frames", arguments->frames, "Stop after so many frames")->check(above_zero());
  command->add_option("--threads", arguments->threads, "Threads (default: one a core)")->check(above_zero());
  command->add_flag("--resume", arguments->resume, "Go on from the last checkpoint of this folder");
  command->add_flag("--overwrite", arguments->overwrite, "Replace a run that is already there");
  command->add_option("--set", arguments->overrides, "Change a value first, as in groom.scalp.count=250")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option(
      "--dump-problems", arguments->dump,
      "every=N: keep the contact problem of every N-th step, with its answer, for 'capstan solve'");
  command->add_flag("--json", arguments->json, "The summary as one JSON object");
  command->footer(
      "Ctrl-C ends cleanly and keeps all frames. Then: capstan plot FOLDER, capstan frame FOLDER --at 1 -o "
      "x.png\n"
      "Exit codes: 0 done, 2 bad scene or usage, 130 interrupted.");
  command->callback([arguments, &action] { action = [arguments] { return run_scene(*arguments); }; });
}

}  // namespace capstan::app

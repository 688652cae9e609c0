#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/number_checks.hpp"
#include "apps/run_summary.hpp"
#include "apps/terminal.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/summary.hpp"
#include "capstan/run/scene_run.hpp"
#include "capstan/run/start_warnings.hpp"

namespace capstan::app {
namespace {

namespace fs = std::filesystem;

struct RunArguments {
  std::string scene, folder, dump;
  std::vector<std::string> overrides;
  int frames = 0, threads = 0;
  bool resume = false, overwrite = false, json = false, table = false, strict = false;
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

/// A resumed run goes on with the copy of its scene: a scene that was edited since must not be ignored.
void check_same_scene(const fs::path& scene, const fs::path& folder) {
  const fs::path copy = folder / record::read_manifest(folder).scene;
  if (!fs::is_regular_file(scene) || files::read_whole_file(scene) == files::read_whole_file(copy)) return;
  throw InputError(fmt::format(
      "{0}: differs from {1}, with which the run began, and a resumed run keeps its scene. 'capstan run {1} "
      "-o "
      "{2} --resume' goes on with that one; to simulate the new one, use --overwrite or another folder",
      scene.string(), copy.string(), folder.string()));
}

SceneRun open(const RunArguments& arguments, const RunOptions& options) {
  if (arguments.resume && !arguments.overrides.empty())
    throw InputError("--set: a resumed run keeps the scene it was started with");
  if (arguments.resume && record::RunDirectory::holds_run(options.folder)) {
    check_same_scene(arguments.scene, options.folder);
    return SceneRun::resume(options);
  }
  return SceneRun::start(arguments.scene, options);
}

/// Records frame after frame until all are there or the user wants to stop; returns whether all are.
bool record_frames(SceneRun& run, int wanted, Progress& progress) {
  const InterruptGuard guard;
  progress.start("simulating");
  const int first = run.frames_done();
  const auto show = [&](int contacts, int sweeps, double error) {
    progress.update_text([&] {
      const Simulation& simulation = run.simulation();
      return fmt::format("frame {}/{}  step {}  dt {:.2g} ms  {} contacts  {} sweeps  error {:.0e}",
                         run.frames_done() + 1, wanted, simulation.steps() + 1, 1e3 * simulation.dt(),
                         contacts, sweeps, error);
    });
  };
  run.simulation().on_judged = [&](int contacts, const HistoryPoint& point) {
    show(contacts, point.iteration, point.value);
  };
  while (run.frames_done() < wanted && !interrupted()) {
    const bool added = run.next_frame([&](const StepReport& step) {
      show(step.contacts, step.sweeps, step.error);
      return !interrupted();
    });
    if (!added) break;
    progress.set_fraction(double(run.frames_done() - first) / std::max(1, wanted - first));
  }
  run.simulation().on_judged = nullptr;
  progress.clear();
  return run.frames_done() >= wanted;
}

RunResult result_of(const SceneRun& run, const RunOptions& options, bool resumed) {
  RunResult result;
  result.name = options.folder.filename().string();
  result.manifest = record::read_manifest(options.folder);
  result.manifest.frames = run.frames_done();  // written only once the run is complete
  result.summary = record::summarize(result.manifest, record::read_statistics(options.folder).steps);
  if (!resumed) result.start = run.untangled();
  result.findings = record::judge(result.summary, {result.manifest.tolerance, run.scene().simulation.dt});
  return result;
}

void print_json(const SceneRun& run, const RunResult& result, bool complete) {
  nlohmann::ordered_json json = {{"folder", run.directory().path().string()}, {"complete", complete}};
  json.update(summary_json(result));
  fmt::print("{}\n", json.dump());
}

void print_opening(const SceneRun& run) {
  if (const std::string note = frame_rate_note(run.scene().simulation); !note.empty())
    fmt::print(stderr, "note: {}\n", note);
  for (const std::string& warning : run.warnings()) fmt::print(stderr, "warning: {}\n", warning);
}

int run_scene(const RunArguments& arguments) {
  Progress progress;
  progress.start("reading the scene");
  RunOptions options = options_of(arguments);
  options.on_progress = [&](const std::string& text) { progress.update_text([&] { return text; }); };
  options.is_cancelled = interrupted;
  const bool resumed = arguments.resume && record::RunDirectory::holds_run(options.folder);
  SceneRun run = open(arguments, options);
  progress.clear();
  const int wanted =
      arguments.frames > 0 ? std::min(arguments.frames, run.frames_wanted()) : run.frames_wanted();
  if (run.frames_done() <= 1) print_opening(run);
  if (!run.directory().problems().empty()) fmt::print(stderr, "{}\n", run.directory().problems());
  const bool complete = record_frames(run, wanted, progress);
  if (complete) run.finish();
  const RunResult result = result_of(run, options, resumed);
  if (arguments.json) {
    print_json(run, result, complete);
  } else {
    fmt::print("{}", summary_in_words(result));
    if (arguments.table) fmt::print("\n{}\n", summary_table(result));
    fmt::print("The frames are in {}\n", options.folder.string());
  }
  if (complete) return arguments.strict && !result.findings.empty() ? kSomeDidNot : kAllConverged;
  fmt::print(stderr, "interrupted; 'capstan run {} -o {} --resume' goes on\n", arguments.scene,
             options.folder.string());
  return interrupted_code();
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
  command
      ->add_option("--set", arguments->overrides,
                   "Change a value first, as in groom.scalp.count=250 or groom.0.count=250")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option(
      "--dump-problems", arguments->dump,
      "every=N: keep the contact problem of every N-th step, with its answer, for 'capstan solve'");
  command->add_flag(
      "--strict", arguments->strict,
      "Exit with 1 if anything crossed, a step is above its tolerance, or an overlap above 10 % "
      "of the thickness");
  command->add_flag("--table", arguments->table, "Print the row of figures that papers have, too");
  command->add_flag("--json", arguments->json, "The summary as one JSON object");
  command->footer(
      "Ctrl-C and SIGTERM end cleanly and keep all frames. Then: capstan plot FOLDER, capstan frame FOLDER "
      "--at 1 -o "
      "x.png\n"
      "Exit codes: 0 done, 1 not good (with --strict), 2 bad scene or usage, 130 interrupted (143: by "
      "SIGTERM).");
  command->callback([arguments, &action] { action = [arguments] { return run_scene(*arguments); }; });
}

}  // namespace capstan::app

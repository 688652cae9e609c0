#include "capstan/run/scene_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/record/durable_file.hpp"
#include "capstan/run/run_origin.hpp"
#include "capstan/run/simulation_record.hpp"
#include "capstan/run/start_warnings.hpp"
#include "capstan/scene/friction_table.hpp"

namespace capstan {

namespace {

namespace fs = std::filesystem;

constexpr int kFramesBetweenCheckpoints = 10;

Scene scene_from(const SceneText& scene, const std::vector<Override>& overrides) {
  return parse_scene(scene.text, (scene.folder / scene.name).string(), overrides);
}

/// Throws InputError if the newest checkpoint is that of another run: nothing is cut back to it then.
void check_checkpoint(const fs::path& run, const RunOrigin& origin) {
  const auto newest = record::newest_checkpoint(run, std::numeric_limits<int>::max(), nullptr);
  if (newest && !belongs_to(*newest, origin))
    throw InputError(record::checkpoint_path(run, newest->step).string() +
                     ": is a checkpoint of another run, or of this one before its scene was changed; remove "
                     "it, or start again with --overwrite");
}

StepOptions cancellable(StepOptions step, const RunOptions& options) {
  if (options.is_cancelled)
    step.solve.on_judged = [cancelled = options.is_cancelled](const HistoryPoint&) { return !cancelled(); };
  return step;
}

int thread_count(int asked, int of_scene) {
  if (asked > 0) return asked;
  if (of_scene > 0) return of_scene;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

struct SceneRun::Parts {
  Parts(const SceneText& the_text, const std::vector<Override>& overrides, const RunOptions& options)
      : text(the_text),
        scene(scene_from(text, overrides)),
        origin(origin_of(text.text, text.folder, overrides, scene)),
        executor(thread_count(options.threads, scene.simulation.threads)),
        simulation(build_world(scene), cancellable(step_options(scene.simulation, executor), options)),
        manifest(manifest_of(scene, simulation.world(), text.name)),
        dump_every(options.dump_every) {}

  double frame_time(int frame) const {
    const SimulationSettings& settings = scene.simulation;
    const int beyond = frame - (settings.frames() - 1);
    if (beyond > 0) return settings.duration + beyond / settings.fps;
    return std::min(frame / settings.fps, settings.duration);
  }

  void untangle(const RunOptions& options) {
    if (!scene.simulation.untangle) return;
    if (options.on_progress)
      simulation.on_judged = [&](int contacts, const HistoryPoint& point) {
        options.on_progress("moving overlaps apart: " + std::to_string(contacts) + " contacts, sweep " +
                            std::to_string(point.iteration));
      };
    untangled = simulation.untangle();
    simulation.on_judged = nullptr;
  }

  SceneText text;
  Scene scene;
  RunOrigin origin;
  TbbExecutor executor;
  Simulation simulation;
  UntangleReport untangled;
  record::Manifest manifest;  // as it is at the start
  std::optional<record::RunDirectory> directory;
  int dump_every;
  int frames = 1;  // the first one at t = 0
  double last_dt = 1;
  std::vector<record::StepStatistics> rows;  // of the frame in progress
  record::Tally tally;                       // of all steps, also those before a resume
};

SceneRun::SceneRun(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SceneRun::~SceneRun() = default;
SceneRun::SceneRun(SceneRun&&) noexcept = default;

SceneRun SceneRun::start(const fs::path& path, const RunOptions& options) {
  return start({files::read_whole_file(path), path.filename().string(), fs::absolute(path).parent_path()},
               options);
}

SceneRun SceneRun::start(const SceneText& scene, const RunOptions& options) {
  SceneRun run(std::make_unique<Parts>(scene, options.overrides, options));
  run.parts_->untangle(options);
  if (!options.folder.empty()) run.record(options.folder, options.overwrite);
  return run;
}

SceneRun SceneRun::resume(const RunOptions& options) {
  const std::string name = record::read_manifest(options.folder).scene;
  const RunOrigin origin = read_origin(options.folder);
  const SceneText text{files::read_whole_file(options.folder / name), name, origin.folder};
  check_unchanged(origin, options.folder / name, text.text);
  check_checkpoint(options.folder, origin);
  auto directory = record::RunDirectory::resume(options.folder);
  SceneRun run(std::make_unique<Parts>(text, origin.overrides, options));
  Parts& p = *run.parts_;
  if (const auto& checkpoint = directory.checkpoint())
    run.go_to(*checkpoint);
  else
    p.untangle(options), directory.write(snapshot_of(p.simulation, 1));
  for (const record::StepStatistics& row : record::read_statistics(options.folder).steps) p.tally.add(row);
  p.directory.emplace(std::move(directory));
  run.dump_problems();
  return run;
}

void SceneRun::record(const fs::path& folder, bool overwrite) {
  Parts& p = *parts_;
  if (p.directory)
    throw InputError(p.directory->path().string() + ": is being recorded, expected its end first");
  if (p.simulation.steps() > 0)
    throw InputError("record: this simulation is at " + std::to_string(p.simulation.t()) +
                     " s, expected its start: a recording has all of a run");
  if (record::RunDirectory::holds_run(folder) && !overwrite)
    throw InputError(folder.string() + ": holds a run already, expected --resume or --overwrite");
  files::make_folders(folder);
  write_origin(folder, p.origin);  // first: what has a manifest can be resumed
  p.directory.emplace(record::RunDirectory::create(folder, p.manifest, p.text.text, overwrite));
  p.directory->write(snapshot_of(p.simulation, 1));
  dump_problems();
}

void SceneRun::dump_problems() {
  if (parts_->dump_every <= 0) return;
  files::make_folders(parts_->directory->path() / "problems");
  Parts* const p = parts_.get();
  p->simulation.on_solved = [p](const ContactProblem& problem, const Solution& solution) {
    const int step = p->simulation.steps() + 1;  // as in the statistics
    if (step % p->dump_every != 0) return;
    char name[32];
    std::snprintf(name, sizeof name, "step_%06d.hdf5", step);
    write_fclib(p->directory->path() / "problems" / name, problem, &solution,
                {.title = name, .description = "one step of " + p->manifest.scene, .math_info = ""});
  };
}

StepReport SceneRun::make_step() {
  Parts& p = *parts_;
  const StepReport report = p.simulation.step(p.frame_time(p.frames));
  p.last_dt = report.dt;
  const Energy energy = p.directory ? p.simulation.world().energy() : Energy{};
  const record::StepStatistics row = row_of(report, p.simulation.steps(), energy);
  p.tally.add(row);
  if (p.directory) p.rows.push_back(row);
  return report;
}

void SceneRun::end_frame() {
  Parts& p = *parts_;
  ++p.frames;
  if (!p.directory) return;
  const auto begin = std::chrono::steady_clock::now();
  p.directory->write(snapshot_of(p.simulation, p.last_dt));
  if (!p.rows.empty())
    p.rows.back().record = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  write_rows();
  if (p.frames % kFramesBetweenCheckpoints == 0) checkpoint();
}

bool SceneRun::next_frame(const std::function<bool(const StepReport&)>& on_step) {
  const double end = parts_->frame_time(parts_->frames);
  while (parts_->simulation.t() < end) {
    const StepReport report = make_step();
    if (on_step && !on_step(report)) return false;
  }
  end_frame();
  return true;
}

StepReport SceneRun::step() {
  const Parts& p = *parts_;
  if (p.simulation.t() >= p.frame_time(p.frames)) end_frame();  // next_frame was stopped just there
  const StepReport report = make_step();
  if (p.simulation.t() >= p.frame_time(p.frames)) end_frame();
  return report;
}

int SceneRun::frames_done() const { return parts_->frames; }
int SceneRun::frames_wanted() const { return parts_->scene.simulation.frames(); }
bool SceneRun::is_recording() const { return parts_->directory.has_value(); }
const record::RunDirectory& SceneRun::directory() const { return parts_->directory.value(); }
const UntangleReport& SceneRun::untangled() const { return parts_->untangled; }
const Scene& SceneRun::scene() const { return parts_->scene; }
const Simulation& SceneRun::simulation() const { return parts_->simulation; }
Simulation& SceneRun::simulation() { return parts_->simulation; }

void SceneRun::write_rows() {
  for (const auto& row : parts_->rows) parts_->directory->write(row);
  parts_->rows.clear();
}

void SceneRun::checkpoint() {
  record::RunDirectory& directory = parts_->directory.value();
  write_rows();  // of a frame in progress, which a resumed run will not simulate again
  directory.write(moment());
}

void SceneRun::finish() {
  checkpoint();
  parts_->directory.value().finish(recorded(parts_->simulation.measure_overlap()));
}

void SceneRun::stop_recording() {
  if (parts_->dump_every > 0) parts_->simulation.on_solved = nullptr;
  parts_->directory.reset();
}

record::Checkpoint SceneRun::moment() const {
  record::Checkpoint checkpoint = checkpoint_of(parts_->simulation.state(), parts_->frames);
  sign(checkpoint, parts_->origin);
  return checkpoint;
}

void SceneRun::go_to(const record::Checkpoint& moment) {
  if (is_recording()) throw InputError("go_to: the run is being recorded, expected the end of that first");
  parts_->simulation.set_state(state_of(moment));
  parts_->frames = moment.frame;
  parts_->tally = {};
}

record::Summary SceneRun::summary() {
  record::Manifest manifest = parts_->manifest;
  manifest.frames = parts_->frames;
  manifest.end = recorded(parts_->simulation.measure_overlap());
  return parts_->tally.summary(manifest);
}

void SceneRun::change_friction(const std::string& tables) {
  Scene& scene = parts_->scene;
  for (const FrictionPair& pair : parse_friction(tables, "friction", scene)) {
    std::erase_if(scene.friction, [&](const FrictionPair& old) {
      return std::minmax(old.a, old.b) == std::minmax(pair.a, pair.b);
    });
    scene.friction.push_back(pair);
  }
  parts_->simulation.set_friction(friction_table(scene));
}

record::PictureScene SceneRun::picture() const {
  return record::picture_scene(parts_->manifest, places_of(parts_->simulation));
}

std::vector<std::string> SceneRun::warnings() const { return start_warnings(parts_->simulation.world()); }

}  // namespace capstan

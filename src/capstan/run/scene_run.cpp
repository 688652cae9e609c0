#include "capstan/run/scene_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/parallel/tbb_executor.hpp"
#include "capstan/record/durable_file.hpp"
#include "capstan/run/soft_record.hpp"
#include "capstan/run/solids_record.hpp"

namespace capstan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kFramesBetweenCheckpoints = 10;

/// Where a scene came from and what was changed: a resumed run must read the same scene again.
struct Origin {
  fs::path folder;
  std::vector<Override> overrides;
};

fs::path origin_path(const fs::path& run) { return run / "origin.json"; }

void write_origin(const fs::path& run, const Origin& origin) {
  Json overrides = Json::array();
  for (const Override& change : origin.overrides)
    overrides.push_back({{"path", change.path}, {"value", change.value}});
  const Json json = {{"folder", origin.folder.string()}, {"overrides", overrides}};
  record::write_durably(origin_path(run), json.dump(2) + "\n");
}

Origin read_origin(const fs::path& run) {
  try {
    const Json json = Json::parse(files::read_whole_file(origin_path(run)));
    Origin origin{json.at("folder").get<std::string>(), {}};
    for (const Json& change : json.at("overrides"))
      origin.overrides.push_back(
          {change.at("path").get<std::string>(), change.at("value").get<std::string>()});
    return origin;
  } catch (const Json::exception& error) {
    throw InputError(origin_path(run).string() + ": " + error.what());
  }
}

Scene scene_from(const std::string& text, const std::string& name, const Origin& origin) {
  return parse_scene(text, (origin.folder / name).string(), origin.overrides);
}

constexpr double kTouching = 1e-9;  // m; what is placed side by side overlaps by rounding

std::string friction_text(const World& world) {
  std::vector<double> values;
  for (int a = 0; a < world.friction.families(); ++a)
    for (int b = 0; b <= a; ++b) values.push_back(world.friction(a, b).mu);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::string text;
  for (const double mu : values) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", mu);
    text += (text.empty() ? "" : " / ") + std::string(number);
  }
  return text;
}

record::Manifest manifest_of(const Scene& scene, const World& world, const std::string& scene_name) {
  record::Manifest manifest;
  manifest.scene = scene_name;
  for (const WorldStrand& strand : world.strands) {
    manifest.layout.points_per_strand.push_back(static_cast<int>(strand.collision_s.size()));
    manifest.radii.push_back(strand.body->properties().radius);
  }
  manifest.obstacles = solids_json(scene, world);
  manifest.layout.obstacles = static_cast<int>(manifest.obstacles.size());
  manifest.meshes = recorded_meshes(world);
  manifest.layout.points_per_mesh = points_of_meshes(world);
  manifest.fps = scene.simulation.fps;
  manifest.dofs = world.dofs();
  manifest.tolerance = scene.simulation.tolerance;
  manifest.friction = friction_text(world);
  return manifest;
}

int thread_count(int asked, int of_scene) {
  if (asked > 0) return asked;
  if (of_scene > 0) return of_scene;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

record::Checkpoint checkpoint_of(const Simulation::State& state, int frames) {
  record::Checkpoint checkpoint;
  checkpoint.t = state.t;
  checkpoint.dt = state.dt;
  checkpoint.step = state.steps;
  checkpoint.frame = frames;
  checkpoint.reals["dt_used"] = {state.dt_used};
  checkpoint.reals["bodies"] = state.bodies;
  checkpoint.reals["contacts"] = state.contacts;
  checkpoint.integers["contact_ids"] = state.contact_ids;
  checkpoint.integers["body_sizes"] = state.body_sizes;
  checkpoint.reals["bonds"] = state.bonds;
  checkpoint.integers["bond_ids"] = state.bond_ids;
  return checkpoint;
}

template <class Values>
const Values& stored(const std::map<std::string, Values>& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end())
    throw InputError("checkpoint: has no '" + name +
                     "': it was written by another version of Capstan; run the scene anew with --overwrite");
  return found->second;
}

Simulation::State state_of(const record::Checkpoint& checkpoint) {
  Simulation::State state;
  state.t = checkpoint.t;
  state.dt = checkpoint.dt;
  state.steps = checkpoint.step;
  state.dt_used = stored(checkpoint.reals, "dt_used").at(0);
  state.bodies = stored(checkpoint.reals, "bodies");
  state.contacts = stored(checkpoint.reals, "contacts");
  state.contact_ids = stored(checkpoint.integers, "contact_ids");
  state.body_sizes = stored(checkpoint.integers, "body_sizes");
  state.bonds = stored(checkpoint.reals, "bonds");
  state.bond_ids = stored(checkpoint.integers, "bond_ids");
  return state;
}

record::ContactState recorded(ContactState state) {
  switch (state) {
    case ContactState::open:
      return record::ContactState::open;
    case ContactState::stick:
      return record::ContactState::stick;
    case ContactState::slide:
      return record::ContactState::slide;
  }
  throw std::logic_error("unknown state of a contact");
}

/// Axes cost bytes, and of what strands touch there is much: there they are kept where friction has a grain.
record::RecordedCone recorded_cone(const World& world, const Contact& contact, const Eigen::Vector2d& mu) {
  record::RecordedCone cone{mu[0], mu[1]};
  const PairFriction& pair = world.friction(world.family_of(contact.a), world.family_of(contact.b));
  if (contact.a.strand < 0 || pair.model != FrictionModel::isotropic)
    cone.axes = {contact.frame.col(0), contact.frame.col(1)};
  return cone;
}

record::Snapshot snapshot_of(const Simulation& simulation, double dt) {
  const World& world = simulation.world();
  record::Snapshot snapshot;
  snapshot.t = simulation.t();
  Eigen::Index points = 0;
  for (const WorldStrand& strand : world.strands)
    points += static_cast<Eigen::Index>(strand.collision_s.size());
  snapshot.points.resize(3, points);
  Eigen::Index at = 0;
  for (const WorldStrand& strand : world.strands)
    for (const double s : strand.collision_s) snapshot.points.col(at++) = strand.body->position(s);
  snapshot.obstacles = poses_of_solids(world, simulation.t());
  record_soft(world, snapshot);
  for (std::size_t i = 0; i < simulation.contacts().size(); ++i) {
    const Contact& c = simulation.contacts()[i];
    const double beta = simulation.contact_intensity().at(i);
    if (simulation.impulses()[i].squaredNorm() == 0 && beta == 0) continue;  // open
    snapshot.contacts.push_back({0.5 * (c.point_a + c.point_b), simulation.impulses()[i] / dt,
                                 recorded_body(world, c.a), recorded_body(world, c.b),
                                 recorded(simulation.contact_states().at(i)),
                                 recorded_cone(world, c, simulation.contact_friction().at(i)), beta});
  }
  return snapshot;
}

record::StepStatistics row_of(const StepReport& report, int step, const Energy& energy) {
  record::StepStatistics row;
  row.step = step;
  row.t = report.t;
  row.dt = report.dt;
  row.contacts = report.contacts;
  row.nu = report.nu;
  row.sweeps = report.sweeps;
  row.error = report.error;
  row.converged = report.status == Status::converged;
  row.detect = report.seconds_detect;
  row.assemble = report.seconds_assemble;
  row.solve = report.seconds_solve;
  row.advance = report.seconds_advance;
  row.kinetic = energy.kinetic;
  row.elastic = energy.elastic;
  row.gravity = energy.gravity;
  row.penetration = report.penetration;
  row.obstacle_penetration = report.obstacle_penetration;
  row.status = to_string(report.status);
  if (report.attempts > 1) row.status += " dt reduced";
  if (report.at_floor) row.status += " at the shortest dt";
  return row;
}

}  // namespace

struct SceneRun::Parts {
  Parts(const Scene& the_scene, World world, record::RunDirectory the_directory, const RunOptions& options)
      : scene(the_scene),
        executor(thread_count(options.threads, scene.simulation.threads)),
        simulation(std::move(world), step_options(scene.simulation, executor)),
        directory(std::move(the_directory)),
        dump_every(options.dump_every) {}

  double frame_time(int frame) const {
    return std::min(frame / scene.simulation.fps, scene.simulation.duration);
  }

  Scene scene;
  TbbExecutor executor;
  Simulation simulation;
  record::RunDirectory directory;
  int dump_every;
  double last_dt = 1;
};

SceneRun::SceneRun(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {
  if (parts_->dump_every <= 0) return;
  fs::create_directories(parts_->directory.path() / "problems");
  Parts* const p = parts_.get();
  p->simulation.on_solved = [p](const ContactProblem& problem, const Solution& solution) {
    const int step = p->simulation.steps() + 1;  // as in the statistics
    if (step % p->dump_every != 0) return;
    char name[32];
    std::snprintf(name, sizeof name, "step_%06d.hdf5", step);
    write_fclib(
        p->directory.path() / "problems" / name, problem, &solution,
        {.title = name, .description = "one step of " + p->directory.manifest().scene, .math_info = ""});
  };
}
SceneRun::~SceneRun() = default;
SceneRun::SceneRun(SceneRun&&) noexcept = default;

SceneRun SceneRun::start(const fs::path& path, const RunOptions& options) {
  const std::string text = files::read_whole_file(path);
  const Origin origin{fs::absolute(path).parent_path(), options.overrides};
  const Scene scene = scene_from(text, path.filename().string(), origin);
  World world = build_world(scene);
  const record::Manifest manifest = manifest_of(scene, world, path.filename().string());
  if (record::RunDirectory::holds_run(options.folder) && !options.overwrite)
    throw InputError(options.folder.string() + ": holds a run already, expected --resume or --overwrite");
  fs::create_directories(options.folder);
  write_origin(options.folder, origin);  // first: what has a manifest can be resumed
  auto directory = record::RunDirectory::create(options.folder, manifest, text, options.overwrite);
  auto parts = std::make_unique<Parts>(scene, std::move(world), std::move(directory), options);
  parts->directory.write(snapshot_of(parts->simulation, 1));
  return SceneRun(std::move(parts));
}

SceneRun SceneRun::resume(const RunOptions& options) {
  auto directory = record::RunDirectory::resume(options.folder);
  const Scene scene =
      scene_from(directory.scene_text(), directory.manifest().scene, read_origin(options.folder));
  auto parts = std::make_unique<Parts>(scene, build_world(scene), std::move(directory), options);
  if (const auto& checkpoint = parts->directory.checkpoint())
    parts->simulation.set_state(state_of(*checkpoint));
  else
    parts->directory.write(snapshot_of(parts->simulation, 1));
  return SceneRun(std::move(parts));
}

bool SceneRun::next_frame(const std::function<bool(const StepReport&)>& on_step) {
  Parts& p = *parts_;
  const double end = p.frame_time(frames_done());
  std::vector<record::StepStatistics> rows;
  while (p.simulation.t() < end) {
    const StepReport report = p.simulation.step(end);
    p.last_dt = report.dt;
    rows.push_back(row_of(report, p.simulation.steps(), p.simulation.world().energy()));
    if (on_step && !on_step(report)) return false;
  }
  const auto begin = std::chrono::steady_clock::now();
  p.directory.write(snapshot_of(p.simulation, p.last_dt));
  if (!rows.empty())
    rows.back().record = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const auto& row : rows) p.directory.write(row);
  if (frames_done() % kFramesBetweenCheckpoints == 0) checkpoint();
  return true;
}

int SceneRun::frames_done() const { return parts_->directory.frames(); }
int SceneRun::frames_wanted() const { return parts_->scene.simulation.frames(); }
const record::RunDirectory& SceneRun::directory() const { return parts_->directory; }
const Simulation& SceneRun::simulation() const { return parts_->simulation; }

void SceneRun::checkpoint() {
  parts_->directory.write(checkpoint_of(parts_->simulation.state(), frames_done()));
}

void SceneRun::finish() {
  checkpoint();
  parts_->directory.finish();
}

std::vector<std::string> SceneRun::warnings() const {
  const World& world = parts_->simulation.world();
  CollisionScene scene = parts_->simulation.collision_scene();
  for (CollisionStrand& strand : scene.strands) strand.margin = 0;
  for (const Obstacle& obstacle : world.obstacles) scene.obstacles.push_back(place(obstacle, 0, 1e-6));
  int overlaps = 0;
  double deepest = 0;
  const auto count = [&](const Contact& contact) {
    if (contact.gap > -kTouching) return;
    ++overlaps;
    deepest = std::max(deepest, -contact.gap);
  };
  for (const Contact& contact : detect(scene)) count(contact);
  std::vector<Contact> aside;
  for (const Contact& contact : ContactFinder(world, {}, serial_executor()).find(world, 0, 1e-6, aside))
    if (std::max({contact.a.rigid, contact.b.rigid, contact.a.soft, contact.b.soft}) >= 0) count(contact);
  if (overlaps == 0) return {};
  char text[128];
  std::snprintf(text, sizeof text, "%d places overlap at the start, the deepest by %.3g mm", overlaps,
                1e3 * deepest);
  return {text};
}

}  // namespace capstan

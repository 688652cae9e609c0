#include <hdf5.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "capstan/record/frame_reader.hpp"
#include "capstan/record/run_directory.hpp"
#include "capstan/record/summary.hpp"
#include "record/support.hpp"

namespace capstan::record {
namespace {

using test::contents;
using test::refusal;
using test::Scratch;
using test::set_contents;
using test::swinging_hair;

Eigen::Matrix3Xi two_triangles() {
  Eigen::Matrix3Xi triangles(3, 2);
  triangles << 0, 0, 1, 2, 2, 3;
  return triangles;
}

Manifest small_manifest() {
  Manifest manifest;
  manifest.scene = "swing.toml";
  manifest.layout.points_per_strand = {4, 6};
  manifest.layout.obstacles = 1;
  manifest.layout.frames_per_chunk = 4;
  manifest.radii = {5e-5, 1.0 / 3};
  manifest.obstacles = {R"({"shape":"sphere","radius":0.1})"};
  manifest.layout.points_per_mesh = {4};
  manifest.meshes = {{"sheet", RecordedMesh::Kind::cloth, {}, 1e-3, two_triangles()}};
  manifest.dofs = 42;
  return manifest;
}

StepStatistics row_of(int step) {
  StepStatistics row;
  row.step = step;
  row.dt = 0.01;
  row.t = 0.01 * step;
  row.contacts = 3 * step;
  row.nu = step / 7.0;
  row.sweeps = 10 + step;
  row.error = 1e-5 / step;
  row.converged = step % 5 != 0;
  row.detect = 0.25;
  row.assemble = 0.125;
  row.solve = 0.5;
  row.advance = 0.0625;
  row.record = 0.03125;
  row.kinetic = std::sqrt(step);
  row.elastic = -1e-300;
  row.penetration = 1e-6 * step;
  row.obstacle_penetration = 5e-7 * step;
  row.penetration_ratio = 0.001 * step;
  row.crossings = step % 4;
  row.status = row.converged ? "converged" : "iteration_limit";
  return row;
}

/// A simulation whose whole state is one number: a frame every second step, a checkpoint every sixth.
void simulate(RunDirectory& run, int last_step) {
  double state = run.checkpoint() ? run.checkpoint()->reals.at("strands/q").front() : 1.0;
  for (int step = run.checkpoint() ? run.checkpoint()->step + 1 : 1; step <= last_step; ++step) {
    state = std::fmod(1.1 * state + 0.3 / step, 7);
    run.write(row_of(step));
    if (step % 2 == 0) {
      Snapshot snapshot = swinging_hair(run.manifest().layout, step);
      snapshot.points *= state;
      run.write(snapshot);
    }
    if (step % 6 == 0)
      run.write(
          Checkpoint{0.01 * step, 0.01, step, run.frames(), {{"strands/q", {state}}}, {{"ids", {step, -1}}}});
  }
}

/// A process of its own; killed at the end of the scope at the latest.
class Child {
 public:
  template <typename Work>
  explicit Child(Work&& work) : id_(::fork()) {
    if (id_ != 0) return;
    try {
      work();
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  ~Child() { kill(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Whether it was still at work.
  bool kill() {
    if (id_ <= 0) return false;
    ::kill(id_, SIGKILL);
    int status = 0;
    ::waitpid(id_, &status, 0);
    id_ = 0;
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << "the child threw";
    return WIFSIGNALED(status);
  }

 private:
  pid_t id_;
};

TEST(Statistics, ComeBackToTheLastBit) {
  const Scratch run;
  {
    StatsWriter writer = StatsWriter::create(run.path());
    for (int step = 1; step <= 9; ++step) writer.write(row_of(step));
  }
  const Statistics found = read_statistics(run.path());
  ASSERT_EQ(found.steps.size(), 9u);
  EXPECT_FALSE(found.torn);
  for (int step = 1; step <= 9; ++step) {
    const StepStatistics &row = found.steps[static_cast<std::size_t>(step - 1)], wanted = row_of(step);
    EXPECT_EQ(row.step, wanted.step);
    EXPECT_EQ(row.t, wanted.t);
    EXPECT_EQ(row.nu, wanted.nu);
    EXPECT_EQ(row.error, wanted.error);
    EXPECT_EQ(row.converged, wanted.converged);
    EXPECT_EQ(row.solve, wanted.solve);
    EXPECT_EQ(row.kinetic, wanted.kinetic);
    EXPECT_EQ(row.elastic, wanted.elastic);
    EXPECT_EQ(row.penetration, wanted.penetration);
    EXPECT_EQ(row.obstacle_penetration, wanted.obstacle_penetration);
    EXPECT_EQ(row.penetration_ratio, wanted.penetration_ratio);
    EXPECT_EQ(row.crossings, wanted.crossings);
    EXPECT_EQ(row.status, wanted.status);
  }
}

TEST(Statistics, CutOffAnywhereLoseOnlyTheLastRow) {
  const Scratch run;
  StatsWriter writer = StatsWriter::create(run.path());
  writer.write(row_of(1));
  const std::size_t one = contents(stats_path(run.path())).size();
  writer.write(row_of(2));
  const std::string text = contents(stats_path(run.path()));
  for (std::size_t size = one; size <= text.size(); ++size) {
    set_contents(stats_path(run.path()), text.substr(0, size));
    const Statistics found = read_statistics(run.path());
    EXPECT_EQ(found.steps.size(), size == text.size() ? 2u : 1u) << size;
    EXPECT_EQ(found.torn, size != one && size != text.size()) << size;
  }
}

TEST(Statistics, SayWhichLineIsWrong) {
  const Scratch run;
  StatsWriter writer = StatsWriter::create(run.path());
  EXPECT_NE(refusal([&] {
              StepStatistics row = row_of(1);
              row.status = "no, it did not";
              writer.write(row);
            }).find("without comma"),
            std::string::npos);
  writer.write(row_of(1));
  writer.write(row_of(2));
  std::string text = contents(stats_path(run.path()));
  set_contents(stats_path(run.path()), text + "3,abc,1\n");
  const std::string message = refusal([&] { read_statistics(run.path()); });
  EXPECT_NE(message.find("stats.csv:4: t is 'abc', expected a number"), std::string::npos) << message;
  set_contents(stats_path(run.path()), "time;contacts\n");
  EXPECT_NE(refusal([&] { read_statistics(run.path()); }).find("stats.csv:1:"), std::string::npos);
}

/// stats.csv as it was before overlaps were compared with thickness and crossings were counted.
constexpr const char* kOldStatistics =
    "step,t,dt,contacts,nu,sweeps,error,converged,seconds_detect,seconds_assemble,seconds_solve,"
    "seconds_advance,seconds_record,energy_kinetic,energy_elastic,energy_gravity,penetration,"
    "penetration_obstacle,status\n"
    "1,0.01,0.01,3,0.5,11,1e-07,1,0.25,0.125,0.5,0.0625,0,1,2,3,1e-06,5e-07,converged\n"
    "2,0.02,0.01,6,0.5,12,1e-07,1,0.25,0.125,0.5,0.0625,0,1,2,3,2e-06,5e-07,converged dt reduced\n";

TEST(Statistics, OfOlderRunsAreReadWithoutTheLaterColumns) {
  const Scratch run;
  set_contents(stats_path(run.path()), kOldStatistics);
  const Statistics found = read_statistics(run.path());
  ASSERT_EQ(found.steps.size(), 2u);
  EXPECT_EQ(found.steps[1].penetration, 2e-6);
  EXPECT_EQ(found.steps[1].status, "converged dt reduced");
  EXPECT_EQ(found.steps[1].crossings, kNotRecorded);
  EXPECT_TRUE(std::isnan(found.steps[1].penetration_ratio));
  const Summary summary = summarize(small_manifest(), found.steps);
  EXPECT_EQ(summary.crossings, kNotRecorded);
  EXPECT_TRUE(std::isnan(summary.max_penetration_ratio));
  EXPECT_EQ(summary.max_penetration, 2e-6);
}

TEST(Statistics, OfAnOlderRunGoOnWithAllColumns) {
  const Scratch run;
  set_contents(stats_path(run.path()), kOldStatistics);
  StatsWriter writer = StatsWriter::resume(run.path(), 0.01);
  writer.write(row_of(2));
  const Statistics found = read_statistics(run.path());
  ASSERT_EQ(found.steps.size(), 2u);
  EXPECT_EQ(found.steps[0].crossings, kNotRecorded);
  EXPECT_EQ(found.steps[1].crossings, 2);
  EXPECT_EQ(found.steps[1].penetration_ratio, 0.002);
}

TEST(Manifest, KeepsTheOverlapsAfterTheLastStep) {
  const Scratch run;
  Manifest manifest = small_manifest();
  write_manifest(run.path(), manifest);
  EXPECT_FALSE(read_manifest(run.path()).end.has_value());
  manifest.end = Overlap{3e-4, 1e-4, 0.25};
  write_manifest(run.path(), manifest);
  const Overlap end = read_manifest(run.path()).end.value();
  EXPECT_EQ(end.penetration, 3e-4);
  EXPECT_EQ(end.obstacle_penetration, 1e-4);
  EXPECT_EQ(end.penetration_ratio, 0.25);
}

TEST(Manifest, ComesBackWithItsObstaclesAndChunks) {
  const Scratch run;
  Manifest manifest = small_manifest();
  manifest.frames = 4;
  manifest.friction = "0.3 / 0.5";
  manifest.chunks = {{96, 1234, 0, {0, 1.0 / 3, 0.4, 0.5}}};
  write_manifest(run.path(), manifest);
  const Manifest found = read_manifest(run.path());
  EXPECT_EQ(found.scene, manifest.scene);
  EXPECT_EQ(found.radii, manifest.radii);
  EXPECT_EQ(found.obstacles, manifest.obstacles);
  EXPECT_EQ(found.friction, manifest.friction);
  EXPECT_EQ(found.layout.points_per_strand, manifest.layout.points_per_strand);
  EXPECT_EQ(found.layout, manifest.layout);
  EXPECT_EQ(found.frames, 4);
  ASSERT_EQ(found.chunks.size(), 1u);
  EXPECT_EQ(found.chunks[0].offset, 96u);
  EXPECT_EQ(found.chunks[0].times, manifest.chunks[0].times);
}

TEST(Manifest, ComesBackWithItsMeshes) {
  const Scratch run;
  Manifest manifest = small_manifest();
  manifest.layout.points_per_mesh.push_back(70000);
  RecordedMesh jelly{"jelly", RecordedMesh::Kind::solid, Eigen::Vector3d(0.1, 1.0 / 3, 0), 0, {}};
  jelly.triangles = Eigen::Vector3i(0, 65536, 69999);
  manifest.meshes.push_back(jelly);
  write_manifest(run.path(), manifest);
  const Manifest found = read_manifest(run.path());
  EXPECT_EQ(found.layout.points_per_mesh, manifest.layout.points_per_mesh);
  ASSERT_EQ(found.meshes.size(), 2u);
  EXPECT_EQ(found.meshes[0].triangles, two_triangles());
  EXPECT_EQ(found.meshes[0].thickness, 1e-3);
  EXPECT_FALSE(found.meshes[0].color);
  EXPECT_EQ(found.meshes[0].kind, RecordedMesh::Kind::cloth);
  EXPECT_EQ(found.meshes[1].name, "jelly");
  EXPECT_EQ(found.meshes[1].kind, RecordedMesh::Kind::solid);
  EXPECT_EQ(found.meshes[1].color, jelly.color);
  EXPECT_EQ(found.meshes[1].triangles, jelly.triangles);
}

TEST(Manifest, RefusesMeshesThatAreNone) {
  const Scratch run;
  const auto refused = [&](auto&& spoil) {
    Manifest manifest = small_manifest();
    spoil(manifest);
    return refusal([&] { write_manifest(run.path(), manifest); });
  };
  EXPECT_NE(refused([](Manifest& m) { m.meshes.clear(); }).find("describes 0 meshes, expected 1"),
            std::string::npos);
  EXPECT_NE(refused([](Manifest& m) {
              m.meshes[0].triangles(2, 1) = 4;
            }).find("'sheet': triangle 1 has a vertex outside 0 to 3"),
            std::string::npos);
  EXPECT_NE(refused([](Manifest& m) { m.meshes[0].triangles(0, 0) = -1; }).find("triangle 0"),
            std::string::npos);
  EXPECT_NE(refused([](Manifest& m) { m.meshes[0].triangles.resize(3, 0); }).find("no triangles"),
            std::string::npos);
  EXPECT_NE(refused([](Manifest& m) { m.meshes[0].thickness = std::nan(""); }).find("thickness is nan"),
            std::string::npos);
  EXPECT_NE(refused([](Manifest& m) {
              m.meshes[0].color = {0.1, 0.2, 1.5};
            }).find("from 0 to 1"),
            std::string::npos);
  EXPECT_NE(refused([](Manifest& m) { m.layout.points_per_mesh[0] = 0; }).find("a mesh has 0 points"),
            std::string::npos);
  EXPECT_NE(refused([](Manifest& m) { m.layout.version = 3; }).find("1 meshes, expected none in version 3"),
            std::string::npos);
}

TEST(Manifest, OfADamagedMeshIsRefused) {
  const Scratch run;
  write_manifest(run.path(), small_manifest());
  const std::string text = contents(manifest_path(run.path()));
  const auto refused = [&](const std::string& old, const std::string& changed) {
    std::string damaged = text;
    EXPECT_NE(text.find(old), std::string::npos) << old;
    set_contents(manifest_path(run.path()), damaged.replace(text.find(old), old.size(), changed));
    return refusal([&] { read_manifest(run.path()); });
  };
  EXPECT_NE(refused("\"cloth\"", "\"wool\"").find("kind is 'wool', expected cloth or solid"),
            std::string::npos);
  EXPECT_NE(refused("AAAAAA", "AA").find("21 bytes, expected a multiple of 12"), std::string::npos);
  EXPECT_NE(refused("AAAAAA", "AA!AAA").find("base64"), std::string::npos);
  EXPECT_NE(refused("AAAAAA", "AAAA/w").find("triangle 0"), std::string::npos);  // a vertex of 0xff000000
  EXPECT_NE(refused("\"points\": 4", "\"points\": \"4\"").find("not described as one"), std::string::npos);
  EXPECT_NE(refused("\"points\": 4", "\"points\": 2").find("outside 0 to 1"), std::string::npos);
}

TEST(Manifest, WithoutAVersionOfTheFramesIsOfVersionTwo) {
  const Scratch run;
  Manifest manifest = small_manifest();
  manifest.meshes.clear();
  manifest.layout.points_per_mesh.clear();
  write_manifest(run.path(), manifest);
  std::string text = contents(manifest_path(run.path()));
  const std::string line = "\"version\": 4,";
  ASSERT_NE(text.find(line), std::string::npos);
  set_contents(manifest_path(run.path()), text.erase(text.find(line), line.size()));
  EXPECT_EQ(read_manifest(run.path()).layout.version, 2);
}

TEST(Manifest, IsNeverHalfWritten) {
  // A reader that looks all the time while a child replaces the file sees a whole one each time.
  const Scratch run;
  Manifest manifest = small_manifest();
  manifest.layout.points_per_strand.assign(2000, 30);  // several pages long
  manifest.radii.assign(2000, 5e-5);
  write_manifest(run.path(), manifest);
  bool seen[2] = {false, false};
  {
    const Child child([&] {
      for (;;) {
        manifest.frames = 1 - manifest.frames;
        write_manifest(run.path(), manifest);
      }
    });
    for (int k = 0; k < 200 || ((!seen[0] || !seen[1]) && k < 20000); ++k)
      seen[read_manifest(run.path()).frames] = true;
  }
  EXPECT_TRUE(seen[0] && seen[1]);
  EXPECT_EQ(read_manifest(run.path()).radii.size(), 2000u);
}

TEST(Manifest, RefusesWhatIsNotOne) {
  const Scratch run;
  Manifest manifest = small_manifest();
  manifest.radii.pop_back();
  EXPECT_NE(refusal([&] { write_manifest(run.path(), manifest); }).find("has 1 radii"), std::string::npos);
  manifest = small_manifest();
  manifest.obstacles = {"sphere"};
  EXPECT_NE(refusal([&] { write_manifest(run.path(), manifest); }).find("expected a JSON object"),
            std::string::npos);
  manifest = small_manifest();
  manifest.scene = "frames.bin";
  EXPECT_NE(refusal([&] { write_manifest(run.path(), manifest); }).find("needs itself"), std::string::npos);
  set_contents(manifest_path(run.path()), "{\"format\": \"capstan run\"");
  EXPECT_NE(refusal([&] { read_manifest(run.path()); }).find("not the manifest"), std::string::npos);
}

Checkpoint sample_checkpoint(int step) {
  return {1.0 / 3, 1e-3, step, 7, {{"strands/q", {0.1, -0.0, 5e-324}}, {"none", {}}}, {{"ids", {3, -2}}}};
}

TEST(Checkpoint, ComesBackToTheLastBitAndTheLastTwoAreKept) {
  const Scratch run;
  for (const int step : {9, 100, 20000}) write_checkpoint(run.path(), sample_checkpoint(step));
  EXPECT_EQ(list_checkpoints(run.path()),
            (std::vector{checkpoint_path(run.path(), 100), checkpoint_path(run.path(), 20000)}));
  const Checkpoint found = read_checkpoint(checkpoint_path(run.path(), 20000));
  EXPECT_EQ(found, sample_checkpoint(20000));
  EXPECT_TRUE(std::signbit(found.reals.at("strands/q")[1]));
}

TEST(Checkpoint, FallsBackToTheOlderOneWhenTheNewestIsDamaged) {
  const Scratch run;
  write_checkpoint(run.path(), sample_checkpoint(1));
  write_checkpoint(run.path(), sample_checkpoint(2));
  const auto path = checkpoint_path(run.path(), 2);
  const std::string bytes = contents(path);
  for (std::size_t k = 0; k < bytes.size(); k += 29) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(damaged[k] ^ (1 << (k % 8)));
    set_contents(path, damaged);
    std::string problems;
    EXPECT_EQ(newest_checkpoint(run.path(), 7, &problems), sample_checkpoint(1)) << k;
    EXPECT_NE(problems.find("checksum"), std::string::npos) << k;
  }
  for (const std::size_t size : {std::size_t(0), bytes.size() / 2, bytes.size() - 1}) {
    set_contents(path, bytes.substr(0, size));
    std::string problems;
    EXPECT_EQ(newest_checkpoint(run.path(), 7, &problems), sample_checkpoint(1));
    EXPECT_NE(problems, "");
  }
}

TEST(Checkpoint, OpensAsAnOrdinaryHdf5File) {
  const Scratch run;
  write_checkpoint(run.path(), sample_checkpoint(1));
  const hid_t file = H5Fopen(checkpoint_path(run.path(), 1).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  double q[3] = {};
  const hid_t dataset = H5Dopen2(file, "/reals/strands/q", H5P_DEFAULT);
  EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q), 0);
  H5Dclose(dataset);
  H5Fclose(file);
  EXPECT_EQ(q[0], 0.1);
}

TEST(Checkpoint, RefusesNumbersThatAreNotFinite) {
  const Scratch run;
  Checkpoint checkpoint = sample_checkpoint(1);
  checkpoint.reals["none"] = {1, std::nan("")};
  EXPECT_NE(refusal([&] { write_checkpoint(run.path(), checkpoint); }).find("none entry 1 is nan"),
            std::string::npos);
  EXPECT_TRUE(list_checkpoints(run.path()).empty());
}

TEST(RunDirectory, RefusesToOverwriteUnlessTold) {
  const Scratch folder;
  const auto path = folder / "run";
  RunDirectory::create(path, small_manifest(), "first");
  set_contents(path / "notes.txt", "mine");
  EXPECT_NE(
      refusal([&] { RunDirectory::create(path, small_manifest(), "second"); }).find("holds a run already"),
      std::string::npos);
  Manifest bad = small_manifest();
  bad.fps = 0;
  EXPECT_NE(refusal([&] { RunDirectory::create(path, bad, "second", true); }).find("fps is 0"),
            std::string::npos);
  EXPECT_EQ(RunDirectory::resume(path).scene_text(), "first");
  RunDirectory::create(path, small_manifest(), "second", true);
  EXPECT_EQ(RunDirectory::resume(path).scene_text(), "second");
  EXPECT_EQ(contents(path / "notes.txt"), "mine");
  EXPECT_NE(refusal([&] { RunDirectory::resume(folder / "nothing"); }).find("holds no run"),
            std::string::npos);
}

TEST(RunDirectory, HasOneWriterAtATime) {
  const Scratch folder;
  {
    const RunDirectory run = RunDirectory::create(folder.path(), small_manifest(), "x");
    for (const auto& open :
         {+[](const Scratch& f) { RunDirectory::resume(f.path()); },
          +[](const Scratch& f) { RunDirectory::create(f.path(), small_manifest(), "", true); }})
      EXPECT_NE(refusal([&] { open(folder); }).find("another process"), std::string::npos);
    EXPECT_EQ(inspect_run(folder.path()).frames, 0);  // readers need not wait
  }
  EXPECT_EQ(RunDirectory::resume(folder.path()).frames(), 0);
}

TEST(RunDirectory, RefusesFramesOfAnotherRun) {
  const Scratch folder, other;
  Manifest larger = small_manifest();
  larger.layout.points_per_strand[0] = 5;
  RunDirectory::create(folder.path(), small_manifest(), "x");
  RunDirectory::create(other.path(), larger, "x");
  std::filesystem::copy_file(frames_path(other.path()), frames_path(folder.path()),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(refusal([&] { RunDirectory::resume(folder.path()); }).find("different runs"), std::string::npos);
}

TEST(RunDirectory, GoesBackToTheCheckpointWhenResumed) {
  const Scratch folder;
  {
    RunDirectory run = RunDirectory::create(folder.path(), small_manifest(), "x");
    simulate(run, 17);  // checkpoints after 6 and 12 steps, 8 frames
  }
  RunDirectory run = RunDirectory::resume(folder.path());
  ASSERT_TRUE(run.checkpoint());
  EXPECT_EQ(run.checkpoint()->step, 12);
  EXPECT_EQ(run.frames(), 6);
  EXPECT_EQ(read_statistics(folder.path()).steps.back().step, 12);
  EXPECT_EQ(FrameReader(folder.path()).frames(), 6);
  EXPECT_NE(refusal([&] {
              run.write(Checkpoint{0.2, 0.01, 20, 9, {}, {}});
            }).find("expected 6"),
            std::string::npos);
}

TEST(RunDirectory, TakesAnOlderCheckpointWhenFramesAreDamaged) {
  const Scratch folder;
  {
    RunDirectory run = RunDirectory::create(folder.path(), small_manifest(), "x");
    simulate(run, 12);  // 6 frames: a chunk of 4, and 2 in the journal
  }
  const std::string journal = contents(journal_path(folder.path()));
  set_contents(journal_path(folder.path()), journal.substr(0, journal.size() / 2));
  RunDirectory run = RunDirectory::resume(folder.path());
  ASSERT_TRUE(run.checkpoint());
  EXPECT_EQ(run.checkpoint()->step, 6);
  EXPECT_NE(run.problems().find("needs 6 frames"), std::string::npos) << run.problems();
  EXPECT_EQ(list_checkpoints(folder.path()).size(), 1u);
}

TEST(RunDirectory, KilledAtAnyMomentAndResumedHasTheBytesOfAnUninterruptedRun) {
  constexpr int kSteps = 60;
  const Scratch whole;
  {
    RunDirectory run = RunDirectory::create(whole.path(), small_manifest(), "x");
    simulate(run, kSteps);
    run.finish();
  }
  const Scratch killed;
  RunDirectory::create(killed.path(), small_manifest(), "x");
  int kills = 0;
  for (int attempt = 0; attempt < 30; ++attempt) {
    Child child([&] {
      RunDirectory run = RunDirectory::resume(killed.path());
      simulate(run, kSteps);
      run.finish();
    });
    std::this_thread::sleep_for(std::chrono::microseconds(500 + 7919 * attempt % 60000));
    kills += child.kill() ? 1 : 0;
    const RunListing listing = inspect_run(killed.path());  // readable at any time
    EXPECT_LE(listing.frames, kSteps / 2);
  }
  EXPECT_GT(kills, 0);
  RunDirectory run = RunDirectory::resume(killed.path());
  simulate(run, kSteps);
  run.finish();
  for (const auto& path_of : {frames_path, stats_path, manifest_path})
    EXPECT_TRUE(contents(path_of(killed.path())) == contents(path_of(whole.path())))
        << path_of(killed.path());
  // HDF5 notes the time of day in its files, so not the bytes.
  EXPECT_EQ(read_checkpoint(checkpoint_path(killed.path(), kSteps)),
            read_checkpoint(checkpoint_path(whole.path(), kSteps)));
}

TEST(Summary, HasTheColumnsOfThePaper) {
  // Ten steps of row_of: contacts 3 k, sweeps 10 + k, two of ten above tolerance, 0.96875 s each.
  Manifest manifest = small_manifest();
  manifest.frames = 5;
  std::vector<StepStatistics> steps;
  for (int step = 1; step <= 10; ++step) steps.push_back(row_of(step));
  const Summary summary = summarize(manifest, steps);
  EXPECT_EQ(summary.strands, 2);
  EXPECT_EQ(summary.dofs, 42);
  EXPECT_DOUBLE_EQ(summary.mean_contacts, 16.5);
  EXPECT_EQ(summary.max_contacts, 30);
  EXPECT_DOUBLE_EQ(summary.above_tolerance, 0.2);
  EXPECT_DOUBLE_EQ(summary.max_error, 1e-5);
  EXPECT_DOUBLE_EQ(summary.mean_sweeps, 15.5);
  EXPECT_DOUBLE_EQ(summary.mean_solve, 0.5);
  EXPECT_DOUBLE_EQ(summary.mean_contact(), 0.625);
  EXPECT_DOUBLE_EQ(summary.mean_step, 0.96875);
  EXPECT_DOUBLE_EQ(summary.mean_frame, 2 * 0.96875);
  EXPECT_DOUBLE_EQ(summary.total, 9.6875);
  EXPECT_NEAR(summary.simulated, 0.1, 1e-15);
  EXPECT_DOUBLE_EQ(summary.mean_nu, 5.5 / 7);
}

TEST(Summary, CountsCrossingsAndKeepsTheWorstOverlap) {
  // Ten steps of row_of: crossings 1 2 3 0 1 2 3 0 1 2, the overlaps grow; the end is worse than any of them.
  Manifest manifest = small_manifest();
  std::vector<StepStatistics> steps;
  for (int step = 1; step <= 10; ++step) steps.push_back(row_of(step));
  Summary summary = summarize(manifest, steps);
  EXPECT_EQ(summary.crossings, 15);
  EXPECT_EQ(summary.unconverged, 2);
  EXPECT_FALSE(summary.end_measured);
  EXPECT_DOUBLE_EQ(summary.max_penetration_ratio, 0.01);
  manifest.end = Overlap{1e-3, 1e-9, 0.3};
  summary = summarize(manifest, steps);
  EXPECT_TRUE(summary.end_measured);
  EXPECT_EQ(summary.max_penetration, 1e-3);
  EXPECT_DOUBLE_EQ(summary.max_obstacle_penetration, 5e-6);
  EXPECT_EQ(summary.max_penetration_ratio, 0.3);
}

}  // namespace
}  // namespace capstan::record

// capstan run, frame and plot, as a user meets them: killed, interrupted, resumed, misled.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "capstan/record/frame_reader.hpp"
#include "capstan/record/run_directory.hpp"
#include "cli/program_test.hpp"

namespace capstan::app {
namespace {

using nlohmann::json;

constexpr int kFrames = 36;  // of the scene: three chunks of 12, and three checkpoints

/// A ball runs into hair, cords lie on a floor: all four models, contacts of every kind, and a frame takes
/// long enough to be killed in.
constexpr const char* kScene = R"(
[simulation]
duration = 1.4
fps = 25
dt = 4e-3

[[material]]
name = "wisp"
preset = "hair_wavy"
collision_radius = 3e-3

[[material]]
name = "cord"
preset = "nylon"
collision_radius = 3e-3

[[obstacle]]
name = "floor"
shape = "plane"
position = [0, 0, -0.13]

[[obstacle]]
name = "ball"
shape = "sphere"
radius = 0.03
position = [0.06, 0, -0.1]
oscillation = [{ frequency = 1.5, translation = [-0.1, 0, 0] }]

[[bundle]]
name = "brush"
material = "wisp"
count = 7
elements = 4
length = 0.12
direction = [0, 0, -1]
spacing = 1e-3
skip_root = 0.01
root = { hold = "clamped" }

[[bundle]]
name = "pile"
model = "mass_spring"
material = "cord"
count = 5
elements = 6
length = 0.1
center = [0, 0.06, -0.11]
spacing = 1e-3

[[strand]]
name = "rod"
model = "corde"
material = "cord"
elements = 6
start = [-0.05, 0.05, -0.08]
direction = [1, 0.3, 0]
length = 0.1

[[strand]]
name = "thread"
model = "discrete_elastic"
material = "cord"
elements = 6
start = [-0.05, 0.07, -0.07]
direction = [1, -0.3, 0]
length = 0.1
)";

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// All columns that do not come from the clock.
std::string stats_without_clock(const fs::path& run) {
  const std::vector<std::string> lines = split(contents(run / "stats.csv"), '\n');
  if (lines.empty()) return "";
  const std::vector<std::string> names = split(lines.front(), ',');
  std::string kept;
  for (const std::string& line : lines) {
    const std::vector<std::string> cells = split(line, ',');
    for (std::size_t k = 0; k < cells.size(); ++k)
      if (!names.at(k).starts_with("seconds_")) kept += cells[k] + ',';
    kept += '\n';
  }
  return kept;
}

int frames_in(const fs::path& run) {
  if (!fs::exists(run / "manifest.json")) return 0;
  return record::inspect_run(run).frames;
}

/// Names of all files of a run, in its folder and below.
std::set<std::string> files_in(const fs::path& run) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(run))
    names.insert(entry.path().lexically_relative(run).string());
  return names;
}

/// The program at work; killed at the end of the scope at the latest.
class Process {
 public:
  Process(const fs::path& folder, const std::vector<std::string>& arguments) : id_(::fork()) {
    if (id_ != 0) return;
    std::vector<char*> words{const_cast<char*>("capstan")};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    if (::chdir(folder.c_str()) != 0 || ::dup2(nowhere, 1) < 0 || ::dup2(nowhere, 2) < 0) ::_exit(3);
    ::execv(CAPSTAN_BINARY, words.data());
    ::_exit(3);
  }
  Process(const Process&) = delete;
  ~Process() {
    if (ended()) return;
    send(SIGKILL);
    ::waitpid(id_, &status_, 0);
  }

  void send(int signal) const { ::kill(id_, signal); }
  bool ended() {
    if (!ended_) ended_ = ::waitpid(id_, &status_, WNOHANG) != 0;
    return ended_;
  }
  /// False after a minute: then something hangs.
  template <typename Condition>
  bool wait_until(Condition&& condition) {
    for (int tries = 0; tries < 30000; ++tries) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }
  bool wait_for_end() {
    return wait_until([&] { return ended(); });
  }
  bool was_killed() const { return WIFSIGNALED(status_) && WTERMSIG(status_) == SIGKILL; }
  int exit_code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : -1; }

 private:
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

/// With the scene in its folder.
class RunCommand : public ProgramTest {
 protected:
  void SetUp() override { write("scene.toml", kScene); }

  /// Waits for that many frames, then a little longer, so that the program is at work on the next one.
  void kill_after(int frames, int milliseconds, Process& process, const std::string& name) const {
    ASSERT_TRUE(process.wait_until([&] { return process.ended() || frames_in(folder / name) >= frames; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    process.send(SIGKILL);
    ASSERT_TRUE(process.wait_for_end());
    ASSERT_TRUE(process.was_killed()) << "it had ended before";
    ASSERT_LT(frames_in(folder / name), kFrames);
  }

  void expect_same_run(const std::string& name, const std::string& reference) const {
    const fs::path a = folder / name, b = folder / reference;
    EXPECT_FALSE(contents(b / "frames.bin").empty());
    EXPECT_TRUE(contents(a / "frames.bin") == contents(b / "frames.bin")) << name << ": frames differ";
    EXPECT_EQ(fs::file_size(a / "frames.journal"), 0u);
    EXPECT_EQ(stats_without_clock(a), stats_without_clock(b)) << name;
    const auto last = record::list_checkpoints(a), expected = record::list_checkpoints(b);
    ASSERT_FALSE(last.empty());
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(last.back().filename(), expected.back().filename());
    EXPECT_TRUE(record::read_checkpoint(last.back()) == record::read_checkpoint(expected.back()))
        << name << ": final states differ";
  }
};

TEST_F(RunCommand, KilledAndResumedItIsTheUninterruptedRun) {
  ASSERT_EQ(run("run scene.toml -o whole"), 0) << err();
  ASSERT_EQ(frames_in(folder / "whole"), kFrames);
  struct Moment {
    int frames, milliseconds;
  };
  // Before the first checkpoint, between checkpoints (twice in one run), and beyond the first chunk.
  const std::vector<std::vector<Moment>> lives = {{{0, 0}, {4, 5}}, {{13, 1}, {17, 9}}, {{26, 3}}};
  for (std::size_t life = 0; life < lives.size(); ++life) {
    const std::string name = "life_" + std::to_string(life);
    for (const Moment& moment : lives[life]) {
      Process process(folder, {"run", "scene.toml", "-o", name, "--resume"});
      ASSERT_NO_FATAL_FAILURE(kill_after(moment.frames, moment.milliseconds, process, name)) << moment.frames;
    }
    ASSERT_EQ(run("run scene.toml --resume -o " + name), 0) << err();
    expect_same_run(name, "whole");
    EXPECT_EQ(files_in(folder / name), files_in(folder / "whole"));
  }
}

TEST_F(RunCommand, KilledItLosesAtMostTheFrameInProgress) {
  Process process(folder, {"run", "scene.toml", "-o", "r"});
  ASSERT_NO_FATAL_FAILURE(kill_after(6, 4, process, "r"));
  const record::FrameReader reader(folder / "r");
  EXPECT_GE(reader.frames(), 6);
  EXPECT_EQ(run("frame r --frame 5 --width 80 --height 60 --samples 1 -o killed.png"), 0) << err();
}

TEST_F(RunCommand, InterruptAndTerminationKeepAllFramesAndResumeCompletes) {
  ASSERT_EQ(run("run scene.toml -o whole"), 0) << err();
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string name = "r" + std::to_string(signal);
    Process process(folder, {"run", "scene.toml", "-o", name});
    ASSERT_TRUE(process.wait_until([&] { return process.ended() || frames_in(folder / name) >= 12; }));
    process.send(signal);
    ASSERT_TRUE(process.wait_for_end());
    EXPECT_EQ(process.exit_code(), 128 + signal);
    const int kept = frames_in(folder / name);
    EXPECT_GE(kept, 12);
    EXPECT_LT(kept, kFrames);
    record::FrameReader whole(folder / "whole"), part(folder / name);
    for (int k = 0; k < kept; ++k) EXPECT_EQ(part.read(k).points, whole.read(k).points) << k;
    ASSERT_EQ(run("run scene.toml --resume -o " + name), 0) << err();
    expect_same_run(name, "whole");
    EXPECT_EQ(files_in(folder / name), files_in(folder / "whole"));
  }
}

TEST_F(RunCommand, FramesDoNotDependOnTheNumberOfThreads) {
  ASSERT_EQ(run("run scene.toml -o one --threads 1"), 0) << err();
  ASSERT_EQ(run("run scene.toml -o two --threads 2"), 0) << err();
  expect_same_run("two", "one");
}

TEST_F(RunCommand, AShorterRunCanBeMadeLonger) {
  ASSERT_EQ(run("run scene.toml -o whole --frames 14"), 0) << err();
  ASSERT_EQ(run("run scene.toml -o r --frames 7"), 0) << err();
  EXPECT_EQ(frames_in(folder / "r"), 7);
  ASSERT_EQ(run("run scene.toml -o r --frames 14 --resume"), 0) << err();
  expect_same_run("r", "whole");
}

TEST_F(RunCommand, AMalformedSceneLeavesNoFolder) {
  write("bad.toml", "[simulation]\nduration = -1\n");
  EXPECT_EQ(run("run bad.toml -o r"), 2);
  EXPECT_NE(err().find("bad.toml:2:12: simulation.duration: is -1, expected a number > 0"), std::string::npos)
      << err();
  EXPECT_EQ(run("run missing.toml -o r"), 2);
  EXPECT_NE(err().find("missing.toml"), std::string::npos) << err();
  write("no_mesh.toml", std::string(kScene) + "[[obstacle]]\nshape = \"mesh\"\nfile = \"nowhere.obj\"\n");
  EXPECT_EQ(run("run no_mesh.toml -o r"), 2);
  EXPECT_NE(err().find("nowhere.obj"), std::string::npos) << err();
  EXPECT_EQ(run("run scene.toml -o r --set bundle.0.count=0"), 2);
  EXPECT_EQ(run("run scene.toml -o r --dump-problems 5"), 2);
  EXPECT_FALSE(fs::exists(folder / "r"));
}

TEST_F(RunCommand, ARunThatIsThereIsRefused) {
  ASSERT_EQ(run("run scene.toml -o r --frames 3"), 0) << err();
  const std::string before = contents(folder / "r" / "frames.bin");
  EXPECT_EQ(run("run scene.toml -o r --frames 4"), 2);
  EXPECT_NE(err().find("r: holds a run already"), std::string::npos) << err();
  EXPECT_TRUE(contents(folder / "r" / "frames.bin") == before);
  EXPECT_EQ(run("run scene.toml -o r --frames 4 --overwrite"), 0) << err();
  EXPECT_EQ(frames_in(folder / "r"), 4);
}

TEST_F(RunCommand, WhatIsSetSurvivesAResume) {
  const std::string set = " --set bundle.0.count=3 --set simulation.fps=50";
  ASSERT_EQ(run("run scene.toml -o whole --frames 12" + set), 0) << err();
  ASSERT_EQ(run("run scene.toml -o r --frames 5" + set), 0) << err();
  ASSERT_EQ(run("run scene.toml -o r --frames 12 --resume"), 0) << err();
  expect_same_run("r", "whole");
  const record::Manifest manifest = record::read_manifest(folder / "r");
  EXPECT_EQ(manifest.radii.size(), 3u + 5u + 2u);
  EXPECT_EQ(manifest.fps, 50);
  EXPECT_EQ(run("run scene.toml -o r --resume --set bundle.0.count=4"), 2);
}

TEST_F(RunCommand, FilesOfASceneAreLookedForBesideItAlsoWhenItIsResumed) {
  fs::create_directory(folder / "sub");
  std::ofstream(folder / "sub/wedge.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 -1\n"
                                             "f 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";
  std::ofstream(folder / "sub/ball.toml") << "[[obstacle]]\nshape = \"mesh\"\nfile = \"wedge.obj\"\n"
                                             "[[rigid]]\nshape = \"sphere\"\nradius = 0.1\n"
                                             "position = [0.2, 0.2, 0.15]\n";
  ASSERT_EQ(run("run sub/ball.toml -o whole --frames 12"), 0) << err();
  ASSERT_EQ(run("run sub/ball.toml -o r --frames 5"), 0) << err();
  ASSERT_EQ(run("run sub/ball.toml -o r --frames 12 --resume"), 0) << err();
  expect_same_run("r", "whole");
  // The ball fell 5 cm and lies on the wedge.
  EXPECT_NEAR(record::read_statistics(folder / "whole").steps.back().kinetic, 0, 1e-6);
}

TEST_F(RunCommand, DumpedProblemsComeWithAnAnswerThatConverged) {
  ASSERT_EQ(run("run scene.toml -o r --frames 5 --dump-problems every=5"), 0) << err();
  const std::size_t steps = record::read_statistics(folder / "r").steps.size();
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder / "r" / "problems")) files.push_back(entry.path());
  EXPECT_EQ(files.size(), steps / 5);
  ASSERT_GE(files.size(), 4u);
  int contacts = 0;
  for (const fs::path& file : files) {
    EXPECT_EQ(run("certify --tol 1e-4 --json '" + file.string() + "'"), 0) << file << err();
    const json certificate = json::parse(out());
    contacts += certificate["contacts"].get<int>();
    EXPECT_LT(certificate["penetration_velocity"].get<double>(), 0.01) << file;  // m/s
  }
  EXPECT_GT(contacts, 100);
  EXPECT_EQ(run("solve --tol 1e-6 --json '" + files.front().string() + "'"), 0) << err();
  EXPECT_EQ(json::parse(out())["status"], "converged");
}

TEST_F(RunCommand, ASummaryIsOneJsonObject) {
  ASSERT_EQ(run("run scene.toml -o r --frames 4 --json"), 0) << err();
  const json summary = json::parse(out());
  EXPECT_EQ(summary["folder"], "r");
  EXPECT_EQ(summary["complete"], true);
  EXPECT_EQ(summary["frames"], 4);
  EXPECT_EQ(summary["strands"], 7 + 5 + 2);
  EXPECT_EQ(summary["steps"], record::read_statistics(folder / "r").steps.size());
  EXPECT_GT(summary["max_contacts"].get<int>(), 10);
  EXPECT_LE(summary["max_error"].get<double>(), 1e-4);
  EXPECT_EQ(summary["crossings"], 0);
  EXPECT_EQ(summary["steps_above_tolerance"], 0);
  EXPECT_GE(summary["penetration_ratio"].get<double>(), 0);
  EXPECT_TRUE(summary["start"].contains("rounds"));
  EXPECT_EQ(summary["good"], summary["findings"].empty());
}

TEST_F(RunCommand, TheSummaryIsInWordsAndTheTableIsAskedFor) {
  ASSERT_EQ(run("run scene.toml -o r --frames 3"), 0) << err();
  for (const char* part : {"r: 3 frames, 0.08 s simulated", "all certified to an error of 0.0001",
                           "none: nothing passed through anything", "The frames are in r"})
    EXPECT_NE(out().find(part), std::string::npos) << part << " is not in:\n" << out();
  EXPECT_EQ(out().find("T_GS"), std::string::npos) << out();
  ASSERT_EQ(run("run scene.toml -o r --frames 3 --overwrite --table"), 0) << err();
  EXPECT_NE(out().find("T_GS / T_solv"), std::string::npos) << out();
}

TEST_F(RunCommand, StrictRefusesStepsAboveTheTolerance) {
  write("box.toml",
        "[simulation]\nduration = 0.1\ntolerance = 1e-8\nmax_sweeps = 1\nsolver = \"gs\"\nadaptive = false\n"
        "[[obstacle]]\nshape = \"plane\"\n[[rigid]]\nshape = \"box\"\nsize = [0.2, 0.2, 0.2]\n"
        "repeat = [1, 1, 4]\nspacing = [0, 0, 0.2]\nposition = [0, 0, 0.1]\nspin = [0, 0, 3]\n");
  EXPECT_EQ(run("run box.toml -o r"), 0) << err();
  EXPECT_NE(out().find("Verdict: not good."), std::string::npos) << out();
  EXPECT_NE(out().find("steps ended above the tolerance"), std::string::npos) << out();
  EXPECT_EQ(run("run box.toml -o r --overwrite --strict"), 1);
  EXPECT_EQ(run("run box.toml -o r --overwrite --strict --json --set simulation.max_sweeps=0 --set "
                "'simulation.solver=\"auto\"'"),
            0)
      << out();
  EXPECT_EQ(json::parse(out())["good"], true);
}

TEST_F(RunCommand, ASceneThatWasEditedIsNotResumed) {
  ASSERT_EQ(run("run scene.toml -o r --frames 3"), 0) << err();
  write("scene.toml", std::string(kScene) + "# edited\n");
  EXPECT_EQ(run("run scene.toml -o r --frames 4 --resume"), 2);
  EXPECT_NE(err().find("scene.toml: differs from r/scene.toml, with which the run began"), std::string::npos)
      << err();
  EXPECT_EQ(run("run r/scene.toml -o r --frames 4 --resume"), 0) << err();
}

TEST_F(RunCommand, AFolderThatCannotBeMadeIsToldInWords) {
  write("file", "");
  EXPECT_EQ(run("run scene.toml -o file/run"), 2);
  EXPECT_EQ(err().find("filesystem error"), std::string::npos) << err();
  EXPECT_NE(err().find("file/run: cannot be made a folder: Not a directory"), std::string::npos) << err();
}

TEST_F(RunCommand, PlotsAndPicturesComeOutOfARun) {
  ASSERT_EQ(run("run scene.toml -o r --frames 6"), 0) << err();
  ASSERT_EQ(run("plot r"), 0) << err();
  EXPECT_NE(out().find("Verdict: "), std::string::npos) << out();
  for (const char* name : {"error", "sweeps", "contacts", "time", "energy", "solve_time_nu", "error_nu"}) {
    const std::string svg = contents(folder / "r" / "plots" / (std::string(name) + ".svg"));
    EXPECT_NE(svg.find("</svg>"), std::string::npos) << name;
    EXPECT_EQ(svg.find("nan"), std::string::npos) << name;
  }
  const std::string bodies = contents(folder / "r" / "plots" / "bodies.csv");  // two obstacles, six frames
  EXPECT_EQ(std::count(bodies.begin(), bodies.end(), '\n'), 1 + 2 * 6);
  EXPECT_EQ(bodies.find("t,name,x,y,z,rx,ry,rz\n0,\""), 0u) << bodies;
  ASSERT_EQ(run("frame r --at 0.1 --width 200 --height 150 --samples 1 -o x.png"), 0) << err();
  EXPECT_EQ(run("frame r --at 99 -o late.png"), 2);
  EXPECT_NE(err().find("--at: is 99 s, expected 0 to"), std::string::npos) << err();
  EXPECT_EQ(run("frame r --at -1 -o early.png"), 2);
  EXPECT_EQ(contents(folder / "x.png").substr(1, 3), "PNG");
  ASSERT_EQ(run("frame r --view front -o x.svg"), 0) << err();
  EXPECT_NE(contents(folder / "x.svg").find("</svg>"), std::string::npos);
  EXPECT_EQ(run("frame nowhere -o y.png"), 2);
  EXPECT_FALSE(fs::exists(folder / "y.png"));
}

TEST_F(RunCommand, PicturesShowTheStrainOfSoftBodies) {
  record::Manifest manifest;
  manifest.scene = "sheet.toml";
  manifest.layout.points_per_mesh = {3};
  manifest.meshes = {{"sheet", record::RecordedMesh::Kind::cloth, {}, 1e-3, Eigen::Vector3i(0, 1, 2)}};
  record::Snapshot snapshot;
  snapshot.mesh_points = 0.1 * Eigen::Matrix3d::Identity();
  snapshot.mesh_values = Eigen::Vector3f(0.25, 0.25, 0.25);
  {
    auto directory = record::RunDirectory::create(folder / "sheet", manifest, "");
    directory.write(snapshot);
  }
  ASSERT_EQ(run("frame sheet --width 80 --height 60 --color strain --wireframe -o x.png"), 0) << err();
  EXPECT_NE(out().find("yellow is 0.25"), std::string::npos) << out();
  const std::string by_strain = contents(folder / "x.png");
  ASSERT_EQ(run("frame sheet --width 80 --height 60 -o x.png"), 0) << err();
  EXPECT_NE(contents(folder / "x.png"), by_strain);
  EXPECT_EQ(run("frame sheet --color pressure -o y.png"), 2);
  EXPECT_NE(err().find("--color: is 'pressure', expected own or strain"), std::string::npos) << err();
}

TEST_F(RunCommand, PicturesWithoutSoftBodiesHaveNoStrain) {
  ASSERT_EQ(run("run scene.toml -o r --frames 1"), 0) << err();
  EXPECT_EQ(run("frame r --color strain -o x.png"), 2);
  EXPECT_NE(err().find("the run has no soft bodies"), std::string::npos) << err();
  EXPECT_EQ(run("frame r --wireframe -o x.png"), 2);
  EXPECT_FALSE(fs::exists(folder / "x.png"));
}

TEST_F(RunCommand, TheFolderIsNamedAfterTheSceneIfNoneIsGiven) {
  ASSERT_EQ(run("run scene.toml --frames 2"), 0) << err();
  EXPECT_EQ(frames_in(folder / "runs" / "scene"), 2);
  EXPECT_EQ(contents(folder / "runs" / "scene" / "scene.toml"), kScene);
}

}  // namespace
}  // namespace capstan::app

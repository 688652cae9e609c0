// A resumed run is the run that was begun, or none.
#include <gtest/gtest.h>

#include "capstan/errors.hpp"
#include "capstan/record/run_directory.hpp"
#include "capstan/run/scene_run.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

namespace fs = std::filesystem;
using testing_support::contents;
using testing_support::Scratch;
using testing_support::set_contents;

constexpr const char* kWedge = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 -1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 1 3 4\n";

/// A ball falls onto a wedge whose surface is in a file.
class Resume : public testing::Test {
 protected:
  Resume() { set_contents(scratch / "wedge.obj", kWedge); }

  RunOptions options(const std::string& name) const {
    RunOptions result;
    result.folder = scratch / name;
    result.threads = 1;
    return result;
  }
  /// Records a few frames, with a checkpoint after them.
  void begin(const std::string& name, double height) const {
    const SceneText scene{
        "[[obstacle]]\nshape = \"mesh\"\nfile = \"wedge.obj\"\n[[rigid]]\nshape = \"sphere\"\nradius = 0.1\n"
        "position = [0.2, 0.2, " +
            std::to_string(height) + "]\n",
        "ball.toml", fs::path(scratch / "x").parent_path()};
    SceneRun run = SceneRun::start(scene, options(name));
    for (int k = 0; k < 4; ++k) run.next_frame({});
    run.checkpoint();
  }
  std::string refusal(const std::string& name) const {
    try {
      SceneRun::resume(options(name));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  const Scratch scratch;
};

TEST_F(Resume, GoesOnWhereNothingWasChanged) {
  begin("a", 0.15);
  EXPECT_EQ(SceneRun::resume(options("a")).frames_done(), 5);
}

TEST_F(Resume, RefusesACopyOfTheSceneThatWasChanged) {
  begin("a", 0.15);
  set_contents(scratch / "a/ball.toml", contents(scratch / "a/ball.toml") + "density = 10\n");
  EXPECT_NE(refusal("a").find("ball.toml: was changed after the run began"), std::string::npos)
      << refusal("a");
}

TEST_F(Resume, RefusesAMeshThatWasChanged) {
  begin("a", 0.15);
  set_contents(scratch / "wedge.obj", std::string(kWedge) + "# another\n");
  EXPECT_NE(refusal("a").find("wedge.obj: was changed after the run began"), std::string::npos)
      << refusal("a");
}

TEST_F(Resume, RefusesACheckpointOfAnotherRunAndLeavesTheFolderAlone) {
  begin("a", 0.15);
  begin("b", 0.3);
  const fs::path mine = record::list_checkpoints(scratch / "a").back(),
                 other = record::list_checkpoints(scratch / "b").back();
  fs::copy_file(other, mine, fs::copy_options::overwrite_existing);
  const std::string frames = contents(scratch / "a/frames.journal");
  EXPECT_NE(refusal("a").find("is a checkpoint of another run"), std::string::npos) << refusal("a");
  EXPECT_EQ(contents(scratch / "a/frames.journal"), frames);
  EXPECT_TRUE(fs::exists(mine));
}

TEST_F(Resume, TakesTheCheckpointOfTheSameRunMadeTwice) {
  begin("a", 0.15);
  begin("b", 0.15);
  const fs::path mine = record::list_checkpoints(scratch / "a").back();
  fs::copy_file(record::list_checkpoints(scratch / "b").back(), mine, fs::copy_options::overwrite_existing);
  EXPECT_EQ(refusal("a"), "accepted");
}

TEST_F(Resume, RemovesWhatKilledProcessesLeft) {
  begin("a", 0.15);
  for (const char* name : {"manifest.json.part-99", "checkpoints/step_000000009.h5.part-99"})
    set_contents(scratch / "a" / name, "half");
  SceneRun::resume(options("a"));
  EXPECT_FALSE(fs::exists(scratch / "a/manifest.json.part-99"));
  EXPECT_FALSE(fs::exists(scratch / "a/checkpoints/step_000000009.h5.part-99"));
  // Also where no checkpoint was ever complete.
  for (const fs::path& file : record::list_checkpoints(scratch / "a")) fs::remove(file);
  set_contents(scratch / "a/checkpoints/step_000000009.h5.part-99", "half");
  SceneRun::resume(options("a"));
  EXPECT_FALSE(fs::exists(scratch / "a/checkpoints/step_000000009.h5.part-99"));
}

}  // namespace
}  // namespace capstan

// A run without a folder, step by step, is the run that is recorded.
#include "capstan/run/scene_run.hpp"

#include <gtest/gtest.h>

#include "capstan/errors.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

using testing_support::contents;
using testing_support::Scratch;

const SceneText kFall{R"(
[simulation]
duration = 0.3
fps = 30
dt = 4e-3
[[obstacle]]
name = "floor"
shape = "plane"
[[rigid]]
name = "ball"
shape = "sphere"
radius = 0.05
repeat = [2, 1, 2]
spacing = [0.12, 0.1, 0.12]
position = [0, 0, 0.2]
velocity = [1, 0, -1]
)",
                      "fall.toml", "/"};

RunOptions quiet(const std::filesystem::path& folder = {}) {
  RunOptions options;
  options.folder = folder;
  options.threads = 1;
  return options;
}

TEST(SceneRun, StepsAreThoseOfFrames) {
  const Scratch scratch;
  SceneRun recorded = SceneRun::start(kFall, quiet(scratch / "a"));
  while (recorded.frames_done() < recorded.frames_wanted()) recorded.next_frame({});
  SceneRun stepped = SceneRun::start(kFall, quiet());
  while (stepped.frames_done() < stepped.frames_wanted()) stepped.step();
  EXPECT_EQ(stepped.simulation().t(), 0.3);
  EXPECT_TRUE(stepped.moment() == recorded.moment());
  EXPECT_FALSE(stepped.is_recording());
}

TEST(SceneRun, StepsAreRecordedLikeFrames) {
  const Scratch scratch;
  SceneRun a = SceneRun::start(kFall, quiet(scratch / "a"));
  while (a.frames_done() < a.frames_wanted()) a.next_frame({});
  a.finish();
  SceneRun b = SceneRun::start(kFall, quiet());
  b.record(scratch / "b");
  while (b.frames_done() < b.frames_wanted()) b.step();
  b.finish();
  EXPECT_GT(contents(scratch / "a/frames.bin").size(), 100u);
  for (const char* file : {"frames.bin", "manifest.json", "origin.json", "fall.toml"})
    EXPECT_EQ(contents(scratch / "a" / file), contents(scratch / "b" / file)) << file;
  EXPECT_TRUE(record::list_checkpoints(scratch / "a").size() ==
              record::list_checkpoints(scratch / "b").size());
}

TEST(SceneRun, GoesOnAfterTheEndAtTheSameRate) {
  SceneRun run = SceneRun::start(kFall, quiet());
  while (run.frames_done() < run.frames_wanted() + 3) run.next_frame({});
  EXPECT_NEAR(run.simulation().t(), 0.4, 1e-12);
}

TEST(SceneRun, AMomentOfTheMiddleOfAFrameIsKept) {
  SceneRun run = SceneRun::start(kFall, quiet());
  for (int k = 0; k < 13; ++k) run.step();
  const record::Checkpoint moment = run.moment();
  while (run.frames_done() < 8) run.step();
  SceneRun other = SceneRun::start(kFall, quiet());
  other.go_to(record::parse_checkpoint(record::checkpoint_bytes(moment), "moment"));
  EXPECT_EQ(other.simulation().steps(), 13);
  while (other.frames_done() < 8) other.step();
  EXPECT_TRUE(other.moment() == run.moment());
}

TEST(SceneRun, ARecordingHasAllOfARun) {
  const Scratch scratch;
  SceneRun run = SceneRun::start(kFall, quiet());
  run.step();
  EXPECT_THROW(run.record(scratch / "late"), InputError);
  SceneRun other = SceneRun::start(kFall, quiet(scratch / "run"));
  EXPECT_THROW(other.record(scratch / "twice"), InputError);
  EXPECT_THROW(other.go_to(run.moment()), InputError);
}

}  // namespace
}  // namespace capstan

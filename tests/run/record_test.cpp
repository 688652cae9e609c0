// What a run leaves behind of structures and friction cones.
#include <gtest/gtest.h>

#include <cmath>

#include "capstan/record/frame_reader.hpp"
#include "capstan/record/picture/solid.hpp"
#include "capstan/run/scene_run.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

using testing_support::Scratch;
using testing_support::set_contents;

/// A slope of 0.6 rad that falls along x, whose grain is 0.5 rad off it; a box with the same grain, a ball
/// without any, and a strand.
constexpr const char* kScene = R"(
[simulation]
duration = 0.2
fps = 25
dt = 2e-3
tolerance = 1e-8

[[material]]
name = "string"
preset = "nylon"
radius = 2e-3
friction = 0.3

[[obstacle]]
name = "slope"
shape = "plane"
rotation = [0, 0.6, 0]
structure = { kind = "constant", direction = [0.8775825618903728, 0.479425538604203, 0] }

[[rigid]]
name = "box"
shape = "box"
size = [0.1, 0.1, 0.04]
density = 1000
position = [0.01129284946790071, 0, 0.016506712298193566]
rotation = [0, 0.6, 0]
structure = { kind = "constant", direction = [0.8775825618903728, 0.479425538604203, 0] }

[[rigid]]
name = "ball"
shape = "sphere"
radius = 0.02
density = 1000
position = [0.01129284946790071, 0.2, 0.016506712298193566]
friction = 0.25

[[friction]]
between = ["slope", "box"]
model = "matchstick"
mu = 0.2
along = 0.2
across = 0.9

[[bundle]]
name = "strings"
model = "mass_spring"
material = "string"
elements = 3
count = 1
length = 0.1
center = [0, -0.2, 0.004]
direction = [0, 1, 0]
)";

struct RecordedScene {
  Scratch scratch;
  RecordedScene() {
    set_contents(scratch / "scene.toml", kScene);
    RunOptions options;
    options.folder = scratch / "run";
    options.threads = 1;
    SceneRun run = SceneRun::start(scratch / "scene.toml", options);
    while (run.frames_done() < run.frames_wanted()) run.next_frame({});
    run.finish();
  }
  /// Contacts of the last frame of a body, by its name in records.
  std::vector<record::RecordedContact> contacts_of(int body) const {
    record::FrameReader reader(scratch / "run");
    std::vector<record::RecordedContact> found;
    for (const record::RecordedContact& contact : reader.read(reader.frames() - 1).contacts)
      if (contact.a == body) found.push_back(contact);
    return found;
  }
};

constexpr int kStrand = 0, kRecordedBox = -2, kRecordedBall = -3;
const Eigen::Vector3d kSlopeNormal(std::sin(0.6), 0, std::cos(0.6));

TEST(RecordedRun, HasTheConesOfContactsWithAGrain) {
  const RecordedScene scene;
  const Eigen::Vector3d downhill(std::cos(0.6), 0, -std::sin(0.6));
  const Eigen::Vector3d grain = std::cos(0.5) * downhill + std::sin(0.5) * Eigen::Vector3d::UnitY();
  const auto contacts = scene.contacts_of(kRecordedBox);
  ASSERT_EQ(contacts.size(), 4u);
  for (const record::RecordedContact& contact : contacts) {
    ASSERT_TRUE(contact.cone && contact.cone->axes);
    EXPECT_NEAR(contact.cone->mu_t, 0.2, 1e-4);
    EXPECT_NEAR(contact.cone->mu_b, 0.9, 1e-3);
    const auto& [n, t] = *contact.cone->axes;
    EXPECT_NEAR(n.dot(kSlopeNormal), 1, 1e-6);
    EXPECT_NEAR(std::abs(t.dot(grain)), 1, 1e-4);
    // It slides: the force is on the ellipse.
    EXPECT_EQ(contact.state, record::ContactState::slide);
    const double across = contact.f.dot(n.cross(t)) / contact.cone->mu_b;
    EXPECT_NEAR(std::hypot(contact.f.dot(t) / contact.cone->mu_t, across) / contact.f.dot(n), 1, 0.005);
  }
}

TEST(RecordedRun, HasNormalsOfSolidsAndCoefficientsOfAll) {
  const RecordedScene scene;
  const auto ball = scene.contacts_of(kRecordedBall), strand = scene.contacts_of(kStrand);
  ASSERT_EQ(ball.size(), 1u);
  ASSERT_TRUE(ball[0].cone && ball[0].cone->axes);
  EXPECT_NEAR(ball[0].cone->axes->n.dot(kSlopeNormal), 1, 1e-5);
  EXPECT_EQ(ball[0].cone->mu_t, ball[0].cone->mu_b);
  EXPECT_GT(ball[0].cone->mu_t, 0.2);
  ASSERT_FALSE(strand.empty());
  for (const record::RecordedContact& contact : strand) {
    ASSERT_TRUE(contact.cone);
    EXPECT_GT(contact.cone->mu_t, 0.2);
    EXPECT_FALSE(contact.cone->axes);
  }
}

TEST(RecordedRun, HasLinesWhereThereIsAStructure) {
  const RecordedScene scene;
  const record::Manifest manifest = record::read_manifest(scene.scratch / "run");
  ASSERT_EQ(manifest.obstacles.size(), 3u);
  std::vector<record::SurfaceLines> lines;
  for (const std::string& json : manifest.obstacles) lines.push_back(record::solid_from_json(json).lines);
  EXPECT_GT(lines[0].cols(), 2000);
  EXPECT_GT(lines[1].cols(), 600);
  EXPECT_EQ(lines[2].cols(), 0);
  const Eigen::Vector3d grain(std::cos(0.5), std::sin(0.5), 0);
  for (Eigen::Index k = 0; k < lines[0].cols(); k += 50) {
    const Eigen::Vector3d along = (lines[0].col(k).tail<3>() - lines[0].col(k).head<3>()).normalized();
    EXPECT_NEAR(std::abs(along.dot(grain)), 1, 1e-3);
  }
}

}  // namespace
}  // namespace capstan

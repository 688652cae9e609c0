// Friction cones of recorded contacts: what of them comes back, and what they cost.
#include <optional>

#include "capstan/record/frame_reader.hpp"
#include "capstan/record/frame_writer.hpp"
#include "record/support.hpp"

namespace capstan::record {
namespace {

using test::Scratch;
using test::swinging_hair;

FrameLayout two_strands() {
  FrameLayout layout;
  layout.points_per_strand = {3, 4};
  layout.frames_per_chunk = 4;
  return layout;
}

/// Angle between directions whose sense counts, or does not; degrees.
double degrees_between(const Eigen::Vector3d& p, const Eigen::Vector3d& q, bool sense) {
  return std::atan2(p.cross(q).norm(), sense ? p.dot(q) : std::abs(p.dot(q))) * 180 / M_PI;
}

/// All directions, axes and diagonals of space among them; tangents turned by the golden angle.
std::vector<RecordedCone> cones_all_around(double mu_t, double mu_b) {
  std::vector<RecordedCone> cones;
  for (int k = 0; k < 343; ++k) {
    const Eigen::Vector3d direction(k % 7 - 3, k / 7 % 7 - 3, k / 49 - 3);
    if (direction.isZero()) continue;
    const Eigen::Vector3d n = direction.normalized(), u = n.unitOrthogonal();
    cones.push_back(
        {mu_t, mu_b, RecordedCone::Axes{n, std::cos(2.4 * k) * u + std::sin(2.4 * k) * n.cross(u)}});
  }
  return cones;
}

/// Writes contacts with these cones, spread over frames, in a file of that version, and reads them back.
std::vector<RecordedContact> recorded_and_read(const std::vector<std::optional<RecordedCone>>& cones,
                                               int version) {
  const Scratch run;
  FrameLayout layout = two_strands();
  layout.version = version;
  FrameWriter writer = FrameWriter::create(run.path(), layout);
  std::size_t next = 0;
  for (int frame = 0; next < cones.size(); ++frame) {
    Snapshot snapshot = swinging_hair(layout, frame);
    for (int k = 0; k < 9 && next < cones.size(); ++k) {
      const int names = static_cast<int>(next / 2);  // two of each pair
      snapshot.contacts.push_back({Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ(), names, -1 - names,
                                   ContactState::slide, cones[next++]});
    }
    writer.write(snapshot);
  }
  FrameReader reader(run.path());
  std::vector<RecordedContact> found;
  for (int frame = 0; frame < reader.frames(); ++frame)
    for (const RecordedContact& contact : reader.read(frame).contacts) found.push_back(contact);
  EXPECT_EQ(found.size(), cones.size());
  return found;
}

TEST(RecordedCones, ComeBackWithTheirAxes) {
  const std::vector<RecordedCone> cones = cones_all_around(0.2, 3);
  const auto found = recorded_and_read({cones.begin(), cones.end()}, kNewestFrames);
  for (std::size_t k = 0; k < cones.size(); ++k) {
    ASSERT_TRUE(found[k].cone && found[k].cone->axes);
    const RecordedCone::Axes &axes = *found[k].cone->axes, &wanted = *cones[k].axes;
    EXPECT_NEAR(found[k].cone->mu_t, 0.2, 2.5e-4 * 0.2);
    EXPECT_NEAR(found[k].cone->mu_b, 3, 2.5e-4 * 3);
    EXPECT_LT(degrees_between(axes.n, wanted.n, true), 0.02);
    EXPECT_LT(degrees_between(axes.t, wanted.t, false), 0.03);
    EXPECT_LT(std::abs(axes.n.dot(axes.t)), 1e-12);
    EXPECT_NEAR(axes.t.norm(), 1, 1e-12);
  }
}

TEST(RecordedCones, AreCoarserIfCircular) {
  const std::vector<RecordedCone> cones = cones_all_around(0.4, 0.4);
  const auto found = recorded_and_read({cones.begin(), cones.end()}, kNewestFrames);
  double worst = 0;
  for (std::size_t k = 0; k < cones.size(); ++k) {
    ASSERT_TRUE(found[k].cone && found[k].cone->axes);
    worst = std::max(worst, degrees_between(found[k].cone->axes->n, cones[k].axes->n, true));
  }
  EXPECT_LT(worst, 0.2);
  EXPECT_GT(worst, 0.02);
}

TEST(RecordedCones, MayBeLeftOutOrHaveNoAxes) {
  std::vector<std::optional<RecordedCone>> cones;
  const std::vector<RecordedCone> some = cones_all_around(0.1, 0.7);
  for (std::size_t k = 0; k < 60; ++k) {
    if (k % 3 == 0)
      cones.emplace_back();
    else
      cones.emplace_back(k % 3 == 1 ? some[k] : RecordedCone{0.3, 0.3});
  }
  const auto found = recorded_and_read(cones, kNewestFrames);
  for (std::size_t k = 0; k < cones.size(); ++k) {
    EXPECT_EQ(found[k].cone.has_value(), k % 3 != 0) << k;
    EXPECT_EQ(found[k].cone && found[k].cone->axes, k % 3 == 1) << k;
  }
}

TEST(RecordedCones, AreNotInVersionTwo) {
  const std::vector<RecordedCone> cones = cones_all_around(0.2, 3);
  for (const RecordedContact& contact : recorded_and_read({cones.begin(), cones.end()}, 2)) {
    EXPECT_FALSE(contact.cone);
    EXPECT_EQ(contact.state, ContactState::slide);
  }
}

TEST(RecordedCones, WithoutAxesCostNothing) {
  // 40 frames of 500 contacts between strands, with the friction of two pairs of materials.
  const auto bytes = [](bool with_cones) {
    const Scratch run;
    const FrameLayout layout = two_strands();
    FrameWriter writer = FrameWriter::create(run.path(), layout);
    for (int frame = 0; frame < 40; ++frame) {
      Snapshot snapshot = swinging_hair(layout, frame);
      for (int k = 0; k < 500; ++k) {
        const double mu = k % 5 ? 0.3 : 0.15;
        snapshot.contacts.push_back({Eigen::Vector3d(std::sin(k * frame), 0.1 * k, 0),
                                     Eigen::Vector3d(1e-3 * std::cos(k), 0.1, std::sin(frame)), k % 4, -1});
        if (with_cones) snapshot.contacts.back().cone = RecordedCone{mu, mu};
      }
      writer.write(snapshot);
    }
    writer.finish();
    return double(std::filesystem::file_size(frames_path(run.path())));
  };
  EXPECT_LT((bytes(true) - bytes(false)) / (40 * 500), 0.05);
}

}  // namespace
}  // namespace capstan::record

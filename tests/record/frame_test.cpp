#include <algorithm>
#include <limits>
#include <set>

#include "capstan/record/frame_reader.hpp"
#include "capstan/record/frame_writer.hpp"
#include "record/support.hpp"

namespace capstan::record {
namespace {

using test::contents;
using test::refusal;
using test::Scratch;
using test::set_contents;
using test::swinging_hair;

FrameLayout small_layout() {
  FrameLayout layout;
  layout.points_per_strand = {3, 1, 4};
  layout.points_per_mesh = {10, 3};
  layout.obstacles = 1;
  layout.frames_per_chunk = 4;
  return layout;
}

void write_frames(const Scratch& run, const FrameLayout& layout, int count, bool finish = false) {
  FrameWriter writer = FrameWriter::create(run.path(), layout);
  for (int k = 0; k < count; ++k) writer.write(swinging_hair(layout, k));
  if (finish) writer.finish();
}

/// Whether a frame is the one that was written, to the rounding of the lattice and the last bit of the poses.
testing::AssertionResult is_frame(const Snapshot& found, const FrameLayout& layout, int frame) {
  const Snapshot wanted = swinging_hair(layout, frame);
  if (found.t != wanted.t) return testing::AssertionFailure() << "t is " << found.t << ", not " << wanted.t;
  for (const auto points : {&Snapshot::points, &Snapshot::mesh_points}) {
    if ((found.*points).cols() != (wanted.*points).cols())
      return testing::AssertionFailure() << "frame " << frame << ": points are missing";
    const double error = ((found.*points) - (wanted.*points)).cwiseAbs().sum();
    if (!(error <= 0.5 * layout.step * double((wanted.*points).size())))
      return testing::AssertionFailure() << "frame " << frame << ": off by " << error << " in all";
  }
  if (!(found.mesh_values - wanted.mesh_values).isZero(0.03 * 0.05))
    return testing::AssertionFailure() << "frame " << frame << ": values differ";
  for (std::size_t k = 0; k < wanted.obstacles.size(); ++k)
    if (found.obstacles[k].x != wanted.obstacles[k].x || found.obstacles[k].R != wanted.obstacles[k].R)
      return testing::AssertionFailure() << "pose of obstacle " << k << " differs";
  return testing::AssertionSuccess();
}

/// Opens what is there: every frame must be right. The number of frames.
int frames_that_are_right(const Scratch& run, const FrameLayout& layout, std::string* dropped = nullptr) {
  FrameReader reader(run.path());
  for (int k = 0; k < reader.frames(); ++k) EXPECT_TRUE(is_frame(reader.read(k), layout, k));
  if (dropped) *dropped = reader.dropped();
  return reader.frames();
}

TEST(Frames, ComeBackWithinHalfALatticeStep) {
  const Scratch run;
  const FrameLayout layout = small_layout();
  write_frames(run, layout, 11);  // two chunks and three frames in the journal
  FrameReader reader(run.path());
  ASSERT_EQ(reader.frames(), 11);
  EXPECT_EQ(reader.chunks().size(), 2u);
  EXPECT_EQ(reader.dropped(), "");
  for (const int k : {10, 0, 7, 3, 4, 8, 5}) EXPECT_TRUE(is_frame(reader.read(k), layout, k)) << k;
}

TEST(Frames, AreOnDiskWhenWriteReturns) {
  const Scratch run;
  const FrameLayout layout = small_layout();
  FrameWriter writer = FrameWriter::create(run.path(), layout);
  for (int k = 0; k < 9; ++k) {
    writer.write(swinging_hair(layout, k));  // the writer stays open, as in a process that will be killed
    EXPECT_EQ(frames_that_are_right(run, layout), k + 1);
  }
}

TEST(Frames, ContactsComeBackWithTheirForcesToElevenBits) {
  const Scratch run;
  FrameLayout layout = small_layout();
  FrameWriter writer = FrameWriter::create(run.path(), layout);
  std::vector<RecordedContact> contacts;
  for (int k = 0; k < 40; ++k)
    contacts.push_back({Eigen::Vector3d(0.01 * k, -0.3, std::sin(k)),
                        std::pow(10, -k / 4.0) * Eigen::Vector3d(1.7, -0.3, 0),
                        k % 4,
                        k % 3 ? (k + 1) % 4 : -2,
                        static_cast<ContactState>(k % 3),
                        {},
                        k / 39.0});
  for (int k = 0; k < 6; ++k) {
    Snapshot snapshot = swinging_hair(layout, k);
    snapshot.contacts.assign(contacts.begin(), contacts.begin() + 7 * k);
    writer.write(snapshot);
  }
  FrameReader reader(run.path());
  for (int k = 0; k < 6; ++k) {
    const Snapshot found = reader.read(k);
    ASSERT_EQ(found.contacts.size(), 7u * static_cast<unsigned>(k));
    for (std::size_t i = 0; i < found.contacts.size(); ++i) {
      const RecordedContact &c = found.contacts[i], &wanted = contacts[i];
      EXPECT_LE((c.x - wanted.x).cwiseAbs().maxCoeff(), 0.5 * layout.step);
      EXPECT_LE((c.f - wanted.f).norm(), 2.5e-4 * wanted.f.norm());
      EXPECT_EQ(c.a, wanted.a);
      EXPECT_EQ(c.b, wanted.b);
      EXPECT_EQ(c.state, wanted.state);
      EXPECT_NEAR(c.beta, wanted.beta, 0.5 / 255 + 1e-12);
    }
  }
}

TEST(Frames, AreFoundByTime) {
  const Scratch run;
  const FrameLayout layout = small_layout();
  write_frames(run, layout, 10);  // 25 a second: t = 0, 0.04, ... 0.36
  const FrameReader reader(run.path());
  EXPECT_EQ(reader.frame_at(-1), 0);
  EXPECT_EQ(reader.frame_at(0.019), 0);
  EXPECT_EQ(reader.frame_at(0.021), 1);
  EXPECT_EQ(reader.frame_at(0.16), 4);
  EXPECT_EQ(reader.frame_at(99), 9);
  EXPECT_NE(refusal([&] { reader.time(10); }).find("no frame 10, expected 0 to 9"), std::string::npos);
}

TEST(Frames, HoldAnyPlaceTheLatticeHas) {
  // Jumps from one end of the lattice to the other overflow differences of 32 bits, which must wrap.
  const Scratch run;
  FrameLayout layout;
  layout.points_per_strand = {3};
  layout.step = 1;
  FrameWriter writer = FrameWriter::create(run.path(), layout);
  std::vector<Snapshot> wanted;
  for (int k = 0; k < 5; ++k) {
    Snapshot s{double(k), Eigen::Matrix3Xd::Constant(3, 3, 0x1p30), {}, {}};
    if (k % 2) s.points *= -1;
    s.points.col(1) *= -1;
    writer.write(s);
    wanted.push_back(s);
  }
  writer.finish();
  FrameReader reader(run.path());
  for (int k = 0; k < 5; ++k)
    EXPECT_EQ(reader.read(k).points, wanted[static_cast<std::size_t>(k)].points) << k;
}

TEST(Frames, RefuseWhatCannotBeWritten) {
  const Scratch run;
  const FrameLayout layout = small_layout();
  FrameWriter writer = FrameWriter::create(run.path(), layout);
  Snapshot s = swinging_hair(layout, 3);
  writer.write(s);
  EXPECT_NE(refusal([&] { writer.write(s); }).find("expected later"), std::string::npos);
  s = swinging_hair(layout, 4);
  s.points(1, 6) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal([&] { writer.write(s); }).find("point 6 is at nan"), std::string::npos);
  s = swinging_hair(layout, 4);
  s.obstacles.pop_back();
  EXPECT_NE(refusal([&] { writer.write(s); }).find("0 obstacles, expected 8 and 1"), std::string::npos);
  FrameLayout bad = layout;
  bad.step = 1e-5;
  EXPECT_NE(refusal([&] { FrameWriter::create(run.path(), bad); }).find("power of two"), std::string::npos);
  s = swinging_hair(layout, 4);
  s.contacts.push_back(
      {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0, 1, ContactState::stick, RecordedCone{-0.1, 0.2}});
  EXPECT_NE(refusal([&] { writer.write(s); }).find("friction of contact 0 is -0.1"), std::string::npos);
  s.contacts[0].cone =
      RecordedCone{0.1, 0.2, RecordedCone::Axes{Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX()}};
  EXPECT_NE(refusal([&] { writer.write(s); }).find("contact 0 has no normal"), std::string::npos);
  s.contacts[0].cone.reset();
  s.contacts[0].beta = 1.5;
  EXPECT_NE(refusal([&] { writer.write(s); }).find("beta of contact 0 is 1.5"), std::string::npos);
  bad = layout;
  bad.version = kNewestFrames + 1;
  EXPECT_NE(refusal([&] { FrameWriter::create(run.path(), bad); }).find("version is 5, expected 2 to 4"),
            std::string::npos);
  EXPECT_EQ(FrameReader(run.path()).frames(), 1);
}

TEST(Frames, AreCutOffAtAnyByteWithoutWrongFrames) {
  // Two chunks of 4 and a journal of 2: cut each file at every byte of its last records.
  const Scratch run;
  FrameLayout layout = small_layout();
  layout.obstacles = 0;  // few bytes, as each is tried
  write_frames(run, layout, 10);
  const std::string chunks = contents(frames_path(run.path())), journal = contents(journal_path(run.path()));
  const FrameReader whole(run.path());
  const std::uint64_t last_chunk = whole.chunks().back().offset;
  for (std::uint64_t size = last_chunk; size < chunks.size(); ++size) {
    set_contents(frames_path(run.path()), chunks.substr(0, size));
    std::string dropped;
    EXPECT_EQ(frames_that_are_right(run, layout, &dropped), 4) << size;
    EXPECT_NE(dropped.find("frame 8 follows where frame 4 was expected"), std::string::npos);
    EXPECT_EQ(dropped.find("frames.bin") == std::string::npos, size == last_chunk) << dropped;
  }
  set_contents(frames_path(run.path()), chunks);
  std::size_t complete_at_one = 0;
  for (std::size_t size = 0; size <= journal.size(); ++size) {
    set_contents(journal_path(run.path()), journal.substr(0, size));
    std::string dropped;
    const int count = frames_that_are_right(run, layout, &dropped);
    if (count == 9 && complete_at_one == 0) complete_at_one = size;
    EXPECT_EQ(count, size == journal.size() ? 10 : complete_at_one ? 9 : 8) << size;
    const bool between_records = size == 0 || size == complete_at_one || size == journal.size();
    EXPECT_EQ(dropped.empty(), between_records) << size << " " << dropped;
  }
}

TEST(Frames, WithABitFlippedAreDroppedAndNeverWrong) {
  const Scratch run;
  FrameLayout layout = small_layout();
  layout.obstacles = 0;  // few bytes, as each is tried
  write_frames(run, layout, 10);
  const FrameReader whole(run.path());
  const std::uint64_t records = whole.chunks().front().offset, second = whole.chunks().back().offset;
  for (const auto& path : {frames_path(run.path()), journal_path(run.path())}) {
    const std::string bytes = contents(path);
    const bool bin = path == frames_path(run.path());
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      std::string damaged = bytes;
      damaged[k] = static_cast<char>(damaged[k] ^ (1 << (k % 8)));
      set_contents(path, damaged);
      if (bin && k < records) {
        EXPECT_NE(refusal([&] { FrameReader reader(run.path()); }), "") << k;
        continue;
      }
      std::string dropped;
      const int count = frames_that_are_right(run, layout, &dropped);
      EXPECT_FALSE(dropped.empty()) << k;
      if (bin)
        EXPECT_EQ(count, k < second ? 0 : 4) << k;
      else
        EXPECT_LT(count, 10) << k;
    }
    set_contents(path, bytes);
  }
}

TEST(Frames, OfAnotherRunInTheJournalAreLeftOut) {
  const Scratch run, other;
  const FrameLayout layout = small_layout();
  FrameLayout changed = layout;
  changed.step = 0x1p-16;
  write_frames(run, layout, 2);
  write_frames(other, changed, 2);
  std::filesystem::copy_file(journal_path(other.path()), journal_path(run.path()),
                             std::filesystem::copy_options::overwrite_existing);
  const FrameReader reader(run.path());
  EXPECT_EQ(reader.frames(), 0);
  EXPECT_NE(reader.dropped().find("another run"), std::string::npos);
}

TEST(Frames, AreThereOnceAfterAKillBetweenChunkAndJournal) {
  const Scratch run;
  const FrameLayout layout = small_layout();
  write_frames(run, layout, 3);
  const std::string journal = contents(journal_path(run.path()));
  write_frames(run, layout, 4);                     // the fourth frame fills the chunk and clears the journal
  set_contents(journal_path(run.path()), journal);  // as if it had not
  std::string dropped;
  EXPECT_EQ(frames_that_are_right(run, layout, &dropped), 4);
  EXPECT_EQ(dropped, "");
}

/// Any version: what an older program began is gone on with as it was.
class ResumedFrames : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Versions, ResumedFrames, testing::Values(2, 3, 4));

TEST_P(ResumedFrames, HaveTheBytesOfAnUninterruptedOne) {
  FrameLayout layout = small_layout();
  layout.version = GetParam();
  if (layout.version < 4) layout.points_per_mesh.clear();
  const Scratch whole;
  write_frames(whole, layout, 10, true);
  const std::string wanted = contents(frames_path(whole.path()));
  for (int written = 0; written <= 10; ++written)
    for (const int kept : std::set<int>{0, written / 2, written}) {
      const Scratch run;
      write_frames(run, layout, written, written % 2 == 0);
      FrameWriter writer = FrameWriter::resume(run.path(), kept);
      EXPECT_EQ(writer.frames(), kept);
      EXPECT_EQ(frames_that_are_right(run, layout), kept);
      for (int k = kept; k < 10; ++k) writer.write(swinging_hair(layout, k));
      writer.finish();
      EXPECT_EQ(contents(frames_path(run.path())), wanted) << written << " written, " << kept << " kept";
    }
}

TEST(Frames, CannotBeResumedBehindTheirEnd) {
  const Scratch run;
  write_frames(run, small_layout(), 6);
  const std::string journal = contents(journal_path(run.path()));
  set_contents(journal_path(run.path()), journal.substr(0, journal.size() - 1));
  const std::string message = refusal([&] { FrameWriter::resume(run.path(), 6); });
  EXPECT_NE(message.find("has 5 whole frames, the checkpoint needs 6"), std::string::npos) << message;
  EXPECT_NE(message.find("cut off"), std::string::npos) << message;
}

TEST(Frames, OfSwingingHairTakeAboutAByteAPoint) {
  // 200 strands of 30 points, 48 frames, lattice 7.6 um: 12 bytes a point as floats.
  const Scratch run;
  FrameLayout layout;
  layout.points_per_strand.assign(200, 30);
  write_frames(run, layout, 48, true);
  const double bytes = double(std::filesystem::file_size(frames_path(run.path())));
  const double per_point = bytes / (48.0 * layout.points());
  RecordProperty("bytes_per_point", std::to_string(per_point));
  EXPECT_LT(per_point, 1.5);
}

}  // namespace
}  // namespace capstan::record

// Soft bodies and bonds in frames: what of them comes back, what they cost, and what damage does.
#include <functional>
#include <random>

#include "capstan/record/contact_codec.hpp"
#include "capstan/record/frame_reader.hpp"
#include "capstan/record/frame_writer.hpp"
#include "capstan/record/mesh_codec.hpp"
#include "record/support.hpp"

namespace capstan::record {
namespace {

using test::refusal;
using test::Scratch;
using test::swinging_hair;

FrameLayout soft_layout() {
  FrameLayout layout;
  layout.points_per_mesh = {10, 3};
  layout.frames_per_chunk = 4;
  return layout;
}

double bytes_of_run(
    const FrameLayout& layout, int frames, const std::function<void(Snapshot&)>& change = [](Snapshot&) {}) {
  const Scratch run;
  FrameWriter writer = FrameWriter::create(run.path(), layout);
  for (int k = 0; k < frames; ++k) {
    Snapshot snapshot = swinging_hair(layout, k);
    change(snapshot);
    writer.write(snapshot);
  }
  writer.finish();
  return double(std::filesystem::file_size(frames_path(run.path())));
}

TEST(MeshValues, AreKeptToThreePerCentOverSixPowersOfTen) {
  // Twelve steps double the value: rounding changes it by at most 2^(1/24) = 1.0293.
  for (double value = 4e-6; value < 9; value *= 1.01) {
    const double found = value_of_code(value_code(static_cast<float>(value)));
    EXPECT_LE(std::abs(std::log2(found / value)), 1.0 / 24 + 1e-4) << value;
  }
  EXPECT_EQ(value_of_code(value_code(0)), 0);
  EXPECT_EQ(value_code(1e-7f), 0);
  EXPECT_EQ(value_code(1), 1 + 12 * 18);
  EXPECT_EQ(value_of_code(217), 1);
  EXPECT_NEAR(value_of_code(value_code(1e6f)), std::exp2(254 / 12.0 - 18), 1e-4);  // 9.0: the largest
  for (int code = 0; code < 256; ++code)
    EXPECT_EQ(value_code(value_of_code(static_cast<std::uint8_t>(code))), code);
}

TEST(Meshes, MayBeGivenWithoutValues) {
  const FrameLayout layout = soft_layout();
  Snapshot snapshot = swinging_hair(layout, 0);
  snapshot.mesh_values.resize(0);
  const Snapshot found = from_lattice(layout, to_lattice(layout, snapshot));
  EXPECT_EQ(found.mesh_values.size(), 13);
  EXPECT_TRUE(found.mesh_values.isZero(0));
}

TEST(Meshes, ThatCannotBeWrittenAreRefused) {
  const FrameLayout layout = soft_layout();
  const auto refused = [&](auto&& spoil) {
    Snapshot snapshot = swinging_hair(layout, 0);
    spoil(snapshot);
    return refusal([&] { to_lattice(layout, snapshot); });
  };
  EXPECT_NE(refused([](Snapshot& s) {
              s.mesh_points.conservativeResize(3, 12);
            }).find("12 mesh points, expected 13"),
            std::string::npos);
  EXPECT_NE(refused([](Snapshot& s) { s.mesh_points(0, 4) = std::nan(""); }).find("mesh point 4 is at nan"),
            std::string::npos);
  EXPECT_NE(refused([](Snapshot& s) { s.mesh_values.conservativeResize(12); }).find("12 values"),
            std::string::npos);
  EXPECT_NE(refused([](Snapshot& s) { s.mesh_values[2] = -1; }).find("mesh point 2 is -1"),
            std::string::npos);
  EXPECT_NE(refused([](Snapshot& s) { s.mesh_values[2] = std::nanf(""); }).find("mesh point 2 is"),
            std::string::npos);
}

/// What comes back of one contact with this bond.
double recorded_bond(double beta, int version) {
  FrameLayout layout;
  layout.points_per_strand = {2};
  layout.version = version;
  Snapshot snapshot = swinging_hair(layout, 0);
  snapshot.contacts.push_back(
      {Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitZ(), 0, -1, ContactState::stick, {}, beta});
  const LatticeFrame frame = to_lattice(layout, snapshot);
  return from_lattice(layout, decode(layout, 1, encode(layout, {&frame, 1})).front()).contacts.front().beta;
}

TEST(Bonds, ComeBackToEightBitsAndAreNeverRoundedAway) {
  for (const double beta : {0.0, 0.1, 0.5, 0.77, 1.0})
    EXPECT_NEAR(recorded_bond(beta, kNewestFrames), beta, 0.5 / 255 + 1e-12);
  EXPECT_EQ(recorded_bond(0, kNewestFrames), 0);
  EXPECT_GT(recorded_bond(1e-6, kNewestFrames), 0);
  EXPECT_EQ(recorded_bond(1, kNewestFrames), 1);
}

TEST(Bonds, AreNotInVersionThree) { EXPECT_EQ(recorded_bond(0.5, 3), 0); }

TEST(Meshes, CostARunWithoutThemAlmostNothing) {
  // Version 4 has an empty block each for bonds, vertices and values: some bytes a record, of 12 frames.
  FrameLayout layout;
  layout.points_per_strand.assign(20, 30);
  const auto contacts = [](Snapshot& snapshot) {
    for (int k = 0; k < 50; ++k)
      snapshot.contacts.push_back(
          {Eigen::Vector3d(0.01 * k, 0, 0), Eigen::Vector3d(0, std::sin(k), 1), k % 20, -1});
  };
  const double now = bytes_of_run(layout, 48, contacts);
  layout.version = 3;
  EXPECT_LT((now - bytes_of_run(layout, 48, contacts)) / 48, 1);
}

TEST(Meshes, OfWavingClothTakeFewBytesAVertex) {
  // 2,500 vertices over which waves run, 48 frames, lattice 7.6 um; with values. As floats it would be 16.
  FrameLayout layout;
  layout.points_per_mesh = {2500};
  const double per_vertex = bytes_of_run(layout, 48) / (48.0 * 2500);
  RecordProperty("bytes_per_vertex", std::to_string(per_vertex));
  EXPECT_LT(per_vertex, 1.6);
}

TEST(Meshes, WithAnyByteChangedAreRefusedOrReadAndNothingElse) {
  // Behind the checksums: the bytes of the block itself, cut off at each and with each changed at random.
  const FrameLayout layout = soft_layout();
  std::vector<LatticeFrame> frames;
  for (int k = 0; k < 4; ++k) frames.push_back(to_lattice(layout, swinging_hair(layout, k)));
  ByteWriter out;
  put_meshes(out, layout, frames);
  const std::string bytes = out.bytes();
  int refusals = 0;
  const auto read = [&](const std::string& damaged) {
    std::vector<LatticeFrame> found(4);
    ByteReader in(damaged);
    try {
      get_meshes(in, layout, found);
      for (const LatticeFrame& frame : found) {
        EXPECT_EQ(frame.mesh_points.size(), 39u);
        EXPECT_EQ(frame.mesh_values.size(), 13u);
      }
    } catch (const InputError&) {
      ++refusals;
    }
  };
  for (std::size_t size = 0; size < bytes.size(); ++size) read(bytes.substr(0, size));
  EXPECT_EQ(refusals, static_cast<int>(bytes.size()));
  std::mt19937 random(1);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    std::string damaged = bytes;
    damaged[k] = static_cast<char>(random());
    read(damaged);
  }
  EXPECT_GT(refusals, static_cast<int>(bytes.size()));  // impossible orders and counts of planes
}

TEST(Bonds, OfDamagedFramesAreRefused) {
  FrameLayout layout;
  layout.points_per_strand = {2};
  Snapshot snapshot = swinging_hair(layout, 0);
  snapshot.contacts.push_back(
      {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), 0, 0, ContactState::open, {}, 1});
  const LatticeFrame frame = to_lattice(layout, snapshot);
  ByteWriter out;
  put_contacts(out, 4, {&frame, 1});
  // u32 count, 15 blocks without planes, then one plane with 255: make it two planes, 255 and 1.
  ASSERT_EQ(out.bytes().size(), 4u + 15 + 2);
  std::string bytes = out.bytes() + '\1';
  bytes[4 + 15] = 2;
  ByteReader in(bytes);
  LatticeFrame found;
  EXPECT_NE(refusal([&] {
              get_contacts(in, 4, 1 << 20, {&found, 1});
            }).find("bond of 511, expected at most 255"),
            std::string::npos);
}

}  // namespace
}  // namespace capstan::record

// Run folders that were damaged, or made to harm: they are refused in words, and take no more memory than
// their bytes stand for.
#include "capstan/record/checkpoint.hpp"
#include "capstan/record/contact_codec.hpp"
#include "capstan/record/frame_file.hpp"
#include "capstan/record/frame_reader.hpp"
#include "capstan/record/manifest.hpp"
#include "capstan/record/statistics.hpp"
#include "record/support.hpp"

namespace capstan::record::test {
namespace {

namespace fs = std::filesystem;

/// Files that made Capstan 0.1 ask for gigabytes; they are not part of the source tree.
fs::path repro_folder() { return fs::path(CAPSTAN_SOURCE_DIR) / ".." / "shared" / "repro"; }

TEST(Damage, FramesThatClaimGigabytesAreRefused) {
  if (!fs::exists(repro_folder())) GTEST_SKIP() << "../shared/repro is not there";
  for (const char* name : {"frames_contacts0.bin", "frames_obstacles.bin", "frames_zstd15GB.bin"}) {
    const Scratch run;
    set_contents(frames_path(run.path()), contents(repro_folder() / name));
    EXPECT_NE(refusal([&] {
                FrameReader reader(run.path());
                for (int frame = 0; frame < reader.frames(); ++frame) reader.read(frame);
                throw InputError("");  // read whole: it has become harmless, which the test would miss
              }),
              "")
        << name;
  }
}

TEST(Damage, ACheckpointThatOverflowsTheHeapIsRefused) {
  if (!fs::exists(repro_folder())) GTEST_SKIP() << "../shared/repro is not there";
  EXPECT_NE(refusal([] { read_checkpoint(repro_folder() / "ckpt_heap_overflow.bin"); }), "");
}

TEST(Damage, ALayoutOfManyPointsInFewBytesIsRefused) {
  FrameLayout layout;
  layout.points_per_strand = {2};
  const std::vector<LatticeFrame> frames(12, to_lattice(layout, swinging_hair(layout, 0)));
  const std::string block = encode(layout, frames);
  EXPECT_EQ(decode(layout, 12, block).size(), 12u);
  FrameLayout large = layout;
  large.points_per_strand = {1 << 27};
  EXPECT_NE(refusal([&] { decode(large, 12, block); }).find("names frames of"), std::string::npos);
  large = layout;
  large.obstacles = 1 << 30;
  EXPECT_NE(refusal([&] { decode(large, 12, block); }).find("names frames of"), std::string::npos);
}

TEST(Damage, ManyContactsWithoutAByteOfTheirOwnAreRefused) {
  ByteWriter out;
  out.put<std::uint32_t>(1 << 25);
  for (int column = 0; column < 16; ++column) out.put<std::uint8_t>(0);
  LatticeFrame frame;
  ByteReader in(out.bytes());
  EXPECT_NE(refusal([&] {
              get_contacts(in, 4, unpacked_limit(out.bytes().size()), {&frame, 1});
            }).find("names 33554432 contacts, expected at most"),
            std::string::npos);
}

// 400 x 400 vertices at rest are the same numbers over and over: without its filling the block has a few
// kilobytes.
TEST(Damage, LargeClothThatLiesStillIsReadBack) {
  FrameLayout layout;
  layout.points_per_mesh = {160000};
  Snapshot flat;
  flat.mesh_points = Eigen::Matrix3Xd::Zero(3, 160000);
  const std::vector<LatticeFrame> frames(12, to_lattice(layout, flat));
  const std::string block = encode(layout, frames);
  EXPECT_GE(unpacked_limit(block.size()), 12u * 160000 * (3 * sizeof(double) + sizeof(float)));
  const std::vector<LatticeFrame> found = decode(layout, 12, block);
  ASSERT_EQ(found.size(), 12u);
  EXPECT_EQ(found.back().mesh_points, frames.back().mesh_points);
  EXPECT_NE(refusal([&] { decode(layout, 12, std::string_view(block).substr(0, 2000)); }), "");
}

TEST(Damage, FramesOfAnotherRunAreRefused) {
  const Scratch run;
  Manifest manifest;
  manifest.scene = "a.toml";
  manifest.layout.points_per_strand = {3};
  manifest.radii = {0.001};
  write_manifest(run.path(), manifest);
  FrameLayout other = manifest.layout;
  other.points_per_strand = {4};
  set_contents(frames_path(run.path()), layout_bytes(other));
  EXPECT_NE(refusal([&] { FrameReader(run.path(), read_manifest(run.path())); }).find("different runs"),
            std::string::npos);
  set_contents(frames_path(run.path()), layout_bytes(manifest.layout));
  EXPECT_EQ(FrameReader(run.path(), manifest).frames(), 0);
}

TEST(Damage, TimesThatAreNoNumbersEndTheFrames) {
  FrameLayout layout;
  layout.points_per_strand = {2};
  LatticeFrame frame = to_lattice(layout, swinging_hair(layout, 0));
  const std::uint32_t id = layout_id(layout);
  const std::string good = record_bytes(layout, id, 0, {&frame, 1});
  frame.t = std::numeric_limits<double>::quiet_NaN();
  const FrameScan scan = scan_records(good + record_bytes(layout, id, 1, {&frame, 1}), 0, layout, id, 0);
  EXPECT_EQ(scan.records.size(), 1u);
  EXPECT_NE(scan.problem.find("not finite"), std::string::npos) << scan.problem;
}

std::string with_rows(const std::string& rows) {
  return "step,t,dt,contacts,nu,sweeps,error,converged,seconds_detect,seconds_assemble,seconds_solve,seconds_"
         "advance,"
         "seconds_record,energy_kinetic,energy_elastic,energy_gravity,penetration,penetration_obstacle,"
         "penetration_ratio,crossings,status\n" +
         rows;
}

TEST(Damage, StatisticsWithNumbersThatMakeNoSenseAreRefused) {
  const std::string first = "1,0.01,0.01,3,0.75,4,1e-05,1,0,0,0,0,0,0.5,0,-1.25,0,0,0,0,converged\n";
  EXPECT_EQ(parse_statistics(with_rows(first), "s").steps.size(), 1u);
  const std::vector<std::pair<std::string, std::string>> rows{
      {"2,nan,0.01,3,0.75,4,1e-05,1,0,0,0,0,0,0.5,0,-1.25,0,0,0,0,converged\n", "t is nan, expected"},
      {"2,0.02,-0.01,3,0.75,4,1e-05,1,0,0,0,0,0,0.5,0,-1.25,0,0,0,0,converged\n", "dt is -0.01, expected"},
      {"2,0.02,0.01,-3,0.75,4,1e-05,1,0,0,0,0,0,0.5,0,-1.25,0,0,0,0,converged\n", "contacts is -3, expected"},
      {"2,0.02,0.01,3,0.75,4,inf,1,0,0,0,0,0,0.5,0,-1.25,0,0,0,0,converged\n", "error is inf, expected"},
      {"2,0.02,0.01,3,0.75,4,1e-05,1,0,0,-1,0,0,0.5,0,-1.25,0,0,0,0,converged\n", "seconds_solve is -1"},
      {"2,0.02,0.01,3,0.75,4,1e-05,1,0,0,0,0,0,1e308,0,-1.25,0,0,0,0,converged\n", "energy_kinetic is 1e308"},
      {"2,0.01,0.01,3,0.75,4,1e-05,1,0,0,0,0,0,0.5,0,-1.25,0,0,0,0,converged\n", "t is 0.01, expected later"},
      {"2,0.02,0.01,3,0.75,4,1e-05,1,0,0,0,0,0,0.5,0,-1.25,0,0,0,-2,converged\n", "crossings is -2"}};
  for (const auto& [row, complaint] : rows) {
    const std::string message = refusal([&] { parse_statistics(with_rows(first + row), "s"); });
    EXPECT_EQ(message.find("s:3: " + complaint), 0u) << message;
  }
  // Not recorded by the version that wrote it.
  const std::string older = "2,0.02,0.01,3,0.75,4,1e-05,1,0,0,0,0,0,0.5,0,-1.25,0,0,nan,-1,converged\n";
  EXPECT_EQ(parse_statistics(with_rows(first + older), "s").steps.size(), 2u);
}

TEST(Damage, AManifestOfListsWithinListsIsRefused) {
  const std::string open(100000, '['), close(100000, ']');
  EXPECT_NE(refusal([&] { parse_manifest("{\"obstacles\": " + open + close + "}", "m"); }).find("nested"),
            std::string::npos);
}

}  // namespace
}  // namespace capstan::record::test

// The same bytes and numbers that the viewer's decoder is tested with, made by a third decoder
// (viewer/test/make_vector.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "capstan/files/base64.hpp"
#include "capstan/record/frame_file.hpp"
#include "record/support.hpp"

namespace capstan::record {
namespace {

using Json = nlohmann::json;

std::string vector_path(const std::string& name) {
  return std::string(CAPSTAN_SOURCE_DIR) + "/viewer/test/vectors/" + name;
}

void expect_cone(const LatticeContact& found, const Json& wanted) {
  EXPECT_EQ(static_cast<int>(found.cone), wanted.at("known").get<int>());
  EXPECT_EQ(found.mu_t, wanted.at("mu")[0].get<int>());
  EXPECT_EQ(found.mu_b, wanted.at("mu")[1].get<int>());
  EXPECT_EQ(found.normal[0], wanted.at("normal")[0].get<int>());
  EXPECT_EQ(found.normal[1], wanted.at("normal")[1].get<int>());
  EXPECT_EQ(found.tangent, wanted.at("tangent").get<int>());
}

void expect_frame(const LatticeFrame& frame, const Json& wanted) {
  EXPECT_EQ(frame.t, wanted.at("time").get<double>());
  EXPECT_EQ(frame.points, wanted.at("points").get<std::vector<std::int32_t>>());
  const auto poses = wanted.at("poses").get<std::vector<double>>();
  ASSERT_EQ(12 * frame.obstacles.size(), poses.size());
  for (std::size_t k = 0; k < frame.obstacles.size(); ++k)
    for (int i = 0; i < 12; ++i)
      EXPECT_EQ(i < 3 ? frame.obstacles[k].x[i] : frame.obstacles[k].R.data()[i - 3], poses[12 * k + i]);
  ASSERT_EQ(frame.contacts.size(), wanted.at("contacts").size());
  for (std::size_t k = 0; k < frame.contacts.size(); ++k) {
    const LatticeContact& found = frame.contacts[k];
    const Json& contact = wanted.at("contacts")[k];
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(found.x[d], contact.at("x")[d].get<std::int32_t>());
      EXPECT_EQ(found.f[d], contact.at("f")[d].get<float>());
    }
    EXPECT_EQ(found.a, contact.at("a").get<int>());
    EXPECT_EQ(found.b, contact.at("b").get<int>());
    EXPECT_EQ(static_cast<int>(found.state), contact.at("state").get<int>());
    if (contact.contains("cone")) expect_cone(found, contact.at("cone"));
    EXPECT_EQ(int(found.beta), contact.value("beta", 0));
  }
  if (!wanted.contains("mesh_points")) return;
  EXPECT_EQ(frame.mesh_points, wanted.at("mesh_points").get<std::vector<std::int32_t>>());
  EXPECT_EQ(frame.mesh_values, wanted.at("mesh_values").get<std::vector<std::uint8_t>>());
}

/// Of cloth.json: two sheets that wave, a strand and an obstacle, and contacts with bonds that grow.
FrameLayout cloth_layout() {
  FrameLayout layout;
  layout.points_per_strand = {3};
  layout.points_per_mesh = {10, 3};
  layout.obstacles = 1;
  return layout;
}

Snapshot cloth_frame(int k) {
  Snapshot snapshot = test::swinging_hair(cloth_layout(), k);
  for (int c = 0; c < k % 4; ++c) {
    const double mu = 0.25 * (c + 1), beta = std::min(1.0, 0.05 * k * c);
    RecordedCone cone{mu, 0.5, RecordedCone::Axes{Eigen::Vector3d(0.1 * c, 0, 1), Eigen::Vector3d::UnitX()}};
    snapshot.contacts.push_back({snapshot.mesh_points.col(c), Eigen::Vector3d(0.1 * c, -0.02, 0.5),
                                 -2 - c % 2, -1, static_cast<ContactState>(c % 3),
                                 c % 2 ? std::optional(cone) : std::nullopt, beta});
  }
  return snapshot;
}

/// Returns the version of its frames.
int expect_vector(const std::string& name) {
  const std::string path = vector_path(name);
  const Json vector = Json::parse(testing_support::contents(path));
  const std::string file = files::from_base64(vector.at("frames_bin").get<std::string>());
  std::uint64_t start = 0;
  const FrameLayout layout = read_layout(file, path, start);
  EXPECT_EQ(layout.points_per_strand, vector.at("header").at("points_per_strand").get<std::vector<int>>());
  EXPECT_EQ(layout.points_per_mesh, vector.at("header").value("points_per_mesh", std::vector<int>()));
  EXPECT_EQ(layout.step, vector.at("header").at("step").get<double>());
  EXPECT_EQ(layout_id(layout), vector.at("header").at("id").get<std::uint32_t>());
  const FrameScan scan = scan_records(file, start, layout, layout_id(layout), 0);
  EXPECT_EQ(scan.problem, "");
  std::size_t frames = 0;
  for (const FrameRecord& record : scan.records)
    for (const LatticeFrame& frame :
         decode_record(layout, record, std::string_view(file).substr(record.offset, record.bytes)))
      expect_frame(frame, vector.at("frames").at(frames++));
  EXPECT_EQ(frames, vector.at("frames").size());
  EXPECT_GT(frames, 24u);  // more than one record
  return layout.version;
}

TEST(FrameVectors, AreReadAsByTheViewer) { EXPECT_EQ(expect_vector("cloth.json"), 4); }

TEST(FrameVectors, OfOlderRunsAreReadToo) {
  EXPECT_EQ(expect_vector("grain.json"), 3);
  EXPECT_EQ(expect_vector("ball_and_string.json"), 2);
}

TEST(FrameVectors, OfClothAreWhatWasWritten) {
  // cloth.json is 30 of cloth_frame, written by FrameWriter; sines of other machines may round differently.
  const Json frames = Json::parse(testing_support::contents(vector_path("cloth.json"))).at("frames");
  ASSERT_EQ(frames.size(), 30u);
  for (int k = 0; k < 30; ++k) {
    const LatticeFrame wanted = to_lattice(cloth_layout(), cloth_frame(k));
    const auto points = frames[k].at("mesh_points").get<std::vector<std::int32_t>>();
    const auto values = frames[k].at("mesh_values").get<std::vector<int>>();
    ASSERT_EQ(points.size(), wanted.mesh_points.size());
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(points[i], wanted.mesh_points[i], 1);
    ASSERT_EQ(values.size(), wanted.mesh_values.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], wanted.mesh_values[i], 1);
    ASSERT_EQ(frames[k].at("contacts").size(), wanted.contacts.size());
    for (std::size_t c = 0; c < wanted.contacts.size(); ++c)
      EXPECT_EQ(frames[k].at("contacts")[c].at("beta").get<int>(), wanted.contacts[c].beta);
  }
}

}  // namespace
}  // namespace capstan::record

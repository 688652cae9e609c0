// The structure of a .glb: chunks, accessors and what they point to. The Khronos validator reads it in
// viewer/test.
#include <cstring>
#include <nlohmann/json.hpp>

#include "export/support.hpp"

namespace capstan::exports::test {
namespace {

using nlohmann::json;

struct Glb {
  json description;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    const auto word = [&](std::size_t at) {
      std::uint32_t value;
      std::memcpy(&value, bytes.data() + at, 4);
      return value;
    };
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), bytes.size());
    const std::size_t length = word(12);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    description = json::parse(bytes.substr(20, length));
    EXPECT_EQ(word(20 + length), bytes.size() - 28 - length);
    binary = bytes.substr(28 + length);
  }
  std::vector<float> floats(int accessor) const {
    const json& a = description["accessors"][std::size_t(accessor)];
    const json& view = description["bufferViews"][a["bufferView"].get<std::size_t>()];
    std::vector<float> list(view["byteLength"].get<std::size_t>() / 4);
    std::memcpy(list.data(), binary.data() + view["byteOffset"].get<std::size_t>(), 4 * list.size());
    return list;
  }
  const json& node(const std::string& name) const {
    for (const json& n : description["nodes"])
      if (n["name"] == name) return n;
    throw InputError("no node " + name);
  }
  /// Times and values of the channel that moves a node.
  std::pair<std::vector<float>, std::vector<float>> channel(const std::string& name,
                                                            const std::string& path) const {
    const json& animation = description["animations"][0];
    for (const json& c : animation["channels"])
      if (description["nodes"][c["target"]["node"].get<std::size_t>()]["name"] == name &&
          c["target"]["path"] == path) {
        const json& sampler = animation["samplers"][c["sampler"].get<std::size_t>()];
        return {floats(sampler["input"]), floats(sampler["output"])};
      }
    return {};
  }
};

TEST(ExportGlb, TurnsTheAxesOnceAtTheTop) {
  const RecordedRun run(1);
  run.exported("glb", "a.glb");
  const Glb glb(contents(run.scratch / "a.glb"));
  const json q = glb.description["nodes"][0]["rotation"];
  const Eigen::Quaterniond turn(q[3].get<double>(), q[0].get<double>(), q[1].get<double>(),
                                q[2].get<double>());
  EXPECT_LT((turn * Eigen::Vector3d::UnitZ() - Eigen::Vector3d::UnitY()).norm(), 1e-12);
  EXPECT_EQ(glb.description["scenes"][0]["nodes"], json::array({0}));
  EXPECT_FALSE(glb.description.contains("animations"));
}

TEST(ExportGlb, MovesRigidBodiesAsRecorded) {
  const RecordedRun run;
  run.exported("glb", "a.glb");
  const Glb glb(contents(run.scratch / "a.glb"));
  const auto [times, places] = glb.channel("tetra", "translation");
  const auto turns = glb.channel("tetra", "rotation").second;
  ASSERT_EQ(places.size(), 15u);
  for (int k = 0; k < 5; ++k) {
    const capstan::Frame pose = run.snapshot(k).obstacles[6];
    const float* q = &turns[std::size_t(4 * k)];
    EXPECT_NEAR(times[std::size_t(k)], k / 25.0, 1e-7);
    for (int d = 0; d < 3; ++d) EXPECT_FLOAT_EQ(places[std::size_t(3 * k + d)], float(pose.x[d]));
    EXPECT_LT((Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix() - pose.R).norm(), 1e-6);
  }
}

TEST(ExportGlb, EqualShapesShareTheirNumbers) {
  const RecordedRun run(1);
  run.exported("glb", "a.glb");
  const Glb glb(contents(run.scratch / "a.glb"));
  std::vector<int> meshes;
  for (const json& node : glb.description["nodes"])
    if (node["name"] == "box") meshes.push_back(node["mesh"]);
  ASSERT_EQ(meshes.size(), 2u);
  EXPECT_EQ(meshes[0], meshes[1]);
}

TEST(ExportGlb, ShowsOneFrameOfAFlipBookAtATime) {
  const RecordedRun run;
  run.exported("glb", "a.glb", {0, 4, 2});
  const Glb glb(contents(run.scratch / "a.glb"));
  // Frames 0, 2 and 4, at 0, 0.08 and 0.16 s.
  for (const double t : {0.0, 0.05, 0.08, 0.12, 0.16, 1.0}) {
    int shown = 0;
    for (const char* name : {"frame_0", "frame_2", "frame_4"}) {
      const auto [times, scales] = glb.channel(name, "scale");
      std::size_t key = 0;
      while (key + 1 < times.size() && times[key + 1] <= float(t)) ++key;
      shown += int(scales[3 * key]);
    }
    EXPECT_EQ(shown, 1) << t;
  }
  EXPECT_EQ(glb.node("frame_0")["scale"][0], 1);
  EXPECT_EQ(glb.node("frame_2")["scale"][0], 0);
}

TEST(ExportGlb, PagesHoldStrandsAndSoftBodies) {
  const RecordedRun run;
  run.exported("glb", "a.glb");
  const Glb glb(contents(run.scratch / "a.glb"));
  const record::Snapshot snapshot = run.snapshot(3);
  const json& page = glb.description["meshes"][glb.node("frame_3")["mesh"].get<std::size_t>()]["primitives"];
  ASSERT_EQ(page.size(), 3u);
  EXPECT_EQ(page[0]["mode"], 1);
  const Eigen::Matrix3Xf strands = snapshot.points.cast<float>(), soft = snapshot.mesh_points.cast<float>();
  const auto points = glb.floats(page[0]["attributes"]["POSITION"]);
  EXPECT_EQ(Eigen::Map<const Eigen::Matrix3Xf>(points.data(), 3, 13), strands);
  // Of n points a strand has n - 1 pairs.
  EXPECT_EQ(glb.description["accessors"][page[0]["indices"].get<std::size_t>()]["count"], 2 * (3 + 2 + 5));
  const auto jelly = glb.floats(page[2]["attributes"]["POSITION"]);
  EXPECT_EQ(Eigen::Map<const Eigen::Matrix3Xf>(jelly.data(), 3, 4), soft.rightCols(4));
  for (const char* bound : {"min", "max"}) {
    const Eigen::Vector3f mine = std::string(bound) == "min" ? strands.rowwise().minCoeff().eval()
                                                             : strands.rowwise().maxCoeff().eval();
    for (int d = 0; d < 3; ++d)
      EXPECT_EQ(glb.description["accessors"][page[0]["attributes"]["POSITION"].get<std::size_t>()][bound]
                               [std::size_t(d)],
                double(mine[d]));
  }
}

}  // namespace
}  // namespace capstan::exports::test

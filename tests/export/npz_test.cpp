// The .npz against the recording, bit by bit, read by a few lines of our own.
#include <cstring>
#include <map>

#include "capstan/record/durable_file.hpp"
#include "export/support.hpp"

namespace capstan::exports::test {
namespace {

struct Array {
  std::string type, shape, bytes;
  template <typename Number>
  std::vector<Number> values() const {
    std::vector<Number> list(bytes.size() / sizeof(Number));
    std::memcpy(list.data(), bytes.data(), bytes.size());
    return list;
  }
};

template <typename Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t start = text.find(before) + before.size();
  return text.substr(start, text.find(after, start) - start);
}

/// By the list at the end of the archive, as readers of zip do it.
std::map<std::string, Array> arrays_in(const std::string& bytes) {
  std::map<std::string, Array> arrays;
  const std::size_t end = bytes.size() - 22;
  EXPECT_EQ(number_at<std::uint32_t>(bytes, end), 0x06054b50u);
  std::size_t at = number_at<std::uint32_t>(bytes, end + 16);
  for (int k = 0; k < number_at<std::uint16_t>(bytes, end + 10); ++k) {
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at), 0x02014b50u);
    const auto size = number_at<std::uint32_t>(bytes, at + 24),
               place = number_at<std::uint32_t>(bytes, at + 42);
    const auto name_size = number_at<std::uint16_t>(bytes, at + 28);
    const std::string name = bytes.substr(at + 46, name_size),
                      data = bytes.substr(place + 30 + name_size, size);
    EXPECT_EQ(number_at<std::uint32_t>(bytes, at + 16), record::checksum(data)) << name;
    EXPECT_EQ(bytes.substr(place + 14, 12), bytes.substr(at + 16, 12)) << name;  // both headers agree
    EXPECT_EQ(data.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8)) << name;
    const std::size_t begin = 10u + number_at<std::uint16_t>(data, 8);
    EXPECT_EQ(begin % 64, 0u) << name;
    const std::string header = data.substr(10, begin - 10);
    arrays[name.substr(0, name.size() - 4)] = {between(header, "'descr': '", "'"),
                                               between(header, "'shape': (", ")"), data.substr(begin)};
    at += 46u + name_size;
  }
  EXPECT_EQ(at, end);
  return arrays;
}

TEST(ExportNpz, HoldsTheRecordingToTheLastBit) {
  const RecordedRun run;
  run.exported("npz", "a.npz", {1, 4, 1});
  std::map<std::string, Array> arrays = arrays_in(contents(run.scratch / "a.npz"));
  EXPECT_EQ(arrays.at("strand_points").shape, "4,13,3,");
  EXPECT_EQ(arrays.at("strand_points").type, "<f8");
  EXPECT_EQ(arrays.at("frame").values<std::int32_t>(), (std::vector<std::int32_t>{1, 2, 3, 4}));
  const auto t = arrays.at("t").values<double>(), points = arrays.at("strand_points").values<double>(),
             soft = arrays.at("mesh_points").values<double>(),
             strain = arrays.at("mesh_strain").values<double>(),
             places = arrays.at("solid_position").values<double>(),
             turns = arrays.at("solid_rotation").values<double>();
  for (int k = 0; k < 4; ++k) {
    const record::Snapshot snapshot = run.snapshot(k + 1);
    EXPECT_EQ(t[std::size_t(k)], snapshot.t);
    EXPECT_EQ(Eigen::Map<const Eigen::Matrix3Xd>(&points[std::size_t(39 * k)], 3, 13), snapshot.points);
    EXPECT_EQ(Eigen::Map<const Eigen::Matrix3Xd>(&soft[std::size_t(42 * k)], 3, 14), snapshot.mesh_points);
    EXPECT_EQ(Eigen::Map<const Eigen::VectorXd>(&strain[std::size_t(14 * k)], 14).cast<float>(),
              snapshot.mesh_values);
    for (std::size_t s = 0; s < 7; ++s) {
      const std::size_t at = 7 * std::size_t(k) + s;
      EXPECT_EQ(Eigen::Map<const Eigen::Vector3d>(&places[3 * at]), snapshot.obstacles[s].x);
      EXPECT_EQ(Eigen::Map<const Eigen::Matrix3d>(&turns[9 * at]).transpose(), snapshot.obstacles[s].R);
    }
  }
}

TEST(ExportNpz, HasContactsOfAllFramesInARow) {
  const RecordedRun run;
  run.exported("npz", "a.npz");
  std::map<std::string, Array> arrays = arrays_in(contents(run.scratch / "a.npz"));
  // Frames 1 and 3 have one and three contacts.
  EXPECT_EQ(arrays.at("contact_offsets").values<std::int32_t>(),
            (std::vector<std::int32_t>{0, 0, 1, 1, 4, 4}));
  const auto force = arrays.at("contact_force").values<double>(),
             mu = arrays.at("contact_mu").values<double>();
  const auto bodies = arrays.at("contact_bodies").values<std::int32_t>();
  const auto state = arrays.at("contact_state").values<std::int32_t>();
  const record::Snapshot snapshot = run.snapshot(3);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(Eigen::Map<const Eigen::Vector3d>(&force[3 * (c + 1)]), snapshot.contacts[c].f);
    EXPECT_EQ(bodies[2 * (c + 1)], snapshot.contacts[c].a);
    EXPECT_EQ(bodies[2 * (c + 1) + 1], snapshot.contacts[c].b);
    EXPECT_EQ(state[c + 1], int(snapshot.contacts[c].state));
    EXPECT_EQ(mu[2 * (c + 1)], 0.5);
    EXPECT_EQ(mu[2 * (c + 1) + 1], 0.25);
  }
}

TEST(ExportNpz, NamesAndTrianglesFitTheirBodies) {
  const RecordedRun run(1);
  run.exported("npz", "a.npz");
  std::map<std::string, Array> arrays = arrays_in(contents(run.scratch / "a.npz"));
  EXPECT_EQ(arrays.at("mesh_name").type, "|S5");
  EXPECT_EQ(arrays.at("mesh_name").bytes, "clothjelly");
  EXPECT_EQ(arrays.at("solid_name").type, "|S9");
  // The triangles of the second mesh count on from the vertices of the first.
  EXPECT_EQ(arrays.at("mesh_triangles").values<std::int32_t>(),
            (std::vector<std::int32_t>{0, 1, 5, 1, 6, 5, 10, 12, 11, 10, 11, 13, 10, 13, 12, 11, 12, 13}));
  EXPECT_EQ(arrays.at("mesh_triangle_offsets").values<std::int32_t>(), (std::vector<std::int32_t>{0, 2, 6}));
}

}  // namespace
}  // namespace capstan::exports::test

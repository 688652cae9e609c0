#include "capstan/files/hair.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

/// Bytes of a file, little-endian, written by hand from the description of the format.
class Bytes {
 public:
  Bytes& text(const std::string& value) {
    bytes_ += value;
    return *this;
  }
  Bytes& u16(unsigned value) { return little_endian(value, 2); }
  Bytes& u32(unsigned value) { return little_endian(value, 4); }
  Bytes& f32(float value) { return little_endian(std::bit_cast<unsigned>(value), 4); }
  const std::string& str() const { return bytes_; }

 private:
  Bytes& little_endian(unsigned value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += char(value >> (8 * i) & 255);
    return *this;
  }
  std::string bytes_;
};

Bytes header(unsigned strands, unsigned points, unsigned flags, unsigned segments) {
  Bytes bytes;
  bytes.text("HAIR").u32(strands).u32(points).u32(flags).u32(segments);
  bytes.f32(0.5f).f32(0).f32(1).f32(1).f32(1);
  return bytes.text("made by a test" + std::string(74, '\0'));
}

/// Two strands of 2 and 3 points, with thickness.
Bytes two_strands() {
  Bytes bytes = header(2, 5, 1 | 2 | 4, 0);
  bytes.u16(1).u16(2);
  for (int i = 0; i < 15; ++i) bytes.f32(float(i));
  for (int i = 0; i < 5; ++i) bytes.f32(0.25f * float(i));
  return bytes;
}

std::string hair_refusal(const std::string& bytes) {
  try {
    parse_hair(bytes, "x.hair");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HairFile, ReadsStrandsOfDifferentLengths) {
  const HairFile file = parse_hair(two_strands().str(), "x.hair");
  ASSERT_EQ(file.strands.size(), 2u);
  ASSERT_EQ(file.strands[0].size(), 2u);
  ASSERT_EQ(file.strands[1].size(), 3u);
  EXPECT_EQ(file.strands[0][1], Eigen::Vector3d(3, 4, 5));
  EXPECT_EQ(file.strands[1][0], Eigen::Vector3d(6, 7, 8));
  EXPECT_EQ(file.strands[1][2], Eigen::Vector3d(12, 13, 14));
  EXPECT_EQ(file.thickness[1], (std::vector<double>{0.5, 0.75, 1}));
  EXPECT_EQ(file.default_thickness, 0.5);
  EXPECT_EQ(file.information, "made by a test");
}

TEST(HairFile, ReadsStrandsThatAreAllAlikeAndSkipsColours) {
  Bytes bytes = header(2, 4, 2 | 8 | 16, 1);
  for (int i = 0; i < 12 + 4 + 12; ++i) bytes.f32(float(i));
  const HairFile file = parse_hair(bytes.str(), "x.hair");
  ASSERT_EQ(file.strands.size(), 2u);
  EXPECT_EQ(file.strands[1][1], Eigen::Vector3d(9, 10, 11));
  EXPECT_TRUE(file.thickness.empty());
}

TEST(HairFile, RefusesEveryTruncation) {
  const std::string bytes = two_strands().str();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(hair_refusal(bytes.substr(0, size)), "accepted") << size;
  EXPECT_NE(hair_refusal(bytes + "x"), "accepted");
}

TEST(HairFile, SaysWhatIsWrong) {
  EXPECT_EQ(hair_refusal("HAIRY"), "x.hair: byte 4: the file ends here, expected 4 more bytes");
  EXPECT_NE(hair_refusal("WIG!").find("does not begin with 'HAIR'"), std::string::npos);
  EXPECT_NE(hair_refusal(header(0, 0, 64, 0).str()).find("flags are 64"), std::string::npos);
  EXPECT_NE(hair_refusal(header(0, 0, 1, 0).str()).find("has no points"), std::string::npos);
  Bytes sum = header(1, 3, 1 | 2, 0);
  sum.u16(1);
  for (int i = 0; i < 9; ++i) sum.f32(0);
  EXPECT_NE(hair_refusal(sum.str()).find("have 2 points together, expected 3"), std::string::npos);
}

TEST(HairFile, RefusesHugeCountsWithoutAskingForMemory) {
  EXPECT_NE(hair_refusal(header(4294967295u, 0, 2, 4294967295u).str()), "accepted");
  EXPECT_NE(hair_refusal(header(4294967295u, 4294967295u, 2, 0).str()), "accepted");
}

TEST(HairFile, RefusesCoordinatesThatAreNotFinite) {
  Bytes bytes = header(1, 2, 2, 1);
  for (int i = 0; i < 5; ++i) bytes.f32(0);
  bytes.f32(std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(hair_refusal(bytes.str()), "x.hair: byte 140: a coordinate is not finite");
}

TEST(HairFile, ReadsBackWhatIsWritten) {
  HairFile file;
  file.strands = {{{0, 0, 0}, {0.5, 1, 2}}, {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
  file.thickness = {{0.25, 0.5}, {1, 2, 3}};
  file.default_thickness = 0.125;
  file.information = "made by a test";
  const HairFile read = parse_hair(hair_bytes(file), "x.hair");
  EXPECT_EQ(read.strands, file.strands);
  EXPECT_EQ(read.thickness, file.thickness);
  EXPECT_EQ(read.default_thickness, 0.125);
  EXPECT_EQ(read.information, "made by a test");
  file.thickness.clear();
  EXPECT_TRUE(parse_hair(hair_bytes(file), "x.hair").thickness.empty());
}

TEST(HairFile, RefusesToWriteWhatTheFormatCannotHold) {
  HairFile file;
  file.strands = {std::vector<Eigen::Vector3d>(65537, Eigen::Vector3d::Zero())};
  EXPECT_THROW(hair_bytes(file), InputError);
  file.strands[0].pop_back();
  EXPECT_NO_THROW(hair_bytes(file));
  file.thickness = {{1, 2}};
  EXPECT_THROW(hair_bytes(file), InputError);
  file.thickness.clear();
  file.information = std::string(89, 'x');
  EXPECT_THROW(hair_bytes(file), InputError);
}

}  // namespace
}  // namespace capstan

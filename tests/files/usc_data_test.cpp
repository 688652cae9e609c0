#include "capstan/files/usc_data.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

std::string u32(unsigned value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += char(value >> (8 * i) & 255);
  return bytes;
}
std::string f32(float value) { return u32(std::bit_cast<unsigned>(value)); }
std::string points(int count, float first) {
  std::string bytes;
  for (int i = 0; i < 3 * count; ++i) bytes += f32(first + float(i));
  return bytes;
}

std::string usc_refusal(const std::string& bytes) {
  try {
    parse_usc_data(bytes, "x.data");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kFile = u32(3) + u32(2) + points(2, 0) + u32(1) + points(1, 50) + u32(3) + points(3, 100);

TEST(UscData, ReadsStrandsAndLeavesOutBaldRoots) {
  const auto strands = parse_usc_data(kFile, "x.data");
  ASSERT_EQ(strands.size(), 2u);
  ASSERT_EQ(strands[0].size(), 2u);
  ASSERT_EQ(strands[1].size(), 3u);
  EXPECT_EQ(strands[0][1], Eigen::Vector3d(3, 4, 5));
  EXPECT_EQ(strands[1][2], Eigen::Vector3d(106, 107, 108));
}

TEST(UscData, RefusesEveryTruncationAndWhatIsLeftOver) {
  for (std::size_t size = 0; size < kFile.size(); ++size)
    EXPECT_NE(usc_refusal(kFile.substr(0, size)), "accepted") << size;
  EXPECT_EQ(usc_refusal(kFile + "more"), "x.data: byte 88: 4 bytes are left over");
}

TEST(UscData, SaysWhatIsWrong) {
  EXPECT_EQ(usc_refusal(u32(0xffffffffu)), "x.data: byte 4: the number of strands is -1");
  EXPECT_EQ(usc_refusal(u32(1) + u32(0)),
            "x.data: byte 8: strand 0 has 0 vertices, expected 1 or more that the file holds");
  EXPECT_EQ(usc_refusal(u32(1) + u32(1000000)),
            "x.data: byte 8: strand 0 has 1000000 vertices, expected 1 or more that the file holds");
  EXPECT_EQ(usc_refusal(u32(1) + u32(1) + f32(0) + f32(std::numeric_limits<float>::infinity()) + f32(0)),
            "x.data: byte 8: a coordinate is not finite");
}

}  // namespace
}  // namespace capstan

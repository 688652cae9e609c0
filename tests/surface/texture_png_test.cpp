#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstdio>

#include "capstan/errors.hpp"
#include "capstan/surface/texture_field.hpp"
#include "support/scratch.hpp"

namespace capstan {
namespace {

using Eigen::Vector2d;
using testing_support::Scratch;

/// `gamma` puts a gAMA chunk into the file; `bytes` as many a pixel as type and depth have.
void write_png(const std::filesystem::path& path, int width, int height, int color_type,
               std::vector<png_byte> bytes, double gamma = 0, int depth = 8) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, width, height, depth, color_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (gamma > 0) png_set_gAMA(png, info, gamma);
  png_color palette[2] = {{255, 128, 0}, {0, 255, 0}};
  if (color_type == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 2);
  png_write_info(png, info);
  for (int row = 0; row < height; ++row) png_write_row(png, bytes.data() + row * (bytes.size() / height));
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

std::string png_complaint(const std::filesystem::path& path) {
  try {
    read_structure_png(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_direction(const Vector2d& s, const Vector2d& expected) {
  EXPECT_NEAR(s.norm(), 1, 1e-14);
  EXPECT_NEAR(std::abs(s.dot(expected.normalized())), 1, 1e-14);
}

TEST(StructurePng, WhatIsPaintedIsRead) {
  const Scratch scratch;
  const std::vector<png_byte> rgb{255, 255, 0, 0, 255, 0, 255, 191, 0, 127, 128, 0};
  for (const double gamma : {0.0, 1.0}) {  // a file that says it is linear: the bytes count all the same
    write_png(scratch / "grain.png", 2, 2, PNG_COLOR_TYPE_RGB, rgb, gamma);
    const StructureTexture t = read_structure_png(scratch / "grain.png");
    EXPECT_EQ(t.width(), 2);
    EXPECT_EQ(t.height(), 2);
    expect_direction(t.at(0.25, 0.75), {1, 1});
    expect_direction(t.at(0.75, 0.75), {-1, 1});
    expect_direction(t.at(0.25, 0.25), {1, 127.0 / 255});
    EXPECT_EQ(t.at(0.75, 0.25), Vector2d(0, 0));
  }
}

TEST(StructurePng, AlphaIsIgnoredPalettesAndSixteenBitsAreRead) {
  const Scratch scratch;
  write_png(scratch / "alpha.png", 2, 1, PNG_COLOR_TYPE_RGBA, {255, 255, 0, 3, 0, 255, 0, 255});
  expect_direction(read_structure_png(scratch / "alpha.png").at(0.25, 0.5), {1, 1});
  expect_direction(read_structure_png(scratch / "alpha.png").at(0.75, 0.5), {-1, 1});
  write_png(scratch / "deep.png", 1, 1, PNG_COLOR_TYPE_RGB, {255, 40, 191, 3, 0, 0}, 0,
            16);  // high byte first
  expect_direction(read_structure_png(scratch / "deep.png").at(0.5, 0.5), {1, 127.0 / 255});
  write_png(scratch / "palette.png", 2, 1, PNG_COLOR_TYPE_PALETTE, {1, 0});
  expect_direction(read_structure_png(scratch / "palette.png").at(0.25, 0.5), {-1, 1});
}

TEST(StructurePng, ComplaintsNameTheFileAndWhatIsWrong) {
  const Scratch scratch;
  const auto name = [&](const char* file) { return (scratch / file).string(); };
  EXPECT_EQ(png_complaint(scratch / "absent.png"), name("absent.png") + ": cannot be opened");
  testing_support::set_contents(scratch / "text.png", "this is not a picture");
  EXPECT_EQ(png_complaint(scratch / "text.png"), name("text.png") + ": not a PNG");
  testing_support::set_contents(scratch / "empty.png", "");
  EXPECT_EQ(png_complaint(scratch / "empty.png"), name("empty.png") + ": the file is empty, expected a PNG");
  write_png(scratch / "gray.png", 1, 1, PNG_COLOR_TYPE_GRAY, {200});
  EXPECT_EQ(png_complaint(scratch / "gray.png"),
            name("gray.png") + ": a PNG without colour, expected red and green for the direction");
  write_png(scratch / "gray_alpha.png", 1, 1, PNG_COLOR_TYPE_GRAY_ALPHA, {200, 255});
  EXPECT_NE(png_complaint(scratch / "gray_alpha.png").find("without colour"), std::string::npos);
  write_png(scratch / "good.png", 1, 1, PNG_COLOR_TYPE_RGB, {255, 128, 0});
  EXPECT_EQ(png_complaint(scratch / "good.png"), "");
  const std::string bytes = testing_support::contents(scratch / "good.png");
  for (std::size_t size = 8; size + 12 < bytes.size(); ++size) {  // cut anywhere before the last chunk
    testing_support::set_contents(scratch / "cut.png", bytes.substr(0, size));
    EXPECT_EQ(png_complaint(scratch / "cut.png").find(name("cut.png") + ": broken PNG: "), 0u) << size;
  }
}

/// The file with another width in its header, under a checksum that fits.
std::string with_width(std::string bytes, png_uint_32 width) {
  for (int k = 0; k < 4; ++k) bytes[16 + k] = static_cast<char>(width >> (24 - 8 * k));
  png_uint_32 crc = 0xffffffffu;  // of the type and the data of IHDR, as PNG defines it
  for (std::size_t k = 12; k < 29; ++k) {
    crc ^= static_cast<unsigned char>(bytes[k]);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  for (int k = 0; k < 4; ++k) bytes[29 + k] = static_cast<char>(~crc >> (24 - 8 * k));
  return bytes;
}

TEST(StructurePng, ASizeOfZeroAndAnAbsurdOneAreRefused) {
  const Scratch scratch;
  const std::filesystem::path path = scratch / "size.png";
  write_png(path, 1, 1, PNG_COLOR_TYPE_RGB, {255, 128, 0});
  const std::string bytes = testing_support::contents(path);
  testing_support::set_contents(path, with_width(bytes, 1));
  EXPECT_EQ(png_complaint(path), "");
  testing_support::set_contents(path, with_width(bytes, 0));
  EXPECT_EQ(png_complaint(path).find(path.string() + ": broken PNG: "), 0u);
  testing_support::set_contents(path, with_width(bytes, 900000));
  EXPECT_EQ(png_complaint(path),
            path.string() + ": 900000 x 1 pixels, expected at most 16384 in a row or column");
}

TEST(StructurePng, AWrongByteIsReadOrRefusedButDoesNoHarm) {
  const Scratch scratch;
  const std::filesystem::path path = scratch / "wrong.png";
  write_png(path, 4, 3, PNG_COLOR_TYPE_RGB, std::vector<png_byte>(36, 200));
  const std::string bytes = testing_support::contents(path);
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (const int mask : {0x01, 0x80, 0xff}) {
      std::string wrong = bytes;
      wrong[k] = static_cast<char>(wrong[k] ^ mask);
      testing_support::set_contents(path, wrong);
      const std::string answer = png_complaint(path);
      if (!answer.empty()) {
        EXPECT_EQ(answer.find(path.string()), 0u);
      }
    }
}

}  // namespace
}  // namespace capstan

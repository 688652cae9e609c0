#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <fstream>
#include <iterator>
#include <string>

#include "capstan/errors.hpp"
#include "capstan/surface/texture_field.hpp"

namespace capstan {
namespace {

// libpng's simplified interface would correct for gamma, which directions must not be; so this is the long
// one. It leaves by longjmp, past destructors: functions that call it between setjmp and the end own nothing.

constexpr std::size_t kLargestSide = 16384;  // pixels; a few bytes can claim a picture that no memory holds

constexpr std::size_t kAlwaysAllowed = std::size_t(3) << 24;  // bytes of pixels: 4,096 x 4,096
constexpr std::size_t kAllowedPerByte = 64;                   // of the file

struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view bytes;  // not read yet
  std::string complaint;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp message) {
  static_cast<PngReader*>(png_get_error_ptr(png))->complaint = message;
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

void on_read(png_structp png, png_bytep data, std::size_t count) {
  auto& reader = *static_cast<PngReader*>(png_get_io_ptr(png));
  if (count > reader.bytes.size()) png_error(png, "the file ends too early");
  reader.bytes.copy(reinterpret_cast<char*>(data), count);
  reader.bytes.remove_prefix(count);
}

/// False, with the complaint, if libpng gave up.
bool read_header(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_set_read_fn(reader.png, &reader, on_read);
  png_read_info(reader.png, reader.info);
  return true;
}

/// Whatever the file has becomes three bytes a pixel.
bool ask_for_rgb(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_set_palette_to_rgb(reader.png);
  png_set_strip_16(reader.png);
  png_set_strip_alpha(reader.png);
  png_set_interlace_handling(reader.png);
  png_read_update_info(reader.png, reader.info);
  return true;
}

bool read_row(PngReader& reader, png_bytep row) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_row(reader.png, row, nullptr);
  return true;
}

bool read_rows(PngReader& reader, png_bytep* rows) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_image(reader.png, rows);
  return true;
}

bool read_end(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_end(reader.png, nullptr);
  return true;
}

void check_signature(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) throw InputError(name + ": the file is empty, expected a PNG");
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0)
    throw InputError(name + ": not a PNG");
}

void check_size(std::size_t width, std::size_t height, std::size_t file_bytes, const std::string& name) {
  const std::string pixels = name + ": " + std::to_string(width) + " x " + std::to_string(height) + " pixels";
  if (width > kLargestSide || height > kLargestSide)
    throw InputError(pixels + ", expected at most " + std::to_string(kLargestSide) + " in a row or column");
  if (3 * width * height > std::max(kAlwaysAllowed, kAllowedPerByte * file_bytes))
    throw InputError(pixels + " in " + std::to_string(file_bytes) +
                     " bytes, expected at most 4096 x 4096, or a byte of the file for each 21 pixels");
}

/// Memory grows with the rows that are really there, except where the file is interlaced.
std::vector<std::uint8_t> read_pixels(PngReader& reader, std::size_t width, std::size_t height,
                                      const std::string& name) {
  const auto fail = [&] { throw InputError(name + ": broken PNG: " + reader.complaint); };
  if (!ask_for_rgb(reader)) fail();
  const std::size_t row_bytes = 3 * width;
  std::vector<std::uint8_t> rgb;
  if (png_get_interlace_type(reader.png, reader.info) == PNG_INTERLACE_NONE) {
    for (std::size_t k = 0; k < height; ++k) {
      rgb.resize((k + 1) * row_bytes);
      if (!read_row(reader, rgb.data() + k * row_bytes)) fail();
    }
  } else {
    rgb.resize(height * row_bytes);
    std::vector<png_bytep> rows(height);
    for (std::size_t k = 0; k < height; ++k) rows[k] = rgb.data() + k * row_bytes;
    if (!read_rows(reader, rows.data())) fail();
  }
  if (!read_end(reader)) fail();
  return rgb;
}

}  // namespace

StructureTexture read_structure_png(const std::filesystem::path& path, TextureWrap wrap, double dead_zone) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string() + ": cannot be opened");
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return parse_structure_png(bytes, path.string(), wrap, dead_zone);
}

StructureTexture parse_structure_png(std::string_view bytes, const std::string& name, TextureWrap wrap,
                                     double dead_zone) {
  check_signature(bytes, name);
  PngReader reader;
  reader.bytes = bytes;
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  reader.info = png_create_info_struct(reader.png);
  if (!read_header(reader)) throw InputError(name + ": broken PNG: " + reader.complaint);
  if (!(png_get_color_type(reader.png, reader.info) & PNG_COLOR_MASK_COLOR))
    throw InputError(name + ": a PNG without colour, expected red and green for the direction");
  const std::size_t width = png_get_image_width(reader.png, reader.info);
  const std::size_t height = png_get_image_height(reader.png, reader.info);
  check_size(width, height, bytes.size(), name);
  std::vector<std::uint8_t> rgb = read_pixels(reader, width, height, name);
  return StructureTexture(static_cast<int>(width), static_cast<int>(height), std::move(rgb), wrap, dead_zone);
}

}  // namespace capstan

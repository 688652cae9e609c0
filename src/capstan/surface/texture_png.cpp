#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <memory>
#include <string>

#include "capstan/errors.hpp"
#include "capstan/surface/texture_field.hpp"

namespace capstan {
namespace {

// libpng's simplified interface would correct for gamma, which directions must not be; so this is the long
// one. It leaves by longjmp, past destructors: functions that call it between setjmp and the end own nothing.

constexpr int kLargestSide = 16384;  // pixels; a few bytes can claim a picture that no memory holds

struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string complaint;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

void on_error(png_structp png, png_const_charp message) {
  static_cast<PngReader*>(png_get_error_ptr(png))->complaint = message;
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

/// False, with the complaint, if libpng gave up.
bool read_header(PngReader& reader, std::FILE* file) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_init_io(reader.png, file);
  png_set_sig_bytes(reader.png, 8);
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

bool read_rows(PngReader& reader, png_bytep* rows) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

void check_signature(std::FILE* file, const std::string& name) {
  png_byte signature[8];
  const std::size_t read = std::fread(signature, 1, 8, file);
  if (read == 0) throw InputError(name + ": the file is empty, expected a PNG");
  if (read < 8 || png_sig_cmp(signature, 0, 8) != 0) throw InputError(name + ": not a PNG");
}

std::vector<std::uint8_t> read_pixels(PngReader& reader, int width, int height, const std::string& name) {
  const auto fail = [&] { throw InputError(name + ": broken PNG: " + reader.complaint); };
  if (!ask_for_rgb(reader)) fail();
  std::vector<std::uint8_t> rgb(3 * std::size_t(width) * std::size_t(height));
  std::vector<png_bytep> rows(height);
  for (int k = 0; k < height; ++k) rows[k] = rgb.data() + 3 * std::size_t(width) * std::size_t(k);
  if (!read_rows(reader, rows.data())) fail();
  return rgb;
}

}  // namespace

StructureTexture read_structure_png(const std::filesystem::path& path, TextureWrap wrap, double dead_zone) {
  const std::string name = path.string();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(name.c_str(), "rb"), &std::fclose);
  if (!file) throw InputError(name + ": cannot be opened");
  check_signature(file.get(), name);
  PngReader reader;
  reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
  reader.info = png_create_info_struct(reader.png);
  if (!read_header(reader, file.get())) throw InputError(name + ": broken PNG: " + reader.complaint);
  if (!(png_get_color_type(reader.png, reader.info) & PNG_COLOR_MASK_COLOR))
    throw InputError(name + ": a PNG without colour, expected red and green for the direction");
  const int width = static_cast<int>(png_get_image_width(reader.png, reader.info));
  const int height = static_cast<int>(png_get_image_height(reader.png, reader.info));
  if (width > kLargestSide || height > kLargestSide)
    throw InputError(name + ": " + std::to_string(width) + " x " + std::to_string(height) +
                     " pixels, expected at most " + std::to_string(kLargestSide) + " in a row or column");
  std::vector<std::uint8_t> rgb = read_pixels(reader, width, height, name);
  return StructureTexture(width, height, std::move(rgb), wrap, dead_zone);
}

}  // namespace capstan

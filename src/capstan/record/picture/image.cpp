#include "capstan/record/picture/image.hpp"

#include <png.h>

#include "capstan/errors.hpp"

namespace capstan::record {

std::string png_bytes(const Image& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(header), '\0');
  png_alloc_size_t size = bytes.size();
  if (!png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
    throw InputError(std::string("picture: libpng cannot write it: ") + header.message);
  bytes.resize(size);
  return bytes;
}

}  // namespace capstan::record

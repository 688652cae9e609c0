#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace capstan::record {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< rows from the top, sRGB
};

/// The file. The same image gives the same bytes.
std::string png_bytes(const Image& image);

}  // namespace capstan::record

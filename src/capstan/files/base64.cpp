#include "capstan/files/base64.hpp"

#include "capstan/errors.hpp"

namespace capstan::files {
namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
    };
    const unsigned group = at(0) << 16 | at(1) << 8 | at(2);
    for (unsigned k = 0; k < 4; ++k)
      text += i + k <= bytes.size() ? kBase64Digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned bits = 0, count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const std::size_t digit = kBase64Digits.find(c);
    if (digit == std::string_view::npos)
      throw InputError("base64: has the character '" + std::string(1, c) + "'");
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  if (base64(bytes) != text) throw InputError("base64: is cut off");
  return bytes;
}

}  // namespace capstan::files

#include "capstan/files/byte_reader.hpp"

#include <cmath>

#include "capstan/errors.hpp"

namespace capstan::files {

void ByteReader::fail(const std::string& message) const {
  throw InputError(name_ + ": byte " + std::to_string(at_) + ": " + message);
}

std::string_view ByteReader::take(std::size_t count) {
  if (count > left()) fail("the file ends here, expected " + std::to_string(count) + " more bytes");
  at_ += count;
  return bytes_.substr(at_ - count, count);
}

std::uint64_t ByteReader::little_endian(std::size_t count) {
  std::uint64_t value = 0;
  const std::string_view bytes = take(count);
  for (std::size_t i = count; i-- > 0;) value = value << 8 | std::uint8_t(bytes[i]);
  return value;
}

Eigen::Vector3d ByteReader::point() {
  const std::size_t start = at_;
  const double x = f32(), y = f32(), z = f32();
  if (std::isfinite(x) && std::isfinite(y) && std::isfinite(z)) return {x, y, z};
  at_ = start;
  fail("a coordinate is not finite");
}

}  // namespace capstan::files

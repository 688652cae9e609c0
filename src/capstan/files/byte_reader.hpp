#pragma once
#include <Eigen/Core>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace capstan::files {

/// Little-endian numbers out of bytes, on any machine. Throws InputError "name: byte N: ..." past the end.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  std::uint16_t u16() { return std::uint16_t(little_endian(2)); }
  std::uint32_t u32() { return std::uint32_t(little_endian(4)); }
  std::int32_t i32() { return std::bit_cast<std::int32_t>(u32()); }
  float f32() { return std::bit_cast<float>(u32()); }
  /// Three f32; they must be finite.
  Eigen::Vector3d point();
  std::string_view text(std::size_t count) { return take(count); }

  std::size_t position() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  std::uint64_t little_endian(std::size_t count);
  std::string_view take(std::size_t count);

  std::string_view bytes_;
  std::string name_;
  std::size_t at_ = 0;
};

}  // namespace capstan::files

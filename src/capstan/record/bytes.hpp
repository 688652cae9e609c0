#pragma once
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "capstan/errors.hpp"

namespace capstan::record {

static_assert(std::endian::native == std::endian::little, "the files of a run are little-endian");

/// Numbers one after the other, without padding.
class ByteWriter {
 public:
  template <typename T>
  void put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
  }
  void append(std::string_view bytes) { bytes_ += bytes; }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// The same numbers back; InputError at the end of the bytes.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw InputError("frame: a block ends too early");
    const std::string_view result = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return result;
  }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

}  // namespace capstan::record

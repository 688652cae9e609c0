#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace capstan::exports {

/// A new file, written from its start to its end. Failures are InputErrors with its name.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  void write(std::string_view bytes);
  /// Over what is there already, at a place from the start.
  void rewrite(std::uint64_t place, std::string_view bytes);
  std::uint64_t size() const { return size_; }
  /// Must be called: only then is it certain that all bytes are there.
  void close();

 private:
  void check() const;

  std::filesystem::path path_;
  std::ofstream file_;
  std::uint64_t size_ = 0;
};

/// The shortest texts that read back to the same 32-bit float, or double.
void put_float(std::string& text, double value);
void put_double(std::string& text, double value);
void put_integer(std::string& text, std::int64_t value);

/// The bytes of numbers, little-endian as the machine has them.
template <typename List>
std::string_view bytes_of(const List& list) {
  return {reinterpret_cast<const char*>(list.data()),
          static_cast<std::size_t>(list.size()) * sizeof(*list.data())};
}

}  // namespace capstan::exports

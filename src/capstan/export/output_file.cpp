#include "capstan/export/output_file.hpp"

#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "capstan/errors.hpp"

namespace capstan::exports {

static_assert(std::endian::native == std::endian::little, "the formats are little-endian");

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), file_(path, std::ios::binary | std::ios::trunc) {
  check();
}

void OutputFile::check() const {
  if (!file_) throw InputError(path_.string() + ": cannot be written: " + std::strerror(errno));
}

void OutputFile::write(std::string_view bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  check();
  size_ += bytes.size();
}

void OutputFile::rewrite(std::uint64_t place, std::string_view bytes) {
  file_.seekp(static_cast<std::streamoff>(place));
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file_.seekp(0, std::ios::end);
  check();
}

void OutputFile::close() {
  file_.close();
  check();
}

namespace {

template <typename Number>
void put_number(std::string& text, Number value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

void put_float(std::string& text, double value) { put_number(text, static_cast<float>(value)); }
void put_double(std::string& text, double value) { put_number(text, value); }
void put_integer(std::string& text, std::int64_t value) { put_number(text, value); }

}  // namespace capstan::exports

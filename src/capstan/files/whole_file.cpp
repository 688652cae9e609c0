#include "capstan/files/whole_file.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "capstan/errors.hpp"

namespace capstan::files {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::filesystem::path& path, const char* verb, const char* reason) {
  throw InputError(path.string() + ": cannot be " + verb + ": " + reason);
}

/// Unique among processes and among the threads of this one.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  std::filesystem::path result = path;
  result += ".part-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  return result;
}

/// nullptr if all went well, else the reason.
const char* try_to_write(const std::filesystem::path& path, std::string_view bytes) {
  File file(std::fopen(path.c_str(), "wbx"));
  if (!file) return std::strerror(errno);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return std::strerror(errno);
  if (std::fclose(file.release()) != 0) return std::strerror(errno);
  return nullptr;
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail(path, "read", "it is a directory");
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(path, "read", std::strerror(errno));
  // The size is a hint only: a pipe has none, and a file may grow while it is read.
  const auto hint = std::filesystem::file_size(path, error);
  std::string bytes(error ? 0 : static_cast<std::size_t>(hint), '\0');
  std::size_t count = std::fread(bytes.data(), 1, bytes.size(), file.get());
  for (char buffer[65536]; std::size_t more = std::fread(buffer, 1, sizeof buffer, file.get()); count += more)
    bytes.replace(count, bytes.size() - count, buffer, more);
  if (std::ferror(file.get())) fail(path, "read", std::strerror(errno));
  bytes.resize(count);
  return bytes;
}

void write_whole_file(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path temporary = temporary_beside(path);
  std::error_code error, ignored;
  if (const char* reason = try_to_write(temporary, bytes)) {
    const std::string kept = reason;  // removing may change what strerror points to
    std::filesystem::remove(temporary, ignored);
    fail(path, "written", kept.c_str());
  }
  std::filesystem::rename(temporary, path, error);
  if (!error) return;
  std::filesystem::remove(temporary, ignored);
  fail(path, "written", error.message().c_str());
}

}  // namespace capstan::files

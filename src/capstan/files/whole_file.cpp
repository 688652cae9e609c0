#include "capstan/files/whole_file.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>
#include <vector>

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

constexpr const char* kTemporary = ".part-";

/// The process that made a temporary file, from what follows kTemporary in its name; 0: it is none.
pid_t owner_of(std::string_view ending) {
  pid_t owner = 0;
  unsigned number = 0;
  const char* const last = ending.data() + ending.size();
  const auto [dash, error] = std::from_chars(ending.data(), last, owner);
  if (error != std::errc() || dash == last || *dash != '-') return 0;
  const auto [end, second] = std::from_chars(dash + 1, last, number);
  return second == std::errc() && end == last && owner > 0 ? owner : 0;
}

bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }

/// nullptr if all went well, else the reason.
const char* try_to_write(const std::filesystem::path& path, std::string_view bytes) {
  File file(std::fopen(path.c_str(), "wbx"));
  if (!file) return std::strerror(errno);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) return std::strerror(errno);
  if (std::fclose(file.release()) != 0) return std::strerror(errno);
  return nullptr;
}

}  // namespace

void make_folders(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(folder, "made a folder", error.message().c_str());
}

void make_folders_for(const std::filesystem::path& file) {
  if (file.has_parent_path()) make_folders(file.parent_path());
}

std::filesystem::path temporary_for(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  std::filesystem::path result = path;
  result += kTemporary + std::to_string(::getpid()) + "-" + std::to_string(count++);
  return result;
}

void remove_abandoned(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const std::string start = path.filename().string() + kTemporary;
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(start)) continue;
    const pid_t owner = owner_of(std::string_view(name).substr(start.size()));
    if (owner > 0 && is_gone(owner)) found.push_back(it->path());
  }
  for (const std::filesystem::path& left : found) std::filesystem::remove_all(left, error);
}

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
  remove_abandoned(path);
  const std::filesystem::path temporary = temporary_for(path);
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

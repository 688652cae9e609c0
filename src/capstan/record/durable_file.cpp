#include "capstan/record/durable_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "capstan/errors.hpp"

namespace capstan::record {
namespace {

constexpr const char* kTemporary = ".part-";

[[noreturn]] void fail(const std::filesystem::path& path, const char* verb, int error) {
  throw InputError(path.string() + ": cannot be " + verb + ": " + std::strerror(error));
}

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags) : value_(::open(path.c_str(), flags, 0644)) {
    if (value_ < 0) fail(path, "opened", errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(value_); }
  operator int() const { return value_; }

 private:
  int value_;
};

/// 0, or the error number.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

/// A rename is on the disk only when its folder is.
void sync_folder(const std::filesystem::path& folder) {
  const Descriptor descriptor(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
  if (::fsync(descriptor) != 0 && errno != EINVAL) fail(folder, "written", errno);
}

}  // namespace

void write_durably(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path temporary = path;
  temporary += kTemporary + std::to_string(::getpid());
  int error = 0;
  {
    const Descriptor file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    error = write_all(file, bytes);
    if (error == 0 && ::fsync(file) != 0) error = errno;
  }
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, "written", error);
  }
  sync_folder(path.parent_path());
}

void remove_temporary_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().find(kTemporary) != std::string::npos) found.push_back(entry.path());
  for (const auto& path : found) std::filesystem::remove(path);
}

FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(folder, "opened", errno);
  // A process that was killed while it read a checkpoint leaves a child that has the folder open for a
  // moment.
  constexpr int kTries = 20;
  int error = 0;
  for (int k = 0; k < kTries; ++k) {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    error = errno;
    if (error != EWOULDBLOCK && error != EINTR) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  ::close(descriptor_);
  if (error == EWOULDBLOCK) throw InputError(folder.string() + ": another process is writing this run");
  fail(folder, "locked", error);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile::AppendFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail(path_, "opened", errno);
  struct stat status;
  if (::fstat(descriptor_, &status) == 0) size_ = static_cast<std::uint64_t>(status.st_size);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void AppendFile::append(std::string_view bytes) {
  if (const int error = write_all(descriptor_, bytes)) {
    // A torn record in the middle would hide all that follow it. If this fails too, the reader drops the
    // rest.
    [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, static_cast<off_t>(size_));
    fail(path_, "written", error);
  }
  size_ += bytes.size();
}

void AppendFile::truncate(std::uint64_t size) {
  if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail(path_, "truncated", errno);
  size_ = size;
}

void AppendFile::sync() {
  if (::fdatasync(descriptor_) != 0) fail(path_, "brought to the disk", errno);
}

std::uint32_t checksum(std::string_view bytes, std::uint32_t start) {
  if (bytes.empty()) return start;  // zlib takes a null pointer for the wish to start anew
  return static_cast<std::uint32_t>(
      ::crc32_z(start, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

}  // namespace capstan::record

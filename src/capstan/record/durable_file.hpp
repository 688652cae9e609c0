#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// Files that survive a process that is killed. All failures are InputErrors `path: cannot be ...: reason`.
namespace capstan::record {

/// Replaces a file as a whole: written beside it under a temporary name, brought to the disk, renamed.
/// Whoever looks sees the old file or the new one, after a power cut too.
void write_durably(const std::filesystem::path& path, std::string_view bytes);

/// Removes what an interrupted write_durably left in a folder.
void remove_temporary_files(const std::filesystem::path& folder);

/// While it lives, no other process can have one for the same folder; ends with the process, however it ends.
class FolderLock {
 public:
  /// InputError if another process writes there.
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  int descriptor_ = -1;
};

/// An open file that only grows at its end. After append() has returned the bytes are the operating system's:
/// a kill of this process cannot lose them. After sync() a power cut cannot either.
class AppendFile {
 public:
  /// Opens an existing file or makes an empty one.
  explicit AppendFile(std::filesystem::path path);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;
  ~AppendFile();

  /// All or nothing, unless the process dies in between: a failure takes back what was written of it.
  void append(std::string_view bytes);
  void truncate(std::uint64_t size);
  void sync();
  std::uint64_t size() const { return size_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// CRC-32 of ISO 3309, as zlib and PNG compute it: finds every damage within 32 neighbouring bits.
std::uint32_t checksum(std::string_view bytes, std::uint32_t start = 0);

}  // namespace capstan::record

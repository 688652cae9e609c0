#include "capstan/serve/run_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan::serve {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string read_at(int fd, std::size_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const ssize_t more = ::pread(fd, bytes.data() + got, count - got, static_cast<off_t>(offset + got));
    if (more <= 0) break;
    got += static_cast<std::size_t>(more);
  }
  bytes.resize(got);
  return bytes;
}

std::string type_of(const std::string& file) {
  if (file.ends_with(".json")) return "application/json";
  if (file.ends_with(".csv")) return "text/csv; charset=utf-8";
  if (file.ends_with(".toml")) return "text/plain; charset=utf-8";
  return "application/octet-stream";
}

/// As the manifest names it; a damaged manifest names none, and the page tells what is wrong with it.
std::string scene_file(const std::filesystem::path& folder) {
  const auto manifest =
      nlohmann::json::parse(files::read_whole_file(folder / "manifest.json"), nullptr, false);
  if (!manifest.is_object() || !manifest.contains("scene") || !manifest["scene"].is_string()) return "";
  const std::string name = manifest["scene"];
  return name.ends_with(".toml") && name.find('/') == std::string::npos ? name : "";
}

}  // namespace

RunFiles::RunFiles(const std::filesystem::path& folder)
    : known_({"manifest.json", "frames.bin", "frames.journal", "stats.csv"}) {
  if (!std::filesystem::is_directory(folder))
    throw InputError(folder.string() + ": is not a folder, expected one that 'capstan run' has made");
  if (!std::filesystem::exists(folder / "manifest.json"))
    throw InputError(folder.string() +
                     ": has no manifest.json, expected a folder that 'capstan run' has made");
  const auto whole = std::filesystem::weakly_canonical(folder);
  name_ = (whole.has_filename() ? whole : whole.parent_path()).filename().string();
  if (const std::string scene = scene_file(folder); !scene.empty()) known_.push_back(scene);
  folder_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0) throw InputError(folder.string() + ": cannot be opened");
}

RunFiles::~RunFiles() {
  if (folder_ >= 0) ::close(folder_);
}

RunFiles::RunFiles(RunFiles&& other) noexcept
    : name_(std::move(other.name_)),
      known_(std::move(other.known_)),
      folder_(std::exchange(other.folder_, -1)) {}

std::unique_ptr<Readable> RunFiles::open(const std::string& file) const {
  if (std::find(known_.begin(), known_.end(), file) == known_.end()) return nullptr;
  const auto opened = std::make_shared<Descriptor>(
      ::openat(folder_, file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat about {};
  if (opened->get() < 0 || ::fstat(opened->get(), &about) != 0 || !S_ISREG(about.st_mode)) return nullptr;
  return std::make_unique<Readable>(Readable{
      type_of(file), static_cast<std::size_t>(about.st_size),
      [opened](std::size_t offset, std::size_t count) { return read_at(opened->get(), offset, count); }});
}

}  // namespace capstan::serve

#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace capstan::testing_support {

/// All bytes of a file; none where there is no file.
inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

inline void set_contents(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// A folder of its own for each test, removed at its end.
class Scratch {
 public:
  Scratch() {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  int files() const {
    const std::filesystem::directory_iterator begin(path_);
    return static_cast<int>(std::distance(begin, std::filesystem::directory_iterator()));
  }

 private:
  static std::string unique() {
    static int count = 0;
    return "capstan-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  }
  std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) / unique();
};

}  // namespace capstan::testing_support

#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "capstan/serve/loopback_server.hpp"

namespace capstan::serve {

/// The files of a run that the viewer reads, by name: no others, no folders, no links.
class RunFiles {
 public:
  /// InputError if there is no such folder or it holds no manifest.
  explicit RunFiles(const std::filesystem::path& folder);
  ~RunFiles();
  RunFiles(RunFiles&&) noexcept;

  const std::string& name() const { return name_; }  ///< of the folder
  const std::vector<std::string>& known() const { return known_; }
  std::unique_ptr<Readable> open(const std::string& file) const;  ///< empty: not one of them, or not there

 private:
  std::string name_;
  std::vector<std::string> known_;
  int folder_ = -1;
};

}  // namespace capstan::serve

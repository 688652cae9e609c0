#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "capstan/export/footage.hpp"

namespace capstan::exports {

struct ExportFormat {
  std::string name;     ///< as `--to` has it
  std::string ending;   ///< of its files, with the dot
  bool series = false;  ///< a folder with a file a frame; else one file
  std::string holds;    ///< what it shows, for help
  std::string opens;    ///< programs that open it, for help
};
const std::vector<ExportFormat>& export_formats();

/// Where an export goes if nobody says: NAME.usda, or the folder NAME_vtp.
std::filesystem::path default_output(const Footage& footage, const ExportFormat& format);

struct ExportOptions {
  std::filesystem::path output;
  bool overwrite = false;                     ///< what is there already
  std::function<void(double)> progress = {};  ///< 0 to 1; may throw to stop
};

struct ExportReport {
  std::vector<std::filesystem::path> files;  ///< one, or two; of a series the folder
  int frames = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> left_out;  ///< what the run has and the format has no words for
};

/// Everything is written under another name and renamed at the end: whatever fails, the output is either
/// whole or what it was before.
ExportReport export_run(Footage& footage, const ExportFormat& format, const ExportOptions& options);

}  // namespace capstan::exports

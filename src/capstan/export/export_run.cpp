#include "capstan/export/export_run.hpp"

#include <algorithm>
#include <cstdio>

#include "capstan/errors.hpp"
#include "capstan/export/formats.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan::exports {
namespace {

namespace fs = std::filesystem;

/// A format with its writer and what it can show.
struct Entry {
  ExportFormat format;
  void (*write)(Footage&, const fs::path&, const ProgressCall&);
  bool bodies, contacts;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> known{
      {{"usd", ".usda", false, "everything, animated", "Blender, Houdini, Maya, Omniverse, Unreal"},
       write_usd,
       true,
       true},
      {{"glb", ".glb", false, "all bodies, animated", "the web, Blender, previews"}, write_glb, true, false},
      {{"vtp", ".vtp", true, "everything", "ParaView"}, write_vtp, true, true},
      {{"vtkhdf", ".vtkhdf", false, "everything", "ParaView from 5.12 on"}, write_vtkhdf, true, true},
      {{"hair", ".hair", true, "strands", "what reads Cem Yuksel's hair models"}, write_hair, false, false},
      {{"obj", ".obj", true, "all bodies", "everything, one frame at a time"}, write_obj, true, false},
      {{"npz", ".npz", false, "everything, as numbers", "numpy"}, write_npz, true, true}};
  return known;
}

const Entry& entry_of(const ExportFormat& format) {
  return *std::find_if(entries().begin(), entries().end(),
                       [&](const Entry& entry) { return entry.format.name == format.name; });
}

/// A folder next to the output for what is not finished, gone when this is.
class Draft {
 public:
  explicit Draft(const fs::path& output) : path_(files::temporary_for(output)) {
    files::remove_abandoned(output);
    std::error_code error;
    if (!output.parent_path().empty()) fs::create_directories(output.parent_path(), error);
    if (!error) fs::create_directory(path_, error);
    if (error) throw InputError(output.string() + ": cannot be written: " + error.message());
  }
  ~Draft() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void check_output(const fs::path& output, const ExportFormat& format, bool overwrite) {
  const std::string name = output.string();
  if (output.filename().empty()) throw InputError("-o: is '" + name + "', expected a name");
  if (!format.series && output.extension() != format.ending)
    throw InputError("-o: is '" + name + "', expected a name that ends in " + format.ending);
  if (!fs::exists(output)) return;
  if (!overwrite) throw InputError(name + ": is there already, expected a new name, or --overwrite");
  if (fs::is_directory(output) != format.series)
    throw InputError(name + ": is " + (format.series ? "a file" : "a folder") + ", expected a " +
                     (format.series ? "folder" : "file") + " to overwrite");
}

/// Of a series that is overwritten nothing but such a series may be in the folder.
void check_folder(const fs::path& output, const ExportFormat& format) {
  if (!format.series || !fs::exists(output)) return;
  for (const auto& entry : fs::directory_iterator(output))
    if (entry.path().extension() != format.ending && entry.path().extension() != ".pvd")
      throw InputError(entry.path().string() + ": is no file of this export; " + output.string() +
                       " is not overwritten");
}

void move_into_place(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (fs::is_directory(to)) fs::remove_all(to, error);
  if (!error) fs::rename(from, to, error);
  if (error) throw InputError(to.string() + ": cannot be written: " + error.message());
}

/// Of a file format: the file under the wanted name; a second one, NAME_contacts, goes beside it.
fs::path target_of(const fs::path& file, const Footage& footage, const fs::path& output) {
  const std::string rest = file.filename().string().substr(footage.name().size());
  return output.parent_path() / (output.stem().string() + rest);
}

std::vector<std::string> left_out_of(const Entry& entry, const Footage& footage) {
  std::vector<std::string> left_out;
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) left_out.push_back(std::to_string(count) + " " + what);
  };
  if (!entry.bodies) {
    add(footage.solids().size(), "obstacles and rigid bodies");
    add(footage.manifest().meshes.size(), "soft bodies");
  }
  if (!entry.contacts && footage.survey().has_contacts) left_out.push_back("contacts");
  return left_out;
}

}  // namespace

const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> formats = [] {
    std::vector<ExportFormat> all;
    for (const Entry& entry : entries()) all.push_back(entry.format);
    return all;
  }();
  return formats;
}

fs::path default_output(const Footage& footage, const ExportFormat& format) {
  return footage.name() + (format.series ? "_" + format.name : format.ending);
}

std::string series_name(const Footage& footage, int k, const std::string& ending, const std::string& what) {
  char digits[16];
  std::snprintf(digits, sizeof digits, "_%06d", footage.number(k));
  return footage.name() + what + digits + ending;
}

ExportReport export_run(Footage& footage, const ExportFormat& format, const ExportOptions& options) {
  const fs::path output = fs::path(options.output).lexically_normal();
  check_output(output, format, options.overwrite);
  check_folder(output, format);
  const Entry& entry = entry_of(format);
  const Draft draft(output);
  entry.write(footage, draft.path(), options.progress);

  ExportReport report;
  report.frames = footage.frames();
  report.left_out = left_out_of(entry, footage);
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(draft.path())) {
    report.bytes += file.file_size();
    files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  if (format.series) {
    move_into_place(draft.path(), output);
    report.files = {output};
    return report;
  }
  for (const fs::path& file : files) {
    report.files.push_back(target_of(file, footage, output));
    check_output(report.files.back(), format, options.overwrite);
  }
  for (std::size_t k = 0; k < files.size(); ++k) move_into_place(files[k], report.files[k]);
  return report;
}

}  // namespace capstan::exports

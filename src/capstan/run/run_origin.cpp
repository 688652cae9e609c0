#include "capstan/run/run_origin.hpp"

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/durable_file.hpp"

namespace capstan {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kSignature = "run/fingerprint";

/// Length and FNV-1a hash of the bytes: finds changes that are made by accident or by hand.
std::string fingerprint(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  char text[48];
  std::snprintf(text, sizeof text, "%zu-%016llx", bytes.size(), static_cast<unsigned long long>(hash));
  return text;
}

fs::path origin_path(const fs::path& run) { return run / "origin.json"; }

/// The files that a scene names.
std::vector<fs::path> files_of(const Scene& scene) {
  std::vector<fs::path> files;
  const auto add = [&](const auto& named) {
    for (const auto& one : named) {
      if (!one.file.empty()) files.push_back(one.file);
      if constexpr (requires { one.structure; })
        if (one.structure && !one.structure->file.empty()) files.push_back(one.structure->file);
    }
  };
  add(scene.obstacles);
  add(scene.rigid);
  add(scene.cloth);
  add(scene.soft);
  add(scene.grooms);
  return files;
}

Json json_of(const RunOrigin& origin) {
  Json overrides = Json::array();
  for (const Override& change : origin.overrides)
    overrides.push_back({{"path", change.path}, {"value", change.value}});
  return {{"folder", origin.folder.string()},
          {"overrides", overrides},
          {"scene_fingerprint", origin.scene},
          {"files", origin.files}};
}

/// Does not depend on where the scene lies.
std::vector<int> signature_of(const RunOrigin& origin) {
  std::string all = origin.scene;
  for (const Override& change : origin.overrides) all += "\n" + change.path + "=" + change.value;
  for (const auto& [path, print] : origin.files) all += "\n" + print;
  const std::string print = fingerprint(all);
  return {print.begin(), print.end()};
}

}  // namespace

RunOrigin origin_of(const std::string& text, const fs::path& folder, const std::vector<Override>& overrides,
                    const Scene& scene) {
  RunOrigin origin{folder, overrides, fingerprint(text), {}};
  for (const fs::path& file : files_of(scene))
    origin.files[file.string()] = fingerprint(files::read_whole_file(file));
  return origin;
}

void write_origin(const fs::path& run, const RunOrigin& origin) {
  record::write_durably(origin_path(run), json_of(origin).dump(2) + "\n");
}

RunOrigin read_origin(const fs::path& run) {
  try {
    const Json json = Json::parse(files::read_whole_file(origin_path(run)));
    RunOrigin origin{json.at("folder").get<std::string>(), {}, json.value("scene_fingerprint", ""), {}};
    for (const Json& change : json.at("overrides"))
      origin.overrides.push_back(
          {change.at("path").get<std::string>(), change.at("value").get<std::string>()});
    if (json.contains("files")) json.at("files").get_to(origin.files);
    return origin;
  } catch (const Json::exception& error) {
    throw InputError(origin_path(run).string() + ": is not whole, so the run cannot be resumed (" +
                     error.what() + "); start it again with --overwrite");
  }
}

void check_unchanged(const RunOrigin& origin, const fs::path& copy, const std::string& text) {
  if (origin.scene.empty()) return;
  if (fingerprint(text) != origin.scene)
    throw InputError(
        copy.string() +
        ": was changed after the run began; a resumed run needs the scene as it was: put the old "
        "text back, or start again with --overwrite");
  for (const auto& [path, print] : origin.files)
    if (fingerprint(files::read_whole_file(path)) != print)
      throw InputError(path +
                       ": was changed after the run began; a resumed run needs the file as it was: put it "
                       "back, or start again with --overwrite");
}

void sign(record::Checkpoint& checkpoint, const RunOrigin& origin) {
  if (!origin.scene.empty()) checkpoint.integers[kSignature] = signature_of(origin);
}

bool belongs_to(const record::Checkpoint& checkpoint, const RunOrigin& origin) {
  const auto found = checkpoint.integers.find(kSignature);
  return found == checkpoint.integers.end() || origin.scene.empty() || found->second == signature_of(origin);
}

}  // namespace capstan

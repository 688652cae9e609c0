#include "capstan/record/manifest.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/durable_file.hpp"

namespace capstan::record {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "capstan run";
constexpr int kManifestVersion = 1;
constexpr int kDeepestList = 64;          // lists within lists: writing them is recursive
constexpr double kLargestNumber = 1e100;  // of any number, so that arithmetic with it stays finite

[[noreturn]] void refuse(const std::string& what) { throw InputError("manifest: " + what); }

Json obstacle_json(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) refuse("an obstacle is described by '" + text + "', expected a JSON object");
  if (json.contains("name") && !json.at("name").is_string())
    refuse("the name of an obstacle is " + json.at("name").dump() + ", expected a text");
  return json;
}

Json chunk_json(const FrameRecord& chunk) {
  return {{"offset", chunk.offset}, {"bytes", chunk.bytes}, {"first", chunk.first}, {"times", chunk.times}};
}

Json meshes_json(const Manifest& manifest) {
  Json meshes = Json::array();
  for (std::size_t k = 0; k < manifest.meshes.size(); ++k)
    meshes.push_back(Json::parse(mesh_json(manifest.meshes[k], manifest.layout.points_per_mesh[k])));
  return meshes;
}

Json end_json(const Overlap& end) {
  return {{"penetration", end.penetration},
          {"penetration_obstacle", end.obstacle_penetration},
          {"penetration_ratio", end.penetration_ratio}};
}

Overlap end_from_json(const Json& json) {
  return {json.at("penetration").get<double>(), json.at("penetration_obstacle").get<double>(),
          json.at("penetration_ratio").get<double>()};
}

Json to_json(const Manifest& manifest) {
  Json obstacles = Json::array(), chunks = Json::array();
  for (const std::string& text : manifest.obstacles) obstacles.push_back(obstacle_json(text));
  for (const FrameRecord& chunk : manifest.chunks) chunks.push_back(chunk_json(chunk));
  Json json = {{"format", kFormat},
               {"version", kManifestVersion},
               {"scene", manifest.scene},
               {"finished", manifest.finished},
               {"fps", manifest.fps},
               {"dofs", manifest.dofs},
               {"tolerance", manifest.tolerance},
               {"friction", manifest.friction},
               {"points_per_strand", manifest.layout.points_per_strand},
               {"radii", manifest.radii},
               {"obstacles", obstacles},
               {"meshes", meshes_json(manifest)},
               {"frames",
                {{"file", "frames.bin"},
                 {"version", manifest.layout.version},
                 {"written", manifest.frames},
                 {"step", manifest.layout.step},
                 {"per_chunk", manifest.layout.frames_per_chunk},
                 {"chunks", chunks}}}};
  if (manifest.end) json["end"] = end_json(*manifest.end);
  return json;
}

Json parse_bounded(const std::string& text) {
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > kDeepestList) refuse("lists are nested more than " + std::to_string(kDeepestList) + " deep");
    return true;
  });
}

Manifest from_json(const Json& json) {
  if (json.at("format") != kFormat) refuse("format is not '" + std::string(kFormat) + "'");
  if (json.at("version") != kManifestVersion)
    refuse("version is " + json.at("version").dump() + ", expected " + std::to_string(kManifestVersion));
  Manifest manifest;
  json.at("scene").get_to(manifest.scene);
  json.at("finished").get_to(manifest.finished);
  json.at("fps").get_to(manifest.fps);
  json.at("dofs").get_to(manifest.dofs);
  json.at("tolerance").get_to(manifest.tolerance);
  json.at("friction").get_to(manifest.friction);
  json.at("points_per_strand").get_to(manifest.layout.points_per_strand);
  json.at("radii").get_to(manifest.radii);
  for (const Json& obstacle : json.at("obstacles")) manifest.obstacles.push_back(obstacle.dump());
  manifest.layout.obstacles = static_cast<int>(manifest.obstacles.size());
  for (const Json& mesh : json.value("meshes", Json::array()))  // none before version 4 of the frames
    manifest.meshes.push_back(mesh_from_json(mesh.dump(), manifest.layout.points_per_mesh.emplace_back()));
  if (json.contains("end")) manifest.end = end_from_json(json.at("end"));
  const Json& frames = json.at("frames");
  manifest.layout.version = frames.value("version", kOldestFrames);
  frames.at("written").get_to(manifest.frames);
  frames.at("step").get_to(manifest.layout.step);
  frames.at("per_chunk").get_to(manifest.layout.frames_per_chunk);
  for (const Json& chunk : frames.at("chunks"))
    manifest.chunks.push_back({chunk.at("offset").get<std::uint64_t>(),
                               chunk.at("bytes").get<std::uint64_t>(), chunk.at("first").get<int>(),
                               chunk.at("times").get<std::vector<double>>()});
  return manifest;
}

/// The ratio may be NaN: not recorded.
void check_end(const Overlap& end) {
  for (const double overlap : {end.penetration, end.obstacle_penetration})
    if (!(std::abs(overlap) <= kLargestNumber))
      refuse("an overlap at the end is " + std::to_string(overlap) + ", expected a finite number");
}

}  // namespace

void check(const Manifest& manifest) {
  record::check(manifest.layout);
  if (manifest.scene.empty() || std::filesystem::path(manifest.scene).filename() != manifest.scene)
    refuse("scene is '" + manifest.scene + "', expected a file name without folders");
  for (const char* taken : {"manifest.json", "frames.bin", "frames.journal", "stats.csv", "checkpoints"})
    if (manifest.scene == taken)
      refuse("scene is '" + manifest.scene + "', a name that the run needs itself");
  if (manifest.radii.size() != manifest.layout.points_per_strand.size())
    refuse("has " + std::to_string(manifest.radii.size()) + " radii, expected one for each of the " +
           std::to_string(manifest.layout.strands()) + " strands");
  for (const double radius : manifest.radii)
    if (!(radius > 0) || !std::isfinite(radius))
      refuse("a radius is " + std::to_string(radius) + ", expected a positive number");
  if (manifest.obstacles.size() != static_cast<std::size_t>(manifest.layout.obstacles))
    refuse("describes " + std::to_string(manifest.obstacles.size()) + " obstacles, expected " +
           std::to_string(manifest.layout.obstacles));
  for (const std::string& text : manifest.obstacles) obstacle_json(text);
  if (manifest.meshes.size() != manifest.layout.points_per_mesh.size())
    refuse("describes " + std::to_string(manifest.meshes.size()) + " meshes, expected " +
           std::to_string(manifest.layout.meshes()));
  for (std::size_t k = 0; k < manifest.meshes.size(); ++k)
    record::check(manifest.meshes[k], manifest.layout.points_per_mesh[k]);
  if (!(manifest.fps > 0) || !(manifest.fps <= kLargestNumber))
    refuse("fps is " + std::to_string(manifest.fps) + ", expected a positive number");
  if (!(manifest.tolerance >= 0) || !(manifest.tolerance <= kLargestNumber))
    refuse("tolerance is " + std::to_string(manifest.tolerance) + ", expected a number >= 0");
  if (manifest.dofs < 0) refuse("dofs is " + std::to_string(manifest.dofs) + ", expected >= 0");
  if (manifest.end) check_end(*manifest.end);
}

std::filesystem::path manifest_path(const std::filesystem::path& run) { return run / "manifest.json"; }

void write_manifest(const std::filesystem::path& run, const Manifest& manifest) {
  check(manifest);
  write_durably(manifest_path(run), to_json(manifest).dump(1) + "\n");
}

Manifest read_manifest(const std::filesystem::path& run) {
  const std::string name = manifest_path(run).string();
  return parse_manifest(files::read_whole_file(name), name);
}

Manifest parse_manifest(const std::string& text, const std::string& name) {
  try {
    const Manifest manifest = from_json(parse_bounded(text));
    check(manifest);
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(name + ": is not the manifest of a run: " + error.what());
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
}

}  // namespace capstan::record

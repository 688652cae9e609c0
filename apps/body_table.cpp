#include "apps/body_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "capstan/body/rotation.hpp"
#include "capstan/record/frame_reader.hpp"
#include "capstan/record/manifest.hpp"

namespace capstan::app {
namespace {

/// A text as CSV has it, in quotes.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

std::vector<std::string> names_of_solids(const record::Manifest& manifest) {
  std::vector<std::string> names;
  for (const std::string& solid : manifest.obstacles)
    names.push_back(quoted(nlohmann::json::parse(solid).value("name", std::to_string(names.size()))));
  return names;
}

}  // namespace

std::string body_table(const std::string& run) {
  const record::Manifest manifest = record::read_manifest(run);
  const std::vector<std::string> names = names_of_solids(manifest);
  if (names.empty()) return "";
  record::FrameReader reader(run, manifest);
  std::string table = "t,name,x,y,z,rx,ry,rz\n";
  for (int frame = 0; frame < reader.frames(); ++frame) {
    const record::Snapshot snapshot = reader.read(frame);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Eigen::Vector3d &x = snapshot.obstacles[k].x, turn = rotation_log(snapshot.obstacles[k].R);
      table += fmt::format("{:.6g},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", snapshot.t, names[k],
                           x[0], x[1], x[2], turn[0], turn[1], turn[2]);
    }
  }
  return table;
}

}  // namespace capstan::app

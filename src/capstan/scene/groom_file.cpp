#include "capstan/errors.hpp"
#include "capstan/files/hair.hpp"
#include "capstan/files/obj.hpp"
#include "capstan/files/usc_data.hpp"
#include "capstan/files/usd_curves.hpp"
#include "capstan/scene/growing.hpp"
#include "capstan/scene/solids.hpp"

namespace capstan::scene_text {
namespace {

std::vector<Polyline> lines_in_obj(const std::filesystem::path& file) {
  const ObjShapes read = read_obj(file);
  std::vector<Polyline> lines;
  for (const std::vector<int>& corners : read.polylines) {
    Polyline& line = lines.emplace_back();
    for (const int corner : corners) line.push_back(read.vertices[corner]);
  }
  return lines;
}

std::vector<Polyline> lines_in(const std::filesystem::path& file) {
  if (file.extension() == ".hair") return read_hair(file).strands;
  if (file.extension() == ".data") return read_usc_data(file);
  if (file.extension() == ".usda" || file.extension() == ".usd") return read_usd_curves(file).strands;
  return lines_in_obj(file);
}

/// In metres and in place, without corners that coincide; empty if fewer than two are left.
Polyline placed_line(const Polyline& line, const Groom& groom) {
  Polyline result;
  for (const Eigen::Vector3d& p : line) {
    const Eigen::Vector3d x = groom.position + groom.scale * turned_up(p, groom.up);
    if (result.empty() || (x - result.back()).norm() > 0) result.push_back(x);
  }
  return result.size() < 2 ? Polyline() : result;
}

}  // namespace

std::vector<StrandSpec> read_groom_file(const Scene& scene, const Groom& groom, int family) {
  const StrandSpec common = common_spec(scene, groom, family);
  EndScript clamp{Hold::clamped, {}};
  clamp.motion.follow = groom.on;
  std::vector<Polyline> lines;
  for (const Polyline& line : lines_in(groom.file))
    if (Polyline placed = placed_line(line, groom); !placed.empty()) lines.push_back(std::move(placed));
  if (lines.empty()) throw InputError(groom.file.string() + ": holds no strand of two points or more");
  const std::size_t count = std::min<std::size_t>(groom.limit.value_or(int(lines.size())), lines.size());
  std::vector<StrandSpec> strands;
  for (std::size_t i = 0; i < count; ++i) {
    StrandSpec strand = common;
    strand.name = numbered(groom.name, i);
    strand.shape.nodes = lines[i * lines.size() / count];
    hold_ends(strand, clamp, {}, scene);
    strands.push_back(std::move(strand));
  }
  return strands;
}

}  // namespace capstan::scene_text

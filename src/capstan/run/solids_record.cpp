#include "capstan/run/solids_record.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "capstan/collide/triangle_mesh.hpp"
#include "capstan/run/structure_lines.hpp"
#include "capstan/scene/solids.hpp"

namespace capstan {
namespace {

nlohmann::json vector_json(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

/// Warm and muted, one for each [[rigid]], and a little lighter or darker from copy to copy.
Eigen::Vector3d colour_of(std::size_t kind, int copy) {
  static const std::vector<Eigen::Vector3d> colours{
      {0.55, 0.24, 0.07}, {0.10, 0.27, 0.38}, {0.42, 0.36, 0.12}, {0.35, 0.12, 0.14}, {0.13, 0.30, 0.16}};
  const double shade = 0.85 + 0.3 * std::fmod(0.618 * copy, 1.0);
  return (shade * colours[kind % colours.size()]).cwiseMin(1);
}

nlohmann::json solid_json(const std::string& name, const SolidSpec& spec, const Shape& shape) {
  using Kind = SolidSpec::Shape;
  nlohmann::json json = {{"name", name}};
  if (const TriangleSoup surface = triangles_of(shape); !surface.triangles.empty()) {
    json["shape"] = "mesh";
    for (const Eigen::Vector3d& x : surface.vertices) json["vertices"].push_back(vector_json(x));
    for (const Triangle& t : surface.triangles) json["triangles"].push_back({t[0], t[1], t[2]});
    return json;
  }
  switch (spec.shape) {
    case Kind::plane:
      json["shape"] = "plane";
      break;
    case Kind::sphere:
      json.update({{"shape", "sphere"}, {"radius", spec.radius}});
      break;
    case Kind::box:
      json.update({{"shape", "box"}, {"size", vector_json(spec.size)}});
      break;
    default:
      json.update({{"shape", spec.shape == Kind::capsule ? "capsule" : "cylinder"},
                   {"radius", spec.radius},
                   {"length", spec.length}});
  }
  return json;
}

constexpr double kLinesOnSolid = 1000, kLinesOnPlane = 6000, kLinesInAll = 24000;

/// Adds to the JSON of solids how their structure looks. Many solids get fewer lines each.
class LinesRecord {
 public:
  LinesRecord(const Scene& scene, const World& world) : world_(world), time_(scene.simulation.duration) {
    double wanted = 0;
    for (std::size_t k = 0; k < world.obstacles.size(); ++k)
      if (world.obstacles[k].structure)
        wanted += scene.obstacles[k].shape == SolidSpec::Shape::plane ? kLinesOnPlane : kLinesOnSolid;
    for (const WorldRigid& rigid : world.rigid)
      if (rigid.structure) wanted += kLinesOnSolid;
    share_ = std::min(1.0, kLinesInAll / std::max(wanted, 1.0));
  }

  void add(nlohmann::json& solid, const StructureField& field, const Shape& shape, const Frame& pose) const {
    const bool plane = solid["shape"] == "plane";
    const record::Solid surface =
        plane ? plane_patch(world_, pose, time_) : record::solid_from_json(solid.dump());
    const int count = static_cast<int>(share_ * (plane ? kLinesOnPlane : kLinesOnSolid));
    const record::PackedLines lines = record::packed(structure_lines(field, shape, surface, count));
    solid["structure"] = {{"step", lines.step}, {"lines", lines.text}};
  }

 private:
  const World& world_;
  double time_, share_ = 1;
};

}  // namespace

std::vector<std::string> solids_json(const Scene& scene, const World& world) {
  const LinesRecord lines(scene, world);
  std::vector<std::string> solids;
  for (std::size_t k = 0; k < world.obstacles.size(); ++k) {
    const WorldObstacle& obstacle = world.obstacles[k];
    auto json = solid_json(obstacle.name, scene.obstacles[k], *obstacle.shape);
    if (obstacle.structure) lines.add(json, *obstacle.structure, *obstacle.shape, obstacle.motion.at(0));
    solids.push_back(json.dump());
  }
  std::size_t at = 0;
  for (std::size_t kind = 0; kind < scene.rigid.size(); ++kind)
    for (int copy = 0; copy < scene.rigid[kind].count(); ++copy, ++at) {
      const WorldRigid& rigid = world.rigid[at];
      auto json = solid_json(rigid.name, scene.rigid[kind], *rigid.solid.shape());
      json["color"] = vector_json(colour_of(kind, copy));
      if (rigid.structure) lines.add(json, *rigid.structure, *rigid.solid.shape(), rigid.body->frame());
      solids.push_back(json.dump());
    }
  return solids;
}

std::vector<Frame> poses_of_solids(const World& world, double t) {
  std::vector<Frame> poses;
  for (const Obstacle& obstacle : world.obstacles) poses.push_back(obstacle.motion.at(t));
  for (const WorldRigid& rigid : world.rigid) poses.push_back(rigid.body->frame());
  return poses;
}

int recorded_body(const World& world, const ContactSide& side) {
  if (side.strand >= 0) return side.strand;
  const int obstacles = static_cast<int>(world.obstacles.size()),
            rigid = static_cast<int>(world.rigid.size());
  if (side.soft >= 0) return -1 - (obstacles + rigid + side.soft);
  return -1 - (side.obstacle >= 0 ? side.obstacle : obstacles + side.rigid);
}

}  // namespace capstan

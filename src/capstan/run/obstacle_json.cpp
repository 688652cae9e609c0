#include "capstan/run/obstacle_json.hpp"

#include <nlohmann/json.hpp>

#include "capstan/collide/triangle_mesh.hpp"

namespace capstan {
namespace {

nlohmann::json vector_json(const Eigen::Vector3d& x) { return {x[0], x[1], x[2]}; }

}  // namespace

std::string obstacle_json(const ObstacleSpec& spec, const Shape& shape) {
  using Kind = ObstacleSpec::Shape;
  nlohmann::json json = {{"name", spec.name}};
  if (const auto* mesh = dynamic_cast<const TriangleMesh*>(&shape)) {
    json["shape"] = "mesh";
    for (const Eigen::Vector3d& x : mesh->soup().vertices) json["vertices"].push_back(vector_json(x));
    for (const Triangle& t : mesh->soup().triangles) json["triangles"].push_back({t[0], t[1], t[2]});
    return json.dump();
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
  return json.dump();
}

}  // namespace capstan

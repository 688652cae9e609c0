#include "capstan/record/recorded_mesh.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"
#include "capstan/files/base64.hpp"
#include "capstan/record/bytes.hpp"

namespace capstan::record {
namespace {

using MeshJson = nlohmann::ordered_json;
constexpr const char* kCloth = "cloth";
constexpr const char* kSolid = "solid";

[[noreturn]] void refuse_mesh(const std::string& name, const std::string& what) {
  throw InputError("manifest: mesh '" + name + "': " + what);
}

RecordedMesh::Kind kind_from(const std::string& name, const std::string& kind) {
  if (kind == kCloth) return RecordedMesh::Kind::cloth;
  if (kind == kSolid) return RecordedMesh::Kind::solid;
  refuse_mesh(name, "kind is '" + kind + "', expected cloth or solid");
}

std::string packed_triangles(const Eigen::Matrix3Xi& triangles) {
  ByteWriter out;
  for (const int vertex : triangles.reshaped()) out.put(static_cast<std::uint32_t>(vertex));
  return files::base64(out.bytes());
}

Eigen::Matrix3Xi unpacked_triangles(const std::string& name, const std::string& text) {
  const std::string bytes = files::from_base64(text);
  constexpr std::size_t triangle = 3 * sizeof(std::uint32_t);
  if (bytes.size() % triangle != 0)
    refuse_mesh(name, "its triangles have " + std::to_string(bytes.size()) +
                          " bytes, expected a multiple of " + std::to_string(triangle));
  Eigen::Matrix3Xi triangles(3, static_cast<Eigen::Index>(bytes.size() / triangle));
  ByteReader in(bytes);
  for (int& vertex : triangles.reshaped()) vertex = static_cast<int>(in.get<std::uint32_t>());
  return triangles;
}

}  // namespace

void check(const RecordedMesh& mesh, int points) {
  if (!(mesh.thickness >= 0) || !std::isfinite(mesh.thickness))
    refuse_mesh(mesh.name, "thickness is " + std::to_string(mesh.thickness) + ", expected a number >= 0");
  if (mesh.color && !(mesh.color->array() >= 0 && mesh.color->array() <= 1).all())
    refuse_mesh(mesh.name, "its color is not red, green and blue from 0 to 1");
  if (mesh.triangles.cols() == 0) refuse_mesh(mesh.name, "has no triangles");
  for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t)
    if (mesh.triangles.col(t).minCoeff() < 0 || mesh.triangles.col(t).maxCoeff() >= points)
      refuse_mesh(mesh.name, "triangle " + std::to_string(t) + " has a vertex outside 0 to " +
                                 std::to_string(points - 1));
}

std::string mesh_json(const RecordedMesh& mesh, int points) {
  MeshJson json = {{"name", mesh.name}, {"kind", mesh.kind == RecordedMesh::Kind::cloth ? kCloth : kSolid}};
  if (mesh.color) json["color"] = {mesh.color->x(), mesh.color->y(), mesh.color->z()};
  json["thickness"] = mesh.thickness;
  json["points"] = points;
  json["triangles"] = packed_triangles(mesh.triangles);
  return json.dump();
}

RecordedMesh mesh_from_json(const std::string& text, int& points) {
  try {
    const MeshJson json = MeshJson::parse(text);
    RecordedMesh mesh;
    json.at("name").get_to(mesh.name);
    mesh.kind = kind_from(mesh.name, json.at("kind").get<std::string>());
    if (json.contains("color")) {
      const MeshJson& color = json.at("color");
      mesh.color = {color.at(0).get<double>(), color.at(1).get<double>(), color.at(2).get<double>()};
    }
    json.at("thickness").get_to(mesh.thickness);
    json.at("points").get_to(points);
    mesh.triangles = unpacked_triangles(mesh.name, json.at("triangles").get<std::string>());
    return mesh;
  } catch (const MeshJson::exception& error) {
    throw InputError(std::string("manifest: a mesh is not described as one: ") + error.what());
  }
}

}  // namespace capstan::record

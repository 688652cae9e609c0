#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "capstan/errors.hpp"
#include "capstan/export/formats.hpp"
#include "capstan/export/output_file.hpp"
#include "capstan/record/picture/shading.hpp"

/// glTF 2.0 in one binary file. Solids are nodes whose place and rotation are animated. What changes its
/// shape is a flip-book: a mesh a frame, of which all but one are scaled to nothing at any time. Morph
/// targets would take as many bytes, weights for each of them at each time beside, and most programs stop at
/// a few hundred. The recorded z-up axes are kept below one node that turns them to glTF's y-up.
namespace capstan::exports {
namespace {

using GltfJson = nlohmann::ordered_json;
using Floats = std::vector<float>;

constexpr int kArrayBuffer = 34962, kElementBuffer = 34963;              // targets
constexpr int kUnsignedByte = 5121, kUnsignedInt = 5125, kFloat = 5126;  // component types
constexpr int kLines = 1, kTriangles = 4;                                // modes
constexpr std::uint64_t kLargest = 0xffffffffu - (1u << 26);             // leaves room for the JSON

Floats floats_of(const Eigen::Matrix3Xd& columns) {
  const Eigen::Matrix3Xf rounded = columns.cast<float>();
  return {rounded.data(), rounded.data() + rounded.size()};
}

/// Directions of length one, also where a vertex has no face.
Eigen::Matrix3Xd unit_normals(Eigen::Matrix3Xd normals) {
  for (auto n : normals.colwise())
    if (n.norm() > 0.5)
      n.normalize();
    else
      n = Eigen::Vector3d::UnitZ();
  return normals;
}

/// Reads numbers into the binary part and keeps what the JSON says of them.
class GlbData {
 public:
  explicit GlbData(const std::filesystem::path& path) : file_(path) {}

  template <typename List>
  int accessor(const List& values, int component, const char* type, int width, int target) {
    const std::string_view bytes = bytes_of(values);
    if (file_.size() + bytes.size() > kLargest)
      throw InputError(
          "glb: holds at most 4 GB; --every or --frames takes fewer frames, usd has no such limit");
    GltfJson view = {{"buffer", 0}, {"byteOffset", file_.size()}, {"byteLength", bytes.size()}};
    if (target) view["target"] = target;
    file_.write(bytes);
    file_.write(std::string((4 - bytes.size() % 4) % 4, '\0'));
    views.push_back(view);
    accessors.push_back({{"bufferView", views.size() - 1},
                         {"componentType", component},
                         {"count", std::size_t(values.size()) / std::size_t(width)},
                         {"type", type}});
    return int(accessors.size()) - 1;
  }
  /// With the smallest and the largest of each component, which places and times must have.
  int bounded(const Floats& values, const char* type, int width, int target) {
    const int index = accessor(values, kFloat, type, width, target);
    Floats low(values.begin(), values.begin() + width), high = low;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const std::size_t d = k % std::size_t(width);
      low[d] = std::min(low[d], values[k]);
      high[d] = std::max(high[d], values[k]);
    }
    for (const auto& [key, list] : {std::pair("min", low), std::pair("max", high)})
      for (const float value : list) accessors[std::size_t(index)][key].push_back(double(value));
    return index;
  }
  int places(const Eigen::Matrix3Xd& points) { return bounded(floats_of(points), "VEC3", 3, kArrayBuffer); }
  int normals(const Eigen::Matrix3Xd& normals) {
    return accessor(floats_of(unit_normals(normals)), kFloat, "VEC3", 3, kArrayBuffer);
  }
  int indices(const std::vector<std::uint32_t>& list) {
    return accessor(list, kUnsignedInt, "SCALAR", 1, kElementBuffer);
  }
  int indices(const Eigen::Matrix3Xi& triangles) {
    return indices(std::vector<std::uint32_t>(triangles.data(), triangles.data() + triangles.size()));
  }

  OutputFile& file() { return file_; }
  GltfJson views = GltfJson::array(), accessors = GltfJson::array();

 private:
  OutputFile file_;
};

class GlbWriter {
 public:
  GlbWriter(Footage& footage, const std::filesystem::path& binary) : footage_(footage), data_(binary) {
    const double h = std::sqrt(0.5);
    nodes_.push_back({{"name", footage.name()}, {"rotation", {-h, 0, 0, h}}});  // z up to y up
    for (int k = 0; k < footage.frames(); ++k)
      times_.push_back(static_cast<float>(footage.time(k) - footage.time(0)));
  }

  /// The JSON; the binary part is complete.
  std::string write() {
    if (footage_.frames() > 1) time_accessor_ = data_.bounded(times_, "SCALAR", 1, 0);
    for (std::size_t k = 0; k < footage_.solids().size(); ++k) add_solid(k);
    add_flip_book();
    data_.file().close();
    return json().dump();
  }
  std::uint64_t binary_size() { return data_.file().size(); }

 private:
  int add_material(const std::string& name, const Eigen::Vector3d& color, bool two_sided) {
    const GltfJson material = {{"name", name},
                               {"pbrMetallicRoughness",
                                {{"baseColorFactor", {color[0], color[1], color[2], 1}},
                                 {"metallicFactor", 0},
                                 {"roughnessFactor", 0.7}}},
                               {"doubleSided", two_sided}};
    const auto [found, added] = material_of_.emplace(material.dump(), int(materials_.size()));
    if (added) materials_.push_back(material);
    return found->second;
  }
  int add_mesh(const std::string& name, const GltfJson& primitive) {
    meshes_.push_back({{"name", name}, {"primitives", GltfJson::array({primitive})}});
    return int(meshes_.size()) - 1;
  }
  int add_node(const GltfJson& node) {
    nodes_.push_back(node);
    nodes_[0]["children"].push_back(nodes_.size() - 1);
    return int(nodes_.size()) - 1;
  }
  void animate(int node, const char* path, int input, int output, const char* interpolation) {
    samplers_.push_back({{"input", input}, {"interpolation", interpolation}, {"output", output}});
    channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
  }

  /// Equal shapes share their numbers.
  int mesh_of(const SolidShape& solid) {
    auto [found, added] = primitive_of_.try_emplace(
        solid.kind == SolidShape::Kind::plane ? solid.name + solid.geometry : solid.geometry);
    if (added)
      found->second = {{"attributes",
                        {{"POSITION", data_.places(solid.surface.vertices)},
                         {"NORMAL", data_.normals(solid.surface.normals)}}},
                       {"indices", data_.indices(solid.surface.triangles)},
                       {"mode", kTriangles}};
    GltfJson primitive = found->second;
    primitive["material"] = add_material("solid", solid.color, false);  // walls are open from behind
    const auto [mesh, fresh] = mesh_of_.try_emplace(primitive.dump(), 0);
    if (fresh) mesh->second = add_mesh(solid.name, primitive);
    return mesh->second;
  }

  void add_solid(std::size_t k) {
    const SolidShape& solid = footage_.solids()[k];
    const std::vector<capstan::Frame>& poses = footage_.poses()[k];
    if (solid.surface.triangles.cols() == 0) return;
    Floats places, turns;
    for (const capstan::Frame& pose : poses)
      for (int d = 0; d < 3; ++d) places.push_back(static_cast<float>(pose.x[d]));
    for (const Eigen::Quaterniond& q : turns_of(poses))
      for (int d = 0; d < 4; ++d) turns.push_back(static_cast<float>(q.coeffs()[d]));  // x, y, z, w
    const int node = add_node({{"name", solid.name},
                               {"mesh", mesh_of(solid)},
                               {"translation", {places[0], places[1], places[2]}},
                               {"rotation", {turns[0], turns[1], turns[2], turns[3]}}});
    if (stands_still(poses)) return;
    animate(node, "translation", time_accessor_, data_.accessor(places, kFloat, "VEC3", 3, 0), "LINEAR");
    animate(node, "rotation", time_accessor_, data_.accessor(turns, kFloat, "VEC4", 4, 0), "LINEAR");
  }

  /// Strands as pairs of neighbouring points, with their colours.
  GltfJson strands_primitive() {
    const record::Manifest& manifest = footage_.manifest();
    std::vector<std::uint32_t> pairs;
    std::vector<std::uint8_t> colors;
    std::uint32_t at = 0;
    for (std::size_t s = 0; s < manifest.radii.size(); ++s)
      for (int i = 0, count = manifest.layout.points_per_strand[s]; i < count; ++i, ++at) {
        if (i > 0) pairs.insert(pairs.end(), {at - 1, at});
        const Eigen::Vector3d color = record::strand_color(int(s), manifest.radii[s]);
        for (int d = 0; d < 3; ++d)
          colors.push_back(std::uint8_t(std::lround(255 * std::clamp(color[d], 0.0, 1.0))));
        colors.push_back(255);
      }
    if (pairs.empty()) return nullptr;
    const int color = data_.accessor(colors, kUnsignedByte, "VEC4", 4, kArrayBuffer);
    data_.accessors[std::size_t(color)]["normalized"] = true;
    return {{"attributes", {{"POSITION", 0}, {"COLOR_0", color}}},
            {"indices", data_.indices(pairs)},
            {"material", add_material("strands", {1, 1, 1}, true)},
            {"mode", kLines}};
  }

  /// One a soft body; places and normals come frame by frame.
  std::vector<GltfJson> soft_primitives() {
    std::vector<GltfJson> primitives;
    for (std::size_t m = 0; m < footage_.manifest().meshes.size(); ++m) {
      const record::RecordedMesh& mesh = footage_.manifest().meshes[m];
      primitives.push_back({{"attributes", {{"POSITION", 0}, {"NORMAL", 0}}},
                            {"indices", data_.indices(mesh.triangles)},
                            {"material", add_material(mesh.name, footage_.mesh_color(int(m)),
                                                      mesh.kind == record::RecordedMesh::Kind::cloth)},
                            {"mode", kTriangles}});
    }
    return primitives;
  }

  void add_flip_book() {
    GltfJson strands = strands_primitive();
    std::vector<GltfJson> soft = soft_primitives();
    if (strands.is_null() && soft.empty()) return;
    for (int k = 0; k < footage_.frames(); ++k) {
      const record::Snapshot snapshot = footage_.read(k);
      GltfJson primitives = GltfJson::array();
      if (!strands.is_null()) {
        strands["attributes"]["POSITION"] = data_.places(snapshot.points);
        primitives.push_back(strands);
      }
      Eigen::Index first = 0;
      for (std::size_t m = 0; m < soft.size(); ++m) {
        const record::RecordedMesh& mesh = footage_.manifest().meshes[m];
        const int count = footage_.manifest().layout.points_per_mesh[m];
        const record::Solid surface =
            record::mesh_solid(snapshot.mesh_points.middleCols(first, count), mesh.triangles);
        soft[m]["attributes"]["POSITION"] = data_.places(surface.vertices);
        soft[m]["attributes"]["NORMAL"] = data_.normals(surface.normals);
        primitives.push_back(soft[m]);
        first += count;
      }
      add_page(k, primitives);
    }
  }

  /// Frame k is there from its time to the next.
  void add_page(int k, const GltfJson& primitives) {
    const std::string name = "frame_" + std::to_string(footage_.number(k));
    meshes_.push_back({{"name", name}, {"primitives", primitives}});
    const double shown = k == 0 ? 1 : 0;
    const int node =
        add_node({{"name", name}, {"mesh", meshes_.size() - 1}, {"scale", {shown, shown, shown}}});
    if (footage_.frames() == 1) return;
    Floats input, output;
    const auto key = [&](int frame, float scale) {
      input.push_back(times_[std::size_t(frame)]);
      output.insert(output.end(), 3, scale);
    };
    if (k > 0) key(0, 0);
    key(k, 1);
    if (k + 1 < footage_.frames()) key(k + 1, 0);
    const int times = data_.bounded(input, "SCALAR", 1, 0);
    animate(node, "scale", times, data_.accessor(output, kFloat, "VEC3", 3, 0), "STEP");
  }

  GltfJson json() {
    GltfJson result = {{"asset", {{"version", "2.0"}, {"generator", "Capstan"}}},
                       {"scene", 0},
                       {"scenes", GltfJson::array({{{"nodes", {0}}}})},
                       {"nodes", nodes_}};
    if (meshes_.empty()) return result;
    result["meshes"] = meshes_;
    result["materials"] = materials_;
    if (!channels_.empty())
      result["animations"] =
          GltfJson::array({{{"name", footage_.name()}, {"channels", channels_}, {"samplers", samplers_}}});
    result["accessors"] = data_.accessors;
    result["bufferViews"] = data_.views;
    result["buffers"] = GltfJson::array({{{"byteLength", binary_size()}}});
    return result;
  }

  Footage& footage_;
  GlbData data_;
  GltfJson nodes_ = GltfJson::array(), meshes_ = GltfJson::array(), materials_ = GltfJson::array(),
           channels_ = GltfJson::array(), samplers_ = GltfJson::array();
  std::map<std::string, int> material_of_, mesh_of_;
  std::map<std::string, GltfJson> primitive_of_;
  Floats times_;
  int time_accessor_ = 0;
};

std::string words(std::initializer_list<std::uint32_t> values) {
  return std::string(bytes_of(std::vector<std::uint32_t>(values)));
}

/// Header, JSON, then the binary part from its own file.
void assemble(const std::filesystem::path& path, std::string json, const std::filesystem::path& binary,
              std::uint64_t size) {
  constexpr std::uint32_t kMagic = 0x46546c67, kJson = 0x4e4f534a, kBinary = 0x004e4942;
  json.append((4 - json.size() % 4) % 4, ' ');
  const std::uint64_t total = 12 + 8 + json.size() + (size > 0 ? 8 + size : 0);
  if (total > 0xffffffffu)
    throw InputError("glb: holds at most 4 GB; --every or --frames takes fewer frames");
  OutputFile file(path);
  file.write(words({kMagic, 2, std::uint32_t(total), std::uint32_t(json.size()), kJson}));
  file.write(json);
  if (size > 0) file.write(words({std::uint32_t(size), kBinary}));
  std::ifstream part(binary, std::ios::binary);
  std::string block(1 << 20, '\0');
  while (part.read(block.data(), std::streamsize(block.size())) || part.gcount() > 0)
    file.write(std::string_view(block).substr(0, std::size_t(part.gcount())));
  file.close();
}

}  // namespace

void write_glb(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress) {
  footage.begin(1, progress);
  const std::filesystem::path binary = folder / "binary";
  GlbWriter writer(footage, binary);
  const std::string json = writer.write();
  assemble(folder / (footage.name() + ".glb"), json, binary, writer.binary_size());
  std::filesystem::remove(binary);
}

}  // namespace capstan::exports

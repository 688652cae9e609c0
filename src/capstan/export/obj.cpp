#include "capstan/export/formats.hpp"
#include "capstan/export/output_file.hpp"

/// Wavefront OBJ, a file a frame: an object a body, strands as `l`, surfaces as `f`.
namespace capstan::exports {
namespace {

class ObjText {
 public:
  void object(const std::string& name) {
    text_ += "o ";
    for (const char c : name) text_ += c == ' ' || c == '\n' || c == '\t' ? '_' : c;
    text_ += '\n';
  }
  void vertex(const Eigen::Vector3d& x) {
    text_ += 'v';
    for (int d = 0; d < 3; ++d) put_float(text_ += ' ', x[d]);
    text_ += '\n';
    ++vertices_;
  }
  /// A line through the latest vertices.
  void line(int count) {
    text_ += 'l';
    for (int i = count; i > 0; --i) put_integer(text_ += ' ', vertices_ - i + 1);
    text_ += '\n';
  }
  /// Triangles between the latest `count` vertices.
  void triangles(const Eigen::Matrix3Xi& triangles, std::int64_t count) {
    for (const auto& t : triangles.colwise()) {
      text_ += 'f';
      for (int corner = 0; corner < 3; ++corner) put_integer(text_ += ' ', vertices_ - count + 1 + t[corner]);
      text_ += '\n';
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "# Capstan. Metres, z up.\n";
  std::int64_t vertices_ = 0;
};

std::string obj_text(const Footage& footage, const record::Snapshot& snapshot) {
  const record::Manifest& manifest = footage.manifest();
  ObjText obj;
  Eigen::Index at = 0;
  for (std::size_t s = 0; s < manifest.radii.size(); ++s) {
    const int count = manifest.layout.points_per_strand[s];
    obj.object("strand_" + std::to_string(s));
    for (int i = 0; i < count; ++i) obj.vertex(snapshot.points.col(at++));
    if (count > 1) obj.line(count);
  }
  at = 0;
  for (std::size_t m = 0; m < manifest.meshes.size(); ++m) {
    const int count = manifest.layout.points_per_mesh[m];
    obj.object(manifest.meshes[m].name);
    for (int i = 0; i < count; ++i) obj.vertex(snapshot.mesh_points.col(at++));
    obj.triangles(manifest.meshes[m].triangles, count);
  }
  for (std::size_t k = 0; k < footage.solids().size(); ++k) {
    const SolidShape& solid = footage.solids()[k];
    obj.object(solid.name);
    for (const auto& vertex : solid.surface.vertices.colwise())
      obj.vertex(snapshot.obstacles[k].apply(vertex));
    obj.triangles(solid.surface.triangles, solid.surface.vertices.cols());
  }
  return obj.text();
}

}  // namespace

void write_obj(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress) {
  footage.begin(1, progress);
  for (int k = 0; k < footage.frames(); ++k) {
    OutputFile file(folder / series_name(footage, k, ".obj"));
    file.write(obj_text(footage, footage.read(k)));
    file.close();
  }
}

}  // namespace capstan::exports

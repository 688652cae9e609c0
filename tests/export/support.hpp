#pragma once
#include <memory>

#include "capstan/export/export_run.hpp"
#include "capstan/record/run_directory.hpp"
#include "record/support.hpp"

namespace capstan::exports::test {

using record::test::contents;
using record::test::refusal;
using record::test::Scratch;

/// A folder with a run of strands of two radii, every kind of solid, a cloth and a soft solid, and contacts
/// in every second frame.
class RecordedRun {
 public:
  explicit RecordedRun(int frames = 5) {
    manifest.scene = "scene.toml";
    manifest.layout.points_per_strand = {4, 3, 6};
    manifest.layout.points_per_mesh = {10, 4};
    manifest.radii = {1e-3, 2e-3, 1e-3};
    manifest.obstacles = {R"({"name":"the floor","shape":"plane"})",
                          R"({"name":"ball","shape":"sphere","radius":0.1,"color":[0.5,0.25,1]})",
                          R"({"name":"pill","shape":"capsule","radius":0.1,"length":0.3})",
                          R"({"name":"tin","shape":"cylinder","radius":0.1,"length":0.3})",
                          R"({"name":"box","shape":"box","size":[0.1,0.2,0.3]})",
                          R"({"name":"box","shape":"box","size":[0.1,0.2,0.3]})",
                          R"({"name":"tetra","shape":"mesh","vertices":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],)"
                          R"("triangles":[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]})"};
    manifest.layout.obstacles = int(manifest.obstacles.size());
    record::RecordedMesh cloth{"cloth", record::RecordedMesh::Kind::cloth, {}, 2e-3, {}};
    cloth.triangles.resize(3, 2);
    cloth.triangles << 0, 1, 1, 6, 5, 5;
    record::RecordedMesh solid{"jelly", record::RecordedMesh::Kind::solid, Eigen::Vector3d(1, 0, 0), 0, {}};
    solid.triangles.resize(3, 4);
    solid.triangles << 0, 0, 0, 1, 2, 1, 3, 2, 1, 3, 2, 3;
    manifest.meshes = {cloth, solid};
    auto run = record::RunDirectory::create(path(), manifest, "title = \"x\"\n");
    for (int frame = 0; frame < frames; ++frame) run.write(snapshot(frame));
    run.finish();
  }

  /// On the lattice of the file, so that it is what a reader gives.
  record::Snapshot snapshot(int frame) const {
    record::Snapshot result = record::test::swinging_hair(manifest.layout, frame);
    if (frame % 2 == 1)
      for (int c = 0; c < frame; ++c) {
        record::RecordedContact contact;
        contact.x = Eigen::Vector3d(0.125 * c, 0, 0.25);
        contact.f = Eigen::Vector3d(0, 1, 2 * c);
        contact.a = c % 3;
        contact.b = -1 - c % 7;
        contact.state = c % 2 ? record::ContactState::slide : record::ContactState::stick;
        contact.cone = record::RecordedCone{0.5, 0.25, {}};
        contact.beta = c % 2;
        result.contacts.push_back(contact);
      }
    return record::from_lattice(manifest.layout, record::to_lattice(manifest.layout, result));
  }

  std::filesystem::path path() const { return scratch / "waves"; }
  Footage footage(const FrameChoice& choice = {}) const { return Footage(path(), choice); }
  ExportReport exported(const std::string& name, const std::string& output,
                        const FrameChoice& choice = {}) const {
    Footage frames = footage(choice);
    ExportOptions options;
    options.output = scratch / output;
    return export_run(frames, format(name), options);
  }
  static const ExportFormat& format(const std::string& name) {
    for (const ExportFormat& known : export_formats())
      if (known.name == name) return known;
    throw InputError("no format " + name);
  }

  Scratch scratch;
  record::Manifest manifest;
};

}  // namespace capstan::exports::test

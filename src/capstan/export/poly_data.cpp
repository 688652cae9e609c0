#include "capstan/export/poly_data.hpp"

namespace capstan::exports {
namespace {

enum CellKind : std::int32_t { kStrand, kSolid, kCloth, kSoftSolid };

/// Fills a PolyData body by body.
class Builder {
 public:
  explicit Builder(double t) {
    data_.t = t;
    radius_.name = "radius";
    strain_.name = "strain";
    body_ = {"body", 1, {}, {}, true};
    kind_ = {"kind", 1, {}, {}, true};
  }

  void add_point(const Eigen::Vector3d& x, double radius, float strain) {
    for (int d = 0; d < 3; ++d) data_.points.push_back(static_cast<float>(x[d]));
    radius_.reals.push_back(static_cast<float>(radius));
    strain_.reals.push_back(strain);
  }
  void add_line(std::int64_t first, int count, int body) {
    for (int i = 0; i < count; ++i) data_.lines.add_point(first + i);
    end_cell(data_.lines, body, kStrand);
  }
  void add_triangles(const Eigen::Matrix3Xi& triangles, std::int64_t first, int body, CellKind kind) {
    for (const auto& t : triangles.colwise()) {
      for (int corner = 0; corner < 3; ++corner) data_.polygons.add_point(first + t[corner]);
      end_cell(data_.polygons, body, kind);
    }
  }
  std::int64_t points() const { return data_.point_count(); }

  PolyData finished() {
    data_.point_data = {std::move(radius_), std::move(strain_)};
    data_.cell_data = {std::move(body_), std::move(kind_)};
    return std::move(data_);
  }

 private:
  void end_cell(Cells& cells, int body, CellKind kind) {
    cells.end_cell();
    body_.integers.push_back(body);
    kind_.integers.push_back(kind);
  }

  PolyData data_;
  DataArray radius_, strain_, body_, kind_;
};

void add_strands(Builder& builder, const record::Manifest& manifest, const record::Snapshot& snapshot) {
  Eigen::Index at = 0;
  for (std::size_t s = 0; s < manifest.radii.size(); ++s) {
    const std::int64_t first = builder.points();
    const int count = manifest.layout.points_per_strand[s];
    for (int i = 0; i < count; ++i) builder.add_point(snapshot.points.col(at++), manifest.radii[s], 0);
    builder.add_line(first, count, int(s));
  }
}

void add_soft(Builder& builder, const record::Manifest& manifest, const record::Snapshot& snapshot) {
  Eigen::Index at = 0;
  for (std::size_t m = 0; m < manifest.meshes.size(); ++m) {
    const record::RecordedMesh& mesh = manifest.meshes[m];
    const std::int64_t first = builder.points();
    for (int i = 0; i < manifest.layout.points_per_mesh[m]; ++i, ++at)
      builder.add_point(snapshot.mesh_points.col(at), 0.5 * mesh.thickness, snapshot.mesh_values[at]);
    builder.add_triangles(mesh.triangles, first, -1 - int(manifest.obstacles.size() + m),
                          mesh.kind == record::RecordedMesh::Kind::cloth ? kCloth : kSoftSolid);
  }
}

void add_solids(Builder& builder, const Footage& footage, const record::Snapshot& snapshot) {
  for (std::size_t k = 0; k < footage.solids().size(); ++k) {
    const record::Solid& surface = footage.solids()[k].surface;
    const std::int64_t first = builder.points();
    for (const auto& vertex : surface.vertices.colwise())
      builder.add_point(snapshot.obstacles[k].apply(vertex), 0, 0);
    builder.add_triangles(surface.triangles, first, -1 - int(k), kSolid);
  }
}

void put(DataArray& array, const Eigen::Vector3d& value) {
  for (int d = 0; d < 3; ++d) array.reals.push_back(static_cast<float>(value[d]));
}

}  // namespace

PolyData bodies_data(const Footage& footage, const record::Snapshot& snapshot) {
  Builder builder(snapshot.t);
  add_strands(builder, footage.manifest(), snapshot);
  add_soft(builder, footage.manifest(), snapshot);
  add_solids(builder, footage, snapshot);
  return builder.finished();
}

PolyData contacts_data(const record::Snapshot& snapshot) {
  PolyData data;
  data.t = snapshot.t;
  DataArray force{"force", 3}, normal{"normal", 3}, mu{"mu", 2}, beta{"beta"},
      state{"state", 1, {}, {}, true}, a{"body_a", 1, {}, {}, true}, b{"body_b", 1, {}, {}, true};
  for (const record::RecordedContact& contact : snapshot.contacts) {
    data.vertices.add_point(data.point_count());
    data.vertices.end_cell();
    for (int d = 0; d < 3; ++d) data.points.push_back(static_cast<float>(contact.x[d]));
    put(force, contact.f);
    const bool has_axes = contact.cone && contact.cone->axes;
    put(normal, has_axes ? contact.cone->axes->n : Eigen::Vector3d::Zero().eval());
    mu.reals.push_back(contact.cone ? static_cast<float>(contact.cone->mu_t) : -1.0f);
    mu.reals.push_back(contact.cone ? static_cast<float>(contact.cone->mu_b) : -1.0f);
    beta.reals.push_back(static_cast<float>(contact.beta));
    state.integers.push_back(std::int32_t(contact.state));
    a.integers.push_back(contact.a);
    b.integers.push_back(contact.b);
  }
  data.point_data = {force, normal, mu, beta, state, a, b};
  return data;
}

}  // namespace capstan::exports

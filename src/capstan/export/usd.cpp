#include <algorithm>
#include <cctype>
#include <set>

#include "capstan/export/formats.hpp"
#include "capstan/export/output_file.hpp"
#include "capstan/record/picture/shading.hpp"

/// USD as text (usda), written without a library. One stage: strands as linear BasisCurves, solids as Xforms
/// with a shape below, soft bodies as Meshes, contacts as BasisCurves of one segment each.
/// Rigid bodies are no PointInstancer: its orientations are 16-bit floats, a degree in twenty off.
namespace capstan::exports {
namespace {

using Box = Eigen::AlignedBox3d;

void put_point(std::string& text, const Eigen::Vector3d& p) {
  text += '(';
  for (int d = 0; d < 3; ++d) {
    if (d > 0) text += ", ";
    put_float(text, p[d]);
  }
  text += ')';
}

/// "[a, b, c]", each put by `put(text, index)`.
template <typename Put>
std::string list_text(Eigen::Index count, Put&& put) {
  std::string text = "[";
  for (Eigen::Index k = 0; k < count; ++k) {
    if (k > 0) text += ", ";
    put(text, k);
  }
  return text + "]";
}

std::string points_text(const Eigen::Matrix3Xd& points) {
  return list_text(points.cols(), [&](std::string& text, Eigen::Index k) { put_point(text, points.col(k)); });
}

template <typename Number>
std::string integers_text(const std::vector<Number>& values) {
  return list_text(Eigen::Index(values.size()),
                   [&](std::string& text, Eigen::Index k) { put_integer(text, values[std::size_t(k)]); });
}

std::string floats_text(const std::vector<double>& values) {
  return list_text(Eigen::Index(values.size()),
                   [&](std::string& text, Eigen::Index k) { put_float(text, values[std::size_t(k)]); });
}

std::string extent_text(const Box& box) {
  Eigen::Matrix3Xd corners(3, 2);
  corners << (box.isEmpty() ? Eigen::Vector3d::Zero().eval() : box.min()),
      (box.isEmpty() ? Eigen::Vector3d::Zero().eval() : box.max());
  return points_text(corners);
}

Box box_around(const Eigen::Matrix3Xd& points, double margin) {
  Box box;
  if (points.cols() == 0) return box;
  box.extend((points.rowwise().minCoeff().array() - margin).matrix().eval());
  box.extend((points.rowwise().maxCoeff().array() + margin).matrix().eval());
  return box;
}

/// Letters, digits and underscores, beginning with no digit, and each name once.
class PrimNames {
 public:
  std::string operator()(const std::string& wanted) {
    std::string name;
    for (const char c : wanted)
      if (c != ']')  // crate[3] is crate_3
        name += std::isalnum(static_cast<unsigned char>(c)) && c > 0 ? c : '_';
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "_" + name;
    std::string unique = name;
    for (int copy = 2; !taken_.insert(unique).second; ++copy) unique = name + "_" + std::to_string(copy);
    return unique;
  }

 private:
  std::set<std::string> taken_;
};

class UsdWriter {
 public:
  UsdWriter(Footage& footage, const std::filesystem::path& path) : footage_(footage), file_(path) {}

  void write() {
    write_header();
    open("def Xform \"World\"");
    if (footage_.manifest().layout.strands() > 0) write_strands();
    for (int mesh = 0; mesh < footage_.manifest().layout.meshes(); ++mesh) write_soft_body(mesh);
    for (std::size_t solid = 0; solid < footage_.solids().size(); ++solid) write_solid(solid);
    if (footage_.survey().has_contacts) write_contacts();
    close();
    file_.close();
  }

 private:
  void line(const std::string& text) { file_.write(std::string(4 * depth_, ' ') + text + "\n"); }
  void open(const std::string& head) {
    line(head);
    line("{");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }

  /// An attribute whose value may change: `value(k)` at frame k. One frame needs no samples.
  template <typename Value>
  void sampled(const std::string& name, Value&& value, const std::string& metadata = "") {
    if (footage_.frames() == 1) return line(name + " = " + value(0) + metadata);
    if (!metadata.empty()) line(name + metadata);
    line(name + ".timeSamples = {");
    ++depth_;
    for (int k = 0; k < footage_.frames(); ++k) {
      std::string code;
      put_double(code, footage_.time_code(k));
      line(code + ": " + value(k) + ",");
    }
    close();
  }

  void color(const Eigen::Vector3d& value) {
    std::string text = "color3f[] primvars:displayColor = [";
    put_point(text, value);
    line(text + "]");
  }

  void write_header() {
    std::string first, last, fps;
    put_double(first, footage_.time_code(0));
    put_double(last, footage_.time_code(footage_.frames() - 1));
    put_double(fps, footage_.manifest().fps);
    file_.write(
        "#usda 1.0\n(\n    defaultPrim = \"World\"\n    doc = \"A run of Capstan. Metres, seconds, "
        "newtons.\"\n"
        "    endTimeCode = " +
        last + "\n    metersPerUnit = 1\n    startTimeCode = " + first + "\n    timeCodesPerSecond = " + fps +
        "\n    upAxis = \"Z\"\n)\n\n");
  }

  void write_strands() {
    const record::Manifest& manifest = footage_.manifest();
    const std::vector<double>& radii = manifest.radii;
    const double widest = *std::max_element(radii.begin(), radii.end());
    open("def BasisCurves \"" + names_("strands") + "\"");
    line("uniform token type = \"linear\"");
    line("uniform token wrap = \"nonperiodic\"");
    line("int[] curveVertexCounts = " + integers_text(manifest.layout.points_per_strand));
    write_widths();
    std::vector<Box> extents;
    sampled("point3f[] points", [&](int k) {
      const record::Snapshot snapshot = footage_.read(k);
      extents.push_back(box_around(snapshot.points, widest));
      return points_text(snapshot.points);
    });
    sampled("float3[] extent", [&](int k) { return extent_text(extents[std::size_t(k)]); });
    line("color3f[] primvars:displayColor = " +
         list_text(Eigen::Index(radii.size()),
                   [&](std::string& text, Eigen::Index k) {
                     put_point(text, record::strand_color(int(k), radii[std::size_t(k)]));
                   }) +
         " (\n            interpolation = \"uniform\"\n        )");
    close();
  }

  /// One for all, or one a vertex: what programs understand best.
  void write_widths() {
    const record::Manifest& manifest = footage_.manifest();
    std::vector<double> widths;
    const bool alike = std::all_of(manifest.radii.begin(), manifest.radii.end(),
                                   [&](double radius) { return radius == manifest.radii[0]; });
    for (std::size_t s = 0; s < (alike ? 1 : manifest.radii.size()); ++s)
      widths.insert(widths.end(), alike ? 1 : std::size_t(manifest.layout.points_per_strand[s]),
                    2 * manifest.radii[s]);
    line("float[] widths = " + floats_text(widths) + " (\n            interpolation = \"" +
         (alike ? "constant" : "vertex") + "\"\n        )");
  }

  void write_triangles(const Eigen::Matrix3Xi& triangles) {
    line("int[] faceVertexCounts = " +
         list_text(triangles.cols(), [](std::string& text, Eigen::Index) { text += '3'; }));
    line("int[] faceVertexIndices = " + list_text(triangles.size(), [&](std::string& text, Eigen::Index k) {
           put_integer(text, triangles.data()[k]);
         }));
    line("uniform token subdivisionScheme = \"none\"");
  }

  void write_soft_body(int mesh) {
    const record::FrameLayout& layout = footage_.manifest().layout;
    const record::RecordedMesh& body = footage_.manifest().meshes[std::size_t(mesh)];
    int first = 0;
    for (int m = 0; m < mesh; ++m) first += layout.points_per_mesh[std::size_t(m)];
    const int count = layout.points_per_mesh[std::size_t(mesh)];
    open("def Mesh \"" + names_(body.name) + "\"");
    line(std::string("uniform bool doubleSided = ") +
         (body.kind == record::RecordedMesh::Kind::cloth ? "1" : "0"));
    write_triangles(body.triangles);
    std::vector<Box> extents;
    sampled("point3f[] points", [&](int k) {
      const Eigen::Matrix3Xd points = footage_.read(k).mesh_points.middleCols(first, count);
      extents.push_back(box_around(points, 0));
      return points_text(points);
    });
    sampled("float3[] extent", [&](int k) { return extent_text(extents[std::size_t(k)]); });
    color(footage_.mesh_color(mesh));
    close();
  }

  void write_solid(std::size_t k) {
    const SolidShape& solid = footage_.solids()[k];
    open("def Xform \"" + names_(solid.name) + "\"");
    write_pose(footage_.poses()[k]);
    write_shape(solid);
    close();
  }

  /// Doubles: USD takes the angle from the cosine of its half, which 32 bits cannot tell from 1 below 3e-4
  /// rad.
  void write_pose(const std::vector<capstan::Frame>& poses) {
    const std::vector<Eigen::Quaterniond> turns = turns_of(poses);
    const auto place = [&](int k) {
      const Eigen::Vector3d& x = poses[std::size_t(k)].x;
      std::string text = "(";
      for (int d = 0; d < 3; ++d) put_double(text += d > 0 ? ", " : "", x[d]);
      return text + ")";
    };
    const auto turn = [&](int k) {
      const Eigen::Quaterniond& q = turns[std::size_t(k)];
      std::string text = "(";
      put_double(text, q.w());
      for (const double part : {q.x(), q.y(), q.z()}) put_double(text += ", ", part);
      return text + ")";
    };
    if (stands_still(poses)) {
      line("double3 xformOp:translate = " + place(0));
      line("quatd xformOp:orient = " + turn(0));
    } else {
      sampled("double3 xformOp:translate", place);
      sampled("quatd xformOp:orient", turn);
    }
    line("uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]");
  }

  void write_shape(const SolidShape& solid) {
    using Kind = SolidShape::Kind;
    const auto number = [&](const char* name, double value) {
      std::string text = std::string("double ") + name + " = ";
      put_double(text, value);
      line(text);
    };
    const char* types[] = {"Sphere", "Capsule", "Cylinder", "Cube", "Mesh", "Mesh"};
    open("def " + std::string(types[int(solid.kind)]) + " \"shape\"");
    if (solid.kind == Kind::sphere) number("radius", solid.radius);
    if (solid.kind == Kind::capsule || solid.kind == Kind::cylinder) {
      line("uniform token axis = \"Z\"");
      number("radius", solid.radius);
      number("height", solid.length);
    }
    if (solid.kind == Kind::box) {
      number("size", 1);
      std::string text = "float3 xformOp:scale = ";
      put_point(text, solid.size);
      line(text);
      line("uniform token[] xformOpOrder = [\"xformOp:scale\"]");
    }
    if (solid.kind == Kind::mesh || solid.kind == Kind::plane) {
      write_triangles(solid.surface.triangles);
      line("point3f[] points = " + points_text(solid.surface.vertices));
    }
    line("float3[] extent = " + extent_text(box_of(solid)));
    color(solid.color);
    close();
  }

  /// In the frame of the shape, before its own scale.
  static Box box_of(const SolidShape& solid) {
    using Kind = SolidShape::Kind;
    if (solid.kind == Kind::mesh || solid.kind == Kind::plane) return box_around(solid.surface.vertices, 0);
    Eigen::Vector3d half = Eigen::Vector3d::Constant(solid.kind == Kind::box ? 0.5 : solid.radius);
    if (solid.kind == Kind::capsule) half.z() += 0.5 * solid.length;
    if (solid.kind == Kind::cylinder) half.z() = 0.5 * solid.length;
    return Box(-half, half);
  }

  void write_contacts() {
    const double scale = footage_.survey().metres_per_newton();
    std::string text;
    put_double(text, scale);
    open("def BasisCurves \"" + names_("contacts") +
         "\" (\n        customData = {\n            double metresPerNewton = " + text + "\n        }\n    )");
    line("uniform token type = \"linear\"");
    line("uniform token wrap = \"nonperiodic\"");
    std::vector<std::string> counts, forces, bonds, states, extents;
    sampled("point3f[] points", [&](int k) {
      const std::vector<record::RecordedContact> contacts = footage_.read(k).contacts;
      Eigen::Matrix3Xd ends(3, 2 * Eigen::Index(contacts.size()));
      std::vector<double> force, bond;
      std::vector<int> state;
      for (std::size_t c = 0; c < contacts.size(); ++c) {
        ends.col(2 * Eigen::Index(c)) = contacts[c].x;
        ends.col(2 * Eigen::Index(c) + 1) = contacts[c].x + scale * contacts[c].f;
        force.push_back(contacts[c].f.norm());
        bond.push_back(contacts[c].beta);
        state.push_back(int(contacts[c].state));
      }
      counts.push_back(integers_text(std::vector<int>(contacts.size(), 2)));
      forces.push_back(floats_text(force));
      bonds.push_back(floats_text(bond));
      states.push_back(integers_text(state));
      extents.push_back(extent_text(box_around(ends, 0)));
      return points_text(ends);
    });
    const std::string each = " (\n            interpolation = \"uniform\"\n        )";
    const auto of = [](const std::vector<std::string>& texts) {
      return [&](int k) { return texts[std::size_t(k)]; };
    };
    sampled("int[] curveVertexCounts", of(counts));
    sampled("float3[] extent", of(extents));
    sampled("float[] primvars:force", of(forces), each);
    sampled("float[] primvars:beta", of(bonds), each);
    sampled("int[] primvars:state", of(states), each);
    std::string width = "float[] widths = [";
    put_float(width, 2e-3 * footage_.survey().box.diagonal().norm());
    line(width + "] (\n            interpolation = \"constant\"\n        )");
    color({0.9, 0.2, 0.1});
    close();
  }

  Footage& footage_;
  OutputFile file_;
  PrimNames names_;
  std::size_t depth_ = 0;
};

}  // namespace

void write_usd(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress) {
  const int strands = footage.manifest().layout.strands() > 0 ? 1 : 0;
  footage.begin(strands + footage.manifest().layout.meshes() + 1, progress);
  UsdWriter(footage, folder / (footage.name() + ".usda")).write();
}

}  // namespace capstan::exports

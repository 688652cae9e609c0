#include "capstan/export/formats.hpp"
#include "capstan/export/output_file.hpp"
#include "capstan/export/poly_data.hpp"

/// VTK's XML PolyData, a file a frame, numbers as raw bytes behind the XML; and a collection (.pvd) that
/// gives the times. Contacts are a second series.
namespace capstan::exports {
namespace {

constexpr const char* kHead =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
    "header_type=\"UInt64\">\n<PolyData>\n";

/// The XML before the numbers, and the numbers.
class VtpText {
 public:
  void tag(const std::string& text) { xml_ += text + "\n"; }

  template <typename List>
  void array(const std::string& name, int components, const char* type, const List& values) {
    tag("<DataArray type=\"" + std::string(type) + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
        std::to_string(components) + "\" format=\"appended\" offset=\"" + std::to_string(data_.size()) +
        "\"/>");
    const std::string_view bytes = bytes_of(values);
    const std::uint64_t size = bytes.size();
    data_.append(reinterpret_cast<const char*>(&size), sizeof size);
    data_ += bytes;
  }
  void array(const DataArray& values) {
    if (values.whole)
      array(values.name, values.components, "Int32", values.integers);
    else
      array(values.name, values.components, "Float32", values.reals);
  }
  void cells(const char* name, const Cells& cells) {
    tag("<" + std::string(name) + ">");
    array("connectivity", 1, "Int64", cells.connectivity);
    array("offsets", 1, "Int64", cells.ends);
    tag("</" + std::string(name) + ">");
  }
  void arrays(const char* name, const std::vector<DataArray>& list) {
    tag("<" + std::string(name) + ">");
    for (const DataArray& values : list) array(values);
    tag("</" + std::string(name) + ">");
  }

  std::string file() const {
    return kHead + xml_ + "</PolyData>\n<AppendedData encoding=\"raw\">\n_" + data_ +
           "\n</AppendedData>\n</VTKFile>\n";
  }

 private:
  std::string xml_, data_;
};

std::string vtp_bytes(const PolyData& data) {
  const auto count = [](const char* name, std::size_t value) {
    return " NumberOf" + std::string(name) + "=\"" + std::to_string(value) + "\"";
  };
  VtpText text;
  text.tag("<FieldData>");
  std::string time = "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">";
  put_double(time, data.t);
  text.tag(time + "</DataArray>\n</FieldData>");
  text.tag("<Piece" + count("Points", std::size_t(data.point_count())) +
           count("Verts", data.vertices.ends.size()) + count("Lines", data.lines.ends.size()) +
           count("Strips", 0) + count("Polys", data.polygons.ends.size()) + ">");
  text.tag("<Points>");
  text.array("points", 3, "Float32", data.points);
  text.tag("</Points>");
  text.cells("Verts", data.vertices);
  text.cells("Lines", data.lines);
  text.cells("Polys", data.polygons);
  text.arrays("PointData", data.point_data);
  text.arrays("CellData", data.cell_data);
  text.tag("</Piece>");
  return text.file();
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  OutputFile file(path);
  file.write(bytes);
  file.close();
}

std::string collection_head() {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<Collection>\n";
}

std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name)
    text += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return text;
}

std::string collection_line(double t, const std::string& file) {
  std::string line = "<DataSet timestep=\"";
  put_double(line, t);
  return line + "\" part=\"0\" file=\"" + escaped(file) + "\"/>\n";
}

}  // namespace

void write_vtp(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress) {
  footage.begin(1, progress);
  const bool contacts = footage.survey().has_contacts;
  std::string bodies = collection_head(), points = collection_head();
  for (int k = 0; k < footage.frames(); ++k) {
    const record::Snapshot snapshot = footage.read(k);
    std::string name = series_name(footage, k, ".vtp");
    write_file(folder / name, vtp_bytes(bodies_data(footage, snapshot)));
    bodies += collection_line(snapshot.t, name);
    if (!contacts) continue;
    name = series_name(footage, k, ".vtp", "_contacts");
    write_file(folder / name, vtp_bytes(contacts_data(snapshot)));
    points += collection_line(snapshot.t, name);
  }
  const std::string tail = "</Collection>\n</VTKFile>\n";
  write_file(folder / (footage.name() + ".pvd"), bodies + tail);
  if (contacts) write_file(folder / (footage.name() + "_contacts.pvd"), points + tail);
}

}  // namespace capstan::exports

#include "capstan/errors.hpp"
#include "capstan/export/formats.hpp"
#include "capstan/export/output_file.hpp"
#include "capstan/record/durable_file.hpp"

/// numpy's .npz: a zip archive of arrays, stored as they are. Reals are doubles, as they were recorded.
namespace capstan::exports {
namespace {

using Shape = std::vector<std::size_t>;

/// The header that numpy puts before an array (version 1.0 of its format): a Python dict, padded to 64 bytes.
std::string npy_header(const std::string& type, const Shape& shape) {
  std::string sizes;
  for (const std::size_t size : shape) sizes += std::to_string(size) + ",";
  std::string dict = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  dict.append(63 - (10 + dict.size()) % 64, ' ');
  dict += '\n';
  const auto length = static_cast<std::uint16_t>(dict.size());
  std::string header("\x93NUMPY\x01\x00", 8);
  header.append(reinterpret_cast<const char*>(&length), 2);
  return header + dict;
}

/// Writes one array after the other; each may come in pieces.
class NpzFile {
 public:
  explicit NpzFile(const std::filesystem::path& path) : file_(path) {}

  void begin(const std::string& name, const std::string& type, const Shape& shape) {
    entry_ = {name + ".npy", 0, 0, file_.size()};
    file_.write(local_header());
    add(npy_header(type, shape));
  }
  void add(std::string_view bytes) {
    file_.write(bytes);
    entry_.checksum = record::checksum(bytes, entry_.checksum);
    entry_.size += bytes.size();
    if (file_.size() > kLargestZip)
      throw InputError("npz: holds at most 4 GB; --every or --frames takes fewer frames");
  }
  void end() {
    file_.rewrite(entry_.place, local_header());
    entries_.push_back(entry_);
  }
  void reals(const std::string& name, const Shape& shape, const std::vector<double>& values) {
    whole(name, "<f8", shape, bytes_of(values));
  }
  void integers(const std::string& name, const Shape& shape, const std::vector<std::int32_t>& values) {
    whole(name, "<i4", shape, bytes_of(values));
  }
  void texts(const std::string& name, const std::vector<std::string>& values) {
    std::size_t width = 1;
    for (const std::string& value : values) width = std::max(width, value.size());
    std::string bytes;
    for (const std::string& value : values) bytes += value + std::string(width - value.size(), '\0');
    whole(name, "|S" + std::to_string(width), {values.size()}, bytes);
  }
  /// The archive's list of its files, then the file is complete.
  void close() {
    const std::uint64_t start = file_.size();
    for (const Entry& entry : entries_) {
      entry_ = entry;
      ZipFields fields;
      fields.u32(0x02014b50).u16(20);
      fields.text += common_fields();
      fields.u16(0).u16(0).u16(0).u32(0).u32(std::uint32_t(entry.place));
      file_.write(fields.text + entry.name);
    }
    ZipFields end;
    const auto count = std::uint16_t(entries_.size());
    end.u32(0x06054b50).u16(0).u16(0).u16(count).u16(count);
    end.u32(std::uint32_t(file_.size() - start)).u32(std::uint32_t(start)).u16(0);
    file_.write(end.text);
    file_.close();
  }

 private:
  static constexpr std::uint64_t kLargestZip = 0xfff00000u;
  struct Entry {
    std::string name;
    std::uint32_t checksum = 0;
    std::uint64_t size = 0, place = 0;
  };
  struct ZipFields {
    std::string text;
    ZipFields& u16(std::uint16_t value) {
      text.append(reinterpret_cast<const char*>(&value), 2);
      return *this;
    }
    ZipFields& u32(std::uint32_t value) {
      text.append(reinterpret_cast<const char*>(&value), 4);
      return *this;
    }
  };

  /// What both lists of an archive say of a file: version 2.0, stored, 1 January 1980, sizes, length of the
  /// name.
  std::string common_fields() const {
    ZipFields fields;
    fields.u16(20).u16(0).u16(0).u16(0).u16(0x21).u32(entry_.checksum);
    fields.u32(std::uint32_t(entry_.size)).u32(std::uint32_t(entry_.size));
    fields.u16(std::uint16_t(entry_.name.size())).u16(0);
    return fields.text;
  }
  std::string local_header() const {
    ZipFields fields;
    fields.u32(0x04034b50);
    return fields.text + common_fields() + entry_.name;
  }
  void whole(const std::string& name, const std::string& type, const Shape& shape, std::string_view bytes) {
    begin(name, type, shape);
    add(bytes);
    end();
  }

  OutputFile file_;
  Entry entry_;
  std::vector<Entry> entries_;
};

std::vector<std::int32_t> offsets_of(const std::vector<int>& counts) {
  std::vector<std::int32_t> offsets{0};
  for (const int count : counts) offsets.push_back(offsets.back() + count);
  return offsets;
}

/// Contacts of all frames, as columns.
struct ContactColumns {
  std::vector<std::int32_t> offsets{0}, bodies, states;
  std::vector<double> places, forces, normals, mu, beta;

  void add(const std::vector<record::RecordedContact>& contacts) {
    const auto put = [](std::vector<double>& list, const Eigen::Vector3d& value) {
      list.insert(list.end(), value.data(), value.data() + 3);
    };
    for (const record::RecordedContact& contact : contacts) {
      const bool axes = contact.cone && contact.cone->axes;
      put(places, contact.x);
      put(forces, contact.f);
      put(normals, axes ? contact.cone->axes->n : Eigen::Vector3d::Zero().eval());
      mu.push_back(contact.cone ? contact.cone->mu_t : -1);
      mu.push_back(contact.cone ? contact.cone->mu_b : -1);
      beta.push_back(contact.beta);
      bodies.insert(bodies.end(), {contact.a, contact.b});
      states.push_back(int(contact.state));
    }
    offsets.push_back(offsets.back() + std::int32_t(contacts.size()));
  }
  void write(NpzFile& file) const {
    const std::size_t count = states.size();
    file.integers("contact_offsets", {offsets.size()}, offsets);
    file.reals("contact_position", {count, 3}, places);
    file.reals("contact_force", {count, 3}, forces);
    file.reals("contact_normal", {count, 3}, normals);
    file.reals("contact_mu", {count, 2}, mu);
    file.reals("contact_beta", {count}, beta);
    file.integers("contact_bodies", {count, 2}, bodies);
    file.integers("contact_state", {count}, states);
  }
};

void write_times(NpzFile& file, const Footage& footage) {
  std::vector<double> times;
  std::vector<std::int32_t> numbers;
  for (int k = 0; k < footage.frames(); ++k) {
    times.push_back(footage.time(k));
    numbers.push_back(footage.number(k));
  }
  file.reals("t", {times.size()}, times);
  file.integers("frame", {numbers.size()}, numbers);
}

void write_strands(NpzFile& file, Footage& footage) {
  const record::Manifest& manifest = footage.manifest();
  const auto offsets = offsets_of(manifest.layout.points_per_strand);
  file.integers("strand_offsets", {offsets.size()}, offsets);
  file.reals("strand_radius", {manifest.radii.size()}, manifest.radii);
  file.begin("strand_points", "<f8",
             {std::size_t(footage.frames()), std::size_t(manifest.layout.points()), 3});
  ContactColumns contacts;
  for (int k = 0; k < footage.frames(); ++k) {
    const record::Snapshot snapshot = footage.read(k);
    file.add(bytes_of(snapshot.points));
    contacts.add(snapshot.contacts);
  }
  file.end();
  contacts.write(file);
}

void write_soft(NpzFile& file, Footage& footage) {
  const record::Manifest& manifest = footage.manifest();
  const auto offsets = offsets_of(manifest.layout.points_per_mesh);
  std::vector<std::int32_t> triangles, triangle_offsets{0};
  std::vector<std::string> names;
  for (std::size_t m = 0; m < manifest.meshes.size(); ++m) {
    names.push_back(manifest.meshes[m].name);
    for (Eigen::Index i = 0; i < manifest.meshes[m].triangles.size(); ++i)
      triangles.push_back(offsets[m] + manifest.meshes[m].triangles.data()[i]);
    triangle_offsets.push_back(std::int32_t(triangles.size() / 3));
  }
  file.texts("mesh_name", names);
  file.integers("mesh_offsets", {offsets.size()}, offsets);
  file.integers("mesh_triangle_offsets", {triangle_offsets.size()}, triangle_offsets);
  file.integers("mesh_triangles", {triangles.size() / 3, 3}, triangles);
  const auto frames = std::size_t(footage.frames()), points = std::size_t(manifest.layout.mesh_points());
  std::vector<double> strains;
  file.begin("mesh_points", "<f8", {frames, points, 3});
  for (int k = 0; k < footage.frames() && points > 0; ++k) {
    const record::Snapshot snapshot = footage.read(k);
    file.add(bytes_of(snapshot.mesh_points));
    for (const float value : snapshot.mesh_values) strains.push_back(double(value));
  }
  file.end();
  file.reals("mesh_strain", {frames, points}, strains);
}

void write_poses(NpzFile& file, const Footage& footage) {
  std::vector<std::string> names;
  for (const SolidShape& solid : footage.solids()) names.push_back(solid.name);
  std::vector<double> places, turns;
  for (int k = 0; k < footage.frames(); ++k)
    for (const std::vector<capstan::Frame>& poses : footage.poses()) {
      const capstan::Frame& pose = poses[std::size_t(k)];
      const Eigen::Matrix3d rows = pose.R.transpose();  // numpy goes by rows
      places.insert(places.end(), pose.x.data(), pose.x.data() + 3);
      turns.insert(turns.end(), rows.data(), rows.data() + 9);
    }
  const auto frames = std::size_t(footage.frames()), solids = names.size();
  file.texts("solid_name", names);
  file.reals("solid_position", {frames, solids, 3}, places);
  file.reals("solid_rotation", {frames, solids, 3, 3}, turns);
}

}  // namespace

void write_npz(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress) {
  footage.begin(footage.manifest().meshes.empty() ? 1 : 2, progress);
  NpzFile file(folder / (footage.name() + ".npz"));
  write_times(file, footage);
  write_strands(file, footage);
  write_soft(file, footage);
  write_poses(file, footage);
  file.close();
}

}  // namespace capstan::exports

#include <map>

#include "capstan/errors.hpp"
#include "capstan/export/formats.hpp"
#include "capstan/export/poly_data.hpp"
#include "capstan/files/hdf5_access.hpp"

/// VTKHDF 2.0, PolyData with time steps: everything that changes is appended to one long array, and the group
/// Steps says where each step begins in it. Cells that stay the same are stored once.
/// Contacts, of which each frame has another number, are a second file.
namespace capstan::exports {
namespace {

using files::Hdf5Id;

void require(bool success, const std::string& what) {
  if (!success) throw InputError("vtkhdf: " + what + " cannot be written");
}

template <typename Number>
hid_t hdf5_type();
template <>
hid_t hdf5_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t hdf5_type<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
hid_t hdf5_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t hdf5_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}

/// A list of rows that grows.
class GrowingArray {
 public:
  GrowingArray(hid_t file, const std::string& path, hid_t type, hsize_t columns)
      : path_(path), columns_(columns), set_(make(file, path, type, columns), H5Dclose) {
    require(set_.valid(), path);
  }
  template <typename Number>
  void append(const std::vector<Number>& values) {
    const hsize_t more = values.size() / columns_;
    if (more == 0) return;
    const hsize_t size[2] = {rows_ + more, columns_}, start[2] = {rows_, 0}, count[2] = {more, columns_};
    const int rank = columns_ == 1 ? 1 : 2;
    require(H5Dset_extent(set_, size) >= 0, path_);
    const Hdf5Id space(H5Dget_space(set_), H5Sclose),
        memory(H5Screate_simple(rank, count, nullptr), H5Sclose);
    require(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0 &&
                H5Dwrite(set_, hdf5_type<Number>(), memory, space, H5P_DEFAULT, values.data()) >= 0,
            path_);
    rows_ += more;
  }
  std::int64_t rows() const { return std::int64_t(rows_); }

 private:
  static hid_t make(hid_t file, const std::string& path, hid_t type, hsize_t columns) {
    const int rank = columns == 1 ? 1 : 2;
    const hsize_t size[2] = {0, columns}, most[2] = {H5S_UNLIMITED, columns},
                  chunk[2] = {std::max<hsize_t>(1, 8192 / columns), columns};
    const Hdf5Id space(H5Screate_simple(rank, size, most), H5Sclose),
        create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_chunk(create, rank, chunk);
    H5Pset_create_intermediate_group(link, 1);
    return H5Dcreate2(file, path.c_str(), type, space, link, create, H5P_DEFAULT);
  }

  std::string path_;
  hsize_t columns_, rows_ = 0;
  Hdf5Id set_;
};

class VtkHdfFile {
 public:
  explicit VtkHdfFile(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
    require(file_.valid(), path.string());
    const Hdf5Id root(H5Gcreate2(file_, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose),
        steps(H5Gcreate2(root, "Steps", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    require(root.valid() && steps.valid(), "a group");
    set_version(root);
    set_type(root);
  }

  void add(const PolyData& data) {
    if (steps_ == 0) begin(data);
    const bool same = topology_ && data.lines.ends == topology_->lines.ends &&
                      data.polygons.ends == topology_->polygons.ends &&
                      data.lines.connectivity == topology_->lines.connectivity &&
                      data.polygons.connectivity == topology_->polygons.connectivity &&
                      data.vertices.ends == topology_->vertices.ends;
    if (!same) add_cells(data);
    append("Steps/Values", std::vector<double>{data.t});
    append("Steps/PartOffsets", std::vector<std::int64_t>{parts_ - 1});
    append("Steps/NumberOfParts", std::vector<std::int64_t>{1});
    append("Steps/PointOffsets", std::vector<std::int64_t>{array("Points").rows()});
    append("Steps/CellOffsets", cell_offsets_);
    append("Steps/ConnectivityIdOffsets", connectivity_offsets_);
    append("Points", data.points);
    for (const DataArray& values : data.point_data) add_values("PointData", values, true);
    for (const DataArray& values : data.cell_data) add_values("CellData", values, !same);
    ++steps_;
  }

  void close() {
    arrays_.clear();
    const Hdf5Id group(H5Gopen2(file_, "VTKHDF/Steps", H5P_DEFAULT), H5Gclose),
        space(H5Screate(H5S_SCALAR), H5Sclose),
        attribute(H5Acreate2(group, "NSteps", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    require(H5Awrite(attribute, H5T_NATIVE_INT64, &steps_) >= 0 && H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0,
            "the end of the file");
  }

 private:
  static constexpr const char* kSorts[4] = {"Vertices", "Lines", "Polygons", "Strips"};

  static void set_version(hid_t group) {
    const std::int64_t version[2] = {2, 0};
    const hsize_t two = 2;
    const Hdf5Id space(H5Screate_simple(1, &two, nullptr), H5Sclose),
        attribute(H5Acreate2(group, "Version", H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    require(H5Awrite(attribute, H5T_NATIVE_INT64, version) >= 0, "the version");
  }
  static void set_type(hid_t group) {
    const std::string type = "PolyData";
    const Hdf5Id text(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(text, type.size());
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    const Hdf5Id attribute(H5Acreate2(group, "Type", text, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    require(H5Awrite(attribute, text, type.data()) >= 0, "the type");
  }

  void make(const std::string& path, hid_t type, int columns = 1) {
    arrays_.try_emplace(path, file_, "VTKHDF/" + path, type, hsize_t(columns));
  }
  GrowingArray& array(const std::string& path) { return arrays_.at(path); }
  template <typename Number>
  void append(const std::string& path, const std::vector<Number>& values) {
    array(path).append(values);
  }

  void begin(const PolyData& data) {
    make("NumberOfPoints", H5T_STD_I64LE);
    make("Points", H5T_IEEE_F32LE, 3);
    for (const std::string sort : kSorts)
      for (const char* name : {"/NumberOfCells", "/NumberOfConnectivityIds", "/Connectivity", "/Offsets"})
        make(sort + name, H5T_STD_I64LE);
    make("Steps/Values", H5T_IEEE_F64LE);
    for (const char* name : {"Steps/PartOffsets", "Steps/NumberOfParts", "Steps/PointOffsets"})
      make(name, H5T_STD_I64LE);
    make("Steps/CellOffsets", H5T_STD_I64LE, 4);
    make("Steps/ConnectivityIdOffsets", H5T_STD_I64LE, 4);
    for (const auto& [group, list] :
         {std::pair("PointData", &data.point_data), std::pair("CellData", &data.cell_data)})
      for (const DataArray& values : *list) {
        make(std::string(group) + "/" + values.name, values.whole ? H5T_STD_I32LE : H5T_IEEE_F32LE,
             values.components);
        make("Steps/" + std::string(group) + "Offsets/" + values.name, H5T_STD_I64LE);
      }
  }

  void add_cells(const PolyData& data) {
    topology_ = PolyData{data.t, {}, data.vertices, data.lines, data.polygons, {}, {}};
    append("NumberOfPoints", std::vector<std::int64_t>{data.point_count()});
    ++parts_;
    const Cells none;
    const Cells* cells[4] = {&data.vertices, &data.lines, &data.polygons, &none};
    for (std::size_t sort = 0; sort < 4; ++sort) {
      const std::string group = kSorts[sort];
      // Each part has one more offset than cells: where a step begins is counted in cells.
      cell_offsets_[sort] = array(group + "/Offsets").rows() - (parts_ - 1);
      connectivity_offsets_[sort] = array(group + "/Connectivity").rows();
      std::vector<std::int64_t> offsets{0};
      offsets.insert(offsets.end(), cells[sort]->ends.begin(), cells[sort]->ends.end());
      append(group + "/NumberOfCells", std::vector<std::int64_t>{std::int64_t(cells[sort]->ends.size())});
      append(group + "/NumberOfConnectivityIds",
             std::vector<std::int64_t>{std::int64_t(cells[sort]->connectivity.size())});
      append(group + "/Connectivity", cells[sort]->connectivity);
      append(group + "/Offsets", offsets);
    }
  }

  void add_values(const std::string& group, const DataArray& values, bool changed) {
    const std::string path = group + "/" + values.name, steps = "Steps/" + group + "Offsets/" + values.name;
    if (changed) {
      begins_[path] = array(path).rows();
      if (values.whole)
        append(path, values.integers);
      else
        append(path, values.reals);
    }
    append(steps, std::vector<std::int64_t>{begins_[path]});
  }

  const files::Hdf5Session session_;
  Hdf5Id file_;
  std::map<std::string, GrowingArray> arrays_;
  std::map<std::string, std::int64_t> begins_;
  std::optional<PolyData> topology_;  // of the step before, without its points
  std::vector<std::int64_t> cell_offsets_ = {0, 0, 0, 0}, connectivity_offsets_ = {0, 0, 0, 0};
  std::int64_t parts_ = 0, steps_ = 0;
};

}  // namespace

void write_vtkhdf(Footage& footage, const std::filesystem::path& folder, const ProgressCall& progress) {
  const auto write = [&](const std::string& what,
                         const std::function<PolyData(const record::Snapshot&)>& data) {
    VtkHdfFile file(folder / (footage.name() + what + ".vtkhdf"));
    for (int k = 0; k < footage.frames(); ++k) file.add(data(footage.read(k)));
    file.close();
  };
  footage.begin(2, progress);
  write("", [&](const record::Snapshot& snapshot) { return bodies_data(footage, snapshot); });
  if (footage.survey().has_contacts) write("_contacts", contacts_data);
}

}  // namespace capstan::exports

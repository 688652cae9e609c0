#include "capstan/files/hdf5_access.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "capstan/errors.hpp"
#include "capstan/files/isolated.hpp"
#include "capstan/files/stored_problem.hpp"

namespace capstan::files {
namespace {

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// HDF5 takes two open files in memory of the same name for one.
std::string unique_name() {
  static std::atomic<unsigned long> count{0};
  return "capstan-image-" + std::to_string(count++);
}

Hdf5Id in_memory() {
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t kGrowth = 1 << 20;
  constexpr bool kToDisk = false;
  H5Pset_fapl_core(access, kGrowth, kToDisk);
  return access;
}

Hdf5Id open_image(std::string_view image) {
  const Hdf5Id access = in_memory();
  H5Pset_file_image(access, const_cast<char*>(image.data()), image.size());  // copied, not changed
  return {H5Fopen(unique_name().c_str(), H5F_ACC_RDONLY, access), H5Fclose};
}

std::string shape_text(const std::vector<hsize_t>& shape) {
  if (shape.empty()) return "a single value";
  std::string result;
  for (const hsize_t size : shape) result += (result.empty() ? "" : " x ") + std::to_string(size);
  return result + (shape.size() == 1 ? " entries" : " entries in a table");
}

std::vector<hsize_t> shape_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> shape(rank > 0 ? rank : 0);
  if (rank > 0) H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  return shape;
}

}  // namespace

Hdf5Session::Hdf5Session() : lock_(hdf5_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

Hdf5Reader::Hdf5Reader(std::string_view image, std::string name)
    : name_(std::move(name)), image_size_(image.size()), file_(open_image(image)) {
  if (!file_.valid()) throw InputError(name_ + ": is damaged or truncated: HDF5 cannot open it");
}

void Hdf5Reader::refuse(const std::string& path, const std::string& message) const {
  throw InputError(name_ + ":" + path + ": " + message);
}

bool Hdf5Reader::has(const std::string& path) const {
  // H5Lexists wants every group on the way to exist.
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file_, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

Hdf5Id Hdf5Reader::open(const std::string& path) const {
  if (!has(path)) refuse(path, "is missing");
  Hdf5Id dataset(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) refuse(path, "cannot be opened, expected a dataset");
  return dataset;
}

void Hdf5Reader::check_class(const std::string& path, hid_t dataset, H5T_class_t expected,
                             const char* words) const {
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
  if (!type.valid() || H5Tget_class(type) != expected)
    refuse(path, std::string("has another type, expected ") + words);
  // The library makes room for a thousand entries of any size a damaged header names.
  constexpr std::size_t kWidestNumber = 16;
  if (expected != H5T_STRING && H5Tget_size(type) > kWidestNumber)
    refuse(path, "has entries of " + std::to_string(H5Tget_size(type)) + " bytes, expected " + words);
}

std::size_t Hdf5Reader::check_shape(const std::string& path, hid_t dataset,
                                    std::initializer_list<int> expected) const {
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
  if (!space.valid() || H5Sget_simple_extent_type(space) != H5S_SIMPLE)
    refuse(path, "has no shape, expected a list");
  const std::vector<hsize_t> found = shape_of(space);
  const bool any_length = *expected.begin() < 0;
  if (any_length && found.size() != 1) refuse(path, "has " + shape_text(found) + ", expected a list");
  const std::vector<hsize_t> wanted =
      any_length ? found : std::vector<hsize_t>(expected.begin(), expected.end());
  if (found != wanted) refuse(path, "has " + shape_text(found) + ", expected " + shape_text(wanted));
  std::size_t count = 1;
  for (const hsize_t size : wanted) count *= size;
  check_storage(path, dataset, count);
  return count;
}

void Hdf5Reader::check_storage(const std::string& path, hid_t dataset, std::size_t count) const {
  // A dataset may declare any size without a byte behind it. An entry for each byte of the file is room
  // enough for compressed numbers, and small files may have 2^17 in any case.
  constexpr std::size_t kAlwaysAllowed = 1 << 17;
  const std::size_t stored = std::min<std::size_t>(H5Dget_storage_size(dataset), image_size_);
  constexpr std::size_t kLargestCompression = 1032;  // of deflate, the densest usual filter
  if (count > image_size_ && count > std::min(kAlwaysAllowed, stored * kLargestCompression))
    refuse(path, "declares " + std::to_string(count) + " entries, but the file has only " +
                     std::to_string(stored) + " bytes for them");
}

void Hdf5Reader::read(const std::string& path, hid_t dataset, hid_t type, void* data) const {
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    refuse(path, "is damaged: HDF5 cannot read its values");
}

int Hdf5Reader::integer(const std::string& path, int low, int high) const {
  const Hdf5Id dataset = open(path);
  check_class(path, dataset, H5T_INTEGER, "an integer");
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1)
    refuse(path, "has " + shape_text(shape_of(space)) + ", expected 1");
  long long value = 0;
  read(path, dataset, H5T_NATIVE_LLONG, &value);
  if (value >= low && value <= high) return static_cast<int>(value);
  const bool bounded = high != std::numeric_limits<int>::max();
  refuse(path, "is " + std::to_string(value) + ", expected an integer " +
                   (bounded ? "from " + std::to_string(low) + " to " + std::to_string(high)
                            : ">= " + std::to_string(low)));
}

std::vector<int> Hdf5Reader::integers(const std::string& path, int size) const {
  const Hdf5Id dataset = open(path);
  check_class(path, dataset, H5T_INTEGER, "integers");
  std::vector<int> values(check_shape(path, dataset, {size}));
  if (values.empty()) return values;
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose);
  if (H5Tequal(type, H5T_NATIVE_INT) > 0) {
    read(path, dataset, H5T_NATIVE_INT, values.data());
    return values;
  }
  std::vector<long long> wide(values.size());  // HDF5 would clip what does not fit, and say nothing
  read(path, dataset, H5T_NATIVE_LLONG, wide.data());
  for (std::size_t k = 0; k < wide.size(); ++k) {
    if (wide[k] != static_cast<int>(wide[k]))
      refuse(path,
             "entry " + std::to_string(k) + " is " + std::to_string(wide[k]) + ", expected a 32-bit integer");
    values[k] = static_cast<int>(wide[k]);
  }
  return values;
}

std::vector<double> Hdf5Reader::reals(const std::string& path, std::initializer_list<int> shape) const {
  const Hdf5Id dataset = open(path);
  check_class(path, dataset, H5T_FLOAT, "floating-point numbers");
  std::vector<double> values(check_shape(path, dataset, shape));
  if (!values.empty()) read(path, dataset, H5T_NATIVE_DOUBLE, values.data());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      refuse(path, "entry " + std::to_string(k) + " is " + to_text(values[k]) + ", expected a finite number");
  return values;
}

Eigen::VectorXd Hdf5Reader::vector(const std::string& path, int size) const {
  const std::vector<double> values = reals(path, {size});
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::string Hdf5Reader::text(const std::string& path) const {
  const Hdf5Id dataset = open(path);
  check_class(path, dataset, H5T_STRING, "a text");
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose), type(H5Dget_type(dataset), H5Tclose);
  if (H5Sget_simple_extent_npoints(space) != 1)
    refuse(path, "has " + shape_text(shape_of(space)) + ", expected one text");
  if (H5Tis_variable_str(type) > 0) {
    char* data = nullptr;
    read(path, dataset, type, &data);
    std::string result = data ? data : "";
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &data);
    return result;
  }
  const std::size_t size = H5Tget_size(type);
  if (size > image_size_) refuse(path, "is longer than the file");
  std::string result(size, '\0');
  read(path, dataset, type, result.data());
  return result.substr(0, result.find('\0'));
}

std::string read_isolated(std::string_view image, const std::string& name,
                          const std::function<std::string(const Hdf5Reader&)>& work) {
  // Held while the child is made: it must not inherit a mutex that a thread which it does not have would
  // unlock. HDF5 is also set up once here, and not in every child.
  const Hdf5Session session;
  return in_child_process(name, image.size(), [&] { return work(Hdf5Reader(image, name)); });
}

Hdf5Writer::Hdf5Writer(std::string name)
    : name_(std::move(name)),
      file_(H5Fcreate(unique_name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, in_memory()), H5Fclose) {
  if (!file_.valid()) throw InputError(name_ + ": cannot be written: HDF5 cannot make a file in memory");
}

void Hdf5Writer::write(const std::string& path, hid_t type, hid_t space, const void* data) {
  const Hdf5Id links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, 0);  // the same contents are the same bytes
  const Hdf5Id dataset(H5Dcreate2(file_, path.c_str(), type, space, links, creation, H5P_DEFAULT), H5Dclose);
  const bool nothing = H5Sget_simple_extent_npoints(space) == 0;
  if (!dataset.valid() || (!nothing && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
    throw InputError(name_ + ":" + path + ": cannot be written by HDF5");
}

void Hdf5Writer::integers(const std::string& path, const std::vector<int>& values) {
  const hsize_t size = values.size();
  write(path, H5T_NATIVE_INT, Hdf5Id(H5Screate_simple(1, &size, nullptr), H5Sclose), values.data());
}

void Hdf5Writer::reals(const std::string& path, const double* values,
                       std::initializer_list<std::size_t> shape) {
  const std::vector<hsize_t> sizes(shape.begin(), shape.end());
  const Hdf5Id space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose);
  write(path, H5T_NATIVE_DOUBLE, space, values);
}

void Hdf5Writer::vector(const std::string& path, const Eigen::VectorXd& values) {
  reals(path, values.data(), {static_cast<std::size_t>(values.size())});
}

void Hdf5Writer::text(const std::string& path, const std::string& value) {
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type, value.size() + 1);
  const bool ascii = std::all_of(value.begin(), value.end(), [](char c) { return c >= 0; });
  if (!ascii) H5Tset_cset(type, H5T_CSET_UTF8);
  write(path, type, space, value.c_str());
}

std::string Hdf5Writer::image() {
  H5Fflush(file_, H5F_SCOPE_GLOBAL);
  const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
  std::string bytes(size > 0 ? size : 0, '\0');
  if (size <= 0 || H5Fget_file_image(file_, bytes.data(), bytes.size()) != size)
    throw InputError(name_ + ": cannot be written: HDF5 gives no image of the file");
  return bytes;
}

}  // namespace capstan::files

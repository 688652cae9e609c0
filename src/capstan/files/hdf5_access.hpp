#pragma once
#include <hdf5.h>

#include <Eigen/Core>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the readers and writers need of the HDF5 C library, without its habits: identifiers close themselves,
/// nothing is printed, and files live in memory, so that the disk is touched in one place only
/// (whole_file.hpp) and no lock or half-written file can be left behind.
namespace capstan::files {

/// An HDF5 identifier with the function that closes it.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  ~Hdf5Id() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

/// While it lives, HDF5 prints nothing and other threads of ours wait.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Datasets of a file image by absolute path. Refusals are InputErrors `name:/group/dataset: ...`. For the
/// work of read_isolated(), which also holds the session.
class Hdf5Reader {
 public:
  Hdf5Reader(std::string_view image, std::string name);

  bool has(const std::string& path) const;
  int integer(const std::string& path, int low, int high) const;  ///< one number, of any shape
  std::vector<int> integers(const std::string& path, int size) const;
  /// Finite numbers in row-major order. A size < 0 accepts any.
  std::vector<double> reals(const std::string& path, std::initializer_list<int> shape) const;
  Eigen::VectorXd vector(const std::string& path, int size) const;
  std::string text(const std::string& path) const;

  [[noreturn]] void refuse(const std::string& path, const std::string& message) const;

 private:
  Hdf5Id open(const std::string& path) const;
  void check_class(const std::string& path, hid_t dataset, H5T_class_t expected, const char* words) const;
  /// Number of entries; refuses another shape, and more entries than the file can hold.
  std::size_t check_shape(const std::string& path, hid_t dataset, std::initializer_list<int> shape) const;
  void check_storage(const std::string& path, hid_t dataset, std::size_t count) const;
  void read(const std::string& path, hid_t dataset, hid_t type, void* data) const;

  std::string name_;
  std::size_t image_size_;
  Hdf5Id file_;
};

/// Returns the bytes that `work` makes of an image, in a child process: the HDF5 library was not written for
/// damaged files and may crash, write where it must not, or take all memory. Throws the InputErrors of
/// `work`, and one if the library does any of this.
std::string read_isolated(std::string_view image, const std::string& name,
                          const std::function<std::string(const Hdf5Reader&)>& work);

/// Makes a file image. Groups on the way to a dataset are made as needed.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(std::string name);

  void integers(const std::string& path, const std::vector<int>& values);
  void integer(const std::string& path, int value) { integers(path, {value}); }
  void reals(const std::string& path, const double* values, std::initializer_list<std::size_t> shape);
  void vector(const std::string& path, const Eigen::VectorXd& values);
  void text(const std::string& path, const std::string& value);
  std::string image();

 private:
  void write(const std::string& path, hid_t type, hid_t space, const void* data);

  Hdf5Session session_;
  std::string name_;
  Hdf5Id file_;
};

}  // namespace capstan::files

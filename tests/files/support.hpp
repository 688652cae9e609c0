#pragma once
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "capstan/errors.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/solve/solver.hpp"
#include "support/scratch.hpp"

namespace capstan::test {

using testing_support::contents;
using testing_support::Scratch;
using testing_support::set_contents;

inline Eigen::MatrixXd random_matrix(int rows, int columns, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator); });
}

inline Eigen::MatrixXd random_positive(int size, std::mt19937& generator) {
  const Eigen::MatrixXd A = random_matrix(size, size, generator);
  return A * A.transpose() + Eigen::MatrixXd::Identity(size, size);
}

inline std::vector<ContactLaw> random_coulomb(int contacts, std::mt19937& generator) {
  std::uniform_real_distribution<double> mu(0.0, 1.0);
  std::vector<ContactLaw> laws;
  for (int i = 0; i < contacts; ++i) laws.push_back(ContactLaw::coulomb(mu(generator)));
  return laws;
}

/// Form (2), not symmetric, with the first and the last contact uncoupled.
inline ContactProblem sample_local(int dimension, int contacts, unsigned seed = 1) {
  std::mt19937 generator(seed);
  Eigen::MatrixXd W = random_positive(dimension * contacts, generator);
  if (contacts > 1) {
    W.topRightCorner(dimension, dimension).setZero();
    W.bottomLeftCorner(dimension, dimension).setZero();
  }
  W *= 1 / 3.0;
  return ContactProblem::from_delassus(BlockMatrix::from_dense(W, dimension),
                                       random_matrix(dimension * contacts, 1, generator),
                                       random_coulomb(contacts, generator));
}

/// Form (1): a chain of bodies, each touching the next.
inline ContactProblem sample_global(int dimension, int contacts, unsigned seed = 1) {
  std::mt19937 generator(seed);
  const int dofs = dimension == 2 ? 3 : 6;
  std::vector<Eigen::MatrixXd> blocks;
  std::vector<int> start{0};
  for (int body = 0; body <= contacts; ++body) {
    blocks.push_back(random_positive(dofs, generator));
    start.push_back(start.back() + dofs);
  }
  ContactJacobian H(dimension, start);
  for (int i = 0; i < contacts; ++i) {
    H.add_contact();
    H.add_block(i, random_matrix(dimension, dofs, generator));
    H.add_block(i + 1, random_matrix(dimension, dofs, generator));
  }
  return ContactProblem::from_mass(
      MassMatrix::block_diagonal(blocks), random_matrix(start.back(), 1, generator), H,
      random_matrix(dimension * contacts, 1, generator), random_coulomb(contacts, generator));
}

inline bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == b.size() &&
         (a.size() == 0 || std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0);
}

template <class Sparse>
bool same_bits_in_matrix(Sparse a, Sparse b) {
  a.prune([](auto, auto, double value) { return value != 0; });
  b.prune([](auto, auto, double value) { return value != 0; });
  if (a.rows() != b.rows() || a.cols() != b.cols() || a.nonZeros() != b.nonZeros()) return false;
  const std::size_t entries = a.nonZeros(), outer = a.outerSize() + 1;
  return std::equal(a.outerIndexPtr(), a.outerIndexPtr() + outer, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + entries, b.innerIndexPtr()) &&
         (entries == 0 || std::memcmp(a.valuePtr(), b.valuePtr(), sizeof(double) * entries) == 0);
}

inline void expect_same_laws(const ContactProblem& a, const ContactProblem& b) {
  const int d = a.dimension();
  for (int i = 0; i < a.contacts(); ++i) {
    for (int k = 0; k < d - 1; ++k) EXPECT_EQ(a.law(i).friction[k], b.law(i).friction[k]) << "contact " << i;
    EXPECT_TRUE(same_bits(a.law(i).traction.head(d), b.law(i).traction.head(d))) << "contact " << i;
    EXPECT_TRUE(same_bits(a.law(i).shift.head(d), b.law(i).shift.head(d))) << "contact " << i;
  }
}

/// The same problem bit by bit; only zeros may be stored or not.
inline void expect_same(const ContactProblem& a, const ContactProblem& b) {
  ASSERT_EQ(a.dimension(), b.dimension());
  ASSERT_EQ(a.contacts(), b.contacts());
  ASSERT_EQ(a.has_mass(), b.has_mass());
  expect_same_laws(a, b);
  if (a.has_mass()) {
    EXPECT_TRUE(same_bits_in_matrix(a.mass().matrix(), b.mass().matrix()));
    EXPECT_TRUE(same_bits_in_matrix(a.H().sparse(), b.H().sparse()));
    EXPECT_TRUE(same_bits(a.f(), b.f()));
    EXPECT_TRUE(same_bits(a.w(), b.w()));
  } else {
    EXPECT_TRUE(same_bits_in_matrix(a.W().sparse(), b.W().sparse()));
    EXPECT_TRUE(same_bits(a.b(), b.b()));
  }
}

/// The message of the InputError that `action` throws, or a failure.
inline std::string refusal_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

/// Contents are refused with a message that has all these words; nothing is printed and no HDF5 object stays
/// open.
inline void expect_refused(const std::string& contents, const std::vector<std::string>& words) {
  testing::internal::CaptureStderr();
  const std::string message = refusal_of([&] { parse_problem(contents, "some.file"); });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
  EXPECT_EQ(message.rfind("some.file", 0), 0u) << message;
  for (const std::string& word : words)
    EXPECT_NE(message.find(word), std::string::npos) << message << "\nlacks " << word;
}

/// An FCLib file in memory, for tests to damage.
class Image {
 public:
  explicit Image(const ContactProblem& problem, const Solution* solution = nullptr) {
    const Scratch scratch;
    write_fclib(scratch / "sample.hdf5", problem, solution);
    open(contents(scratch / "sample.hdf5"));
  }
  explicit Image(const std::string& bytes) { open(bytes); }
  ~Image() {
    if (file_ >= 0) H5Fclose(file_);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  Image& remove(const std::string& path) {
    EXPECT_GE(H5Ldelete(file_, path.c_str(), H5P_DEFAULT), 0) << path;
    return *this;
  }
  Image& integers(const std::string& path, const std::vector<int>& values, hid_t type = H5T_NATIVE_INT) {
    return replace(path, type, H5T_NATIVE_INT, {values.size()}, values.data());
  }
  Image& wide_integers(const std::string& path, const std::vector<long long>& values) {
    return replace(path, H5T_NATIVE_LLONG, H5T_NATIVE_LLONG, {values.size()}, values.data());
  }
  Image& reals(const std::string& path, const std::vector<double>& values, hid_t type = H5T_NATIVE_DOUBLE) {
    return replace(path, type, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
  }
  /// Declares a size without writing any value.
  Image& declare(const std::string& path, hid_t type, std::vector<hsize_t> shape) {
    return replace(path, type, type, std::move(shape), nullptr);
  }
  Image& text(const std::string& path, const std::string& value) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, value.size() + 1);
    replace(path, type, type, {1}, value.c_str());
    H5Tclose(type);
    return *this;
  }
  /// A string of variable length, as h5py writes them.
  Image& variable_text(const std::string& path, const char* value) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    replace(path, type, type, {1}, &value);
    H5Tclose(type);
    return *this;
  }
  Image& group(const std::string& path) {
    if (H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0) remove(path);
    H5Gclose(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return *this;
  }
  /// Closes the file; the object is of no more use.
  std::string take() {
    H5Fflush(file_, H5F_SCOPE_GLOBAL);
    std::string bytes(H5Fget_file_image(file_, nullptr, 0), '\0');
    H5Fget_file_image(file_, bytes.data(), bytes.size());
    H5Fclose(file_);
    file_ = -1;
    return bytes;
  }

 private:
  void open(const std::string& bytes) {
    static int count = 0;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, false);
    H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size());
    file_ = H5Fopen(("test-image-" + std::to_string(count++)).c_str(), H5F_ACC_RDWR, access);
    H5Pclose(access);
    EXPECT_GE(file_, 0);
  }
  Image& replace(const std::string& path, hid_t file_type, hid_t type, std::vector<hsize_t> shape,
                 const void* data) {
    if (H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0) remove(path);
    const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
    const hid_t dataset =
        H5Dcreate2(file_, path.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(dataset, 0) << path;
    if (data && H5Sget_simple_extent_npoints(space) > 0) {
      EXPECT_GE(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0) << path;
    }
    H5Dclose(dataset);
    H5Sclose(space);
    return *this;
  }
  hid_t file_ = -1;
};

}  // namespace capstan::test

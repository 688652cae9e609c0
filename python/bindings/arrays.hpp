#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <vector>

/// Between numpy and Eigen. What comes in is read where it is; what goes out is moved, not copied.
namespace capstan::python {

namespace nb = nanobind;

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;  ///< in any order
using Stack = nb::ndarray<const double, nb::ndim<3>, nb::device::cpu>;   ///< the same

using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
using MatrixView = Eigen::Map<const Eigen::MatrixXd, 0, Strides>;
using VectorView = Eigen::Map<const Eigen::VectorXd, 0, Eigen::InnerStride<>>;

inline Eigen::Map<const Eigen::VectorXd> view(const Vector& a) {
  return {a.data(), Eigen::Index(a.shape(0))};
}

inline MatrixView view(const Matrix& a) {
  return {a.data(), Eigen::Index(a.shape(0)), Eigen::Index(a.shape(1)), Strides(a.stride(1), a.stride(0))};
}

/// One matrix of a stack.
inline MatrixView view(const Stack& a, Eigen::Index k) {
  return {a.data() + k * a.stride(0), Eigen::Index(a.shape(1)), Eigen::Index(a.shape(2)),
          Strides(a.stride(2), a.stride(1))};
}

/// One row of a matrix.
inline VectorView row(const Matrix& a, Eigen::Index k) {
  return {a.data() + k * a.stride(0), Eigen::Index(a.shape(1)), Eigen::InnerStride<>(a.stride(1))};
}

template <class T, std::size_t D>
using Numpy = nb::ndarray<nb::numpy, T, nb::ndim<D>>;

/// An array that owns what was in `values`; its size is the product of the shape.
template <class Values, std::size_t D>
auto to_numpy(Values values, const std::array<std::size_t, D>& shape) {
  using T = std::remove_reference_t<decltype(*values.data())>;
  auto owner = std::make_unique<Values>(std::move(values));
  T* data = owner->data();
  nb::capsule capsule(owner.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
  owner.release();
  return Numpy<T, D>(data, D, shape.data(), capsule);
}

template <class Values>
auto to_numpy(Values values) {
  const std::array shape{std::size_t(values.size())};
  return to_numpy(std::move(values), shape);
}

/// One row a vector: columns of a matrix are rows of the array.
inline Numpy<double, 2> rows_to_numpy(Eigen::MatrixXd columns) {
  const std::array shape{std::size_t(columns.cols()), std::size_t(columns.rows())};
  return to_numpy(std::move(columns), shape);
}

/// One row for each of `count`, by a function of its number that gives a vector of `size`.
template <class Row>
Numpy<double, 2> rows_of(std::size_t count, int size, const Row& row) {
  Eigen::MatrixXd columns(size, Eigen::Index(count));
  for (std::size_t k = 0; k < count; ++k) columns.col(Eigen::Index(k)) = row(k);
  return rows_to_numpy(std::move(columns));
}

/// w, x, y, z.
inline Eigen::Vector4d quaternion_of(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return {q.w(), q.x(), q.y(), q.z()};
}

}  // namespace capstan::python

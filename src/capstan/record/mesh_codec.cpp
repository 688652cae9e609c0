#include "capstan/record/mesh_codec.hpp"

#include <algorithm>
#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/record/byte_planes.hpp"
#include "capstan/record/point_codec.hpp"

namespace capstan::record {
namespace {

constexpr float kStepsAnOctave = 12, kLowestOctave = -18;
constexpr float kLargestCode = 255;

std::vector<std::uint8_t> codes_of(const Eigen::VectorXf& values, int count) {
  if (values.size() == 0) return std::vector<std::uint8_t>(static_cast<std::size_t>(count));
  if (values.size() != count)
    throw InputError("frame: has " + std::to_string(values.size()) + " values of mesh points, expected " +
                     std::to_string(count));
  std::vector<std::uint8_t> codes;
  for (int k = 0; k < count; ++k) {
    if (!(values[k] >= 0) || !std::isfinite(values[k]))
      throw InputError("frame: the value of mesh point " + std::to_string(k) + " is " +
                       std::to_string(values[k]) + ", expected a finite number >= 0");
    codes.push_back(value_code(values[k]));
  }
  return codes;
}

/// Against the same vertex in the frame before. Differences wrap at 8 bits: one byte plane holds them.
void put_values(ByteWriter& out, std::span<const LatticeFrame> frames) {
  std::vector<std::uint32_t> values;
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t k = 0; k < frames[f].mesh_values.size(); ++k) {
      const int last = f > 0 ? frames[f - 1].mesh_values[k] : 0;
      const auto difference = static_cast<std::int8_t>(frames[f].mesh_values[k] - last);
      values.push_back(zigzag(static_cast<std::uint32_t>(difference)));
    }
  put_planes(out, values);
}

void get_values(ByteReader& in, std::size_t count, std::span<LatticeFrame> frames) {
  const std::vector<std::uint32_t> values = get_planes(in, count * frames.size());
  for (std::size_t f = 0; f < frames.size(); ++f) {
    frames[f].mesh_values.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t last = f > 0 ? frames[f - 1].mesh_values[k] : 0;
      frames[f].mesh_values[k] = static_cast<std::uint8_t>(last + unzigzag(values[f * count + k]));
    }
  }
}

}  // namespace

std::uint8_t value_code(float value) {
  if (!(value > 0)) return 0;
  const float code = 1 + std::round(kStepsAnOctave * (std::log2(value) - kLowestOctave));
  return static_cast<std::uint8_t>(std::clamp(code, 0.0f, kLargestCode));
}

float value_of_code(std::uint8_t code) {
  return code == 0 ? 0 : std::exp2((static_cast<float>(code) - 1) / kStepsAnOctave + kLowestOctave);
}

Eigen::VectorXf values_from_codes(const std::vector<std::uint8_t>& codes) {
  Eigen::VectorXf values(static_cast<Eigen::Index>(codes.size()));
  for (std::size_t k = 0; k < codes.size(); ++k)
    values[static_cast<Eigen::Index>(k)] = value_of_code(codes[k]);
  return values;
}

void set_meshes(LatticeFrame& frame, const FrameLayout& layout, const Snapshot& snapshot) {
  if (snapshot.mesh_points.cols() != layout.mesh_points())
    throw InputError("frame: has " + std::to_string(snapshot.mesh_points.cols()) + " mesh points, expected " +
                     std::to_string(layout.mesh_points()));
  frame.mesh_points = points_to_lattice(snapshot.mesh_points, layout.step, "mesh point");
  frame.mesh_values = codes_of(snapshot.mesh_values, layout.mesh_points());
}

void put_meshes(ByteWriter& out, const FrameLayout& layout, std::span<const LatticeFrame> frames) {
  put_points(out, layout.points_per_mesh, frames, &LatticeFrame::mesh_points);
  put_values(out, frames);
}

void get_meshes(ByteReader& in, const FrameLayout& layout, std::span<LatticeFrame> frames) {
  get_points(in, layout.points_per_mesh, frames, &LatticeFrame::mesh_points);
  get_values(in, static_cast<std::size_t>(layout.mesh_points()), frames);
}

}  // namespace capstan::record

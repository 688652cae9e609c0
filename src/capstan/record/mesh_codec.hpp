#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "capstan/record/bytes.hpp"
#include "capstan/record/frame_codec.hpp"

/// Soft bodies in frames: the places of their vertices and one number each.
namespace capstan::record {

constexpr int kFirstWithMeshes = 4;  ///< version of frames.bin

/// Strains go over many powers of ten, and all of them are looked at: twelve steps double the value. Code 0
/// is 0, code q stands for 2^((q - 1)/12 - 18), from 3.8e-6 to 9; what is smaller is 0, what is larger is 9.
std::uint8_t value_code(float value);
float value_of_code(std::uint8_t code);
Eigen::VectorXf values_from_codes(const std::vector<std::uint8_t>& codes);

/// Refuses wrong sizes, and values that are negative or not finite.
void set_meshes(LatticeFrame& frame, const FrameLayout& layout, const Snapshot& snapshot);

void put_meshes(ByteWriter& out, const FrameLayout& layout, std::span<const LatticeFrame> frames);
void get_meshes(ByteReader& in, const FrameLayout& layout, std::span<LatticeFrame> frames);

}  // namespace capstan::record

#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "capstan/record/bytes.hpp"
#include "capstan/record/frame_codec.hpp"

/// Places of points in chains: along a strand, or by the index of a mesh's vertices. Neighbours in a chain
/// and in time are near each other.
namespace capstan::record {

/// A place as a multiple of the step; InputError, naming `what` and its index, if it is too far away.
std::int32_t lattice_coordinate(double x, double step, const char* what, int index);

/// x of all points, then y, then z.
std::vector<std::int32_t> points_to_lattice(const Eigen::Matrix3Xd& points, double step, const char* what);
Eigen::Matrix3Xd points_from_lattice(const std::vector<std::int32_t>& points, double step);

/// Which points of a frame.
using FramePoints = std::vector<std::int32_t> LatticeFrame::*;

/// `counts`: how many points each chain has.
void put_points(ByteWriter& out, std::span<const int> counts, std::span<const LatticeFrame> frames,
                FramePoints points);
void get_points(ByteReader& in, std::span<const int> counts, std::span<LatticeFrame> frames,
                FramePoints points);

}  // namespace capstan::record

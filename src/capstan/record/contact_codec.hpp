#pragma once
#include <span>
#include <vector>

#include "capstan/record/bytes.hpp"
#include "capstan/record/frame_codec.hpp"

/// Contacts as columns of numbers: places, forces, names, states, and from version 3 on friction cones.
namespace capstan::record {

/// A place as a multiple of the step; InputError, naming `what` and its index, if it is too far away.
std::int32_t lattice_coordinate(double x, double step, const char* what, int index);

LatticeContact contact_to_lattice(const RecordedContact& contact, double step, int index);
RecordedContact contact_from_lattice(const LatticeContact& contact, double step);

void put_contacts(ByteWriter& out, int version, std::span<const LatticeFrame> frames);
void get_contacts(ByteReader& in, int version, std::span<LatticeFrame> frames);

}  // namespace capstan::record

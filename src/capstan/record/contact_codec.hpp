#pragma once
#include <span>
#include <vector>

#include "capstan/record/bytes.hpp"
#include "capstan/record/frame_codec.hpp"

/// Contacts as columns of numbers: places, forces, names, states, from version 3 on friction cones,
/// from version 4 on bonds.
namespace capstan::record {

LatticeContact contact_to_lattice(const RecordedContact& contact, double step, int index);
RecordedContact contact_from_lattice(const LatticeContact& contact, double step);

void put_contacts(ByteWriter& out, int version, std::span<const LatticeFrame> frames);
void get_contacts(ByteReader& in, int version, std::span<LatticeFrame> frames);

}  // namespace capstan::record

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
/// Refuses more contacts than `most_bytes` of memory hold, as a column of zeros costs nothing in the file.
void get_contacts(ByteReader& in, int version, std::uint64_t most_bytes, std::span<LatticeFrame> frames);
/// Returns the memory that the contacts of all frames take.
std::uint64_t bytes_of_contacts(std::span<const LatticeFrame> frames);

}  // namespace capstan::record

#include "capstan/files/hair.hpp"

#include "capstan/errors.hpp"
#include "capstan/files/byte_reader.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan {
namespace {

enum Flag : std::uint32_t { kSegments = 1, kPoints = 2, kThickness = 4, kTransparency = 8, kColour = 16 };

struct Header {
  std::uint64_t strands, points;  // wide: what follows multiplies them
  std::uint32_t flags, segments;
};

Header read_header(files::ByteReader& reader, HairFile& file) {
  if (reader.left() < 4 || reader.text(4) != "HAIR") reader.fail("does not begin with 'HAIR'");
  Header header;
  header.strands = reader.u32();
  header.points = reader.u32();
  header.flags = reader.u32();
  header.segments = reader.u32();
  file.default_thickness = reader.f32();
  for (int i = 0; i < 4; ++i) reader.f32();  // transparency and colour
  const std::string_view text = reader.text(88);
  file.information = std::string(text.substr(0, text.find('\0')));
  return header;
}

/// Sizes are checked before anything is allocated: a damaged header must not ask for all memory.
void check_size(const files::ByteReader& reader, const Header& header) {
  if (header.flags >= 32)
    reader.fail("flags are " + std::to_string(header.flags) + ", expected less than 32");
  if (!(header.flags & kPoints)) reader.fail("the file has no points");
  std::uint64_t size = 12 * header.points;
  if (header.flags & kSegments) size += 2 * header.strands;
  if (header.flags & kThickness) size += 4 * header.points;
  if (header.flags & kTransparency) size += 4 * header.points;
  if (header.flags & kColour) size += 12 * header.points;
  if (size != reader.left())
    reader.fail(std::to_string(reader.left()) + " bytes follow, expected " + std::to_string(size) + " for " +
                std::to_string(header.strands) + " strands with " + std::to_string(header.points) +
                " points");
}

std::vector<std::uint64_t> read_counts(files::ByteReader& reader, const Header& header) {
  // Without the array the strands are all alike, so that too many of them show without making a list.
  if (!(header.flags & kSegments) && header.strands * (std::uint64_t(header.segments) + 1) != header.points)
    reader.fail(std::to_string(header.strands) + " strands of " + std::to_string(header.segments) +
                " segments do not have " + std::to_string(header.points) + " points");
  std::vector<std::uint64_t> counts(header.strands, std::uint64_t(header.segments) + 1);
  if (!(header.flags & kSegments)) return counts;
  std::uint64_t total = 0;
  for (std::uint64_t& count : counts) total += count = std::uint64_t(reader.u16()) + 1;
  if (total != header.points)
    reader.fail("the strands have " + std::to_string(total) + " points together, expected " +
                std::to_string(header.points));
  return counts;
}

template <typename Number>
void put_raw(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

HairFile parse_hair(std::string_view bytes, const std::string& name) {
  files::ByteReader reader(bytes, name);
  HairFile file;
  const Header header = read_header(reader, file);
  check_size(reader, header);
  const std::vector<std::uint64_t> counts = read_counts(reader, header);
  for (const std::uint64_t count : counts) {
    auto& strand = file.strands.emplace_back();
    strand.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i) strand.push_back(reader.point());
  }
  if (!(header.flags & kThickness)) return file;
  for (const std::uint64_t count : counts) {
    auto& strand = file.thickness.emplace_back();
    for (std::uint64_t i = 0; i < count; ++i) strand.push_back(reader.f32());
  }
  return file;
}

std::string hair_bytes(const HairFile& file) {
  std::string segments, points, thickness;
  std::size_t count = 0;
  for (const auto& strand : file.strands) {
    if (strand.empty() || strand.size() > 65536)
      throw InputError("hair: a strand has " + std::to_string(strand.size()) +
                       " points, expected 1 to 65536");
    put_raw(segments, std::uint16_t(strand.size() - 1));
    for (const Eigen::Vector3d& p : strand)
      for (int d = 0; d < 3; ++d) put_raw(points, static_cast<float>(p[d]));
    count += strand.size();
  }
  for (const auto& strand : file.thickness)
    for (const double value : strand) put_raw(thickness, static_cast<float>(value));
  if (!thickness.empty() && thickness.size() != 4 * count)
    throw InputError("hair: " + std::to_string(thickness.size() / 4) + " points have a thickness, expected " +
                     std::to_string(count));
  if (file.information.size() > 88)
    throw InputError("hair: its text has " + std::to_string(file.information.size()) +
                     " bytes, expected at most 88");
  std::string bytes = "HAIR";
  put_raw(bytes, std::uint32_t(file.strands.size()));
  put_raw(bytes, std::uint32_t(count));
  put_raw(bytes, std::uint32_t(thickness.empty() ? kSegments | kPoints : kSegments | kPoints | kThickness));
  put_raw(bytes, std::uint32_t(0));  // default segments
  put_raw(bytes, static_cast<float>(file.default_thickness));
  for (const float value : {0.f, 0.3f, 0.2f, 0.1f}) put_raw(bytes, value);  // opaque, brown
  bytes += file.information + std::string(88 - file.information.size(), '\0');
  return bytes + segments + points + thickness;
}

HairFile read_hair(const std::filesystem::path& path) {
  return parse_hair(files::read_whole_file(path), path.string());
}

}  // namespace capstan

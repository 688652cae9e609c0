#include "capstan/files/usc_data.hpp"

#include "capstan/files/byte_reader.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan {

std::vector<std::vector<Eigen::Vector3d>> parse_usc_data(std::string_view bytes, const std::string& name) {
  files::ByteReader reader(bytes, name);
  const std::int32_t count = reader.i32();
  if (count < 0) reader.fail("the number of strands is " + std::to_string(count));
  std::vector<std::vector<Eigen::Vector3d>> strands;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t vertices = reader.i32();
    if (vertices < 1 || std::uint64_t(vertices) * 12 > reader.left())
      reader.fail("strand " + std::to_string(i) + " has " + std::to_string(vertices) +
                  " vertices, expected 1 or more that the file holds");
    std::vector<Eigen::Vector3d> strand;
    for (std::int32_t k = 0; k < vertices; ++k) strand.push_back(reader.point());
    if (vertices > 1) strands.push_back(std::move(strand));
  }
  // Other tools write more numbers a vertex under the same name.
  if (reader.left() > 0) reader.fail(std::to_string(reader.left()) + " bytes are left over");
  return strands;
}

std::vector<std::vector<Eigen::Vector3d>> read_usc_data(const std::filesystem::path& path) {
  return parse_usc_data(files::read_whole_file(path), path.string());
}

}  // namespace capstan

#include "capstan/files/tet_collector.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan::files {
namespace {

// Types of elements: https://gmsh.info/doc/texinfo/gmsh.html#MSH-file-format
constexpr int kTet = 4, kSecondOrderTet = 11;

class GmshReader {
 public:
  GmshReader(std::string_view text, const std::string& name) : in_(text, name) {}

  TetFile read() {
    read_format();
    while (!in_.at_end()) read_section();
    return std::move(mesh_).finish(in_);
  }

 private:
  void read_format();
  void read_section();
  void skip_section();
  void read_nodes();
  void read_node_blocks();
  void read_node_block(int most);
  void read_elements();
  void read_element_blocks();
  void read_corners(int type);
  int count(const char* what, int most = kLargest) { return in_.integer(what, 0, most); }

  TextScanner in_;
  bool blocks_ = false;  // version 4.1
  TetCollector mesh_;
};

void GmshReader::read_format() {
  in_.literal("$MeshFormat");
  const double version = in_.number("the version of the format");
  if (version != 2.2 && version != 4.1) in_.refuse("the version 2.2 or 4.1");
  blocks_ = version == 4.1;
  if (in_.integer("the type of the file", 0, 1) == 1)
    in_.refuse("0, an ASCII file: binary ones are not read");
  in_.integer("the size of a number", 1, kLargest);
  in_.literal("$EndMeshFormat");
}

void GmshReader::read_section() {
  if (in_.ahead("$Nodes")) {
    in_.literal("$Nodes");
    blocks_ ? read_node_blocks() : read_nodes();
    in_.literal("$EndNodes");
  } else if (in_.ahead("$Elements")) {
    in_.literal("$Elements");
    blocks_ ? read_element_blocks() : read_elements();
    in_.literal("$EndElements");
  } else {
    skip_section();
  }
}

void GmshReader::skip_section() {
  if (!in_.ahead("$")) in_.refuse("a section ($...)");
  while (!in_.ahead("$End")) {
    if (in_.at_end()) in_.refuse("the end of a section ($End...)");
    in_.skip_line();
  }
  in_.skip_line();
}

void GmshReader::read_nodes() {
  const int nodes = count("the number of nodes");
  in_.require_room(4LL * nodes, "the list of nodes");
  for (int i = 0; i < nodes; ++i) {
    mesh_.read_number(in_, 1, kLargest);
    mesh_.read_point(in_);
  }
}

void GmshReader::read_node_blocks() {
  const int blocks = count("the number of blocks"), nodes = count("the number of nodes");
  in_.integer("the smallest number of a node", 0, kLargest);
  in_.integer("the largest number of a node", 0, kLargest);
  const int before = mesh_.nodes();
  for (int b = 0; b < blocks; ++b) read_node_block(nodes - (mesh_.nodes() - before));
  if (mesh_.nodes() - before != nodes)
    in_.refuse_with("blocks have fewer nodes than " + std::to_string(nodes));
}

void GmshReader::read_node_block(int most) {
  const int dimension = in_.integer("the dimension of a block", 0, 3);
  in_.integer("the tag of a block", kSmallest, kLargest);
  const int parameters = in_.integer("whether there are parameters", 0, 1) * dimension;
  const int nodes = count("the number of nodes of a block", most);
  in_.require_room((4LL + parameters) * nodes, "the list of nodes");
  for (int i = 0; i < nodes; ++i) mesh_.read_number(in_, 1, kLargest);
  for (int i = 0; i < nodes; ++i) {
    mesh_.read_point(in_);
    for (int k = 0; k < parameters; ++k) in_.number("a parameter");
  }
}

/// Corners of tets; other elements end with the line.
void GmshReader::read_corners(int type) {
  if (type != kTet && type != kSecondOrderTet) return in_.skip_line();
  mesh_.read_tet(in_);
  for (int k = 4; k < 10 && type == kSecondOrderTet; ++k) in_.integer("the number of a node", 1, kLargest);
}

void GmshReader::read_elements() {
  const int elements = count("the number of elements");
  for (int i = 0; i < elements; ++i) {
    in_.integer("the number of an element", 1, kLargest);
    const int type = in_.integer("the type of an element", 1, kLargest);
    const int tags = count("the number of tags");
    for (int k = 0; k < tags; ++k) in_.integer("a tag", kSmallest, kLargest);
    read_corners(type);
  }
}

void GmshReader::read_element_blocks() {
  const int blocks = count("the number of blocks"), elements = count("the number of elements");
  in_.integer("the smallest number of an element", 0, kLargest);
  in_.integer("the largest number of an element", 0, kLargest);
  int left = elements;
  for (int b = 0; b < blocks; ++b) {
    in_.integer("the dimension of a block", 0, 3);
    in_.integer("the tag of a block", kSmallest, kLargest);
    const int type = in_.integer("the type of elements", 1, kLargest);
    const int size = count("the number of elements of a block", left);
    for (int i = 0; i < size; ++i) {
      in_.integer("the number of an element", 1, kLargest);
      read_corners(type);
    }
    left -= size;
  }
  if (left > 0) in_.refuse_with("blocks have fewer elements than " + std::to_string(elements));
}

}  // namespace

TetFile parse_gmsh(std::string_view text, const std::string& name) { return GmshReader(text, name).read(); }

TetFile read_gmsh(const std::filesystem::path& path) {
  return parse_gmsh(read_whole_file(path), path.string());
}

}  // namespace capstan::files

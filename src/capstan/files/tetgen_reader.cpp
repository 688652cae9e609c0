#include "capstan/files/tet_collector.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan::files {
namespace {

/// Blanks instead of comments: lines and columns stay.
std::string without_comments(std::string_view text) {
  std::string result(text);
  bool comment = false;
  for (char& c : result) {
    comment = c == '#' || (comment && c != '\n');
    if (comment) c = ' ';
  }
  return result;
}

void require_end(TextScanner& in) {
  if (!in.at_end()) in.refuse("the end of the file");
}

/// Returns the number of the first node: 0 or 1.
int read_tetgen_nodes(TextScanner& in, TetCollector& mesh) {
  const int nodes = in.integer("the number of nodes", 1, kLargest);
  in.integer("the dimension", 3, 3);
  const int attributes = in.integer("the number of attributes", 0, kLargest);
  const int markers = in.integer("the number of boundary markers", 0, 1);
  in.require_room((4LL + attributes + markers) * nodes, "the list of nodes");
  int first = 0;
  for (int i = 0; i < nodes; ++i) {
    const int number = mesh.read_number(in, i == 0 ? 0 : first + i, i == 0 ? 1 : first + i);
    if (i == 0) first = number;
    mesh.read_point(in);
    for (int k = 0; k < attributes; ++k) in.number("an attribute");
    for (int k = 0; k < markers; ++k) in.integer("a boundary marker", kSmallest, kLargest);
  }
  require_end(in);
  return first;
}

void read_tetgen_elements(TextScanner& in, int first, TetCollector& mesh) {
  const int tets = in.integer("the number of tets", 0, kLargest);
  const int corners = in.integer("the number of nodes of a tet", 4, 10);
  if (corners != 4 && corners != 10) in.refuse("the number of nodes of a tet, 4 or 10");
  const int attributes = in.integer("the number of attributes", 0, kLargest);
  in.require_room((1LL + corners + attributes) * tets, "the list of tets");
  for (int i = 0; i < tets; ++i) {
    in.integer("the number of a tet", first + i, first + i);
    mesh.read_tet(in);
    for (int k = 4; k < corners; ++k) in.integer("the number of a node", 0, kLargest);
    for (int k = 0; k < attributes; ++k) in.number("an attribute");
  }
  require_end(in);
}

}  // namespace

TetFile parse_tetgen(std::string_view nodes, const std::string& nodes_name, std::string_view elements,
                     const std::string& elements_name) {
  const std::string node_text = without_comments(nodes), element_text = without_comments(elements);
  TextScanner node_scanner(node_text, nodes_name), element_scanner(element_text, elements_name);
  TetCollector mesh;
  const int first = read_tetgen_nodes(node_scanner, mesh);
  read_tetgen_elements(element_scanner, first, mesh);
  return std::move(mesh).finish(element_scanner);
}

TetFile read_tetgen(const std::filesystem::path& path) {
  std::filesystem::path nodes = path, elements = path;
  nodes.replace_extension(".node");
  elements.replace_extension(".ele");
  return parse_tetgen(read_whole_file(nodes), nodes.string(), read_whole_file(elements), elements.string());
}

}  // namespace capstan::files

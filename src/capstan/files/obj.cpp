#include "capstan/files/obj.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// Reads a text statement by statement.
class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  ObjShapes read() {
    while (next_statement())
      if (!words_.empty()) take_statement();
    line_ = largest_line_;
    if (largest_ > int(shapes_.vertices.size()))
      refuse(std::to_string(largest_),
             "no more than " + std::to_string(shapes_.vertices.size()) + ", the vertices");
    for (std::array<int, 3>& corners : shapes_.uv_triangles)
      for (int& uv : corners)
        if (uv >= int(shapes_.uv.size())) uv = -1;
    return std::move(shapes_);
  }

 private:
  bool next_statement();
  void append_words(std::string_view line);
  void take_statement();
  double number(std::string_view word) const;
  int vertex(std::string_view word);
  int uv_of(std::string_view word) const;
  void take_face();
  std::vector<int> vertices(std::size_t at_least, const char* what);
  [[noreturn]] void refuse(std::string_view found, const std::string& expected) const {
    std::string shown;
    for (const char c : found.substr(0, 32)) shown += c >= ' ' && c < 127 ? c : '?';
    throw InputError(name_ + ":" + std::to_string(line_) + ": found \"" + shown + "\", expected " + expected);
  }

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0;
  int line_ = 0;  // of the statement
  int lines_read_ = 0;
  std::vector<std::string_view> words_;
  ObjShapes shapes_;
  int largest_ = 0, largest_line_ = 0;  // vertex named so far: faces may come before their vertices
};

/// One line and those it continues on.
bool ObjReader::next_statement() {
  words_.clear();
  line_ = lines_read_ + 1;
  for (bool continued = true; continued;) {
    if (position_ >= text_.size()) return !words_.empty();
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    std::string_view line = text_.substr(position_, end - position_);
    position_ = end + 1;
    ++lines_read_;
    line = line.substr(0, line.find('#'));
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    continued = !line.empty() && line.back() == '\\';
    if (continued) line.remove_suffix(1);
    append_words(line);
  }
  return true;
}

void ObjReader::append_words(std::string_view line) {
  for (std::size_t i = 0; i < line.size();) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < line.size() && !is_blank(line[end])) ++end;
    words_.push_back(line.substr(i, end - i));
    i = end;
  }
}

void ObjReader::take_statement() {
  const std::string_view what = words_[0];
  if (what == "v") {
    if (words_.size() < 4) refuse(words_.back(), "three coordinates after \"v\"");
    shapes_.vertices.emplace_back(number(words_[1]), number(words_[2]), number(words_[3]));
  } else if (what == "vt") {
    if (words_.size() < 2) refuse(words_.back(), "coordinates after \"vt\"");
    shapes_.uv.emplace_back(number(words_[1]), words_.size() > 2 ? number(words_[2]) : 0.0);
  } else if (what == "f") {
    take_face();
  } else if (what == "l") {
    shapes_.polylines.push_back(vertices(2, "points"));
  }
}

void ObjReader::take_face() {
  const std::vector<int> corners = vertices(3, "corners");
  for (std::size_t i = 2; i < corners.size(); ++i) {
    shapes_.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    shapes_.uv_triangles.push_back({uv_of(words_[1]), uv_of(words_[i]), uv_of(words_[i + 1])});
  }
}

double ObjReader::number(std::string_view word) const {
  double value = 0;
  const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-';  // which from_chars does not take
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data() + plus, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) refuse(word, "a finite number");
  return value;
}

/// `7`, `7/2`, `7//3` and `7/2/3` all name the vertex 7; `-1` is the latest.
int ObjReader::vertex(std::string_view word) {
  const std::string_view index = word.substr(0, word.find('/'));
  int value = 0;
  const auto [stop, error] = std::from_chars(index.data(), index.data() + index.size(), value);
  const int count = int(shapes_.vertices.size());
  if (error != std::errc() || stop != index.data() + index.size() || value == 0)
    refuse(word, "the number of a vertex, counted from 1 or back from -1");
  if (value < -count) refuse(word, "no less than -" + std::to_string(count) + ", the vertices so far");
  if (value > largest_) largest_ = value, largest_line_ = line_;
  return value > 0 ? value - 1 : count + value;
}

/// The 2 of `7/2` and `7/2/3`, counted like vertices; -1 if there is none.
int ObjReader::uv_of(std::string_view word) const {
  const std::size_t slash = word.find('/');
  if (slash == std::string_view::npos) return -1;
  const std::string_view rest = word.substr(slash + 1), index = rest.substr(0, rest.find('/'));
  int value = 0;
  const auto [stop, error] = std::from_chars(index.data(), index.data() + index.size(), value);
  if (error != std::errc() || stop != index.data() + index.size() || value == 0) return -1;
  return value > 0 ? value - 1 : std::max(-1, int(shapes_.uv.size()) + value);
}

std::vector<int> ObjReader::vertices(std::size_t at_least, const char* what) {
  if (words_.size() < at_least + 1)
    refuse(words_.back(),
           std::to_string(at_least) + " or more " + what + " after \"" + std::string(words_[0]) + "\"");
  std::vector<int> result;
  for (std::size_t i = 1; i < words_.size(); ++i) result.push_back(vertex(words_[i]));
  return result;
}

}  // namespace

ObjShapes parse_obj(std::string_view text, const std::string& name) { return ObjReader(text, name).read(); }

ObjShapes read_obj(const std::filesystem::path& path) {
  return parse_obj(files::read_whole_file(path), path.string());
}

}  // namespace capstan

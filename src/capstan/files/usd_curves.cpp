#include "capstan/files/usd_curves.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <map>

#include "capstan/errors.hpp"
#include "capstan/files/usd_scanner.hpp"
#include "capstan/files/whole_file.hpp"

namespace capstan {
namespace {

using files::UsdScanner;
using files::UsdValue;
using Line = std::vector<Eigen::Vector3d>;

/// An attribute of a prim with where it stands.
struct UsdAttribute {
  UsdValue value;
  std::size_t place = 0;
};
using UsdAttributes = std::map<std::string, UsdAttribute>;

constexpr int kDeepest = 200;  // prims within prims

class UsdReader {
 public:
  UsdReader(std::string_view text, const std::string& name) : scanner_(text, name) {}

  UsdCurves read() {
    if (scanner_.ahead("(")) read_stage();
    while (scanner_.kind() != UsdScanner::Kind::end) read_prim(Eigen::Affine3d::Identity(), true, 0);
    for (std::size_t s = 0; s < curves_.strands.size(); ++s) {
      for (Eigen::Vector3d& p : curves_.strands[s]) {
        p *= metres_;
        if (up_ == "Y") p = Eigen::Vector3d(p.x(), -p.z(), p.y());
      }
      curves_.widths[s] *= metres_;
    }
    return std::move(curves_);
  }

 private:
  /// What stands in parentheses at the head of the file.
  void read_stage() {
    scanner_.expect("(");
    while (!scanner_.take(")")) {
      if (scanner_.kind() == UsdScanner::Kind::text) {  // a comment
        scanner_.next();
        continue;
      }
      std::string key = scanner_.word("a key, or ')'");
      if (is_list_word(key)) key = scanner_.word("a key");
      scanner_.expect("=");
      const std::size_t place = scanner_.place();
      const UsdValue value = scanner_.value();
      if (key == "metersPerUnit") {
        metres_ = value.numbers.size() == 1 ? value.numbers[0] : 0;
        if (!(metres_ > 0)) scanner_.refuse_at(place, "metersPerUnit is no number > 0");
      } else if (key == "upAxis") {
        up_ = value.words.size() == 1 ? value.words[0] : "";
        if (up_ != "Y" && up_ != "Z") scanner_.refuse_at(place, "upAxis is neither \"Y\" nor \"Z\"");
      }
    }
  }

  static bool is_list_word(const std::string& word) {
    return word == "prepend" || word == "append" || word == "delete" || word == "add" || word == "reorder";
  }

  /// `def Type "name" (metadata) { ... }`, also with over and class; the keyword is ahead.
  void read_prim(const Eigen::Affine3d& parent, bool shown, int depth) {
    if (depth > kDeepest) scanner_.refuse("prims that are not nested as deeply as this one");
    const std::string keyword = scanner_.word("def, over or class");
    if (keyword == "reorder") return skip_assignment(scanner_.word("a key"));
    if (keyword != "def" && keyword != "over" && keyword != "class")
      scanner_.refuse("def, over or class before this");
    const std::string type = scanner_.kind() == UsdScanner::Kind::word ? scanner_.word("a type") : "";
    scanner_.text("the name of a prim in quotes");
    if (scanner_.ahead("(")) scanner_.value();
    read_body(type, parent, shown && keyword != "class", depth);
  }

  void skip_assignment(const std::string&) {
    scanner_.expect("=");
    scanner_.value();
  }

  /// A transform may stand after the children that it moves: they are read again once it is known.
  void read_body(const std::string& type, const Eigen::Affine3d& parent, bool shown, int depth) {
    const UsdScanner start = scanner_;
    UsdAttributes attributes;
    bool children = false;
    scanner_.expect("{");
    while (!scanner_.take("}")) {
      if (begins_prim()) {
        children = true;
        skip_prim();
      } else {
        read_property(attributes);
      }
    }
    const Eigen::Affine3d place = transform_of(attributes, parent);
    if (type == "BasisCurves" && shown) add_curves(attributes, place);
    if (!children) return;
    const UsdScanner end = scanner_;
    scanner_ = start;
    scanner_.expect("{");
    UsdAttributes known;
    while (!scanner_.take("}"))
      if (begins_prim())
        read_prim(place, shown, depth + 1);
      else
        read_property(known);
    scanner_ = end;
  }

  bool begins_prim() const {
    return scanner_.ahead("def") || scanner_.ahead("over") || scanner_.ahead("class");
  }

  void skip_prim() {
    while (scanner_.kind() != UsdScanner::Kind::text) {
      if (scanner_.kind() != UsdScanner::Kind::word) scanner_.refuse("the name of a prim in quotes");
      scanner_.next();
    }
    scanner_.next();
    if (scanner_.ahead("(")) scanner_.value();
    if (!scanner_.ahead("{")) scanner_.refuse("'{'");
    scanner_.value();
  }

  /// `custom uniform float[] name.timeSamples = value (metadata)`, and what else a prim may hold.
  void read_property(UsdAttributes& attributes) {
    const std::size_t place = scanner_.place();
    std::string word = scanner_.word("an attribute, a prim, or '}'");
    if (word == "variantSet") {
      scanner_.text("a name");
      return skip_assignment(word);
    }
    std::string name = word;
    while (scanner_.kind() == UsdScanner::Kind::word || scanner_.ahead("[")) {
      if (scanner_.take("[")) {
        scanner_.expect("]");
      } else {
        name = scanner_.word("a name");
      }
    }
    UsdValue value;
    const std::string samples = ".timeSamples";
    const bool sampled = name.size() > samples.size() && name.ends_with(samples);
    if (scanner_.take("=")) value = sampled ? scanner_.first_sample() : scanner_.value();
    if (scanner_.ahead("(")) scanner_.value();
    if (sampled) name.resize(name.size() - samples.size());
    // What is sampled in time counts more than what is always so.
    if (sampled || !attributes.count(name) || attributes[name].value.numbers.empty())
      if (!value.numbers.empty() || !value.words.empty()) attributes[name] = {value, place};
  }

  std::vector<double> numbers(const UsdAttributes& attributes, const std::string& name,
                              std::size_t count) const {
    const auto found = attributes.find(name);
    if (found == attributes.end()) return std::vector<double>(count, 0);
    if (found->second.value.numbers.size() != count)
      scanner_.refuse_at(found->second.place, name + " has " +
                                                  std::to_string(found->second.value.numbers.size()) +
                                                  " numbers, expected " + std::to_string(count));
    return found->second.value.numbers;
  }

  Eigen::Affine3d transform_of(const UsdAttributes& attributes, const Eigen::Affine3d& parent) const {
    const auto order = attributes.find("xformOpOrder");
    if (order == attributes.end()) return parent;
    Eigen::Affine3d place = parent;
    for (const std::string& name : order->second.value.words) {
      if (name == "!resetXformStack!")
        place = Eigen::Affine3d::Identity();
      else
        place = place * operation(attributes, name, order->second.place);
    }
    return place;
  }

  /// The first operation of the order is the outermost.
  Eigen::Affine3d operation(const UsdAttributes& attributes, const std::string& name,
                            std::size_t place) const {
    using Eigen::Vector3d;
    const std::string kind = name.rfind("xformOp:", 0) == 0 ? name.substr(8, name.find(':', 8) - 8) : "";
    const auto vector = [&](std::size_t count) { return numbers(attributes, name, count); };
    if (kind == "translate") return Eigen::Affine3d(Eigen::Translation3d(Vector3d(vector(3).data())));
    if (kind == "scale") return Eigen::Affine3d(Eigen::Scaling(Vector3d(vector(3).data())));
    if (kind == "orient") {
      const std::vector<double> q = vector(4);  // w, x, y, z
      return Eigen::Affine3d(Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized());
    }
    if (kind == "transform") {
      const std::vector<double> m = vector(16);  // points are rows: p M
      Eigen::Affine3d matrix;
      matrix.matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());
      return matrix;
    }
    if (kind.rfind("rotate", 0) == 0 && (kind.size() == 7 || kind.size() == 9)) {
      const std::vector<double> angles = vector(kind.size() - 6);
      Eigen::Affine3d turn = Eigen::Affine3d::Identity();
      for (std::size_t i = 0; i + 6 < kind.size(); ++i) {  // the first axis turns first
        const int axis = kind[6 + i] - 'X';
        if (axis < 0 || axis > 2) break;
        const double angle = angles[kind.size() == 7 ? 0 : std::size_t(axis)] * M_PI / 180;
        turn = Eigen::Affine3d(Eigen::AngleAxisd(angle, Vector3d::Unit(axis))) * turn;
      }
      return turn;
    }
    scanner_.refuse_at(
        place, "xformOpOrder has '" + name + "', expected translate, scale, orient, transform or rotations");
  }

  std::string choice(const UsdAttributes& attributes, const std::string& name,
                     const std::string& fallback) const {
    const auto found = attributes.find(name);
    return found == attributes.end() || found->second.value.words.empty() ? fallback
                                                                          : found->second.value.words[0];
  }

  void add_curves(const UsdAttributes& attributes, const Eigen::Affine3d& place) {
    const auto points = attributes.find("points"), counts = attributes.find("curveVertexCounts");
    if (points == attributes.end() || counts == attributes.end()) return;  // no curves
    if (attributes.count("primvars:force")) return;  // contacts of a run that was exported
    const std::vector<double>& x = points->second.value.numbers;
    double total = 0;
    for (const double count : counts->second.value.numbers) {
      if (!(count >= 1) || count != std::floor(count) || count > 1e9)
        scanner_.refuse_at(counts->second.place,
                           "curveVertexCounts has a number that is no whole number > 0");
      total += count;
    }
    if (3 * total != double(x.size()))
      scanner_.refuse_at(points->second.place, "points has " + std::to_string(x.size()) +
                                                   " numbers, expected " +
                                                   std::to_string(static_cast<long long>(3 * total)) +
                                                   ", three for each vertex of curveVertexCounts");
    const std::vector<double> widths =
        widths_of(attributes, counts->second.value.numbers, std::size_t(total));
    std::size_t at = 0;
    for (std::size_t s = 0; s < counts->second.value.numbers.size(); ++s) {
      Line line;
      for (auto i = std::size_t(counts->second.value.numbers[s]); i > 0; --i, at += 3) {
        const Eigen::Vector3d p = place * Eigen::Vector3d(x[at], x[at + 1], x[at + 2]);
        if (!p.allFinite())
          scanner_.refuse_at(points->second.place, "points has a number that is not finite");
        line.push_back(p);
      }
      curves_.strands.push_back(on_curve(line, attributes, points->second.place));
      // Widths grow with the mean scale of the transform.
      curves_.widths.push_back(widths[s] * std::cbrt(std::abs(place.linear().determinant())));
    }
  }

  /// One a curve, whatever way the file gives them.
  static std::vector<double> widths_of(const UsdAttributes& attributes, const std::vector<double>& counts,
                                       std::size_t total) {
    const auto found = attributes.find("widths");
    std::vector<double> widths(counts.size(), 0);
    if (found == attributes.end()) return widths;
    const std::vector<double>& given = found->second.value.numbers;
    std::size_t first = 0;
    for (std::size_t s = 0; s < counts.size(); first += std::size_t(counts[s]), ++s)
      if (given.size() == 1)
        widths[s] = given[0];
      else if (given.size() == counts.size())
        widths[s] = given[s];
      else if (given.size() == total)
        widths[s] = given[first];
    return widths;
  }

  Line on_curve(const Line& line, const UsdAttributes& attributes, std::size_t place) const {
    if (choice(attributes, "type", "cubic") == "linear") return line;
    const std::string basis = choice(attributes, "basis", "bezier"),
                      wrap = choice(attributes, "wrap", "nonperiodic");
    if (wrap == "periodic")
      scanner_.refuse_at(place, "the curves are closed (periodic), expected strands with ends");
    const bool pinned = wrap == "pinned";
    if (basis == "bezier") return on_bezier(line, place);
    if (basis != "catmullRom" && basis != "bspline")
      scanner_.refuse_at(place, "basis is '" + basis + "', expected bezier, bspline or catmullRom");
    if (line.size() < (pinned ? 2u : 4u))
      scanner_.refuse_at(place, "a cubic curve has " + std::to_string(line.size()) + " vertices, expected " +
                                    (pinned ? "2" : "4") + " or more");
    Line result;
    if (pinned) result.push_back(line.front());
    for (std::size_t i = 1; i + 1 < line.size(); ++i)  // where pieces of the curve meet
      result.push_back(basis == "catmullRom" ? line[i]
                                             : ((line[i - 1] + 4 * line[i] + line[i + 1]) / 6).eval());
    if (pinned) result.push_back(line.back());
    return result;
  }

  /// Pieces share their ends; each gives its ends and its thirds.
  Line on_bezier(const Line& line, std::size_t place) const {
    if (line.size() < 4 || line.size() % 3 != 1)
      scanner_.refuse_at(
          place, "a Bezier curve has " + std::to_string(line.size()) + " vertices, expected 4, 7, 10, ...");
    Line result{line[0]};
    for (std::size_t i = 0; i + 3 < line.size(); i += 3) {
      result.push_back((8 * line[i] + 12 * line[i + 1] + 6 * line[i + 2] + line[i + 3]) / 27);
      result.push_back((line[i] + 6 * line[i + 1] + 12 * line[i + 2] + 8 * line[i + 3]) / 27);
      result.push_back(line[i + 3]);
    }
    return result;
  }

  UsdScanner scanner_;
  UsdCurves curves_;
  double metres_ = 0.01;  // USD's own, if a file says nothing
  std::string up_ = "Y";
};

}  // namespace

UsdCurves parse_usd_curves(std::string_view text, const std::string& name) {
  if (text.substr(0, 8) == "PXR-USDC")
    throw InputError(
        name + ": is binary USD, expected its text form; 'usdcat " + name +
        " -o x.usda', or in Python 'from pxr import Sdf; Sdf.Layer.FindOrOpen(...).Export(\"x.usda\")'");
  if (text.substr(0, 5) != "#usda")
    throw InputError(name + ":1:1: expected '#usda 1.0', as the text form of USD begins");
  return UsdReader(text, name).read();
}

UsdCurves read_usd_curves(const std::filesystem::path& path) {
  return parse_usd_curves(files::read_whole_file(path), path.string());
}

}  // namespace capstan

#include "capstan/sample/sample.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <optional>

#include "capstan/errors.hpp"

namespace capstan {
namespace {

/// Samples whose name is `prefix` followed by a number between the bounds; or the prefix alone, without its
/// underscore, for the first of the members.
struct Family {
  std::string prefix;
  std::string parameter;  // as the pattern shows it; empty: none
  double low, high;
  bool whole;                   // the number has no fraction
  std::vector<double> members;  // shown in the built-in set
  std::string summary;
  std::function<ContactProblem(double)> make;
};

constexpr double kDegree = 3.14159265358979323846 / 180;

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"slope",
       "",
       0,
       0,
       true,
       {},
       "a box on a slope of 15 degrees, mu 0.3: it sticks",
       [](double) { return make_slope(15 * kDegree, 0.3); }},
      {"slope_sliding",
       "",
       0,
       0,
       true,
       {},
       "a box on a slope of 30 degrees, mu 0.3: it slides",
       [](double) { return make_slope(30 * kDegree, 0.3); }},
      {"stack_",
       "LEVELS",
       1,
       2000,
       true,
       {10},
       "a stack of cubes, four contacts an interface",
       [](double n) { return make_stack(int(n), 0.5); }},
      {"wall_",
       "ROWS",
       1,
       200,
       true,
       {8},
       "a brick wall in running bond, 10 bricks wide",
       [](double n) { return make_wall(int(n), 10, 0.6); }},
      {"pyramid_",
       "ROWS",
       1,
       200,
       true,
       {8},
       "a pyramid of bricks",
       [](double n) { return make_pyramid(int(n), 0.6); }},
      {"arch_",
       "STONES",
       3,
       1000,
       true,
       {21},
       "a semicircular arch of voussoirs",
       [](double n) { return make_arch(int(n), 0.7); }},
      {"cards_",
       "LEVELS",
       1,
       100,
       true,
       {4},
       "a house of cards",
       [](double n) { return make_card_house(int(n), 0.6); }},
      {"spheres_",
       "COUNT",
       1,
       100000,
       true,
       {200},
       "spheres settled in a box",
       [](double n) { return make_spheres(int(n), 0.3, 1); }},
      {"rods_",
       "COUNT",
       2,
       20000,
       true,
       {500},
       "a tangle of rigid rods under compression",
       [](double n) { return make_rods(int(n), 0.3, 1); }},
      {"fibers_nu",
       "NU",
       0.01,
       10,
       false,
       {0.5, 1, 2, 3},
       "a wisp of 60 hairs with 16 degrees of freedom each; nu = equations a degree of freedom",
       [](double nu) {
         FiberOptions options;
         options.nu = nu;
         return make_fibers(options);
       }},
  };
  return all;
}

/// 2 rather than 2.000000.
std::string short_number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// The number after the family's prefix, if the name is of this family.
std::optional<double> parameter_of(const Family& family, const std::string& name) {
  if (family.parameter.empty()) return name == family.prefix ? std::optional(0.0) : std::nullopt;
  if (name + '_' == family.prefix) return family.members.front();
  if (name.rfind(family.prefix, 0) != 0) return std::nullopt;
  const std::string text = name.substr(family.prefix.size());
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

void check(const Family& family, const std::string& name, double value) {
  if (family.parameter.empty()) return;
  if (value >= family.low && value <= family.high && (!family.whole || value == std::floor(value))) return;
  throw InputError("sample '" + name + "': " + family.parameter + " is " + short_number(value) +
                   ", expected a " + (family.whole ? "whole " : "") + "number from " +
                   short_number(family.low) + " to " + short_number(family.high));
}

}  // namespace

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = [] {
    std::vector<Sample> list;
    for (const Family& family : families()) {
      if (family.parameter.empty()) list.push_back({family.prefix, family.prefix, family.summary});
      for (const double member : family.members)
        list.push_back(
            {family.prefix + short_number(member), family.prefix + family.parameter, family.summary});
    }
    return list;
  }();
  return all;
}

std::vector<std::string> sample_names() {
  std::vector<std::string> names;
  for (const Sample& sample : samples()) names.push_back(sample.name);
  return names;
}

ContactProblem make_sample(const std::string& name) {
  for (const Family& family : families())
    if (const auto value = parameter_of(family, name)) {
      check(family, name, *value);
      return family.make(*value);
    }
  std::string known;
  for (const Family& family : families())
    known += (known.empty() ? "" : ", ") + family.prefix + family.parameter;
  throw InputError("sample: there is no '" + name + "'; there are " + known);
}

}  // namespace capstan

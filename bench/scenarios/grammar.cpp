#include "bench/scenarios/grammar.hpp"

#include <cmath>
#include <numbers>

namespace capstan::scenarios {

double Dice::log_between(double low, double high) { return low * std::pow(high / low, between(0, 1)); }

Eigen::Vector3d Dice::direction() {
  const double z = between(-1, 1), phi = between(0, 2 * std::numbers::pi), r = std::sqrt(1 - z * z);
  return {r * std::cos(phi), r * std::sin(phi), z};
}

Eigen::Vector3d Dice::vector(double shortest, double longest) {
  const double length = between(shortest, longest);
  return length * direction();
}

std::string Draft::name(const std::string& stem, NameKind kind, bool grain) {
  names.push_back({stem + "_" + std::to_string(names.size() + 1), kind, grain});
  return names.back().text;
}

std::string Draft::file(const std::string& stem, const std::string& text) {
  const std::string file_name =
      scenario.name + "_" + stem + "_" + std::to_string(scenario.files.size() + 1) + ".obj";
  scenario.files[file_name] = text;
  return file_name;
}

int Draft::budget(int wanted) const { return std::max(1, wanted * (large ? 4 : 1) / groups); }

std::string motion_lines(Draft& draft, double reach, Way way) {
  Dice& dice = draft.dice;
  Eigen::Vector3d shift = dice.vector(0.2 * reach, reach);
  if (way == Way::along_the_floor) shift[2] = 0;
  if (dice.chance(0.4)) {
    const double frequency = dice.between(1, 4);
    return "oscillation = [{ frequency = " + value_text(frequency) +
           ", translation = " + value_text(Eigen::Vector3d(0.5 * shift)) + ", start = 0.05 }]\n";
  }
  const double from = dice.between(0.02, 0.15);
  const double to = std::max(dice.between(0.5, 1) * draft.duration, from + 0.1);
  std::string text =
      "keys = [{ t = " + value_text(from) + " }, { t = " + value_text(to) + ", x = " + value_text(shift);
  if (dice.chance(0.4)) text += ", rotation = " + value_text(dice.vector(0, 1));
  text += " }]\n";
  if (dice.chance(0.2)) text += "interpolation = \"linear\"\n";
  return text;
}

void add_friction(Draft& draft) {
  Dice& dice = draft.dice;
  TomlText& toml = draft.toml;
  const Name a = dice.one_of(draft.names);
  const Name b = dice.one_of(draft.names);
  if (a.kind == NameKind::obstacle && b.kind == NameKind::obstacle) return;
  toml.section("[[friction]]");
  toml.add_raw("between", "[\"" + a.text + "\", \"" + b.text + "\"]");
  toml.add("mu", dice.chance(0.1) ? 0.0 : dice.between(0.1, 1.2));
  if (dice.chance(0.25)) toml.add("restitution", dice.between(0.1, 0.9));
  const bool grain = a.grain || a.kind == NameKind::strands;
  const double choice = dice.between(0, 1);
  if (grain && choice < 0.2) {
    toml.add("model", "one_sided");
    toml.add("with", dice.between(0.05, 0.3));
    toml.add("against", dice.between(0.4, 1));
    toml.add("across", dice.between(0.2, 0.6));
  } else if (grain && choice < 0.4) {
    toml.add("model", "ellipse");
    toml.add("along", dice.between(0.05, 0.4));
    toml.add("across", dice.between(0.2, 1));
  } else if (grain && choice < 0.5) {
    toml.add("model", "matchstick");
    toml.add("along", dice.between(0.05, 0.4));
    toml.add("across", dice.between(0.2, 1));
  } else if (a.kind == NameKind::rigid && b.kind != NameKind::strands && b.kind != NameKind::soft &&
             choice < 0.8) {
    toml.add("spin", dice.between(0.02, 0.2) * draft.size);
  } else if (choice > 0.75) {
    // Traction sqrt(C W) of a part of the weight of a layer of the scene's size, held over a part of it.
    const double gap = dice.between(0.02, 0.1) * draft.size;
    const double traction = dice.log_between(0.01, 1) * 1e4 * draft.size;
    const double stiffness = traction / gap * 4;
    toml.add_raw("adhesion", "{ stiffness = " + value_text(stiffness) +
                                 ", energy = " + value_text(traction * traction / stiffness) +
                                 ", viscosity = " + value_text(0.05 * traction * traction / stiffness) +
                                 ", bonding_rate = " + value_text(30 / traction) +
                                 ", debond_gap = " + value_text(gap) + " }");
  }
}

}  // namespace capstan::scenarios

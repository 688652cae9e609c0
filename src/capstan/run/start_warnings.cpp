#include "capstan/run/start_warnings.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>

#include "capstan/step/contact_finder.hpp"

namespace capstan {
namespace {

constexpr double kTouching = 1e-9;  // m; what is placed side by side overlaps by rounding
constexpr double kMoment = 1e-6;    // s, in which nothing comes closer

const std::string& name_of(const World& world, const ContactSide& side) {
  if (side.strand >= 0) return world.strands[side.strand].name;
  if (side.rigid >= 0) return world.rigid[side.rigid].name;
  if (side.soft >= 0) return world.soft[side.soft].name;
  return world.obstacles[side.obstacle].name;
}

std::vector<Contact> overlaps_of(const World& world) {
  ContactFinder finder(world, {}, serial_executor());
  std::vector<Contact> aside, found = finder.find(world, 0, kMoment, aside);
  CollisionScene scene = finder.scene();
  for (CollisionStrand& strand : scene.strands) strand.margin = 0;
  scene.obstacles.clear();
  for (const Obstacle& obstacle : world.obstacles) scene.obstacles.push_back(place(obstacle, 0, kMoment));
  std::erase_if(found, [](const Contact& c) {
    return std::max({c.a.rigid, c.b.rigid, c.a.soft, c.b.soft}) < 0;  // those of strands alone follow
  });
  for (const Contact& contact : detect(scene)) found.push_back(contact);
  std::erase_if(found, [](const Contact& c) { return c.gap > -kTouching; });
  return found;
}

template <class... Values>
std::string text_of(const char* format, const Values&... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string about_overlaps(const World& world, const std::vector<Contact>& overlaps) {
  const Contact& deepest = *std::min_element(
      overlaps.begin(), overlaps.end(), [](const Contact& a, const Contact& b) { return a.gap < b.gap; });
  return text_of("%d places overlap at the start, the deepest by %.3g mm: '%s' and '%s'",
                 int(overlaps.size()), -1e3 * deepest.gap, name_of(world, deepest.a).c_str(),
                 name_of(world, deepest.b).c_str());
}

/// The part of a strand that is inside of obstacles.
struct Inside {
  double first = std::numeric_limits<double>::infinity(), last = 0;  // arclength, m
  int obstacle = -1;
};

/// Strands whose root is held and inside of an obstacle: no impulse can bring it out.
std::map<int, Inside> trapped_strands(const World& world, const std::vector<Contact>& overlaps) {
  std::map<int, Inside> trapped;
  for (const Contact& contact : overlaps) {
    if (contact.a.strand < 0 || contact.b.obstacle < 0) continue;
    if (world.strands[contact.a.strand].root.hold == Hold::free) continue;
    Inside& part = trapped[contact.a.strand];
    part.first = std::min(part.first, contact.a.s);
    part.last = std::max(part.last, contact.a.s);
    part.obstacle = contact.b.obstacle;
  }
  std::erase_if(trapped, [&](const auto& one) {
    const WorldStrand& strand = world.strands[one.first];
    return one.second.first > std::max(strand.collision.skip_root, strand.collision_s[1]);
  });
  return trapped;
}

std::vector<std::string> about_roots(const World& world, const std::vector<Contact>& overlaps) {
  const std::map<int, Inside> trapped = trapped_strands(world, overlaps);
  if (trapped.empty()) return {};
  double longest = 0;
  for (const auto& [strand, part] : trapped) longest = std::max(longest, part.last);
  const auto& [strand, part] = *trapped.begin();
  return {text_of(
      "held roots inside of obstacles: %d, as of '%s' in '%s'. Nothing can move them, and steps will miss "
      "the tolerance: move them out, or give the strands skip_root = %.2g, which makes no contacts next to "
      "the root",
      int(trapped.size()), world.strands[strand].name.c_str(), world.obstacles[part.obstacle].name.c_str(),
      1.1 * longest)};
}

}  // namespace

std::vector<std::string> start_warnings(const World& world) {
  const std::vector<Contact> overlaps = overlaps_of(world);
  if (overlaps.empty()) return {};
  std::vector<std::string> warnings{about_overlaps(world, overlaps)};
  for (std::string& warning : about_roots(world, overlaps)) warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace capstan

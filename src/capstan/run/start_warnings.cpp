#include "capstan/run/start_warnings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <utility>

#include "capstan/step/contact_finder.hpp"
#include "capstan/step/simulation.hpp"
#include "capstan/step/thickness.hpp"

namespace capstan {
namespace {

constexpr double kTouching = 1e-9;  // m; what is placed side by side overlaps by rounding
constexpr double kMoment = 1e-6;    // s, in which nothing comes closer
constexpr std::size_t kMaxNamed = 5;
constexpr double kMuchShorter = 0.8;  // of dt

const std::string& name_of(const World& world, const ContactSide& side) {
  if (side.strand >= 0) return world.strands[side.strand].name;
  if (side.rigid >= 0) return world.rigid[side.rigid].name;
  if (side.soft >= 0) return world.soft[side.soft].name;
  return world.obstacles[side.obstacle].name;
}

/// Returns the contacts that overlap by more than rounding.
std::vector<Contact> overlaps_of(const World& world) {
  ContactFinder finder(world, {}, serial_executor());
  std::vector<Contact> aside, found = finder.find(world, 0, kMoment, aside);
  std::erase_if(found, [](const Contact& c) { return c.gap > -kTouching; });
  return found;
}

template <class... Values>
std::string text_of(const char* format, const Values&... values) {
  char text[1024];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// The name of the groom, bundle or pile that a body belongs to: "hair" for "hair[12]".
std::string family_of(const std::string& name) { return name.substr(0, name.find('[')); }

double thickness_at(const World& world, const std::vector<double>& thickness, const Contact& contact) {
  double thinner = std::numeric_limits<double>::infinity();
  for (const ContactSide* side : {&contact.a, &contact.b})
    if (const int body = world.body_of(*side); body >= 0) thinner = std::min(thinner, thickness[body]);
  return thinner;
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

}  // namespace

std::vector<StartOverlap> start_overlaps(const World& world) {
  const std::vector<double> thickness = thickness_of_bodies(world);
  std::map<std::pair<std::string, std::string>, StartOverlap> pairs;
  for (const Contact& contact : overlaps_of(world)) {
    const double depth = -contact.gap, ratio = depth / thickness_at(world, thickness, contact);
    if (ratio <= StepOptions().repaired_overlap) continue;  // steps leave that, too
    const std::string &a = name_of(world, contact.a), &b = name_of(world, contact.b);
    StartOverlap& pair = pairs[std::minmax(family_of(a), family_of(b))];
    const int places = pair.places + 1;
    if (depth > pair.depth) pair = {a, b, depth, ratio, 0.5 * (contact.point_a + contact.point_b), 0};
    pair.places = places;
  }
  std::vector<StartOverlap> result;
  for (const auto& [names, pair] : pairs) result.push_back(pair);
  std::stable_sort(result.begin(), result.end(),
                   [](const StartOverlap& a, const StartOverlap& b) { return a.depth > b.depth; });
  return result;
}

std::string in_words(const StartOverlap& overlap) {
  std::string text =
      text_of("'%s' and '%s' overlap by %.3g mm (%.2g %% of the thickness) at [%.4g, %.4g, %.4g]",
              overlap.a.c_str(), overlap.b.c_str(), 1e3 * overlap.depth, 100 * overlap.ratio,
              overlap.place[0], overlap.place[1], overlap.place[2]);
  if (overlap.places > 1)
    text += text_of(", and in %d other %s less deeply", overlap.places - 1,
                    overlap.places > 2 ? "places" : "place");
  return text;
}

std::vector<std::string> held_root_warnings(const World& world) {
  const std::map<int, Inside> trapped = trapped_strands(world, overlaps_of(world));
  if (trapped.empty()) return {};
  double longest = 0;
  for (const auto& [strand, part] : trapped) longest = std::max(longest, part.last);
  const auto& [strand, part] = *trapped.begin();
  return {text_of(
      "held roots inside of obstacles: %d, such as that of '%s' in '%s'. Nothing can move them, and steps "
      "will miss the tolerance: move them out, or give the strands skip_root = %.2g, so that they do not "
      "meet it next to the root",
      int(trapped.size()), world.strands[strand].name.c_str(), world.obstacles[part.obstacle].name.c_str(),
      1.1 * longest)};
}

std::vector<std::string> start_warnings(const World& world) {
  const std::vector<StartOverlap> overlaps = start_overlaps(world);
  std::vector<std::string> warnings;
  for (std::size_t k = 0; k < std::min(overlaps.size(), kMaxNamed); ++k)
    warnings.push_back("at the start " + in_words(overlaps[k]));
  if (overlaps.size() > kMaxNamed)
    warnings.push_back(
        text_of("%d other pairs of names overlap at the start", int(overlaps.size() - kMaxNamed)));
  for (std::string& warning : held_root_warnings(world)) warnings.push_back(std::move(warning));
  return warnings;
}

std::string frame_rate_note(const SimulationSettings& settings) {
  const double frame = 1 / settings.fps;
  const double steps = std::ceil(frame / settings.dt * (1 - 1e-9)), dt = frame / steps;
  if (dt >= kMuchShorter * settings.dt) return "";
  return text_of(
      "fps = %.4g keeps a frame every %.3g ms, so no step is longer than %.3g ms although dt is %.3g ms; a "
      "lower fps needs fewer steps",
      settings.fps, 1e3 * frame, 1e3 * dt, 1e3 * settings.dt);
}

}  // namespace capstan

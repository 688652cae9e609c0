#include <cmath>

#include "bench/scenarios/grammar.hpp"

namespace capstan::scenarios {
namespace {

using Add = void (*)(Draft&);

/// What can fall, as often as it should be drawn.
const std::vector<Add> kGroups{add_rigid_heap, add_rigid_heap,     add_rigid_heap, add_bundle, add_bundle,
                               add_brush,      add_single_strands, add_cloth,      add_cloth,  add_soft,
                               add_soft};

void add_settings(Draft& draft) {
  Dice& dice = draft.dice;
  draft.toml.section("[simulation]");
  draft.toml.add("duration", draft.duration);
  if (dice.chance(0.7)) draft.toml.add("dt", dice.one_of<double>({2e-3, 4e-3}));
}

/// Hair is longer than walls would leave room for: it would begin inside them.
void add_surroundings(Draft& draft, bool with_groom) {
  Dice& dice = draft.dice;
  add_floor(draft);
  const double container = dice.between(0, 1);
  if (container < 0.25) return add_bowl(draft);
  if (container < 0.4 && !with_groom) add_walls(draft);
  const int obstacles = dice.count(0, 3);
  for (int k = 0; k < obstacles; ++k) add_obstacle(draft, container >= 0.4 && obstacles == 1);
}

void add_content(Draft& draft, bool with_groom) {
  Dice& dice = draft.dice;
  if (with_groom) {
    add_groom(draft);
  } else {
    for (int k = 0; k < draft.groups; ++k) dice.one_of(kGroups)(draft);
  }
  if (!draft.walled && dice.chance(0.2)) add_projectile(draft);
}

}  // namespace

Scenario random_scenario(std::uint64_t seed) {
  Draft draft(0x5ce4a210 + 0x9e3779b9 * seed);
  Dice& dice = draft.dice;
  draft.scenario.name = "seed_" + std::to_string(seed);
  const bool with_groom = dice.chance(0.12);
  draft.size =
      with_groom ? dice.log_between(0.03, 0.3) : dice.log_between(1e-3, 1);  // the radius of the head
  draft.width = draft.size * dice.between(0.8, 1.5);
  draft.large = dice.chance(0.1);
  draft.groups = dice.one_of<int>({1, 1, 1, 1, 2, 2, 2, 3});
  // Long enough to fall from a height of five sizes, and for small things to come to rest.
  draft.duration = std::clamp(std::sqrt(2 * 10 * draft.size / 9.81), 0.3, 0.8);
  draft.duration = std::round(100 * draft.duration) / 100;
  draft.toml.title("Random scene of seed " + std::to_string(seed));
  add_settings(draft);
  add_surroundings(draft, with_groom);
  add_content(draft, with_groom);
  const int laws = dice.count(0, 2);
  for (int k = 0; k < laws; ++k) add_friction(draft);
  draft.scenario.toml = draft.toml.text();
  return draft.scenario;
}

}  // namespace capstan::scenarios

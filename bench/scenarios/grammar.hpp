#pragma once
#include <span>
#include <string>
#include <vector>

#include "bench/scenarios/scenario.hpp"
#include "bench/scenarios/toml_text.hpp"
#include "capstan/random.hpp"

/// The parts that random scenes are made of. Lengths in m, times in s.
namespace capstan::scenarios {

/// Random choices. A statement makes at most one of them, or several in braces: only there is their order
/// the same for every compiler.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  double between(double low, double high) { return random_.uniform(low, high); }
  double log_between(double low, double high);
  int count(int low, int high) {
    return low + int(random_.uniform(0, high - low + 1));
  }  ///< both ends included
  bool chance(double probability) { return random_.uniform(0, 1) < probability; }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[std::size_t(count(0, int(choices.size()) - 1))];
  }
  Eigen::Vector3d direction();                              ///< unit
  Eigen::Vector3d vector(double shortest, double longest);  ///< any direction
  int seed() { return count(1, 1000); }
  Random& random() { return random_; }

 private:
  Random random_;
};

/// What kind of thing a name of a scene belongs to; it decides which laws of friction make sense.
enum class NameKind { strands, rigid, soft, obstacle };
struct Name {
  std::string text;
  NameKind kind;
  bool grain = false;  ///< has a structure; strands always have
};

/// A scene in the making. What falls is put in layers, from below to above.
struct Draft {
  explicit Draft(std::uint64_t seed) : dice(seed) {}

  Dice dice;
  TomlText toml;
  Scenario scenario;
  std::vector<Name> names;
  double size = 0.1;      ///< typical length of what is in it
  double width = 0.3;     ///< things start within this distance of the z axis along x and y
  double top = 0;         ///< everything so far lies below
  double duration = 0.5;  ///< of the scene
  bool walled = false;    ///< nothing can come from the side
  bool large = false;     ///< up to ten times as many contacts
  int groups = 1;         ///< of what moves; a budget of contacts is shared by them

  /// Returns a name that was not used before.
  std::string name(const std::string& stem, NameKind kind, bool grain = false);
  /// Adds a file, and returns its name.
  std::string file(const std::string& stem, const std::string& text);
  /// Returns `wanted`, or a part of it where several groups share the scene, or more in a large one.
  int budget(int wanted) const;
};

// Each adds one thing, or one group of equal things.
void add_floor(Draft& draft);
void add_bowl(Draft& draft);
void add_walls(Draft& draft);
void add_obstacle(Draft& draft, bool may_move);
void add_rigid_heap(Draft& draft);
void add_projectile(Draft& draft);
void add_bundle(Draft& draft);
void add_brush(Draft& draft);
void add_single_strands(Draft& draft);
void add_groom(Draft& draft);
void add_cloth(Draft& draft);
void add_soft(Draft& draft);
void add_friction(Draft& draft);

/// Where something is led: what would be squeezed between two things that are led has no way out.
enum class Way { anywhere, along_the_floor };
/// Keys or a swing of something that is led, by up to `reach`.
std::string motion_lines(Draft& draft, double reach, Way way = Way::anywhere);

}  // namespace capstan::scenarios

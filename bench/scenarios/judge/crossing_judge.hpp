#pragma once
#include <set>
#include <string>

#include "bench/scenarios/judge/crossing_search.hpp"
#include "capstan/step/world.hpp"

namespace capstan::scenarios {

/// What there is in a world, and where it is at a time, as the judge sees it: shapes as they were given, and
/// positions. Nothing of it comes from the detection of contacts.
JudgedThings things_of(const World& world);
Moment moment_of(const World& world, double t);

/// Looks at a world after every step and counts the pairs of things that have passed through each other, each
/// once. What was in each other at the start is counted apart and not again.
class CrossingJudge {
 public:
  CrossingJudge(const World& world, double t);
  CrossingJudge(JudgedThings things, Moment start);

  void look(const World& world, double t) { look(moment_of(world, t)); }
  void look(Moment now);

  int at_start() const { return at_start_; }
  int crossings() const { return int(seen_.size()) - at_start_; }
  /// Returns the first one in words; empty if there is none.
  const std::string& first() const { return first_; }

 private:
  void count(const Thing& a, const Thing& b, const Eigen::Vector3d& where, double t);
  std::string name_of(const Thing& thing) const;

  JudgedThings things_;
  Moment last_;
  std::set<std::pair<Thing, Thing>> seen_;
  int at_start_ = 0;
  std::string first_;
};

}  // namespace capstan::scenarios

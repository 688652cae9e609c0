#pragma once
#include <Eigen/Core>
#include <string>
#include <vector>

#include "capstan/scene/scene.hpp"
#include "capstan/step/world.hpp"

namespace capstan {

/// Two bodies that overlap when a run begins, with the deepest place where bodies of these names do. (The
/// name of a strand of a groom begins with that of the groom.)
struct StartOverlap {
  std::string a, b;  ///< names of the two bodies of the deepest place
  double depth = 0;  ///< m
  double ratio = 0;  ///< to the thickness of the thinner movable body of the two, dimensionless
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< m
  int places = 0;                                   ///< all that these two names have
};

/// Returns what overlaps by more than a negligible part of its thickness (thickness.hpp), the deepest first.
/// Nobody's state is changed.
std::vector<StartOverlap> start_overlaps(const World& world);

/// Describes an overlap: who, how deep, where.
std::string in_words(const StartOverlap& overlap);

/// Describes held roots inside of obstacles, which nothing can free, and what to do; empty: there are none.
std::vector<std::string> held_root_warnings(const World& world);

/// Describes what is wrong with how a run begins: the first few overlaps and held roots. Empty: nothing.
std::vector<std::string> start_warnings(const World& world);

/// Tells that frames so often make steps far shorter than dt; empty: they do not.
std::string frame_rate_note(const SimulationSettings& settings);

}  // namespace capstan

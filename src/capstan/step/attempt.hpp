#pragma once
#include <optional>
#include <vector>

#include "capstan/step/simulation.hpp"

namespace capstan {

/// Of the thickness: two that would overlap so much are held apart by all means.
inline constexpr double kHalfThrough = 0.25;

/// Capsules, that a strand may move in a step; an impact may make a light one that fast at once.
inline constexpr double kFarthestMove = 10;

/// What a contact missed at the end of the step, and how much farther it was pushed for that, m.
struct Repair {
  double miss = 0, pushed = 0;
};

/// A step that has been computed and not yet made.
struct Simulation::Attempt {
  std::vector<Contact> contacts;
  std::vector<int> bond;  // of each contact, in bonds_; -1: none
  BondedContacts bonded;  // empty if nothing can stick
  GapOptions gap;
  std::optional<ContactProblem> problem;
  std::vector<OneSidedContact> one_sided;
  Solution solution;
  StepReport report;
  std::vector<Repair> repairs;              // of the first contacts, in the last round
  bool moved = false;                       // strands and rigid bodies are where the step leads them
  std::vector<std::vector<double>> states;  // of those before they were moved
  std::vector<Bond> bonds;                  // see bonds_of, from before they were moved
};

}  // namespace capstan

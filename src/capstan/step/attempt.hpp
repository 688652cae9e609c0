#pragma once
#include <optional>
#include <vector>

#include "capstan/step/simulation.hpp"

namespace capstan {

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
  bool moved = false;                       // strands and rigid bodies are where the step leads them
  std::vector<std::vector<double>> states;  // of those before they were moved
  std::vector<Bond> bonds;                  // see bonds_of, from before they were moved
};

}  // namespace capstan

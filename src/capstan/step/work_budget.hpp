#pragma once

namespace capstan {

/// How much counted work (solve/work.hpp, nominal seconds) the solves of one step may do. It follows from the
/// size of the step's problem and from what recent steps cost, so that no step takes much longer than its
/// neighbours, and from nothing that a clock says, so that the bits of a run are the same everywhere.
class WorkBudget {
 public:
  struct Options {
    double sweeps = 3000;       ///< over all contacts, that a step may always do
    double floor = 0.1;         ///< nominal seconds, that a step may always do
    double recent = 20;         ///< times what recent steps cost
    double ceiling = 1;         ///< nominal seconds, if that is at least
    double least_sweeps = 300;  ///< over all contacts
    double effort = 1;          ///< factor on all of it
  };

  explicit WorkBudget(const Options& options) : options_(options) {}

  /// Returns the budget of a step whose problem costs so much per sweep over all contacts.
  double of_step(double work_of_sweep) const;

  /// Takes in what an accepted step has cost. What was spent on a step that failed all the same is not
  /// granted again in full: each failure in a row halves the part of the next budget above the floor, down to
  /// an eighth.
  void learn(double work, bool converged);

  /// What is remembered, for checkpoints.
  struct Memory {
    double recent_work = 0;  ///< nominal seconds, mean of recent steps
    double trust = 1;        ///< part of the budget above the floor that is granted
  };
  const Memory& memory() const { return memory_; }
  void set_memory(const Memory& memory) { memory_ = memory; }

 private:
  Options options_;
  Memory memory_;
};

}  // namespace capstan

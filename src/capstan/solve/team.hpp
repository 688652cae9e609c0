#pragma once
#include <memory>

#include "capstan/executor.hpp"

namespace capstan {

/// Runs short phases of independent chunks, thousands a second, on the calling thread and on helpers that an
/// Executor sends. The caller never waits for a helper to arrive, only for one to finish a chunk it has
/// taken. Helpers are asked for while cores are idle. One that loses its core all the same (it then holds up
/// the caller) leaves, and others are asked for later, the later the sooner it was lost.
class Team : public Executor {
 public:
  explicit Team(const Executor& executor);
  ~Team() override;

  int width() const override;
  bool helped() const override;
  /// Together from the thread that made the team; alone from others, and from inside of a job.
  /// While a team is alive, its executor's threads belong to it: others who want them go through the team.
  void for_each(int count, const std::function<void(int)>& job) const override;

 private:
  class Crew;
  std::unique_ptr<Crew> crew_;
};

}  // namespace capstan

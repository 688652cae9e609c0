#pragma once
#include <memory>

#include "capstan/executor.hpp"

namespace capstan {

/// Runs on oneTBB with at most `threads` threads, the calling one included.
class TbbExecutor : public Executor {
 public:
  explicit TbbExecutor(int threads);
  ~TbbExecutor() override;
  int width() const override;
  void for_each(int count, const std::function<void(int)>& job) const override;
  void invite(std::function<void()> helper) const override;
  void join() const override;

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

}  // namespace capstan

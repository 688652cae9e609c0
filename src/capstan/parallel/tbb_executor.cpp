#include "capstan/parallel/tbb_executor.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "capstan/errors.hpp"

namespace capstan {

struct TbbExecutor::Arena {
  explicit Arena(int threads) : width(threads), arena(threads) {}
  int width;
  tbb::task_arena arena;
  tbb::task_group helpers;
};

TbbExecutor::TbbExecutor(int threads) {
  if (threads < 1) throw InputError("threads: is " + std::to_string(threads) + ", expected 1 or more");
  arena_ = std::make_unique<Arena>(threads);
}

TbbExecutor::~TbbExecutor() = default;

int TbbExecutor::width() const { return arena_->width; }

void TbbExecutor::for_each(int count, const std::function<void(int)>& job) const {
  arena_->arena.execute([&] { tbb::parallel_for(0, count, [&](int i) { job(i); }); });
}

void TbbExecutor::invite(std::function<void()> helper) const {
  arena_->arena.execute([&] {
    for (int k = 1; k < arena_->width; ++k) arena_->helpers.run(helper);
  });
}

void TbbExecutor::join() const {
  arena_->arena.execute([&] { arena_->helpers.wait(); });
}

}  // namespace capstan

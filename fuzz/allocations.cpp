#include "fuzz/allocations.hpp"

#include <cerrno>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define CAPSTAN_HOOKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CAPSTAN_HOOKS 1
#endif
#endif

namespace capstan::fuzz {
namespace {
thread_local std::size_t largest = 0;

void note(std::size_t size) {
  if (size > largest) largest = size;
}
}  // namespace
}  // namespace capstan::fuzz

#ifdef CAPSTAN_HOOKS

#include <sanitizer/allocator_interface.h>

namespace capstan::fuzz {

void start_measuring() {
  static const int installed = __sanitizer_install_malloc_and_free_hooks(
      [](const volatile void*, std::size_t size) { note(size); }, [](const volatile void*) {});
  if (installed == 0) std::abort();
  largest = 0;
}

}  // namespace capstan::fuzz

#else

// glibc lets a program have malloc of its own and forward to the library's, which then serves all libraries.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  capstan::fuzz::note(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  capstan::fuzz::note(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  capstan::fuzz::note(size);
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  capstan::fuzz::note(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  capstan::fuzz::note(size);
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
}

namespace capstan::fuzz {

void start_measuring() { largest = 0; }

}  // namespace capstan::fuzz

#endif

namespace capstan::fuzz {

std::size_t largest_allocation() { return largest; }

}  // namespace capstan::fuzz

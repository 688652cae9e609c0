#include "apps/run.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

/// A step needs the memory of the one before: it is kept, not given back page by page and cleared again.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  return capstan::app::run(argc, argv);
}

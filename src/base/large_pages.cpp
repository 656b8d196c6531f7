#include "base/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace elenchus::base {

void prefer_large_pages(void* memory, size_t bytes) {
  constexpr size_t kLarge = 4U << 20;
  if (bytes < kLarge) return;
  // Only whole pages can be advised. A system without large pages refuses, and nothing is lost.
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const uintptr_t skipped = -reinterpret_cast<uintptr_t>(memory) & (page - 1);
  madvise(static_cast<char*>(memory) + skipped, bytes - skipped, MADV_HUGEPAGE);
}

}  // namespace elenchus::base

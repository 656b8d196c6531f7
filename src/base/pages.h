#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace elenchus::base {

struct Release {
  void* start = nullptr;
  size_t mapped = 0;  // 0: from new
  void operator()(const std::byte* memory) const {
    if (mapped == 0) {
      delete[] memory;
    } else {
      munmap(start, mapped);
    }
  }
};

using Pages = std::unique_ptr<std::byte[], Release>;

// Zeroed by the system as it is used: room that is not needed costs nothing. Much of it is aligned
// for large pages, which spare most of the page faults of filling it and of the misses of looking
// things up all over it.
inline Pages allocate_pages(size_t bytes) {
  constexpr size_t kLargePage = 2U << 20;
  const bool is_large = bytes >= 2 * kLargePage;
  const size_t mapped = is_large ? bytes + kLargePage : bytes;
  void* start = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  auto* memory = static_cast<std::byte*>(start);
  if (is_large) {
    memory += -reinterpret_cast<uintptr_t>(memory) % kLargePage;
    madvise(memory, bytes, MADV_HUGEPAGE);
  }
  return Pages(memory, Release{start, mapped});
}

// Memory for a part of an array: from the system where it is large, and not zeroed where it is
// small.
inline Pages allocate_block(size_t bytes) {
  constexpr size_t kLarge = 1U << 20;
  if (bytes >= kLarge) return allocate_pages(bytes);
  return Pages(new std::byte[bytes], Release{});
}

}  // namespace elenchus::base

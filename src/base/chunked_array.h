#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/pages.h"

namespace elenchus::base {

// An append-only array whose elements never move: spans into it stay good while it grows, and
// growing copies nothing. Truncation drops elements from the end. T must be trivially copyable.
// Memory comes in chunks of 2^ChunkBits elements: fewer where arrays are many and short.
template <typename T, uint32_t ChunkBits = 15>
class ChunkedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // One past the last index in use (indices skipped by append() count).
  uint32_t size() const { return size_; }

  const T& operator[](uint32_t index) const { return chunks_[index >> kBits][index & kMask]; }
  T& operator[](uint32_t index) { return chunks_[index >> kBits][index & kMask]; }

  uint32_t push_back(const T& value) {
    reserve_chunks(size_, 1);
    const uint32_t index = size_++;
    (*this)[index] = value;
    return index;
  }

  // Appends the values side by side and returns the index of the first. When they do not fit into
  // the current chunk, the rest of that chunk is skipped.
  uint32_t append(std::span<const T> values) {
    if (values.empty()) return size_;
    const uint64_t room = kChunk - (size_ & kMask);
    const bool fits = values.size() <= room;
    const uint64_t start = fits ? size_ : uint64_t{size_} + room;
    ELENCHUS_CHECK(start + values.size() <= UINT32_MAX, "more than 2^32 elements");
    reserve_chunks(static_cast<uint32_t>(start), values.size());
    std::copy(values.begin(), values.end(), &(*this)[static_cast<uint32_t>(start)]);
    size_ = static_cast<uint32_t>(start + values.size());
    return static_cast<uint32_t>(start);
  }

  // The `count` elements from `first` on; they must come from one append() (or be at most one).
  std::span<const T> view(uint32_t first, uint32_t count) const {
    if (count == 0) return {};
    return {&(*this)[first], count};
  }

  void truncate(uint32_t size) { size_ = size; }

 private:
  static constexpr uint32_t kBits = ChunkBits;
  static constexpr uint32_t kChunk = 1U << kBits;
  static constexpr uint32_t kMask = kChunk - 1;
  static constexpr size_t kMostChunks = 64;  // of a block that grows an array

  // Makes [start, start + count) addressable and contiguous.
  void reserve_chunks(uint32_t start, uint64_t count) {
    const size_t first = start >> kBits;
    const size_t last = (uint64_t{start} + count - 1) >> kBits;
    if (last < chunks_.size() && contiguous(first, last)) return;
    add_block(first, last);
  }

  void add_block(size_t first, size_t last) {
    // Chunks left over from before a truncation are separate; a long run needs one block. Nothing
    // alive is in them: a run longer than its chunk starts at a chunk's first element.
    if (first < chunks_.size()) {
      chunks_.resize(first);
      prune_blocks();
    }
    const size_t first_new = chunks_.size();
    // A long array grows by a part of its length, in blocks that are worth large pages.
    const size_t added = std::max(last + 1 - first_new, std::min(first_new / 2, kMostChunks));
    blocks_.push_back({allocate_block((added << kBits) * sizeof(T)), first_new});
    T* elements = reinterpret_cast<T*>(blocks_.back().memory.get());
    for (size_t i = 0; i < added; ++i) chunks_.push_back(elements + (i << kBits));
  }

  bool contiguous(size_t first, size_t last) const {
    return chunks_[last] == chunks_[first] + ((last - first) << kBits);
  }

  // A block may still hold chunks that stay: only blocks that start beyond the end can go.
  void prune_blocks() {
    while (!blocks_.empty() && blocks_.back().first_chunk >= chunks_.size()) blocks_.pop_back();
  }

  struct Block {
    Pages memory;
    size_t first_chunk;
  };
  std::vector<T*> chunks_;
  std::vector<Block> blocks_;
  uint32_t size_ = 0;
};

}  // namespace elenchus::base

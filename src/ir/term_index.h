#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/pages.h"
#include "base/prefetch.h"

namespace elenchus::ir {

// Finds terms by their parts, for hash-consing: an open-addressing table of (hash, id) pairs.
//
// What this costs is cache misses, so a term has a *home* chosen for locality: terms are built from
// the bottom up, and a term whose newest argument was made just now lands near the terms made just
// now. Only a short window at the home is tried; when it is full, a place by hash is taken. Ids are
// given out in ascending order and taken back in descending order, which needs no tombstones:
// removal undoes insertion.
class TermIndex {
 public:
  // Where a term is, or where it belongs.
  struct Place {
    uint32_t id = 0;  // 0: not there
    size_t slot = 0;
  };

  // Room for one more must have been made: see has_room_for().
  template <typename Equal>
  Place find(uint32_t home, uint32_t hash, Equal equal) const {
    size_t at = home & mask_;
    for (uint32_t step = 0; step < kWindow; ++step, at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.id == 0) return {0, at};
      if (slot.hash == hash && equal(slot.id)) return {slot.id, at};
    }
    for (at = far(hash);; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.id == 0) return {0, at};
      if (slot.hash == hash && equal(slot.id)) return {slot.id, at};
    }
  }

  // The id that find() would first compare with, if it is near the home; else 0.
  uint32_t candidate(uint32_t home, uint32_t hash) const {
    size_t at = home & mask_;
    for (uint32_t step = 0; step < kWindow; ++step, at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.id == 0 || slot.hash == hash) return slot.id;
    }
    return 0;
  }

  // At the place that find() gave, with nothing inserted since.
  void insert(Place place, uint32_t hash, uint32_t id) {
    slots_[place.slot] = {hash, id};
    ++count_;
  }

  // Removes the id inserted last.
  void erase_last(uint32_t home, uint32_t hash, uint32_t id) {
    const Place place = find(home, hash, [id](uint32_t other) { return other == id; });
    slots_[place.slot] = {};
    --count_;
  }

  void prefetch(uint32_t home) const { base::prefetch(slots_ + (home & mask_)); }

  bool has_room_for(size_t count) const { return count * 4 <= size_ * 3; }

  // Makes the table large enough for `wanted` ids. `home_and_hash(id)` tells them of an id from 1
  // to the number of ids that are there.
  template <typename HomeAndHash>
  void grow(size_t wanted, HomeAndHash home_and_hash) {
    size_ = std::max<size_t>(size_, 1024);
    while (!has_room_for(wanted)) size_ *= 2;
    allocate(size_);
    mask_ = size_ - 1;
    const auto count = static_cast<uint32_t>(count_);
    count_ = 0;
    for (uint32_t id = 1; id <= count; ++id) {
      const auto [home, hash] = home_and_hash(id);
      insert(find(home, hash, [](uint32_t) { return false; }), hash, id);
    }
  }

 private:
  static constexpr uint32_t kWindow = 16;

  struct Slot {
    uint32_t hash;
    uint32_t id;
  };

  size_t far(uint32_t hash) const { return (hash * uint64_t{0x9e3779b97f4a7c15} >> 20) & mask_; }

  void allocate(size_t size) {
    memory_ = base::allocate_pages(size * sizeof(Slot));
    slots_ = reinterpret_cast<Slot*>(memory_.get());
  }

  base::Pages memory_;
  Slot* slots_ = nullptr;
  size_t size_ = 0;
  size_t mask_ = 0;
  size_t count_ = 0;
};

}  // namespace elenchus::ir

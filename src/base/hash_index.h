#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/prefetch.h"

namespace elenchus::base {

// Finds ids by hash: an open-addressing table of (hash, id) pairs over objects that live elsewhere.
// Id 0 is never stored.
class HashIndex {
 public:
  // The id among those with this hash for which `equal(id)` holds, or 0.
  template <typename Equal>
  uint32_t find(uint32_t hash, Equal equal) const {
    if (slots_.empty()) return 0;
    for (size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot& slot = slots_[at];
      if (slot.id == 0) return 0;
      if (slot.hash == hash && equal(slot.id)) return slot.id;
    }
  }

  void prefetch(uint32_t hash) const { elenchus::base::prefetch(slots_.data() + (hash & mask_)); }

  // The caller knows that no equal object is in the table.
  void insert(uint32_t hash, uint32_t id) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    place({hash, id});
    ++count_;
  }

  void erase(uint32_t hash, uint32_t id) {
    size_t hole = hash & mask_;
    while (slots_[hole].id != id) hole = (hole + 1) & mask_;
    // Backward-shift deletion keeps every probe sequence free of holes.
    for (size_t at = (hole + 1) & mask_; slots_[at].id != 0; at = (at + 1) & mask_) {
      const size_t home = slots_[at].hash & mask_;
      if (((at - home) & mask_) >= ((at - hole) & mask_)) {
        slots_[hole] = slots_[at];
        hole = at;
      }
    }
    slots_[hole] = {};
    --count_;
  }

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = 0;
  };

  void place(Slot slot) {
    size_t at = slot.hash & mask_;
    while (slots_[at].id != 0) at = (at + 1) & mask_;
    slots_[at] = slot;
  }

  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(old.empty() ? 16 : old.size() * 2, {});
    mask_ = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.id != 0) place(slot);
    }
  }

  std::vector<Slot> slots_;
  size_t mask_ = 0;
  size_t count_ = 0;
};

}  // namespace elenchus::base

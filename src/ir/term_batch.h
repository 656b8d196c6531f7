#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/term_store.h"

namespace elenchus::ir {

// Terms that are made together, later. Finding a term in a large store costs cache misses, one
// after the other; a batch asks for all memory of a level of terms at once and waits once. Until
// resolve(), a term of the batch is known by a pending id, which the batch alone understands.
class TermBatch {
 public:
  explicit TermBatch(TermStore& store) : store_(store) {}

  static bool is_pending(TermId term) { return term.value >= kNumeralBit; }
  bool empty() const { return entries_.empty() && numerals_.empty(); }
  // Enough to keep the memory busy; more would only leave the processor's caches.
  bool is_full() const { return entries_.size() >= kFull; }

  SortId sort(TermId term) const {
    if (is_application(term)) return entries_[term.value & ~kPendingBit].sort;
    return is_pending(term) ? kIntSort : store_.sort(term);
  }

  // The literal of a value below TermStore::kSmallInts, as a pending id.
  TermId add_numeral(uint32_t value) {
    store_.prefetch_small_int(value);
    numerals_.push_back(value);
    return TermId{value | kNumeralBit};
  }

  // An operator or function applied to arguments, which may be pending. Gives a pending id.
  TermId add(Op op, SortId sort, uint32_t payload, std::span<const TermId> args);

  // Makes all terms. Pending ids stay good for resolved() until clear().
  void resolve();
  TermId resolved(TermId term) const {
    if (is_application(term)) return entries_[term.value & ~kPendingBit].term;
    return is_pending(term) ? store_.small_int(term.value & ~kNumeralBit) : term;
  }
  void clear();

 private:
  static constexpr size_t kFull = 512;
  static constexpr uint32_t kNumeralBit = TermStore::kMaxTerms;
  static constexpr uint32_t kPendingBit = kNumeralBit << 1;
  static bool is_application(TermId term) { return term.value >= kPendingBit; }

  struct Entry {
    Op op = Op::kNone;
    uint8_t flags = 0;
    SortId sort;
    uint32_t payload = 0;
    uint32_t first_arg = 0;
    uint32_t arg_count = 0;
    uint32_t height = 0;  // above the arguments that are not of the batch
    TermId term;
    TermStore::Key key = {};
  };

  void sort_by_height();
  bool is_leaf(TermId term) const;
  void look_up(Entry& entry);
  std::span<TermId> args(const Entry& entry) {
    return {args_.data() + entry.first_arg, entry.arg_count};
  }

  TermStore& store_;
  std::vector<Entry> entries_;
  std::vector<TermId> args_;
  uint32_t max_height_ = 0;
  std::vector<uint32_t> numerals_;  // the values added
  std::vector<uint32_t> level_ends_;
  std::vector<uint32_t> order_;
};

}  // namespace elenchus::ir

#pragma once

#include <utility>
#include <vector>

#include "base/paged_array.h"
#include "ir/term_store.h"

namespace elenchus::ir {

// Values computed for terms from those of their arguments. Only what is asked for and what is below
// it is computed, once and without recursion; values of terms that a rollback dropped are
// forgotten.
template <typename T>
class TermCache {
 public:
  explicit TermCache(const TermStore& store) : store_(store) {}

  // `compute(term)` may ask get() for the arguments of the term. The result is good until the next
  // rollback.
  template <typename Compute>
  const T& at(TermId term, Compute compute) {
    if (generation_ != store_.generation()) forget_dropped();
    if (Entry& entry = entries_[term.value]; entry.is_known) return entry.value;
    const size_t done = pending_.size();
    pending_.push_back(term);
    while (pending_.size() > done) {
      const TermId top = pending_.back();
      if (wait_for_arguments(top)) continue;
      pending_.pop_back();
      if (entries_[top.value].is_known) continue;
      T value = compute(top);
      entries_[top.value] = {std::move(value), true};
    }
    return entries_[term.value].value;
  }

  void clear() { entries_.clear(); }

  const T& get(TermId term) { return entries_[term.value].value; }

 private:
  struct Entry {
    T value{};
    bool is_known = false;
  };

  void forget_dropped() {
    entries_.truncate(store_.stable_terms(generation_));
    generation_ = store_.generation();
  }

  bool wait_for_arguments(TermId term) {
    const size_t before = pending_.size();
    for (const TermId arg : store_.args(term)) {
      if (!entries_[arg.value].is_known) pending_.push_back(arg);
    }
    return pending_.size() > before;
  }

  const TermStore& store_;
  uint64_t generation_ = 0;
  base::PagedArray<Entry> entries_;
  std::vector<TermId> pending_;
};

}  // namespace elenchus::ir

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/chunked_array.h"
#include "base/hash_index.h"
#include "ir/term_cache.h"

namespace elenchus::ir {

// The free variables of terms, as sorted lists that terms share.
class FreeVariables {
 public:
  // Lists longer than this in total are not kept: see exhausted().
  static constexpr uint32_t kDefaultBudget = 1U << 26;

  explicit FreeVariables(const TermStore& store, uint32_t budget = kDefaultBudget);

  // Sorted by id. Empty for every term once exhausted().
  std::span<const TermId> of(TermId term);
  bool is_free(TermId variable, TermId term);
  // Whether some of `variables` is free in the term.
  bool any_free(std::span<const TermId> variables, TermId term);

  // Thousands of nested binders over thousands of variables need lists of quadratic length. Then
  // nothing that was or will be answered can be relied on.
  bool exhausted() const { return exhausted_; }

 private:
  void forget_after_rollback();
  uint32_t compute(TermId term);
  uint32_t intern(std::span<const TermId> variables);
  std::span<const TermId> list(uint32_t id) const {
    return words_.view(lists_[id].first, lists_[id].count);
  }

  struct List {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  const TermStore& store_;
  uint32_t budget_;
  bool exhausted_ = false;
  uint64_t generation_ = 0;
  TermCache<uint32_t> cache_;  // the term's list; 0 is the empty one
  std::vector<List> lists_ = {List{}};
  base::ChunkedArray<TermId, 9> words_;
  base::HashIndex index_;
  std::vector<TermId> scratch_;
};

}  // namespace elenchus::ir

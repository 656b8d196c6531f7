#pragma once

#include <algorithm>
#include <vector>

#include "ir/term_store.h"

namespace elenchus::ir {

// Values computed for every term from those of its arguments. Filled in the order of ids (arguments
// come first, so there is no recursion and every term is computed once) and cut back by itself when
// the store was rolled back.
template <typename T>
class TermCache {
 public:
  explicit TermCache(const TermStore& store) : store_(store) {}

  // `compute(term)` may ask get() for the arguments of the term. The result is good until the next
  // call.
  template <typename Compute>
  const T& at(TermId term, Compute compute) {
    if (generation_ != store_.generation()) {
      const uint32_t stable = store_.stable_terms(generation_);
      if (values_.size() > stable) values_.resize(stable);
      generation_ = store_.generation();
    }
    if (values_.empty()) values_.emplace_back();  // for id 0
    while (values_.size() <= term.value) {
      T value = compute(TermId{static_cast<uint32_t>(values_.size())});
      values_.push_back(std::move(value));
    }
    return values_[term.value];
  }

  void clear() { values_.clear(); }

  const T& get(TermId term) const { return values_[term.value]; }

 private:
  const TermStore& store_;
  uint64_t generation_ = 0;
  std::vector<T> values_;
};

}  // namespace elenchus::ir

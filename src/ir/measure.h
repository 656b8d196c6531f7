#pragma once

#include <cstdint>

#include "ir/term_cache.h"

namespace elenchus::ir {

// How large a term is as a tree. `size` stops at the largest number: a shared term has
// exponentially many nodes when it is written out.
struct Measure {
  uint64_t size = 0;
  uint32_t depth = 0;
};

inline uint64_t saturating_add(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

class Measures {
 public:
  explicit Measures(const TermStore& store) : store_(store), cache_(store) {}
  Measure of(TermId term);

 private:
  const TermStore& store_;
  TermCache<Measure> cache_;
};

}  // namespace elenchus::ir

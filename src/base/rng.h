#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "base/check.h"

namespace elenchus::base {

// The one source of randomness: xoshiro256**, seeded by splitmix64. Passed by reference, split per
// job; every draw is our own code, so that a seed gives the same bytes with any standard library.
class Rng {
 public:
  explicit Rng(uint64_t seed);

  uint64_t next();

  // Uniform in [0, bound); bound must not be 0.
  uint64_t below(uint64_t bound);

  // Uniform in [low, high], both included.
  int64_t between(int64_t low, int64_t high);

  // True once in `n` times on average.
  bool one_in(uint64_t n) { return below(n) == 0; }
  // The same for odds that somebody set; 0: never, and nothing is drawn.
  bool happens(uint64_t one_in_so_many) { return one_in_so_many != 0 && one_in(one_in_so_many); }
  // One of two, where there is no reason to prefer either.
  bool coin() { return one_in(2); }

  // Uniform in [0, 1).
  double unit();

  // An independent generator; advances this one by a single draw.
  Rng split() { return Rng(next()); }

  template <typename T>
  const T& pick(std::span<const T> items) {
    ELENCHUS_CHECK(!items.empty(), "pick from nothing");
    return items[below(items.size())];
  }

  template <typename T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  uint64_t state_[4];
};

}  // namespace elenchus::base

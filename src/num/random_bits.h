#pragma once

#include <gmpxx.h>

#include <cstdint>

#include "base/rng.h"

namespace elenchus::num {

// A number of so many bits, each drawn for itself.
inline mpz_class random_bits(base::Rng& rng, uint32_t width) {
  constexpr uint32_t kAtOnce = 32;
  mpz_class result = 0;
  for (uint32_t i = 0; i < width; i += kAtOnce) {
    result = (result << kAtOnce) + static_cast<unsigned long>(rng.below(uint64_t{1} << kAtOnce));
  }
  mpz_fdiv_r_2exp(result.get_mpz_t(), result.get_mpz_t(), width);
  return result;
}

}  // namespace elenchus::num

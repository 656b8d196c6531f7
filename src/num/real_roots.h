#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "num/flint.h"

// The real roots of irreducible polynomials, for algebraic.cpp.
//
// Calcium finds roots by approximating all complex ones at once. That takes minutes where two roots
// are very close together, so we isolate the real ones ourselves, within a budget.
namespace elenchus::num {

// The open interval from index * 2^exponent to (index + 1) * 2^exponent.
struct RootInterval {
  mpz_class index;
  slong exponent;
};

// Intervals with exactly one real root each, in the order of the roots. The polynomial is
// irreducible and of degree 2 or more: no rational number is a root. Nothing when it takes more
// than `budget` bits of intermediate polynomials.
std::optional<std::vector<RootInterval>> isolate_real_roots(const fmpz_poly_struct* polynomial,
                                                            uint64_t budget);

// Sets the number to the root that the interval isolates; its enclosure is not settled yet.
void set_to_root(qqbar_struct* number, const fmpz_poly_struct* polynomial,
                 const RootInterval& interval);

// Makes the number's enclosure narrow enough for Newton's method, if it is not already. Calcium
// computes all complex roots of a number that is less well known, whenever it needs more digits.
// The number is real and irrational.
void settle_enclosure(qqbar_struct* number);

}  // namespace elenchus::num

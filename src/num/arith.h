#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Exact integer and rational arithmetic as SMT-LIB and the solvers define it. Rationals are in
// lowest terms, as GMP's own operations leave them.
namespace elenchus::num {

// Division of the theory Ints: n = d * q + r with 0 <= r < |d|. The divisor is not 0. The machine
// integers lack a quotient for the least one divided by -1.
mpz_class div_euclid(const mpz_class& n, const mpz_class& d);
mpz_class mod_euclid(const mpz_class& n, const mpz_class& d);
std::optional<int64_t> div_euclid(int64_t n, int64_t d);
int64_t mod_euclid(int64_t n, int64_t d);

// The divisors of a positive number, largest first. `divides(d)` says whether d is one; it is asked
// for no more numbers than the square root.
template <typename Divides>
std::vector<uint32_t> divisors_of(uint32_t number, Divides divides) {
  std::vector<uint32_t> large;
  std::vector<uint32_t> small;
  for (uint64_t d = 1; d * d <= number; ++d) {
    const auto divisor = static_cast<uint32_t>(d);
    if (!divides(divisor)) continue;
    large.push_back(number / divisor);
    if (divisor != number / divisor) small.push_back(divisor);
  }
  large.insert(large.end(), small.rbegin(), small.rend());
  return large;
}
inline std::vector<uint32_t> divisors_of(uint32_t number) {
  return divisors_of(number, [&](uint32_t divisor) { return number % divisor == 0; });
}

// The greatest integer that is no greater: to_int.
mpz_class floor(const mpq_class& value);
bool is_integer(const mpq_class& value);

// Bits of the absolute value, 0 for 0; for a rational, those of the larger part.
uint64_t bit_length(const mpz_class& value);
uint64_t bit_length(const mpq_class& value);

// base^exponent, with 0^0 = 1. Nothing when the result might have more than `max_bits` bits.
std::optional<mpz_class> pow(const mpz_class& base, const mpz_class& exponent, uint64_t max_bits);
std::optional<mpq_class> pow(const mpq_class& base, const mpz_class& exponent, uint64_t max_bits);

// cvc5's int.pow2: 2^exponent, and 0 for a negative exponent. Nothing beyond `max_bits` bits.
std::optional<mpz_class> int_pow2(const mpz_class& exponent, uint64_t max_bits);

// cvc5's int.log2: the greatest k with 2^k <= value, and 0 for values below 1.
mpz_class int_log2(const mpz_class& value);

// cvc5's int.ispow2: is the value 2^k for some k >= 0?
bool is_pow2(const mpz_class& value);

// cvc5's (_ iand k): the bit-wise and of both integers modulo 2^k. Nothing when the result has more
// than `max_bits` bits only because k does: the and of negative numbers fills k bits.
std::optional<mpz_class> int_and(uint64_t k, const mpz_class& a, const mpz_class& b,
                                 uint64_t max_bits);

// "1.25" -> 5/4. The text is digits, a dot, digits; the digits on either side may be missing.
mpq_class rational_of_decimal(std::string_view text);

// The value with `digits` digits after the dot, the rest cut off: -7/4 to one digit is "-1.7".
std::string truncated_decimal(const mpq_class& value, uint32_t digits);

// An integer number of units of the last of `digits` digits, as such a text.
std::string scaled_decimal(const mpz_class& units, bool negative, uint32_t digits);

// Equal values have equal hashes, on every machine with the same size of limb.
uint64_t hash_of(const mpz_class& value);
uint64_t hash_of(const mpq_class& value);

}  // namespace elenchus::num

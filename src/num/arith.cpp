#include "num/arith.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/hash.h"

namespace elenchus::num {
namespace {

// Can base^exponent have more bits than allowed? The exponent is not negative.
bool power_is_too_long(uint64_t base_bits, const mpz_class& exponent, uint64_t max_bits) {
  if (base_bits <= 1) return false;
  if (!exponent.fits_ulong_p()) return true;
  return exponent.get_ui() > max_bits / base_bits;
}

// The powers of -1, 0 and 1, whose exponent may be huge.
mpz_class power_of_unit(const mpz_class& base, const mpz_class& exponent) {
  if (exponent == 0) return 1;
  return mpz_odd_p(exponent.get_mpz_t()) != 0 ? base : mpz_class(abs(base));
}

mpz_class power(const mpz_class& base, const mpz_class& exponent) {
  if (bit_length(base) <= 1) return power_of_unit(base, exponent);
  mpz_class result;
  mpz_pow_ui(result.get_mpz_t(), base.get_mpz_t(), exponent.get_ui());
  return result;
}

mpz_class power_of_ten(uint64_t exponent) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), 10, exponent);
  return result;
}

}  // namespace

mpz_class div_euclid(const mpz_class& n, const mpz_class& d) {
  ELENCHUS_CHECK(d != 0, "division by zero");
  mpz_class quotient;
  if (d > 0) {
    mpz_fdiv_q(quotient.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
  } else {
    mpz_cdiv_q(quotient.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
  }
  return quotient;
}

mpz_class mod_euclid(const mpz_class& n, const mpz_class& d) {
  ELENCHUS_CHECK(d != 0, "division by zero");
  mpz_class remainder;
  mpz_mod(remainder.get_mpz_t(), n.get_mpz_t(), d.get_mpz_t());
  return remainder;
}

std::optional<int64_t> div_euclid(int64_t n, int64_t d) {
  ELENCHUS_CHECK(d != 0, "division by zero");
  if (n == std::numeric_limits<int64_t>::min() && d == -1) return std::nullopt;
  const int64_t quotient = n / d;
  if (n % d >= 0) return quotient;
  return d > 0 ? quotient - 1 : quotient + 1;
}

int64_t mod_euclid(int64_t n, int64_t d) {
  ELENCHUS_CHECK(d != 0, "division by zero");
  if (d == -1) return 0;
  const int64_t remainder = n % d;
  if (remainder >= 0) return remainder;
  return d > 0 ? remainder + d : remainder - d;
}

mpz_class floor(const mpq_class& value) {
  mpz_class result;
  mpz_fdiv_q(result.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return result;
}

bool is_integer(const mpq_class& value) { return value.get_den() == 1; }

uint64_t bit_length(const mpz_class& value) {
  return value == 0 ? 0 : mpz_sizeinbase(value.get_mpz_t(), 2);
}

uint64_t bit_length(const mpq_class& value) {
  return std::max(bit_length(value.get_num()), bit_length(value.get_den()));
}

std::optional<mpz_class> pow(const mpz_class& base, const mpz_class& exponent, uint64_t max_bits) {
  ELENCHUS_CHECK(exponent >= 0, "a power with a negative exponent is not an integer");
  if (power_is_too_long(bit_length(base), exponent, max_bits)) return std::nullopt;
  return power(base, exponent);
}

std::optional<mpq_class> pow(const mpq_class& base, const mpz_class& exponent, uint64_t max_bits) {
  ELENCHUS_CHECK(exponent >= 0 || base != 0, "zero has no negative powers");
  const mpz_class times = abs(exponent);
  if (power_is_too_long(bit_length(base), times, max_bits)) return std::nullopt;
  // Powers of coprime numbers are coprime.
  mpq_class result;
  result.get_num() = power(base.get_num(), times);
  result.get_den() = power(base.get_den(), times);
  if (exponent < 0) mpq_inv(result.get_mpq_t(), result.get_mpq_t());
  return result;
}

std::optional<mpz_class> int_pow2(const mpz_class& exponent, uint64_t max_bits) {
  if (exponent < 0) return mpz_class(0);
  if (!exponent.fits_ulong_p() || exponent.get_ui() >= max_bits) return std::nullopt;
  return mpz_class(1) << exponent.get_ui();
}

mpz_class int_log2(const mpz_class& value) {
  if (value < 1) return 0;
  return bit_length(value) - 1;
}

bool is_pow2(const mpz_class& value) { return value > 0 && mpz_popcount(value.get_mpz_t()) == 1; }

std::optional<mpz_class> int_and(uint64_t k, const mpz_class& a, const mpz_class& b,
                                 uint64_t max_bits) {
  // GMP's `and` reads negative numbers as two's complement, which is what modulo 2^k means.
  mpz_class result = a & b;
  if (result < 0 && k > max_bits) return std::nullopt;
  mpz_fdiv_r_2exp(result.get_mpz_t(), result.get_mpz_t(), k);
  return result;
}

mpq_class rational_of_decimal(std::string_view text) {
  const size_t dot = text.find('.');
  ELENCHUS_CHECK(dot != std::string_view::npos, "a decimal has a dot");
  const std::string_view fraction = text.substr(dot + 1);
  std::string digits = "0";
  digits += text.substr(0, dot);
  digits += fraction;
  mpq_class result(mpz_class(digits, 10), power_of_ten(fraction.size()));
  result.canonicalize();
  return result;
}

std::string scaled_decimal(const mpz_class& units, bool negative, uint32_t digits) {
  std::string text = mpz_class(abs(units)).get_str();
  if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
  if (digits > 0) text.insert(text.size() - digits, 1, '.');
  return negative ? "-" + text : text;
}

std::string truncated_decimal(const mpq_class& value, uint32_t digits) {
  const mpz_class scaled = value.get_num() * power_of_ten(digits);
  mpz_class units;
  mpz_tdiv_q(units.get_mpz_t(), scaled.get_mpz_t(), value.get_den_mpz_t());
  return scaled_decimal(units, value < 0, digits);
}

uint64_t hash_of(const mpz_class& value) {
  const size_t limbs = mpz_size(value.get_mpz_t());
  uint64_t hash = base::hash_mix(limbs, value < 0 ? 1 : 0);
  for (size_t i = 0; i < limbs; ++i)
    hash = base::hash_mix(hash, mpz_getlimbn(value.get_mpz_t(), i));
  return hash;
}

uint64_t hash_of(const mpq_class& value) {
  return base::hash_mix(hash_of(value.get_num()), hash_of(value.get_den()));
}

}  // namespace elenchus::num

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "num/float.h"
#include "num/float_parts.h"

namespace elenchus::num {
namespace {

// Beyond all exponents of floats, and beyond the length of any integer of GMP, even together.
constexpr int64_t kHugeExponent = int64_t{1} << 60;

int64_t clamp_exponent(const mpz_class& exponent) {
  if (mpz_fits_slong_p(exponent.get_mpz_t()) == 0) {
    return exponent > 0 ? kHugeExponent : -kHugeExponent;
  }
  return std::clamp<int64_t>(exponent.get_si(), -kHugeExponent, kHugeExponent);
}

Float from_scaled(FloatFormat format, RoundingMode mode, const mpq_class& value, int64_t exponent) {
  ELENCHUS_CHECK(is_supported(format), "a supported floating point format");
  const mpz_class& divisor = value.get_den();
  ELENCHUS_CHECK(divisor > 0, "a canonical rational");
  if (value == 0) return Float::zero(format, false);
  mpz_class dividend = ::abs(value.get_num());
  // So that the quotient has at least two bits more than the format.
  const int64_t shift = std::max<int64_t>(
      0, format.significand + 2 + significant_bits(divisor) - significant_bits(dividend));
  dividend <<= static_cast<mp_bitcnt_t>(shift);
  Unrounded<mpz_class> exact{value < 0, 0, exponent - shift};
  mpz_class rest;
  mpz_tdiv_qr(exact.magnitude.get_mpz_t(), rest.get_mpz_t(), dividend.get_mpz_t(),
              divisor.get_mpz_t());
  exact.sticky = rest != 0;
  return round_to(format, mode, std::move(exact));
}

}  // namespace

Float Float::from_integer(FloatFormat format, RoundingMode mode, const mpz_class& value) {
  ELENCHUS_CHECK(is_supported(format), "a supported floating point format");
  if (value == 0) return zero(format, false);
  return round_to<mpz_class>(format, mode, {value < 0, ::abs(value), 0});
}

Float Float::from_rational(FloatFormat format, RoundingMode mode, const mpq_class& value) {
  return from_scaled(format, mode, value, 0);
}

Float Float::from_scaled_rational(FloatFormat format, RoundingMode mode, const mpq_class& value,
                                  const mpz_class& exponent) {
  return from_scaled(format, mode, value, clamp_exponent(exponent));
}

Float Float::convert(FloatFormat to, RoundingMode mode) const {
  ELENCHUS_CHECK(is_supported(to), "a supported floating point format");
  switch (kind_) {
    case Kind::kNan: return nan(to);
    case Kind::kInfinite: return infinity(to, negative_);
    case Kind::kZero: return zero(to, negative_);
    case Kind::kFinite: break;
  }
  const bool narrow = is_narrow(format_) && is_narrow(to);
  return narrow ? round_to(to, mode, unrounded<Wide>(*this))
                : round_to(to, mode, unrounded<mpz_class>(*this));
}

std::optional<mpz_class> Float::to_integer(RoundingMode mode, uint64_t max_bits) const {
  if (is_nan() || is_infinite()) return std::nullopt;
  auto [negative, magnitude, exponent, sticky] = unrounded<mpz_class>(*this);
  if (exponent >= 0) {
    const auto length = static_cast<uint64_t>(significant_bits(magnitude) + exponent);
    if (magnitude != 0 && length > max_bits) return std::nullopt;
    magnitude <<= static_cast<mp_bitcnt_t>(exponent);
  } else {
    const Tail tail = drop_low_bits(magnitude, -exponent, sticky);
    if (rounds_up(mode, negative, test_bit(magnitude, 0), tail)) magnitude += 1;
    if (static_cast<uint64_t>(significant_bits(magnitude)) > max_bits) return std::nullopt;
  }
  return negative ? mpz_class(-magnitude) : magnitude;
}

std::optional<mpq_class> Float::to_rational(uint64_t max_bits) const {
  if (is_nan() || is_infinite()) return std::nullopt;
  if (is_zero()) return mpq_class(0);
  mpz_class numerator = FloatParts::significand<mpz_class>(*this);
  const auto even = static_cast<int64_t>(mpz_scan1(numerator.get_mpz_t(), 0));
  numerator >>= static_cast<mp_bitcnt_t>(even);
  const int64_t exponent = exponent_ + even;
  const int64_t numerator_bits = significant_bits(numerator) + std::max<int64_t>(exponent, 0);
  const int64_t denominator_bits = 1 + std::max<int64_t>(-exponent, 0);
  if (static_cast<uint64_t>(std::max(numerator_bits, denominator_bits)) > max_bits) {
    return std::nullopt;
  }
  // An odd numerator over a power of two, or over one: already in lowest terms.
  mpq_class result(numerator);
  if (exponent >= 0) result.get_num() <<= static_cast<mp_bitcnt_t>(exponent);
  if (exponent < 0) result.get_den() <<= static_cast<mp_bitcnt_t>(-exponent);
  return negative_ ? mpq_class(-result) : result;
}

}  // namespace elenchus::num

#include "num/float.h"

#include <bit>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "num/float_parts.h"

namespace elenchus::num {
namespace {

// The `count` lowest bits.
mpz_class low_bits(const mpz_class& value, uint32_t count) {
  mpz_class result;
  mpz_fdiv_r_2exp(result.get_mpz_t(), value.get_mpz_t(), count);
  return result;
}

mpz_class all_ones(uint32_t count) { return (mpz_class(1) << count) - 1; }

// Neither is NaN.
bool less(const Float& x, const Float& y) {
  if (x.is_zero() && y.is_zero()) return false;
  if (x.is_zero()) return !y.is_negative();
  if (y.is_zero()) return x.is_negative();
  if (x.is_negative() != y.is_negative()) return x.is_negative();
  const Float& smaller = x.is_negative() ? y : x;
  const Float& larger = x.is_negative() ? x : y;
  if (smaller.is_infinite()) return false;
  return larger.is_infinite() || FloatParts::less_magnitude(smaller, larger);
}

}  // namespace

bool is_supported(FloatFormat format) {
  return format.exponent >= 2 && format.exponent <= kMaxFloatExponentBits &&
         format.significand >= 2 && format.significand <= kMaxFloatSignificandBits;
}

Float::Float(FloatFormat format, Kind kind, bool negative)
    : format_(format), kind_(kind), negative_(negative) {
  ELENCHUS_CHECK(is_supported(format), "a supported floating point format");
}

Float Float::nan(FloatFormat format) { return {format, Kind::kNan, false}; }

Float Float::infinity(FloatFormat format, bool negative) {
  return {format, Kind::kInfinite, negative};
}

Float Float::zero(FloatFormat format, bool negative) { return {format, Kind::kZero, negative}; }

Float Float::from_bits(FloatFormat format, const mpz_class& bits) {
  ELENCHUS_CHECK(is_supported(format), "a supported floating point format");
  const uint32_t fraction_bits = format.significand - 1;
  const uint32_t sign_bit = format.exponent + fraction_bits;
  ELENCHUS_CHECK(bits >= 0 && significant_bits(bits) <= int64_t{sign_bit} + 1,
                 "bits of this format");
  const bool negative = test_bit(bits, sign_bit);
  const mpz_class high_bits = bits >> fraction_bits;
  const auto biased = static_cast<int64_t>(low_bits(high_bits, format.exponent).get_ui());
  mpz_class fraction = low_bits(bits, fraction_bits);

  const int64_t least = FloatParts::min_exponent(format);
  if (biased == (int64_t{1} << format.exponent) - 1) {
    return fraction == 0 ? infinity(format, negative) : nan(format);
  }
  if (biased == 0) {
    if (fraction == 0) return zero(format, negative);
    return FloatParts::finite(format, negative, std::move(fraction), least);
  }
  mpz_setbit(fraction.get_mpz_t(), fraction_bits);
  return FloatParts::finite(format, negative, std::move(fraction), least + biased - 1);
}

mpz_class Float::to_bits() const {
  const uint32_t fraction_bits = format_.significand - 1;
  mpz_class bits;
  switch (kind_) {
    case Kind::kNan: bits = all_ones(format_.exponent + 1) << (fraction_bits - 1); break;
    case Kind::kInfinite: bits = all_ones(format_.exponent) << fraction_bits; break;
    case Kind::kZero: break;
    case Kind::kFinite:
      // The hidden bit of a normal value adds the 1 that its biased exponent has more.
      bits = exponent_ - FloatParts::min_exponent(format_);
      bits <<= fraction_bits;
      bits += FloatParts::significand<mpz_class>(*this);
      break;
  }
  if (negative_) mpz_setbit(bits.get_mpz_t(), format_.exponent + fraction_bits);
  return bits;
}

bool Float::is_normal() const {
  if (kind_ != Kind::kFinite) return false;
  const auto* word = std::get_if<uint64_t>(&significand_);
  const int64_t length =
      word != nullptr ? std::bit_width(*word) : significant_bits(std::get<mpz_class>(significand_));
  return length == int64_t{format_.significand};
}

bool Float::is_subnormal() const { return kind_ == Kind::kFinite && !is_normal(); }

uint64_t Float::hash() const {
  uint64_t hash = base::hash_mix(format_.exponent, format_.significand);
  hash = base::hash_mix(hash, static_cast<uint64_t>(kind_) * 2 + (negative_ ? 1 : 0));
  hash = base::hash_mix(hash, static_cast<uint64_t>(exponent_));
  if (const auto* word = std::get_if<uint64_t>(&significand_)) return base::hash_mix(hash, *word);
  const mpz_class& wide = std::get<mpz_class>(significand_);
  for (size_t i = 0; i < mpz_size(wide.get_mpz_t()); ++i) {
    hash = base::hash_mix(hash, mpz_getlimbn(wide.get_mpz_t(), static_cast<mp_size_t>(i)));
  }
  return hash;
}

Float abs(const Float& x) { return x.is_nan() ? x : FloatParts::with_sign(x, false); }

Float neg(const Float& x) { return x.is_nan() ? x : FloatParts::with_sign(x, !x.is_negative()); }

bool eq(const Float& x, const Float& y) {
  ELENCHUS_CHECK(x.format() == y.format(), "operands of one format");
  if (x.is_nan() || y.is_nan()) return false;
  return (x.is_zero() && y.is_zero()) || x == y;
}

bool lt(const Float& x, const Float& y) {
  ELENCHUS_CHECK(x.format() == y.format(), "operands of one format");
  return !x.is_nan() && !y.is_nan() && less(x, y);
}

bool leq(const Float& x, const Float& y) {
  ELENCHUS_CHECK(x.format() == y.format(), "operands of one format");
  return !x.is_nan() && !y.is_nan() && !less(y, x);
}

std::optional<Float> min(const Float& x, const Float& y) {
  if (x.is_zero() && y.is_zero() && x.is_negative() != y.is_negative()) return std::nullopt;
  if (x.is_nan()) return y;
  return y.is_nan() || leq(x, y) ? x : y;
}

std::optional<Float> max(const Float& x, const Float& y) {
  if (x.is_zero() && y.is_zero() && x.is_negative() != y.is_negative()) return std::nullopt;
  if (x.is_nan()) return y;
  return y.is_nan() || leq(y, x) ? x : y;
}

}  // namespace elenchus::num

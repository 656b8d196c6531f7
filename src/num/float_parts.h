#pragma once

#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/check.h"
#include "num/arith.h"
#include "num/float.h"

// What the operations of Float share: integers of two kinds, the parts of a float, and rounding.
// An operation computes an integer, a power of two and whether something nonzero was cut off below
// them; round_to() does the rest. `Integer` is Wide for narrow formats and mpz_class for others.
namespace elenchus::num {

using Wide = unsigned __int128;

// The widest significand whose operations fit into Wide: a sum in fma has 2 * 62 + 3 bits.
inline constexpr uint32_t kMaxNarrowSignificand = 62;

inline bool is_narrow(FloatFormat format) { return format.significand <= kMaxNarrowSignificand; }

// Signed, since places are computed with it.
inline int64_t significant_bits(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(value));
}
inline int64_t significant_bits(const mpz_class& value) {
  return static_cast<int64_t>(bit_length(value));
}

inline bool test_bit(Wide value, int64_t index) { return ((value >> index) & 1) != 0; }
inline bool test_bit(const mpz_class& value, int64_t index) {
  return mpz_tstbit(value.get_mpz_t(), static_cast<mp_bitcnt_t>(index)) != 0;
}

// Whether one of the lowest `count` bits is set.
inline bool any_low_bit(Wide value, int64_t count) {
  return (value & ((Wide{1} << count) - 1)) != 0;
}
inline bool any_low_bit(const mpz_class& value, int64_t count) {
  return value != 0 && mpz_scan1(value.get_mpz_t(), 0) < static_cast<mp_bitcnt_t>(count);
}

inline uint64_t to_word(Wide value) { return static_cast<uint64_t>(value); }
inline uint64_t to_word(const mpz_class& value) { return value.get_ui(); }

// What was cut off below the last bit kept, in units of that bit.
enum class Tail : uint8_t { kZero, kBelowHalf, kHalf, kAboveHalf };

// Drops the lowest `count` > 0 bits. `sticky`: the value was more than its integer, by less than 1.
template <typename Integer>
Tail drop_low_bits(Integer& value, int64_t count, bool sticky) {
  if (count > significant_bits(value)) {
    const bool something = sticky || value != 0;
    value = 0;
    return something ? Tail::kBelowHalf : Tail::kZero;
  }
  const bool half = test_bit(value, count - 1);
  const bool rest = sticky || any_low_bit(value, count - 1);
  value >>= static_cast<mp_bitcnt_t>(count);
  if (half) return rest ? Tail::kAboveHalf : Tail::kHalf;
  return rest ? Tail::kBelowHalf : Tail::kZero;
}

// Whether a magnitude, of which `tail` was cut off, becomes the next larger one.
inline bool rounds_up(RoundingMode mode, bool negative, bool odd, Tail tail) {
  if (tail == Tail::kZero) return false;
  switch (mode) {
    case RoundingMode::kRne: return tail == Tail::kAboveHalf || (tail == Tail::kHalf && odd);
    case RoundingMode::kRna: return tail >= Tail::kHalf;
    case RoundingMode::kRtp: return !negative;
    case RoundingMode::kRtn: return negative;
    case RoundingMode::kRtz: return false;
  }
  ELENCHUS_CHECK(false, "no such rounding mode");
}

// The only way into a Float from outside.
class FloatParts {
 public:
  // The exponent of 1.0 in its biased form, and the least and the greatest power of two that a last
  // bit stands for.
  static int64_t bias(FloatFormat format) { return (int64_t{1} << (format.exponent - 1)) - 1; }
  static int64_t min_exponent(FloatFormat format) {
    return 2 - bias(format) - int64_t{format.significand};
  }
  static int64_t max_exponent(FloatFormat format) {
    return 1 + bias(format) - int64_t{format.significand};
  }

  static bool is_finite_nonzero(const Float& x) { return x.kind_ == Float::Kind::kFinite; }
  static int64_t exponent(const Float& x) { return x.exponent_; }

  template <typename Integer>
  static Integer significand(const Float& x) {
    const auto* word = std::get_if<uint64_t>(&x.significand_);
    if constexpr (std::is_same_v<Integer, mpz_class>) {
      return word != nullptr ? mpz_class(*word) : std::get<mpz_class>(x.significand_);
    } else {
      ELENCHUS_DCHECK(word != nullptr, "a narrow format");
      return Integer{*word};
    }
  }

  // The parts must be those of a normal or subnormal value.
  template <typename Integer>
  static Float finite(FloatFormat format, bool negative, Integer significand, int64_t exponent) {
    Float result(format, Float::Kind::kFinite, negative);
    result.exponent_ = exponent;
    if (is_narrow(format)) {
      result.significand_ = to_word(significand);
    } else if constexpr (std::is_same_v<Integer, mpz_class>) {
      result.significand_ = std::move(significand);
    } else {
      ELENCHUS_CHECK(false, "a wide format needs wide integers");
    }
    return result;
  }

  static Float with_sign(Float x, bool negative) {
    x.negative_ = negative;
    return x;
  }

  // The order of magnitudes of two finite values other than zero: a greater exponent belongs to a
  // normal value and decides.
  static bool less_magnitude(const Float& x, const Float& y) {
    if (x.exponent_ != y.exponent_) return x.exponent_ < y.exponent_;
    return x.significand_ < y.significand_;
  }
};

// (-1)^negative * (magnitude + rest) * 2^exponent, where rest is 0, or with `sticky` some number
// between 0 and 1. Then the magnitude must have more bits than the significand that it is rounded
// to, so that the bits which decide are all there.
template <typename Integer>
struct Unrounded {
  bool negative;
  Integer magnitude;
  int64_t exponent;
  bool sticky = false;
};

template <typename Integer>
Unrounded<Integer> unrounded(const Float& x) {
  return {x.is_negative(), FloatParts::significand<Integer>(x), FloatParts::exponent(x)};
}

// IEEE 754-2008, 7.4: what a mode makes of a value beyond the largest finite one.
template <typename Integer>
Float overflow(FloatFormat format, RoundingMode mode, bool negative) {
  // As if the largest value were followed by another one, and everything above lay near to that.
  if (rounds_up(mode, negative, true, Tail::kAboveHalf)) return Float::infinity(format, negative);
  const Integer largest = (Integer{1} << format.significand) - 1;
  return FloatParts::finite<Integer>(format, negative, largest, FloatParts::max_exponent(format));
}

// The magnitude must not be 0.
template <typename Integer>
Float round_to(FloatFormat format, RoundingMode mode, Unrounded<Integer> exact) {
  Integer& magnitude = exact.magnitude;
  ELENCHUS_DCHECK(magnitude != 0, "an exact zero has a sign of its own");
  const int64_t precision = format.significand;
  int64_t exponent = std::max(exact.exponent + significant_bits(magnitude) - precision,
                              FloatParts::min_exponent(format));
  const int64_t max_exponent = FloatParts::max_exponent(format);
  if (exponent > max_exponent) return overflow<Integer>(format, mode, exact.negative);

  const int64_t excess = exponent - exact.exponent;
  if (excess <= 0) {
    ELENCHUS_DCHECK(!exact.sticky, "too few bits to round");
    magnitude <<= static_cast<mp_bitcnt_t>(-excess);
  } else {
    const Tail tail = drop_low_bits(magnitude, excess, exact.sticky);
    if (rounds_up(mode, exact.negative, test_bit(magnitude, 0), tail)) magnitude += 1;
  }
  if (magnitude == 0) return Float::zero(format, exact.negative);
  if (significant_bits(magnitude) > precision) {
    magnitude >>= 1;
    ++exponent;
    if (exponent > max_exponent) return overflow<Integer>(format, mode, exact.negative);
  }
  return FloatParts::finite(format, exact.negative, std::move(magnitude), exponent);
}

}  // namespace elenchus::num

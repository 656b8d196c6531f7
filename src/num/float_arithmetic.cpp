#include <algorithm>
#include <utility>

#include "base/check.h"
#include "num/float.h"
#include "num/float_parts.h"

// The arithmetic of IEEE 754-2008. Each operation first settles the cases with NaN, infinities and
// zeros, and then computes with finite numbers other than zero.
namespace elenchus::num {
namespace {

void check_formats(const Float& x, const Float& y) {
  ELENCHUS_CHECK(x.format() == y.format(), "operands of one format");
}

// The floor of the root of a value below 2^127; leaves what remains of the value.
Wide take_square_root(Wide& value) {
  Wide root = 0;
  for (Wide bit = Wide{1} << ((significant_bits(value) - 1) & ~int64_t{1}); bit != 0; bit >>= 2) {
    const Wide trial = root + bit;
    root >>= 1;
    if (value >= trial) {
      value -= trial;
      root += bit;
    }
  }
  return root;
}

mpz_class take_square_root(mpz_class& value) {
  mpz_class root;
  mpz_sqrtrem(root.get_mpz_t(), value.get_mpz_t(), value.get_mpz_t());
  return root;
}

// 2^power modulo a number > 1 of at most 63 bits.
Wide power_of_two_modulo(int64_t power, Wide modulus) {
  Wide result = 1;
  for (int64_t bit = significant_bits(static_cast<Wide>(power)) - 1; bit >= 0; --bit) {
    result = result * result % modulus;
    if (((power >> bit) & 1) != 0) result = result * 2 % modulus;
  }
  return result;
}

mpz_class power_of_two_modulo(int64_t power, const mpz_class& modulus) {
  const mpz_class two = 2;
  mpz_class result;
  mpz_powm_ui(result.get_mpz_t(), two.get_mpz_t(), static_cast<uint64_t>(power),
              modulus.get_mpz_t());
  return result;
}

// x + y where both are exact and not 0. The one with the higher top is spread over so many bits
// that the sum is exact where the tops are so near that leading bits can cancel; elsewhere at least
// all but two of these bits remain, enough to round with what of the other lies below them.
template <typename Integer>
Unrounded<Integer> exact_sum(FloatFormat format, Unrounded<Integer> x, Unrounded<Integer> y) {
  if (x.exponent + significant_bits(x.magnitude) < y.exponent + significant_bits(y.magnitude))
    std::swap(x, y);
  const int64_t x_length = significant_bits(x.magnitude);
  const int64_t length =
      std::max({x_length, significant_bits(y.magnitude), int64_t{format.significand} + 2}) + 2;
  x.magnitude <<= static_cast<mp_bitcnt_t>(length - x_length);
  x.exponent -= length - x_length;

  bool cut = false;
  if (y.exponent >= x.exponent) {
    y.magnitude <<= static_cast<mp_bitcnt_t>(y.exponent - x.exponent);
  } else {
    cut = drop_low_bits(y.magnitude, x.exponent - y.exponent, false) != Tail::kZero;
  }
  if (x.negative == y.negative) {
    x.magnitude += y.magnitude;
  } else if (x.magnitude >= y.magnitude) {
    // Taking a fraction away is taking one away and giving the rest of it back.
    x.magnitude -= y.magnitude;
    if (cut) x.magnitude -= 1;
  } else {
    // The tops are equal, and nothing was cut off.
    x.magnitude = Integer(y.magnitude - x.magnitude);
    x.negative = y.negative;
  }
  x.sticky = cut;
  return x;
}

// IEEE 754-2008, 6.3: the sign of a sum that is exactly zero.
Float zero_sum(FloatFormat format, RoundingMode mode, bool x_negative, bool y_negative) {
  const bool negative = x_negative == y_negative ? x_negative : mode == RoundingMode::kRtn;
  return Float::zero(format, negative);
}

template <typename Integer>
Float round_sum(FloatFormat format, RoundingMode mode, Unrounded<Integer> x, Unrounded<Integer> y) {
  Unrounded<Integer> sum = exact_sum(format, std::move(x), std::move(y));
  if (sum.magnitude == 0) return zero_sum(format, mode, false, true);
  return round_to(format, mode, std::move(sum));
}

template <typename Integer>
Float add_finite(RoundingMode mode, const Float& x, const Float& y) {
  return round_sum(x.format(), mode, unrounded<Integer>(x), unrounded<Integer>(y));
}

template <typename Integer>
Unrounded<Integer> exact_product(const Float& x, const Float& y) {
  return {x.is_negative() != y.is_negative(),
          FloatParts::significand<Integer>(x) * FloatParts::significand<Integer>(y),
          FloatParts::exponent(x) + FloatParts::exponent(y)};
}

template <typename Integer>
Float multiply_finite(RoundingMode mode, const Float& x, const Float& y) {
  return round_to(x.format(), mode, exact_product<Integer>(x, y));
}

template <typename Integer>
Float fma_finite(RoundingMode mode, const Float& x, const Float& y, const Float& z) {
  Unrounded<Integer> product = exact_product<Integer>(x, y);
  if (z.is_zero()) return round_to(x.format(), mode, std::move(product));
  return round_sum(x.format(), mode, std::move(product), unrounded<Integer>(z));
}

template <typename Integer>
Float divide_finite(RoundingMode mode, const Float& x, const Float& y) {
  const FloatFormat format = x.format();
  Integer dividend = FloatParts::significand<Integer>(x);
  const Integer divisor = FloatParts::significand<Integer>(y);
  // So that the quotient has at least two bits more than the format.
  const int64_t shift =
      format.significand + 2 + significant_bits(divisor) - significant_bits(dividend);
  dividend <<= static_cast<mp_bitcnt_t>(shift);
  const Integer quotient = dividend / divisor;
  const bool sticky = quotient * divisor != dividend;
  const int64_t exponent = FloatParts::exponent(x) - FloatParts::exponent(y) - shift;
  return round_to<Integer>(format, mode,
                           {x.is_negative() != y.is_negative(), quotient, exponent, sticky});
}

template <typename Integer>
Float square_root_finite(RoundingMode mode, const Float& x) {
  const FloatFormat format = x.format();
  Integer radicand = FloatParts::significand<Integer>(x);
  // So that the root has one bit more than the format, and the power of two is even.
  int64_t shift = 2 * int64_t{format.significand} + 1 - significant_bits(radicand);
  if ((FloatParts::exponent(x) - shift) % 2 != 0) ++shift;
  radicand <<= static_cast<mp_bitcnt_t>(shift);
  Integer root = take_square_root(radicand);
  const int64_t exponent = (FloatParts::exponent(x) - shift) / 2;
  return round_to<Integer>(format, mode, {false, std::move(root), exponent, radicand != 0});
}

template <typename Integer>
Float remainder_finite(const Float& x, const Float& y) {
  Integer dividend = FloatParts::significand<Integer>(x);
  Integer divisor = FloatParts::significand<Integer>(y);
  const int64_t shift = FloatParts::exponent(x) - FloatParts::exponent(y);
  const int64_t exponent = std::min(FloatParts::exponent(x), FloatParts::exponent(y));
  // Then x is less than a quarter of y.
  if (-shift > significant_bits(dividend) + 1) return x;
  if (shift < 0) divisor <<= static_cast<mp_bitcnt_t>(-shift);

  // Modulo twice the divisor, the remainder also tells whether the quotient is odd.
  const Integer modulus = divisor * 2;
  dividend %= modulus;
  if (shift > 0) dividend = dividend * power_of_two_modulo(shift, modulus) % modulus;
  const bool odd = dividend >= divisor;
  if (odd) dividend -= divisor;
  bool negative = x.is_negative();
  const Integer twice = dividend * 2;
  if (twice > divisor || (odd && twice == divisor)) {
    dividend = Integer(divisor - dividend);
    negative = !negative;
  }
  if (dividend == 0) return Float::zero(x.format(), x.is_negative());
  return round_to<Integer>(x.format(), RoundingMode::kRne, {negative, dividend, exponent});
}

template <typename Integer>
Float round_finite_to_integral(RoundingMode mode, const Float& x) {
  Integer magnitude = FloatParts::significand<Integer>(x);
  const Tail tail = drop_low_bits(magnitude, -FloatParts::exponent(x), false);
  if (rounds_up(mode, x.is_negative(), test_bit(magnitude, 0), tail)) magnitude += 1;
  if (magnitude == 0) return Float::zero(x.format(), x.is_negative());
  return round_to<Integer>(x.format(), mode, {x.is_negative(), std::move(magnitude), 0});
}

}  // namespace

Float add(RoundingMode mode, const Float& x, const Float& y) {
  check_formats(x, y);
  if (x.is_nan() || y.is_nan()) return Float::nan(x.format());
  if (x.is_infinite()) {
    const bool opposite = y.is_infinite() && x.is_negative() != y.is_negative();
    return opposite ? Float::nan(x.format()) : x;
  }
  if (y.is_infinite()) return y;
  if (x.is_zero() && y.is_zero()) {
    return zero_sum(x.format(), mode, x.is_negative(), y.is_negative());
  }
  if (x.is_zero()) return y;
  if (y.is_zero()) return x;
  return is_narrow(x.format()) ? add_finite<Wide>(mode, x, y) : add_finite<mpz_class>(mode, x, y);
}

Float sub(RoundingMode mode, const Float& x, const Float& y) { return add(mode, x, neg(y)); }

Float mul(RoundingMode mode, const Float& x, const Float& y) {
  check_formats(x, y);
  if (x.is_nan() || y.is_nan()) return Float::nan(x.format());
  const bool negative = x.is_negative() != y.is_negative();
  const bool zero = x.is_zero() || y.is_zero();
  if (x.is_infinite() || y.is_infinite()) {
    return zero ? Float::nan(x.format()) : Float::infinity(x.format(), negative);
  }
  if (zero) return Float::zero(x.format(), negative);
  return is_narrow(x.format()) ? multiply_finite<Wide>(mode, x, y)
                               : multiply_finite<mpz_class>(mode, x, y);
}

Float div(RoundingMode mode, const Float& x, const Float& y) {
  check_formats(x, y);
  if (x.is_nan() || y.is_nan()) return Float::nan(x.format());
  if (x.is_infinite() && y.is_infinite()) return Float::nan(x.format());
  if (x.is_zero() && y.is_zero()) return Float::nan(x.format());
  const bool negative = x.is_negative() != y.is_negative();
  if (x.is_infinite() || y.is_zero()) return Float::infinity(x.format(), negative);
  if (y.is_infinite() || x.is_zero()) return Float::zero(x.format(), negative);
  return is_narrow(x.format()) ? divide_finite<Wide>(mode, x, y)
                               : divide_finite<mpz_class>(mode, x, y);
}

Float fma(RoundingMode mode, const Float& x, const Float& y, const Float& z) {
  check_formats(x, y);
  check_formats(x, z);
  // NaN, an infinity or zero is what the product really is; a finite one must not be rounded here.
  if (!FloatParts::is_finite_nonzero(x) || !FloatParts::is_finite_nonzero(y)) {
    return add(mode, mul(mode, x, y), z);
  }
  if (z.is_nan() || z.is_infinite()) return z;
  return is_narrow(x.format()) ? fma_finite<Wide>(mode, x, y, z)
                               : fma_finite<mpz_class>(mode, x, y, z);
}

Float sqrt(RoundingMode mode, const Float& x) {
  if (x.is_nan() || x.is_zero()) return x;
  if (x.is_negative()) return Float::nan(x.format());
  if (x.is_infinite()) return x;
  return is_narrow(x.format()) ? square_root_finite<Wide>(mode, x)
                               : square_root_finite<mpz_class>(mode, x);
}

Float rem(const Float& x, const Float& y) {
  check_formats(x, y);
  if (x.is_nan() || y.is_nan() || x.is_infinite() || y.is_zero()) return Float::nan(x.format());
  if (x.is_zero() || y.is_infinite()) return x;
  return is_narrow(x.format()) ? remainder_finite<Wide>(x, y) : remainder_finite<mpz_class>(x, y);
}

Float round_to_integral(RoundingMode mode, const Float& x) {
  if (!FloatParts::is_finite_nonzero(x) || FloatParts::exponent(x) >= 0) return x;
  return is_narrow(x.format()) ? round_finite_to_integral<Wide>(mode, x)
                               : round_finite_to_integral<mpz_class>(mode, x);
}

}  // namespace elenchus::num

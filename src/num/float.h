#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <variant>

// Values of the SMT-LIB theory FloatingPoint: binary floats of IEEE 754-2008 of any format,
// computed in integers only. No operation depends on the floating point unit of the machine.
namespace elenchus::num {

enum class RoundingMode : uint8_t { kRne, kRna, kRtp, kRtn, kRtz };

// (_ FloatingPoint exponent significand); the significand counts the hidden bit.
struct FloatFormat {
  uint32_t exponent;
  uint32_t significand;

  bool operator==(const FloatFormat&) const = default;
};

inline constexpr FloatFormat kFloat16{5, 11};
inline constexpr FloatFormat kFloat32{8, 24};
inline constexpr FloatFormat kFloat64{11, 53};
inline constexpr FloatFormat kFloat128{15, 113};

inline constexpr uint32_t kMaxFloatExponentBits = 60;
inline constexpr uint32_t kMaxFloatSignificandBits = 1U << 16;

// Every Float has a supported format, and the operands of an operation have the same one: both are
// for the caller to see to.
bool is_supported(FloatFormat format);

class Float {
 public:
  static Float nan(FloatFormat format);
  static Float infinity(FloatFormat format, bool negative);
  static Float zero(FloatFormat format, bool negative);

  // The IEEE interchange format: sign, biased exponent, significand without the hidden bit. All the
  // NaNs are one value, as in SMT-LIB; to_bits() gives it as 0 1...1 10...0.
  static Float from_bits(FloatFormat format, const mpz_class& bits);
  mpz_class to_bits() const;

  static Float from_integer(FloatFormat format, RoundingMode mode, const mpz_class& value);
  static Float from_rational(FloatFormat format, RoundingMode mode, const mpq_class& value);
  // value * 2^exponent, rounded once.
  static Float from_scaled_rational(FloatFormat format, RoundingMode mode, const mpq_class& value,
                                    const mpz_class& exponent);

  Float convert(FloatFormat to, RoundingMode mode) const;

  // Rounded to an integer. Nothing for NaN and infinities, and when the magnitude of the result has
  // more than `max_bits` bits: the integers of a wide exponent would fill the memory.
  std::optional<mpz_class> to_integer(RoundingMode mode, uint64_t max_bits) const;

  // The exact value. Nothing for NaN and infinities, and when the numerator or the denominator has
  // more than `max_bits` bits.
  std::optional<mpq_class> to_rational(uint64_t max_bits) const;

  FloatFormat format() const { return format_; }

  bool is_nan() const { return kind_ == Kind::kNan; }
  bool is_infinite() const { return kind_ == Kind::kInfinite; }
  bool is_zero() const { return kind_ == Kind::kZero; }
  bool is_normal() const;
  bool is_subnormal() const;
  // The sign bit; both are false for NaN.
  bool is_negative() const { return negative_; }
  bool is_positive() const { return !negative_ && !is_nan(); }

  // SMT-LIB's `=`: NaN equals NaN, and the zeros differ. Floats of different formats differ.
  bool operator==(const Float&) const = default;
  // The same on every machine.
  uint64_t hash() const;

 private:
  friend class FloatParts;

  enum class Kind : uint8_t { kNan, kInfinite, kZero, kFinite };

  Float(FloatFormat format, Kind kind, bool negative);

  FloatFormat format_;
  Kind kind_;
  bool negative_;
  // A finite value other than zero is significand * 2^exponent. A normal one has all the bits of
  // the format in its significand; a subnormal one has fewer, and the least exponent. Elsewhere 0.
  int64_t exponent_ = 0;
  // Narrow significands, by far the most frequent, need no memory of their own. The format decides
  // which alternative it is for finite values.
  std::variant<uint64_t, mpz_class> significand_ = uint64_t{0};
};

Float abs(const Float& x);
Float neg(const Float& x);

Float add(RoundingMode mode, const Float& x, const Float& y);
Float sub(RoundingMode mode, const Float& x, const Float& y);
Float mul(RoundingMode mode, const Float& x, const Float& y);
Float div(RoundingMode mode, const Float& x, const Float& y);
// x * y + z, rounded once.
Float fma(RoundingMode mode, const Float& x, const Float& y, const Float& z);
Float sqrt(RoundingMode mode, const Float& x);
// x - y * n, where n is the integer nearest to x / y, of two the even one. Always exact.
Float rem(const Float& x, const Float& y);
// Where the format cannot hold the integer (its largest value is no integer, as 3.5 in (2, 3)), the
// integer is rounded in turn, and overflows.
Float round_to_integral(RoundingMode mode, const Float& x);

// Nothing for the two zeros of different sign: the standard allows either of them.
std::optional<Float> min(const Float& x, const Float& y);
std::optional<Float> max(const Float& x, const Float& y);

// The comparisons of IEEE 754: false if an operand is NaN; the zeros are equal.
bool eq(const Float& x, const Float& y);
bool lt(const Float& x, const Float& y);
bool leq(const Float& x, const Float& y);

}  // namespace elenchus::num

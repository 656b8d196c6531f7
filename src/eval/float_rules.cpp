#include <optional>

#include "eval/evaluator.h"
#include "eval/rules.h"
#include "num/arith.h"
#include "num/float.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using num::Float;
using num::FloatFormat;

// Results with more bits (of a wide exponent) are not computed.
constexpr uint64_t kMaxBits = uint64_t{1} << 22;

FloatFormat format_of(const Call& call) {
  const ir::SortNode& sort = call.terms.sorts()[call.sort()];
  return {sort.a, sort.b};
}

const Float& float_at(const Call& call, size_t i) { return call.values.floating(call.args[i]); }
num::RoundingMode mode_of(const Call& call) { return ValueStore::mode(call.args[0]); }

bool pay_for(const Call& call, FloatFormat format) { return call.pay(format.significand / 64); }

// Makes a float of the application's sort, if we can compute with its format.
template <typename Make>
Value make_float(const Call& call, Make make) {
  const FloatFormat format = format_of(call);
  if (!num::is_supported(format)) return call.unknown("a float format that is too large");
  if (!pay_for(call, format)) return call.unknown("too many steps");
  return call.values.floating(make(format));
}

// --- Values. ---

Value from_parts(const Call& call) {
  return make_float(call, [&](FloatFormat format) {
    mpz_class bits = call.values.big_bits(call.args[0]);
    bits = (bits << format.exponent) | call.values.big_bits(call.args[1]);
    bits = (bits << (format.significand - 1)) | call.values.big_bits(call.args[2]);
    return Float::from_bits(format, bits);
  });
}

template <num::RoundingMode mode>
Value rounding_mode(const Call&) {
  return ValueStore::mode(mode);
}

template <bool negative>
Value infinity(const Call& call) {
  return make_float(call, [](FloatFormat format) { return Float::infinity(format, negative); });
}

template <bool negative>
Value zero(const Call& call) {
  return make_float(call, [](FloatFormat format) { return Float::zero(format, negative); });
}

Value not_a_number(const Call& call) {
  return make_float(call, [](FloatFormat format) { return Float::nan(format); });
}

// --- Arithmetic. ---

template <Float (*operation)(num::RoundingMode, const Float&, const Float&)>
Value rounded(const Call& call) {
  return make_float(call, [&](FloatFormat) {
    return operation(mode_of(call), float_at(call, 1), float_at(call, 2));
  });
}

template <Float (*operation)(num::RoundingMode, const Float&)>
Value rounded_unary(const Call& call) {
  return make_float(call, [&](FloatFormat) { return operation(mode_of(call), float_at(call, 1)); });
}

template <Float (*operation)(const Float&)>
Value unary(const Call& call) {
  return make_float(call, [&](FloatFormat) { return operation(float_at(call, 0)); });
}

Value fused(const Call& call) {
  return make_float(call, [&](FloatFormat) {
    return num::fma(mode_of(call), float_at(call, 1), float_at(call, 2), float_at(call, 3));
  });
}

// The exponents may be as far apart as the format allows: a modular power with as many squarings of
// significands as an exponent has bits.
Value remainder(const Call& call) {
  const FloatFormat sort = format_of(call);
  const uint64_t words = sort.significand / 64;
  if (!call.pay(sort.exponent * words * words / 32)) return call.unknown("too many steps");
  return make_float(call,
                    [&](FloatFormat) { return num::rem(float_at(call, 0), float_at(call, 1)); });
}

template <std::optional<Float> (*choose)(const Float&, const Float&)>
Value extreme(const Call& call) {
  const auto result = choose(float_at(call, 0), float_at(call, 1));
  if (result) return call.values.floating(*result);
  return call.unknown("fp.min and fp.max of the two zeros may be either");
}

// --- Comparisons and classes. ---

template <typename Holds>
Value compare(const Call& call, Holds holds) {
  return chain(call, [&](const Value& a, const Value& b) {
    return holds(call.values.floating(a), call.values.floating(b));
  });
}

template <bool (Float::*property)() const>
Value has(const Call& call) {
  return boolean((float_at(call, 0).*property)());
}

// --- Conversions to floats. ---

Value from_ieee_bits(const Call& call) {
  return make_float(call, [&](FloatFormat format) {
    return Float::from_bits(format, call.values.big_bits(call.args[0]));
  });
}

Value from_float(const Call& call) {
  return make_float(
      call, [&](FloatFormat format) { return float_at(call, 1).convert(format, mode_of(call)); });
}

// Bounds that close in on the number, until both round to the same: no irrational lies on the
// border between two roundings.
std::optional<Float> round_irrational(FloatFormat format, num::RoundingMode mode,
                                      const num::Real& value) {
  constexpr uint32_t kMaxDigits = 4096;
  for (uint32_t digits = 32; digits <= kMaxDigits; digits *= 2) {
    mpz_class unit;
    mpz_ui_pow_ui(unit.get_mpz_t(), 10, digits);
    std::string text = value.decimal(digits);
    const bool negative = text[0] == '-';
    if (negative) text.erase(0, 1);
    const mpq_class near = num::rational_of_decimal(text);
    const mpq_class far = near + mpq_class(1, unit);
    const Float one = Float::from_rational(format, mode, negative ? mpq_class(-near) : near);
    const Float other = Float::from_rational(format, mode, negative ? mpq_class(-far) : far);
    if (one == other) return one;
  }
  return std::nullopt;
}

Value from_real(const Call& call) {
  const FloatFormat format = format_of(call);
  if (num::is_supported(format) && !call.values.is_rational(call.args[1])) {
    const auto result =
        round_irrational(format, mode_of(call), call.values.exact_real(call.args[1]));
    return result ? call.values.floating(*result) : call.unknown("an irrational number to round");
  }
  return make_float(call, [&](FloatFormat f) {
    return Float::from_rational(f, mode_of(call), call.values.rational(call.args[1]));
  });
}

Value from_signed(const Call& call) {
  return make_float(call, [&](FloatFormat format) {
    return Float::from_integer(format, mode_of(call), call.values.signed_bits(call.args[1]));
  });
}

Value from_unsigned(const Call& call) {
  return make_float(call, [&](FloatFormat format) {
    return Float::from_integer(format, mode_of(call), call.values.big_bits(call.args[1]));
  });
}

Value from_scaled(const Call& call, const Value& number, const Value& exponent) {
  if (!call.values.is_rational(number)) return call.unknown("an irrational number to round");
  return make_float(call, [&](FloatFormat format) {
    return Float::from_scaled_rational(format, mode_of(call), call.values.rational(number),
                                       call.values.big_integer(exponent));
  });
}

// --- Conversions from floats. ---

Value to_bits(const Call& call, bool is_signed) {
  const uint32_t width = call.terms.sorts()[call.sort()].a;
  const Float& value = float_at(call, 1);
  const auto integer = value.to_integer(mode_of(call), uint64_t{width} + 1);
  const mpz_class half = mpz_class(1) << (width - 1);
  const mpz_class low = is_signed ? mpz_class(-half) : mpz_class(0);
  const mpz_class high = is_signed ? half : mpz_class(half * 2);
  if (!integer || *integer < low || *integer >= high) {
    return call.unknown(is_signed ? "fp.to_sbv of a number out of range"
                                  : "fp.to_ubv of a number out of range");
  }
  return call.values.bits(*integer, width);
}

Value to_real(const Call& call) {
  const Float& value = float_at(call, 0);
  if (value.is_nan() || value.is_infinite()) {
    return call.unknown("fp.to_real of a value that is not a number");
  }
  const auto result = value.to_rational(kMaxBits);
  return result ? call.values.real(*result) : call.unknown("a number that is too large");
}

Value to_ieee_bits(const Call& call) {
  const Float& value = float_at(call, 0);
  if (value.is_nan()) return call.unknown("any NaN may be the bits of NaN");
  return call.values.bits(value.to_bits(), call.terms.sorts()[call.sort()].a);
}

constexpr OpRule kFloatRules[] = {
    {Op::kRmRne, rounding_mode<num::RoundingMode::kRne>},
    {Op::kRmRna, rounding_mode<num::RoundingMode::kRna>},
    {Op::kRmRtp, rounding_mode<num::RoundingMode::kRtp>},
    {Op::kRmRtn, rounding_mode<num::RoundingMode::kRtn>},
    {Op::kRmRtz, rounding_mode<num::RoundingMode::kRtz>},
    {Op::kFp, from_parts},
    {Op::kFpPlusInf, infinity<false>},
    {Op::kFpMinusInf, infinity<true>},
    {Op::kFpPlusZero, zero<false>},
    {Op::kFpMinusZero, zero<true>},
    {Op::kFpNan, not_a_number},
    {Op::kFpAbs, unary<num::abs>},
    {Op::kFpNeg, unary<num::neg>},
    {Op::kFpAdd, rounded<num::add>},
    {Op::kFpSub, rounded<num::sub>},
    {Op::kFpMul, rounded<num::mul>},
    {Op::kFpDiv, rounded<num::div>},
    {Op::kFpFma, fused},
    {Op::kFpSqrt, rounded_unary<num::sqrt>},
    {Op::kFpRem, remainder},
    {Op::kFpRoundToIntegral, rounded_unary<num::round_to_integral>},
    {Op::kFpMin, extreme<num::min>},
    {Op::kFpMax, extreme<num::max>},
    {Op::kFpLeq, [](const Call& call) { return compare(call, num::leq); }},
    {Op::kFpLt, [](const Call& call) { return compare(call, num::lt); }},
    {Op::kFpGeq,
     [](const Call& call) {
       return compare(call, [](const Float& a, const Float& b) { return num::leq(b, a); });
     }},
    {Op::kFpGt,
     [](const Call& call) {
       return compare(call, [](const Float& a, const Float& b) { return num::lt(b, a); });
     }},
    {Op::kFpEq, [](const Call& call) { return compare(call, num::eq); }},
    {Op::kFpIsNormal, has<&Float::is_normal>},
    {Op::kFpIsSubnormal, has<&Float::is_subnormal>},
    {Op::kFpIsZero, has<&Float::is_zero>},
    {Op::kFpIsInfinite, has<&Float::is_infinite>},
    {Op::kFpIsNan, has<&Float::is_nan>},
    {Op::kFpIsNegative, has<&Float::is_negative>},
    {Op::kFpIsPositive, has<&Float::is_positive>},
    {Op::kFpFromIeeeBv, from_ieee_bits},
    {Op::kFpFromFp, from_float},
    {Op::kFpFromReal, from_real},
    {Op::kFpFromSbv, from_signed},
    {Op::kFpFromUbv, from_unsigned},
    {Op::kFpFromRealExp,
     [](const Call& call) { return from_scaled(call, call.args[1], call.args[2]); }},
    {Op::kFpFromExpReal,
     [](const Call& call) { return from_scaled(call, call.args[2], call.args[1]); }},
    {Op::kFpFromParts, from_parts},
    {Op::kFpToUbv, [](const Call& call) { return to_bits(call, false); }},
    {Op::kFpToSbv, [](const Call& call) { return to_bits(call, true); }},
    {Op::kFpToReal, to_real},
    {Op::kFpToIeeeBv, to_ieee_bits},
    {Op::kFpMinI, extreme<num::min>},
    {Op::kFpMaxI, extreme<num::max>},
    {Op::kFpToUbvI, [](const Call& call) { return to_bits(call, false); }},
    {Op::kFpToSbvI, [](const Call& call) { return to_bits(call, true); }},
    {Op::kFpToRealI, to_real},
    {Op::kFpToIeeeBvI, to_ieee_bits},
};

}  // namespace

std::span<const OpRule> float_rules() { return kFloatRules; }

}  // namespace elenchus::eval

// Floats. A range is an interval of places in their order, in which the zeros stand beside each
// other; a comparison that has to fail lets NaN through.
#include "eval/range_rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using num::Float;
using num::FloatFormat;

const Float& float_of(const RangeCall& call, const Value& value) {
  return call.values.floating(value);
}

FloatFormat format_of(const RangeCall& call) {
  const ir::SortNode& sort = call.terms.sorts()[call.sort()];
  return {sort.a, sort.b};
}

// The place of the number on the other side of zero.
mpz_class mirrored(const mpz_class& place) { return -1 - place; }

Range numbers(const mpz_class& low, const mpz_class& high, bool has_nan) {
  return {FloatRange{low, high, has_nan}};
}

// The numbers from -limit to limit.
Range up_to(const mpz_class& limit, bool has_nan) {
  return numbers(mirrored(limit), limit, has_nan);
}

// --- Comparisons. ---

// All numbers that stand in this relation to one that is not NaN; the zeros are the same.
FloatRange related(const Float& number, Relation relation) {
  const mpz_class end = infinity_place(number.format());
  const mpz_class place = float_place(number);
  const mpz_class first = number.is_zero() ? mpz_class(-1) : place;
  const mpz_class last = number.is_zero() ? mpz_class(0) : place;
  switch (relation) {
    case Relation::kLess: return {mirrored(end), first - 1, false};
    case Relation::kLessEqual: return {mirrored(end), last, false};
    case Relation::kGreater: return {last + 1, end, false};
    default: return {first, end, false};
  }
}

template <Relation relation>
std::optional<Range> comparison(const RangeCall& call) {
  const auto beside = [](const RangeCall& here, const Value& other, bool on_right,
                         bool truth) -> std::optional<Range> {
    if (!other.known()) return std::nullopt;
    const Float& number = float_of(here, other);
    if (number.is_nan()) return truth ? nothing() : Ranges::any();
    const Relation of_other = truth ? relation : negated(relation);
    FloatRange found = related(number, on_right ? flipped(of_other) : of_other);
    found.has_nan = !truth;
    const mpz_class end = infinity_place(number.format());
    const bool is_full = found.has_nan && found.low == mirrored(end) && found.high == end;
    return is_full ? Ranges::any() : Range{std::move(found)};
  };
  return chain_range(call, beside);
}

std::optional<Range> equality(const RangeCall& call) {
  const auto beside = [](const RangeCall& here, const Value& other, bool,
                         bool truth) -> std::optional<Range> {
    if (!other.known()) return std::nullopt;
    const Float number = float_of(here, other);
    if (number.is_nan()) return truth ? nothing() : Ranges::any();
    if (truth) {
      return here.ranges.intersection({related(number, Relation::kLessEqual)},
                                      {related(number, Relation::kGreaterEqual)});
    }
    if (!number.is_zero()) return all_but({other});
    return all_but({other, here.values.floating(num::neg(number))});
  };
  return chain_range(call, beside);
}

// --- Classes. ---

// Places of the least normal number, and of infinity.
struct Classes {
  mpz_class normal;
  mpz_class infinity;
};

Classes classes_of(const RangeCall& call) {
  const FloatFormat format = format_of(call);
  return {mpz_class(1) << (format.significand - 1), infinity_place(format)};
}

// From one place to another, on the side of zero where the present value is.
Range same_sign(const RangeCall& call, const mpz_class& low, const mpz_class& high, bool has_nan) {
  if (float_of(call, call.present()).is_negative()) {
    return numbers(mirrored(high), mirrored(low), has_nan);
  }
  return numbers(low, high, has_nan);
}

Range zeros_and_nan(const RangeCall& call) {
  const FloatFormat format = format_of(call);
  const Value minus = call.values.floating(Float::zero(format, true));
  const Value plus = call.values.floating(Float::zero(format, false));
  return one_of({minus, plus, call.values.floating(Float::nan(format))});
}

std::vector<Value> infinities(const RangeCall& call) {
  const FloatFormat format = format_of(call);
  const Value minus = call.values.floating(Float::infinity(format, true));
  const Value plus = call.values.floating(Float::infinity(format, false));
  return {minus, plus};
}

std::optional<Range> is_nan(const RangeCall& call) {
  if (call.wanted()) return std::nullopt;
  return up_to(infinity_place(format_of(call)), false);
}

std::optional<Range> is_infinite(const RangeCall& call) {
  if (call.wanted()) return one_of(infinities(call));
  return up_to(infinity_place(format_of(call)) - 1, true);
}

std::optional<Range> is_zero(const RangeCall& call) {
  if (call.wanted()) return numbers(-1, 0, false);
  const FloatFormat format = format_of(call);
  const Value minus = call.values.floating(Float::zero(format, true));
  const Value plus = call.values.floating(Float::zero(format, false));
  return all_but({minus, plus});
}

// Where the answer is no, the values are in several pieces; that of the present value is taken.
std::optional<Range> is_normal(const RangeCall& call) {
  const Classes places = classes_of(call);
  if (call.wanted()) return same_sign(call, places.normal, places.infinity - 1, false);
  if (!float_of(call, call.present()).is_infinite()) return up_to(places.normal - 1, true);
  std::vector<Value> values = infinities(call);
  values.push_back(call.values.floating(Float::nan(format_of(call))));
  return one_of(std::move(values));
}

std::optional<Range> is_subnormal(const RangeCall& call) {
  const Classes places = classes_of(call);
  if (call.wanted()) return same_sign(call, 1, places.normal - 1, false);
  if (float_of(call, call.present()).is_zero()) return zeros_and_nan(call);
  return same_sign(call, places.normal, places.infinity, true);
}

std::optional<Range> has_sign(const RangeCall& call, bool negative) {
  const mpz_class end = infinity_place(format_of(call));
  const bool is_lower = negative == call.wanted();
  const bool has_nan = !call.wanted();
  return is_lower ? numbers(mirrored(end), -1, has_nan) : numbers(0, end, has_nan);
}

// --- Signs. ---

std::optional<Range> negation(const RangeCall& call) {
  if (const auto* range = call.range.as<FloatRange>()) {
    return numbers(mirrored(range->high), mirrored(range->low), range->has_nan);
  }
  return mapped(call.range, [&](const Value& value) {
    const Float number = float_of(call, value);
    return std::optional(call.values.floating(num::neg(number)));
  });
}

// Both signs of each value.
std::vector<Value> with_opposites(const RangeCall& call, const std::vector<Value>& values) {
  std::vector<Value> found;
  for (const Value& value : values) {
    const Float number = float_of(call, value);
    if (number.is_negative()) continue;
    found.push_back(value);
    found.push_back(call.values.floating(num::neg(number)));
  }
  return found;
}

std::optional<Range> magnitude(const RangeCall& call) {
  if (const auto* listed = call.range.as<Listed>()) {
    return one_of(with_opposites(call, listed->values));
  }
  if (const auto* excluded = call.range.as<Excluded>()) {
    return all_but(with_opposites(call, excluded->values));
  }
  const auto* range = call.range.as<FloatRange>();
  if (range == nullptr) return std::nullopt;
  if (range->low <= 0) return numbers(mirrored(range->high), range->high, range->has_nan);
  return same_sign(call, range->low, range->high, range->has_nan);
}

constexpr OpRangeRule kRules[] = {
    {Op::kFpLt, comparison<Relation::kLess>},
    {Op::kFpLeq, comparison<Relation::kLessEqual>},
    {Op::kFpGt, comparison<Relation::kGreater>},
    {Op::kFpGeq, comparison<Relation::kGreaterEqual>},
    {Op::kFpEq, equality},
    {Op::kFpIsNan, is_nan},
    {Op::kFpIsInfinite, is_infinite},
    {Op::kFpIsZero, is_zero},
    {Op::kFpIsNormal, is_normal},
    {Op::kFpIsSubnormal, is_subnormal},
    {Op::kFpIsNegative, [](const RangeCall& call) { return has_sign(call, true); }},
    {Op::kFpIsPositive, [](const RangeCall& call) { return has_sign(call, false); }},
    {Op::kFpNeg, negation},
    {Op::kFpAbs, magnitude},
};

}  // namespace

std::span<const OpRangeRule> float_ranges() { return kRules; }

// Without the sign, the bits of the interchange format grow with the number.
mpz_class float_place(const Float& number) {
  const auto [exponent, significand] = number.format();
  mpz_class magnitude = number.to_bits();
  mpz_clrbit(magnitude.get_mpz_t(), exponent + significand - 1);
  return number.is_negative() ? mirrored(magnitude) : magnitude;
}

Float float_at(FloatFormat format, const mpz_class& place) {
  if (place >= 0) return Float::from_bits(format, place);
  mpz_class bits = mirrored(place);
  mpz_setbit(bits.get_mpz_t(), format.exponent + format.significand - 1);
  return Float::from_bits(format, bits);
}

mpz_class infinity_place(FloatFormat format) {
  return ((mpz_class(1) << format.exponent) - 1) << (format.significand - 1);
}

}  // namespace elenchus::eval

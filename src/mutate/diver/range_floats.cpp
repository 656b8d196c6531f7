// Floats. A range is an interval of places in their order, in which the zeros stand beside each
// other; a comparison that has to fail lets NaN through.
#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;
using num::Float;
using num::FloatFormat;

// Of formats whose numbers are written out as fractions: that of Float128.
constexpr uint32_t kMaxExponent = 15;

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

// --- Arithmetic: rounding keeps the order of numbers. ---

// The part of the excluded values' complement that the place lies in.
FloatRange between(const RangeCall& call, const Excluded& excluded, const mpz_class& place) {
  const mpz_class end = infinity_place(float_of(call, call.result).format());
  FloatRange found{mirrored(end), end, false};
  for (const Value& value : excluded.values) {
    if (float_of(call, value).is_nan()) continue;
    const mpz_class other = float_place(float_of(call, value));
    if (other < place) found.low = std::max(found.low, mpz_class(other + 1));
    if (other > place) found.high = std::min(found.high, mpz_class(other - 1));
  }
  return found;
}

// The places in the call's range around that of the result.
FloatRange results(const RangeCall& call) {
  if (const auto* range = call.range.as<FloatRange>()) return *range;
  const mpz_class place = float_place(float_of(call, call.result));
  if (const auto* excluded = call.range.as<Excluded>()) return between(call, *excluded, place);
  return {place, place, false};
}

// The last place, as far as `end`, of those that follow `present` without a gap and are good. All
// good places up to the end stand together, so that halving finds it.
template <typename IsGood>
mpz_class last_good(mpz_class present, const mpz_class& end, IsGood is_good) {
  if (is_good(end)) return end;
  mpz_class bad = end;
  while (abs(mpz_class(bad - present)) > 1) {
    const mpz_class middle = present + (bad - present) / 2;
    (is_good(middle) ? present : bad) = middle;
  }
  return present;
}

// What a function that never falls, or never rises, between the places `low` and `high` takes to a
// result. It takes NaN to NaN.
template <typename Function>
std::optional<Range> monotone(const RangeCall& call, const mpz_class& low, const mpz_class& high,
                              Function function) {
  const Float number = float_of(call, call.present());
  if (number.is_nan() || float_of(call, call.result).is_nan()) return std::nullopt;
  const FloatRange wanted = results(call);
  const FloatFormat format = number.format();
  const auto is_good = [&](const mpz_class& place) {
    const Float result = function(float_at(format, place));
    if (result.is_nan()) return false;
    const mpz_class at = float_place(result);
    return wanted.low <= at && at <= wanted.high;
  };
  const mpz_class present = float_place(number);
  return numbers(last_good(present, low, is_good), last_good(present, high, is_good),
                 wanted.has_nan);
}

template <typename Function>
std::optional<Range> monotone(const RangeCall& call, Function function) {
  const mpz_class end = infinity_place(format_of(call));
  return monotone(call, mirrored(end), end, function);
}

// The arguments beside this one: a rounding mode, then numbers. None where one is unknown, and
// where one is no number that can be calculated with.
struct Operands {
  num::RoundingMode mode;
  std::vector<Float> others;
};
std::optional<Operands> operands(const RangeCall& call) {
  const auto others = call.others();
  if (call.position == 0 || !others) return std::nullopt;
  Operands found{ValueStore::mode(others->front()), {}};
  for (size_t i = 1; i < others->size(); ++i) {
    found.others.push_back(float_of(call, (*others)[i]));
    if (found.others.back().is_nan() || found.others.back().is_infinite()) return std::nullopt;
  }
  return found;
}

std::optional<Range> sum(const RangeCall& call) {
  const auto with = operands(call);
  if (!with) return std::nullopt;
  return monotone(call, [&](const Float& x) { return num::add(with->mode, x, with->others[0]); });
}

std::optional<Range> difference(const RangeCall& call) {
  const auto with = operands(call);
  if (!with) return std::nullopt;
  return monotone(call, [&](const Float& x) {
    return call.position == 1 ? num::sub(with->mode, x, with->others[0])
                              : num::sub(with->mode, with->others[0], x);
  });
}

std::optional<Range> product(const RangeCall& call) {
  const auto with = operands(call);
  if (!with || with->others[0].is_zero()) return std::nullopt;
  return monotone(call, [&](const Float& x) { return num::mul(with->mode, x, with->others[0]); });
}

// A number by the argument jumps where that passes zero.
std::optional<Range> quotient(const RangeCall& call) {
  const auto with = operands(call);
  if (!with || with->others[0].is_zero()) return std::nullopt;
  const Float& other = with->others[0];
  if (call.position == 1) {
    return monotone(call, [&](const Float& x) { return num::div(with->mode, x, other); });
  }
  const mpz_class end = infinity_place(format_of(call));
  const bool is_negative = float_of(call, call.present()).is_negative();
  const mpz_class low = is_negative ? mirrored(end) : mpz_class(0);
  const mpz_class high = is_negative ? mpz_class(-1) : end;
  return monotone(call, low, high, [&](const Float& x) { return num::div(with->mode, other, x); });
}

std::optional<Range> fused(const RangeCall& call) {
  const auto with = operands(call);
  if (!with) return std::nullopt;
  const Float& first = with->others[0];
  const Float& second = with->others[1];
  if (call.position == 3) {
    return monotone(call, [&](const Float& x) { return num::fma(with->mode, first, second, x); });
  }
  if (first.is_zero()) return std::nullopt;
  return monotone(call, [&](const Float& x) { return num::fma(with->mode, x, first, second); });
}

template <Float (*operation)(num::RoundingMode, const Float&)>
std::optional<Range> rounded(const RangeCall& call) {
  const auto with = operands(call);
  if (!with) return std::nullopt;
  return monotone(call, [&](const Float& x) { return operation(with->mode, x); });
}

std::optional<Range> converted(const RangeCall& call) {
  const auto with = operands(call);
  if (!with) return std::nullopt;
  const ir::SortNode& sort = call.terms.sorts()[call.terms.sort(call.term)];
  const FloatFormat format{sort.a, sort.b};
  return monotone(call, [&](const Float& x) { return x.convert(format, with->mode); });
}

// --- Between floats and real numbers. ---

mpq_class real_at(FloatFormat format, const mpz_class& place) {
  return float_at(format, place).to_rational(UINT64_MAX).value_or(0);
}

// Numbers of formats with large exponents take more memory than there is.
bool has_small_numbers(FloatFormat format) { return format.exponent <= kMaxExponent; }

// Whatever lies between two floats is rounded to one between them. Zero is rounded to the positive
// zero; all numbers below it stay below that.
std::optional<Range> rounded_real(const RangeCall& call) {
  if (call.position != 1 || float_of(call, call.result).is_nan()) return std::nullopt;
  const auto present = rational_of(call.values, call.present());
  const FloatFormat format = float_of(call, call.result).format();
  if (!present || !call.arg(0).known() || !has_small_numbers(format)) return std::nullopt;
  const FloatRange wanted = results(call);
  const mpz_class end = infinity_place(format);
  Interval found;
  if (wanted.low > mirrored(end)) {
    found.low = Interval::End{wanted.low < end ? real_at(format, wanted.low) : *present};
    if (found.low->at > *present) found.low->at = *present;
  }
  if (wanted.high < end) {
    const bool is_below_zero = wanted.high == -1;
    found.high = Interval::End{
        wanted.high > mirrored(end) ? real_at(format, wanted.high) : *present, is_below_zero};
    if (found.high->at < *present) found.high = Interval::End{*present};
  }
  return interval(std::move(found));
}

// What is no number has a value that is open.
std::optional<Range> real_value(const RangeCall& call) {
  const auto wanted = around(call);
  const Float number = float_of(call, call.present());
  const FloatFormat format = number.format();
  if (!wanted || number.is_nan() || number.is_infinite() || !has_small_numbers(format)) {
    return std::nullopt;
  }
  const Range within = interval(*wanted);
  const auto is_good = [&](const mpz_class& place) {
    return call.ranges.contains(within, call.values.real(real_at(format, place)));
  };
  const mpz_class present = float_place(number);
  const mpz_class end = infinity_place(format) - 1;
  return numbers(last_good(present, mirrored(end), is_good), last_good(present, end, is_good),
                 false);
}

constexpr OpRangeRule kFloatsRanges[] = {
    {Op::kFpFromReal, rounded_real},
    {Op::kFpToReal, real_value},
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
    {Op::kFpAdd, sum},
    {Op::kFpSub, difference},
    {Op::kFpMul, product},
    {Op::kFpDiv, quotient},
    {Op::kFpFma, fused},
    {Op::kFpSqrt, rounded<num::sqrt>},
    {Op::kFpRoundToIntegral, rounded<num::round_to_integral>},
    {Op::kFpFromFp, converted},
};

}  // namespace

std::span<const OpRangeRule> float_ranges() { return kFloatsRanges; }

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

}  // namespace elenchus::mutate::diver

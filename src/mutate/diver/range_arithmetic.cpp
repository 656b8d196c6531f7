// Integers and reals. Sums and products with all but one factor fixed are lines, which are inverted
// exactly; elsewhere an interval around the present value is taken. Irrational neighbours keep the
// present value: the ends of intervals are rational.
#include <utility>

#include "ir/apply.h"
#include "mutate/diver/range_rules.h"
#include "num/arith.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;
using End = Interval::End;

Value number(ValueStore& values, const mpq_class& value, bool is_int) {
  return is_int ? values.integer(value.get_num()) : values.real(value);
}

Range numbers(const RangeCall& call, Interval found) {
  return interval(call.is_int() ? whole(std::move(found)) : std::move(found));
}

End closed(const mpq_class& at) { return {at, false}; }

// --- Lines: the result is slope * argument + offset. ---

struct Line {
  mpq_class slope;
  mpq_class offset;

  mpq_class before(const mpq_class& result) const { return (result - offset) / slope; }
};

std::optional<Range> values_before(const RangeCall& call, const Line& line) {
  bool all_rational = true;
  auto found = mapped(call.range, [&](const Value& value) -> std::optional<Value> {
    const auto rational = rational_of(call.values, value);
    all_rational = all_rational && rational;
    if (!rational) return std::nullopt;
    const mpq_class argument = line.before(*rational);
    if (call.is_int() && !num::is_integer(argument)) return std::nullopt;
    return number(call.values, argument, call.is_int());
  });
  return all_rational ? found : std::nullopt;
}

std::optional<Range> on_line(const RangeCall& call, const Line& line) {
  const auto* range = call.range.as<Interval>();
  if (range == nullptr) return values_before(call, line);
  const auto before = [&](const std::optional<End>& end) -> std::optional<End> {
    if (!end) return std::nullopt;
    return End{line.before(end->at), end->is_open};
  };
  Interval found{before(range->low), before(range->high)};
  if (line.slope < 0) std::swap(found.low, found.high);
  return numbers(call, std::move(found));
}

// With the slope 1 or -1, the offset follows from the present values.
std::optional<Range> on_diagonal(const RangeCall& call, bool rising) {
  const auto argument = rational_of(call.values, call.present());
  const auto result = rational_of(call.values, call.result);
  if (!argument || !result) return std::nullopt;
  if (rising) return on_line(call, {1, *result - *argument});
  return on_line(call, {-1, *result + *argument});
}

// The product of the other arguments.
std::optional<mpq_class> other_factors(const RangeCall& call) {
  const auto others = call.others();
  if (!others) return std::nullopt;
  mpq_class product = 1;
  for (const Value& other : *others) {
    const auto factor = rational_of(call.values, other);
    if (!factor) return std::nullopt;
    product *= *factor;
  }
  return product;
}

std::optional<Range> factor(const RangeCall& call) {
  const Value zero = number(call.values, 0, call.is_int());
  for (size_t i = 0; i < call.count(); ++i) {
    if (i != call.position && call.arg(i) == zero) return Ranges::any();
  }
  const auto product = other_factors(call);
  if (!product) return std::nullopt;
  return on_line(call, {*product, 0});
}

std::optional<Range> dividend(const RangeCall& call) {
  if (call.position != 0) return std::nullopt;
  const auto divisor = other_factors(call);
  if (!divisor || *divisor == 0) return std::nullopt;
  return on_line(call, {1 / *divisor, 0});
}

// --- Steps: many arguments have one result. ---

// Rounding down after each of several divisions by positive numbers is rounding down once.
std::optional<Range> integer_dividend(const RangeCall& call) {
  if (call.position != 0) return std::nullopt;
  mpz_class divisor = 1;
  const auto others = call.others();
  if (!others) return std::nullopt;
  for (const Value& other : *others) {
    const mpz_class next = call.values.big_integer(other);
    if (next <= 0) return std::nullopt;
    divisor *= next;
  }
  auto quotient = around(call);
  if (!quotient) return std::nullopt;
  quotient = whole(*quotient);
  if (quotient->low) quotient->low->at *= divisor;
  if (quotient->high) quotient->high->at = (quotient->high->at + 1) * divisor - 1;
  return interval(*std::move(quotient));
}

// Numbers from first to last, less those outside the interval.
Interval clipped(Interval found, const mpz_class& first, const mpz_class& last) {
  if (!found.low || found.low->at < first) found.low = closed(first);
  if (!found.high || found.high->at > last) found.high = closed(last);
  return found;
}

// The integers of the period in which the argument lies.
std::optional<Range> within_period(const RangeCall& call, Interval remainder,
                                   const mpz_class& period) {
  remainder = whole(std::move(remainder));
  const bool all = (!remainder.low || remainder.low->at <= 0) &&
                   (!remainder.high || remainder.high->at >= period - 1);
  if (all) return Ranges::any();
  Interval found = clipped(std::move(remainder), 0, period - 1);
  const mpz_class argument = call.values.big_integer(call.present());
  const mpz_class start = argument - num::mod_euclid(argument, period);
  found.low->at += start;
  found.high->at += start;
  return interval(std::move(found));
}

std::optional<Range> modulo(const RangeCall& call) {
  if (call.position != 0) return std::nullopt;
  const Value divisor = call.arg(1);
  if (!divisor.known()) return std::nullopt;
  const mpz_class period = abs(call.values.big_integer(divisor));
  auto remainder = around(call);
  if (period == 0 || !remainder) return std::nullopt;
  return within_period(call, *std::move(remainder), period);
}

std::optional<Range> divisible(const RangeCall& call) {
  const uint32_t word = call.index(0);
  if (call.wanted() || (word & ir::kSymbolIndex) != 0 || word == 0) return std::nullopt;
  return within_period(call, {closed(1), std::nullopt}, mpz_class(word));
}

std::optional<Range> to_bits(const RangeCall& call) {
  const auto* range = call.range.as<BitRange>();
  if (range == nullptr || range->mask != 0) return std::nullopt;
  const mpz_class period = mpz_class(1) << range->width;
  const BitRange full = *full_bits(range->width).as<BitRange>();
  if (range->signed_low != full.signed_low || range->signed_high != full.signed_high) {
    return std::nullopt;
  }
  return within_period(call, {closed(range->low), closed(range->high)}, period);
}

std::optional<End> opposite(const std::optional<End>& end) {
  if (!end) return std::nullopt;
  return End{-end->at, end->is_open};
}

std::optional<Range> magnitude(const RangeCall& call) {
  const auto found = around(call);
  if (!found) return std::nullopt;
  const bool from_zero =
      !found->low || found->low->at < 0 || (found->low->at == 0 && !found->low->is_open);
  if (from_zero) return numbers(call, {opposite(found->high), found->high});
  const auto argument = rational_of(call.values, call.present());
  if (!argument) return std::nullopt;
  if (*argument >= 0) return numbers(call, *found);
  return numbers(call, {opposite(found->high), opposite(found->low)});
}

std::optional<Range> floor(const RangeCall& call) {
  auto found = around(call);
  if (!found) return std::nullopt;
  found = whole(*found);
  if (found->high) found->high = End{found->high->at + 1, true};
  return interval(*std::move(found));
}

std::optional<Range> is_integer(const RangeCall& call) {
  if (call.wanted()) return std::nullopt;
  const mpz_class below = call.values.exact_real(call.present()).floor();
  return interval({End{below, true}, End{mpq_class(below + 1), true}});
}

// --- Comparisons. ---

template <Relation relation>
std::optional<Range> comparison(const RangeCall& call) {
  const auto beside = [](const RangeCall& here, const Value& other, bool on_right,
                         bool truth) -> std::optional<Range> {
    const auto bound = rational_of(here.values, other);
    if (!bound) return std::nullopt;
    const Relation of_other = truth ? relation : negated(relation);
    const Relation own = on_right ? flipped(of_other) : of_other;
    const End end{*bound, is_strict(own)};
    return numbers(here, is_upper(own) ? Interval{std::nullopt, end} : Interval{end, std::nullopt});
  };
  return chain_range(call, beside);
}

constexpr OpRangeRule kArithmeticRanges[] = {
    {Op::kNeg, [](const RangeCall& call) { return on_diagonal(call, false); }},
    {Op::kSub, [](const RangeCall& call) { return on_diagonal(call, call.position == 0); }},
    {Op::kAdd, [](const RangeCall& call) { return on_diagonal(call, true); }},
    {Op::kMul, factor},
    {Op::kRealDiv, dividend},
    {Op::kRealDivTotal, dividend},
    {Op::kIntDiv, integer_dividend},
    {Op::kIntDivTotal, integer_dividend},
    {Op::kMod, modulo},
    {Op::kModTotal, modulo},
    {Op::kDivisible, divisible},
    {Op::kAbs, magnitude},
    {Op::kAbsReal, magnitude},
    {Op::kToReal,
     [](const RangeCall& call) {
       return on_line(call, {1, 0});
     }},
    {Op::kToInt, floor},
    {Op::kIsInt, is_integer},
    {Op::kIntToBv, to_bits},
    {Op::kLe, comparison<Relation::kLessEqual>},
    {Op::kLt, comparison<Relation::kLess>},
    {Op::kGe, comparison<Relation::kGreaterEqual>},
    {Op::kGt, comparison<Relation::kGreater>},
};

// The end nearest to the number among these values, on one side.
std::optional<End> nearest(const ValueStore& values, const std::vector<Value>& excluded,
                           const mpq_class& at, bool below) {
  std::optional<End> found;
  for (const Value& value : excluded) {
    const auto candidate = rational_of(values, value);
    if (!candidate || (*candidate < at) != below) continue;
    if (!found || (*candidate < found->at) != below) found = End{*candidate, true};
  }
  return found;
}

}  // namespace

std::span<const OpRangeRule> arithmetic_ranges() { return kArithmeticRanges; }

std::optional<mpq_class> rational_of(const ValueStore& values, const Value& value) {
  if (value.kind == ValueKind::kInt) return mpq_class(values.big_integer(value));
  if (value.kind != ValueKind::kReal || !values.is_rational(value)) return std::nullopt;
  return values.rational(value);
}

std::optional<Interval> around(const RangeCall& call) {
  if (const auto* found = call.range.as<Interval>()) return *found;
  const auto at = rational_of(call.values, call.result);
  if (!at) return std::nullopt;
  if (call.range.as<Listed>() != nullptr) return Interval{closed(*at), closed(*at)};
  const auto* excluded = call.range.as<Excluded>();
  if (excluded == nullptr) return std::nullopt;
  for (const Value& value : excluded->values) {
    if (!rational_of(call.values, value)) return std::nullopt;
  }
  return Interval{nearest(call.values, excluded->values, *at, true),
                  nearest(call.values, excluded->values, *at, false)};
}

}  // namespace elenchus::mutate::diver

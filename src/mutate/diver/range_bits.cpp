// Bit-vectors. Three views of one range: unsigned numbers, signed numbers, single bits. Operators
// that work bit by bit take the bits that fix the result within its range; those that move numbers
// take the intervals.
#include <algorithm>
#include <utility>

#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;

mpz_class power(uint32_t exponent) { return mpz_class(1) << exponent; }
mpz_class ones(uint32_t width) { return power(width) - 1; }

mpz_class modulo(const mpz_class& value, uint32_t width) {
  mpz_class cut;
  mpz_fdiv_r_2exp(cut.get_mpz_t(), value.get_mpz_t(), width);
  return cut;
}

mpz_class floor_shift(const mpz_class& value, uint32_t count) {
  mpz_class shifted;
  mpz_fdiv_q_2exp(shifted.get_mpz_t(), value.get_mpz_t(), count);
  return shifted;
}

mpz_class ceiling_shift(const mpz_class& value, uint32_t count) {
  mpz_class shifted;
  mpz_cdiv_q_2exp(shifted.get_mpz_t(), value.get_mpz_t(), count);
  return shifted;
}

BitRange full(uint32_t width) {
  const mpz_class half = power(width - 1);
  return {width, 0, ones(width), -half, half - 1, 0, 0};
}

mpz_class bits_of(const RangeCall& call, const Value& value) { return call.values.big_bits(value); }
uint32_t width_of(const RangeCall& call) { return call.terms.sorts()[call.sort()].a; }

// --- Reading the call's range. ---

// The part of the excluded values' complement that the result lies in.
BitRange between(const RangeCall& call, const Excluded& excluded) {
  BitRange range = full(ValueStore::width(call.result));
  const mpz_class at = bits_of(call, call.result);
  for (const Value& value : excluded.values) {
    const mpz_class bits = bits_of(call, value);
    if (bits < at) range.low = std::max(range.low, mpz_class(bits + 1));
    if (bits > at) range.high = std::min(range.high, mpz_class(bits - 1));
  }
  return range;
}

// A range of this shape inside the call's, around the result.
BitRange range_of(const RangeCall& call) {
  if (const auto* range = call.range.as<BitRange>()) return *range;
  if (const auto* excluded = call.range.as<Excluded>()) return between(call, *excluded);
  BitRange range = full(ValueStore::width(call.result));
  range.mask = ones(range.width);
  range.bits = bits_of(call, call.result);
  return range;
}

bool has_unsigned_limits(const BitRange& range) {
  return range.low != 0 || range.high != ones(range.width);
}
bool has_signed_limits(const BitRange& range) {
  const mpz_class half = power(range.width - 1);
  return range.signed_low != -half || range.signed_high != half - 1;
}

// Whether all values that agree with the result but for the lowest bits are between the limits.
bool is_free_below(const BitRange& range, const mpz_class& result, const mpz_class& number,
                   uint32_t count) {
  const mpz_class first = floor_shift(result, count) << count;
  const mpz_class last = first + ones(count);
  if (first < range.low || last > range.high) return false;
  // All bits free are both signs.
  if (count == range.width) return !has_signed_limits(range);
  const mpz_class signed_first = floor_shift(number, count) << count;
  return signed_first >= range.signed_low && signed_first + ones(count) <= range.signed_high;
}

// Bits that keep the result within the range as long as they are what they are, with as few for the
// limits as possible.
mpz_class fixed_bits(const RangeCall& call) {
  const BitRange range = range_of(call);
  const mpz_class result = bits_of(call, call.result);
  const mpz_class number = call.values.signed_bits(call.result);
  uint32_t free = 0;
  uint32_t beyond = range.width + 1;
  while (beyond - free > 1) {
    const uint32_t middle = free + (beyond - free) / 2;
    (is_free_below(range, result, number, middle) ? free : beyond) = middle;
  }
  return range.mask | (ones(range.width) ^ ones(free));
}

// --- Making ranges. ---

// The bits of the mask as in the value.
Range agreeing(uint32_t width, const mpz_class& mask, const mpz_class& value) {
  if (mask == 0) return Ranges::any();
  BitRange range = full(width);
  range.mask = mask;
  range.bits = value & mask;
  return {std::move(range)};
}

Range finished(BitRange range) {
  const bool is_full = range.mask == 0 && !has_unsigned_limits(range) && !has_signed_limits(range);
  return is_full ? Ranges::any() : Range{std::move(range)};
}

// The argument keeps the bits of the mask.
Range keeping(const RangeCall& call, const mpz_class& mask) {
  return agreeing(width_of(call), mask, bits_of(call, call.present()));
}

// --- Comparisons. ---

template <Relation relation, bool is_signed>
std::optional<Range> comparison(const RangeCall& call) {
  const Value other = call.arg(1 - call.position);
  if (!other.known()) return std::nullopt;
  const Relation of_first = call.wanted() ? relation : negated(relation);
  const Relation own = call.position == 0 ? of_first : flipped(of_first);
  BitRange range = full(width_of(call));
  mpz_class& low = is_signed ? range.signed_low : range.low;
  mpz_class& high = is_signed ? range.signed_high : range.high;
  const mpz_class bound = is_signed ? call.values.signed_bits(other) : bits_of(call, other);
  const int step = is_strict(own) ? 1 : 0;
  if (is_upper(own)) {
    high = bound - step;
  } else {
    low = bound + step;
  }
  return finished(std::move(range));
}

std::optional<Range> comparison_bit(const RangeCall& call) {
  const Value other = call.arg(1 - call.position);
  if (!other.known()) return std::nullopt;
  return bits_of(call, call.result) == 1 ? Ranges::only(other) : all_but({other});
}

// A predicate that is false of one value only, and tells nothing more where it is `truth`.
std::optional<Range> all_but_one(const RangeCall& call, bool truth, const mpz_class& one) {
  const bool now =
      call.result.kind == ValueKind::kBool ? call.wanted() : bits_of(call, call.result) == 1;
  if (now != truth) return std::nullopt;
  return all_but({call.values.bits(one, width_of(call))});
}

std::optional<Range> one_bit(const RangeCall& call) { return keeping(call, power(call.index(0))); }

// --- Bit by bit. ---

// The other arguments, joined.
template <typename Join>
std::optional<mpz_class> joined(const RangeCall& call, mpz_class start, Join join) {
  const auto others = call.others();
  if (!others) return std::nullopt;
  for (const Value& other : *others) start = join(start, bits_of(call, other));
  return start;
}

// Where one of the others has a zero, the argument does not matter.
std::optional<Range> conjunct(const RangeCall& call) {
  const auto others =
      joined(call, ones(width_of(call)),
             [](const mpz_class& a, const mpz_class& b) { return mpz_class(a & b); });
  if (!others) return std::nullopt;
  return keeping(call, fixed_bits(call) & *others);
}

std::optional<Range> disjunct(const RangeCall& call) {
  const auto others =
      joined(call, 0, [](const mpz_class& a, const mpz_class& b) { return mpz_class(a | b); });
  if (!others) return std::nullopt;
  return keeping(call, fixed_bits(call) & (ones(width_of(call)) ^ *others));
}

// The values that a map of all bit-vectors onto all of them takes to those of the range.
template <typename Before>
std::optional<Range> permuted(const RangeCall& call, Before before) {
  return mapped(call.range, [&](const Value& value) {
    return std::optional(call.values.bits(before(bits_of(call, value)), width_of(call)));
  });
}

// The others flip the same bits whatever the argument is.
std::optional<Range> exclusive(const RangeCall& call) {
  if (!call.others()) return std::nullopt;
  if (call.range.as<BitRange>() != nullptr) return keeping(call, fixed_bits(call));
  const mpz_class flips = bits_of(call, call.present()) ^ bits_of(call, call.result);
  return permuted(call, [&](const mpz_class& bits) { return mpz_class(bits ^ flips); });
}

std::optional<Range> complement(const RangeCall& call) {
  const mpz_class all = ones(width_of(call));
  if (call.range.as<BitRange>() == nullptr) {
    return permuted(call, [&](const mpz_class& bits) { return mpz_class(all - bits); });
  }
  BitRange range = range_of(call);
  std::swap(range.low, range.high);
  range.low = all - range.low;
  range.high = all - range.high;
  std::swap(range.signed_low, range.signed_high);
  range.signed_low = -1 - range.signed_low;
  range.signed_high = -1 - range.signed_high;
  range.bits = (range.bits ^ all) & range.mask;
  return finished(std::move(range));
}

// By a number of places that is fixed.
std::optional<uint32_t> distance(const RangeCall& call) {
  const Value count = call.arg(1);
  if (call.position != 0 || !count.known()) return std::nullopt;
  const mpz_class width = width_of(call);
  return static_cast<uint32_t>(mpz_class(std::min(bits_of(call, count), width)).get_ui());
}

std::optional<Range> shifted_left(const RangeCall& call) {
  const auto count = distance(call);
  if (!count) return std::nullopt;
  return keeping(call, fixed_bits(call) >> *count);
}

std::optional<Range> shifted_right(const RangeCall& call, bool repeats_sign) {
  const auto count = distance(call);
  if (!count) return std::nullopt;
  const uint32_t width = width_of(call);
  const mpz_class mask = fixed_bits(call);
  mpz_class kept = modulo(mask << *count, width);
  if (repeats_sign && floor_shift(mask, width - std::min(*count, width)) != 0) {
    kept |= power(width - 1);
  }
  return keeping(call, kept);
}

std::optional<Range> rotated(const RangeCall& call, bool left) {
  const uint32_t width = width_of(call);
  const uint32_t count = call.index(0) % width;
  // Back to where they came from.
  const uint32_t back = left ? count : (width - count) % width;
  const auto before = [&](const mpz_class& bits) {
    return mpz_class((bits >> back) | modulo(bits << (width - back), width));
  };
  if (call.range.as<BitRange>() == nullptr) return permuted(call, before);
  return keeping(call, before(fixed_bits(call)));
}

// --- Pieces. ---

void limit(BitRange& range, const mpz_class& low, const mpz_class& high) {
  range.low = std::max(range.low, low);
  range.high = std::min(range.high, high);
}
void limit_signed(BitRange& range, const mpz_class& low, const mpz_class& high) {
  range.signed_low = std::max(range.signed_low, low);
  range.signed_high = std::min(range.signed_high, high);
}

// The result is (before, argument, after).
std::optional<Range> piece(const RangeCall& call) {
  const auto others = call.others();
  if (!others) return std::nullopt;
  uint32_t below = 0;
  for (size_t i = call.position; i < others->size(); ++i) below += ValueStore::width((*others)[i]);
  const BitRange whole = range_of(call);
  BitRange range = full(width_of(call));
  const mpz_class argument = bits_of(call, call.present());
  // What the others add to the number.
  const mpz_class rest = bits_of(call, call.result) - (argument << below);
  limit(range, ceiling_shift(whole.low - rest, below), floor_shift(whole.high - rest, below));
  const bool is_top = call.position == 0;
  const mpz_class number = is_top ? call.values.signed_bits(call.present()) : argument;
  const mpz_class signed_rest = call.values.signed_bits(call.result) - (number << below);
  const mpz_class low = ceiling_shift(whole.signed_low - signed_rest, below);
  const mpz_class high = floor_shift(whole.signed_high - signed_rest, below);
  is_top ? limit_signed(range, low, high) : limit(range, low, high);
  range.mask = modulo(whole.mask >> below, range.width);
  range.bits = argument & range.mask;
  return finished(std::move(range));
}

std::optional<Range> extracted(const RangeCall& call) {
  const uint32_t top = call.index(0);
  const uint32_t below = call.index(1);
  const uint32_t width = width_of(call);
  if (top + 1 != width) return keeping(call, fixed_bits(call) << below);
  const BitRange piece = range_of(call);
  BitRange range = full(width);
  const mpz_class rest = ones(below);
  limit(range, piece.low << below, (piece.high << below) + rest);
  limit_signed(range, piece.signed_low << below, (piece.signed_high << below) + rest);
  range.mask = piece.mask << below;
  range.bits = piece.bits << below;
  return finished(std::move(range));
}

std::optional<Range> zero_extended(const RangeCall& call) {
  const BitRange whole = range_of(call);
  BitRange range = full(width_of(call));
  limit(range, whole.low, whole.high);
  if (whole.width == range.width) {
    limit_signed(range, whole.signed_low, whole.signed_high);
  } else {
    limit(range, whole.signed_low, whole.signed_high);
  }
  range.mask = modulo(whole.mask, range.width);
  range.bits = modulo(whole.bits, range.width);
  return finished(std::move(range));
}

std::optional<Range> sign_extended(const RangeCall& call) {
  const BitRange whole = range_of(call);
  BitRange range = full(width_of(call));
  const mpz_class argument = bits_of(call, call.present());
  limit_signed(range, whole.signed_low, whole.signed_high);
  if (has_unsigned_limits(whole)) {
    // Numbers of the argument's sign.
    const bool negative = call.values.signed_bits(call.present()) < 0;
    const mpz_class turn = negative ? power(whole.width) : mpz_class(0);
    limit_signed(range, whole.low - turn, whole.high - turn);
    negative ? limit_signed(range, range.signed_low, -1)
             : limit_signed(range, 0, range.signed_high);
  }
  range.mask = modulo(whole.mask, range.width);
  if (floor_shift(whole.mask, range.width) != 0) range.mask |= power(range.width - 1);
  range.bits = argument & range.mask;
  return finished(std::move(range));
}

// --- Sums and differences: the argument is the result plus a constant, or a constant less it. ---

// Limits for the argument that go round at the ends of the numbers are cut there.
void limit_round(BitRange& range, const mpz_class& low, const mpz_class& high,
                 const mpz_class& present) {
  if (high - low >= ones(range.width)) return;
  const mpz_class first = modulo(low, range.width);
  const mpz_class last = modulo(high, range.width);
  if (first <= last) return limit(range, first, last);
  present >= first ? limit(range, first, ones(range.width)) : limit(range, 0, last);
}

std::optional<Range> moved(const RangeCall& call, bool rising) {
  const uint32_t width = width_of(call);
  if (!call.others()) return std::nullopt;
  const mpz_class present = bits_of(call, call.present());
  const mpz_class result = bits_of(call, call.result);
  const mpz_class constant = present + (rising ? mpz_class(-result) : result);
  const auto before = [&](const mpz_class& value) {
    return rising ? mpz_class(constant + value) : mpz_class(constant - value);
  };
  if (call.range.as<BitRange>() == nullptr) {
    return permuted(call, before);
  }
  const BitRange& whole = *call.range.as<BitRange>();
  if (whole.mask != 0) return std::nullopt;
  BitRange range = full(width);
  const auto limit_by = [&](const mpz_class& low, const mpz_class& high) {
    limit_round(range, before(rising ? low : high), before(rising ? high : low), present);
  };
  limit_by(whole.low, whole.high);
  limit_by(whole.signed_low, whole.signed_high);
  return finished(std::move(range));
}

// --- Products, quotients, remainders. ---

// Numbers between which the result may be, around it.
struct Limits {
  mpz_class low, high;
};
Limits unsigned_limits(const RangeCall& call) {
  const mpz_class fixed = fixed_bits(call);
  const mpz_class result = bits_of(call, call.result);
  const BitRange range = range_of(call);
  if (range.mask == 0 && !has_signed_limits(range)) return {range.low, range.high};
  const uint32_t width = ValueStore::width(call.result);
  const auto free = fixed == 0 ? width : static_cast<uint32_t>(mpz_scan1(fixed.get_mpz_t(), 0));
  const mpz_class first = floor_shift(result, free) << free;
  return {first, first + ones(free)};
}

// The numbers from `low` to `high`, of which there are some.
Range numbers_between(uint32_t width, const mpz_class& low, const mpz_class& high) {
  BitRange range = full(width);
  limit(range, low, high);
  return finished(std::move(range));
}

// The others are 2^k times an odd number. Odd numbers have an inverse; of the argument, the k
// highest bits have no effect, and each bit of the product depends on those below it alone.
std::optional<Range> bits_factor(const RangeCall& call) {
  const uint32_t width = width_of(call);
  const auto others =
      joined(call, 1, [&](const mpz_class& a, const mpz_class& b) { return modulo(a * b, width); });
  if (!others) return std::nullopt;
  if (*others == 0) return Ranges::any();
  const auto zeros = static_cast<uint32_t>(mpz_scan1(others->get_mpz_t(), 0));
  const mpz_class odd = *others >> zeros;
  const mpz_class present = bits_of(call, call.present());
  if (call.range.as<BitRange>() == nullptr && zeros == 0) {
    mpz_class inverse;
    const mpz_class modulus = power(width);
    mpz_invert(inverse.get_mpz_t(), odd.get_mpz_t(), modulus.get_mpz_t());
    return permuted(call, [&](const mpz_class& bits) { return modulo(bits * inverse, width); });
  }
  const Limits limits = unsigned_limits(call);
  const bool is_exact = present * *others == bits_of(call, call.result);
  const mpz_class low = (limits.low + *others - 1) / *others;
  const mpz_class high = limits.high / *others;
  const size_t needed = mpz_sizeinbase(fixed_bits(call).get_mpz_t(), 2);
  const uint32_t kept = needed > zeros ? static_cast<uint32_t>(needed) - zeros : 0;
  if (is_exact && high - low >= power(width - kept)) return numbers_between(width, low, high);
  return keeping(call, ones(kept));
}

// By zero, the quotient is all ones.
std::optional<Range> bits_dividend(const RangeCall& call, const mpz_class& number) {
  if (number == 0) return Ranges::any();
  const Limits limits = unsigned_limits(call);
  return numbers_between(width_of(call), limits.low * number, limits.high * number + number - 1);
}

std::optional<Range> bits_divisor(const RangeCall& call, const mpz_class& number) {
  if (bits_of(call, call.present()) == 0) return std::nullopt;
  const uint32_t width = width_of(call);
  const Limits limits = unsigned_limits(call);
  const mpz_class least = number / (limits.high + 1) + 1;
  const mpz_class most = limits.low == 0 ? ones(width) : mpz_class(number / limits.low);
  return numbers_between(width, least, most);
}

std::optional<Range> bits_quotient(const RangeCall& call) {
  const Value other = call.arg(1 - call.position);
  if (!other.known()) return std::nullopt;
  return call.position == 0 ? bits_dividend(call, bits_of(call, other))
                            : bits_divisor(call, bits_of(call, other));
}

// By zero, the remainder is the dividend, as it is by whatever is larger.
std::optional<Range> bits_remainder(const RangeCall& call) {
  const Value other = call.arg(1 - call.position);
  if (!other.known()) return std::nullopt;
  const uint32_t width = width_of(call);
  const mpz_class present = bits_of(call, call.present());
  const mpz_class number = bits_of(call, other);
  if (call.position == 1) {
    if (present == 0 || present <= number) return std::nullopt;
    return numbers_between(width, number + 1, ones(width));
  }
  if (number == 0) return call.range;
  const Limits limits = unsigned_limits(call);
  if (limits.low == 0 && limits.high >= number - 1) return Ranges::any();
  const mpz_class multiple = present / number * number;
  return numbers_between(width, multiple + limits.low,
                         multiple + std::min(limits.high, mpz_class(number - 1)));
}

// --- The same with signs: numbers of one sign, by what holds of magnitudes. ---

// Signed numbers between which the result may be, around it.
Limits signed_limits(const RangeCall& call) {
  const BitRange range = range_of(call);
  const bool is_plain = range.mask == 0 && !has_unsigned_limits(range);
  const mpz_class fixed = fixed_bits(call);
  if (is_plain || fixed == 0) return {range.signed_low, range.signed_high};
  const auto free = static_cast<uint32_t>(mpz_scan1(fixed.get_mpz_t(), 0));
  const mpz_class first = floor_shift(call.values.signed_bits(call.result), free) << free;
  return {first, first + ones(free)};
}

// Of the numbers of this sign; zero is of both.
Limits magnitudes(const Limits& limits, bool is_negative) {
  const mpz_class least = is_negative ? mpz_class(-limits.high) : limits.low;
  return {std::max(mpz_class(0), least), is_negative ? mpz_class(-limits.low) : limits.high};
}

// The numbers of this sign with magnitudes from `low` to `high`; zero has none.
Range numbers_of_sign(uint32_t width, bool is_negative, const mpz_class& low,
                      const mpz_class& high) {
  BitRange range = full(width);
  if (is_negative) {
    limit_signed(range, -high, -std::max(low, mpz_class(1)));
  } else {
    limit_signed(range, low, high);
  }
  return finished(std::move(range));
}

// By zero, the quotient is 1 or -1. The least number by -1 is itself, which has the wrong sign.
std::optional<Range> signed_quotient(const RangeCall& call) {
  const Value other = call.arg(1 - call.position);
  if (!other.known()) return std::nullopt;
  const uint32_t width = width_of(call);
  const mpz_class present = call.values.signed_bits(call.present());
  const mpz_class number = call.values.signed_bits(other);
  const mpz_class result = call.values.signed_bits(call.result);
  if (call.position == 0 && number == 0) {
    return numbers_of_sign(width, present < 0, 0, power(width));
  }
  if (call.position == 1 && present == 0) return std::nullopt;
  const bool is_negative = (present < 0) != (number < 0);
  if (result != 0 && (result < 0) != is_negative) return std::nullopt;
  const Limits limits = magnitudes(signed_limits(call), is_negative);
  const mpz_class size = abs(number);
  if (call.position == 0) {
    return numbers_of_sign(width, present < 0, limits.low * size, limits.high * size + size - 1);
  }
  const mpz_class least = size / (limits.high + 1) + 1;
  const mpz_class most = limits.low == 0 ? power(width) : mpz_class(size / limits.low);
  return numbers_of_sign(width, present < 0, least, most);
}

// The sign is the dividend's. By zero, the remainder is the dividend, as it is by whatever has a
// larger magnitude.
std::optional<Range> signed_remainder(const RangeCall& call) {
  const Value other = call.arg(1 - call.position);
  if (!other.known()) return std::nullopt;
  const uint32_t width = width_of(call);
  const mpz_class present = call.values.signed_bits(call.present());
  const mpz_class size = abs(call.values.signed_bits(other));
  if (call.position == 1) {
    if (abs(present) <= size) return std::nullopt;
    return numbers_of_sign(width, present < 0, size + 1, power(width));
  }
  if (size == 0) return call.range;
  const Limits all = signed_limits(call);
  const auto has_all = [&](bool is_negative) {
    const Limits limits = magnitudes(all, is_negative);
    return limits.low == 0 && limits.high >= size - 1;
  };
  const bool is_negative = present < 0;
  if (has_all(is_negative)) {
    return has_all(!is_negative) ? Ranges::any()
                                 : numbers_of_sign(width, is_negative, 0, power(width));
  }
  const Limits limits = magnitudes(all, is_negative);
  const mpz_class multiple = abs(present) / size * size;
  return numbers_of_sign(width, is_negative, multiple + limits.low,
                         multiple + std::min(limits.high, mpz_class(size - 1)));
}

// --- Numbers of bit-vectors. ---

std::optional<Range> to_number(const RangeCall& call, bool is_signed) {
  auto numbers = around(call);
  if (!numbers) return std::nullopt;
  numbers = whole(*numbers);
  BitRange range = full(width_of(call));
  const mpz_class low = numbers->low ? numbers->low->at.get_num() : range.signed_low;
  const mpz_class high = numbers->high ? numbers->high->at.get_num() : range.high;
  is_signed ? limit_signed(range, low, high) : limit(range, low, high);
  return finished(std::move(range));
}

constexpr OpRangeRule kBitsRanges[] = {
    {Op::kBvUlt, comparison<Relation::kLess, false>},
    {Op::kBvUle, comparison<Relation::kLessEqual, false>},
    {Op::kBvUgt, comparison<Relation::kGreater, false>},
    {Op::kBvUge, comparison<Relation::kGreaterEqual, false>},
    {Op::kBvSlt, comparison<Relation::kLess, true>},
    {Op::kBvSle, comparison<Relation::kLessEqual, true>},
    {Op::kBvSgt, comparison<Relation::kGreater, true>},
    {Op::kBvSge, comparison<Relation::kGreaterEqual, true>},
    {Op::kBvComp, comparison_bit},
    {Op::kBvRedor, [](const RangeCall& call) { return all_but_one(call, true, 0); }},
    {Op::kBvRedand,
     [](const RangeCall& call) { return all_but_one(call, false, ones(width_of(call))); }},
    {Op::kBvNego,
     [](const RangeCall& call) { return all_but_one(call, false, power(width_of(call) - 1)); }},
    {Op::kBvBitToBool, one_bit},
    {Op::kBvBit, one_bit},
    {Op::kBvAnd, conjunct},
    {Op::kBvNand, conjunct},
    {Op::kBvOr, disjunct},
    {Op::kBvNor, disjunct},
    {Op::kBvXor, exclusive},
    {Op::kBvXnor, exclusive},
    {Op::kBvNot, complement},
    {Op::kBvShl, shifted_left},
    {Op::kBvLshr, [](const RangeCall& call) { return shifted_right(call, false); }},
    {Op::kBvAshr, [](const RangeCall& call) { return shifted_right(call, true); }},
    {Op::kBvRotateLeft, [](const RangeCall& call) { return rotated(call, true); }},
    {Op::kBvRotateRight, [](const RangeCall& call) { return rotated(call, false); }},
    {Op::kBvConcat, piece},
    {Op::kBvExtract, extracted},
    {Op::kBvZeroExtend, zero_extended},
    {Op::kBvSignExtend, sign_extended},
    {Op::kBvAdd, [](const RangeCall& call) { return moved(call, true); }},
    {Op::kBvSub, [](const RangeCall& call) { return moved(call, call.position == 0); }},
    {Op::kBvNeg, [](const RangeCall& call) { return moved(call, false); }},
    {Op::kBvMul, bits_factor},
    {Op::kBvUdiv, bits_quotient},
    {Op::kBvUrem, bits_remainder},
    {Op::kBvSdiv, signed_quotient},
    {Op::kBvSrem, signed_remainder},
    {Op::kBvToNat, [](const RangeCall& call) { return to_number(call, false); }},
    {Op::kSbvToInt, [](const RangeCall& call) { return to_number(call, true); }},
};

}  // namespace

std::span<const OpRangeRule> bits_ranges() { return kBitsRanges; }

Range full_bits(uint32_t width) { return {full(width)}; }

}  // namespace elenchus::mutate::diver

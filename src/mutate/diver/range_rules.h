#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ir/op.h"
#include "mutate/diver/range.h"
#include "num/float.h"

namespace elenchus::mutate::diver {

// The question for the range of one argument of an application. The application's value is known
// and within its range, and the range is not all of its sort.
struct RangeCall {
  Ranges& ranges;
  Evaluator& evaluator;
  const ir::TermStore& terms;
  ValueStore& values;
  ir::TermId term;
  size_t position;
  const Range& range;
  Value result;  // of the application, under the model

  size_t count() const { return terms.args(term).size(); }
  Value arg(size_t i) const { return evaluator.evaluate(terms.args(term)[i]); }
  Value present() const { return arg(position); }
  ir::SortId sort() const { return terms.sort(terms.args(term)[position]); }
  bool is_int() const { return sort() == ir::kIntSort; }
  uint32_t index(size_t i) const { return terms.indices(term)[i]; }
  // Of an application that is a Boolean: it has to stay what it is.
  bool wanted() const { return result.is_true(); }
  // The values of all other arguments; nothing if one of them is unknown.
  std::optional<std::vector<Value>> others() const;
};

// The range of the argument; nothing where only the present value is known to do.
using RangeRule = std::optional<Range> (*)(const RangeCall&);

struct OpRangeRule {
  ir::Op op = ir::Op::kNone;
  RangeRule rule = nullptr;
};

// One list for each theory. Operators without a rule keep their arguments as they are.
std::span<const OpRangeRule> core_ranges();
std::span<const OpRangeRule> arithmetic_ranges();
std::span<const OpRangeRule> bits_ranges();
std::span<const OpRangeRule> float_ranges();
std::span<const OpRangeRule> string_ranges();
std::span<const OpRangeRule> array_ranges();
std::span<const OpRangeRule> sequence_ranges();
std::span<const OpRangeRule> set_ranges();
std::span<const OpRangeRule> data_ranges();

// --- Making ranges. ---

Range nothing();
// Nothing of none, anything but none.
Range one_of(std::vector<Value> values);
Range all_but(std::vector<Value> values);
Range interval(Interval interval);
// The integers of an interval, whose ends become integers that belong to it.
Interval whole(Interval interval);
Range full_bits(uint32_t width);
// The simplest shape for the language.
Range language(ValueStore& values, num::RegexId regex);

// --- Reading them. ---

// The number, unless it is irrational or none.
std::optional<mpq_class> rational_of(const ValueStore& values, const Value& value);
// An interval of numbers inside the call's range, around its result.
std::optional<Interval> around(const RangeCall& call);
// The values that a set has, or has not, so that the call's range holds which of both it is.
std::optional<Range> indices_in(const RangeCall& call, const Value& set);
// Where a number stands in the order of floats of its format: -0 is -1, +0 is 0; and back.
mpz_class float_place(const num::Float& number);
num::Float float_at(num::FloatFormat format, const mpz_class& place);
mpz_class infinity_place(num::FloatFormat format);

// The range whose values become those of `range` under an injective function. `before` gives the
// value that the function maps to a value, or nothing where there is none.
template <typename Before>
std::optional<Range> mapped(const Range& range, Before before) {
  const auto* listed = range.as<Listed>();
  const auto* excluded = range.as<Excluded>();
  if (listed == nullptr && excluded == nullptr) return std::nullopt;
  std::vector<Value> values;
  for (const Value& value : listed != nullptr ? listed->values : excluded->values) {
    const std::optional<Value> found = before(value);
    if (found) values.push_back(*found);
  }
  return listed != nullptr ? one_of(std::move(values)) : all_but(std::move(values));
}

// --- Orders. ---

enum class Relation : uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual };

constexpr Relation flipped(Relation relation) {
  constexpr Relation kFlipped[] = {Relation::kGreater, Relation::kGreaterEqual, Relation::kLess,
                                   Relation::kLessEqual};
  return kFlipped[static_cast<size_t>(relation)];
}
constexpr Relation negated(Relation relation) {
  constexpr Relation kNegated[] = {Relation::kGreaterEqual, Relation::kGreater,
                                   Relation::kLessEqual, Relation::kLess};
  return kNegated[static_cast<size_t>(relation)];
}
constexpr bool is_upper(Relation relation) { return relation <= Relation::kLessEqual; }
constexpr bool is_strict(Relation relation) {
  return relation == Relation::kLess || relation == Relation::kGreater;
}

// The argument's range by a comparison with one neighbour. `beside(call, other, on_right, truth)`
// is the range of what stands to the right or left of `other`, such that the comparison of the two
// has this truth.
template <typename Beside>
std::optional<Range> chain_range(const RangeCall& call, Beside beside) {
  const size_t at = call.position;
  const auto left = [&](bool truth) { return beside(call, call.arg(at - 1), true, truth); };
  const auto right = [&](bool truth) { return beside(call, call.arg(at + 1), false, truth); };
  const bool has_left = at > 0;
  const bool has_right = at + 1 < call.count();
  if (call.wanted()) {
    if (!has_left) return right(true);
    if (!has_right) return left(true);
    const auto from_left = left(true);
    const auto from_right = right(true);
    if (!from_left || !from_right) return std::nullopt;
    return call.ranges.intersection(*from_left, *from_right);
  }
  if (call.count() == 2) return has_left ? left(false) : right(false);
  // One comparison that fails is enough, wherever it is.
  if (!call.others()) return std::nullopt;
  const auto fails = [&](const std::optional<Range>& range, const Value& value) {
    return range && call.ranges.contains(*range, value);
  };
  for (size_t i = 0; i + 1 < call.count(); ++i) {
    if (i == at || i + 1 == at) continue;
    if (fails(beside(call, call.arg(i), true, false), call.arg(i + 1))) return Ranges::any();
  }
  for (const bool on_left : {true, false}) {
    if (on_left ? !has_left : !has_right) continue;
    auto range = on_left ? left(false) : right(false);
    if (fails(range, call.present())) return range;
  }
  return std::nullopt;
}

}  // namespace elenchus::mutate::diver

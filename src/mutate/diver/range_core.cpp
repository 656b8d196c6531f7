// Booleans, equality, if-then-else. Sections `B` of the paper's tables, for any number of
// arguments.
#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;

std::optional<Range> negation(const RangeCall& call) {
  return Ranges::only(boolean(!call.wanted()));
}

// `and`, `or` and `=>`: a Boolean that every argument but the last (or every one) may have decides.
// While another argument decides, this one may be anything.
std::optional<Range> junction(const RangeCall& call, bool result, bool deciding, bool last) {
  const auto decider = [&](size_t i) { return i + 1 == call.count() ? last : deciding; };
  const Range neutral = Ranges::only(boolean(!decider(call.position)));
  if (call.wanted() != result) return neutral;
  for (size_t i = 0; i < call.count(); ++i) {
    if (i != call.position && call.arg(i) == boolean(decider(i))) return Ranges::any();
  }
  return Ranges::only(boolean(decider(call.position)));
}

std::optional<Range> choice(const RangeCall& call) {
  const Value condition = call.arg(0);
  if (call.position == 0) {
    const bool all = call.ranges.contains(call.range, call.arg(1)) &&
                     call.ranges.contains(call.range, call.arg(2));
    if (all) return Ranges::any();
    return Ranges::only(condition);
  }
  if (!condition.known()) return std::nullopt;
  return condition.is_true() == (call.position == 1) ? call.range : Ranges::any();
}

// Whether some two of the values are equal, or some two are different; nothing if it is not known.
std::optional<bool> any_two(const RangeCall& call, const std::vector<Value>& values, bool equal) {
  bool known = true;
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t k = i + 1; k < values.size(); ++k) {
      const Value same = call.evaluator.equal(values[i], values[k]);
      if (same == boolean(equal)) return true;
      known = known && same.known();
      // What equals the same is equal.
      if (!equal) break;
    }
  }
  return known ? std::optional(false) : std::nullopt;
}

std::optional<Range> equality(const RangeCall& call) {
  const auto others = call.others();
  if (call.wanted() || !others) return std::nullopt;
  const auto differ = any_two(call, *others, false);
  if (!differ) return std::nullopt;
  return *differ ? Ranges::any() : all_but({others->front()});
}

std::optional<Range> distinct(const RangeCall& call) {
  constexpr size_t kMany = 200;
  auto others = call.others();
  if (!others || others->size() > kMany) return std::nullopt;
  if (call.wanted()) return all_but(*std::move(others));
  const auto repeat = any_two(call, *others, true);
  if (!repeat) return std::nullopt;
  return *repeat ? Ranges::any() : one_of(*std::move(others));
}

// Patterns say nothing about the value.
std::optional<Range> annotated(const RangeCall& call) {
  return call.position == 0 ? call.range : Ranges::any();
}

constexpr OpRangeRule kCoreRanges[] = {
    {Op::kNot, negation},
    {Op::kAnd, [](const RangeCall& call) { return junction(call, false, false, false); }},
    {Op::kOr, [](const RangeCall& call) { return junction(call, true, true, true); }},
    {Op::kImplies, [](const RangeCall& call) { return junction(call, true, false, true); }},
    {Op::kIte, choice},
    {Op::kEq, equality},
    {Op::kDistinct, distinct},
    {Op::kAnnotated, annotated},
    {Op::kInstClosure, [](const RangeCall&) { return std::optional(Ranges::any()); }},
};

}  // namespace

std::span<const OpRangeRule> core_ranges() { return kCoreRanges; }

}  // namespace elenchus::mutate::diver

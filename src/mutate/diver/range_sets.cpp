// Sets: whether one element belongs to them, as with arrays of Booleans. Where a set only has to
// differ from another, an element in which they do stays where it is.
#include <algorithm>
#include <memory>
#include <utility>

#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;

// What a set has to be: with or without this element.
struct Membership {
  Value element;
  bool is_in = true;
};

bool is_list(const Value& set) {
  return set.kind == ValueKind::kSet && !ValueStore::is_vague_complement(set);
}

Range with_membership(const Membership& membership) {
  return {ElementAt{{membership.element},
                    std::make_shared<const Range>(Ranges::only(boolean(membership.is_in)))}};
}

// Whether the set has it; nothing where that is not known.
std::optional<bool> has(const RangeCall& call, const Value& set, const Value& element) {
  if (set.kind != ValueKind::kSet) return std::nullopt;
  const Value found = call.evaluator.apply(set, {&element, 1});
  return found.known() ? std::optional(found.is_true()) : std::nullopt;
}

// An element that one of the sets has and the other has not.
std::optional<Membership> difference(const RangeCall& call, const Value& set, const Value& other) {
  if (!is_list(set) || !is_list(other)) return std::nullopt;
  std::vector<Value> listed;
  for (const Value& each : {set, other}) {
    const auto items = call.values.items(each);
    listed.insert(listed.end(), items.begin(), items.end());
  }
  for (const Value& element : listed) {
    const auto here = has(call, set, element);
    const auto there = has(call, other, element);
    if (here && there && *here != *there) return Membership{element, *here};
  }
  return std::nullopt;
}

// Of the result, inside the call's range.
std::optional<Membership> wanted(const RangeCall& call) {
  if (const auto* element = call.range.as<ElementAt>()) {
    const auto is_in = has(call, call.result, element->index[0]);
    return is_in ? std::optional(Membership{element->index[0], *is_in}) : std::nullopt;
  }
  const auto* excluded = call.range.as<Excluded>();
  if (excluded == nullptr || excluded->values.size() != 1) return std::nullopt;
  return difference(call, call.result, excluded->values[0]);
}

// How many of the other arguments have the element; nothing where one is unknown.
std::optional<size_t> others_with(const RangeCall& call, const Value& element, size_t first = 0) {
  size_t count = 0;
  for (size_t i = first; i < call.count(); ++i) {
    if (i == call.position) continue;
    const auto found = has(call, call.arg(i), element);
    if (!found) return std::nullopt;
    count += *found ? 1 : 0;
  }
  return count;
}

std::optional<Range> member_set(const RangeCall& call) {
  const Value element = call.arg(0);
  if (!element.known()) return std::nullopt;
  return with_membership({element, call.wanted()});
}

std::optional<Range> member(const RangeCall& call) {
  return call.position == 0 ? indices_in(call, call.arg(1)) : member_set(call);
}

std::optional<Range> joined(const RangeCall& call) {
  const auto result = wanted(call);
  if (!result) return std::nullopt;
  const auto others = others_with(call, result->element);
  if (!others) return std::nullopt;
  return result->is_in && *others > 0 ? Ranges::any() : with_membership(*result);
}

std::optional<Range> common(const RangeCall& call) {
  const auto result = wanted(call);
  if (!result) return std::nullopt;
  const auto others = others_with(call, result->element);
  if (!others) return std::nullopt;
  const bool is_decided = !result->is_in && *others + 1 < call.count();
  return is_decided ? Ranges::any() : with_membership(*result);
}

// From the first set, all others are taken away.
std::optional<Range> rest(const RangeCall& call) {
  const auto result = wanted(call);
  if (!result) return std::nullopt;
  const auto taken = others_with(call, result->element, 1);
  if (!taken) return std::nullopt;
  if (call.position == 0) {
    return !result->is_in && *taken > 0 ? Ranges::any() : with_membership(*result);
  }
  const auto was_there = has(call, call.arg(0), result->element);
  if (!was_there) return std::nullopt;
  if (!*was_there || *taken > 0) return Ranges::any();
  return with_membership({result->element, !result->is_in});
}

std::optional<Range> complement(const RangeCall& call) {
  const auto result = wanted(call);
  if (!result) return std::nullopt;
  return with_membership({result->element, !result->is_in});
}

// The only element of a set that has one. Of a complement nobody knows.
std::optional<Value> only_element(const RangeCall& call, const Value& set) {
  const auto items = call.values.items(set);
  return items.size() == 1 ? std::optional(items[0]) : std::nullopt;
}

bool is_complement(const Value& set) { return !is_list(set) || ValueStore::is_complement(set); }

std::optional<Range> singleton(const RangeCall& call) {
  const auto* excluded = call.range.as<Excluded>();
  if (excluded != nullptr &&
      std::none_of(excluded->values.begin(), excluded->values.end(), is_complement)) {
    return mapped(call.range, [&](const Value& value) { return only_element(call, value); });
  }
  const auto result = wanted(call);
  if (!result) return std::nullopt;
  return result->is_in ? Ranges::only(result->element) : all_but({result->element});
}

// All elements, then the set that they come to.
std::optional<Range> insertion(const RangeCall& call) {
  const auto result = wanted(call);
  if (!result) return std::nullopt;
  const size_t set = call.count() - 1;
  bool is_there = false;
  for (size_t i = 0; i < set; ++i) {
    if (i == call.position) continue;
    const Value other = call.arg(i);
    const Value same = other.known() ? call.evaluator.equal(other, result->element) : other;
    if (!same.known()) return std::nullopt;
    is_there = is_there || same.is_true();
  }
  if (call.position != set) {
    const auto old = has(call, call.arg(set), result->element);
    if (!old) return std::nullopt;
    is_there = is_there || *old;
  }
  if (result->is_in && is_there) return Ranges::any();
  if (call.position == set) return with_membership(*result);
  return result->is_in ? Ranges::only(result->element) : all_but({result->element});
}

// Of a set with one element, the supersets are known; of any, that it is one of its own.
std::optional<Range> subset(const RangeCall& call) {
  const Value small = call.arg(0);
  const Value large = call.arg(1);
  if (!is_list(small) || !is_list(large)) return std::nullopt;
  if (!call.wanted()) {
    const auto beyond = difference(call, small, large);
    if (!beyond || !beyond->is_in) return std::nullopt;
    return with_membership({beyond->element, call.position == 0});
  }
  if (call.position == 0 || ValueStore::is_complement(small)) return std::nullopt;
  const auto items = call.values.items(small);
  if (items.empty()) return Ranges::any();
  if (items.size() > 1) return std::nullopt;
  return with_membership({items[0], true});
}

constexpr OpRangeRule kSetsRanges[] = {
    {Op::kSetMember, member},    {Op::kSetUnion, joined},          {Op::kSetInter, common},
    {Op::kSetMinus, rest},       {Op::kSetComplement, complement}, {Op::kSetSingleton, singleton},
    {Op::kSetInsert, insertion}, {Op::kSetSubset, subset},
};

}  // namespace

std::span<const OpRangeRule> set_ranges() { return kSetsRanges; }

}  // namespace elenchus::mutate::diver

// Sequences: how long they may be, or what stands at one place. There is no expression for both, as
// there is for strings, so some ranges are narrower than they could be.
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;

// Of a sequence whose parts are all listed.
constexpr size_t kMaxItems = 24;

std::vector<Value> items_of(const RangeCall& call, const Value& sequence) {
  const auto view = call.values.items(sequence);
  return {view.begin(), view.end()};
}

size_t size_of(const RangeCall& call, const Value& sequence) {
  return call.values.items(sequence).size();
}

Value number(const RangeCall& call, const mpz_class& value) { return call.values.integer(value); }

Range of_length(Range length) {
  return length.is_any() ? Ranges::any() : Range{Length{std::make_shared<const Range>(length)}};
}

Range of_length(const mpz_class& low, std::optional<mpz_class> high) {
  Interval found;
  if (low > 0) found.low = Interval::End{mpq_class(low)};
  if (high) found.high = Interval::End{mpq_class(*high)};
  return of_length(interval(std::move(found)));
}

Range with_element(const RangeCall& call, const mpz_class& place, const Range& element) {
  return {ElementAt{{number(call, place)}, std::make_shared<const Range>(element)}};
}

// Which place the call's range is about, if it is about one.
std::optional<mpz_class> place_of(const RangeCall& call) {
  const auto* wanted = call.range.as<ElementAt>();
  if (wanted == nullptr) return std::nullopt;
  return call.values.big_integer(wanted->index[0]);
}

const Range& element_of(const RangeCall& call) { return *call.range.as<ElementAt>()->element; }

// The numbers that come into the range when the constant is added.
std::optional<Range> less(const RangeCall& call, const Range& range, const mpz_class& constant) {
  if (const auto* found = range.as<Interval>()) {
    Interval moved = *found;
    if (moved.low) moved.low->at -= constant;
    if (moved.high) moved.high->at -= constant;
    return interval(std::move(moved));
  }
  return mapped(range, [&](const Value& value) {
    return std::optional(number(call, call.values.big_integer(value) - constant));
  });
}

// --- What is asked of a sequence. ---

std::optional<Range> length(const RangeCall& call) { return of_length(call.range); }

// The places where the sequence has an element in the range.
std::optional<Range> read_place(const RangeCall& call) {
  const Value sequence = call.arg(0);
  if (!sequence.known()) return std::nullopt;
  std::vector<Value> places;
  const std::vector<Value> items = items_of(call, sequence);
  for (size_t i = 0; i < items.size(); ++i) {
    if (call.ranges.contains(call.range, items[i])) places.push_back(number(call, mpz_class(i)));
  }
  return one_of(std::move(places));
}

std::optional<Range> read(const RangeCall& call) {
  const Value sequence = call.arg(0);
  const Value place = call.arg(1);
  if (!sequence.known() || !place.known()) return std::nullopt;
  // What is beyond the end is open, or as the model says.
  const mpz_class at = call.values.big_integer(place);
  if (at < 0 || at >= size_of(call, sequence)) return std::nullopt;
  return call.position == 1 ? read_place(call) : with_element(call, at, call.range);
}

// --- Sequences of sequences. ---

// What stands before and after the argument.
struct Outside {
  std::vector<Value> before;
  std::vector<Value> after;
};
std::optional<Outside> outside_of(const RangeCall& call) {
  Outside found;
  for (size_t i = 0; i < call.count(); ++i) {
    if (i == call.position) continue;
    if (!call.arg(i).known()) return std::nullopt;
    std::vector<Value>& side = i < call.position ? found.before : found.after;
    const std::vector<Value> items = items_of(call, call.arg(i));
    side.insert(side.end(), items.begin(), items.end());
  }
  return found;
}

bool are_same(const RangeCall& call, std::span<const Value> a, std::span<const Value> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const Value& x, const Value& y) {
    return call.evaluator.equal(x, y).is_true();
  });
}

// The middle of a sequence with these surroundings. Elements that cannot be compared count as
// different, which is right of no other value only.
std::optional<Value> middle(const RangeCall& call, const Outside& outside, const Value& value) {
  const std::vector<Value> all = items_of(call, value);
  const std::span items(all);
  const size_t before = outside.before.size();
  const size_t after = outside.after.size();
  if (items.size() < before + after) return std::nullopt;
  const bool fits = are_same(call, items.first(before), outside.before) &&
                    are_same(call, items.last(after), outside.after);
  if (!fits) return std::nullopt;
  return call.values.sequence(items.subspan(before, items.size() - before - after));
}

std::optional<Range> part(const RangeCall& call) {
  const auto outside = outside_of(call);
  if (!outside) return std::nullopt;
  const mpz_class before = outside->before.size();
  const mpz_class present = size_of(call, call.present());
  if (const auto place = place_of(call)) {
    if (*place < before) return Ranges::any();
    if (*place < before + present) {
      return with_element(call, *place - before, element_of(call));
    }
    return of_length(present, present);
  }
  if (const auto* wanted = call.range.as<Length>()) {
    const auto own = less(call, *wanted->count, before + outside->after.size());
    return own ? std::optional(of_length(*own)) : std::nullopt;
  }
  return mapped(call.range, [&](const Value& value) { return middle(call, *outside, value); });
}

// The only element of a sequence that has one.
std::optional<Value> only_item(const RangeCall& call, const Value& sequence) {
  const std::vector<Value> items = items_of(call, sequence);
  return items.size() == 1 ? std::optional(items[0]) : std::nullopt;
}

std::optional<Range> unit(const RangeCall& call) {
  if (call.range.as<Length>() != nullptr) return Ranges::any();
  if (place_of(call)) return element_of(call);
  return mapped(call.range, [&](const Value& value) { return only_item(call, value); });
}

std::optional<Range> reversal(const RangeCall& call) {
  if (call.range.as<Length>() != nullptr) return call.range;
  return mapped(call.range, [&](const Value& value) {
    std::vector<Value> items = items_of(call, value);
    std::reverse(items.begin(), items.end());
    return std::optional(call.values.sequence(items));
  });
}

// Sequences of which `count` elements from `start` on are a result.
std::optional<Range> whole_of_part(const RangeCall& call, const Value& from, const Value& many) {
  const Value present = call.present();
  if (call.position != 0 || !present.known() || !from.known() || !many.known()) {
    return std::nullopt;
  }
  const mpz_class start = call.values.big_integer(from);
  const mpz_class count = call.values.big_integer(many);
  if (start < 0 || count <= 0) return Ranges::any();
  const mpz_class size = size_of(call, present);
  if (start >= size) return of_length(0, start);  // nothing is left
  if (const auto place = place_of(call)) {
    return with_element(call, start + *place, element_of(call));
  }
  const mpz_class end = start + count;
  if (call.range.as<Length>() != nullptr) {
    return size >= end ? of_length(end, std::nullopt) : of_length(size, size);
  }
  // One element says enough where that is all there is of the result.
  if (count != 1) return std::nullopt;
  const auto element =
      mapped(call.range, [&](const Value& value) { return only_item(call, value); });
  if (!element) return std::nullopt;
  return element->is_any() ? of_length(start + 1, std::nullopt)
                           : with_element(call, start, *element);
}

std::optional<Range> whole_of_element(const RangeCall& call) {
  return whole_of_part(call, call.arg(1), ValueStore::integer(int64_t{1}));
}

std::optional<Range> whole_of_extract(const RangeCall& call) {
  return whole_of_part(call, call.arg(1), call.arg(2));
}

// --- Predicates: what begins, ends or is within a sequence that is known. ---

// All parts of the other sequence that begin and end at such places, and the empty one.
template <typename Begins, typename Ends>
std::optional<Range> parts(const RangeCall& call, size_t other, Begins begins, Ends ends) {
  const Value whole = call.arg(other);
  if (call.position == other || !whole.known() || size_of(call, whole) > kMaxItems) {
    return std::nullopt;
  }
  const std::vector<Value> items = items_of(call, whole);
  std::vector<Value> found = {call.values.sequence({})};
  for (size_t first = 0; first < items.size(); ++first) {
    for (size_t end = first + 1; end <= items.size(); ++end) {
      if (!begins(first) || !ends(end, items.size())) continue;
      found.push_back(call.values.sequence(std::span(items).subspan(first, end - first)));
    }
  }
  return call.wanted() ? one_of(std::move(found)) : all_but(std::move(found));
}

std::optional<Range> prefix(const RangeCall& call) {
  return parts(
      call, 1, [](size_t first) { return first == 0; }, [](size_t, size_t) { return true; });
}

std::optional<Range> suffix(const RangeCall& call) {
  return parts(
      call, 1, [](size_t) { return true; }, [](size_t end, size_t size) { return end == size; });
}

std::optional<Range> containment(const RangeCall& call) {
  return parts(
      call, 0, [](size_t) { return true; }, [](size_t, size_t) { return true; });
}

constexpr OpRangeRule kSequencesRanges[] = {
    {Op::kSeqLen, length},          {Op::kSeqNth, read},
    {Op::kSeqConcat, part},         {Op::kSeqUnit, unit},
    {Op::kSeqRev, reversal},        {Op::kSeqExtract, whole_of_extract},
    {Op::kSeqAt, whole_of_element}, {Op::kSeqPrefixof, prefix},
    {Op::kSeqSuffixof, suffix},     {Op::kSeqContains, containment},
};

}  // namespace

std::span<const OpRangeRule> sequence_ranges() { return kSequencesRanges; }

}  // namespace elenchus::mutate::diver

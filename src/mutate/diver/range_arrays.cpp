// Arrays: what is read from one is the range of an element, and where that element does not matter,
// neither does what is stored.
#include <memory>
#include <utility>

#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
namespace {

using ir::Op;

bool has_elements(const Value& value) {
  return value.kind == ValueKind::kFunction || value.kind == ValueKind::kSet;
}

bool is_table(const RangeCall& call, const Value& array) {
  if (array.kind != ValueKind::kFunction) return false;
  const eval::Function& function = call.values.function(array);
  return !function.lambda.valid() && !function.is_vague && function.arity == 1;
}

// The indices at which the table has an element in the range.
std::optional<Range> read_index(const RangeCall& call) {
  const Value array = call.arg(0);
  if (call.count() == 2 && array.kind == ValueKind::kSet) return indices_in(call, array);
  if (call.count() != 2 || !is_table(call, array)) return std::nullopt;
  const eval::Function function = call.values.function(array);
  const bool elsewhere = !function.is_total && call.ranges.contains(call.range, function.otherwise);
  const auto view = call.values.entries(function);
  const std::vector<Value> entries(view.begin(), view.end());
  std::vector<Value> exceptions;
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    if (call.ranges.contains(call.range, entries[i + 1]) != elsewhere) {
      exceptions.push_back(entries[i]);
    }
  }
  return elsewhere ? all_but(std::move(exceptions)) : one_of(std::move(exceptions));
}

std::optional<Range> read(const RangeCall& call) {
  if (call.position != 0) return read_index(call);
  auto index = call.others();
  const ir::SortKind kind = call.terms.sorts().kind(call.sort());
  if (!index || kind != ir::SortKind::kArray) return std::nullopt;
  if (!has_elements(call.present())) return std::nullopt;
  return Range{ElementAt{*std::move(index), std::make_shared<const Range>(call.range)}};
}

// Whether the arguments between the array and the new element are this index; nothing where that
// is not known.
std::optional<bool> is_stored_at(const RangeCall& call, const std::vector<Value>& index) {
  bool known = true;
  for (size_t i = 0; i < index.size(); ++i) {
    const Value argument = call.arg(i + 1);
    const Value same = argument.known() ? call.evaluator.equal(argument, index[i]) : argument;
    if (same.is_false()) return false;
    known = known && same.known();
  }
  return known ? std::optional(true) : std::nullopt;
}

// The element that counts is the new one if the index is that of the range, else the old one.
std::optional<Range> written_index(const RangeCall& call, const ElementAt& wanted) {
  const Value array = call.arg(0);
  if (call.count() != 3 || !has_elements(array)) return std::nullopt;
  const Value before = call.evaluator.apply(array, wanted.index);
  const bool is_old_good = call.ranges.contains(*wanted.element, before);
  const bool is_new_good = call.ranges.contains(*wanted.element, call.arg(2));
  if (is_old_good) return is_new_good ? Ranges::any() : all_but(wanted.index);
  return is_new_good ? one_of(wanted.index) : nothing();
}

std::optional<Range> write(const RangeCall& call) {
  const auto* wanted = call.range.as<ElementAt>();
  if (wanted == nullptr || call.count() != wanted->index.size() + 2) return std::nullopt;
  const bool is_array = call.position == 0;
  const bool is_element = call.position + 1 == call.count();
  if (!is_array && !is_element) return written_index(call, *wanted);
  const auto here = is_stored_at(call, wanted->index);
  if (!here) return std::nullopt;
  if (*here == is_array) return Ranges::any();
  return is_array ? call.range : *wanted->element;
}

std::optional<Range> repeated(const RangeCall& call) {
  const auto* wanted = call.range.as<ElementAt>();
  if (wanted == nullptr) return std::nullopt;
  return *wanted->element;
}

constexpr OpRangeRule kArraysRanges[] = {
    {Op::kSelect, read},
    {Op::kStore, write},
    {Op::kConstArray, repeated},
};

}  // namespace

std::span<const OpRangeRule> array_ranges() { return kArraysRanges; }

// An array of Booleans is a set, too.
std::optional<Range> indices_in(const RangeCall& call, const Value& set) {
  if (set.kind != ValueKind::kSet || ValueStore::is_vague_complement(set)) return std::nullopt;
  const bool otherwise = ValueStore::is_complement(set);
  const bool elsewhere = call.ranges.contains(call.range, boolean(otherwise));
  if (call.ranges.contains(call.range, boolean(!otherwise)) == elsewhere) {
    return elsewhere ? Ranges::any() : nothing();
  }
  const auto listed = call.values.items(set);
  const std::vector<Value> exceptions(listed.begin(), listed.end());
  return elsewhere ? all_but(exceptions) : one_of(exceptions);
}

}  // namespace elenchus::mutate::diver

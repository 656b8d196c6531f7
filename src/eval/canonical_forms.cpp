// Sets, functions and arrays in canonical form: equal ones get equal values, however they were
// made.
#include <algorithm>
#include <map>
#include <utility>

#include "eval/domain.h"

namespace elenchus::eval {

using ir::SortId;

// --- Sets. ---

// Half of the elements of a sort that cannot be listed are always more than these.
static_assert(2 * uint64_t{ValueStore::kMaxDistinctive} <= Domains::kMaxListed);

// One set, one value: over a sort of few values every set lists its elements, over one of more its
// elements or the others, whichever are fewer.
Value Domains::set(SortId element, std::vector<Value> listed, bool is_complement) {
  using Lists = ValueStore::Lists;
  constexpr uint64_t kFew = 256;
  if (!is_complement && listed.size() <= kFew / 2) return values_.set(std::move(listed));
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  const Size elements = size(element);
  if (elements.extent != Extent::kFinite || elements.count > kMaxListed) {
    const bool is_vague = elements.extent == Extent::kUnknown;
    const Lists others = is_vague ? Lists::kOthersVaguely : Lists::kOthers;
    return values_.set(std::move(listed), is_complement ? others : Lists::kElements);
  }
  const auto every = all(element);
  if (every.size() != elements.count) {
    return values_.set(std::move(listed), is_complement ? Lists::kOthersVaguely : Lists::kElements);
  }
  const uint64_t members = is_complement ? every.size() - listed.size() : listed.size();
  const bool lists_others = elements.count > kFew && 2 * members > elements.count;
  if (lists_others != is_complement) {
    std::vector<Value> rest;
    for (const Value& value : every) {
      if (!std::binary_search(listed.begin(), listed.end(), value)) rest.push_back(value);
    }
    listed = std::move(rest);
  }
  return values_.set(std::move(listed), lists_others ? Lists::kOthers : Lists::kElements);
}

// Of entries that are sorted.
Value Domains::set_where(SortId element, const std::vector<Row>& entries, bool otherwise) {
  std::vector<Value> listed;
  for (const Row& row : entries) {
    if (row[1].is_true() != otherwise) listed.push_back(row[0]);
  }
  return set(element, std::move(listed), otherwise);
}

// --- Functions. ---

namespace {

using Row = std::vector<Value>;

bool same_key(const Row& a, const Row& b) {
  return std::equal(a.begin(), a.end() - 1, b.begin(), b.end() - 1);
}

bool key_less(const Row& a, const Row& b) {
  return std::lexicographical_compare(a.begin(), a.end() - 1, b.begin(), b.end() - 1);
}

// Sorted by key, the last of each key kept.
void sort_entries(std::vector<Row>& entries) {
  std::reverse(entries.begin(), entries.end());
  std::stable_sort(entries.begin(), entries.end(), key_less);
  entries.erase(std::unique(entries.begin(), entries.end(), same_key), entries.end());
}

// The result of more than half of the entries, or unknown.
Value majority(const std::vector<Row>& entries) {
  std::map<Value, size_t> counts;
  for (const Row& row : entries) {
    if (++counts[row.back()] * 2 > entries.size()) return row.back();
  }
  return {};
}

}  // namespace

// Where more than half of all arguments have one result, that is the default, and the table has the
// others. Elsewhere (only in small domains) the table has all arguments. So there is one way only.
Value Domains::function(std::span<const SortId> parameters, std::vector<Row> entries,
                        const Value& otherwise) {
  if (parameters.size() == 1 && otherwise.kind == ValueKind::kBool) {
    sort_entries(entries);
    return set_where(parameters[0], entries, otherwise.is_true());
  }
  Function base;
  base.arity = static_cast<uint32_t>(parameters.size());
  base.otherwise = otherwise;
  return function(parameters, std::move(entries), base);
}

Value Domains::function(std::span<const SortId> parameters, std::vector<Row> entries,
                        const Function& base) {
  sort_entries(entries);
  Function function = base;
  if (!base.lambda.valid()) normalise(parameters, entries, function);
  std::vector<Value> flat;
  for (const Row& row : entries) flat.insert(flat.end(), row.begin(), row.end());
  function.entries = values_.list(flat);
  return values_.function(function);
}

namespace {

// Keeps a table sorted and free of what is the default anyway.
void change_entry(std::vector<Value>& table, std::span<const Value> row, const Value& otherwise) {
  const auto width = static_cast<std::ptrdiff_t>(row.size());
  const auto key = row.first(row.size() - 1);
  auto at = table.begin();
  while (at != table.end() &&
         std::lexicographical_compare(at, at + width - 1, key.begin(), key.end())) {
    at += width;
  }
  const bool found = at != table.end() && std::equal(key.begin(), key.end(), at);
  if (row.back() == otherwise) {
    if (found) table.erase(at, at + width);
  } else if (found) {
    *(at + width - 1) = row.back();
  } else {
    table.insert(at, row.begin(), row.end());
  }
}

}  // namespace

std::optional<Value> Domains::changed(std::span<const SortId> parameters,
                                      std::span<const Value> changes, const Function& base) {
  const size_t width = parameters.size() + 1;
  const auto entries = values_.entries(base);
  constexpr size_t kFew = 8;
  const bool is_long = entries.size() > 64 * width && changes.size() > width;
  if (is_long || changes.size() > kFew * width) return std::nullopt;
  if (base.lambda.valid() || base.is_total) return std::nullopt;
  // Where the table may cover half of the domain, another default may be due.
  const Size arguments = product(parameters);
  const size_t most = (entries.size() + changes.size()) / width;
  if (arguments.extent == Extent::kFinite && arguments.count <= 2 * most) return std::nullopt;
  std::vector<Value> table;
  table.reserve(entries.size() + changes.size());
  table.assign(entries.begin(), entries.end());
  for (size_t i = 0; i < changes.size(); i += width) {
    change_entry(table, changes.subspan(i, width), base.otherwise);
  }
  Function function = base;
  function.is_vague = arguments.extent == Extent::kUnknown;
  function.entries = values_.list(table);
  return values_.function(function);
}

void Domains::normalise(std::span<const SortId> parameters, std::vector<Row>& entries,
                        Function& function) {
  const auto is_default = [&](const Row& row) { return row.back() == function.otherwise; };
  if (!function.is_total) std::erase_if(entries, is_default);
  const Size arguments = product(parameters);
  function.is_vague = arguments.extent == Extent::kUnknown;
  if (arguments.extent != Extent::kFinite || arguments.count > 2 * entries.size()) return;
  const bool listed = std::all_of(parameters.begin(), parameters.end(),
                                  [&](SortId sort) { return !all(sort).empty(); });
  function.is_vague = !listed;
  if (!listed) return;
  if (!function.is_total) {
    entries = complete_table(parameters, std::move(entries), function.otherwise);
  }
  function.otherwise = majority(entries);
  function.is_total = !function.otherwise.known();
  if (!function.is_total) std::erase_if(entries, is_default);
}

std::vector<Row> Domains::complete_table(std::span<const SortId> parameters,
                                         std::vector<Row> entries, const Value& otherwise) {
  std::vector<Row> table;
  for_each_row(parameters, [&](std::span<const Value> key) {
    Row row(key.begin(), key.end());
    row.push_back(otherwise);
    table.push_back(std::move(row));
  });
  // The defaults come first, so that the entries count.
  table.insert(table.end(), std::make_move_iterator(entries.begin()),
               std::make_move_iterator(entries.end()));
  sort_entries(table);
  return table;
}

}  // namespace elenchus::eval

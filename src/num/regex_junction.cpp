// Unions and intersections of RegexStore.
#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "num/regex.h"

namespace elenchus::num {
namespace {

std::vector<CharRange> intersection(std::span<const CharRange> left,
                                    std::span<const CharRange> right) {
  std::vector<CharRange> result;
  for (size_t i = 0, k = 0; i < left.size() && k < right.size();) {
    const char32_t first = std::max(left[i].first, right[k].first);
    const char32_t last = std::min(left[i].last, right[k].last);
    if (first <= last) result.push_back({first, last});
    if (left[i].last < right[k].last) {
      ++i;
    } else {
      ++k;
    }
  }
  return result;
}

}  // namespace

RegexId RegexStore::union_of(std::span<const RegexId> parts) {
  return junction(RegexKind::kUnion, parts);
}

RegexId RegexStore::union_of(RegexId left, RegexId right) {
  const RegexId both[] = {left, right};
  return union_of(both);
}

RegexId RegexStore::inter(std::span<const RegexId> parts) {
  return junction(RegexKind::kInter, parts);
}

RegexId RegexStore::inter(RegexId left, RegexId right) {
  const RegexId both[] = {left, right};
  return inter(both);
}

RegexId RegexStore::junction(RegexKind kind, std::span<const RegexId> parts) {
  std::vector<RegexId> spliced;
  spliced.reserve(parts.size());
  for (const RegexId part : parts) {
    const auto inner = children(part);
    if (this->kind(part) == kind && inner.size() <= kSpliceLimit) {
      spliced.insert(spliced.end(), inner.begin(), inner.end());
    } else {
      spliced.push_back(part);
    }
  }
  return finish_junction(kind, spliced);
}

RegexId RegexStore::flat(RegexId junction) {
  const RegexKind wanted = kind(junction);
  std::vector<RegexId> leaves;
  std::vector<RegexId> todo = {junction};
  std::unordered_set<uint32_t> seen;
  while (!todo.empty()) {
    const RegexId next = todo.back();
    todo.pop_back();
    for (const RegexId part : children(next)) {
      if (kind(part) != wanted) {
        leaves.push_back(part);
      } else if (seen.insert(part.value).second) {
        todo.push_back(part);
      }
    }
  }
  return finish_junction(wanted, leaves);
}

RegexId RegexStore::finish_junction(RegexKind kind, std::vector<RegexId>& parts) {
  const bool is_union = kind == RegexKind::kUnion;
  const RegexId neutral = is_union ? none() : all();
  const RegexId absorbing = is_union ? all() : none();
  std::erase(parts, neutral);
  merge_sets(kind, parts);
  if (is_union) merge_loops(parts);
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  const auto contains = [&](RegexId regex) {
    return std::binary_search(parts.begin(), parts.end(), regex);
  };
  if (contains(absorbing) || has_opposites(parts)) return absorbing;
  if (contains(epsilon())) {
    if (is_union) {
      absorb_epsilon(parts);
    } else {
      const bool member = std::ranges::all_of(parts, [&](RegexId part) { return nullable(part); });
      return member ? epsilon() : none();
    }
  }
  if (parts.empty()) return neutral;
  if (parts.size() == 1) return parts[0];
  return intern({.kind = kind, .children = parts});
}

void RegexStore::merge_sets(RegexKind kind, std::vector<RegexId>& parts) {
  const auto is_set = [this](RegexId part) { return this->kind(part) == RegexKind::kSet; };
  if (std::ranges::count_if(parts, is_set) < 2) return;
  std::vector<CharRange> merged;
  bool first = true;
  for (const RegexId part : parts) {
    if (!is_set(part)) continue;
    const auto more = ranges(part);
    if (first || kind == RegexKind::kUnion) {
      merged.insert(merged.end(), more.begin(), more.end());
    } else {
      merged = intersection(merged, more);
    }
    first = false;
  }
  std::erase_if(parts, is_set);
  parts.push_back(set_of(merged));
}

// r{a,b}t and r{c,d}t are one where the bounds overlap or touch. Searching for a loop anywhere in a
// text would else carry along one copy for each place where it may have begun.
void RegexStore::merge_loops(std::vector<RegexId>& parts) {
  struct Item {
    RegexId body;
    RegexId tail;
    uint64_t low;
    uint64_t high;
  };
  const auto loop_in = [this](RegexId part) {
    return kind(part) == RegexKind::kConcat ? child(part) : part;
  };
  const auto has_loop = [&](RegexId part) { return kind(loop_in(part)) == RegexKind::kLoop; };
  if (std::ranges::count_if(parts, has_loop) < 2) return;
  std::vector<Item> items;
  for (const RegexId part : parts) {
    if (!has_loop(part)) continue;
    const RegexId inner = loop_in(part);
    const RegexId tail = inner == part ? epsilon() : children(part)[1];
    items.push_back({child(inner), tail, low(inner), high(inner)});
  }
  std::erase_if(parts, has_loop);
  const auto key = [](const Item& item) { return std::tie(item.body, item.tail, item.low); };
  std::ranges::sort(items, {}, key);
  for (size_t i = 0; i < items.size();) {
    Item merged = items[i];
    for (++i; i < items.size(); ++i) {
      const Item& next = items[i];
      if (next.body != merged.body || next.tail != merged.tail) break;
      if (merged.high != kUnbounded && next.low > merged.high + 1) break;
      merged.high = std::max(merged.high, next.high);
    }
    parts.push_back(concat(loop(merged.body, merged.low, merged.high), merged.tail));
  }
}

// Whether an expression and its complement are both there.
bool RegexStore::has_opposites(std::span<const RegexId> sorted) const {
  return std::ranges::any_of(sorted, [&](RegexId part) {
    return kind(part) == RegexKind::kComp &&
           std::binary_search(sorted.begin(), sorted.end(), child(part));
  });
}

// Epsilon adds nothing to a union with another nullable part.
void RegexStore::absorb_epsilon(std::vector<RegexId>& parts) const {
  const bool redundant = std::ranges::any_of(
      parts, [this](RegexId part) { return part != epsilon() && nullable(part); });
  if (redundant) std::erase(parts, epsilon());
}

}  // namespace elenchus::num

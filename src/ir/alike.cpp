#include "ir/alike.h"

#include <utility>
#include <vector>

namespace elenchus::ir {
namespace {

bool is_array(SortKind kind) { return kind == SortKind::kSet || kind == SortKind::kArray; }

// The sorts inside, as if a set were an array.
std::vector<SortId> parts_of(const SortTable& sorts, SortId sort) {
  const auto children = sorts.children(sort);
  std::vector<SortId> parts(children.begin(), children.end());
  if (sorts.kind(sort) == SortKind::kSet) parts.push_back(kBoolSort);
  return parts;
}

}  // namespace

bool are_alike(const SortTable& sorts, SortId one, SortId other) {
  if (one == other) return true;
  if (sorts.kind(one) < SortKind::kArray || sorts.kind(other) < SortKind::kArray) return false;
  std::vector<std::pair<SortId, SortId>> todo = {{one, other}};
  while (!todo.empty()) {
    const auto [a, b] = todo.back();
    todo.pop_back();
    if (a == b) continue;
    const SortNode& left = sorts[a];
    const SortNode& right = sorts[b];
    const bool both = is_array(left.kind) && is_array(right.kind);
    if (!both && (left.kind != right.kind || left.a != right.a || left.b != right.b)) return false;
    const std::vector<SortId> x = parts_of(sorts, a);
    const std::vector<SortId> y = parts_of(sorts, b);
    if (x.empty() || x.size() != y.size()) return false;
    for (size_t i = 0; i < x.size(); ++i) todo.emplace_back(x[i], y[i]);
  }
  return true;
}

}  // namespace elenchus::ir

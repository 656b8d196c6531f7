#include "num/regex_derivative.h"

#include <algorithm>

#include "base/check.h"

namespace elenchus::num {
namespace {

// Beyond these the memory is not worth it: what was remembered is dropped.
constexpr size_t kMaxMemos = 1U << 20;
constexpr uint32_t kMaxChain = 64;

// Concatenations are distributed over unions up to this size. More would be copied at every level
// of a deeply nested expression.
constexpr size_t kDistributeLimit = 8;

constexpr CharRange kWholeAlphabet = {0, kMaxCharacter};

CharRange overlap(const CharRange& a, const CharRange& b) {
  return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

bool holds(const CharRange& range, char32_t c) { return range.first <= c && c <= range.last; }

// A table by id that grows with the ids.
template <typename T>
T& at_id(std::vector<T>& table, RegexId id) {
  if (id.value >= table.size()) table.resize(std::max<size_t>(id.value + 1, 2 * table.size()));
  return table[id.value];
}

}  // namespace

std::optional<RegexDeriver::Step> RegexDeriver::derivative(RegexId regex, char32_t c,
                                                           RegexBudget& budget) {
  ELENCHUS_DCHECK(c <= kMaxCharacter, "a character");
  if (generation_ != store_.generation() || memos_.size() > kMaxMemos) forget();
  if (!budget.spend(1)) return std::nullopt;
  const RegexId start = normal(regex, budget);
  std::vector<RegexId> todo;
  for (;;) {
    if (budget.exhausted()) return std::nullopt;
    if (const auto step = known_step(start, c)) return step;
    todo.push_back(start);
    // What waits on the stack waits for what is above it.
    while (!todo.empty() && !budget.exhausted()) {
      const RegexId next = todo.back();
      const uint32_t size = store_.size();
      if (known_step(next, c) || advance(next, c, todo, budget)) todo.pop_back();
      budget.spend(store_.size() - size);
    }
  }
}

// Computes and remembers a derivative from those of the parts. False when some of these are not
// known yet; they are then on top of the stack.
bool RegexDeriver::advance(RegexId regex, char32_t c, std::vector<RegexId>& todo,
                           RegexBudget& budget) {
  const size_t before = todo.size();
  collect_factors(regex, budget);
  derived_.clear();
  CharRange over = kWholeAlphabet;
  for (const Factor& factor : factors_) {
    if (const auto step = known_step(factor.head, c)) {
      derived_.push_back(step->to);
      over = overlap(over, step->over);
    } else {
      todo.push_back(factor.head);
    }
  }
  if (todo.size() > before) return false;
  if (!budget.spend(factors_.size())) return false;
  const RegexId result = combine(store_.kind(regex), budget);
  if (budget.exhausted()) return false;
  remember(regex, {result, over});
  return true;
}

// ---- Leaves ----

bool RegexDeriver::is_leaf(RegexId regex) const {
  return store_.kind(regex) <= RegexKind::kLiteral;
}

RegexDeriver::Step RegexDeriver::leaf_step(RegexId leaf, char32_t c) {
  switch (store_.kind(leaf)) {
    case RegexKind::kAll: return {RegexStore::all(), kWholeAlphabet};
    case RegexKind::kSet: {
      const auto ranges = store_.ranges(leaf);
      const auto next = std::partition_point(
          ranges.begin(), ranges.end(), [c](const CharRange& range) { return range.last < c; });
      if (next != ranges.end() && holds(*next, c)) return {RegexStore::epsilon(), *next};
      const char32_t first = next == ranges.begin() ? 0 : std::prev(next)->last + 1;
      const char32_t last = next == ranges.end() ? kMaxCharacter : next->first - 1;
      return {RegexStore::none(), {first, last}};
    }
    case RegexKind::kLiteral: {
      const char32_t wanted = store_.text(leaf)[0];
      if (c == wanted) return {store_.literal_tail(leaf), {c, c}};
      if (c < wanted) return {RegexStore::none(), {0, wanted - 1}};
      return {RegexStore::none(), {wanted + 1, kMaxCharacter}};
    }
    default: return {RegexStore::none(), kWholeAlphabet};
  }
}

// ---- What is remembered ----

void RegexDeriver::forget() {
  generation_ = store_.generation();
  memos_.resize(1);
  chains_.clear();
  normal_.clear();
}

std::optional<RegexDeriver::Step> RegexDeriver::known_step(RegexId regex, char32_t c) {
  if (is_leaf(regex)) return leaf_step(regex, c);
  if (regex.value >= chains_.size()) return std::nullopt;
  for (uint32_t at = chains_[regex.value].newest; at != 0; at = memos_[at].next) {
    if (holds(memos_[at].step.over, c)) return memos_[at].step;
  }
  return std::nullopt;
}

void RegexDeriver::remember(RegexId regex, const Step& step) {
  Chain& chain = at_id(chains_, regex);
  if (chain.length == kMaxChain) chain = {};
  memos_.push_back({step, chain.newest});
  chain.newest = static_cast<uint32_t>(memos_.size() - 1);
  ++chain.length;
}

// ---- Normal forms ----

// The same language in the form that derivatives are taken of: a concatenation starts with
// something else than a concatenation, and no union is directly in a union. Finitely many
// derivatives differ in this form.
RegexId RegexDeriver::normal(RegexId regex, RegexBudget& budget) {
  const RegexKind kind = store_.kind(regex);
  const bool is_concat = kind == RegexKind::kConcat;
  if (!is_concat && kind != RegexKind::kUnion && kind != RegexKind::kInter) return regex;
  if (is_concat && store_.kind(store_.child(regex)) != RegexKind::kConcat) return regex;
  if (const RegexId known = at_id(normal_, regex); known.valid()) return known;
  RegexId result = regex;
  if (is_concat) {
    result = rotated(regex, budget);
  } else if (is_nested(regex)) {
    result = store_.flat(regex);
    budget.spend(store_.children(result).size());
  }
  at_id(normal_, regex) = result;
  return result;
}

// ((a b) c) d to a (b (c d)); what is nested in b, c and d waits until it comes to the front.
RegexId RegexDeriver::rotated(RegexId concat, RegexBudget& budget) {
  RegexId head = store_.child(concat);
  RegexId tail = store_.children(concat)[1];
  while (store_.kind(head) == RegexKind::kConcat) {
    budget.spend(1);
    tail = store_.concat(store_.children(head)[1], tail);
    head = store_.child(head);
  }
  return store_.concat(head, tail);
}

bool RegexDeriver::is_nested(RegexId junction) const {
  const RegexKind kind = store_.kind(junction);
  return std::ranges::any_of(store_.children(junction),
                             [&](RegexId child) { return store_.kind(child) == kind; });
}

// ---- Composite expressions ----

void RegexDeriver::collect_factors(RegexId regex, RegexBudget& budget) {
  factors_.clear();
  const RegexKind kind = store_.kind(regex);
  if (kind == RegexKind::kConcat) {
    collect_concat_factors(regex, budget);
  } else if (kind == RegexKind::kLoop) {
    const uint64_t low = store_.low(regex);
    const uint64_t high = store_.high(regex);
    const RegexId body = store_.child(regex);
    // The body of a loop with a positive lower bound is not nullable: RegexStore::loop sees to it.
    const RegexId rest =
        store_.loop(body, low == 0 ? 0 : low - 1, high == RegexStore::kUnbounded ? high : high - 1);
    factors_.push_back({normal(body, budget), rest});
  } else {
    for (const RegexId child : store_.children(regex)) {
      factors_.push_back({normal(child, budget), RegexStore::epsilon()});
    }
  }
}

// The first part, and those that come first when all parts before them are empty.
void RegexDeriver::collect_concat_factors(RegexId regex, RegexBudget& budget) {
  RegexId rest = regex;
  while (store_.kind(rest) == RegexKind::kConcat && !budget.exhausted()) {
    const RegexId head = store_.child(rest);
    const RegexId tail = store_.children(rest)[1];
    factors_.push_back({normal(head, budget), tail});
    if (!store_.nullable(head)) return;
    rest = normal(tail, budget);
  }
  factors_.push_back({rest, RegexStore::epsilon()});
}

RegexId RegexDeriver::combine(RegexKind kind, RegexBudget& budget) {
  if (kind == RegexKind::kComp) return store_.comp(derived_[0]);
  if (kind == RegexKind::kInter) return normal(store_.inter(derived_), budget);
  std::vector<RegexId> parts;
  for (size_t i = 0; i < factors_.size(); ++i) {
    append_products(derived_[i], factors_[i].tail, parts, budget);
  }
  return normal(store_.union_of(parts), budget);
}

// (a|b)t as at|bt, so that the same parts meet again in one union: that keeps the states of an
// expression without intersection and complement as few as those of its automaton.
void RegexDeriver::append_products(RegexId left, RegexId right, std::vector<RegexId>& out,
                                   RegexBudget& budget) {
  if (left == RegexStore::none()) return;
  const auto choices = store_.children(left);
  const bool distribute =
      store_.kind(left) == RegexKind::kUnion && choices.size() <= kDistributeLimit;
  if (!distribute) {
    out.push_back(normal(product(left, right), budget));
    return;
  }
  budget.spend(choices.size() - 1);
  for (const RegexId choice : choices) out.push_back(normal(product(choice, right), budget));
}

// The concatenation, already rotated when the left is.
RegexId RegexDeriver::product(RegexId left, RegexId right) {
  if (right == RegexStore::epsilon() || store_.kind(left) != RegexKind::kConcat) {
    return store_.concat(left, right);
  }
  const auto parts = store_.children(left);
  return store_.concat(parts[0], store_.concat(parts[1], right));
}

}  // namespace elenchus::num

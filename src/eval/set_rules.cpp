// Sets and relations. A set is a list of elements, or all values but those: see Domains::set.
#include <algorithm>
#include <map>
#include <set>

#include "eval/evaluator.h"
#include "eval/rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;

constexpr const char* kInfinite = "a set that is not finite, or too large to be listed";
constexpr const char* kOpenSize = "how many elements a complement has is not known";
constexpr const char* kIncomparableSet = "a set of functions that cannot be compared";

// What one side lists and the other does or does not.
struct Sides {
  std::vector<Value> both, left, right;
};

Sides sides_of(const Call& call, const Value& a, const Value& b) {
  const auto x = call.values.items(a);
  const auto y = call.values.items(b);
  Sides sides;
  std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(sides.both));
  std::set_difference(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(sides.left));
  std::set_difference(y.begin(), y.end(), x.begin(), x.end(), std::back_inserter(sides.right));
  return sides;
}

std::vector<Value> joined(std::initializer_list<std::vector<Value>> parts) {
  std::vector<Value> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

ir::SortId element_sort(const Call& call, ir::SortId set) {
  return call.terms.sorts().children(set)[0];
}

Value set_of(const Call& call, std::vector<Value> elements) {
  return call.evaluator.domains().set(element_sort(call, call.sort()), std::move(elements), false);
}

Value all_but(const Call& call, std::vector<Value> elements) {
  return call.evaluator.domains().set(element_sort(call, call.sort()), std::move(elements), true);
}

Value unite(const Call& call, const Value& a, const Value& b) {
  const Sides sides = sides_of(call, a, b);
  const bool x = ValueStore::is_complement(a);
  const bool y = ValueStore::is_complement(b);
  if (x && y) return all_but(call, sides.both);
  if (x) return all_but(call, sides.left);
  if (y) return all_but(call, sides.right);
  return set_of(call, joined({sides.both, sides.left, sides.right}));
}

// The intersection as the complement of the united complements would be normalised on the way.
Value intersect(const Call& call, const Value& a, const Value& b) {
  const Sides sides = sides_of(call, a, b);
  const bool x = ValueStore::is_complement(a);
  const bool y = ValueStore::is_complement(b);
  if (x && y) {
    return all_but(call, joined({sides.both, sides.left, sides.right}));
  }
  if (x) return set_of(call, sides.right);
  if (y) return set_of(call, sides.left);
  return set_of(call, sides.both);
}

bool are_comparable(const Call& call, std::span<const Value> elements) {
  return std::all_of(elements.begin(), elements.end(),
                     [&](const Value& value) { return call.values.is_canonical(value); });
}

bool have_comparable_elements(const Call& call, std::span<const Value> sets) {
  return std::all_of(sets.begin(), sets.end(),
                     [&](const Value& set) { return call.values.has_canonical_items(set); });
}

template <typename Operation>
Value fold_sets(const Call& call, Operation operation) {
  if (!have_comparable_elements(call, call.args)) return call.unknown(kIncomparableSet);
  return fold_left(call, [&](const Value& a, const Value& b) {
    call.pay(call.values.items(a).size() + call.values.items(b).size());
    return operation(call, a, b);
  });
}

Value minus(const Call& call) {
  return fold_sets(call, [](const Call& c, const Value& a, const Value& b) {
    const Sides sides = sides_of(c, a, b);
    const bool x = ValueStore::is_complement(a);
    const bool y = ValueStore::is_complement(b);
    if (x && y) return set_of(c, sides.right);
    if (x) return all_but(c, joined({sides.both, sides.left, sides.right}));
    if (y) return set_of(c, sides.both);
    return set_of(c, sides.left);
  });
}

Value singleton(const Call& call) {
  if (!are_comparable(call, call.args)) return call.unknown(kIncomparableSet);
  return call.values.set({call.args[0]});
}

// All arguments but the last are elements.
Value insert(const Call& call) {
  const auto elements = call.args.first(call.args.size() - 1);
  if (!are_comparable(call, elements) || !have_comparable_elements(call, call.args.last(1))) {
    return call.unknown(kIncomparableSet);
  }
  return unite(call, call.args.back(), call.values.set({elements.begin(), elements.end()}));
}

Value member(const Call& call) {
  if (!are_comparable(call, call.args.first(1)) ||
      !have_comparable_elements(call, call.args.last(1))) {
    return call.unknown(kIncomparableSet);
  }
  const auto items = call.values.items(call.args[1]);
  const bool listed = std::binary_search(items.begin(), items.end(), call.args[0]);
  return boolean(listed != ValueStore::is_complement(call.args[1]));
}

// A complement has more elements than these, unless that is not known or they are very many.
bool surely_exceeds(const Call& call, const Value& complement, const Value& set) {
  const size_t listed = call.values.items(complement).size() + call.values.items(set).size();
  return !ValueStore::is_vague_complement(complement) && listed <= Domains::kMaxListed;
}

Value subset(const Call& call) {
  if (!have_comparable_elements(call, call.args)) return call.unknown(kIncomparableSet);
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  const Sides sides = sides_of(call, a, b);
  const bool x = ValueStore::is_complement(a);
  const bool y = ValueStore::is_complement(b);
  if (x && y) return boolean(sides.right.empty());
  if (x) return surely_exceeds(call, a, b) ? boolean(false) : call.unknown(kOpenSize);
  if (y) return boolean(sides.both.empty());
  return boolean(sides.left.empty());
}

Value cardinality(const Call& call) {
  const Value& set = call.args[0];
  const auto listed = static_cast<int64_t>(call.values.items(set).size());
  if (!ValueStore::is_complement(set)) return ValueStore::integer(listed);
  const Size all = call.evaluator.domains().size(element_sort(call, call.arg_sort(0)));
  if (!all.is_counted()) return call.unknown(kInfinite);
  return ValueStore::integer(static_cast<int64_t>(all.count) - listed);
}

// The universe of cvc4 and cvc5 is some finite set with all that any set of the sort has, and the
// complement is within it: a model says what it is.
constexpr const char* kUniverse =
    "the universe of a sort of sets may be any that has their elements";

Value choose(const Call& call) {
  const auto items = call.values.items(call.args[0]);
  const bool single = items.size() == 1 && !ValueStore::is_complement(call.args[0]);
  return single ? items[0] : call.unknown("any element may be chosen");
}

bool is_plain(const Call& call, size_t i) { return !ValueStore::is_complement(call.args[i]); }

// Whether a set has that number of elements, which is small.
Value has_size(const Call& call, size_t size) {
  const Value& set = call.args[0];
  if (is_plain(call, 0)) return boolean(call.values.items(set).size() == size);
  return surely_exceeds(call, set, call.values.set({})) ? boolean(false) : call.unknown(kOpenSize);
}

// --- With functions. ---

std::vector<Value> elements_of(const Call& call, size_t i) {
  const auto items = call.values.items(call.args[i]);
  return {items.begin(), items.end()};
}

Value map(const Call& call) {
  if (!is_plain(call, 1)) return call.unknown(kInfinite);
  const Value function = call.args[0];
  std::vector<Value> images;
  for (const Value& element : elements_of(call, 1)) {
    images.push_back(call.apply(function, std::span(&element, 1)));
    if (!images.back().known()) return images.back();
    if (!call.values.is_canonical(images.back())) return call.unknown(kIncomparableSet);
  }
  return set_of(call, std::move(images));
}

Value filter(const Call& call) {
  if (!is_plain(call, 1)) return call.unknown(kInfinite);
  const Value function = call.args[0];
  std::vector<Value> kept;
  for (const Value& element : elements_of(call, 1)) {
    const Value holds = call.apply(function, std::span(&element, 1));
    if (!holds.known()) return holds;
    if (holds.is_true()) kept.push_back(element);
  }
  return set_of(call, std::move(kept));
}

// The order of the elements is open: one that matters makes the result so.
Value fold(const Call& call) {
  if (!is_plain(call, 2)) return call.unknown(kInfinite);
  const Value function = call.args[0];
  Value result = call.args[1];
  const std::vector<Value> elements = elements_of(call, 2);
  if (elements.size() > 1)
    return call.unknown("a fold over a set: the order of its elements is open");
  for (const Value& element : elements) {
    const Value arguments[] = {element, result};
    result = call.apply(function, arguments);
  }
  return result;
}

Value quantified(const Call& call, bool all) {
  if (!is_plain(call, 1)) return call.unknown(kInfinite);
  const Value function = call.args[0];
  Value result = boolean(all);
  for (const Value& element : elements_of(call, 1)) {
    const Value holds = call.apply(function, std::span(&element, 1));
    if (holds.known() && holds.is_true() != all) return holds;
    if (!holds.known()) result = holds;
  }
  return result;
}

Value range(const Call& call) {
  const mpz_class low = call.values.big_integer(call.args[0]);
  const mpz_class high = call.values.big_integer(call.args[1]);
  if (high - low >= Domains::kMaxListed) return call.unknown("a set that is too large");
  std::vector<Value> elements;
  for (mpz_class at = low; at <= high; ++at) elements.push_back(call.values.integer(at));
  return set_of(call, std::move(elements));
}

// --- Relations: sets of tuples. ---

using Tuple = std::vector<Value>;

std::vector<Tuple> tuples_of(const Call& call, const Value& relation) {
  std::vector<Tuple> tuples;
  for (const Value& tuple : call.values.items(relation)) {
    const auto fields = call.values.items(tuple);
    tuples.emplace_back(fields.begin(), fields.end());
  }
  return tuples;
}

Value relation(const Call& call, const std::vector<Tuple>& tuples) {
  std::vector<Value> elements;
  elements.reserve(tuples.size());
  for (const Tuple& tuple : tuples) elements.push_back(call.values.data(ir::FunId{}, tuple));
  return set_of(call, std::move(elements));
}

bool all_plain(const Call& call) {
  return std::none_of(call.args.begin(), call.args.end(), [](const Value& value) {
    return value.kind == ValueKind::kSet && ValueStore::is_complement(value);
  });
}

// Pairs of tuples, one from each side, glued together without `shared` columns in the middle.
Value combine(const Call& call, size_t shared) {
  if (!all_plain(call)) return call.unknown(kInfinite);
  std::vector<Tuple> result;
  const auto right = tuples_of(call, call.args[1]);
  for (const Tuple& a : tuples_of(call, call.args[0])) {
    if (!call.pay(right.size() + 1)) return call.unknown("a relation that is too large");
    for (const Tuple& b : right) {
      const auto cut = static_cast<ptrdiff_t>(shared);
      if (!std::equal(a.end() - cut, a.end(), b.begin(), b.begin() + cut)) continue;
      Tuple both(a.begin(), a.end() - cut);
      both.insert(both.end(), b.begin() + cut, b.end());
      result.push_back(std::move(both));
    }
  }
  return relation(call, result);
}

Value transpose(const Call& call) {
  if (!all_plain(call)) return call.unknown(kInfinite);
  std::vector<Tuple> tuples = tuples_of(call, call.args[0]);
  for (Tuple& tuple : tuples) std::reverse(tuple.begin(), tuple.end());
  return relation(call, tuples);
}

Value transitive_closure(const Call& call) {
  if (!all_plain(call)) return call.unknown(kInfinite);
  std::set<std::pair<Value, Value>> closure;
  std::multimap<Value, Value> edges;
  for (const Tuple& tuple : tuples_of(call, call.args[0])) {
    closure.emplace(tuple[0], tuple[1]);
    edges.emplace(tuple[0], tuple[1]);
  }
  std::vector<std::pair<Value, Value>> todo(closure.begin(), closure.end());
  while (!todo.empty()) {
    const auto [from, to] = todo.back();
    todo.pop_back();
    const auto [first, last] = edges.equal_range(to);
    for (auto edge = first; edge != last; ++edge) {
      if (!call.pay(20)) return call.unknown("a relation that is too large");
      if (closure.emplace(from, edge->second).second) todo.emplace_back(from, edge->second);
    }
  }
  std::vector<Tuple> tuples;
  tuples.reserve(closure.size());
  for (const auto& [from, to] : closure) tuples.push_back({from, to});
  return relation(call, tuples);
}

Value identity(const Call& call) {
  if (!all_plain(call)) return call.unknown(kInfinite);
  std::vector<Tuple> tuples = tuples_of(call, call.args[0]);
  for (Tuple& tuple : tuples) tuple.push_back(tuple[0]);
  return relation(call, tuples);
}

constexpr const char* kColumns = "operators on columns are not evaluated";

constexpr OpRule kSetRules[] = {
    {Op::kSetEmpty, [](const Call& call) { return call.values.set({}); }},
    {Op::kSetUniverse, nullptr, kUniverse},
    {Op::kSetSingleton, singleton},
    {Op::kSetInsert, insert},
    {Op::kSetUnion, [](const Call& call) { return fold_sets(call, unite); }},
    {Op::kSetInter, [](const Call& call) { return fold_sets(call, intersect); }},
    {Op::kSetMinus, minus},
    {Op::kSetMember, member},
    {Op::kSetSubset, subset},
    {Op::kSetComplement, nullptr, kUniverse},
    {Op::kSetCard, cardinality},
    {Op::kSetChoose, choose},
    {Op::kSetIsSingleton, [](const Call& call) { return has_size(call, 1); }},
    {Op::kSetIsEmpty, [](const Call& call) { return has_size(call, 0); }},
    {Op::kSetMap, map},
    {Op::kSetFilter, filter},
    {Op::kSetFold, fold},
    {Op::kSetAll, [](const Call& call) { return quantified(call, true); }},
    {Op::kSetSome, [](const Call& call) { return quantified(call, false); }},
    {Op::kFiniteSetEmpty, [](const Call& call) { return call.values.set({}); }},
    {Op::kFiniteSetSingleton, singleton},
    {Op::kFiniteSetUnion, [](const Call& call) { return fold_sets(call, unite); }},
    {Op::kFiniteSetIntersect, [](const Call& call) { return fold_sets(call, intersect); }},
    {Op::kFiniteSetDifference, minus},
    {Op::kFiniteSetIn, member},
    {Op::kFiniteSetSize, cardinality},
    {Op::kFiniteSetSubset, subset},
    {Op::kFiniteSetMap, map},
    {Op::kFiniteSetFilter, filter},
    {Op::kFiniteSetRange, range},
    {Op::kRelJoin, [](const Call& call) { return combine(call, 1); }},
    {Op::kRelProduct, [](const Call& call) { return combine(call, 0); }},
    {Op::kRelTranspose, transpose},
    {Op::kRelTclosure, transitive_closure},
    {Op::kRelIden, identity},
    {Op::kRelJoinImage, nullptr, "join images are not evaluated"},
    {Op::kRelGroup, nullptr, kColumns},
    {Op::kRelAggr, nullptr, kColumns},
    {Op::kRelProject, nullptr, kColumns},
    {Op::kRelTableJoin, nullptr, kColumns},
};

}  // namespace

std::span<const OpRule> set_rules() { return kSetRules; }

}  // namespace elenchus::eval

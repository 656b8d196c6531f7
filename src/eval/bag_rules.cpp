// Bags: elements with counts. Tables are bags of tuples.
#include <algorithm>
#include <map>

#include "eval/evaluator.h"
#include "eval/rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using Counts = std::map<Value, mpz_class>;

constexpr const char* kIncomparableBag = "a bag of functions that cannot be compared";

Counts counts_of(const Call& call, const Value& bag) {
  Counts counts;
  const auto items = call.values.items(bag);
  for (size_t i = 0; i < items.size(); i += 2) {
    counts.emplace(items[i], call.values.big_integer(items[i + 1]));
  }
  return counts;
}

Value bag_of(const Call& call, const Counts& counts) {
  return call.values.bag({counts.begin(), counts.end()});
}

mpz_class count_in(const Counts& counts, const Value& element) {
  const auto found = counts.find(element);
  return found == counts.end() ? mpz_class(0) : found->second;
}

bool comparable(const Call& call) {
  return std::all_of(call.args.begin(), call.args.end(),
                     [&](const Value& value) { return call.values.is_canonical(value); });
}

// Element by element, from the counts on both sides.
template <typename Combine>
Value combine(const Call& call, Combine combine_counts) {
  if (!comparable(call)) return call.unknown(kIncomparableBag);
  return fold_left(call, [&](const Value& a, const Value& b) {
    const Counts left = counts_of(call, a);
    const Counts right = counts_of(call, b);
    Counts result;
    for (const auto& [element, count] : left) {
      result[element] = combine_counts(count, count_in(right, element));
    }
    for (const auto& [element, count] : right) {
      if (!left.contains(element)) result[element] = combine_counts(mpz_class(0), count);
    }
    call.pay(result.size());
    return bag_of(call, result);
  });
}

mpz_class larger(const mpz_class& a, const mpz_class& b) { return a < b ? b : a; }
mpz_class smaller(const mpz_class& a, const mpz_class& b) { return a < b ? a : b; }
mpz_class sum(const mpz_class& a, const mpz_class& b) { return a + b; }
mpz_class difference(const mpz_class& a, const mpz_class& b) { return a - b; }
mpz_class removal(const mpz_class& a, const mpz_class& b) { return b == 0 ? a : mpz_class(0); }

Value make(const Call& call) {
  if (!comparable(call)) return call.unknown(kIncomparableBag);
  return call.values.bag({{call.args[0], call.values.big_integer(call.args[1])}});
}

Value subbag(const Call& call) {
  if (!comparable(call)) return call.unknown(kIncomparableBag);
  const Counts right = counts_of(call, call.args[1]);
  for (const auto& [element, count] : counts_of(call, call.args[0])) {
    if (count > count_in(right, element)) return boolean(false);
  }
  return boolean(true);
}

mpz_class count_of_argument(const Call& call) {
  return count_in(counts_of(call, call.args[1]), call.args[0]);
}

Value count(const Call& call) {
  if (!comparable(call)) return call.unknown(kIncomparableBag);
  return call.values.integer(count_of_argument(call));
}

Value member(const Call& call) {
  if (!comparable(call)) return call.unknown(kIncomparableBag);
  return boolean(count_of_argument(call) > 0);
}

Value without_duplicates(const Call& call) {
  Counts counts = counts_of(call, call.args[0]);
  for (auto& [element, number] : counts) number = 1;
  return bag_of(call, counts);
}

Value cardinality(const Call& call) {
  mpz_class total = 0;
  for (const auto& [element, number] : counts_of(call, call.args[0])) total += number;
  return call.values.integer(total);
}

Value choose(const Call& call) {
  const auto items = call.values.items(call.args[0]);
  return items.size() == 2 ? items[0] : call.unknown("any element may be chosen");
}

Value is_singleton(const Call& call) {
  const auto items = call.values.items(call.args[0]);
  return boolean(items.size() == 2 && items[1] == ValueStore::integer(int64_t{1}));
}

Value from_set(const Call& call) {
  if (ValueStore::is_complement(call.args[0])) return call.unknown("a set that is not finite");
  Counts counts;
  for (const Value& element : call.values.items(call.args[0])) counts[element] = 1;
  return bag_of(call, counts);
}

Value to_set(const Call& call) {
  std::vector<Value> elements;
  for (const auto& [element, number] : counts_of(call, call.args[0])) elements.push_back(element);
  const ir::SortId element = call.terms.sorts().children(call.sort())[0];
  return call.evaluator.domains().set(element, std::move(elements), false);
}

// --- With functions. ---

Value map(const Call& call) {
  const Value function = call.args[0];
  Counts images;
  for (const auto& [element, number] : counts_of(call, call.args[1])) {
    const Value image = call.apply(function, std::span(&element, 1));
    if (!image.known()) return image;
    if (!call.values.is_canonical(image)) return call.unknown(kIncomparableBag);
    images[image] += number;
  }
  return bag_of(call, images);
}

Value filter(const Call& call) {
  const Value function = call.args[0];
  Counts kept;
  for (const auto& [element, number] : counts_of(call, call.args[1])) {
    const Value holds = call.apply(function, std::span(&element, 1));
    if (!holds.known()) return holds;
    if (holds.is_true()) kept[element] = number;
  }
  return bag_of(call, kept);
}

Value quantified(const Call& call, bool all) {
  const Value function = call.args[0];
  Value result = boolean(all);
  for (const auto& [element, number] : counts_of(call, call.args[1])) {
    const Value holds = call.apply(function, std::span(&element, 1));
    if (holds.known() && holds.is_true() != all) return holds;
    if (!holds.known()) result = holds;
  }
  return result;
}

constexpr const char* kOrder = "the order of the elements is open";
constexpr const char* kColumns = "operators on columns are not evaluated";

constexpr OpRule kBagRules[] = {
    {Op::kBagEmpty, [](const Call& call) { return call.values.bag({}); }},
    {Op::kBag, make},
    {Op::kBagUnionMax, [](const Call& call) { return combine(call, larger); }},
    {Op::kBagUnionDisjoint, [](const Call& call) { return combine(call, sum); }},
    {Op::kBagInterMin, [](const Call& call) { return combine(call, smaller); }},
    {Op::kBagDifferenceSubtract, [](const Call& call) { return combine(call, difference); }},
    {Op::kBagDifferenceRemove, [](const Call& call) { return combine(call, removal); }},
    {Op::kBagSubbag, subbag},
    {Op::kBagCount, count},
    {Op::kBagMember, member},
    {Op::kBagSetof, without_duplicates},
    {Op::kBagCard, cardinality},
    {Op::kBagChoose, choose},
    {Op::kBagIsSingleton, is_singleton},
    {Op::kBagFromSet, from_set},
    {Op::kBagToSet, to_set},
    {Op::kBagMap, map},
    {Op::kBagFilter, filter},
    {Op::kBagFold, nullptr, kOrder},
    {Op::kBagPartition, nullptr, "partitions are not evaluated"},
    {Op::kBagAll, [](const Call& call) { return quantified(call, true); }},
    {Op::kBagSome, [](const Call& call) { return quantified(call, false); }},
    {Op::kTableProduct, nullptr, kColumns},
    {Op::kTableJoin, nullptr, kColumns},
    {Op::kTableProject, nullptr, kColumns},
    {Op::kTableAggr, nullptr, kColumns},
    {Op::kTableGroup, nullptr, kColumns},
};

}  // namespace

std::span<const OpRule> bag_rules() { return kBagRules; }

}  // namespace elenchus::eval

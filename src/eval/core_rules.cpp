// The evaluator knows and, or, =>, = and ite itself: they need not know all of their arguments.
#include <algorithm>
#include <vector>

#include "eval/evaluator.h"
#include "eval/rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;

Value logical_xor(const Call& call) {
  if (call.args.empty()) return boolean(false);
  return fold_left(call, [](const Value& a, const Value& b) { return boolean(a != b); });
}

// Values that need only their bits to be compared.
Value distinct_bits(const Call& call) {
  std::vector<Value> sorted(call.args.begin(), call.args.end());
  std::sort(sorted.begin(), sorted.end());
  return boolean(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
}

Value distinct(const Call& call) {
  const bool plain = std::all_of(call.args.begin(), call.args.end(), [&](const Value& value) {
    return value.kind == call.args[0].kind && call.values.is_canonical(value);
  });
  if (plain) return distinct_bits(call);
  Value result = boolean(true);
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (!call.pay(call.args.size())) return call.unknown("distinct with too many arguments");
    for (size_t k = i + 1; k < call.args.size(); ++k) {
      const Value same = call.evaluator.equal(call.args[i], call.args[k]);
      if (same.is_true()) return boolean(false);
      if (!same.known()) result = same;
    }
  }
  return result;
}

constexpr OpRule kCoreRules[] = {
    {Op::kTrue, [](const Call&) { return boolean(true); }},
    {Op::kFalse, [](const Call&) { return boolean(false); }},
    {Op::kNot, [](const Call& call) { return boolean(call.args[0].is_false()); }},
    {Op::kXor, logical_xor},
    {Op::kDistinct, distinct},
    // A mark for instantiation that says nothing about its argument.
    {Op::kInstClosure, [](const Call&) { return boolean(true); }},
};

}  // namespace

std::span<const OpRule> core_rules() { return kCoreRules; }

}  // namespace elenchus::eval

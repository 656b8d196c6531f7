// The evaluator itself knows select and as-array, which may have to evaluate a body, and store, of
// which it takes whole chains at once.
#include "eval/evaluator.h"
#include "eval/rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;
using ir::SortId;

std::span<const SortId> index_sorts(const Call& call, SortId array) {
  const auto children = call.terms.sorts().children(array);
  if (call.terms.sorts().kind(array) == ir::SortKind::kSet) return children;
  return children.first(children.size() - 1);
}

Value constant_array(const Call& call) {
  const auto parameters = index_sorts(call, call.sort());
  return call.evaluator.domains().function(parameters, {}, call.args[0]);
}

// The default is that of the representation; where the domain is finite, it is nothing that the
// array determines.
Value default_of(const Call& call) {
  for (const SortId sort : index_sorts(call, call.arg_sort(0))) {
    if (call.evaluator.domains().size(sort).extent != Extent::kInfinite)
      return call.unknown("no default is known");
  }
  if (call.args[0].kind == ValueKind::kSet) return boolean(ValueStore::is_complement(call.args[0]));
  const Function& function = call.values.function(call.args[0]);
  if (function.lambda.valid() || function.is_total) return call.unknown("no default is known");
  return function.otherwise;
}

constexpr OpRule kArrayRules[] = {
    {Op::kConstArray, constant_array},
    {Op::kArrayDefault, default_of},
    {Op::kArrayExt, nullptr, "any index where two arrays differ will do"},
    {Op::kArrayExtAt, nullptr, "any index where two arrays differ will do"},
    {Op::kArrayMap, nullptr, "the map of arrays is not evaluated"},
    {Op::kEqRange, nullptr, "ranges of arrays are not compared"},
};

}  // namespace

std::span<const OpRule> array_rules() { return kArrayRules; }

}  // namespace elenchus::eval

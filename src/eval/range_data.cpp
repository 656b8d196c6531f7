// Datatypes: what made a value.
#include "eval/range_rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;

std::optional<Range> tested(const RangeCall& call) {
  const ir::FunId constructor{call.index(0)};
  const ir::Datatype& datatype = call.terms.datatype(call.terms.fun(constructor).datatype);
  if (datatype.constructors.size() == 1) return Ranges::any();
  return Range{MadeBy{constructor, !call.wanted()}};
}

// The excluded value that the application becomes by a change of this argument alone, if any, gives
// its field; nothing where that cannot be told.
std::optional<Range> field_beside(const RangeCall& call, const Excluded& excluded) {
  const ir::FunId constructor = ValueStore::constructor(call.result);
  std::vector<Value> fields;
  for (const Value& value : excluded.values) {
    if (ValueStore::constructor(value) != constructor) continue;
    const auto items = call.values.items(value);
    bool reachable = true;
    for (size_t i = 0; i < items.size() && reachable; ++i) {
      if (i == call.position) continue;
      const Value same = call.evaluator.equal(items[i], call.arg(i));
      if (!same.known()) return std::nullopt;
      reachable = same.is_true();
    }
    if (reachable) fields.push_back(call.values.items(value)[call.position]);
  }
  return all_but(std::move(fields));
}

// Functions, selectors and all others keep their arguments.
std::optional<Range> call_argument(const RangeCall& call) {
  const ir::FunDecl& callee = call.terms.fun(call.terms.callee(call.term));
  if (callee.kind != ir::FunKind::kConstructor) return std::nullopt;
  if (call.range.as<MadeBy>() != nullptr) return Ranges::any();
  const auto* excluded = call.range.as<Excluded>();
  return excluded == nullptr ? std::nullopt : field_beside(call, *excluded);
}

constexpr OpRangeRule kRules[] = {
    {Op::kCall, call_argument},
    {Op::kIs, tested},
};

}  // namespace

std::span<const OpRangeRule> data_ranges() { return kRules; }

}  // namespace elenchus::eval

// Datatypes: what made a value, and of what. Functions that the model gives as a table.
#include <memory>
#include <utility>

#include "mutate/diver/range_rules.h"

namespace elenchus::mutate::diver {
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

std::optional<Range> constructed(const RangeCall& call) {
  if (call.range.as<MadeBy>() != nullptr) return Ranges::any();
  if (const auto* wanted = call.range.as<FieldOf>()) {
    return wanted->field == call.position ? *wanted->content : Ranges::any();
  }
  const auto* excluded = call.range.as<Excluded>();
  return excluded == nullptr ? std::nullopt : field_beside(call, *excluded);
}

// Where the argument has the field; what a selector gives elsewhere is the model's choice.
std::optional<Range> selected(const RangeCall& call, const ir::FunDecl& selector) {
  const ir::FunId constructor =
      call.terms.datatype(selector.datatype).constructors[selector.constructor].fun;
  const Value present = call.present();
  if (present.kind != ValueKind::kData) return std::nullopt;
  if (ValueStore::constructor(present) != constructor) return std::nullopt;
  return Range{FieldOf{constructor, call.terms.callee(call.term), selector.field,
                       std::make_shared<const Range>(call.range)}};
}

// The values that the table takes, with the other arguments, to one in the range.
std::optional<Range> looked_up(const RangeCall& call) {
  const Value value = call.evaluator.function_value(call.terms.callee(call.term));
  const auto others = call.others();
  if (value.kind != ValueKind::kFunction || !others) return std::nullopt;
  const eval::Function function = call.values.function(value);
  if (function.lambda.valid() || function.is_vague || function.arity != call.count()) {
    return std::nullopt;
  }
  const bool elsewhere = !function.is_total && call.ranges.contains(call.range, function.otherwise);
  const auto view = call.values.entries(function);
  const std::vector<Value> entries(view.begin(), view.end());
  std::vector<Value> exceptions;
  for (size_t at = 0; at < entries.size(); at += call.count() + 1) {
    bool is_reached = true;
    for (size_t i = 0, other = 0; i < call.count() && is_reached; ++i) {
      if (i == call.position) continue;
      const Value same = call.evaluator.equal(entries[at + i], (*others)[other++]);
      if (!same.known()) return std::nullopt;
      is_reached = same.is_true();
    }
    if (!is_reached) continue;
    const bool is_good = call.ranges.contains(call.range, entries[at + call.count()]);
    if (is_good != elsewhere) exceptions.push_back(entries[at + call.position]);
  }
  return elsewhere ? all_but(std::move(exceptions)) : one_of(std::move(exceptions));
}

// Defined functions keep their arguments.
std::optional<Range> call_argument(const RangeCall& call) {
  const ir::FunDecl& callee = call.terms.fun(call.terms.callee(call.term));
  switch (callee.kind) {
    case ir::FunKind::kConstructor: return constructed(call);
    case ir::FunKind::kSelector: return selected(call, callee);
    case ir::FunKind::kDeclared: return looked_up(call);
    default: return std::nullopt;
  }
}

constexpr OpRangeRule kDataRanges[] = {
    {Op::kCall, call_argument},
    {Op::kIs, tested},
};

}  // namespace

std::span<const OpRangeRule> data_ranges() { return kDataRanges; }

}  // namespace elenchus::mutate::diver

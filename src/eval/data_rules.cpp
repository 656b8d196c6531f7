// Datatypes, tuples, nullables. The evaluator itself knows constructors, selectors and match.
#include <fmt/format.h>

#include "eval/evaluator.h"
#include "eval/rules.h"

namespace elenchus::eval {
namespace {

using ir::Op;

Value is_made_by(const Call& call) {
  return boolean(ValueStore::constructor(call.args[0]).value == call.index(0));
}

std::vector<Value> fields_of(const Call& call) {
  const auto fields = call.values.items(call.args[0]);
  return {fields.begin(), fields.end()};
}

// A selector of another constructor changes nothing.
Value update(const Call& call) {
  const ir::FunDecl& selector = call.terms.fun(ir::FunId{call.index(0)});
  const ir::FunId constructor = ValueStore::constructor(call.args[0]);
  if (call.terms.fun(constructor).constructor != selector.constructor) return call.args[0];
  std::vector<Value> fields = fields_of(call);
  fields[selector.field] = call.args[1];
  return call.values.data(constructor, fields);
}

Value tuple(const Call& call) { return call.values.data(ir::FunId{}, call.args); }

Value tuple_select(const Call& call) { return call.values.items(call.args[0])[call.index(0)]; }

Value tuple_update(const Call& call) {
  std::vector<Value> fields = fields_of(call);
  fields[call.index(0)] = call.args[1];
  return call.values.data(ir::FunId{}, fields);
}

Value tuple_project(const Call& call) {
  const auto fields = call.values.items(call.args[0]);
  std::vector<Value> chosen;
  for (const uint32_t index : call.terms.indices(call.term)) chosen.push_back(fields[index]);
  return call.values.data(ir::FunId{}, chosen);
}

// A nullable is a tuple with one field, or with none.
Value nullable_value(const Call& call) {
  const auto fields = call.values.items(call.args[0]);
  return fields.empty() ? call.unknown("the value of null") : fields[0];
}

bool is_null(const Call& call) { return call.values.items(call.args[0]).empty(); }

constexpr OpRule kDataRules[] = {
    {Op::kIs, is_made_by},
    {Op::kUpdate, update},
    {Op::kTuple, tuple},
    {Op::kTupleSelect, tuple_select},
    {Op::kTupleUpdate, tuple_update},
    {Op::kTupleProject, tuple_project},
    {Op::kDtSize, nullptr, "sizes of values are not defined by the standard"},
    {Op::kNullableNull, tuple},
    {Op::kNullableSome, tuple},
    {Op::kNullableVal, nullable_value},
    {Op::kNullableIsNull, [](const Call& call) { return boolean(is_null(call)); }},
    {Op::kNullableIsSome, [](const Call& call) { return boolean(!is_null(call)); }},
    {Op::kNullableLift, nullptr, "lifted functions are not evaluated"},
};

}  // namespace

std::span<const OpRule> data_rules() { return kDataRules; }

}  // namespace elenchus::eval

#include "eval/rules.h"

#include <array>

#include "eval/evaluator.h"

namespace elenchus::eval {
namespace {

using Table = std::array<OpRule, ir::kOpCount>;

Table all_rules() {
  Table table;
  for (const auto list :
       {core_rules(), arithmetic_rules(), transcendental_rules(), bits_rules(), float_rules(),
        string_rules(), regex_rules(), sequence_rules(), array_rules(), data_rules(), set_rules(),
        bag_rules(), field_rules(), other_rules()}) {
    for (const OpRule& rule : list) {
      OpRule& place = table[static_cast<size_t>(rule.op)];
      ELENCHUS_CHECK(place.op == ir::Op::kNone, "two rules for one operator");
      place = rule;
    }
  }
  return table;
}

}  // namespace

const OpRule& rule_of(ir::Op op) {
  static const Table table = all_rules();
  static const OpRule none;
  const auto at = static_cast<size_t>(op);
  return at < table.size() ? table[at] : none;
}

bool Call::pay(uint64_t steps) const { return evaluator.pay(steps); }

Value Call::open(ir::Op op, std::string_view reason) const {
  return evaluator.open(op, sort(), args, reason);
}

Value Call::apply(const Value& function, std::span<const Value> arguments) const {
  return evaluator.apply(function, arguments);
}

}  // namespace elenchus::eval

#include "eval/rules.h"

#include <gtest/gtest.h>

#include <set>

#include "ir/op_table.h"

namespace elenchus::eval {
namespace {

using ir::Op;

// Those that the evaluator knows itself.
const std::set<Op> kStructural = {Op::kAnd,    Op::kOr,      Op::kImplies, Op::kIte,  Op::kEq,
                                  Op::kSelect, Op::kHoApply, Op::kAsArray, Op::kStore};

TEST(Rules, EveryOperatorHasARuleOrAReason) {
  const auto table = ir::OpTable::standard();
  for (const Op op : table->all()) {
    const Op meaning = table->meaning(op);
    const OpRule& rule = rule_of(meaning);
    if (kStructural.contains(meaning)) {
      EXPECT_EQ(rule.rule, nullptr) << table->name(op);
      continue;
    }
    EXPECT_EQ(rule.op, meaning) << table->name(op) << " is in none of the lists";
    EXPECT_TRUE((rule.rule == nullptr) != (rule.reason == nullptr)) << table->name(op);
  }
}

TEST(Rules, NoneForStructuralKindsAndUserOperators) {
  EXPECT_EQ(rule_of(Op::kCall).op, Op::kNone);
  EXPECT_EQ(rule_of(static_cast<Op>(60'000)).op, Op::kNone);
}

}  // namespace
}  // namespace elenchus::eval

#include "ir/script_stats.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class ScriptStatsTest : public testing::Test, protected TestTerms {
 protected:
  void add(CommandKind kind, TermId term = {}, const std::vector<uint32_t>& items = {}) {
    Command command;
    command.kind = kind;
    command.term = term;
    script_.set_items(command, items);
    script_.commands.push_back(command);
  }
  ScriptStats stats() const { return script_stats(store, script_); }

  Script script_;
};

TEST_F(ScriptStatsTest, NothingIsCountedInAnEmptyScript) {
  const ScriptStats result = stats();
  EXPECT_EQ(result.commands, 0U);
  EXPECT_EQ(result.tree_size, 0U);
  EXPECT_TRUE(result.operators.empty());
}

TEST_F(ScriptStatsTest, CountsCommandsAndDistinctTerms) {
  const TermId p = constant("p");
  const TermId i = constant("i", kIntSort);
  const TermId less = make(Op::kLt, {i, store.int_literal("5")});
  add(CommandKind::kSetLogic);
  add(CommandKind::kDeclareConst, {}, {store.callee(p).value});
  add(CommandKind::kDeclareFun, {}, {store.callee(i).value});
  add(CommandKind::kAssert, both(p, less));
  add(CommandKind::kAssert, negate(less));
  add(CommandKind::kCheckSat);
  add(CommandKind::kCheckSatAssuming, {}, {p.value, negate(p).value});
  add(CommandKind::kGetValue, {}, {i.value});
  add(CommandKind::kCheckSatUsing);
  const ScriptStats result = stats();
  EXPECT_EQ(result.commands, 9U);
  EXPECT_EQ(result.assertions, 2U);
  EXPECT_EQ(result.checks, 3U);
  EXPECT_EQ(result.declarations, 2U);
  EXPECT_EQ(result.terms, 7U);  // p i 5 < and, not <, not p
  EXPECT_EQ(result.tree_size, 5U + 4U + 1U + 2U + 1U);
  EXPECT_EQ(result.depth, 3U);
  using Counts = std::map<std::string, uint64_t>;
  EXPECT_EQ(result.operators,
            (Counts{{"<", 1}, {"and", 1}, {"call", 2}, {"literal", 1}, {"not", 2}}));
  EXPECT_EQ(result.sorts, (Counts{{"Bool", 5}, {"Int", 2}}));
}

TEST_F(ScriptStatsTest, BodiesOfDefinitionsCount) {
  const TermId x = variable("x", kIntSort);
  const TermId formals[] = {x};
  const FunId f = declare("f", {kIntSort}, kIntSort, FunKind::kDefined);
  const FunId g = declare("g", {kIntSort}, kIntSort, FunKind::kRecursive);
  store.define(f, formals, make(Op::kAdd, {x, x}));
  store.define(g, formals, make(Op::kMul, {x, x, x}));
  add(CommandKind::kDefineFun, {}, {f.value});
  add(CommandKind::kDefineFunsRec, {}, {f.value, g.value});
  add(CommandKind::kDeclareDatatypes, {}, {1, 2, 3});
  const ScriptStats result = stats();
  EXPECT_EQ(result.declarations, 6U);
  EXPECT_EQ(result.terms, 3U);
  EXPECT_EQ(result.tree_size, 3U + 3U + 4U);
  EXPECT_EQ(result.operators.at("variable"), 1U);
}

TEST_F(ScriptStatsTest, SharedTermsDoNotOverflow) {
  add(CommandKind::kAssert, doubled(constant("p"), 500));
  add(CommandKind::kAssert, doubled(constant("q"), 500));
  const ScriptStats result = stats();
  EXPECT_EQ(result.terms, 1002U);
  EXPECT_EQ(result.tree_size, UINT64_MAX);
  EXPECT_EQ(result.depth, 501U);
}

TEST_F(ScriptStatsTest, StructuralKindsHaveWords) {
  for (uint32_t op = 1; op < kOpCount; ++op) {
    EXPECT_FALSE(op_label(store, static_cast<Op>(op)).empty()) << op;
  }
  EXPECT_EQ(op_label(store, Op::kAnnotated), "!");
  EXPECT_EQ(op_label(store, Op::kBvAdd), "bvadd");
}

}  // namespace
}  // namespace elenchus::ir

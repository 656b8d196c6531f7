#include "ir/rewrite_script.h"

#include <gtest/gtest.h>

#include "ir/fingerprint.h"
#include "ir/test_terms.h"
#include "reduce/declarations.h"

namespace elenchus::reduce {
namespace {

using ir::FunId;
using ir::TermId;

class RewriteTest : public testing::Test {
 protected:
  ir::TestTerms terms_;
  ir::TermStore& store_ = terms_.store;
  ir::Script script_;

  void add(ir::CommandKind kind, std::vector<uint32_t> items, TermId term = {}) {
    ir::Command command;
    command.kind = kind;
    command.term = term;
    script_.set_items(command, items);
    script_.commands.push_back(command);
  }

  TermId declare(std::string_view name) {
    const TermId constant = terms_.constant(name);
    add(ir::CommandKind::kDeclareConst, {store_.callee(constant).value});
    return constant;
  }

  void assert_term(TermId term) { add(ir::CommandKind::kAssert, {}, term); }
};

TEST_F(RewriteTest, ReplacesEverywhere) {
  const TermId p = declare("p");
  const TermId q = declare("q");
  const TermId inner = terms_.both(p, q);
  assert_term(terms_.negate(inner));
  assert_term(inner);
  const ir::Script changed = rewrite(store_, script_, ir::Change{{{inner, q}}});
  EXPECT_EQ(changed.commands[2].term, terms_.negate(q));
  EXPECT_EQ(changed.commands[3].term, q);
  EXPECT_EQ(script_.commands[3].term, inner);
}

TEST_F(RewriteTest, LeavesBindersAlone) {
  const TermId x = terms_.variable("x");
  const TermId body = terms_.both(x, terms_.negate(x));
  const TermId all = terms_.forall({x}, body);
  EXPECT_EQ(rewrite(store_, all, ir::Change{{{terms_.negate(x), x}}}),
            terms_.forall({x}, terms_.both(x, x)));
  const TermId y = terms_.variable("y");
  EXPECT_EQ(rewrite(store_, all, ir::Change{{{x, y}}}),
            terms_.forall({y}, terms_.both(y, terms_.negate(y))));
}

TEST_F(RewriteTest, ChangedBodiesMakeOtherFunctions) {
  const TermId p = declare("p");
  const FunId f = terms_.declare("f", {}, ir::kBoolSort, ir::FunKind::kDefined);
  store_.define(f, {}, terms_.negate(p));
  add(ir::CommandKind::kDefineFun, {f.value});
  const FunId g = terms_.declare("g", {}, ir::kBoolSort, ir::FunKind::kDefined);
  store_.define(g, {}, terms_.negate(store_.fun(f).constant));
  add(ir::CommandKind::kDefineFun, {g.value});
  assert_term(store_.fun(g).constant);

  const ir::Script changed = rewrite(store_, script_, ir::Change{{{terms_.negate(p), p}}});
  const FunId other_f{changed.items(changed.commands[1])[0]};
  const FunId other_g{changed.items(changed.commands[2])[0]};
  EXPECT_NE(other_f, f);
  EXPECT_EQ(store_.fun(other_f).name, store_.fun(f).name);
  EXPECT_EQ(store_.fun(other_f).body, p);
  EXPECT_EQ(store_.fun(other_g).body, terms_.negate(store_.fun(other_f).constant));
  EXPECT_EQ(changed.commands[3].term, store_.fun(other_g).constant);
  EXPECT_EQ(store_.fun(f).body, terms_.negate(p));

  Declarations declarations(store_);
  EXPECT_TRUE(declarations.is_closed(script_));
  EXPECT_TRUE(declarations.is_closed(changed));
}

TEST_F(RewriteTest, NamesFollowWhatTheyStandFor) {
  const TermId p = declare("p");
  const TermId inner = terms_.negate(p);
  const FunId name = terms_.declare("n", {}, ir::kBoolSort, ir::FunKind::kNamed);
  store_.define(name, {}, inner);
  assert_term(store_.fun(name).constant);
  const ir::Script changed = rewrite(store_, script_, ir::Change{{{inner, p}}});
  const FunId other = store_.callee(changed.commands[1].term);
  EXPECT_EQ(store_.fun(other).name, store_.fun(name).name);
  EXPECT_EQ(store_.fun(other).body, p);
  ir::Change inlining;
  inlining.inline_names = true;
  EXPECT_EQ(rewrite(store_, script_, inlining).commands[1].term, inner);
}

TEST_F(RewriteTest, DeepTermsNeedNoStack) {
  const TermId p = declare("p");
  const TermId q = declare("q");
  assert_term(terms_.tower(p, 200'000));
  const ir::Script changed = rewrite(store_, script_, ir::Change{{{p, q}}});
  EXPECT_EQ(changed.commands[2].term, terms_.tower(q, 200'000));
  Declarations declarations(store_);
  EXPECT_TRUE(declarations.is_closed(changed));
  EXPECT_EQ(declarations.unused(changed), std::vector<uint32_t>{0});
}

TEST_F(RewriteTest, FingerprintsOutliveRollbacks) {
  ir::Fingerprints fingerprints(store_);
  const TermId p = declare("p");
  const TermId q = declare("q");
  const auto mark = store_.mark();
  const uint64_t one = fingerprints.of(terms_.both(p, q));
  store_.rollback(mark);
  const uint64_t other = fingerprints.of(terms_.both(q, p));
  EXPECT_NE(one, other);
  store_.rollback(mark);
  terms_.negate(p);
  EXPECT_EQ(fingerprints.of(terms_.both(p, q)), one);
}

TEST_F(RewriteTest, WhatIsUsedMustBeDeclaredInItsLevel) {
  Declarations declarations(store_);
  add(ir::CommandKind::kPush, {});
  script_.commands.back().number = 1;
  const TermId p = declare("p");
  assert_term(p);
  EXPECT_TRUE(declarations.is_closed(script_));
  add(ir::CommandKind::kPop, {});
  script_.commands.back().number = 1;
  EXPECT_TRUE(declarations.is_closed(script_));
  assert_term(p);
  EXPECT_FALSE(declarations.is_closed(script_));
  script_.commands.pop_back();
  const TermId again = declare("p");
  assert_term(again);
  EXPECT_TRUE(declarations.is_closed(script_));
  std::erase_if(script_.commands, [](const ir::Command& command) {
    return command.kind == ir::CommandKind::kPush || command.kind == ir::CommandKind::kPop;
  });
  EXPECT_FALSE(declarations.is_closed(script_)) << "p is declared twice";
}

}  // namespace
}  // namespace elenchus::reduce

#include "mutate/draft.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "ir/apply.h"

namespace elenchus::mutate {
namespace {

using ir::Command;
using ir::CommandKind;
using ir::FunId;
using ir::Op;
using ir::TermId;

class DraftTest : public testing::Test {
 protected:
  Command& add(CommandKind kind) {
    script_.commands.emplace_back().kind = kind;
    return script_.commands.back();
  }
  FunId declare(std::string_view name, ir::FunKind kind, std::vector<ir::SortId> params) {
    return store_.declare(store_.symbols().intern(name), kind, params, ir::kBoolSort);
  }
  TermId applied(FunId fun, TermId arg) {
    std::vector<TermId> args = {arg};
    return ir::call(store_, fun, args);
  }
  TermId negated(TermId term) {
    std::vector<TermId> args = {term};
    return ir::apply(store_, Op::kNot, args);
  }
  // (define-fun name ((x Bool)) Bool body)
  FunId define(std::string_view name, TermId body) {
    const FunId fun = declare(name, ir::FunKind::kDefined, {ir::kBoolSort});
    const TermId formals[] = {x_};
    store_.define(fun, formals, body);
    const uint32_t items[] = {fun.value};
    script_.set_items(add(CommandKind::kDefineFun), items);
    return fun;
  }
  // Each definition calls the one before.
  std::vector<FunId> define_chain(uint32_t length) {
    std::vector<FunId> chain = {define("f0", negated(x_))};
    while (chain.size() < length) {
      const TermId body = negated(applied(chain.back(), x_));
      chain.push_back(define("f" + std::to_string(chain.size()), body));
    }
    return chain;
  }
  void assert_term(TermId term) { add(CommandKind::kAssert).term = term; }
  // Gives the definition another body.
  static bool redefine(Draft& draft, uint32_t command, TermId body) {
    Place place;
    place.command = command;
    return draft.commit(place, body);
  }
  FunId defined_by(const Draft& draft, uint32_t command) const {
    return FunId{draft.script().items(draft.script().commands[command])[0]};
  }

  ir::TermStore store_;
  ir::Script script_;
  Expressions expressions_;
  const TermId x_ = store_.variable(store_.symbols().intern("x"), ir::kBoolSort, 0);
  const TermId p_ = store_.fun(declare("p", ir::FunKind::kDeclared, {})).constant;
};

TEST_F(DraftTest, WhatCallsAChangedDefinitionCallsTheNewOne) {
  const std::vector<FunId> chain = define_chain(3);
  const FunId other = define("g", x_);
  assert_term(applied(chain[2], applied(other, p_)));
  const uint32_t assumptions[] = {applied(chain[1], p_).value};
  script_.set_items(add(CommandKind::kCheckSatAssuming), assumptions);
  Draft draft(store_, script_);
  draft.index(expressions_, Expressions::Targets::kAll);
  ASSERT_TRUE(redefine(draft, 0, x_));

  FunId changed[3];
  for (uint32_t i = 0; i < 3; ++i) {
    changed[i] = defined_by(draft, i);
    EXPECT_NE(changed[i], chain[i]);
    EXPECT_EQ(store_.fun(changed[i]).name, store_.fun(chain[i]).name);
  }
  EXPECT_EQ(store_.fun(changed[0]).body, x_);
  EXPECT_EQ(store_.fun(changed[1]).body, negated(applied(changed[0], x_)));
  EXPECT_EQ(store_.fun(changed[2]).body, negated(applied(changed[1], x_)));
  EXPECT_EQ(defined_by(draft, 3), other);
  EXPECT_EQ(draft.script().commands[4].term, applied(changed[2], applied(other, p_)));
  EXPECT_EQ(TermId{draft.script().items(draft.script().commands[5])[0]}, applied(changed[1], p_));
  // The seed keeps its own.
  EXPECT_EQ(store_.fun(chain[0]).body, negated(x_));
  EXPECT_EQ(script_.commands[4].term, applied(chain[2], applied(other, p_)));
}

TEST_F(DraftTest, LongChainsOfDefinitionsAreRewrittenInOnePass) {
  constexpr uint32_t kLength = 8000;
  const std::vector<FunId> chain = define_chain(kLength);
  assert_term(applied(chain.back(), p_));
  Draft draft(store_, script_);
  draft.index(expressions_, Expressions::Targets::kAll);
  ASSERT_TRUE(redefine(draft, 0, x_));
  // A call, a negation and a variable for each at most.
  EXPECT_LE(draft.rewritten(), 3U * (kLength + 1));
  EXPECT_EQ(store_.callee(draft.script().commands[kLength].term), defined_by(draft, kLength - 1));
}

TEST_F(DraftTest, DefinitionsUsedAsValuesAreLeftAlone) {
  const std::vector<FunId> chain = define_chain(2);
  const TermId value = ir::function_value(store_, chain[0]);
  const TermId sides[] = {value, value};
  assert_term(store_.make(Op::kEq, ir::kBoolSort, 0, sides));
  Draft draft(store_, script_);
  draft.index(expressions_, Expressions::Targets::kAll);
  EXPECT_FALSE(redefine(draft, 0, x_));
  EXPECT_EQ(defined_by(draft, 0), chain[0]);
  EXPECT_TRUE(redefine(draft, 1, x_));
}

}  // namespace
}  // namespace elenchus::mutate

// Scripts from the grammar: they are well-sorted, stay within their logic and their bounds, and can
// be repeated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "gen/admission.h"
#include "gen/grammar.h"
#include "gen/logics.h"
#include "ir/logic.h"
#include "ir/measure.h"
#include "ir/term_store.h"
#include "ir/walk.h"
#include "mutate/registry.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using ir::CommandKind;
using ir::Op;
using ir::SortKind;
using ir::TermId;

std::string print(const ir::TermStore& store, const ir::Script& script) {
  auto text = smtlib::print_script(store, script);
  EXPECT_TRUE(text.has_value());
  return text ? *text : "";
}

std::string printed_again(const std::string& text) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  if (!script) return script.error().message;
  EXPECT_TRUE(script->warnings.empty()) << text;
  return print(store, *script);
}

// All terms of a script: assertions, definitions, assumptions and values.
std::vector<TermId> roots_of(const ir::TermStore& store, const ir::Script& script) {
  std::vector<TermId> roots;
  for (const ir::Command& command : script.commands) {
    if (command.term.valid()) roots.push_back(command.term);
    if (command.kind == CommandKind::kDefineFun) {
      roots.push_back(store.fun(ir::FunId{script.items(command)[0]}).body);
    }
    if (ir::has_term_items(command.kind)) {
      for (const uint32_t item : script.items(command)) roots.push_back(TermId{item});
    }
  }
  return roots;
}

std::string print(const ir::TermStore& store, TermId term) {
  auto text = smtlib::print_term(store, term);
  return text ? *text : "";
}

bool is_symbol(const ir::TermStore& store, TermId term) {
  return store.op(term) == Op::kCall || store.op(term) == Op::kVar;
}

bool is_difference(const ir::TermStore& store, TermId term) {
  const auto args = store.args(term);
  return store.op(term) == Op::kSub && args.size() == 2 && is_symbol(store, args[0]) &&
         is_symbol(store, args[1]);
}

bool is_bare_number(const ir::TermStore& store, TermId term) {
  if (store.op(term) == Op::kNeg) term = store.args(term)[0];
  return store.op(term) == Op::kIntLiteral || store.op(term) == Op::kRealLiteral;
}

// Relations are between variables and calls, or between a difference of two and a number.
void expect_difference_form(const ir::TermStore& store, TermId term) {
  const auto args = store.args(term);
  if (args.empty() || store.op(term) == Op::kNeg) return;
  const bool has_number = is_bare_number(store, args.back());
  for (size_t i = 0; i < args.size(); ++i) {
    const SortKind kind = store.sorts().kind(store.sort(args[i]));
    if (kind != SortKind::kInt && kind != SortKind::kReal) continue;
    if (has_number) {
      ASSERT_TRUE(i > 0 || is_difference(store, args[i])) << print(store, term);
    } else {
      ASSERT_TRUE(is_symbol(store, args[i])) << print(store, term);
    }
  }
}

void expect_within(const ir::TermStore& store, const ir::Logic& logic, TermId term) {
  const Op op = store.op(term);
  const SortKind kind = store.sorts().kind(store.sort(term));
  ASSERT_TRUE(logic.admits(kind)) << print(store, term);
  if (op == Op::kForall || op == Op::kExists) {
    ASSERT_TRUE(logic.quantifiers) << print(store, term);
  }
  if (op > Op::kUnknownText) {
    const ir::Theory theory = store.ops().info(op).theory;
    ASSERT_TRUE(logic.admits(theory)) << print(store, term);
    ASSERT_NE(gen::readers_of_application(store, logic, op, store.args(term)), 0)
        << print(store, term);
  }
  const bool calls = op == Op::kCall && !store.args(term).empty() &&
                     store.fun(store.callee(term)).kind == ir::FunKind::kDeclared;
  ASSERT_TRUE(!calls || logic.functions || logic.everything || logic.higher_order);
  if (logic.is_difference()) expect_difference_form(store, term);
}

TEST(GenerateTest, EveryLogicGivesScriptsThatParseToThemselves) {
  for (const std::string_view logic : gen::known_logics()) {
    ir::TermStore store;
    gen::Grammar grammar(store.ops(), logic, {});
    base::Rng rng(7);
    for (int i = 0; i < 12; ++i) {
      const std::string text = print(store, grammar.script(store, rng));
      ASSERT_EQ(printed_again(text), text) << logic;
    }
  }
}

TEST(GenerateTest, ScriptsStayWithinTheirLogic) {
  for (const std::string_view name : gen::known_logics()) {
    ir::TermStore store;
    const ir::Logic logic = ir::parse_logic(name);
    gen::Grammar grammar(store.ops(), name, {});
    base::Rng rng(11);
    for (int i = 0; i < 60; ++i) {
      const ir::Script script = grammar.script(store, rng);
      ir::Walker walker(store);
      for (const TermId root : roots_of(store, script)) {
        walker.walk(root, [&](TermId term) { expect_within(store, logic, term); });
      }
      ASSERT_FALSE(HasFatalFailure()) << name << "\n" << print(store, script);
    }
  }
}

TEST(GenerateTest, TheSameNumberGivesTheSameScripts) {
  const auto scripts = [](uint64_t seed, bool is_used_store) {
    ir::TermStore store;
    gen::Grammar grammar(store.ops(), "ALL", {});
    if (is_used_store) {
      base::Rng other(99);
      for (int i = 0; i < 5; ++i) grammar.script(store, other);
    }
    base::Rng rng(seed);
    std::string text;
    for (int i = 0; i < 50; ++i) text += print(store, grammar.script(store, rng));
    return text;
  };
  EXPECT_EQ(scripts(1, false), scripts(1, false));
  EXPECT_EQ(scripts(1, false), scripts(1, true));
  EXPECT_NE(scripts(1, false), scripts(2, false));
}

TEST(GenerateTest, SizesAndDepthsAreBounded) {
  for (const std::string_view logic : {"QF_BV", "UFLIA", "QF_SLIA", "QF_AUFLIRA", "ALL"}) {
    ir::TermStore store;
    gen::GrammarSettings settings;
    settings.size = 100;
    settings.depth = 4;
    settings.sharing = 50;
    gen::Grammar grammar(store.ops(), logic, settings);
    ir::Measures measures(store);
    base::Rng rng(3);
    uint64_t largest = 0;
    for (int i = 0; i < 200; ++i) {
      const ir::Script script = grammar.script(store, rng);
      uint64_t size = 0;
      for (const ir::Command& command : script.commands) {
        if (command.kind != CommandKind::kAssert) continue;
        const ir::Measure measure = measures.of(command.term);
        size += measure.size;
        // Values, bound variables and names have levels of their own, and a shared term may stand
        // below others.
        EXPECT_LE(measure.depth, 24U) << print(store, command.term);
      }
      EXPECT_LE(size, 400U) << logic;
      largest = std::max(largest, size);
    }
    EXPECT_GE(largest, 50U) << logic;
  }
}

TEST(GenerateTest, LargerSettingsGiveLargerScripts) {
  const auto bytes = [](uint32_t size) {
    ir::TermStore store;
    gen::GrammarSettings settings;
    settings.size = size;
    settings.depth = 20;
    gen::Grammar grammar(store.ops(), "QF_LIA", settings);
    base::Rng rng(5);
    size_t sum = 0;
    for (int i = 0; i < 50; ++i) sum += print(store, grammar.script(store, rng)).size();
    return sum;
  };
  EXPECT_LT(3 * bytes(20), bytes(500));
}

TEST(GenerateTest, AllCommandsAndManyOperatorsAppear) {
  ir::TermStore store;
  gen::Grammar grammar(store.ops(), "ALL", {});
  base::Rng rng(1);
  std::set<CommandKind> kinds;
  std::set<Op> ops;
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    const ir::TermStore::Mark before = store.mark();
    const ir::Script script = grammar.script(store, rng);
    for (const ir::Command& command : script.commands) kinds.insert(command.kind);
    ir::Walker walker(store);
    for (const TermId root : roots_of(store, script)) {
      walker.walk(root, [&](TermId term) { ops.insert(store.op(term)); });
    }
    text += print(store, script);
    store.rollback(before);
  }
  for (const CommandKind kind :
       {CommandKind::kDeclareSort, CommandKind::kDeclareFun, CommandKind::kDeclareConst,
        CommandKind::kDefineFun, CommandKind::kDeclareDatatypes, CommandKind::kAssert,
        CommandKind::kCheckSat, CommandKind::kCheckSatAssuming, CommandKind::kGetValue,
        CommandKind::kPush, CommandKind::kPop}) {
    EXPECT_TRUE(kinds.contains(kind)) << static_cast<int>(kind);
  }
  for (const char* part : {"(get-model)", "(get-unsat-core)", "(get-unsat-assumptions)", ":named ",
                           ":produce-models", "(par (", "forall", "exists"}) {
    EXPECT_THAT(text, testing::HasSubstr(part));
  }
  EXPECT_GE(ops.size(), 200U);
}

TEST(GenerateTest, OnlyWhatTheSolversRead) {
  ir::TermStore store;
  gen::GrammarSettings settings;
  settings.vocabulary.solvers = ir::kZ3Reader | ir::kCvc5Reader;
  gen::Grammar grammar(store.ops(), "ALL", settings);
  base::Rng rng(2);
  for (int i = 0; i < 300; ++i) {
    const ir::Script script = grammar.script(store, rng);
    ir::Walker walker(store);
    uint16_t readers = ir::kZ3Reader | ir::kCvc5Reader;
    for (const TermId root : roots_of(store, script)) {
      walker.walk(root, [&](TermId term) {
        if (store.op(term) > Op::kUnknownText) readers &= store.ops().info(store.op(term)).who;
      });
    }
    EXPECT_NE(readers, 0) << print(store, script);
  }
}

TEST(GenerateTest, LogicNames) {
  for (const std::string_view name : gen::known_logics()) EXPECT_TRUE(gen::is_logic_name(name));
  for (const char* name : {"QF_AUFBVDTLIRA", "HO_QF_UFBV", "UFDTSLIA", "QF_ALRA", "QF_FF"}) {
    EXPECT_TRUE(gen::is_logic_name(name)) << name;
  }
  for (const char* name : {"", "QF_", "foo", "LIAUF", "QF_BVA", "HORN", "QF_UFUF", "qf_bv"}) {
    EXPECT_FALSE(gen::is_logic_name(name)) << name;
  }
  EXPECT_EQ(gen::similar_logics("QF_BVX")[0], "QF_BV");
  EXPECT_EQ(gen::similar_logics("qf_lia")[0], "QF_LIA");
}

class GenerateEngineTest : public testing::Test {
 protected:
  ir::Script parse(std::string_view text) {
    auto script = smtlib::parse_script(store_, text);
    EXPECT_TRUE(script.has_value());
    return script ? *script : ir::Script();
  }

  std::vector<ir::Script> scripts(const ir::Script& seed, std::string_view name, int count) {
    const auto engine = mutate::make_engine(name);
    const auto series = series_in(engine->start(store_, {seed, {}, mutate::Truth::kUnknown}));
    base::Rng rng(1);
    std::vector<ir::Script> made;
    for (int i = 0; i < count; ++i) {
      auto attempt = series->next(rng);
      auto* mutant = std::get_if<mutate::Mutant>(&attempt);
      EXPECT_NE(mutant, nullptr);
      EXPECT_TRUE(mutant->expected.empty() && !mutant->witness);
      made.push_back(std::move(mutant->script));
    }
    return made;
  }

  ir::TermStore store_;
};

TEST_F(GenerateEngineTest, TheSeedLendsItsLogic) {
  const ir::Script seed = parse("(set-logic QF_LIA)(declare-const x Int)(assert (= x 12345))");
  size_t own = 0;
  std::string text;
  for (const ir::Script& script : scripts(seed, "generate", 200)) {
    const std::string_view logic = store_.symbols().text(script.logic);
    EXPECT_TRUE(logic == "QF_LIA" || logic == "ALL") << logic;
    own += logic == "QF_LIA" ? 1 : 0;
    text += print(store_, script);
  }
  EXPECT_GT(own, 100U);
  EXPECT_THAT(text, testing::HasSubstr("12345"));
}

TEST_F(GenerateEngineTest, AnySeedWillDo) {
  for (const char* text : {"", "(check-sat)", "(set-logic HORN)(check-sat)"}) {
    const ir::Script seed = parse(text);
    for (const ir::Script& script : scripts(seed, "generate", 10)) {
      EXPECT_EQ(store_.symbols().text(script.logic), "ALL");
    }
  }
}

TEST_F(GenerateEngineTest, InStepsTheyAreStillScripts) {
  const ir::Script seed = parse("(set-logic QF_UFLRA)");
  size_t with_push = 0;
  for (const ir::Script& script : scripts(seed, "generate+incremental", 100)) {
    const std::string text = print(store_, script);
    EXPECT_EQ(printed_again(text), text);
    with_push += text.find("(push") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(with_push, 0U);
}

}  // namespace
}  // namespace elenchus

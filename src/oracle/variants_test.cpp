#include "oracle/variants.h"

#include <gtest/gtest.h>

#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus::oracle {
namespace {

std::string named_text(std::string_view text) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value());
  const auto named = with_names(store, *script);
  if (!named) return "nothing";
  const auto printed = smtlib::print_script(store, *named);
  return printed ? *printed : "not printed";
}

TEST(WithNames, EachAssertionGetsOne) {
  EXPECT_EQ(named_text("(declare-const p Bool)(assert p)(assert (not p))(check-sat)"),
            "(set-logic ALL)\n(declare-const p Bool)\n(assert (! p :named elenchus_0))\n"
            "(assert (! (not p) :named elenchus_1))\n(check-sat)\n");
}

// What a reduction left of a script that has our names may lack the first.
TEST(WithNames, OursAreGivenAnew) {
  EXPECT_EQ(named_text("(declare-const p Bool)(assert (! p :named elenchus_1))"
                       "(assert (! (not p) :named elenchus_2))(check-sat)"),
            "(set-logic ALL)\n(declare-const p Bool)\n(assert (! p :named elenchus_0))\n"
            "(assert (! (not p) :named elenchus_1_))\n(check-sat)\n");
}

TEST(WithNames, NamesOfOthersAndTheirUsesAreLeftAlone) {
  EXPECT_EQ(named_text("(declare-const p Bool)(assert (! p :named a))(check-sat)"), "nothing");
  EXPECT_EQ(named_text("(declare-const p Bool)(assert (! p :named elenchus_0))"
                       "(assert (not elenchus_0))(check-sat)"),
            "nothing");
}

// A solver that does not read one value would refuse all the others, too.
TEST(FixingEquations, ValuesThatOnlySomeSolversReadAreLeftOut) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(
      store,
      "(declare-const s (Set Int))(declare-const t (Set Int))(declare-const x Int)(check-sat)");
  ASSERT_TRUE(script.has_value());
  const auto model =
      smtlib::read_model(store, *script, script->commands.size() - 1,
                         "((define-fun s () (Set Int) (set.complement (set.singleton 1)))"
                         " (define-fun t () (Set Int) (set.singleton 2)) (define-fun x () Int 7))");
  ASSERT_TRUE(model.has_value());
  std::vector<std::string> printed;
  for (const ir::TermId equation : fixing_equations(store, *script, *model)) {
    printed.push_back(smtlib::print_term(store, equation).value());
  }
  EXPECT_EQ(printed, (std::vector<std::string>{"(= t (set.singleton 2))", "(= x 7)"}));
}

TEST(AssertionsInCore, TheNumbersInOrder) {
  EXPECT_EQ(assertions_in_core("(\nelenchus_12\nelenchus_3_\n)\n"), (std::vector<size_t>{3, 12}));
}

TEST(InALine, WordsWithASpaceBetween) {
  EXPECT_EQ(in_a_line("(\nelenchus_0\nelenchus_1\n)\n"), "( elenchus_0 elenchus_1 )");
  EXPECT_EQ(in_a_line(" \n"), "");
}

}  // namespace
}  // namespace elenchus::oracle

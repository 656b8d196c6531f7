// What tools/crosscheck found wrong in the evaluator.
#include <gtest/gtest.h>

#include <string>

#include <fmt/format.h>

#include "eval/evaluator.h"
#include "ir/script.h"
#include "ir/term_store.h"
#include "random_values.h"
#include "smtlib/parser.h"

namespace elenchus {
namespace {

// "true", "false", or why it is unknown.
std::string truth(const std::string& formula, const std::string& declarations = "") {
  ir::TermStore store;
  const auto script = smtlib::parse_script(
      store, std::string(RandomValues::kPrelude) + declarations + "(assert " + formula + ")");
  if (!script) return describe(script.error(), formula);
  const ir::Model no_model;
  eval::Evaluator evaluator(store, no_model);
  const eval::Value value = evaluator.evaluate(script->commands.back().term);
  if (!value.known()) return evaluator.values().reason(value);
  return value.is_true() ? "true" : "false";
}

bool is_unknown(const std::string& formula) {
  const std::string answer = truth(formula);
  return answer != "true" && answer != "false";
}

TEST(EvaluatorFaults, TheFirstArgumentOfMkbvIsTheLowestBit) {
  EXPECT_EQ(truth("(= (mkbv true false false) #b001)"), "true");
}

// It is a bit-vector also to what stands around it; to_fp once took its value for a float.
TEST(EvaluatorFaults, MkbvIsAsWideAsItHasArguments) {
  EXPECT_EQ(truth("(= ((_ to_fp 5 11) RTN (mkbv true false)) ((_ to_fp 5 11) RTN #b01))"), "true");
}

TEST(EvaluatorFaults, ATermWhoseSortIsNotKnownHasNoValue) {
  const std::string rows = "(bag (tuple 1 2) 1)";
  EXPECT_TRUE(is_unknown("(= ((_ to_fp 5 11) RTN (concat #b01 (f_unheard_of 1))) (_ +zero 5 11))"));
  EXPECT_TRUE(is_unknown("(= (table.product " + rows + " " + rows + ") (table.product " + rows +
                         " (bag (tuple 1 2) 2)))"));
}

// For z3 they are functions like any other, as soon as a script uses them.
TEST(EvaluatorFaults, DivisionsByZeroOfZ3AreFree) {
  for (const char* name : {"bvudiv0", "bvurem0", "bvsdiv0", "bvsrem0", "bvsmod0"}) {
    EXPECT_TRUE(is_unknown("(= (" + std::string(name) + " #xff) #xff)")) << name;
  }
}

// Where there is only one result, there is only one function, however many arguments there are.
TEST(EvaluatorFaults, FunctionsWithOneResultAreListed) {
  const std::string unit = "(declare-datatypes ((Unit 0)) (((unit))))";
  for (const char* index : {"Int", "(_ BitVec 64)", "Bool"}) {
    const std::string array = fmt::format("(Array {} Unit)", index);
    EXPECT_EQ(truth(fmt::format("(forall ((a {0}) (b {0})) (= a b))", array), unit), "true");
    EXPECT_EQ(
        truth(fmt::format("(exists ((a {0})) (distinct a ((as const {0}) unit)))", array), unit),
        "false");
  }
}

// All that cvc5 says of its universe is that every set is a part of it.
TEST(EvaluatorFaults, TheUniverseOfSetsIsOpen) {
  EXPECT_TRUE(is_unknown("(set.member 1 (as set.universe (Set Int)))"));
  EXPECT_TRUE(is_unknown("(set.member true (set.complement (set.singleton false)))"));
}

// Instances of parametric datatypes may be finite: here (P Bool Bool) has six values.
TEST(EvaluatorFaults, FiniteInstancesOfDatatypesAreCounted) {
  const auto table = [](const std::string& otherwise) {
    std::string array = "((as const (Array (P Bool Bool) Int)) " + otherwise + ")";
    const std::string values[] = {"(pair true true)",
                                  "(pair true false)",
                                  "(pair false true)",
                                  "(pair false false)",
                                  "((as left (P Bool Bool)) true)",
                                  "((as left (P Bool Bool)) false)"};
    int number = 0;
    for (const std::string& value : values) {
      array = fmt::format("(store {} {} {})", array, value, number++ / 2);
    }
    return array;
  };
  EXPECT_EQ(truth("(= " + table("7") + " " + table("8") + ")"), "true");
  EXPECT_TRUE(is_unknown("(= (default ((as const (Array (P Bool Bool) Int)) 2)) 2)"));
}

}  // namespace
}  // namespace elenchus

// Models near a model: what is found makes everything true, and what is false everywhere has none.
#include "eval/nearby.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "eval/evaluator.h"
#include "ir/term_store.h"
#include "ir/timeline.h"
#include "smtlib/model_printer.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"

namespace elenchus {
namespace {

// The model as text, checked by a strict evaluation; empty when there is none.
std::string found_near(std::string_view text, std::string_view model_text,
                       const eval::NearbySettings& settings = {}) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value()) << base::describe(script.error(), "script");
  const size_t check = ir::checks_of(*script).back();
  const auto start = smtlib::read_model(store, *script, check, model_text);
  EXPECT_TRUE(start.has_value()) << base::describe(start.error(), "model");
  const auto claims = ir::claims_at(*script, check);
  const auto model = eval::find_nearby(store, claims, *start, settings);
  if (!model) return "";
  eval::Evaluator strict(store, *model);
  for (const ir::Claim& claim : claims) EXPECT_TRUE(strict.evaluate(claim.term).is_true());
  return smtlib::print_model(store, *model).value();
}

TEST(Nearby, AModelThatHoldsStaysAsItIs) {
  const std::string model =
      found_near("(declare-const x Int)(assert (> x 5))(check-sat)", "((define-fun x () Int 77))");
  EXPECT_NE(model.find("77"), std::string::npos) << model;
}

TEST(Nearby, TakesValuesOfOtherTerms) {
  const std::string model = found_near(
      "(declare-const x Int)(declare-const y Int)(assert (= x (* y 1234)))(assert (> y 1))"
      "(check-sat)",
      "((define-fun x () Int 0) (define-fun y () Int 2))");
  EXPECT_NE(model.find("2468"), std::string::npos) << model;
}

TEST(Nearby, FindsNeighboursAndUsualValues) {
  for (const std::string_view script :
       {"(declare-const x Int)(assert (and (> x 998) (distinct x 998 1000)))(check-sat)",
        "(declare-const x Real)(assert (< 7.5 x 9.0))(check-sat)",
        "(declare-const x (_ BitVec 16))(assert (bvugt x #xfffe))(check-sat)",
        "(declare-const x Bool)(assert (not (=> x false)))(check-sat)",
        "(declare-const x String)(assert (= (str.++ x \"c\") \"abc\"))(check-sat)",
        "(declare-const x Float16)(assert (fp.isNaN (fp.neg x)))(check-sat)"}) {
    EXPECT_NE(found_near(script, "()"), "") << script;
  }
}

TEST(Nearby, MakesUpWhatTheModelLeavesOut) {
  const std::string model = found_near(
      "(declare-fun f (Int) Int)(declare-const a (Array Int Int))(declare-const z Int)"
      "(assert (= (f 3) (select a 1)))(assert (< z 2))(check-sat)",
      "()");
  EXPECT_NE(model.find("f"), std::string::npos) << model;
}

// Functions are also named by indices, and as values.
TEST(Nearby, MakesUpFunctionsThatAreNotCalled) {
  const std::string model = found_near(
      "(declare-fun f (Int) Int)"
      "(assert (= (select (_ as-array f) 1) (select (_ as-array f) 2)))(check-sat)",
      "()");
  EXPECT_NE(model.find("define-fun f"), std::string::npos) << model;
}

// However many functions the model leaves out: each evaluator reads the whole model.
TEST(Nearby, MakesUpOneValueForEachSort) {
  ir::TermStore store;
  std::string text;
  for (int i = 0; i < 300; ++i) {
    text += fmt::format(
        "(declare-fun f{0} (Int) Int)(declare-const p{0} Bool)"
        "(assert (or p{0} (= (f{0} 1) 0)))",
        i);
  }
  const auto script = smtlib::parse_script(store, text + "(check-sat)");
  ASSERT_TRUE(script.has_value());
  eval::NearbyWork work;
  const auto claims = ir::claims_at(*script, ir::checks_of(*script).back());
  EXPECT_TRUE(eval::find_nearby(store, claims, {}, {}, &work).has_value());
  EXPECT_EQ(work.evaluators, 3U) << "one for each of two sorts, and one to judge the model";
}

TEST(Nearby, FindsNothingWhereThereIsNothing) {
  EXPECT_EQ(found_near("(declare-const x Int)(assert (< x 3))(assert (> x 3))(check-sat)", "()"),
            "");
  EXPECT_EQ(found_near("(declare-const x Int)(assert false)(check-sat)", "()"), "");
}

TEST(Nearby, EndsWithItsTries) {
  const std::string_view script =
      "(declare-const x Int)(assert (= x 5))(assert (> x 0))(check-sat)";
  EXPECT_NE(found_near(script, "((define-fun x () Int 0))"), "");
  EXPECT_EQ(found_near(script, "((define-fun x () Int 0))", {.tries = 1}), "");
}

TEST(Nearby, DeepFormulasCostMemoryOnly) {
  std::string text = "(declare-const x Int)(assert ";
  for (int i = 0; i < 100'000; ++i) text += "(and true ";
  text += "(= x 3)" + std::string(100'000, ')') + ")(check-sat)";
  EXPECT_NE(found_near(text, "((define-fun x () Int 0))"), "");
}

}  // namespace
}  // namespace elenchus

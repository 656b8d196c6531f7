// The evaluator from outside: terms as text, values as text.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "eval/check.h"
#include "eval/evaluator.h"
#include "eval/explain.h"
#include "eval/value_term.h"
#include "ir/term_store.h"
#include "smtlib/model_reader.h"
#include "smtlib/parser.h"
#include "smtlib/printer.h"

namespace elenchus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A script, a model for its end, and an evaluator.
class Case {
 public:
  explicit Case(std::string_view script, std::string_view model = "()",
                const eval::Settings& settings = {}) {
    auto parsed = smtlib::parse_script(store_, script);
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().message) << "\n" << script;
    if (!parsed) return;
    script_ = std::move(*parsed);
    const auto answers = smtlib::split_answers(model);
    EXPECT_TRUE(answers.has_value() && answers->size() == 1);
    auto read =
        smtlib::parse_model(store_, script_, script_.commands.size(), model, answers->front());
    EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().message);
    if (!read) return;
    model_ = std::move(*read);
    evaluator_ = std::make_unique<eval::Evaluator>(store_, model_, settings);
  }

  // The value of the term of the script's last command, as text; "unknown: why" if it has none.
  std::string value() {
    const ir::TermId term = last_term();
    const eval::Value value = evaluator_->evaluate(term);
    if (!value.known()) return "unknown: " + evaluator_->values().reason(value);
    const ir::TermId text = eval::term_of(store_, evaluator_->values(), value, store_.sort(term));
    return text.valid() ? smtlib::print_term(store_, text).value() : "no notation";
  }

  ir::TermId last_term() const {
    const ir::Command& command = script_.commands.back();
    return ir::has_term(command.kind) ? command.term : ir::TermId{script_.items(command)[0]};
  }

  eval::Evaluator& evaluator() { return *evaluator_; }
  ir::TermStore& store() { return store_; }
  const ir::Script& script() const { return script_; }
  const ir::Model& model() const { return model_; }

 private:
  ir::TermStore store_;
  ir::Script script_;
  ir::Model model_;
  std::unique_ptr<eval::Evaluator> evaluator_;
};

std::string value_of(std::string_view term, std::string_view prelude = "",
                     std::string_view model = "()") {
  return Case(fmt::format("{}(get-value ({}))", prelude, term), model).value();
}

using Table = std::vector<std::pair<std::string_view, std::string_view>>;

void expect_values(const Table& table, std::string_view prelude = "") {
  for (const auto& [term, value] : table) EXPECT_EQ(value_of(term, prelude), value) << term;
}

TEST(EvalCore, OneArgumentMayDecide) {
  expect_values({{"(and true (= (div 1 0) 1) false)", "false"},
                 {"(or (= (div 1 0) 1) true)", "true"},
                 {"(=> (= (div 1 0) 1) true)", "true"},
                 {"(=> false (= (div 1 0) 1))", "true"},
                 {"(=> true false true)", "true"},
                 {"(=> true true false)", "false"},
                 {"(ite true 1 (div 1 0))", "1"},
                 {"(ite (= (div 1 0) 1) 5 5)", "5"},
                 {"(= (div 1 0) (div 1 0))", "true"},
                 {"(* (div 1 0) 0)", "0"},
                 {"(xor true true true)", "true"},
                 {"(distinct 1 2 1)", "false"}});
  EXPECT_THAT(value_of("(and true (= (div 1 0) 1))"), HasSubstr("div by zero"));
}

TEST(EvalArithmetic, DivisionRoundsAsTheStandardSays) {
  expect_values({{"(div 7 2)", "3"},
                 {"(div (- 7) 2)", "(- 4)"},
                 {"(div 7 (- 2))", "(- 3)"},
                 {"(div (- 7) (- 2))", "4"},
                 {"(mod (- 7) 2)", "1"},
                 {"(mod (- 7) (- 2))", "1"},
                 {"(div (- 9223372036854775808) (- 1))", "9223372036854775808"},
                 {"(/ 1.0 3.0)", "(/ 1.0 3.0)"},
                 {"(to_int (- 0.5))", "(- 1)"},
                 {"(is_int 2.0)", "true"},
                 {"(abs (- 5))", "5"},
                 {"(^ 2 100)", "1267650600228229401496703205376"}});
}

TEST(EvalArithmetic, NumbersOfAnySize) {
  expect_values({{"(+ 9223372036854775807 1)", "9223372036854775808"},
                 {"(- (+ 9223372036854775807 1) 1)", "9223372036854775807"},
                 {"(* 4294967296 4294967296)", "18446744073709551616"},
                 {"(< 9223372036854775807 9223372036854775808)", "true"}});
  EXPECT_THAT(value_of("(^ 10 100000000000)"), HasSubstr("too large"));
}

TEST(EvalArithmetic, FractionsWithinAndBeyondMachineWords) {
  for (const std::string_view fact :
       {"(= (+ (/ 1.0 3.0) (/ 1.0 6.0)) 0.5)",
        "(= (- (/ 1.0 1073741823.0) (/ 1.0 1073741823.0)) 0.0)",
        "(= (* (/ 1.0 1073741823.0) (/ 1.0 1073741825.0)) (/ 1.0 1152921504606846975.0))",
        "(= (* (/ 9223372036854775807.0 1073741823.0) (/ 1073741823.0 9223372036854775807.0)) 1.0)",
        "(= (* (- 9223372036854775808.0) 0.5) (- 4611686018427387904.0))",
        "(= (* 9223372036854775807.0 2.0) 18446744073709551614.0)",
        "(= (- (- 9223372036854775808.0) 1.0) (- 9223372036854775809.0))",
        "(= (- (- 9223372036854775808.0)) 9223372036854775808.0)",
        "(= (to_real (- 9223372036854775808)) (- 9223372036854775808.0))",
        "(< (/ 1.0 1073741823.0) (/ 1.0 1073741822.0) (/ 9223372036854775807.0 3.0))",
        "(> (/ (- 1.0) 3.0) (/ (- 1.0) 2.0) (- 9223372036854775808.0))",
        "(= 123456789012345.0 (/ 1234567890123450.0 10.0) 123456789012345.00)"}) {
    EXPECT_EQ(value_of(fact), "true") << fact;
  }
}

TEST(EvalArithmetic, AlgebraicNumbers) {
  expect_values(
      {{"(* (root-obj (+ (^ x 2) (- 2)) 2) (root-obj (+ (^ x 2) (- 2)) 2))", "2.0"},
       {"(to_int (root-obj (+ (^ x 2) (- 7)) 1))", "(- 3)"},
       {"(< (root-obj (+ (^ x 2) (- 2)) 2) 1.5)", "true"},
       {"(= (root-obj (+ (^ x 2) (- 2)) 1) (- (root-obj (+ (^ x 2) (- 2)) 2)))", "true"}});
}

TEST(EvalBits, BoundaryValuesAtEveryWidth) {
  for (const uint32_t width : {1, 7, 63, 64, 65, 128}) {
    const std::string sort = fmt::format("(_ BitVec {})", width);
    const std::string ones = fmt::format("(bvnot (_ bv0 {}))", width);
    const std::string zero = fmt::format("(_ bv0 {})", width);
    const auto holds = [&](const std::string& formula) {
      EXPECT_EQ(value_of(formula), "true") << formula;
    };
    holds(fmt::format("(= (bvudiv {0} {1}) {0})", ones, zero));
    holds(fmt::format("(= (bvurem {0} {1}) {0})", ones, zero));
    holds(fmt::format("(= (bvsdiv {0} {1}) (_ bv1 {2}))", ones, zero, width));
    holds(fmt::format("(= (bvadd {0} (_ bv1 {2})) {1})", ones, zero, width));
    holds(fmt::format("(= (bvmul {0} {0}) (_ bv1 {1}))", ones, width));
    holds(fmt::format("(= (bvashr {0} (_ bv1 {1})) {0})", ones, width));
    holds(fmt::format("(= (bvshl {0} {0}) {1})", ones, zero));
    holds(fmt::format("(bvslt {} {})", ones, zero));
    holds(fmt::format("(bvult {} {})", zero, ones));
    holds(fmt::format("(= (concat ((_ extract 0 0) {0}) {0}) ((_ sign_extend 1) {0}))", ones));
    holds(fmt::format("(bvnego (concat #b1 ((_ zero_extend {}) #b0)))", width));
  }
}

TEST(EvalFloats, WhatTheStandardLeavesOpenIsUnknown) {
  EXPECT_THAT(value_of("(fp.min (_ +zero 8 24) (_ -zero 8 24))"), HasSubstr("zeros"));
  EXPECT_THAT(value_of("((_ fp.to_ubv 8) RNE (_ NaN 8 24))"), HasSubstr("out of range"));
  EXPECT_THAT(value_of("((_ fp.to_sbv 8) RNE ((_ to_fp 8 24) RNE 128.0))"),
              HasSubstr("out of range"));
  EXPECT_EQ(value_of("((_ fp.to_sbv 8) RTZ ((_ to_fp 8 24) RNE 127.5))"), "#x7f");
  EXPECT_THAT(value_of("(fp.to_real (_ +oo 8 24))"), HasSubstr("no number"));
}

TEST(EvalFloats, EqualityIsNotThatOfIeee) {
  expect_values({{"(= (_ NaN 8 24) (fp #b1 #xff #b00000000000000000000001))", "true"},
                 {"(= (_ +zero 8 24) (_ -zero 8 24))", "false"},
                 {"(fp.eq (_ +zero 8 24) (_ -zero 8 24))", "true"},
                 {"(fp.eq (_ NaN 8 24) (_ NaN 8 24))", "false"},
                 {"(fp.add RNE ((_ to_fp 5 11) RNE 1.0) ((_ to_fp 5 11) RNE 0.5))",
                  "(fp #b0 #b01111 #b1000000000)"}});
}

TEST(EvalStrings, CornersOfTheTheory) {
  expect_values({{"(str.substr \"hello\" 1 2)", "\"el\""},
                 {"(str.substr \"hello\" (- 1) 2)", "\"\""},
                 {"(str.at \"a\" 1)", "\"\""},
                 {"(str.indexof \"abc\" \"\" 3)", "3"},
                 {"(str.indexof \"abc\" \"\" 4)", "(- 1)"},
                 {"(str.replace \"abc\" \"\" \"x\")", "\"xabc\""},
                 {"(str.replace_all \"abc\" \"\" \"x\")", "\"abc\""},
                 {"(str.to_int \"\")", "(- 1)"},
                 {"(str.to_int \"007\")", "7"},
                 {"(str.from_int (- 1))", "\"\""},
                 {"(str.to_code \"\\u{1F600}\")", "128512"},
                 {"(str.from_code 196608)", "\"\""},
                 {"(str.< \"\" \"a\")", "true"},
                 {"(str.len \"\\u{2FFFF}\")", "1"}});
}

TEST(EvalRegexes, ComplementAndLoops) {
  expect_values({{"(str.in_re \"ab\" (re.comp (re.++ (str.to_re \"a\") re.all)))", "false"},
                 {"(str.in_re \"aaa\" ((_ re.loop 2 3) (str.to_re \"a\")))", "true"},
                 {"(str.in_re \"aaaa\" ((_ re.loop 2 3) (str.to_re \"a\")))", "false"},
                 {"(str.in_re \"a\" ((_ re.loop 3 2) re.allchar))", "false"},
                 {"(str.in_re \"\" ((_ re.^ 0) re.none))", "true"},
                 {"(str.in_re \"b\" (re.range \"a\" \"bc\"))", "false"},
                 {"(= (re.* (str.to_re \"a\")) (re.opt (re.+ (str.to_re \"a\"))))", "true"},
                 {"(str.replace_re \"xay\" (re.+ re.allchar) \"-\")", "\"-ay\""}});
}

TEST(EvalStrings, ThatGrowTooLargeAreUnknown) {
  std::string term = "\"aa\"";
  for (int i = 0; i < 40; ++i) term = fmt::format("(let ((s {})) (str.++ s s))", term);
  EXPECT_THAT(value_of(fmt::format("(str.len {})", term)), HasSubstr("too long"));
}

TEST(EvalArrays, EqualityIsThatOfFunctions) {
  expect_values(
      {{"(select (store ((as const (Array Int Int)) 0) 1 5) 1)", "5"},
       {"(= (store ((as const (Array Int Int)) 0) 1 0) ((as const (Array Int Int)) 0))", "true"},
       {"(= ((as const (Array Int Int)) 0) ((as const (Array Int Int)) 1))", "false"},
       // Over a finite index sort two defaults can be the same array.
       {"(= (store (store ((as const (Array Bool Int)) 0) true 1) false 1)"
        " ((as const (Array Bool Int)) 1))",
        "true"},
       {"(= (store ((as const (Array Bool Int)) 0) true 1)"
        " (store ((as const (Array Bool Int)) 1) false 0))",
        "true"},
       {"(select (select (store ((as const (Array Int (Array Int Int)))"
        " ((as const (Array Int Int)) 7)) 1 ((as const (Array Int Int)) 8)) 1) 99)",
        "8"},
       {"(select (lambda ((i Int)) (+ i 1)) 41)", "42"}});
}

constexpr std::string_view kLists =
    "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))"
    "(declare-datatypes ((C 0)) (((red) (green) (blue))))";

// Few changes to a large domain go another way than others; half of a small domain is where another
// default becomes due.
TEST(EvalArrays, OneFormHoweverStored) {
  constexpr std::string_view kPrelude =
      "(define-fun z () (Array (_ BitVec 2) Int) ((as const (Array (_ BitVec 2) Int)) 0))"
      "(define-fun o () (Array (_ BitVec 2) Int) ((as const (Array (_ BitVec 2) Int)) 1))"
      "(define-fun z1 () (Array (_ BitVec 2) Int) (store z #b10 1))"
      "(define-fun z2 () (Array (_ BitVec 2) Int) (store z1 #b01 1))"
      "(define-fun i () (Array Int Int) ((as const (Array Int Int)) 0))"
      "(define-fun i1 () (Array Int Int) (store i 5 1))"
      "(define-fun i2 () (Array Int Int) (store i1 3 2))"
      "(define-fun i3 () (Array Int Int) (store i2 4 3))";
  for (const std::string_view fact :
       {"(= z1 (store (store (store o #b00 0) #b01 0) #b11 0))",
        "(= z2 (store (store o #b00 0) #b11 0))", "(= o (store (store z2 #b00 1) #b11 1))",
        "(= z1 (store z2 #b01 0))", "(= z (store z1 #b10 0))", "(= z2 (store z2 #b01 1))",
        "(= i3 (store (store (store i 4 3) 5 1) 3 2))", "(= i1 (store (store i3 4 0) 3 0))",
        "(= i (store i1 5 0) (store (store i 7 1) 7 0))", "(= i3 (store i3 9 0))",
        "(= (store i3 4 8) (store (store i2 4 7) 4 8))", "(distinct i i1 i2 i3)"}) {
    EXPECT_EQ(value_of(fact, kPrelude), "true") << fact;
  }
}

TEST(EvalDatatypes, SelectorsTestersMatchUpdates) {
  expect_values({{"(head (cons 1 (as nil (L Int))))", "1"},
                 {"((_ is nil) (tail (cons 1 (as nil (L Int)))))", "true"},
                 {"(= (cons 1 (as nil (L Int))) (cons 2 (as nil (L Int))))", "false"},
                 {"(match (cons 5 (as nil (L Int))) ((nil 0) ((cons h t) (+ h 1))))", "6"},
                 {"(match blue ((red 1) (x (ite (= x blue) 2 3))))", "2"}},
                kLists);
  EXPECT_THAT(value_of("(head (as nil (L Int)))", kLists), HasSubstr("another constructor"));
}

TEST(EvalSequencesAndSets, Values) {
  expect_values(
      {{"(seq.len (seq.++ (seq.unit 1) (seq.unit 2)))", "2"},
       {"(seq.nth (seq.unit 7) 0)", "7"},
       {"(seq.indexof (seq.++ (seq.unit 1) (seq.unit 2)) (seq.unit 2) 0)", "1"},
       {"(set.member 1 (set.union (set.singleton 1) (set.singleton 2)))", "true"},
       {"(set.card (set.inter (set.singleton 1) (set.singleton 2)))", "0"},
       {"(set.subset (set.singleton 1) (set.insert 1 2 (as set.empty (Set Int))))", "true"},
       {"(bag.count 1 (bag.union_disjoint (bag 1 2) (bag 1 3)))", "5"}});
  EXPECT_THAT(value_of("(seq.nth (seq.unit 7) 1)"), HasSubstr("out of range"));
}

// --- Quantifiers. ---

TEST(EvalQuantifiers, SmallDomainsAreEnumerated) {
  expect_values(
      {{"(forall ((b Bool)) (or b (not b)))", "true"},
       {"(forall ((x (_ BitVec 8))) (= (bvadd x x) (bvshl x #x01)))", "true"},
       {"(exists ((x (_ BitVec 8))) (= (bvmul x x) #x31))", "true"},
       {"(exists ((x (_ BitVec 8))) (= (bvmul x x) #x03))", "false"},
       {"(forall ((c C)) (or (= c red) (= c green)))", "false"},
       {"(exists ((f (Array Bool Bool))) (and (select f true) (not (select f false))))", "true"}},
      kLists);
}

TEST(EvalQuantifiers, IntegersWithBounds) {
  expect_values({{"(forall ((x Int)) (=> (and (<= 0 x) (< x 10)) (< (* x x) 82)))", "true"},
                 {"(forall ((x Int)) (=> (and (<= 0 x) (< x 10)) (< (* x x) 81)))", "false"},
                 {"(exists ((x Int)) (and (= 7 (* 2 x)) (> x 0)))", "false"},
                 {"(exists ((x Int)) (and (= 8 (* 2 x)) (> x 0)))", "true"},
                 {"(forall ((x Int)) (or (< x 5) (> x 4)))", "true"},
                 {"(exists ((x Real)) (and (= 7.0 (* 2.0 x)) (> x 0.0)))", "true"},
                 {"(forall ((x Int)) (=> (and (< x 3) (> x 7)) false))", "true"}});
}

TEST(EvalQuantifiers, ThatCannotBeDecidedAreUnknown) {
  EXPECT_THAT(value_of("(forall ((x Int)) (>= (* x x) 0))"), HasSubstr("cannot be enumerated"));
  EXPECT_EQ(value_of("(forall ((x Int)) (> (* x x) 0))"), "false");
  EXPECT_EQ(value_of("(exists ((x Int)) (= (* x x) 49))"), "true");
}

TEST(EvalQuantifiers, OverArgumentsOfTables) {
  constexpr std::string_view kScript =
      "(declare-fun f (Int) Int)(declare-fun a () (Array Int Int))"
      "(assert (forall ((x Int)) {}))";
  constexpr std::string_view kModel =
      "((define-fun f ((x Int)) Int (ite (= x 3) 10 (ite (= x 4) 20 30)))"
      " (define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 5) 7 6)))";
  const auto value = [&](std::string_view body) {
    return Case(fmt::format(fmt::runtime(kScript), body), kModel).value();
  };
  EXPECT_EQ(value("(>= (f x) 10)"), "true");
  EXPECT_EQ(value("(>= (f x) 20)"), "false");
  EXPECT_EQ(value("(or (= x 7) (= (select a x) 5))"), "true");
  EXPECT_EQ(value("(= (select a x) 5)"), "false");
  EXPECT_EQ(value("(=> (= (f x) 20) (= x 4))"), "true");
}

// --- Functions. ---

TEST(EvalFunctions, RecursionToABound) {
  constexpr std::string_view kSum =
      "(define-fun-rec sum ((n Int)) Int (ite (<= n 0) 0 (+ n (sum (- n 1)))))"
      "(define-fun-rec loop ((n Int)) Int (loop (+ n 1)))";
  EXPECT_EQ(value_of("(sum 10000)", kSum), "50005000");
  EXPECT_THAT(value_of("(loop 0)", kSum), HasSubstr("unknown: the evaluation"));
}

TEST(EvalFunctions, OneVariableNameInCallerAndCallee) {
  EXPECT_EQ(value_of("(exists ((x Int)) (and (= x 3) (= (+ (f (+ x 1)) x) 43)))",
                     "(define-fun f ((x Int)) Int (* x 10))"),
            "true");
}

TEST(EvalFunctions, ModelsDefineThemInManyWays) {
  constexpr std::string_view kScript =
      "(declare-fun f (Int Int) Int)(declare-fun a () (Array Int Int))"
      "(get-value ((+ (f 1 2) (f 0 0) (select a 5))))";
  EXPECT_EQ(Case(kScript,
                 "((define-fun f ((x Int) (y Int)) Int (ite (and (= x 1) (= y 2)) 100 (+ x y 1)))"
                 " (define-fun k!0 ((x Int)) Int (ite (= x 5) 50 0))"
                 " (define-fun a () (Array Int Int) (_ as-array k!0)))")
                .value(),
            "151");
}

TEST(EvalModels, MissingConstantsAreCompletedOnlyWhereAsked) {
  constexpr std::string_view kScript = "(declare-const x Int)(assert (= x x))(assert (> x 0))";
  EXPECT_THAT(Case(kScript).value(), HasSubstr("says nothing of x"));
  Case lenient(kScript, "()", {.complete = true});
  EXPECT_EQ(lenient.value(), "false");
  EXPECT_EQ(lenient.evaluator().completed().size(), 1U);
}

TEST(EvalModels, DivisionByZeroAsTheModelSays) {
  EXPECT_EQ(value_of("(div 7 0)", "", "((define-fun div0 ((x Int) (y Int)) Int (+ x 1)))"), "8");
  EXPECT_EQ(value_of("(/ 7.0 0.0)", "", "((define-fun /0 ((x Real)) Real (* 2.0 x)))"), "14.0");
}

TEST(EvalModels, ElementsOfSorts) {
  constexpr std::string_view kScript =
      "(declare-sort U 0)(declare-fun p (U) Bool)(declare-const c U)"
      "(assert (forall ((x U)) (=> (p x) (= x c))))";
  constexpr std::string_view kModel =
      "((declare-fun U!val!0 () U)(declare-fun U!val!1 () U)"
      " (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))"
      " (define-fun c () U U!val!1)"
      " (define-fun p ((x U)) Bool (= x U!val!{})))";
  EXPECT_EQ(Case(kScript, fmt::format(fmt::runtime(kModel), 1)).value(), "true");
  EXPECT_EQ(Case(kScript, fmt::format(fmt::runtime(kModel), 0)).value(), "false");
}

// --- Size. ---

TEST(EvalSize, DepthCostsMemoryOnly) {
  std::string text = "(declare-const p Bool)(assert ";
  for (int i = 0; i < 200'000; ++i) text += "(not ";
  text += "p" + std::string(200'000, ')') + ")";
  EXPECT_EQ(Case(text, "((define-fun p () Bool true))").value(), "true");
}

TEST(EvalSize, SharedTermsAreEvaluatedOnce) {
  std::string term = "x";
  for (int i = 0; i < 60; ++i) term = fmt::format("(let ((y {})) (bvadd y y #x01))", term);
  EXPECT_EQ(Case("(declare-const x (_ BitVec 8))(get-value (" + term + "))",
                 "((define-fun x () (_ BitVec 8) #x05))")
                .value(),
            "#xff");
}

TEST(EvalSize, DeepValues) {
  std::string value = "(as nil (L Int))";
  for (int i = 0; i < 20'000; ++i) value = "(cons 1 " + value + ")";
  const std::string script =
      std::string(kLists) + "(declare-const l (L Int))(assert (= l " + value + "))";
  EXPECT_EQ(Case(script, "((define-fun l () (L Int) " + value + "))").value(), "true");
}

// --- Checking. ---

TEST(Check, ClaimsHonourLevels) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(
      store,
      "(declare-const p Bool)(declare-const q Bool)(assert p)(check-sat)(push)(assert q)(check-sat)"
      "(pop)(check-sat-assuming ((not q)))(reset-assertions)(check-sat)");
  ASSERT_TRUE(script.has_value());
  const auto checks = eval::checks_of(*script);
  ASSERT_EQ(checks.size(), 4U);
  std::vector<size_t> counts;
  for (const size_t check : checks) counts.push_back(eval::claims_at(*script, check).size());
  EXPECT_THAT(counts, ElementsAre(1, 2, 2, 0));
}

// z3 says of an operator what it is for each sort that it is used at.
TEST(OpenValues, AModelMaySayThemForSeveralSorts) {
  constexpr std::string_view kModel =
      "((define-fun seq.nth_u ((x!0 (Seq Int)) (x!1 Int)) Int 2)"
      " (define-fun seq.nth_u ((x!0 (Seq Bool)) (x!1 Int)) Bool true)"
      " (define-fun seq.nth_u ((x!0 (Seq Real)) (x!1 Int)) Real 0.5))";
  EXPECT_EQ(value_of("(seq.nth (as seq.empty (Seq Int)) 0)", "", kModel), "2");
  EXPECT_EQ(value_of("(seq.nth (as seq.empty (Seq Bool)) 0)", "", kModel), "true");
  EXPECT_EQ(value_of("(seq.nth (as seq.empty (Seq Real)) 0)", "", kModel), "(/ 1.0 2.0)");
  EXPECT_THAT(value_of("(seq.nth (as seq.empty (Seq String)) 0)", "", kModel),
              HasSubstr("out of range"));
}

std::string verdict_of(std::string_view script, std::string_view model) {
  Case test(script, model);
  eval::Evaluator lenient(test.store(), test.model(), {.complete = true});
  const auto claims = eval::claims_at(test.script(), test.script().commands.size());
  return eval::to_string(eval::judge(claims, test.evaluator(), lenient).verdict);
}

TEST(Check, Verdicts) {
  constexpr std::string_view kScript =
      "(declare-const x Int)(declare-const y Int)(assert (> x 0))(assert (> (+ x y) 5))";
  EXPECT_EQ(verdict_of(kScript, "((define-fun x () Int 3)(define-fun y () Int 3))"), "valid");
  EXPECT_EQ(verdict_of(kScript, "((define-fun x () Int 3)(define-fun y () Int 2))"), "invalid");
  // y has any value: true for the one chosen is true, false for it proves nothing.
  EXPECT_EQ(verdict_of(kScript, "((define-fun x () Int 6))"), "valid");
  EXPECT_EQ(verdict_of(kScript, "((define-fun x () Int 3))"), "unknown");
  EXPECT_EQ(verdict_of("(assert (= (div 1 0) 5))", "()"), "unknown");
}

TEST(Check, CirclesAreFound) {
  const auto circle = [](std::string_view model) {
    Case test("(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)(assert (= x y))",
              model);
    return !eval::check_definitions(test.store(), test.model()).has_value();
  };
  EXPECT_TRUE(circle("((define-fun x () Int (+ y 1))(define-fun y () Int (+ x 1)))"));
  EXPECT_TRUE(circle("((define-fun f ((x Int)) Int (f (+ x 1))))"));
  EXPECT_FALSE(
      circle("((define-fun x () Int (+ y y))(define-fun y () Int (f 1))"
             "(define-fun f ((x Int)) Int x))"));
}

TEST(Explain, FromTheClaimToTheConstants) {
  Case test(
      "(declare-const x Int)(declare-const y Int)"
      "(assert (and (> x 0) (or (= y 1) (< y x)) (> y 100)))",
      "((define-fun x () Int 3)(define-fun y () Int 2))");
  std::vector<std::string> lines;
  for (const eval::Step& step : eval::explain(test.evaluator(), test.last_term(), 20)) {
    lines.push_back(
        fmt::format("{} {}", step.depth, smtlib::print_term(test.store(), step.term).value()));
  }
  EXPECT_THAT(lines,
              ElementsAre("0 (and (> x 0) (or (= y 1) (< y x)) (> y 100))", "1 (> y 100)", "2 y"));
}

TEST(Explain, ShowsTheInstanceThatDecides) {
  Case test("(declare-const y Int)(assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 9)) (< x y))))",
            "((define-fun y () Int 5))");
  std::string all;
  for (const eval::Step& step : eval::explain(test.evaluator(), test.last_term(), 20)) {
    const ir::TermId value = eval::term_of(test.store(), test.evaluator().values(), step.value,
                                           test.store().sort(step.term));
    all += smtlib::print_term(test.store(), step.term).value() + " = " +
           smtlib::print_term(test.store(), value).value() + "\n";
  }
  EXPECT_THAT(all, HasSubstr("x = 5\n"));
  EXPECT_THAT(all, HasSubstr("(< x y) = false\n"));
}

}  // namespace
}  // namespace elenchus

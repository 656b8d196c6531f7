#include "smtlib/model_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "smtlib/test_script.h"

namespace elenchus::smtlib {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string text_of(const ir::TermStore& store, ir::TermId term) {
  const auto text = print_term(store, term);
  return text ? *text : text.error().message;
}

std::string text_of(const ir::TermStore& store, const ir::Definition& definition) {
  std::string text;
  for (const ir::TermId formal : definition.formals) text += ' ' + text_of(store, formal);
  return text + " = " + text_of(store, definition.body);
}

std::string text_of(const ir::TermStore& store, const ir::Universe& universe) {
  std::string text = ir::describe_sort(store, universe.sort) + ':';
  for (const ir::FunId element : universe.elements) {
    text += fmt::format(" {}", store.symbols().text(store.fun(element).name));
  }
  return text + (universe.is_complete ? " and no more" : "");
}

std::string place_of(const base::Error& error) {
  return fmt::format("{}:{}: {}", error.where.line, error.where.column, error.message);
}

// The models in what a solver printed, one line for each thing they say; or the first error.
std::vector<std::string> read_model(std::string_view script, std::string_view output) {
  TestScript test;
  EXPECT_TRUE(test.read(script)) << test.error();
  const auto answers = split_answers(output);
  if (!answers) return {place_of(answers.error())};
  std::vector<std::string> lines;
  for (const AnswerText& answer : *answers) {
    if (!answer.has_model()) continue;
    const size_t end = test.script.commands.size();
    const auto model = parse_model(test.store, test.script, end, output, answer);
    if (!model) return {place_of(model.error())};
    for (const auto& function : model->functions) {
      lines.push_back(fmt::format("{}{}",
                                  test.store.symbols().text(test.store.fun(function.fun).name),
                                  text_of(test.store, function.definition)));
    }
    for (const auto& said : model->operators) {
      lines.push_back(fmt::format("{}{}",
                                  test.store.symbols().text(test.store.ops().info(said.op).name),
                                  text_of(test.store, said.definition)));
    }
    for (const auto& universe : model->universes) lines.push_back(text_of(test.store, universe));
    for (const auto& warning : model->warnings) lines.push_back("warning: " + warning.message);
  }
  return lines;
}

constexpr std::string_view kInts = "(declare-const x Int)(declare-const y Int)";
constexpr std::string_view kElements = "(declare-sort U 0)(declare-const u U)(declare-fun f (U) U)";

// --- Where models are in the output. ---

TEST(Answers, AreSplit) {
  const std::string_view text =
      "unsat\n(error \"model is not available\")\nsat\n(\n(define-fun x () Int "
      "1)\n)\nunknown\nsat\n()\n";
  const auto answers = split_answers(text);
  ASSERT_TRUE(answers.has_value());
  std::vector<std::string> shown;
  for (const AnswerText& answer : *answers) {
    shown.emplace_back(answer.answer);
    shown.back() += answer.has_model() ? " with a model" : "";
    EXPECT_EQ(answer.trouble.line, 0U);
  }
  EXPECT_THAT(shown, ElementsAre("unsat", "sat with a model", "unknown", "sat with a model"));
}

TEST(Answers, WhatIsNoAnswerIsSkipped) {
  EXPECT_THAT(read_model(kInts,
                         "success\nunsupported\n; note\nsome echo (of text\nsat\n"
                         "((define-fun x () Int 1))\nbye\n"),
              ElementsAre("x = 1"));
  EXPECT_THAT(read_model(kInts,
                         "unsat\n(a1 a2)\nsat\n(:reason-unknown \"none\")\n"
                         "((define-fun x () Int 1))\n(objectives (x 1))\n"),
              ElementsAre("x = 1"));
}

TEST(Answers, ErrorsBeforeAnAnswerAreTrouble) {
  const auto answers = split_answers("\n(error \"line 1: unknown sort\")\nsat\n()\n");
  ASSERT_TRUE(answers.has_value());
  ASSERT_EQ(answers->size(), 1U);
  EXPECT_EQ(answers->front().trouble.line, 2U);
}

TEST(Answers, ParenthesesInStringsNamesAndCommentsDoNotCount) {
  EXPECT_THAT(read_model("(declare-const |f (x| Int)(declare-const s String)",
                         "(\n; a comment (\n(define-fun |f (x| () Int 1)\n"
                         "(define-fun s () String \"()(\"\"(\")\n)\n"),
              ElementsAre("f (x = 1", "s = \"()(\"\"(\""));
}

TEST(Answers, SeveralModels) {
  EXPECT_THAT(read_model(kInts,
                         "sat\n((define-fun x () Int 1))\nunsat\nsat\n"
                         "(model (define-fun x () Int 2))\n"),
              ElementsAre("x = 1", "x = 2"));
}

TEST(Answers, NoModel) {
  for (const char* text : {"", "sat", "unsat\n", "; (x 5)\n", "(error \"no\")"}) {
    EXPECT_THAT(read_model(kInts, text), IsEmpty()) << text;
  }
}

// --- Dialects. ---

TEST(Dialects, Definitions) {
  const char* const same[] = {
      "sat\n(model \n  (define-fun y () Int\n    6)\n  (define-fun x () Int\n    5)\n)\n",  // z3
      "(\n  (define-fun y () Int\n    6)\n  (define-fun x () Int\n    5)\n)\n",
      "sat\n(\n(define-fun y () Int 6)\n(define-fun x () Int 5)\n)\n",  // cvc5
      "sat\n(define-fun y () Int 6)\n(define-fun x () Int 5)\n",
      "sat\r\n(\r\n(define-fun y () Int 6)\r\n(define-fun x () Int 5)\r\n)\r\n",
      "\xEF\xBB\xBFsat\n(\n(define-fun y () Int 6)\n(define-fun x () Int 5)\n)\n",
      "sat\n(= y 6)\n(= x 5)\n",    // yices
      "sat\n( (y 6)\n  (x 5) )\n",  // mathsat
      "sat\n((y 6)\n (x 5))\n",     // get-value
      "((y\n6)(x 5))",
  };
  for (const char* text : same) {
    EXPECT_THAT(read_model(kInts, text), ElementsAre("y = 6", "x = 5")) << text;
  }
}

TEST(Dialects, Cvc4DeclaresSortsAndDatatypes) {
  EXPECT_THAT(
      read_model("(declare-sort U 0)(declare-datatypes ((D 0)) (((a) (b (n Int)))))"
                 "(declare-const u U)(declare-const d D)",
                 "sat\n(model\n; cardinality of U is 1\n(declare-sort U 0)\n; rep: @uc_U_0\n"
                 "; cardinality of T is 1\n(declare-sort T 0)\n(declare-fun ground () T)\n"
                 "(declare-datatypes ((D 0)) (((a) (b (n Int)))))\n"
                 "(define-fun u () U @uc_U_0)\n(define-fun d () D (b (- 1)))\n)\n"),
      ElementsAre("u = @uc_U_0", "d = (b (- 1))", "U: @uc_U_0 and no more",
                  "T: ground and no more"));
}

TEST(Dialects, Cvc5ListsElementsInComments) {
  EXPECT_THAT(read_model(kElements,
                         "sat\n(\n; cardinality of U is 2\n; rep: (as @U_0 U)\n; rep: (as @U_1 U)\n"
                         "(define-fun u () U (as @U_0 U))\n"
                         "(define-fun f ((_arg_1 U)) U (ite (= (as @U_1 U) _arg_1) (as @U_0 U) "
                         "(as @U_1 U)))\n)\n"),
              ElementsAre("u = @U_0", "f _arg_1 = (ite (= @U_1 _arg_1) @U_0 @U_1)",
                          "U: @U_0 @U_1 and no more"));
}

TEST(Dialects, Cvc5QuotesTheSortInsideAnElementsName) {
  EXPECT_THAT(read_model("(declare-sort |a b| 0)(declare-const u |a b|)",
                         "(\n; cardinality of |a b| is 1\n; rep: (as @|a b|_0 |a b|)\n"
                         "(define-fun u () |a b| (as @|a b|_0 |a b|))\n)\n"),
              ElementsAre("u = @_a_b__0", "|a b|: @_a_b__0 and no more"));
  EXPECT_THAT(read_model("(declare-sort S 1)(declare-const s (S Int))",
                         "((define-fun s () (S Int) (as @(S Int)_0 (S Int))))"),
              ElementsAre("s = @_S_Int__0", "(S Int): @_S_Int__0"));
}

TEST(Dialects, Z3ListsElementsInAnAxiom) {
  const std::string_view head =
      "sat\n(\n  ;; universe for U:\n  ;;   U!val!0 U!val!1 \n  ;; -----------\n"
      "  (declare-fun U!val!0 () U)\n  (declare-fun U!val!1 () U)\n";
  const std::string_view axiom =
      "  (forall ((x U)) (or (= x U!val!0) (= x U!val!1)))\n  ;; -----------\n";
  const std::string_view tail = "  (define-fun u () U\n    U!val!1)\n)\n";
  EXPECT_THAT(read_model(kElements, fmt::format("{}{}{}", head, axiom, tail)),
              ElementsAre("u = U!val!1", "U: U!val!0 U!val!1 and no more"));
  EXPECT_THAT(read_model(kElements, fmt::format("{}{}", head, tail)),
              ElementsAre("u = U!val!1", "U: U!val!0 U!val!1"));
}

TEST(Dialects, BoolectorPrintsArraysAsFunctions) {
  EXPECT_THAT(
      read_model(
          "(declare-const b (_ BitVec 8))"
          "(declare-const m (Array (_ BitVec 2) (_ BitVec 8)))",
          "sat\n(\n  (define-fun b () (_ BitVec 8) #b00000001)\n  (define-fun m (\n"
          "   (m_x0 (_ BitVec 2))) (_ BitVec 8)\n    (ite (= m_x0 #b00) #x01\n      #x00))\n)\n"),
      ElementsAre("b = #x01", "m = (lambda ((m_x0 (_ BitVec 2))) (ite (= m_x0 #b00) #x01 #x00))"));
}

TEST(Dialects, ValuesThatWereAskedForBesides) {
  EXPECT_THAT(read_model(kInts, "sat\n((define-fun x () Int 1))\n((x 1)\n ((+ x 2) 3)\n (y 7))\n"),
              ElementsAre("x = 1", "y = 7", "warning: only values of constants are read"));
  EXPECT_THAT(read_model(kInts, "sat\n((x 1))\n((define-fun x () Int 1)(define-fun y () Int 2))\n"),
              ElementsAre("x = 1", "y = 2"));
}

// --- Values. ---

TEST(Values, OfEachSort) {
  struct Case {
    const char* sort;
    const char* value;
    const char* read;
  };
  const Case cases[] = {
      {"Int", "(- 5)", "(- 5)"},
      {"Real", "5", "5.0"},
      {"Real", "(/ 1 3)", "(/ 1.0 3.0)"},
      {"Real", "(- (/ 1.0 3.0))", "(- (/ 1.0 3.0))"},
      {"Real", "(root-obj (+ (^ x 2) (- 2)) 1)", "(root-obj (+ (^ x 2) (- 2)) 1)"},
      {"Real", "(_ real_algebraic_number <1*x^2 + (-2), (1, 2)>)",
       "(_ real_algebraic_number <1*x^2 + (-2), (1, 2)>)"},
      {"Real", "(root-of-with-interval (coeffs (- 2) 0 1)\n  1 2)",
       "(root-of-with-interval (coeffs (- 2) 0 1) 1 2)"},
      {"Real", "(+ (root-obj (+ (^ x 2) (- 2)) 1) 1)", "(+ (root-obj (+ (^ x 2) (- 2)) 1) 1.0)"},
      {"(_ FloatingPoint 8 24)", "(_ +zero 8 24)", "(_ +zero 8 24)"},
      {"(_ FloatingPoint 3 3)", "(fp #b0 #b010 #b11)", "(fp #b0 #b010 #b11)"},
      {"(_ BitVec 4)", "(_ bv3 4)", "#x3"},
      {"String", R"("\u{7}\u{5c}a")", R"("\u{7}\u{5c}a")"},
      {"String", R"("\u{41}")", R"("\u{5c}u{41}")"},  // z3 4.8.12: six characters
      {"(Array Int Int)", "((as const (Array Int Int)) 0)", "((as const (Array Int Int)) 0)"},
      {"(Array Int Int)", "(store ((as const (Array Int Int)) 0) 1 2)",
       "(store ((as const (Array Int Int)) 0) 1 2)"},
      {"(Array Int Int)", "(lambda ((x!1 Int)) (ite (= x!1 1) 2 0))",
       "(lambda ((x!1 Int)) (ite (= x!1 1) 2 0))"},
      {"(Seq Int)", "(as seq.empty (Seq Int))", "(as seq.empty (Seq Int))"},
      {"(Set Int)", "((as const (Set Int)) false)", "((as const (Set Int)) false)"},
      {"(Set Int)", "(store ((as const (Set Int)) false) 1 true)",
       "(store ((as const (Set Int)) false) 1 true)"},
      {"(Set Int)", "(lambda ((x!1 Int)) (> x!1 3))", "(lambda ((x!1 Int)) (> x!1 3))"},
      {"(Array (Set Int) Int)",
       "(store ((as const (Array (Set Int) Int)) 4) (store ((as const (Set Int)) false) 5 true) 5)",
       "(store ((as const (Array (Set Int) Int)) 4) (store ((as const (Set Int)) false) 5 true) "
       "5)"},
      {"(Seq (Set Int))", "(seq.unit (lambda ((x!1 Int)) true))",
       "(seq.unit (lambda ((x!1 Int)) true))"},
      {"(-> Int Int)", "(lambda ((x!1 Int)) x!1)", "(lambda ((x!1 Int)) x!1)"},
      {"Int", "(let ((a!1 (let ((a!1 1)) (+ a!1 2)))) (* a!1 a!1))", "(* (+ 1 2) (+ 1 2))"},
  };
  for (const Case& c : cases) {
    const std::string script = fmt::format("(declare-const v {})", c.sort);
    const std::string output =
        fmt::format("sat\n(\n  (define-fun v () {}\n    {})\n)\n", c.sort, c.value);
    EXPECT_THAT(read_model(script, output), ElementsAre(fmt::format("v = {}", c.read)));
  }
}

TEST(Values, AsArrayNamesAFunctionOfTheModel) {
  EXPECT_THAT(read_model("(declare-const a (Array Int Int))",
                         "((define-fun a () (Array Int Int)\n (_ as-array k!0))\n"
                         "(define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 2 3)))"),
              ElementsAre("a = (_ as-array k!0)", "k!0 x!0 = (ite (= x!0 1) 2 3)"));
}

TEST(Values, DefinitionsInAnyOrder) {
  EXPECT_THAT(read_model("(declare-fun g (Int Bool) Int)(declare-const c Int)",
                         "((define-fun c () Int (g 1 true))"
                         "(define-fun g ((x!0 Int) (x!1 Bool)) Int (g!2 (k!1 x!0) x!1))"
                         "(define-fun k!1 ((x!0 Int)) Int (ite (>= x!0 2) 2 1))"
                         "(define-fun g!2 ((x!0 Int) (x!1 Bool)) Int (ite x!1 x!0 7)))"),
              ElementsAre("c = (g 1 true)", "g x!0 x!1 = (g!2 (k!1 x!0) x!1)",
                          "k!1 x!0 = (ite (>= x!0 2) 2 1)", "g!2 x!0 x!1 = (ite x!1 x!0 7)"));
}

TEST(Values, QuotedAndEmptyNames) {
  EXPECT_THAT(read_model("(declare-const |a b| Int)(declare-const || Int)(declare-const |c| Int)",
                         "((define-fun |a b| () Int 1)(define-fun  () Int 2)"
                         "(define-fun c () Int 3))"),
              ElementsAre("a b = 1", " = 2", "c = 3"));
}

TEST(Values, Overloads) {
  constexpr std::string_view kOverloaded = "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)";
  EXPECT_THAT(read_model(kOverloaded,
                         "((define-fun f ((x!0 Bool)) Int 1)"
                         "(define-fun f ((x!0 Int)) Int 2))"),
              ElementsAre("f x!0 = 1", "f x!0 = 2"));
  EXPECT_THAT(read_model(kInts, "((define-fun h ((a Int)) Int 1)(define-fun h ((a Bool)) Int 2))"),
              ElementsAre("h a = 1", "h a = 2"));
}

TEST(Values, WhatTheScriptDefinesIsNotTakenFromTheModel) {
  EXPECT_THAT(read_model("(declare-const p Bool)(define-fun q () Bool (not p))"
                         "(assert (! (and p q) :named goal))",
                         "((define-fun goal () Bool true)(define-fun q () Bool true)"
                         "(define-fun p () Bool false))"),
              ElementsAre("goal = true", "p = false"));
}

TEST(Values, OfOperators) {
  EXPECT_THAT(read_model(kInts,
                         "((define-fun div0 ((x!0 Int)) Int (+ x!0 1))"
                         "(define-fun mod0 ((x!0 Int) (x!1 Int)) Int 7))"),
              testing::IsSupersetOf({HasSubstr(" x!0 = (+ x!0 1)"), HasSubstr(" x!0 x!1 = 7")}));
  // z3's sort of the sequence has no element.
  EXPECT_THAT(read_model(kInts, "((define-fun seq.nth_u ((x!0 Seq) (x!1 Int)) Int 3))"),
              testing::Contains(HasSubstr(" = 3")));
}

TEST(Values, NamesComeFromWhereTheCheckIs) {
  TestScript test;
  ASSERT_TRUE(
      test.read("(push)(declare-const x Int)(check-sat)(pop)(declare-const x Bool)(check-sat)"
                "(set-option :global-declarations true)(push)(declare-const y Int)(pop)"
                "(check-sat)"));
  const auto reads = [&](size_t check, std::string_view text) {
    const auto answers = split_answers(text);
    return parse_model(test.store, test.script, check, text, answers->front()).has_value();
  };
  EXPECT_TRUE(reads(2, "((define-fun x () Int 1))"));
  EXPECT_FALSE(reads(5, "((define-fun x () Int 1))"));
  EXPECT_TRUE(reads(5, "((define-fun x () Bool true))"));
  EXPECT_FALSE(reads(10, "((define-fun y () Bool true))"));
}

// --- Errors. ---

TEST(Errors, SayWhere) {
  struct Case {
    const char* output;
    const char* error;
  };
  const Case cases[] = {
      {"sat\n((define-fun x () Bool true))",
       "2:14: the model gives 'x' another sort than the script, where it is Int"},
      {"((define-fun x () Int true))", "1:23: a value of sort Bool where Int is expected"},
      {"((define-fun x () Int z))", "1:23: unknown constant 'z'"},
      {"((define-fun x () Int 1)\n (define-fun x () Int 2))", "2:14: the model defines 'x' twice"},
      {"((define-fun x () Int 1)", "1:25: unexpected end of file"},
      {"((define-fun x () Int 1)))", "1:26: ')' found, a model expected"},
      {"((define-fun x () Int))", "1:22: unexpected ')'"},
      {"((define-fun x () Int 1 2))", "1:25: '2' found, ')' after the definition expected"},
      {"((define-fun x Int 1))", "1:16: 'Int' found, '(' before the variables expected"},
      {"((define-fun x () Nat 1))", "1:19: unknown sort 'Nat'"},
      {"((define-fun x () Int \"1))", "1:23: string without an end"},
      {"((define-fun x () Int (_ bv1 1000000000)))",
       "1:23: a bit-vector literal of 1000000000 bits"},
      {"((x))", "1:4: unexpected ')'"},
      {"(((+ x 1)))", "1:10: unexpected ')'"},
      {"(x y z)", "1:6: 'z' found, ')' after the value expected"},
      {"((declare-fun x () Int))", "1:14: an element of Int, which is not an uninterpreted sort"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(read_model(kInts, c.output), ElementsAre(HasSubstr(c.error))) << c.output;
  }
  EXPECT_THAT(read_model("(declare-fun f (Int Bool) Int)", "((define-fun f ((a Int)) Int a))"),
              ElementsAre("1:14: the model gives 'f' another sort than the script, where it is "
                          "(Int Bool) Int"));
}

TEST(Errors, EveryPrefixEndsWithAnErrorOrAModel) {
  const std::string_view text =
      "sat\n(model ; of all kinds\n(declare-sort U 0)(declare-fun U!val!0 () U)\n"
      "(forall ((x U)) (= x U!val!0))\n(define-fun x () Int (let ((a (- 1))) (+ a 2)))\n"
      "(define-fun |q q| ((b (Array Int Bool))) String \"\\u{41}\"\"\")\n"
      "(define-fun r () Real (_ real_algebraic_number <1*x^2 + (-2), (1, 2)>))\n"
      "(define-fun div0 ((z Int)) Int (ite (= z 1) 2 3)))\n((y 2))\n";
  for (size_t length = 0; length <= text.size(); ++length) {
    for (const std::string& line : read_model(kInts, text.substr(0, length))) {
      EXPECT_FALSE(line.empty());
    }
  }
}

TEST(ModelReader, FunctionsThatZ3PrintsAsArrays) {
  const char* script =
      "(declare-const f (-> Int Int))(declare-const h (-> Int Int))"
      "(declare-fun g (Int) (-> Int Bool))";
  EXPECT_THAT(read_model(script,
                         "sat\n((define-fun f () (-> Int Int) ((as const (-> Int Int)) 2))"
                         "(define-fun h () (-> Int Int)"
                         " (store ((as const (-> Int Int)) 3) 1 2))"
                         "(define-fun g ((x Int)) (-> Int Bool) (ite (= x 2)"
                         " ((as const (-> Int Bool)) true) ((as const (-> Int Bool)) false))))"),
              ElementsAre("f = ((as const (Array Int Int)) 2)",
                          "h = (store ((as const (Array Int Int)) 3) 1 2)",
                          "g x = (ite (= x 2) ((as const (Array Int Bool)) true)"
                          " ((as const (Array Int Bool)) false))"));
}

TEST(ModelReader, FiniteSetsOfZ3) {
  constexpr std::string_view kSets =
      "(declare-const s (FiniteSet Int))(declare-fun f (Int) (FiniteSet Int))";
  std::string nested = "(set.singleton 0)";
  for (int i = 1; i <= 20; ++i) {
    nested = "(set.union (set.singleton " + std::to_string(i) + ") " + nested + ")";
  }
  EXPECT_THAT(read_model(kSets,
                         "sat\n((define-fun f ((x Int)) (FiniteSet Int)"
                         " (ite (= x 1) (set.singleton 1) (set.union (set.singleton 1)"
                         " (set.singleton 2))))\n(define-fun s () (FiniteSet Int) " +
                             nested + "))\n"),
              ElementsAre("f x = (ite (= x 1) (set.singleton 1) "
                          "(set.union (set.singleton 1) (set.singleton 2)))",
                          "s = " + nested));
  // Without a sort in the model, it is the script that says what sets there are.
  EXPECT_THAT(read_model(kSets, "sat\n((s (set.singleton 1)))\n"),
              ElementsAre("s = (set.singleton 1)"));
}

TEST(ModelReader, InstancesOfAPolymorphicFunctionAreLeftOut) {
  EXPECT_THAT(read_model("(declare-sort-parameter X)(declare-fun f (X) X)(declare-const a Int)",
                         "sat\n((define-fun f ((x!0 Bool)) Bool true)"
                         "(define-fun f ((x!0 Int)) Int 2)(define-fun a () Int 7)"
                         "(define-fun f ((x!0 X)) X X!val!0))"),
              testing::Contains("a = 7"));
}

}  // namespace
}  // namespace elenchus::smtlib

#include "smtlib/printer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "smtlib/test_script.h"

namespace elenchus::smtlib {
namespace {

using testing::HasSubstr;
using testing::Not;

// --- Logic and commands. ---

TEST(PrintScript, GetsALogicWhenItHasNone) {
  const std::pair<const char*, const char*> cases[] = {
      {"(check-sat)", "(set-logic ALL)\n(check-sat)\n"},
      {"(set-option :a b)(set-info :c d)(check-sat)",
       "(set-option :a b)\n(set-info :c d)\n(set-logic ALL)\n(check-sat)\n"},
      {"(set-info :c d)", "(set-info :c d)\n"},
      {"(set-info :c)", "(set-info :c)\n"},
      {"(echo \"x\")(check-sat)", "(set-logic ALL)\n(echo \"x\")\n(check-sat)\n"},
      {"(exit)", "(exit)\n"},
      {"", ""},
      {"(set-logic QF_BV)(check-sat)", "(set-logic QF_BV)\n(check-sat)\n"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(printed(text), expected);
}

TEST(PrintScript, IsStable) {
  const char* const texts[] = {
      "(declare-const x Int)(assert (> x 1))",
      "(set-info :a b)(declare-const |a b| Int)(push)(assert (= |a b| 1))(pop)(check-sat)",
      "(assert (forall ((x Int)) (let ((y x)) (exists ((x Int)) (= x y)))))",
      "(declare-datatypes ((D 0)) (((d)))) (assert (match d ((_ true))))",
  };
  for (const char* text : texts) {
    const std::string once = printed(text);
    EXPECT_EQ(printed(once), once);
  }
}

// --- Symbols. ---

TEST(PrintSymbols, HaveBarsWhereNeeded) {
  const std::pair<const char*, const char*> cases[] = {
      {"|x|", "x"},
      {"|a b|", "|a b|"},
      {"||", "||"},
      {"|1a|", "|1a|"},
      {"|a;b|", "|a;b|"},
      {"|let|", "|let|"},
      {"|forall|", "|forall|"},
      {"|_|", "|_|"},
      {"|as|", "|as|"},
      {"|!|", "|!|"},
      {"|par|", "|par|"},
      {"|match|", "|match|"},
      {"|a\"|", "|a\"|"},
      {"|:a|", "|:a|"},
      {"|#b1|", "|#b1|"},
      {"|~!@$%^&*_-+=<>.?/|", "~!@$%^&*_-+=<>.?/"},
      {"|a\\|b|", "|a\\|b|"},
      {"|a\nb|", "|a\nb|"},
      {"|\xC3\xA4|", "|\xC3\xA4|"},
      {"|STRING|", "|STRING|"},
      {"@x", "@x"},
      {".x", ".x"},
      {"|assert|", "|assert|"},
  };
  for (const auto& [symbol, expected] : cases) {
    const std::string name(symbol);
    EXPECT_EQ(printed_term("(declare-const " + name + " Int)", name), expected);
    EXPECT_EQ(printed_term("", fmt::format("(forall (({0} Bool)) {0})", name)),
              fmt::format("(forall (({0} Bool)) {0})", expected));
  }
}

TEST(PrintSymbols, EverywhereANameMayStand) {
  constexpr std::string_view kText =
      "(set-logic |a b|)\n"
      "(declare-sort |s s| 1)\n"
      "(define-sort |t t| (|p p|) (Array |p p| (|s s| |p p|)))\n"
      "(declare-datatypes ((|d d| 1)) ((par (|q q|) ((|n n|) (|c c| (|h h| |q q|))))))\n"
      "(declare-fun |f f| ((|s s| Int)) Int)\n"
      "(define-fun |g g| ((|x x| Int)) Int |x x|)\n"
      "(assert (! ((_ is |c c|) (|c c| (|g g| 1))) :named |l l|))\n"
      "(assert (= (as |n n| (|d d| Int)) (|c c| 1)))\n";
  EXPECT_EQ(printed(kText), kText);
}

// --- Names of variables. ---

TEST(PrintVariables, KeepTheirNamesWhereNothingIsCaptured) {
  const char* const same[] = {
      "(forall ((x Int)) (exists ((x Int)) (= x 1)))",
      "(forall ((x Int)) (and (exists ((x Int)) (= x 1)) (= x 2)))",
      "(and (forall ((x Int)) (= x 1)) (forall ((x Bool)) x))",
      "(forall ((c Bool)) c)",
  };
  for (const char* text : same) EXPECT_EQ(printed_term("(declare-const c Int)", text), text);
}

TEST(PrintVariables, AreRenamedWhereTheyWouldCapture) {
  const std::pair<const char*, const char*> cases[] = {
      {"(forall ((x Int)) (let ((y x)) (exists ((x Int)) (< x y))))",
       "(forall ((x Int)) (exists ((x!1 Int)) (< x!1 x)))"},
      // Three of one name, all in use.
      {"(forall ((x Int)) (let ((y x)) (forall ((x Int)) (let ((z x)) (forall ((x Int)) "
       "(= x y z))))))",
       "(forall ((x Int)) (forall ((x!1 Int)) (forall ((x!2 Int)) (= x!2 x x!1))))"},
      // Different sorts do not help: the text knows names only.
      {"(forall ((x Int)) (let ((y x)) (exists ((x Bool)) (and x (= y 1)))))",
       "(forall ((x Int)) (exists ((x!1 Bool)) (and x!1 (= x 1))))"},
      {"(let ((y c)) (forall ((c Int)) (= c y)))", "(forall ((c!1 Int)) (= c!1 c))"},
      {"(let ((y (f 1))) (forall ((f Int)) (= f y)))", "(forall ((f!1 Int)) (= f!1 (f 1)))"},
      {"(forall ((x!1 Int) (x Int)) (let ((y x)) (exists ((x Int)) (< x y x!1))))",
       "(forall ((x!1 Int) (x Int)) (exists ((x!2 Int)) (< x!2 x x!1)))"},
      {"(forall ((|x x| Int)) (let ((y |x x|)) (exists ((|x x| Int)) (< |x x| y))))",
       "(forall ((|x x| Int)) (exists ((|x x!1| Int)) (< |x x!1| |x x|)))"},
      {"(forall ((|let| Int)) (let ((y |let|)) (exists ((|let| Int)) (< |let| y))))",
       "(forall ((|let| Int)) (exists ((let!1 Int)) (< let!1 |let|)))"},
      {"(forall ((x Int) (x Bool)) x)", "(forall ((x Int) (x!1 Bool)) x!1)"},
      {"(forall ((x Int)) (let ((y x)) (= ((lambda ((x Int)) (+ x y)) 1) 2)))",
       "(forall ((x Int)) (= (@ (lambda ((x!1 Int)) (+ x!1 x)) 1) 2))"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(printed_term("(declare-const c Int)(declare-fun f (Int) Int)", text), expected);
    EXPECT_EQ(printed_term("(declare-const c Int)(declare-fun f (Int) Int)", expected), expected);
  }
}

// A bound variable may have an operator's name, which then means the variable.
TEST(PrintVariables, DoNotHideOperatorsInUse) {
  EXPECT_EQ(printed_term("", "(let ((t true)) (forall ((true Bool)) (= true t)))"),
            "(forall ((true!1 Bool)) (= true!1 true))");
  EXPECT_EQ(printed_term("", "(forall ((and Bool)) (and and true))"),
            "(forall ((and!1 Bool)) (and and!1 true))");
  EXPECT_EQ(printed_term("", "(forall ((and Bool)) (not and))"), "(forall ((and Bool)) (not and))");
}

// Nor do they make an unknown operator known.
TEST(PrintVariables, DoNotHideUnknownOperators) {
  EXPECT_EQ(printed_term("(declare-const c Int)",
                         "(let ((y (frob c)) (z ((_ blob 1) c))) (forall ((frob Int) (blob Int)) "
                         "(= frob blob y z)))"),
            "(forall ((frob!1 Int) (blob!2 Int)) (= frob!1 blob!2 (frob c) ((_ blob 1) c)))");
  EXPECT_EQ(printed_term("", "(forall ((x Int)) (=x x))"), "(forall ((x Int)) (=x x))");
  EXPECT_EQ(printed_term("", "(forall ((x Int)) ((_ f (x)) x))"),
            "(forall ((x Int)) ((_ f (x)) x))");
}

TEST(PrintVariables, OfAMatch) {
  constexpr std::string_view kPrelude =
      "(declare-datatypes ((D 0)) (((a) (b (n Int)))))(declare-const d D)(declare-const x Int)";
  EXPECT_EQ(printed_term(kPrelude, "(let ((y x)) (match d (((b x) (+ x y)) (z y))))"),
            "(match d (((b x!1) (+ x!1 x)) (z x)))");
}

TEST(PrintVariables, OfDefinitionsAreTheirFormals) {
  constexpr std::string_view kText =
      "(set-logic ALL)\n"
      "(define-fun f ((x Int) (y Bool)) Int (ite y x 0))\n"
      "(define-fun g ((x Int)) Bool (forall ((x Bool)) x))\n"
      "(define-fun h ((x Int)) Bool (forall ((x!1 Int)) (= x!1 x)))\n";
  EXPECT_EQ(printed(kText), kText);
}

// A parsed body cannot mean anything else by a formal's name, but a mutated one can.
TEST(PrintVariables, OfDefinitionsAreRenamedWhereTheyWouldCapture) {
  TestScript test;
  ASSERT_TRUE(test.read("(declare-const x Int)(define-fun-rec f ((x Int)) Int (+ x (f x)))"));
  const ir::FunId f{test.script.items(test.script.commands[1])[0]};
  const ir::TermId constant =
      test.store.fun(ir::FunId{test.script.items(test.script.commands[0])[0]}).constant;
  const std::vector<ir::TermId> formals(test.store.formals(f).begin(), test.store.formals(f).end());
  const ir::TermId args[] = {test.store.fun(f).body, constant};
  test.store.define(f, formals, ir::apply(test.store, ir::Op::kMul, args));
  EXPECT_EQ(test.print(),
            "(set-logic ALL)\n(declare-const x Int)\n"
            "(define-fun-rec f ((x!1 Int)) Int (* (+ x!1 (f x!1)) x))\n");
}

TEST(PrintVariables, OfMutualDefinitions) {
  constexpr std::string_view kText =
      "(set-logic ALL)\n"
      "(define-funs-rec ((f ((x Int)) Int) (g ((x Int) (y Int)) Int)) ((g x x) (f (+ x y))))\n";
  EXPECT_EQ(printed(kText), kText);
}

// --- Let. ---

// A term of 2^levels nodes as a tree, as nested lets.
std::string doubling(const std::string& leaf, int levels, const std::string& body) {
  std::string text;
  for (int i = 0; i < levels; ++i) {
    const std::string below = i == 0 ? leaf : "d" + std::to_string(i - 1);
    text += fmt::format("(let ((d{0} (+ {1} {1}))) ", i, below);
  }
  text += body;
  text.append(static_cast<size_t>(levels), ')');
  return text;
}

TEST(PrintLet, SmallSharedTermsAreRepeated) {
  EXPECT_EQ(printed_term("(declare-const x Int)", "(let ((y (+ x 1))) (= y (* y y)))"),
            "(= (+ x 1) (* (+ x 1) (+ x 1)))");
}

TEST(PrintLet, TheThresholdIsANumberOfNodes) {
  constexpr std::string_view kPrelude = "(declare-const x Int)";
  constexpr std::string_view kTerm = "(let ((y (+ x 1 2 3))) (= y (* y y)))";
  EXPECT_EQ(printed_term(kPrelude, kTerm, {.let_size = 5}),
            "(let ((_let_1 (+ x 1 2 3))) (= _let_1 (* _let_1 _let_1)))");
  EXPECT_EQ(printed_term(kPrelude, kTerm, {.let_size = 6}),
            "(= (+ x 1 2 3) (* (+ x 1 2 3) (+ x 1 2 3)))");
}

TEST(PrintLet, LevelsAreNested) {
  EXPECT_EQ(
      printed_term("(declare-const x Int)", doubling("x", 3, "(= d2 d2 d1)"), {.let_size = 3}),
      "(let ((_let_1 (+ x x))) (let ((_let_2 (+ _let_1 _let_1))) "
      "(let ((_let_3 (+ _let_2 _let_2))) (= _let_3 _let_3 _let_2))))");
}

TEST(PrintLet, NamesOfTheScriptAreAvoided) {
  EXPECT_EQ(printed_term("(declare-const _let_1 Int)", doubling("_let_1", 1, "(= d0 d0)"),
                         {.let_size = 3}),
            "(let ((_let1_1 (+ _let_1 _let_1))) (= _let1_1 _let1_1))");
  EXPECT_EQ(printed_term("", "(forall ((_let_1 Int)) " + doubling("_let_1", 1, "(= d0 d0)") + ")",
                         {.let_size = 3}),
            "(forall ((_let_1 Int)) (let ((_let1_1 (+ _let_1 _let_1))) (= _let1_1 _let1_1)))");
}

TEST(PrintLet, ExponentialTermsHaveLinearText) {
  const auto length = [](int levels) {
    const std::string text =
        "(declare-const x Int)(assert " + doubling("x", levels, "(= d0 d0)") + ")(assert " +
        doubling("x", levels, "(= d0 d" + std::to_string(levels - 1) + ")") + ")";
    const std::string once = printed(text);
    EXPECT_EQ(printed(once), once);
    return once.size();
  };
  const size_t shorter = length(100);
  const size_t longer = length(1000);
  EXPECT_LT(shorter, 6000U);
  EXPECT_LT(longer, 15 * shorter);
}

// The shared terms depend on variables of binders at several depths.
TEST(PrintLet, ExponentialTermsUnderBindersHaveLinearText) {
  constexpr int kLevels = 60;
  std::string text = "(declare-const c Int)(assert (forall ((x Int)) ";
  text += doubling("(+ x c)", kLevels,
                   "(exists ((y Int)) " +
                       doubling("(* y d" + std::to_string(kLevels - 1) + ")", kLevels,
                                "(forall ((z Int)) " +
                                    doubling("(- z d" + std::to_string(kLevels - 1) + ")", kLevels,
                                             "(= d" + std::to_string(kLevels - 1) + " z)") +
                                    ")") +
                       ")");
  text += "))";
  const std::string once = printed(text);
  EXPECT_LT(once.size(), 15'000U);
  EXPECT_EQ(printed(once), once);
  EXPECT_THAT(once, HasSubstr("(forall ((x Int)) (let "));
  EXPECT_THAT(once, HasSubstr("(exists ((y Int)) (let "));
  EXPECT_THAT(once, HasSubstr("(forall ((z Int)) (let "));
}

// A chain of quantifiers of which each mentions the whole chain below it twice.
TEST(PrintLet, NestedBindersThatAreSharedHaveLinearText) {
  const auto length = [](int levels) {
    std::string text = "(declare-fun p (Int) Bool)(assert ";
    for (int i = 0; i < levels; ++i) {
      const std::string below = i == 0 ? "(p 0)" : "q" + std::to_string(i - 1);
      text += fmt::format("(let ((q{0} (forall ((x Int)) (and (p x) {1} {1})))) ", i, below);
    }
    text += "(not q" + std::to_string(levels - 1) + ")";
    text.append(static_cast<size_t>(levels), ')');
    const std::string once = printed(text + ")");
    EXPECT_EQ(printed(once), once);
    return once.size();
  };
  EXPECT_LT(length(400), 15 * length(40));
}

// One variable, bound twice, with the same shared terms in both bodies.
TEST(PrintLet, SharedTermsUnderNestedBindersOfOneVariable) {
  constexpr int kLevels = 60;
  const std::string last = "d" + std::to_string(kLevels - 1);
  const std::string once = printed(
      "(assert (let ((q (forall ((x Int)) " + doubling("x", kLevels, "(= 0 " + last + ")") +
      "))) (forall ((x Int)) (and q " + doubling("x", kLevels, "(= 1 " + last + ")") + "))))");
  EXPECT_LT(once.size(), 10'000U);
  EXPECT_EQ(printed(once), once);
}

// One body under two binders of the same variable is written twice, and so would be what it uses.
TEST(PrintLet, ClosedTermsInABodyThatTwoBindersShare) {
  const auto length = [](int levels) {
    std::string text = "(declare-fun p (Int) Bool)(assert ";
    for (int i = 0; i < levels; ++i) {
      const std::string below = i == 0 ? "true" : "q" + std::to_string(i - 1);
      const std::string body = "(and (p x) (p 1) (p 2) (p 3) " + below + ")";
      text +=
          fmt::format("(let ((q{0} (or (forall ((x Int)) {1}) (exists ((x Int)) {1})))) ", i, body);
    }
    text += "q" + std::to_string(levels - 1);
    text.append(static_cast<size_t>(levels), ')');
    const std::string once = printed(text + ")");
    EXPECT_EQ(printed(once), once);
    return once.size();
  };
  EXPECT_LT(length(60), 8 * length(10));
}

// A term that means one thing outside a binder and another inside is named on either side.
TEST(PrintLet, ATermOfAVariableThatIsBoundAgain) {
  const std::string once = printed_term("(declare-fun p (Int Int) Bool)",
                                        "(let ((q (forall ((x Int)) (p (+ x 1 2) (+ x 1 2))))) "
                                        "(forall ((x Int)) (and (p x 0) q)))",
                                        {.let_size = 4});
  EXPECT_EQ(once,
            "(forall ((x Int)) (and (p x 0) (forall ((x Int)) (let ((_let_1 (+ x 1 2))) "
            "(p _let_1 _let_1)))))");
}

// Two bodies stand side by side, and neither sees the names of the other.
TEST(PrintLet, OfAComprehension) {
  EXPECT_EQ(
      printed_term("", "(set.comprehension ((x Int)) (= (+ x 1 2) 0) (* (+ x 1 2) (+ x 1 2)))",
                   {.let_size = 4}),
      "(set.comprehension ((x Int)) (= (+ x 1 2) 0) (let ((_let_1 (+ x 1 2))) "
      "(* _let_1 _let_1)))");
}

TEST(PrintLet, ClosedTermsAreNamedOutsideTheBinder) {
  EXPECT_EQ(printed_term("(declare-const c Int)",
                         "(let ((y (+ c 1 2))) (forall ((x Int)) (= x (* y y))))", {.let_size = 4}),
            "(let ((_let_1 (+ c 1 2))) (forall ((x Int)) (= x (* _let_1 _let_1))))");
}

TEST(PrintLet, APatternIsNotBoundOutsideItsBinder) {
  constexpr std::string_view kPrelude = "(declare-fun f (Int Int Int) Int)";
  EXPECT_EQ(
      printed_term(kPrelude, "(forall ((x Int)) (! (= (f x x x) (f x x x)) :pattern ((f x x x))))",
                   {.let_size = 4}),
      "(forall ((x Int)) (! (let ((_let_1 (f x x x))) (= _let_1 _let_1)) :pattern ((f x x x))))");
}

// An annotated term that has a name is not taken apart by a further annotation.
TEST(PrintLet, AnnotationsAreSharedToo) {
  EXPECT_EQ(
      printed_term("(declare-const x Int)",
                   "(let ((t (! (= x 1 2 3) :qid q))) (or t (! t :weight 1)))", {.let_size = 5}),
      "(let ((_let_1 (! (= x 1 2 3) :qid q))) (or _let_1 (! _let_1 :weight 1)))");
}

// The same term under two binders of one variable is two things to name.
TEST(PrintLet, BindersOfTheSameVariableDoNotShare) {
  constexpr std::string_view kTerm =
      "(and (forall ((x Int)) (= (+ x 1 2) (+ x 1 2) 0)) "
      "(exists ((x Int)) (= (+ x 1 2) (+ x 1 2) 1)))";
  EXPECT_EQ(printed_term("", kTerm, {.let_size = 4}),
            "(and (forall ((x Int)) (let ((_let_1 (+ x 1 2))) (= _let_1 _let_1 0))) "
            "(exists ((x Int)) (let ((_let_2 (+ x 1 2))) (= _let_2 _let_2 1))))");
}

TEST(PrintLet, DeepSharingCostsNoStack) {
  const std::string text =
      "(declare-const x Int)(assert " + doubling("x", 20'000, "(= d0 d19999)") + ")";
  const std::string once = printed(text);
  EXPECT_EQ(printed(once), once);
}

// --- Annotations. ---

TEST(PrintNamed, OnceWhereTheTermIsShared) {
  const std::string text = printed(
      "(declare-const p Bool)(assert (let ((q (! (and p p p p p p p p p p p p) :named n))) "
      "(or q (not q) (=> q q))))");
  EXPECT_THAT(text, HasSubstr(":named n"));
  EXPECT_EQ(text.find(":named n"), text.rfind(":named n"));
  EXPECT_EQ(printed(text), text);
}

TEST(PrintNamed, AgainAfterAPop) {
  constexpr std::string_view kText =
      "(set-logic ALL)\n(declare-const p Bool)\n(push 2)\n(assert (! p :named n))\n(pop 1)\n"
      "(assert (! p :named n))\n(pop 1)\n(assert (! p :named n))\n(reset-assertions)\n"
      "(assert (! p :named n))\n";
  EXPECT_EQ(printed(kText), kText);
}

// z3 takes names from the values of let, even of those that are not used.
TEST(PrintNamed, ANameIsDefinedWhereItsTermIsGone) {
  const std::pair<const char*, const char*> cases[] = {
      {"(assert (let ((a (! p :named m))) true))(assert m)(assert m)",
       "(assert true)\n(define-fun m () Bool p)\n(assert m)\n(assert m)\n"},
      {"(assert (let ((a (! p :named n))) (and n a)))",
       "(define-fun n () Bool p)\n(assert (and n p))\n"},
      {"(assert (let ((a (! p :named m)) (b (! (not m) :named n))) true))(assert n)",
       "(assert true)\n(define-fun m () Bool p)\n(define-fun n () Bool (not m))\n(assert n)\n"},
      {"(assert (frob (! p :named n) undeclared))(assert n)",
       "(assert (frob (! p :named n) undeclared))\n(assert n)\n"},
      {"(push)(assert (let ((a (! p :named m))) true))(assert m)(pop)(assert (! p :named m))",
       "(push 1)\n(assert true)\n(define-fun m () Bool p)\n(assert m)\n(pop 1)\n"
       "(assert (! p :named m))\n"},
      {"(set-option :global-declarations true)(push)(assert (! p :named m))(pop)(assert m)",
       "(set-option :global-declarations true)\n(push 1)\n(assert (! p :named m))\n(pop 1)\n"
       "(assert m)\n"},
  };
  for (const auto& [text, expected] : cases) {
    const std::string once = printed("(set-logic ALL)(declare-const p Bool)" + std::string(text));
    EXPECT_EQ(once, "(set-logic ALL)\n(declare-const p Bool)\n" + std::string(expected));
    EXPECT_EQ(printed(once), once);
  }
}

TEST(PrintNamed, NotInsideALetThatCouldRepeatIt) {
  const std::string text = printed(
      "(declare-const p Bool)(declare-const q Bool)(assert (or (! p :named n) q))(assert n)"
      "(assert (and n n))");
  EXPECT_THAT(text, HasSubstr("(assert (or (! p :named n) q))\n(assert n)\n(assert (and n n))"));
}

// --- Terms of all kinds. ---

TEST(PrintTerm, HeadsAndIndices) {
  constexpr std::string_view kPrelude =
      "(declare-const v (_ BitVec 8))(declare-const s (Seq Int))(declare-const t (Tuple Int Bool))"
      "(declare-fun g (Int) (-> Int Bool))";
  const char* const same[] = {
      "(concat v #b0 ((_ extract 3 0) v))",
      "((_ rotate_left 3) v)",
      "(seq.++ s (seq.unit 1) (as seq.empty (Seq Int)))",
      "((_ tuple.select 1) t)",
      "(tuple 1 true)",
      "tuple",
      "(@ (g 1) 2)",
      "(fp.add RNE (_ +oo 5 11) (_ NaN 5 11))",
      "((_ to_fp 5 11) RTZ v)",
      "(str.in_re \"a\" ((_ re.^ 3) (re.* re.allchar)))",
      "((_ at-most 2) true false true)",
      "(set.insert 1 2 (as set.empty (Set Int)))",
      "(ff.add (as ff1 (_ FiniteField 5)) (as ff2 (_ FiniteField 5)))",
  };
  for (const char* text : same) EXPECT_EQ(printed_term(kPrelude, text), text);
}

TEST(PrintTerm, AFreeVariableIsWrittenByItsName) {
  TestScript test;
  ASSERT_TRUE(test.read("(assert (forall ((x Int)) (> x 0)))"));
  const auto body = print_term(test.store, test.store.args(test.last_term()).back());
  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(*body, "(> x 0)");
}

TEST(PrintTerm, ThousandsOfNestedBinders) {
  constexpr int kDepth = 3000;
  std::string text = "(assert ";
  for (int i = 0; i < kDepth; ++i) text += "(forall ((x Int)) (or (= x 0) ";
  text += "true";
  text.append(2 * kDepth, ')');
  const std::string once = printed(text + ")");
  EXPECT_EQ(printed(once), once);
  EXPECT_THAT(once, Not(HasSubstr("x!1")));
}

}  // namespace
}  // namespace elenchus::smtlib

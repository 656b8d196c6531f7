#include "smtlib/parser.h"

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

constexpr std::string_view kLogic = "(set-logic ALL)\n";

// What the text looks like when it is printed, without the set-logic that it need not have.
std::string echo(std::string_view text) {
  std::string result = printed(text);
  if (result.starts_with(kLogic)) result.erase(0, kLogic.size());
  if (!result.empty() && result.back() == '\n') result.pop_back();
  return result;
}

// --- Commands. ---

TEST(Commands, AreKept) {
  const char* const same[] = {
      "(set-logic QF_LIA)",
      "(set-option :produce-models true)",
      "(set-option :diagnostic-output-channel \"stderr\")",
      "(set-option :print-success)",
      "(set-info :status sat)",
      "(set-info :source |some (text|)",
      "(declare-sort S 0)",
      "(declare-sort S 2)",
      "(define-sort S () Int)",
      "(define-sort S (X Y) (Array X (Array Y Int)))",
      "(declare-sort-parameter X)",
      "(declare-const x Int)",
      "(declare-fun f () Int)",
      "(declare-fun f (Int Real) Bool)",
      "(define-fun f () Int 1)",
      "(define-fun f ((x Int) (y Int)) Int (+ x y))",
      "(define-fun-rec f ((x Int)) Int (f (- x 1)))",
      "(define-funs-rec ((f ((x Int)) Int) (g ((x Int)) Int)) ((g x) (f x)))",
      "(declare-datatypes ((D 0)) (((a) (b (n Int) (d D)))))",
      "(declare-datatypes ((D 0) (E 0)) (((a (e E))) ((b) (c (d D)))))",
      "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))",
      "(declare-codatatypes ((S 0)) (((next (rest S)))))",
      "(assert true)",
      "(assert-soft true)",
      "(assert-soft true :weight 2 :id goal)",
      "(minimize 1)",
      "(maximize 1 :id m)",
      "(check-sat)",
      "(check-sat-assuming (true false))",
      "(check-sat-assuming ())",
      "(check-sat-using (then simplify smt))",
      "(get-value (1 true))",
      "(get-value (1) :model_index 0)",
      "(push 1)",
      "(push 3)",
      "(push 1)\n(pop 1)",
      "(push 0)",
      "(reset)",
      "(reset-assertions)",
      "(exit)",
      "(echo \"hello\"\"(\")",
      "(get-model)",
      "(get-unsat-core)",
      "(get-info :all-statistics)",
      "(get-option :produce-models)",
      "(get-assertions)",
      "(simplify (+ undeclared 1))",
      "(apply (then simplify))",
      "(eval x)",
      "(declare-heap (Int Int))",
      "(get-interpolant A (> x 0))",
      "(block-model :values)",
  };
  for (const char* text : same) EXPECT_EQ(echo(text), text);
}

TEST(Commands, HaveOneStandardForm) {
  const std::pair<const char*, const char*> cases[] = {
      {"(push)", "(push 1)"},
      {"(push)(pop)", "(push 1)\n(pop 1)"},
      {"(declare-sort S)", "(declare-sort S 0)"},
      {"(define-const c Int 1)", "(define-fun c () Int 1)"},
      {"(check-sat true)", "(check-sat-assuming (true))"},
      {"(declare-datatype D ((a) (b (n Int))))", "(declare-datatypes ((D 0)) (((a) (b (n Int)))))"},
      {"(declare-datatype L (par (T) ((nil) (cons (head T)))))",
       "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T))))))"},
      {"(declare-codatatype S ((next (rest S))))",
       "(declare-codatatypes ((S 0)) (((next (rest S)))))"},
      {"(declare-datatypes () ((D a (b (n Int)))))",
       "(declare-datatypes ((D 0)) (((a) (b (n Int)))))"},
      {"(declare-datatypes (T) ((L nil (cons (head T) (tail L)))))",
       "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))"},
      {"(declare-datatypes () ((D (a (e E))) (E b)))",
       "(declare-datatypes ((D 0) (E 0)) (((a (e E))) ((b))))"},
      {"( assert ; why\n  true )", "(assert true)"},
      {"(set-option :a (b ; c\n d))", "(set-option :a (b ; c\n d))"},
      {"(set-option\t:a ; c\n\ttrue)", "(set-option :a true)"},
      {"(set-option :global-decls true)", "(set-option :global-declarations true)"},
      {"(set-info  :a \"b ; c\" ; d\n )", "(set-info :a \"b ; c\")"},
      {"(define-fun |f| () Int 1)", "(define-fun f () Int 1)"},
  };
  for (const auto& [text, standard] : cases) EXPECT_EQ(echo(text), standard) << text;
}

TEST(Commands, NothingIsReadAfterExit) {
  EXPECT_EQ(echo("(assert true)(exit)(assert"), "(assert true)\n(exit)");
}

TEST(Commands, KnowWhereTheyStart) {
  TestScript test;
  ASSERT_TRUE(test.read("(set-logic ALL)\n\n  (assert true) (check-sat)"));
  ASSERT_EQ(test.script.commands.size(), 3U);
  EXPECT_EQ(test.script.commands[1].where.line, 3U);
  EXPECT_EQ(test.script.commands[1].where.column, 3U);
  EXPECT_EQ(test.script.commands[2].where.line, 3U);
  EXPECT_EQ(test.script.commands[2].where.column, 17U);
}

TEST(Commands, TheFirstLogicIsTheScripts) {
  TestScript test;
  ASSERT_TRUE(test.read("(set-logic QF_LIA)(reset)(set-logic QF_BV)"));
  EXPECT_EQ(test.store.symbols().text(test.script.logic), "QF_LIA");
  ASSERT_TRUE(test.read("(check-sat)"));
  EXPECT_FALSE(test.script.logic.valid());
}

TEST(Commands, UnknownOnesAreCarriedWithAWarning) {
  EXPECT_EQ(echo("(frobnicate |a b| (c) \"d\" :e)"), "(frobnicate |a b| (c) \"d\" :e)");
  EXPECT_EQ(warnings_in("\n (frobnicate x)(frobnicate y)"),
            "2:2: unknown command 'frobnicate' is carried through\n");
  EXPECT_EQ(warnings_in("(get-model)(echo \"x\")"), "");
}

TEST(Commands, AnEmptyScriptIsAScript) {
  TestScript test;
  ASSERT_TRUE(test.read(""));
  EXPECT_TRUE(test.script.commands.empty());
  ASSERT_TRUE(test.read(" ; nothing"));
  EXPECT_EQ(test.print(), "");
}

// --- Atoms and literals. ---

TEST(Literals, HaveACanonicalText) {
  const std::pair<const char*, const char*> cases[] = {
      {"007", "7"},
      {"0", "0"},
      {"000", "0"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
      {"01.50", "1.5"},
      {"2.", "2.0"},
      {"#xAb", "#xab"},
      {"#b10101111", "#xaf"},
      {"#b101", "#b101"},
      {"(_ bv5 3)", "#b101"},
      {"(_ bv9 3)", "#b001"},
      {"(_ bv255 8)", "#xff"},
      {"(_ bv0 1)", "#b0"},
      {"\"\"", "\"\""},
      {"\"a\"\"b\"", "\"a\"\"b\""},
      {R"("\u{41}\u0042")", "\"AB\""},
      {R"("\u{a}\x41\\")", R"("\u{a}\u{5c}x41\u{5c}\u{5c}")"},
      {"\"\xC3\xA4\"", R"("\u{c3}\u{a4}")"},
      {"(_ char #x41)", "\"A\""},
      {"(_ char #x5c)", R"("\u{5c}")"},
      {"-1", "(- 1)"},
      {"-1.50", "(- 1.5)"},
      {"#f3m17", "(as ff3 (_ FiniteField 17))"},
      {"(as ff3 (_ FiniteField 17))", "(as ff3 (_ FiniteField 17))"},
  };
  for (const auto& [text, canonical] : cases) EXPECT_EQ(printed_term("", text), canonical) << text;
}

TEST(Literals, EqualValuesAreOneTerm) {
  TestScript test;
  ASSERT_TRUE(test.read("(get-value (#x0A #b00001010 (_ bv10 8) 010 10 1.0 1.00))"));
  const auto terms = test.script.items(test.script.commands[0]);
  EXPECT_EQ(terms[0], terms[1]);
  EXPECT_EQ(terms[0], terms[2]);
  EXPECT_EQ(terms[3], terms[4]);
  EXPECT_EQ(terms[5], terms[6]);
}

TEST(Literals, HaveTheirSorts) {
  EXPECT_EQ(sort_of("", "1"), "Int");
  EXPECT_EQ(sort_of("", "1.0"), "Real");
  EXPECT_EQ(sort_of("", "-1"), "Int");
  EXPECT_EQ(sort_of("", "#x00"), "(_ BitVec 8)");
  EXPECT_EQ(sort_of("", "#b000"), "(_ BitVec 3)");
  EXPECT_EQ(sort_of("", "\"\""), "String");
  EXPECT_EQ(sort_of("", "(_ +oo 5 11)"), "(_ FloatingPoint 5 11)");
  EXPECT_EQ(sort_of("", "((_ to_fp 8 24) RNE 1.0)"), "(_ FloatingPoint 8 24)");
  EXPECT_EQ(sort_of("", "(fp #b0 #b10000 #b0000000000)"), "(_ FloatingPoint 5 11)");
}

TEST(Literals, AFloatHasTwoBitsOfExponentAndSignificand) {
  EXPECT_EQ(sort_of("", "(fp #b0 #b00 #b0)"), "(_ FloatingPoint 2 2)");
  EXPECT_THAT(sort_of("", "(fp #b0 #b0 #b00)"), HasSubstr("'fp' cannot take"));
  EXPECT_THAT(sort_of("", "((_ to_fp 1 5) RNE 1.0)"), HasSubstr("'to_fp' cannot take"));
  EXPECT_THAT(sort_of("", "(_ +oo 5 1)"), HasSubstr("+oo"));
}

TEST(Literals, ASymbolWithAMinusMayBeDeclared) {
  EXPECT_EQ(printed_term("(declare-const -1 Int)", "-1"), "|-1|");
  EXPECT_EQ(sort_of("(declare-const |-1| Bool)", "-1"), "Bool");
}

TEST(Sorts, AreRead) {
  const std::pair<const char*, const char*> cases[] = {
      {"Float16", "(_ FloatingPoint 5 11)"},
      {"Float32", "(_ FloatingPoint 8 24)"},
      {"Float64", "(_ FloatingPoint 11 53)"},
      {"Float128", "(_ FloatingPoint 15 113)"},
      {"(Array Int (Array Int Bool))", "(Array Int (Array Int Bool))"},
      {"(Array Int Int Bool)", "(Array Int Int Bool)"},
      {"(Seq Char)", "String"},
      {"(RegEx String)", "RegLan"},
      {"Unicode", "Char"},
      {"(Relation Int Bool)", "(Set (Tuple Int Bool))"},
      {"(Table Int)", "(Bag (Tuple Int))"},
      {"UnitTuple", "UnitTuple"},
      {"(Nullable Int)", "(Nullable Int)"},
      {"(-> Int Bool)", "(-> Int Bool)"},
      {"(_ FiniteField 17)", "(_ FiniteField 17)"},
      {"(_ BitVec 001)", "(_ BitVec 1)"},
      {"|Int|", "Int"},
  };
  for (const auto& [text, standard] : cases) {
    const std::string declaration = "(declare-const c " + std::string(text) + ")";
    EXPECT_EQ(sort_of(declaration, "c"), standard) << text;
  }
}

TEST(Sorts, AbbreviationsAreExpanded) {
  constexpr std::string_view kPrelude =
      "(define-sort Word () (_ BitVec 4))(define-sort Map (K V) (Array K (Array K V)))"
      "(define-sort M (X) (Map X Word))(declare-const m (M Int))";
  EXPECT_EQ(sort_of(kPrelude, "m"), "(Array Int (Array Int (_ BitVec 4)))");
}

TEST(Sorts, ADeclaredNameHidesABuiltInOne) {
  EXPECT_EQ(sort_of("(declare-sort Set 0)(declare-const s Set)", "s"), "Set");
  EXPECT_EQ(sort_of("(define-sort Float16 () Int)(declare-const s Float16)", "s"), "Int");
}

TEST(Sorts, FiniteSetsOfZ3) {
  const std::string text =
      "(declare-const s (FiniteSet Int))\n"
      "(assert (= s (set.union (set.range 1 2) (as set.empty (FiniteSet Int)))))\n"
      "(assert (set.in 1 (set.map (lambda ((x Int)) (+ x 1)) s)))\n"
      "(declare-const a (Array Int Bool))\n"
      "(assert (< (set.size (set.filter a s)) 3))";
  EXPECT_EQ(echo(text), text);
  EXPECT_EQ(warnings_in(text), "");
  EXPECT_EQ(sort_of("(declare-const s (FiniteSet Int))", "(set.difference s s)"),
            "(FiniteSet Int)");
  EXPECT_EQ(sort_of("(declare-const s (Set Int))", "(set.union s s)"), "(Set Int)");
}

// cvc5 has the same names on sets of its own: the script says whose they are, and not what stands
// beside them.
TEST(Sorts, TheScriptSaysWhoseSetsItHas) {
  const std::string one =
      "(declare-const s (FiniteSet Int))\n"
      "(declare-const x Int)\n"
      "(define-fun f () (FiniteSet Int) (ite (< x 0) (set.singleton 1) (set.singleton 2)))\n"
      "(assert (= s (ite (< x 0) (set.singleton 1) (set.singleton 2))))\n"
      "(assert (= (set.singleton x) s))";
  EXPECT_EQ(echo(one), one);
  EXPECT_EQ(sort_of(one, "(set.singleton 1)"), "(FiniteSet Int)");
  // An operator that cvc5 lacks says so, too, and be it only later.
  const std::string late = "(assert (= (set.singleton 1) (set.range 1 1)))";
  EXPECT_EQ(echo(late), late);
  const std::string inside = "(assert (set.in 1 (set.singleton 1)))";
  EXPECT_EQ(echo(inside), inside);
  // Neither a comment nor a string does.
  const std::string other = "; no FiniteSet\n(declare-const t String)(assert (= t \"FiniteSet\"))";
  EXPECT_EQ(sort_of(other, "(set.singleton 1)"), "(Set Int)");
}

TEST(Sorts, FiniteSetsAreNestedAndShared) {
  std::string nested = "(set.singleton 0)";
  for (int i = 1; i <= 20; ++i) {
    nested = "(set.union " + nested + " (set.singleton " + std::to_string(i) + "))";
  }
  EXPECT_EQ(sort_of("(declare-const s (FiniteSet Int))", "(= s " + nested + ")"), "Bool");
  // Written out this would have 16^10 parts.
  std::string shared = "(= s v)";
  for (int i = 0; i < 10; ++i) {
    shared = "(let ((v (set.union v v v v v v v v v v v v v v v v))) " + shared + ")";
  }
  shared = "(let ((v (set.singleton 1))) " + shared + ")";
  EXPECT_EQ(sort_of("(declare-const s (FiniteSet Int))", shared), "Bool");
}

TEST(Sorts, UnknownOnesThatAreAppliedAreCarried) {
  const std::string text = "(declare-const c (Rope Int (Seq Bool)))";
  EXPECT_EQ(echo(text), text);
  EXPECT_EQ(warnings_in(text), "1:19: unknown sort '(Rope Int (Seq Bool))' is carried through\n");
}

TEST(Sorts, UnknownOnesDoNotGrowWithoutEnd) {
  std::string text = "(define-sort S0 () (Rope Int Int))";
  for (int i = 1; i <= 60; ++i) {
    const std::string below = "S" + std::to_string(i - 1);
    text += fmt::format("(define-sort S{} () (Rope {} {}))", i, below, below);
  }
  EXPECT_THAT(error_in(text), HasSubstr("sort too large"));
  // Nor do they inside of sorts that we know.
  text = "(define-sort S0 () (Rope Int Int))";
  for (int i = 1; i <= 60; ++i) {
    const std::string below = "S" + std::to_string(i - 1);
    text += fmt::format("(define-sort S{} () (Array (Rope {}) {}))", i, below, below);
  }
  EXPECT_THAT(error_in(text), HasSubstr("sort too large"));
}

TEST(Sorts, UnknownOnesOfParametersAreErrors) {
  EXPECT_EQ(error_in("(define-sort P (X) (Rope X))"), "1:21: unknown sort 'Rope'");
  EXPECT_EQ(error_in("(define-sort P (X) (Rope Int (Seq X)))"), "1:21: unknown sort 'Rope'");
  EXPECT_EQ(error_in("(declare-datatype D (par (X) ((d (e (Rope X))))))"),
            "1:38: unknown sort 'Rope'");
  EXPECT_EQ(error_in("(declare-sort-parameter X)(declare-fun f ((Rope X)) Int)"),
            "1:44: unknown sort 'Rope'");
  // What the parameter is not in is carried through.
  EXPECT_EQ(sort_of("(define-sort P (X) (Array X (Rope Int)))(declare-const c (P Int))", "c"),
            "(Array Int (Rope Int))");
}

TEST(Sorts, UnknownIndexedOnesAreCarried) {
  const std::string text = "(declare-const c (_ Fixed 3 (a b)))";
  EXPECT_EQ(echo(text), text);
  EXPECT_EQ(warnings_in(text), "1:18: unknown sort '(_ Fixed 3 (a b))' is carried through\n");
}

// --- Leniencies of z3 and cvc5. ---

constexpr std::string_view kNumbers =
    "(declare-const x Int)(declare-const r Real)(declare-const p Bool)"
    "(declare-const a (Array Int Real))(declare-fun f (Real) Int)";

TEST(Lenient, IntsBecomeRealsWhereRealsAreWanted) {
  const std::pair<const char*, const char*> cases[] = {
      {"(+ r 1)", "(+ r 1.0)"},
      {"(< 0 r 2.5)", "(< 0.0 r 2.5)"},
      {"(+ x r)", "(+ (to_real x) r)"},
      {"(= r (- 1))", "(= r (- 1.0))"},
      {"(= r -1)", "(= r (- 1.0))"},
      {"(- r 1 2)", "(- r 1.0 2.0)"},
      {"(/ 1 3)", "(/ 1.0 3.0)"},
      {"(/ x 2)", "(/ (to_real x) 2.0)"},
      {"(ite p 1 r)", "(ite p 1.0 r)"},
      {"(distinct x r 1)", "(distinct (to_real x) r 1.0)"},
      {"(store a 1 2)", "(store a 1 2.0)"},
      {"(f 1)", "(f 1.0)"},
      {"(f x)", "(f (to_real x))"},
      {"(to_int 1)", "(to_int 1.0)"},
      {"(is_int x)", "(is_int (to_real x))"},
      {"((_ to_fp 5 11) RNE 1)", "((_ to_fp 5 11) RNE 1.0)"},
      {"(let ((y 1)) (+ y r))", "(+ 1.0 r)"},
  };
  for (const auto& [text, standard] : cases) {
    EXPECT_EQ(printed_term(kNumbers, text), standard) << text;
  }
}

TEST(Lenient, RealsBecomeIntsWhereIntsAreWanted) {
  EXPECT_EQ(printed_term(kNumbers, "(mod r 2)"), "(mod (to_int r) 2)");
  EXPECT_EQ(printed_term(kNumbers, "(select a r)"), "(select a (to_int r))");
}

TEST(Lenient, DefinitionsConvertTheirBodies) {
  EXPECT_EQ(echo("(define-fun f () Real 1)"), "(define-fun f () Real 1.0)");
  EXPECT_EQ(echo("(define-fun f ((x Int)) Real x)"), "(define-fun f ((x Int)) Real (to_real x))");
}

TEST(Lenient, IntsStayIntsAmongThemselves) {
  EXPECT_EQ(printed_term(kNumbers, "(+ 1 2)"), "(+ 1 2)");
  EXPECT_EQ(printed_term(kNumbers, "(= x 1)"), "(= x 1)");
  EXPECT_EQ(printed_term(kNumbers, "(to_real 1)"), "(to_real 1)");
}

TEST(Lenient, NumeralsAreRealInLogicsWithoutIntegers) {
  for (const char* logic : {"QF_LRA", "QF_NRA", "QF_RDL", "LRA", "NRA", "QF_UFLRA", "QF_NRAT"}) {
    const std::string set = "(set-logic " + std::string(logic) + ")";
    EXPECT_EQ(printed_term(set, "1"), "1.0") << logic;
    EXPECT_EQ(printed_term(set, "-1"), "(- 1.0)") << logic;
    EXPECT_EQ(printed_term(set, "(* 2 3)"), "(* 2.0 3.0)") << logic;
    EXPECT_EQ(sort_of(set, "(ite (< 1 2) 3 4)"), "Real") << logic;
  }
  for (const char* logic : {"QF_LIA", "QF_LIRA", "AUFLIRA", "QF_S", "QF_SLIA", "ALL", "QF_BV"}) {
    const std::string set = "(set-logic " + std::string(logic) + ")";
    EXPECT_EQ(printed_term(set, "1"), "1") << logic;
  }
  EXPECT_EQ(printed_term("(set-logic QF_LRA)(reset)", "1"), "1");
  EXPECT_EQ(printed_term("(set-logic QF_IRDL)(declare-const x Int)", "(= x 1)"), "(= x 1)");
  EXPECT_EQ(printed_term("", "1"), "1");
}

TEST(Lenient, IndicesStayNumbersInLogicsWithoutIntegers) {
  EXPECT_EQ(printed("(set-logic QF_LRA)\n(declare-sort S 1)\n(push 1)\n(pop 1)\n"),
            "(set-logic QF_LRA)\n(declare-sort S 1)\n(push 1)\n(pop 1)\n");
}

TEST(Lenient, OneArgumentWhereTwoAreWanted) {
  const std::pair<const char*, const char*> cases[] = {
      {"(+ x)", "x"},           {"(* x)", "x"},
      {"(< x)", "true"},        {"(>= r)", "true"},
      {"(distinct x)", "true"}, {"(= x)", "true"},
      {"(=> p)", "p"},          {"(to_real r)", "(to_real (to_int r))"},
  };
  for (const auto& [text, standard] : cases) {
    EXPECT_EQ(printed_term(kNumbers, text), standard) << text;
  }
  constexpr std::string_view kBits = "(declare-const v (_ BitVec 4))(declare-const s String)";
  EXPECT_EQ(printed_term(kBits, "(bvadd v)"), "v");
  EXPECT_EQ(printed_term(kBits, "(str.++ s)"), "s");
  EXPECT_THAT(printed_term(kBits, "(bvult v)"), HasSubstr("cannot take"));
}

// z3 reads all of these as they are, and bugs hide in them.
TEST(Lenient, ConnectivesOfOneFormulaOrNoneStay) {
  for (const char* text : {"(and p)", "(or p)", "(xor p)", "(and (or (xor (not (and p)))))", "and",
                           "or", "xor", "(and p or)", "(=> xor p)"}) {
    EXPECT_EQ(printed_term(kNumbers, text), text) << text;
  }
  EXPECT_THAT(printed_term(kNumbers, "(and x)"), HasSubstr("cannot take"));
  // A name for a function hides the operator.
  EXPECT_EQ(printed_term("(declare-const or Int)", "or"), "or");
  EXPECT_THAT(printed_term("(declare-const or Int)", "(= 1 (or))"), HasSubstr("to nothing"));
}

// In parentheses nobody reads it: it is printed in the way that z3 does.
TEST(Lenient, AConnectiveAppliedToNothingIsItsName) {
  EXPECT_EQ(printed_term("", "(or)"), "or");
  EXPECT_EQ(printed_term("", "(not (and))"), "(not and)");
  EXPECT_EQ(error_in("(assert (or))", {.strict = true}), "1:9: 'or' is applied to nothing");
  EXPECT_EQ(error_in("(assert (distinct))"), "1:9: 'distinct' is applied to nothing");
  EXPECT_EQ(error_in("(assert (true))"), "1:9: 'true' is applied to nothing");
}

TEST(Lenient, OldSpellings) {
  constexpr std::string_view kStrings = "(declare-const s String)(declare-const p Bool)";
  EXPECT_EQ(printed_term(kStrings, "(str.in.re s (str.to.re \"a\"))"),
            "(str.in_re s (str.to_re \"a\"))");
  EXPECT_EQ(printed_term(kStrings, "(str.to.int s)"), "(str.to_int s)");
  EXPECT_EQ(printed_term(kStrings, "(int.to.str 1)"), "(str.from_int 1)");
  EXPECT_EQ(printed_term(kStrings, "(implies p p)"), "(=> p p)");
  EXPECT_EQ(printed_term(kStrings, "(iff p p)"), "(= p p)");
  EXPECT_EQ(printed_term(kStrings, "(if p s s)"), "(ite p s s)");
}

TEST(Lenient, SetsOfZ3AreArrays) {
  constexpr std::string_view kSets =
      "(declare-const s (Set Int))(declare-const a (Array Int Bool))(declare-fun f ((Set Int)) "
      "Bool)";
  EXPECT_EQ(sort_of(kSets, "(select s 1)"), "Bool");
  EXPECT_EQ(sort_of(kSets, "(store s 1 true)"), "(Set Int)");
  EXPECT_EQ(sort_of(kSets, "(f a)"), "Bool");
}

// --- Names, scopes, overloads. ---

TEST(Names, BarsDoNotMakeAnotherSymbol) {
  EXPECT_EQ(printed_term("(declare-const |x| Int)(declare-const |a b| Int)", "(+ x |a b|)"),
            "(+ x |a b|)");
}

TEST(Names, AFunctionMayBeOverloaded) {
  constexpr std::string_view kPrelude =
      "(declare-fun f (Int) Int)(declare-fun f (Bool) Bool)(declare-fun f (Int Int) Real)"
      "(declare-const f String)";
  EXPECT_EQ(sort_of(kPrelude, "(f 1)"), "Int");
  EXPECT_EQ(sort_of(kPrelude, "(f true)"), "Bool");
  EXPECT_EQ(sort_of(kPrelude, "(f 1 2)"), "Real");
  EXPECT_EQ(sort_of(kPrelude, "f"), "String");
}

// The overload that takes the arguments as they are comes first, however old it is.
TEST(Names, AnExactOverloadGoesBeforeAConversion) {
  EXPECT_EQ(sort_of("(declare-fun f (Int) Int)(declare-fun f (Real) Bool)", "(f 1)"), "Int");
  EXPECT_EQ(sort_of("(declare-fun f (Real) Bool)", "(f 1)"), "Bool");
}

TEST(Names, ADeclarationMayHideAnOperator) {
  EXPECT_EQ(sort_of("(declare-const and Int)", "and"), "Int");
  EXPECT_EQ(sort_of("(declare-const and Int)", "(and true false)"), "Bool");
  EXPECT_EQ(printed_term("(declare-const and Int)", "(+ and 1)"), "(+ and 1)");
  EXPECT_EQ(sort_of("(declare-fun bvadd (Int Int) Bool)", "(bvadd 1 2)"), "Bool");
  EXPECT_EQ(sort_of("(declare-fun bvadd (Int Int) Bool)", "(bvadd #x1 #x2)"), "(_ BitVec 4)");
  EXPECT_EQ(sort_of("(declare-fun lambda (Int) Bool)", "(lambda 1)"), "Bool");
  EXPECT_EQ(sort_of("(declare-const select Int)", "select"), "Int");
}

TEST(Names, LocalsHideFunctionsAndOperators) {
  EXPECT_EQ(printed_term("(declare-const x Int)", "(let ((x true)) x)"), "true");
  EXPECT_EQ(printed_term("", "(let ((and 1)) (+ and 1))"), "(+ 1 1)");
  EXPECT_EQ(sort_of("", "(forall ((and Bool)) (and and true))"), "Bool");
}

TEST(Names, LetIsParallel) {
  constexpr std::string_view kPrelude = "(declare-const x Int)(declare-const y Int)";
  EXPECT_EQ(printed_term(kPrelude, "(let ((x y) (y x)) (- x y))"), "(- y x)");
  EXPECT_EQ(printed_term(kPrelude, "(let ((x 1)) (let ((y x) (x 2)) (+ x y)))"), "(+ 2 1)");
  EXPECT_EQ(printed_term(kPrelude, "(let ((z (let ((x 5)) x))) (+ z x))"), "(+ 5 x)");
}

TEST(Names, InnerBindersHideOuterOnes) {
  TestScript test;
  ASSERT_TRUE(
      test.read("(assert (forall ((x Int)) (and (exists ((x Bool)) x) (exists ((x Int)) (= x 1)) "
                "(= x 2))))"));
  EXPECT_EQ(test.print(),
            "(set-logic ALL)\n"
            "(assert (forall ((x Int)) (and (exists ((x Bool)) x) (exists ((x Int)) (= x 1)) "
            "(= x 2))))\n");
}

TEST(Names, EqualQuantifiedTermsAreOneTerm) {
  TestScript test;
  ASSERT_TRUE(
      test.read("(get-value ((forall ((x Int)) (= x 1)) (let ((y 1)) "
                "(forall ((x Int)) (= x y)))))"));
  const auto terms = test.script.items(test.script.commands[0]);
  EXPECT_EQ(terms[0], terms[1]);
}

TEST(Names, LetBoundTermsKeepTheirVariables) {
  TestScript test;
  ASSERT_TRUE(test.read("(assert (forall ((x Int)) (let ((y x)) (exists ((x Int)) (< x y)))))"));
  const ir::TermId outer = test.last_term();
  const ir::TermId inner = test.store.args(outer).back();
  const auto less = test.store.args(test.store.args(inner).back());
  EXPECT_EQ(less[0], test.store.bound_variables(inner)[0]);
  EXPECT_EQ(less[1], test.store.bound_variables(outer)[0]);
  EXPECT_NE(less[0], less[1]);
}

TEST(Names, PushAndPopDecideWhatIsVisible) {
  EXPECT_EQ(error_in("(push)(declare-const x Int)(pop)(declare-const x Bool)(assert x)"),
            "no error");
  EXPECT_EQ(error_in("(push)(declare-const x Bool)(pop)(assert x)"), "1:42: unknown constant 'x'");
  EXPECT_EQ(error_in("(push 2)(declare-const x Bool)(pop 1)(assert x)"),
            "1:46: unknown constant 'x'");
  EXPECT_EQ(error_in("(declare-const x Bool)(push)(pop)(assert x)"), "no error");
  EXPECT_EQ(error_in("(push)(declare-sort S 0)(pop)(declare-const x S)"), "1:47: unknown sort 'S'");
  EXPECT_EQ(error_in("(push)(define-fun f ((x Int)) Int x)(pop)(declare-fun f (Int) Int)"),
            "no error");
  EXPECT_EQ(error_in("(push)(assert (! true :named n))(pop)(assert (! false :named n))"),
            "no error");
}

TEST(Names, GlobalDeclarationsOutliveAPop) {
  constexpr std::string_view kOption = "(set-option :global-declarations true)";
  EXPECT_EQ(error_in(std::string(kOption) + "(push)(declare-const x Bool)(pop)(assert x)"),
            "no error");
  EXPECT_THAT(
      error_in(std::string(kOption) + "(push)(declare-const x Bool)(pop)(declare-const x Bool)"),
      HasSubstr("declared already"));
  EXPECT_THAT(error_in(std::string(kOption) + "(set-option :global-declarations false)"
                                              "(push)(declare-const x Bool)(pop)(assert x)"),
              HasSubstr("unknown constant"));
}

TEST(Names, ResetForgetsThem) {
  EXPECT_THAT(error_in("(declare-const x Bool)(reset)(assert x)"), HasSubstr("unknown constant"));
  EXPECT_EQ(error_in("(declare-const x Bool)(push)(reset)(declare-const x Int)"), "no error");
  EXPECT_THAT(error_in("(push)(reset)(pop)"), HasSubstr("pop of 1 levels, but there are 0"));
}

TEST(Names, ResetAssertionsKeepsThemAndAllowsNewOnes) {
  EXPECT_EQ(error_in("(declare-const x Bool)(reset-assertions)(assert x)"), "no error");
  EXPECT_EQ(
      error_in("(declare-const x Bool)(reset-assertions)(declare-const x Int)(assert (= x 1))"),
      "no error");
}

TEST(Names, ADefinitionIsNotVisibleInItsOwnBody) {
  EXPECT_EQ(warnings_in("(define-fun f ((x Int)) Int (f x))"),
            "1:29: unknown operator 'f' is carried through\n");
  EXPECT_EQ(error_in("(define-fun f ((x Int)) Int f)"), "1:29: unknown constant 'f'");
  EXPECT_EQ(error_in("(define-fun-rec f ((x Int)) Int (f x))"), "no error");
  // The inner f is the declared one.
  EXPECT_EQ(echo("(declare-fun f () Int)(define-fun f ((x Int)) Int (+ x f))"),
            "(declare-fun f () Int)\n(define-fun f ((x Int)) Int (+ x f))");
}

TEST(Names, MutualRecursion) {
  TestScript test;
  ASSERT_TRUE(
      test.read("(define-funs-rec ((f ((x Int)) Int) (g ((x Bool)) Int)) ((g true) (f 1)))"
                "(assert (= (f 1) (g false)))"))
      << test.error();
  const auto funs = test.script.items(test.script.commands[0]);
  EXPECT_EQ(test.store.callee(test.store.fun(ir::FunId{funs[0]}).body).value, funs[1]);
  EXPECT_EQ(test.store.callee(test.store.fun(ir::FunId{funs[1]}).body).value, funs[0]);
}

// --- Annotations. ---

TEST(Annotations, AreKept) {
  const char* const same[] = {
      "(! p :named a)",
      "(! p :qid |a b| :weight 3)",
      "(! p :flag)",
      "(! p :pattern ())",
      "(! p :first :second (x (y \"z\")))",
      "(forall ((x Int)) (! (f x) :pattern ((f x))))",
      "(forall ((x Int)) (! (f x) :pattern ((f x) (f (+ x 1))) :no-pattern ((f 0)) :qid q))",
  };
  for (const char* text : same) {
    EXPECT_EQ(printed_term("(declare-const p Bool)(declare-fun f (Int) Bool)", text), text);
  }
}

TEST(Annotations, NestedOnesBecomeOne) {
  EXPECT_EQ(printed_term("(declare-const p Bool)", "(! (! p :a 1) :b 2)"), "(! p :a 1 :b 2)");
}

TEST(Annotations, ANameStandsForTheTerm) {
  EXPECT_EQ(echo("(declare-const p Bool)(assert (! p :named n))(assert (not n))"),
            "(declare-const p Bool)\n(assert (! p :named n))\n(assert (not n))");
  EXPECT_EQ(sort_of("(assert (= (! 1 :named n) 1))", "n"), "Int");
  EXPECT_EQ(echo("(declare-const p Bool)(assert (and (! p :named n) n))"),
            "(declare-const p Bool)\n(assert (and (! p :named n) n))");
}

TEST(Annotations, ANameIsWrittenOnce) {
  EXPECT_EQ(echo("(declare-const p Bool)(assert (let ((q (! p :named n))) (or q (not q))))"),
            "(declare-const p Bool)\n(assert (or (! p :named n) (not p)))");
  EXPECT_EQ(error_in("(declare-const p Bool)(assert (! p :named n))(assert (! p :named n))"),
            "1:66: 'n' is declared already");
  EXPECT_EQ(echo("(declare-const p Bool)(push)(assert (! p :named n))(pop)(assert (! p :named n))"),
            "(declare-const p Bool)\n(push 1)\n(assert (! p :named n))\n(pop 1)\n"
            "(assert (! p :named n))");
}

TEST(Annotations, APatternThatIsNoTermIsCarried) {
  constexpr std::string_view kPrelude = "(declare-fun f (Int) Bool)";
  EXPECT_EQ(printed_term(kPrelude, "(forall ((x Int)) (! (f x) :pattern ((g 1 (h)))))"),
            "(forall ((x Int)) (! (f x) :pattern ((g 1 (h)))))");
  EXPECT_EQ(printed_term(kPrelude, "(forall ((x Int)) (! (f x) :pattern (1 x y) :qid z))"),
            "(forall ((x Int)) (! (f x) :pattern (1 x y) :qid z))");
}

// --- Datatypes. ---

constexpr std::string_view kLists =
    "(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (head T) (tail (L T)))))))"
    "(declare-datatypes ((D 0)) (((a) (b (n Int)) (c (m Int) (o Bool)))))"
    "(declare-const l (L Int))(declare-const k (L Bool))(declare-const d D)";

TEST(Datatypes, ParametricConstructorsAndSelectors) {
  EXPECT_EQ(sort_of(kLists, "(as nil (L Int))"), "(L Int)");
  EXPECT_EQ(sort_of(kLists, "(cons 1 (as nil (L Int)))"), "(L Int)");
  EXPECT_EQ(sort_of(kLists, "((as cons (L Int)) 1 l)"), "(L Int)");
  EXPECT_EQ(sort_of(kLists, "(head l)"), "Int");
  EXPECT_EQ(sort_of(kLists, "(head (tail k))"), "Bool");
  EXPECT_EQ(printed_term(kLists, "(cons 1 (as nil (L Int)))"), "(cons 1 (as nil (L Int)))");
  EXPECT_EQ(printed_term(kLists, "((as cons (L Int)) 1 l)"), "(cons 1 l)");
  EXPECT_THAT(printed_term(kLists, "(cons 1 k)"), HasSubstr("cannot take (Int (L Bool))"));
  EXPECT_THAT(printed_term(kLists, "(as nil Int)"), HasSubstr("'nil' cannot have sort Int"));
}

TEST(Datatypes, ABareNilNeedsItsSort) {
  EXPECT_THAT(printed_term(kLists, "(= l nil)"),
              HasSubstr("the sort of 'nil' is open here: write (as nil <sort>)"));
}

TEST(Datatypes, TestersInBothSpellings) {
  EXPECT_EQ(printed_term(kLists, "((_ is cons) l)"), "((_ is cons) l)");
  EXPECT_EQ(printed_term(kLists, "(is-cons l)"), "((_ is cons) l)");
  EXPECT_EQ(printed_term(kLists, "(is-a d)"), "((_ is a) d)");
  EXPECT_THAT(printed_term(kLists, "((_ is cons) d)"), HasSubstr("'is' cannot take (D)"));
  EXPECT_EQ(sort_of("(declare-fun is-a (Int) Int)", "(is-a 1)"), "Int");
}

TEST(Datatypes, Updates) {
  EXPECT_EQ(printed_term(kLists, "((_ update n) d 1)"), "((_ update n) d 1)");
  EXPECT_EQ(printed_term(kLists, "((_ update-field n) d 1)"), "((_ update-field n) d 1)");
  EXPECT_THAT(printed_term(kLists, "((_ update n) d true)"), HasSubstr("cannot take"));
}

TEST(Datatypes, Match) {
  const char* const same[] = {
      "(match d ((a 1) ((b x) x) ((c x y) (ite y x 0))))",
      "(match d ((a 1) (x (n x))))",
      "(match d ((|_| 1)))",
      "(match d (((b x) x) (|_| 0)))",
      "(match l ((nil 0) ((cons x y) (+ x (head y)))))",
  };
  for (const char* text : same) EXPECT_EQ(printed_term(kLists, text), text);
  EXPECT_EQ(sort_of(kLists, same[0]), "Int");
  // A reserved word is a name only between bars, and solvers read it so.
  EXPECT_EQ(printed_term(kLists, "(match d (((c _ _) 1) (_ 2)))"),
            "(match d (((c |_| _!1) 1) (|_| 2)))");
  EXPECT_THAT(printed_term(kLists, "(match d ((a 1) (x true)))"),
              HasSubstr("the cases of match have sorts Int and Bool"));
  EXPECT_THAT(printed_term(kLists, "(match d (((e x) 1)))"), HasSubstr("'e' is not a constructor"));
  EXPECT_THAT(printed_term(kLists, "(match d (((cons x y) 1)))"),
              HasSubstr("'cons' is not a constructor of sort D"));
}

TEST(Datatypes, TheListOfZ3) {
  constexpr std::string_view kPrelude = "(declare-const l (List Int))";
  EXPECT_EQ(sort_of(kPrelude, "(insert 1 (as nil (List Int)))"), "(List Int)");
  EXPECT_EQ(sort_of(kPrelude, "(head (tail l))"), "Int");
  EXPECT_EQ(printed_term(kPrelude, "(= l nil)"), "(= l (as nil (List Int)))");
  EXPECT_EQ(printed(kPrelude),
            "(set-logic ALL)\n(declare-datatypes ((List 1)) "
            "((par (T) ((nil) (insert (head T) (tail (List T)))))))\n"
            "(declare-const l (List Int))\n");
  EXPECT_EQ(sort_of("(declare-sort List 1)(declare-const l (List Int))", "l"), "(List Int)");
}

// --- Arrays, higher order, other binders. ---

TEST(HigherOrder, FunctionsAreValues) {
  constexpr std::string_view kPrelude =
      "(declare-fun f (Int Int) Bool)(declare-const g (-> Int Bool))"
      "(declare-fun h ((-> Int Bool)) Int)(declare-fun k (Int) (-> Int Bool))";
  EXPECT_EQ(sort_of(kPrelude, "f"), "(-> Int Int Bool)");
  EXPECT_EQ(sort_of(kPrelude, "k"), "(-> Int Int Bool)");
  EXPECT_EQ(sort_of("(declare-const c (-> Int (-> Bool Real)))", "c"), "(-> Int Bool Real)");
  EXPECT_EQ(printed_term(kPrelude, "(g 1)"), "(g 1)");
  EXPECT_EQ(printed_term(kPrelude, "(@ g 1)"), "(g 1)");
  EXPECT_EQ(sort_of(kPrelude, "(f 1)"), "(-> Int Bool)");
  EXPECT_EQ(printed_term(kPrelude, "(@ f 1)"), "(f 1)");
  EXPECT_EQ(printed_term(kPrelude, "(@ f 1 2)"), "(@ f 1 2)");
  EXPECT_EQ(printed_term(kPrelude, "(h g)"), "(h g)");
  EXPECT_EQ(printed_term(kPrelude, "(h (f 1))"), "(h (f 1))");
  EXPECT_EQ(sort_of(kPrelude, "(k 1 2)"), "Bool");
  EXPECT_EQ(sort_of(kPrelude, "((k 1) 2)"), "Bool");
  EXPECT_EQ(sort_of(kPrelude, "((lambda ((x Int)) (> x 0)) 1)"), "Bool");
  EXPECT_EQ(printed_term(kPrelude, "(h (lambda ((x Int)) (> x 0)))"),
            "(h (lambda ((x Int)) (> x 0)))");
  EXPECT_THAT(printed_term(kPrelude, "(1 2)"), HasSubstr("an operator expected"));
  EXPECT_THAT(printed_term(kPrelude, "((h g) 1)"),
              HasSubstr("a term of sort Int cannot be applied"));
}

TEST(HigherOrder, Z3sFunctionsAreArrays) {
  constexpr std::string_view kPrelude =
      "(declare-const a (Array Int Bool))(declare-fun f (Int) Bool)(declare-fun g (Bool) Bool)";
  EXPECT_EQ(printed_term(kPrelude, "(a 1)"), "(select a 1)");
  EXPECT_EQ(printed_term(kPrelude, "(= a (lambda ((x Int)) (> x 0)))"),
            "(= a (lambda ((x Int)) (> x 0)))");
  EXPECT_EQ(sort_of(kPrelude, "(_ as-array f)"), "(Array Int Bool)");
  EXPECT_EQ(printed_term(kPrelude, "((_ map g) a)"), "((_ map g) a)");
  EXPECT_EQ(printed_term(kPrelude, "((_ map and) a a)"), "((_ map and) a a)");
  EXPECT_EQ(printed_term(kPrelude, "((_ map (and (Bool Bool) Bool)) a a)"),
            "((_ map (and (Bool Bool) Bool)) a a)");
}

TEST(Binders, AllOfThem) {
  const char* const same[] = {
      "(forall ((x Int) (y Int)) (= x y))",
      "(exists ((x Int)) (= x 1))",
      "(lambda ((x Int) (y Bool)) (ite y x 0))",
      "(witness ((x Int)) (> x 0))",
      "(set.comprehension ((x Int)) (> x 0) (* x x))",
  };
  for (const char* text : same) EXPECT_EQ(printed_term("", text), text);
  EXPECT_EQ(printed_term("", "(choice ((x Int)) (> x 0))"), same[3]);
  EXPECT_EQ(sort_of("", same[2]), "(-> Int Bool Int)");
  EXPECT_EQ(sort_of("", same[3]), "Int");
  EXPECT_EQ(sort_of("", same[4]), "(Set Int)");
}

TEST(Indexed, Operators) {
  constexpr std::string_view kPrelude = "(declare-const v (_ BitVec 8))(declare-const x Int)";
  const char* const same[] = {
      "((_ extract 7 4) v)",
      "((_ zero_extend 0) v)",
      "((_ repeat 2) v)",
      "((_ int2bv 4) x)",
      "((_ divisible 3) x)",
      "((_ re.loop 1 3) re.all)",
      "((_ to_fp 5 11) RNE ((_ to_fp 3 5) v))",
      "(tuple.unit x)",
  };
  for (size_t i = 0; i + 1 < std::size(same); ++i)
    EXPECT_EQ(printed_term(kPrelude, same[i]), same[i]);
  EXPECT_EQ(sort_of(kPrelude, same[0]), "(_ BitVec 4)");
  EXPECT_EQ(sort_of(kPrelude, same[2]), "(_ BitVec 16)");
  EXPECT_THAT(printed_term(kPrelude, "((_ extract 8 0) v)"), HasSubstr("cannot take"));
  EXPECT_THAT(printed_term(kPrelude, "((_ extract 0 1) v)"), HasSubstr("cannot take"));
  EXPECT_THAT(printed_term(kPrelude, "((_ extract 1) v)"),
              HasSubstr("'extract' has 2 indices, not 1"));
}

TEST(Qualified, ConstantArraysAndEmptySets) {
  EXPECT_EQ(printed_term("", "((as const (Array Int Bool)) true)"),
            "((as const (Array Int Bool)) true)");
  EXPECT_EQ(printed_term("", "(as set.empty (Set Int))"), "(as set.empty (Set Int))");
  EXPECT_EQ(printed_term("", "(as seq.empty (Seq Int))"), "(as seq.empty (Seq Int))");
  EXPECT_THAT(printed_term("", "set.empty"), HasSubstr("write (as set.empty <sort>)"));
  EXPECT_THAT(printed_term("", "(as set.empty Int)"), HasSubstr("cannot have sort Int"));
  EXPECT_EQ(printed_term("(declare-const x Int)", "(as x Int)"), "x");
  EXPECT_EQ(sort_of("(declare-fun f (Int) Int)(declare-fun f (Int Int) Bool)", "((as f Int) 1)"),
            "Int");
}

// --- What we do not know. ---

TEST(Unknown, OperatorsKeepTheirArguments) {
  const char* const same[] = {
      "(frob x 1)",
      "((_ frob 1 a) x)",
      "((as frob Int) x)",
      "(and (frob x) (= (frob x) 1))",
      "(+ x (frob 1) 2)",
      "(|fr ob| x)",
      "(forall ((y Int)) (frob y))",
      "(_ frob 12345678901234567890)",
      "(as @a0 Int)",
  };
  for (const char* text : same) EXPECT_EQ(printed_term("(declare-const x Int)", text), text);
  EXPECT_EQ(sort_of("(declare-const x Int)", "((as frob Bool) x)"), "Bool");
}

TEST(Unknown, VariablesInsideAreVariables) {
  EXPECT_EQ(printed_term("", "(forall ((x Int)) (let ((y x)) (exists ((x Int)) (frob x y))))"),
            "(forall ((x Int)) (exists ((x!1 Int)) (frob x!1 x)))");
}

TEST(Unknown, ArgumentsThatAreNoTermsMakeItText) {
  const char* const same[] = {
      "(frob ((x 1)) y)", "(frob undeclared)", "(frob (+ true 1) (other))", "(frob ())",
      "(frob (1 2))",     "(frob :key)",       "((as (_ frob 1) Int) x)",   "((_ frob) x)",
  };
  for (const char* text : same) {
    EXPECT_EQ(printed_term("(declare-const x Int)", text), text);
    EXPECT_EQ(printed_term("(declare-const x Int)", "(= x " + std::string(text) + ")"),
              "(= x " + std::string(text) + ")");
  }
  EXPECT_EQ(printed_term("", "(not (frob (blob undeclared)))"), "(not (frob (blob undeclared)))");
}

TEST(Unknown, TheInnermostApplicationThatCannotBeReadIsText) {
  TestScript test;
  ASSERT_TRUE(test.read("(get-value ((frob (blob undeclared))))"));
  ASSERT_EQ(test.store.op(test.last_term()), ir::Op::kUnknownCall);
  EXPECT_EQ(test.store.literal_text(test.last_term()), "frob");
  const ir::TermId inner = test.store.args(test.last_term())[0];
  ASSERT_EQ(test.store.op(inner), ir::Op::kUnknownText);
  EXPECT_EQ(test.store.literal_text(inner), "(blob undeclared)");
  // An unknown binder: no part of its list of variables is a term.
  ASSERT_TRUE(test.read("(get-value ((bind ((x Int) (y Int)) (= x y))))"));
  EXPECT_EQ(test.store.op(test.last_term()), ir::Op::kUnknownText);
}

TEST(Unknown, FailingAgainAndAgainEnds) {
  std::string text = "(assert ";
  for (int i = 0; i < 20'000; ++i) text += "(frob ";
  text += "x";
  for (int i = 0; i < 20'000; ++i) text += " undeclared)";
  TestScript test;
  EXPECT_TRUE(test.read(text + ")")) << test.error();
}

// The names that let gives do not outlive reading, so such a text takes its lets along.
TEST(Unknown, TextKeepsTheLetsThatItNeeds) {
  constexpr std::string_view kPrelude = "(declare-const x Int)(declare-const p Bool)";
  const std::pair<const char*, const char*> cases[] = {
      {"(let ((y (+ x 1))) (and p (frob y undeclared)))",
       "(let ((y (+ x 1))) (and p (frob y undeclared)))"},
      {"(let ((z p)) (let ((y (+ x 1))) (and z (frob y undeclared))))",
       "(let ((z p)) (let ((y (+ x 1))) (and z (frob y undeclared))))"},
      {"(and p (let ((y x)) (let ((y y)) (frob y undeclared))))",
       "(and p (let ((y x)) (let ((y y)) (frob y undeclared))))"},
      {"(let ((y x)) (and p (frob undeclared)))", "(and p (frob undeclared))"},
      {"(let ((y x) (z (frob undeclared))) (= y z))", "(= x (frob undeclared))"},
      {"(forall ((y Int)) (and p (frob y undeclared)))",
       "(forall ((y Int)) (and p (frob y undeclared)))"},
      {"(let ((y x)) (! p :pattern ((g y))))", "(! p :pattern ((g x)))"},
      {"(let ((y x)) (! p :pattern (y (g (+ y p)))))",
       "(let ((y x)) (! p :pattern (y (g (+ y p)))))"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(printed_term(kPrelude, text), expected) << text;
  }
}

TEST(Unknown, AppliedToNothing) {
  EXPECT_EQ(printed_term("(declare-const x Int)", "(= x (frob))"), "(= x (frob))");
  EXPECT_EQ(printed_term("(declare-const x Int)", "(blob (frob) x)"), "(blob (frob) x)");
  EXPECT_EQ(printed_term("(declare-const x Int)", "((_ frob 1))"), "((_ frob 1))");
}

TEST(Unknown, EachIsWarnedOfOnce) {
  EXPECT_EQ(warnings_in("(declare-const x Int)\n(assert (frob x))\n(assert (frob (frob x)))"),
            "2:9: unknown operator 'frob' is carried through\n");
  EXPECT_EQ(warnings_in("(assert (frob (\n)))"),
            "1:9: an expression with unknown operator 'frob' is carried through\n");
}

TEST(Unknown, ItsErrorsInsideStandWhenTheTextDoesNotEnd) {
  EXPECT_EQ(error_in("(assert (frob (x"), "1:17: unexpected end of file, a term expected");
}

// Nothing is known of what a parametric function makes of an unknown argument.
TEST(Unknown, SortsSpread) {
  EXPECT_EQ(sort_of(kLists, "(head (frob l))"), "?");
  EXPECT_EQ(sort_of(kLists, "(tail (frob l))"), "?");
  EXPECT_EQ(sort_of(kLists, "(cons 1 (frob l))"), "(L Int)");
  EXPECT_EQ(sort_of(kLists, "(n (frob l))"), "Int");
  EXPECT_EQ(sort_of(kLists, "(match (frob l) ((nil 0) ((cons x y) x)))"), "Int");
  EXPECT_EQ(sort_of(kLists, "(match (frob l) (((cons x y) x) (nil 0)))"), "Int");
}

TEST(Unknown, FlagsAreSet) {
  TestScript test;
  ASSERT_TRUE(test.read("(declare-const p Bool)(assert (and p (frob p)))"));
  EXPECT_TRUE(test.store.has(test.last_term(), ir::kHasUnknown));
  ASSERT_TRUE(test.read("(declare-const q Bool)(assert (and q q))"));
  EXPECT_FALSE(test.store.has(test.last_term(), ir::kHasUnknown));
}

TEST(Strict, WhatWeDoNotKnowIsAnError) {
  const ParseOptions strict{.strict = true};
  EXPECT_EQ(error_in("(assert (frob 1))", strict), "1:9: unknown operator 'frob'");
  EXPECT_EQ(error_in("(assert ((_ frob 1) 1))", strict), "1:9: unknown operator 'frob'");
  EXPECT_EQ(error_in("(assert ((as (_ frob 1) Bool) 1))", strict),
            "1:10: qualified and indexed operator");
  EXPECT_EQ(error_in("(assert (frob))", strict), "1:9: 'frob' is applied to nothing");
  EXPECT_EQ(error_in("(frob)", strict), "1:1: unknown command 'frob'");
  EXPECT_EQ(error_in("(declare-const x (_ Frob 1))", strict), "1:18: unknown sort '(_ Frob 1)'");
  EXPECT_EQ(error_in("(declare-const x Int)(assert (= x (frob undeclared)))", strict),
            "1:41: unknown constant 'undeclared'");
  EXPECT_EQ(error_in("(declare-const p Bool)(assert (! p :pattern ((undeclared))))", strict),
            "1:46: 'undeclared' is applied to nothing");
  EXPECT_EQ(error_in("(get-model)(declare-const r Real)(assert (< r 1))", strict), "no error");
}

TEST(Strict, IsOfKindUnsupported) {
  TestScript test;
  ASSERT_FALSE(test.read("(assert (frob 1))", {.strict = true}));
  EXPECT_EQ(test.error_kind(), base::ErrorKind::kUnsupported);
}

// --- Errors. ---

TEST(Errors, OfCommands) {
  const std::pair<const char*, const char*> cases[] = {
      {"assert", "1:1: 'assert' found, '(' before a command expected"},
      {"\n )", "2:2: ')' found, '(' before a command expected"},
      {"()", "1:2: ')' found, a command expected"},
      {"(\"assert\" true)", "1:2: 'assert' found, a command expected"},
      {"(", "1:2: unexpected end of file, a command expected"},
      {"(assert true", "1:13: unexpected end of file, ')' at the end of the command expected"},
      {"(assert true false)", "1:14: 'false' found, ')' at the end of the command expected"},
      {"(check-sat-assuming true)", "1:21: 'true' found, '(' before the terms expected"},
      {"(set-logic 1)", "1:12: '1' found, a logic's name expected"},
      {"(set-option a b)", "1:13: 'a' found, a keyword expected"},
      {"(set-info a b)", "1:11: 'a' found, a keyword expected"},
      {"(get-model", "1:11: unexpected end of file"},
      {"(declare-sort 1)", "1:15: '1' found, a sort's name expected"},
      {"(declare-sort S x)", "1:17: 'x' found, the sort's arity expected"},
      {"(declare-sort S 99999999999)", "1:17: number too large here (2^31 or more)"},
      {"(declare-sort S 0)(declare-sort S 0)", "1:33: sort 'S' is declared already"},
      {"(define-sort S X Int)", "1:16: 'X' found, '(' before the parameters expected"},
      {"(declare-fun f Int)", "1:16: 'Int' found, '(' before the argument sorts expected"},
      {"(declare-fun f () 1)", "1:19: '1' found, a sort expected"},
      {"(declare-const x)", "1:17: ')' found, a sort expected"},
      {"(declare-const x Int)\n(declare-fun x () Int)",
       "2:14: 'x' is declared already with these argument sorts"},
      {"(define-fun f ((x Int)) Bool x)", "1:30: the term has sort Int, not Bool"},
      {"(define-fun f ((x)) Bool true)", "1:18: ')' found, a sort expected"},
      {"(define-fun f (x) Bool true)", "1:16: 'x' found, '(' before a variable expected"},
      {"(assert 1)", "1:9: the asserted term has sort Int, not Bool"},
      {"(assert-soft 1)", "1:14: the term has sort Int, not Bool"},
      {"(push x)", "1:7: 'x' found, a number of levels expected"},
      {"(push 2000000)", "1:7: more than 100000 levels"},
      {"(push 1)\n(pop 2)", "2:6: pop of 2 levels, but there are 1"},
      {"(declare-datatypes ((D 1)) (((a))))", "1:29: datatype 'D' has 1 parameters, not 0"},
      {"(declare-datatypes ((D 0)) ((par (T) ((a)))))",
       "1:29: datatype 'D' has 0 parameters, not 1"},
      {"(declare-datatypes ((D 0)) (()))", "1:30: datatype 'D' has no constructor"},
      {"(declare-datatypes ((D 0) (D 0)) (((a)) ((b))))", "1:28: sort 'D' is declared already"},
      {"(declare-datatype D ((a (s Unheard))))", "1:28: unknown sort 'Unheard'"},
      {"(declare-datatype D ((a s)))", "1:25: 's' found, '(' before a selector expected"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_in(text), message) << text;
}

TEST(Errors, OfSorts) {
  const std::pair<const char*, const char*> cases[] = {
      {"Imt", "1:18: unknown sort 'Imt'"},
      {"(Array Int)", "1:19: sort 'Array' takes 2 arguments, not 1"},
      {"(Int Int)", "1:19: sort 'Int' takes 0 arguments, not 1"},
      {"Array", "1:18: sort 'Array' takes 2 arguments, not 0"},
      {"(_ BitVec 0)", "1:18: a BitVec sort of 0 bits"},
      {"(_ BitVec x)", "1:28: 'x' found, a number of bits expected"},
      {"(_ BitVec 1 2)", "1:30: '2' found, ')' after the indices expected"},
      {"(_ BitVec 2147483648)", "1:28: number too large here (2^31 or more)"},
      {"(_ FloatingPoint 1 5)", "1:18: a FloatingPoint sort of 1 bits"},
      {"(_ FloatingPoint 5)", "1:36: ')' found, a number of bits expected"},
      {"(_ 1)", "1:21: '1' found, an indexed sort's name expected"},
      {"((Array) Int)", "1:19: '(' found, a sort's name expected"},
      {"\"Int\"", "1:18: 'Int' found, a sort expected"},
  };
  for (const auto& [sort, message] : cases) {
    EXPECT_EQ(error_in("(declare-const x " + std::string(sort) + ")"), message) << sort;
  }
}

TEST(Errors, OfSortsThatAreTooLarge) {
  std::string deep = "Int";
  for (int i = 0; i < 300; ++i) deep = fmt::format("(Seq {})", deep);
  EXPECT_THAT(error_in("(declare-const x " + deep + ")"), HasSubstr("sort too large"));
  // Doubles twenty times.
  std::string text = "(define-sort S0 () Int)";
  for (int i = 0; i < 20; ++i) {
    text += fmt::format("(define-sort S{0} () (Array S{1} S{1}))", i + 1, i);
  }
  EXPECT_THAT(error_in(text), HasSubstr("sort too large"));
}

TEST(Errors, OfTerms) {
  const std::pair<const char*, const char*> cases[] = {
      {"y", "2:9: unknown constant 'y'"},
      {"||", "2:9: unknown constant ''"},
      {"(+ x\n y)", "3:2: unknown constant 'y'"},
      {"()", "2:10: ')' found, an operator expected"},
      {"(1)", "2:10: '1' found, an operator expected"},
      {"(f)", "2:9: 'f' is applied to nothing"},
      {"(+ x true)",
       "2:9: '+' cannot take (Int Bool): it is (+ Int Int Int :left-assoc)"
       " or (+ Real Real Real :left-assoc)"},
      {"(f x x)", "2:9: 'f' cannot take (Int Int): it is (f Int)"},
      {"(x 1)", "2:9: 'x' cannot take (Int): it is (x)"},
      {"(= x (ite true 1 \"a\"))",
       "2:14: 'ite' cannot take (Bool Int String): it is (par (A) (ite Bool A A A))"},
      {"not", "2:9: operator 'not' lacks its arguments"},
      {"(let ((y 1)) (y 2))", "2:22: 'y' is not a function"},
      {"(let (y 1) y)", "2:15: 'y' found, a binding or ')' expected"},
      {"(let ((1 1)) true)", "2:16: '1' found, a name to bind expected"},
      {"(let ((y 1 2)) true)", "2:20: '2' found, ')' after the value of a binding expected"},
      {"(let ((y 1)) true true)", "2:27: 'true' found, ')' after the body of let expected"},
      {"(forall () true)", "2:9: a binder without variables"},
      {"(forall ((y Int)) y)", "2:9: the body of this binder has sort Int, not Bool"},
      {"(forall ((y Int)) true true)",
       "2:32: 'true' found, ')' after the body of a binder expected"},
      {"(forall (y) true)", "2:18: 'y' found, '(' before a variable expected"},
      {"(! true 1)", "2:17: '1' found, an attribute or ')' expected"},
      {"(! true :named 1)", "2:24: '1' found, a name expected"},
      {"(! true :named x)", "2:24: 'x' is declared already"},
      {"(!)", "2:11: ')' found, a term expected"},
      {"(_ bv1 0)", "2:9: a bit-vector literal of 0 bits"},
      {"(_ bv1)", "2:15: ')' found, a width expected"},
      {"(_ bv1 20000000)", "2:9: a bit-vector literal of 20000000 bits"},
      {"(_ char x)", "2:17: 'x' found, a character's code expected"},
      {"(_ x)", "2:13: ')' found, an index expected"},
      {"((_ extract) #b0)", "2:20: ')' found, an index expected"},
      {"(as 1 Int)", "2:13: '1' found, a name expected"},
      {"(as x Bool)", "2:9: 'x' cannot have sort Bool"},
      {"(match x)", "2:17: ')' found, '(' before the cases of match expected"},
      {"(match x ())", "2:9: match on a term of sort Int, which is not a datatype"},
      {"((f) x)", "2:10: 'f' is applied to nothing"},
      {"#f12", "2:9: malformed field literal: #f<value>m<order> expected"},
      {":key", "2:9: ':key' found, a term expected"},
      {"(and true", "2:18: unexpected end of file, a term expected"},
      {"\"abc", "2:9: string without an end"},
      {"|abc", "2:9: quoted symbol without an end"},
      {"1x", "2:9: malformed number"},
  };
  for (const auto& [term, message] : cases) {
    const std::string text =
        "(declare-const x Int)(declare-fun f (Int) Bool)\n(assert " + std::string(term);
    const bool is_open = std::string_view(message).find("end") != std::string_view::npos;
    EXPECT_EQ(error_in(is_open ? text : text + ")"), message) << term;
  }
}

// What is expected next, at every place where something is.
TEST(Errors, OfShapes) {
  const std::pair<const char*, const char*> cases[] = {
      {"(assert (let x true))", "1:14: 'x' found, '(' before the bindings of let expected"},
      {"(assert (forall x true))", "1:17: 'x' found, '(' before the variables expected"},
      {"(assert (forall ((1 Int)) true))", "1:19: '1' found, a variable's name expected"},
      {"(assert (forall ((x Int 1)) true))",
       "1:25: '1' found, ')' after a variable's sort expected"},
      {"(assert (as true Bool x))", "1:23: 'x' found, ')' after the sort expected"},
      {"(assert ((as not Bool x) true))", "1:23: 'x' found, ')' after the sort expected"},
      {"(assert (_ 1 2))", "1:12: '1' found, an indexed name expected"},
      {"(assert (= (_ bv1 2 3) #b01))", "1:21: '3' found, ')' after the width expected"},
      {"(assert (= (_ char #x41 1) \"A\"))", "1:25: '1' found, ')' after the code expected"},
      {"(assert (= (_ char #x30000) \"A\"))", "1:20: no character has this code"},
      {"(declare-const x (_ FiniteField a))", "1:33: 'a' found, the order of the field expected"},
      {"(declare-const x (_ FiniteField 3 4))", "1:35: '4' found, ')' after the order expected"},
      {"(declare-fun 1 () Int)", "1:14: '1' found, a function's name expected"},
      {"(declare-const 1 Int)", "1:16: '1' found, a constant's name expected"},
      {"(define-fun 1 () Int 1)", "1:13: '1' found, a function's name expected"},
      {"(define-fun-rec 1 () Int 1)", "1:17: '1' found, a function's name expected"},
      {"(define-const 1 Int 1)", "1:15: '1' found, a constant's name expected"},
      {"(define-funs-rec f (1))", "1:18: 'f' found, '(' before the signatures expected"},
      {"(define-funs-rec ((f () Int 1)) (1))", "1:29: '1' found, ')' after a signature expected"},
      {"(define-funs-rec ((f () Int) 1) (1))",
       "1:30: '1' found, ')' after the signatures expected"},
      {"(define-funs-rec ((f () Int)) 1)", "1:31: '1' found, '(' before the bodies expected"},
      {"(define-funs-rec ((f () Int)) (1 2))", "1:34: '2' found, ')' after the bodies expected"},
      {"(define-sort S (1) Int)", "1:17: '1' found, a parameter expected"},
      {"(declare-datatypes D ((a)))", "1:20: 'D' found, '(' before the names expected"},
      {"(declare-datatypes ((1 0)) (((a))))", "1:22: '1' found, a datatype's name expected"},
      {"(declare-datatypes ((D x)) (((a))))", "1:24: 'x' found, the datatype's arity expected"},
      {"(declare-datatypes ((D 0 0)) (((a))))", "1:26: '0' found, ')' after the arity expected"},
      {"(declare-datatypes ((D 0) 1) (((a))))", "1:27: '1' found, ')' after the names expected"},
      {"(declare-datatypes ((D 0)) 1)", "1:28: '1' found, '(' before the bodies expected"},
      {"(declare-datatypes ((D 0)) (1))", "1:29: '1' found, '(' before the constructors expected"},
      {"(declare-datatypes ((D 0)) (((a)) 1))", "1:35: '1' found, ')' after the bodies expected"},
      {"(declare-datatypes ((D 1)) ((par T ((a)))))",
       "1:34: 'T' found, '(' before the parameters expected"},
      {"(declare-datatypes ((D 1)) ((par (T) ((a)) 1)))",
       "1:44: '1' found, ')' after the body expected"},
      {"(declare-datatypes (1) ((D a)))", "1:21: '1' found, a parameter expected"},
      {"(declare-datatypes () 1)", "1:23: '1' found, '(' before the datatypes expected"},
      {"(declare-datatypes () ((D a) 1))", "1:30: '1' found, ')' after the datatypes expected"},
      {"(declare-datatype D (1))", "1:22: '1' found, a constructor expected"},
      {"(declare-datatype D ((1)))", "1:23: '1' found, a constructor expected"},
      {"(declare-datatype D ((a (1 Int))))", "1:26: '1' found, a selector expected"},
      {"(declare-datatype D ((a (s Int 1))))", "1:32: '1' found, ')' after a selector expected"},
      {"(declare-datatype D ((a)))(assert (match a (((1) true))))",
       "1:47: '1' found, a constructor expected"},
      {"(declare-datatype D ((a)))(assert (match a ((1 true))))",
       "1:46: '1' found, a pattern expected"},
      {"(declare-datatype D ((a)))(assert (match a ((a true 1))))",
       "1:53: '1' found, ')' after a case expected"},
      {"(declare-datatype D ((a)))(assert (match a ((a true) 1)))",
       "1:54: '1' found, ')' after the cases expected"},
      {"(declare-datatype D ((a)))(assert (match a ((a true)) 1))",
       "1:55: '1' found, ')' after match expected"},
      {"(declare-datatype D ((a) (b (n Int))))(assert (match a (((b) true) (x true))))",
       "1:60: ')' found, a variable for each field expected"},
      {"(declare-datatype D ((a) (b (n Int))))(assert (match a (((b x y) true) (x true))))",
       "1:63: 'y' found, ')' after the pattern expected"},
      {"(declare-datatype D ((a) (b (n Int))))(assert (match a (((b x) true))))",
       "1:47: the cases of match leave out 'a'"},
      {"(assert (set.member 1 (set.comprehension ((x Int)) true)))",
       "1:23: a comprehension needs a condition and an element"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_in(text), message) << text;
}

TEST(Errors, LongTextsAreCut) {
  const std::string message = error_in("(set-option " + std::string(1000, 'a') + ")");
  EXPECT_THAT(message, HasSubstr("aaa...' found, a keyword expected"));
  EXPECT_LT(message.size(), 200U);
}

TEST(Errors, HaveAKind) {
  const auto kind_of = [](std::string_view text) {
    TestScript test;
    EXPECT_FALSE(test.read(text)) << text;
    return test.error_kind();
  };
  EXPECT_EQ(kind_of("(assert"), base::ErrorKind::kParse);
  EXPECT_EQ(kind_of("(assert x)"), base::ErrorKind::kType);
  EXPECT_EQ(kind_of("(declare-sort S 3000000000)"), base::ErrorKind::kLimit);
}

TEST(Errors, AreOfTheFirstFault) {
  EXPECT_EQ(error_in("(assert x)\n(assert y)"), "1:9: unknown constant 'x'");
}

// --- Depth. ---

TEST(Depth, CostsMemoryOnly) {
  constexpr int kDepth = 100'000;
  std::string nots;
  std::string lets;
  for (int i = 0; i < kDepth; ++i) {
    nots += "(not ";
    lets += "(let ((x (not x))) ";
  }
  const std::string close(kDepth, ')');
  TestScript test;
  ASSERT_TRUE(test.read("(declare-const x Bool)(assert " + nots + "x" + close + ")"));
  const std::string text = test.print();
  EXPECT_EQ(text, "(set-logic ALL)\n(declare-const x Bool)\n(assert " + nots + "x" + close + ")\n");
  TestScript other;
  ASSERT_TRUE(other.read("(declare-const x Bool)(assert " + lets + "x" + close + ")"));
  EXPECT_EQ(other.print(), text);
}

}  // namespace
}  // namespace elenchus::smtlib

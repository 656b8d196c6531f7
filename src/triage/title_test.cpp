#include "triage/title.h"

#include <gtest/gtest.h>

namespace elenchus::triage {
namespace {

record::Bug bug(const std::string& kind, const std::string& tail, const std::string& shape = "") {
  record::Bug one;
  one.kind = kind;
  one.solver = "z3";
  one.version = "4.8.12";
  one.signature = kind + " z3: " + tail;
  one.shape = shape;
  return one;
}

TEST(TitleTest, NamesTheFormulaWhereItIsShort) {
  EXPECT_EQ(title_of(bug("refutation-unsound", "bvmul", "(= (bvmul x1 x1) c)"), ""),
            "z3 4.8.12: wrong unsat on (= (bvmul x1 x1) c)");
  EXPECT_EQ(title_of(bug("refutation-unsound", "bvmul bvult", std::string(90, 'x')), ""),
            "z3 4.8.12: wrong unsat on bvmul bvult");
}

TEST(TitleTest, NamesThePlaceOfACrash) {
  const std::string place = "ASSERTION VIOLATION ast.cpp:388";
  EXPECT_EQ(title_of(bug("crash", place, "(f x1)"), place), "z3 4.8.12: " + place);
  EXPECT_EQ(title_of(bug("crash", "SIGSEGV select", "(select x1 c)"), "SIGSEGV"),
            "z3 4.8.12: SIGSEGV on (select x1 c)");
  EXPECT_EQ(title_of(bug("crash", "SIGSEGV select", std::string(90, 'x')), "SIGSEGV"),
            "z3 4.8.12: SIGSEGV on select");
  record::Bug traced = bug("crash", "SIGSEGV select", "(select x1 c)");
  traced.frames = {"array::solver::add(int, bool)", "main"};
  EXPECT_EQ(title_of(traced, "SIGSEGV"), "z3 4.8.12: SIGSEGV in solver::add");
}

TEST(TitleTest, NamesTheCommandThatItTakes) {
  EXPECT_EQ(title_of(bug("refutation-unsound", "reset-assertions", "(distinct c c)"), ""),
            "z3 4.8.12: wrong unsat after (reset-assertions)");
  EXPECT_EQ(title_of(bug("refutation-unsound", "bvmul push", "(= (bvmul x1 x1) c)"), ""),
            "z3 4.8.12: wrong unsat after (push) on (= (bvmul x1 x1) c)");
  EXPECT_EQ(title_of(bug("refutation-unsound", "bvmul push select", std::string(90, 'x')), ""),
            "z3 4.8.12: wrong unsat after (push) on bvmul select");
}

TEST(TitleTest, APlaceInAFileSaysNothing) {
  record::Bug hidden =
      bug("crash", "SIGSEGV in libcvc5.so.1+0x87b6f8 < libcvc5.so.1+0x85df30", "(select x1 c)");
  hidden.frames = {"libcvc5.so.1+0x87b6f8", "libcvc5.so.1+0x85df30"};
  hidden.theories = {"arrays"};
  EXPECT_EQ(title_of(hidden, "SIGSEGV@0x0"), "z3 4.8.12: SIGSEGV on (select x1 c)");
  EXPECT_EQ(title_of(hidden, "SIGSEGV@0x0", true),
            "z3 4.8.12: SIGSEGV after (reset) on (select x1 c)");
  hidden.theories.clear();
  hidden.shape = "(= (match x1 (match-case c) (match-case x2)) c) (distinct x3 x4)";
  EXPECT_EQ(title_of(hidden, "SIGSEGV@0x0", true),
            "z3 4.8.12: SIGSEGV after (reset) on (= (match x1 (match-case c) (match-case ...");
  hidden.theories = {"arrays"};
  hidden.shape = std::string(90, 'x');
  EXPECT_EQ(title_of(hidden, "SIGSEGV@0x0"), "z3 4.8.12: SIGSEGV on arrays");
}

TEST(TitleTest, HasNoSignaturesAndNoMoreThanALine) {
  const std::string place =
      "Fatal failure within virtual void cvc5::internal::theory::Arith::check(const Node&) at "
      "arith.cpp:12";
  EXPECT_EQ(title_of(bug("crash", place), place),
            "z3 4.8.12: Fatal failure in Arith::check at arith.cpp:12");
  EXPECT_EQ(title_of(bug("crash", ""), "heap-use-after-free < a::b::f(int) < main"),
            "z3 4.8.12: heap-use-after-free in b::f");
  std::string operators;
  for (int i = 0; i < 40; ++i) operators += "operator ";
  const std::string title = title_of(bug("invalid-model", operators), "");
  EXPECT_LE(title.size(), kMaxTitle);
  EXPECT_TRUE(title.ends_with("operator ...")) << title;
  EXPECT_LE(title_of(bug("crash", "x"), std::string(300, 'y')).size(), kMaxTitle);
}

TEST(TitleTest, SaysWhatABugProbablyIs) {
  record::Bug one = bug("invalid-model", "to_real", "(= x1 c)");
  one.probable = "solution-unsound";
  EXPECT_EQ(title_of(one, ""), "z3 4.8.12: wrong model, probably wrong sat on (= x1 c)");
}

TEST(TitleTest, SpeaksFunctions) {
  EXPECT_EQ(spoken_function("smt::context::propagate(bool, int)"), "context::propagate");
  EXPECT_EQ(spoken_function("(anonymous namespace)::f(int)"), "f");
  EXPECT_EQ(spoken_function("bool a::(anonymous namespace)::g(int) const"), "a::g");
  EXPECT_EQ(spoken_function("a::b::operator()(int) const"), "b::operator()");
  EXPECT_EQ(spoken_function("virtual void a::b<c::d>::e() const"), "b::e");
  EXPECT_EQ(spoken_function("main"), "main");
  EXPECT_EQ(spoken_function("(anonymous namespace)::f(int)").empty(), false);
  EXPECT_EQ(spoken_function(""), "");
}

}  // namespace
}  // namespace elenchus::triage

#include "diagnose/pieces.h"

#include <gtest/gtest.h>

namespace elenchus::diagnose {
namespace {

using Texts = std::vector<std::string_view>;

TEST(Pieces, ExpressionsUpToTheFirstThatDoesNotEnd) {
  EXPECT_EQ(expressions_in("x (f \")\" |(|) ; (\n3 (g"), (Texts{"x", "(f \")\" |(|)", "3"}));
  EXPECT_EQ(expressions_in("(a) ) (b)"), (Texts{"(a)"}));
  EXPECT_TRUE(expressions_in("").empty());
}

TEST(Pieces, GoalsOfATactic) {
  const auto goals = goals_in(
      "(goals\n(goal\n  (not (<= x 3))\n  p\n  :precision precise :depth 2)\n(goal false)\n)\n");
  ASSERT_TRUE(goals.has_value());
  ASSERT_EQ(goals->size(), 2u);
  EXPECT_EQ((*goals)[0], (Texts{"(not (<= x 3))", "p"}));
  EXPECT_EQ((*goals)[1], (Texts{"false"}));
  const auto nothing = goals_in("(goals\n(goal :precision precise :depth 1)\n)");
  ASSERT_TRUE(nothing.has_value());
  ASSERT_EQ(nothing->size(), 1u);
  EXPECT_TRUE((*nothing)[0].empty());
}

TEST(Pieces, WhatIsNoGoalIsNone) {
  EXPECT_FALSE(goals_in("(error \"line 1 column 2: invalid tactic\")").has_value());
  EXPECT_FALSE(goals_in("(goals (goal x").has_value());
  EXPECT_FALSE(goals_in("(goals (model x))").has_value());
}

TEST(Pieces, ASectionNeedsBothEnds) {
  EXPECT_EQ(section_of("a;; start\nb\n;; end c", ";; start\n", ";; end"), "b\n");
  EXPECT_EQ(section_of(";; start\nb", ";; start\n", ";; end"), "");
}

TEST(Pieces, DefinedConstantsBecomeEquations) {
  const auto text = with_equations(
      "(declare-fun y () Int)\n(define-fun x () (_ BitVec 8) ((_ int2bv 8) y))\n(assert true)\n");
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(*text,
            "(declare-fun y () Int)\n(declare-fun x () (_ BitVec 8))\n"
            "(assert (= x ((_ int2bv 8) y)))\n(assert true)\n");
}

TEST(Pieces, DefinedFunctionsAreNoEquations) {
  EXPECT_FALSE(with_equations("(define-fun f ((x Int)) Int x)").has_value());
  EXPECT_FALSE(with_equations("(define-fun-rec f () Int 1)").has_value());
}

}  // namespace
}  // namespace elenchus::diagnose

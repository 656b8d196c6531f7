#include "history/skeleton.h"

#include <gtest/gtest.h>

#include <string>

#include "history/atom.h"
#include "history/signature.h"
#include "smtlib/test_script.h"

namespace elenchus::history {
namespace {

constexpr std::string_view kDeclarations =
    "(declare-sort A 0)(declare-fun f (A) A)(declare-const a A)(declare-const p Bool)"
    "(declare-const q Bool)(declare-const x Int)(declare-const y Int)(declare-const r Real)"
    "(declare-fun g (Int Real) Bool)(declare-const s String)(declare-const b (_ BitVec 8))"
    "(declare-const m (Array Int Bool))";

std::string skeleton(const std::string& formula) {
  smtlib::TestScript test;
  EXPECT_TRUE(test.read(std::string(kDeclarations) + "(assert " + formula + ")")) << test.error();
  const Skeleton found = skeleton_of(test.store, test.last_term());
  const std::string text = to_text(found);
  const auto again = parse_skeleton(text);
  EXPECT_EQ(again ? to_text(*again) : "unreadable", text);
  return text;
}

TEST(Skeleton, KeepsConnectivesAndQuantifiers) {
  EXPECT_EQ(skeleton("p"), "_");
  EXPECT_EQ(skeleton("(and p (not (< x y)) (or p q))"), "(and _ (not _) (or _ _))");
  EXPECT_EQ(skeleton("(forall ((v A)) (exists ((w A) (z Int)) (=> (= v (f w)) (= z x))))"),
            "(forall (exists (=> _ _)))");
  EXPECT_EQ(skeleton("(xor p q)"), "(xor _ _)");
}

TEST(Skeleton, KeepsConnectivesOfOneFormulaOrNone) {
  EXPECT_EQ(skeleton("(forall ((v A)) (forall ((w A)) (and (= w (f (f w))))))"),
            "(forall (forall (and _)))");
  EXPECT_EQ(skeleton("xor"), "(xor)");
  EXPECT_EQ(skeleton("(or (and) (not or) p)"), "(or (and) (not (or)) _)");
}

TEST(Skeleton, BooleanEqualityDistinctAndIteAreConnectives) {
  EXPECT_EQ(skeleton("(= p (distinct q p))"), "(= _ (distinct _ _))");
  EXPECT_EQ(skeleton("(ite p (< x y) q)"), "(ite _ _ _)");
  EXPECT_EQ(skeleton("(= x y)"), "_");
  EXPECT_EQ(skeleton("(distinct x y)"), "_");
  // What is inside a term belongs to the atom.
  EXPECT_EQ(skeleton("(= x (ite (and p q) 1 y))"), "_");
  EXPECT_EQ(skeleton("(select m x)"), "_");
}

TEST(Skeleton, AnnotationsAndLetsAreNoPartOfIt) {
  EXPECT_EQ(skeleton("(! (and p (! q :named n)) :named top)"), "(and _ _)");
  EXPECT_EQ(skeleton("(let ((u (or p q))) (and u (not u)))"), "(and (or _ _) (not (or _ _)))");
  EXPECT_EQ(skeleton("(forall ((v Int)) (! (< v x) :pattern ((+ v x))))"), "(forall _)");
}

TEST(Skeleton, HugeFormulasHaveNone) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "(not ";
  deep += "p" + std::string(100'000, ')');
  smtlib::TestScript test;
  ASSERT_TRUE(test.read(std::string(kDeclarations) + "(assert " + deep + ")"));
  EXPECT_TRUE(skeleton_of(test.store, test.last_term()).nodes.empty());
  EXPECT_EQ(atoms_of(test.store, test.last_term()).size(), 1U);
  // Shared terms, written out, would be 2^60 large.
  std::string shared = "(let ((u0 (and p q)))";
  for (int i = 0; i < 60; ++i) {
    shared += "(let ((u" + std::to_string(i + 1) + " (or u" + std::to_string(i) + " (not u" +
              std::to_string(i) + "))))";
  }
  shared += "u60" + std::string(61, ')');
  ASSERT_TRUE(test.read(std::string(kDeclarations) + "(assert " + shared + ")")) << test.error();
  EXPECT_TRUE(skeleton_of(test.store, test.last_term()).nodes.empty());
  EXPECT_EQ(atoms_of(test.store, test.last_term()).size(), 2U);
}

TEST(Skeleton, BadTextsAreRefused) {
  for (const char* bad :
       {"",          "(",         ")",         "()",           "(=>)",   "(and _",
        "(=> _)",    "(not _ _)", "(ite _ _)", "(forall _ _)", "_ _",    "(and _ _) _",
        "(foo _ _)", "x",         "(and _ x)", "((and _ _))",  "(=> _)", "\"",
        "|",         "(and _ _))"}) {
    EXPECT_FALSE(parse_skeleton(bad).has_value()) << bad;
  }
  EXPECT_FALSE(parse_skeleton(std::string(100'000, '(')).has_value());
  std::string large = "(and";
  for (uint32_t i = 0; i < kMaxSkeletonNodes; ++i) large += " _";
  EXPECT_FALSE(parse_skeleton(large + ")").has_value());
}

std::string signature(const std::string& atom) {
  smtlib::TestScript test;
  EXPECT_TRUE(test.read(std::string(kDeclarations) + "(assert " + atom + ")")) << test.error();
  const std::string text = to_text(Signatures(test.store).of(test.last_term()));
  const auto again = parse_signature(text);
  EXPECT_TRUE(again.has_value()) << text;
  return text;
}

TEST(AtomSignature, SaysOperatorSortsAndWhetherThereAreVariables) {
  EXPECT_EQ(signature("(= 2 x)"), "(= IntConst IntVar)");
  EXPECT_EQ(signature("(= (+ 2 3) (* x y))"), "(= IntConst IntVar)");
  EXPECT_EQ(signature("(< r 1.5)"), "(< RealVar RealConst)");
  EXPECT_EQ(signature("(bvult b #x01)"), "(bvult BitVecVar BitVecConst)");
  EXPECT_EQ(signature("(str.in_re s (re.* (str.to_re \"a\")))"),
            "(str.in_re StringVar RegLanConst)");
  EXPECT_EQ(signature("(g x 1.0)"), "(@predicate IntVar RealConst)");
  EXPECT_EQ(signature("(= a (f a))"), "(= UninterpretedVar UninterpretedVar)");
  EXPECT_EQ(signature("p"), "(@boolean)");
  EXPECT_EQ(signature("true"), "(true)");
  EXPECT_EQ(signature("(select m 1)"), "(select ArrayVar IntConst)");
  EXPECT_EQ(signature("(distinct x 1 2 3 4 5 6 7 8)"),
            "(distinct IntVar IntConst IntConst IntConst IntConst IntConst)");
}

TEST(AtomSignature, BadTextsAreRefused) {
  for (const char* bad :
       {"", "=", "()", "(= Int)", "(= IntVar", "(= IntVar) x", "(= Foo)", "(= FooVar)",
        "((=) IntVar)", "(\"a\")", "(= IntVar IntVar IntVar IntVar IntVar IntVar IntVar)"}) {
    EXPECT_FALSE(parse_signature(bad).has_value()) << bad;
  }
}

std::string named(const std::string& atom) {
  smtlib::TestScript test;
  EXPECT_TRUE(test.read(std::string(kDeclarations) + "(assert " + atom + ")")) << test.error();
  AtomNamer namer(test.store);
  const auto atoms = atoms_of(test.store, test.last_term());
  const auto result = namer.name(atoms.at(0), Constants::kKept);
  if (!result) return "none";
  std::string text = result->text;
  for (const Declaration& each : result->declarations) text += "; " + each.name + " " + each.sorts;
  return text;
}

TEST(AtomNamer, RenamesApartBySort) {
  EXPECT_EQ(named("(= x (+ y x 1))"),
            "(= v0_Int (+ v1_Int v0_Int 1)); v0_Int () Int; v1_Int () Int");
  EXPECT_EQ(named("(g y r)"),
            "(f0_Int_Real_Bool v0_Int v0_Real); v0_Int () Int; v0_Real () Real; "
            "f0_Int_Real_Bool (Int Real) Bool");
  EXPECT_EQ(named("(= b #x0f)"), "(= v0_BitVec_8 #x0f); v0_BitVec_8 () (_ BitVec 8)");
  EXPECT_EQ(named("(= a (f a))"), "(= v0_U0 (f0_U0_U0 v0_U0)); v0_U0 () U0; f0_U0_U0 (U0) U0");
  EXPECT_EQ(named("p"), "v0_Bool; v0_Bool () Bool");
}

TEST(AtomNamer, VariablesBoundOutsideBecomeConstants) {
  EXPECT_EQ(named("(forall ((k Int)) (< k x))"), "(< v0_Int v1_Int); v0_Int () Int; v1_Int () Int");
  // Those that the atom binds itself stay bound.
  EXPECT_EQ(named("(= x (ite (exists ((k Int)) (< k y)) 1 2))"),
            "(= v0_Int (ite (exists ((b0 Int)) (< b0 v1_Int)) 1 2)); v0_Int () Int; v1_Int () Int");
}

TEST(AtomNamer, AtomsThatCannotStandByThemselvesHaveNoText) {
  smtlib::TestScript test;
  ASSERT_TRUE(
      test.read("(declare-datatypes ((D 0)) (((c (n Int)))))(declare-const d D)"
                "(assert (= d (c 1)))"));
  EXPECT_FALSE(AtomNamer(test.store).name(test.last_term(), Constants::kKept).has_value());
  std::string large = "(= x (+";
  for (int i = 0; i < 200; ++i) large += " y";
  EXPECT_EQ(named(large + "))"), "none");
}

}  // namespace
}  // namespace elenchus::history

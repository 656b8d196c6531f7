#include "triage/groups.h"

#include <gtest/gtest.h>

namespace elenchus::triage {
namespace {

record::Bug wrong(std::string operators, std::vector<std::string> gone_with) {
  record::Bug bug;
  bug.kind = "refutation-unsound";
  bug.solver = "z3";
  bug.version = "4.8.12";
  bug.signature = "refutation-unsound z3: " + operators;
  bug.diagnosed = !gone_with.empty();
  bug.gone_with = std::move(gone_with);
  return bug;
}

TEST(Groups, WhatTheSameOptionsSwitchOffIsOneBug) {
  const auto a = wrong("bvmul bvurem", {"rewriter.hi_div0=false", "smt.bv.delay=true"});
  auto b = wrong("bvadd bvmul", {"rewriter.hi_div0=false", "smt.bv.delay=true"});
  EXPECT_TRUE(is_same_bug(a, b));
  b.kind = "invalid-model";
  EXPECT_TRUE(is_same_bug(a, b));
  b.version = "5.1.0";
  EXPECT_FALSE(is_same_bug(a, b));
}

TEST(Groups, WithoutACommonOperatorTheyAreNot) {
  EXPECT_FALSE(is_same_bug(wrong("bvmul", {"a=1", "b=1"}), wrong("select", {"a=1", "b=1"})));
}

TEST(Groups, WhatOtherOptionsSwitchOffIsAnother) {
  const auto a = wrong("bvmul", {"a=1"});
  EXPECT_TRUE(is_same_bug(a, wrong("bvmul bvudiv", {})));
  EXPECT_FALSE(is_same_bug(a, wrong("bvmul bvudiv", {"b=1"})));
  EXPECT_TRUE(is_same_bug(a, wrong("bvmul bvudiv", {"a=1", "b=1", "c=1"})));
  EXPECT_FALSE(is_same_bug(a, wrong("bvmod bvudiv", {"a=1", "b=1", "c=1"})));
}

TEST(Groups, WhatShowsWithoutOptionsExplainsWhatWasFoundWithSome) {
  const auto plain = wrong("bvsmod", {});
  auto other = wrong("bvsmod bvule", {});
  other.signature = "refutation-unsound z3 sat.euf=true: bvsmod bvule";
  other.options = {"sat.euf=true"};
  EXPECT_TRUE(is_same_bug(plain, other));
  EXPECT_FALSE(is_same_bug(other, plain));
  auto third = other;
  third.signature = "refutation-unsound z3 smt.mbqi=false: bvsmod bvule bvule";
  third.options = {"smt.mbqi=false"};
  third.shape = "another";
  EXPECT_FALSE(is_same_bug(other, third));
}

TEST(Groups, FunctionsOfBitVectorsAreOneClass) {
  const auto a = wrong("bvmul select store", {});
  EXPECT_TRUE(is_same_bug(a, wrong("bvudiv select store", {})));
  EXPECT_TRUE(is_same_bug(wrong("bvmul select", {}), wrong("bvudiv bvurem select", {})));
  EXPECT_FALSE(is_same_bug(a, wrong("bvudiv select", {})));
  EXPECT_TRUE(is_same_bug(wrong("bvmul", {}), wrong("bvmul select", {})));
  EXPECT_FALSE(is_same_bug(wrong("bvmul", {}), wrong("bvudiv select", {})));
  EXPECT_FALSE(is_same_bug(wrong("bvmul", {}), wrong("bvudiv bvult", {})));
}

TEST(Groups, CrashesAreToldApartByTheirPlace) {
  auto a = wrong("", {"a=1"});
  a.kind = "crash";
  a.signature = "crash z3: f.cpp:1";
  auto b = a;
  EXPECT_TRUE(is_same_bug(a, b) || a.signature == b.signature);
  b.signature = "crash z3: g.cpp:2";
  EXPECT_FALSE(is_same_bug(a, b));
}

// What a debugger has seen is in the signature, so that names differ where there is none.
TEST(Groups, ACrashIsOneBugWithAndWithoutADebugger) {
  auto traced = wrong("", {});
  traced.kind = "crash";
  traced.signature = "crash z3: SIGSEGV in z3+0x10fa16 < z3+0xc192c1";
  traced.shape = "(= x1 (f2 x1))";
  auto bare = traced;
  bare.signature = "crash z3: SIGSEGV call";
  EXPECT_TRUE(is_same_bug(traced, bare));
  EXPECT_TRUE(is_same_bug(bare, traced));
  bare.shape = "(= x1 x1)";
  EXPECT_FALSE(is_same_bug(traced, bare));
}

}  // namespace
}  // namespace elenchus::triage

#include "ir/fingerprint.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "ir/term_store.h"
#include "smtlib/parser.h"

namespace elenchus {
namespace {

uint64_t hash_of(std::string_view text, ir::Names names) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text);
  EXPECT_TRUE(script.has_value()) << text;
  return ir::Fingerprints(store, names).of(*script);
}

bool are_alike(std::string_view one, std::string_view other) {
  return hash_of(one, ir::Names::kDoNotCount) == hash_of(other, ir::Names::kDoNotCount);
}

constexpr std::string_view kScript =
    "(declare-sort S 0)(declare-datatypes ((L 0)) (((nil) (cons (head S) (tail L)))))"
    "(declare-const a S)(declare-const l L)(declare-fun f (S (Array Int S)) Bool)"
    "(assert (forall ((x S) (m (Array Int S))) (=> (f x m) (= x (head l)))))"
    "(assert ((_ is cons) l))(assert (distinct a (select ((as const (Array Int S)) a) 3)))"
    "(check-sat)";

constexpr std::string_view kRenamed =
    "(set-info :source |elsewhere|)"
    "(declare-sort Elem 0)(declare-datatypes ((List 0)) (((e) (c (first Elem) (rest List)))))"
    "(declare-const b Elem)(declare-const k List)(declare-fun g (Elem (Array Int Elem)) Bool)"
    "(assert (forall ((y Elem) (n (Array Int Elem))) (=> (g y n) (= y (first k)))))"
    "(assert ((_ is c) k))(assert (distinct b (select ((as const (Array Int Elem)) b) 3)))"
    "(check-sat)";

TEST(FingerprintTest, NamesMayBeLeftAside) {
  EXPECT_TRUE(are_alike(kScript, kRenamed));
  EXPECT_NE(hash_of(kScript, ir::Names::kCount), hash_of(kRenamed, ir::Names::kCount));
  EXPECT_EQ(hash_of(kScript, ir::Names::kCount), hash_of(kScript, ir::Names::kCount));
}

// Each differs from the script in one place that is no name.
TEST(FingerprintTest, WhatIsNoNameCounts) {
  const auto changed = [](std::string_view from, std::string_view to) {
    std::string text(kScript);
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  EXPECT_FALSE(are_alike(kScript, changed(" 3)", " 4)")));
  EXPECT_FALSE(are_alike(kScript, changed("distinct", "=")));
  EXPECT_FALSE(are_alike(kScript, changed("(_ is cons)", "(_ is nil)")));
  EXPECT_FALSE(are_alike(kScript, changed("forall", "exists")));
  EXPECT_FALSE(are_alike(kScript, changed("(= x (head l))", "(= a (head l))")));
  EXPECT_FALSE(are_alike(kScript, changed("(declare-const a S)", "(declare-const a S)(push 1)")));
}

// One name in two places is not the same as two names.
TEST(FingerprintTest, WhichNameStandsWhereCounts) {
  constexpr std::string_view kTwo = "(declare-const x Int)(declare-const y Int)";
  EXPECT_FALSE(
      are_alike(std::string(kTwo) + "(assert (< x y))", std::string(kTwo) + "(assert (< x x))"));
  EXPECT_FALSE(
      are_alike(std::string(kTwo) + "(assert (< x y))", std::string(kTwo) + "(assert (< y x))"));
}

}  // namespace
}  // namespace elenchus

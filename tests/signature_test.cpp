// Which findings count as one bug.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ir/term_store.h"
#include "oracle/finding.h"
#include "smtlib/parser.h"
#include "triage/signature.h"

namespace elenchus {
namespace {

std::string crash_of(std::string_view text, std::string_view location) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text).value();
  oracle::Finding finding;
  finding.kind = oracle::Kind::kCrash;
  finding.location = location;
  return triage::signature(store, script, finding, "cvc4");
}

constexpr std::string_view kPairs =
    "(declare-datatypes ((P 1)) ((par (T) ((mk (fst T) (snd Int))))))";

TEST(SignatureTest, AnOffsetAndTheTheoriesTellACrash) {
  const std::string pairs(kPairs);
  const std::string one =
      crash_of(pairs + "(assert (forall ((x (P (P Int)))) (>= (fst (fst x)) 0)))", "SIGSEGV@0xa8");
  EXPECT_EQ(one, "crash cvc4: SIGSEGV@0xa8 datatypes");
  EXPECT_EQ(one,
            crash_of(pairs + "(assert (exists ((x (P (P Int)))) (< (snd x) 0)))", "SIGSEGV@0xa8"));
  EXPECT_EQ(
      crash_of("(declare-const a (Array Int Int))(assert (= (select a 0) 0))", "SIGSEGV@0xa8"),
      "crash cvc4: SIGSEGV@0xa8 arrays");
  EXPECT_EQ(crash_of("(declare-const p Bool)(assert p)", "SIGSEGV@0x10"),
            "crash cvc4: SIGSEGV@0x10");
}

TEST(SignatureTest, WithoutAPlaceTheOperatorsTell) {
  EXPECT_EQ(crash_of("(declare-const a (Array Int Int))(assert (= (select a 0) 0))", "SIGSEGV"),
            "crash cvc4: SIGSEGV select");
  EXPECT_EQ(crash_of("(declare-const p Bool)(assert p)", "node.cpp:12 !isNull()"),
            "crash cvc4: node.cpp:12 !isNull()");
}

std::string wrong_unsat(std::string_view text) {
  ir::TermStore store;
  const auto script = smtlib::parse_script(store, text).value();
  oracle::Finding finding;
  finding.kind = oracle::Kind::kRefutationUnsound;
  return triage::signature(store, script, finding, "cvc4");
}

TEST(SignatureTest, ValuesSayNothing) {
  const std::string x = "(declare-const x (_ FloatingPoint 8 24))(declare-const r Real)";
  const std::string said = "refutation-unsound cvc4: to_fp";
  EXPECT_EQ(wrong_unsat(x + "(assert (= ((_ to_fp 8 24) RNE r) x))"), said);
  EXPECT_EQ(wrong_unsat(x + "(assert (= ((_ to_fp 8 24) RTZ r) (_ -oo 8 24)))"), said);
  EXPECT_EQ(wrong_unsat("(assert (= false true))"), "refutation-unsound cvc4: = false true");
}

TEST(SignatureTest, CommandsTell) {
  EXPECT_EQ(wrong_unsat("(assert (distinct 0 0))(reset-assertions)(check-sat)"),
            "refutation-unsound cvc4: reset-assertions");
  EXPECT_EQ(wrong_unsat("(push 1)(declare-const x Int)(assert (= (+ x x) 1))(check-sat)"),
            "refutation-unsound cvc4: + push");
}

}  // namespace
}  // namespace elenchus

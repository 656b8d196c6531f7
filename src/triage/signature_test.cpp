#include "triage/signature.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/term_store.h"
#include "smtlib/parser.h"

namespace elenchus::triage {
namespace {

TEST(Signature, ABugAccountsForMoreOperators) {
  EXPECT_TRUE(accounts_for("invalid-model z3: bvsmod", "invalid-model z3: bvadd bvsmod"));
  EXPECT_TRUE(accounts_for("invalid-model z3: bvsmod", "invalid-model z3: bvsmod"));
  EXPECT_FALSE(accounts_for("invalid-model z3: bvadd bvsmod", "invalid-model z3: bvsmod"));
  EXPECT_FALSE(accounts_for("invalid-model z3: bvsmod", "invalid-model cvc5: bvadd bvsmod"));
  EXPECT_FALSE(accounts_for("invalid-model z3: bvsmod", "refutation-unsound z3: bvsmod"));
  EXPECT_TRUE(accounts_for("refutation-unsound z3: bvsmod", "disagreement z3: bvsmod forall"));
  EXPECT_FALSE(accounts_for("refutation-unsound z3: bvsmod", "disagreement cvc5: bvsmod"));
  EXPECT_FALSE(accounts_for("disagreement z3: bvsmod", "refutation-unsound z3: bvsmod"));
}

TEST(Signature, ValuesOfFloatsAreNoOperators) {
  ir::TermStore store;
  const auto script =
      smtlib::parse_script(store,
                           "(declare-const x (_ FloatingPoint 3 5))(declare-const r RoundingMode)"
                           "(assert (fp.isNaN (fp.mul RNE x (_ NaN 3 5))))(assert (= r RTZ))"
                           "(assert (= x (_ -zero 3 5)))(check-sat)");
  ASSERT_TRUE(script.has_value());
  EXPECT_EQ(telling_operators(store, *script), (std::vector<std::string>{"fp.isNaN", "fp.mul"}));
}

TEST(Signature, HasTheOperatorsOfTheTermThatASolverIsWrongAbout) {
  ir::TermStore store;
  const auto script =
      smtlib::parse_script(store,
                           "(declare-const a (_ BitVec 4))"
                           "(assert (= (bvadd a #x1) (bvnot (bvsmod a #x3))))(check-sat)");
  ASSERT_TRUE(script.has_value());
  const ir::TermId claim = script->commands[1].term;
  oracle::Finding finding;
  finding.kind = oracle::Kind::kRefutationUnsound;
  EXPECT_EQ(signature(store, *script, finding, "z3"), "refutation-unsound z3: bvadd bvnot bvsmod");
  finding.asked = store.args(store.args(claim)[1])[0];
  EXPECT_EQ(signature(store, *script, finding, "z3"), "refutation-unsound z3: bvsmod");
  // Of what is only suspected, the outermost operator is the best guess.
  EXPECT_EQ(probable_cause(store, finding, "z3"), "refutation-unsound z3");
  finding.kind = oracle::Kind::kWrongRewrite;
  EXPECT_EQ(probable_cause(store, finding, "z3"), "wrong-rewrite z3: bvsmod");
}

TEST(Signature, FramesAreAPlace) {
  const std::vector<std::string> frames = {"a::f", "b::g", "main", "start"};
  EXPECT_EQ(place_of("SIGSEGV@0x10", frames), "SIGSEGV in a::f < b::g < main");
  EXPECT_EQ(place_of("SIGSEGV", {}), "SIGSEGV");
  EXPECT_EQ(place_of("Fatal failure at f.cpp:3", frames), "Fatal failure at f.cpp:3");
  const std::string one = "crash z3: SIGSEGV in a::f < b::g < main";
  EXPECT_TRUE(accounts_for(one, one));
  EXPECT_FALSE(accounts_for(one, "crash z3: SIGSEGV in a::f < b::g < main < start"));
  // An operator of that name is none.
  EXPECT_TRUE(accounts_for("crash z3: SIGSEGV <", "crash z3: SIGSEGV < bvmul"));
}

TEST(Signature, CrashesAreToldApartByTheirPlace) {
  EXPECT_FALSE(accounts_for("crash cvc5: Fatal failure at a.cpp:1",
                            "crash cvc5: Fatal failure at a.cpp:1 and more"));
  EXPECT_TRUE(accounts_for("crash z3: SIGSEGV fp.rem", "crash z3: SIGSEGV fp.add fp.rem"));
  EXPECT_FALSE(accounts_for("crash z3: SIGSEGV fp.rem", "crash z3: SIGSEGV fp.add"));
  EXPECT_TRUE(accounts_for("crash cvc4: SIGSEGV@0x10", "crash cvc4: SIGSEGV@0x10 arrays"));
  EXPECT_FALSE(accounts_for("crash cvc4: SIGSEGV@0x10 arrays", "crash cvc4: SIGSEGV@0xa8 arrays"));
  EXPECT_FALSE(accounts_for("crash z3: SIGSEGV fp.rem", "crash z3: SIGABRT fp.rem"));
}

}  // namespace
}  // namespace elenchus::triage

#include "triage/signature.h"

#include <gtest/gtest.h>

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

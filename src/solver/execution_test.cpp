#include "solver/execution.h"

#include <gtest/gtest.h>

namespace elenchus::solver {
namespace {

TEST(Recital, TacticsAreForThoseWhoHaveThem) {
  Query query;
  query.text =
      "(declare-fun x () Int)\n(check-sat-using (then simplify ; )\n  (or-else |a)| smt)))\n"
      "(assert (> x 3))\n(check-sat-using smt)\n";
  EXPECT_EQ(recital(*Profiles::standard().find("z3"), query), query.text + "(exit)\n");
  EXPECT_EQ(recital(*Profiles::standard().find("cvc5"), query),
            "(declare-fun x () Int)\n(check-sat)\n(assert (> x 3))\n(check-sat)\n(exit)\n");
}

TEST(Recital, Z3HasAnotherWordForSortParameters) {
  Query query;
  query.text = "(declare-sort-parameter X)\n(declare-fun f (X) Int)\n(check-sat)\n";
  EXPECT_EQ(recital(*Profiles::standard().find("z3"), query),
            "(declare-type-var X)\n(declare-fun f (X) Int)\n(check-sat)\n(exit)\n");
  EXPECT_EQ(recital(*Profiles::standard().find("cvc5"), query), query.text + "(exit)\n");
}

}  // namespace
}  // namespace elenchus::solver

#include "ir/free_variables.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class FreeVariablesTest : public testing::Test, protected TestTerms {
 protected:
  // By recursion over the tree.
  std::set<TermId> expected(TermId term) const {
    std::set<TermId> result;
    if (store.op(term) == Op::kVar) result.insert(term);
    const auto args = store.args(term);
    const uint32_t bound = is_binder(store.op(term)) ? store.bound_count(term) : 0;
    for (const TermId arg : args.subspan(bound)) result.merge(expected(arg));
    for (const TermId variable : args.first(bound)) result.erase(variable);
    return result;
  }

  std::vector<TermId> free_of(FreeVariables& free, TermId term) {
    const auto list = free.of(term);
    return {list.begin(), list.end()};
  }
};

TEST_F(FreeVariablesTest, AgreesWithTheDefinition) {
  const TermId leaves[] = {constant("p")};
  // Variables that differ in level or sort alone are different.
  const std::vector<TermId> variables = {variable("x"), variable("y"), variable("x", kBoolSort, 1),
                                         variable("z")};
  FreeVariables free(store);
  base::Rng rng(1);
  for (int i = 0; i < 500; ++i) {
    const TermId term = random_formula(rng, leaves, variables, 14);
    const auto set = expected(term);
    ASSERT_EQ(free_of(free, term), (std::vector<TermId>{set.begin(), set.end()}));
    for (const TermId variable : variables) {
      ASSERT_EQ(free.is_free(variable, term), set.contains(variable));
    }
    ASSERT_EQ(free.any_free(variables, term), !set.empty());
  }
}

TEST_F(FreeVariablesTest, EveryKindOfBinderBinds) {
  const TermId x = variable("x", kIntSort);
  const TermId y = variable("y", kIntSort);
  const TermId is = make(Op::kEq, {x, y});
  FreeVariables free(store);
  for (const Op binder : {Op::kForall, Op::kExists, Op::kLambda, Op::kChoice}) {
    EXPECT_EQ(free_of(free, bind(binder, {x}, is)), std::vector{y});
    EXPECT_TRUE(free_of(free, bind(binder, {y, x}, is)).empty());
  }
  const TermId parts[] = {x, is, make(Op::kAdd, {x, x})};
  const SortId set = sort_of(SortKind::kSet, {kIntSort});
  EXPECT_EQ(free_of(free, store.make(Op::kComprehension, set, 0, parts)), std::vector{y});
  // A case binds in its body alone, not in the scrutinee.
  EXPECT_EQ(free_of(free, match(x, FunId{}, {x}, is)), (std::vector{x, y}));
  EXPECT_EQ(free_of(free, annotate(constant("p"), ":pattern", {x})), std::vector{x});
}

TEST_F(FreeVariablesTest, TheSameVariableBoundTwice) {
  const TermId x = variable("x");
  const TermId inner = forall({x}, x);
  FreeVariables free(store);
  EXPECT_TRUE(free_of(free, forall({x}, both(x, inner))).empty());
  EXPECT_EQ(free_of(free, both(x, inner)), std::vector{x});
}

TEST_F(FreeVariablesTest, DeepAndShared) {
  const TermId x = variable("x");
  FreeVariables free(store);
  EXPECT_EQ(free_of(free, tower(x, 200'000)), std::vector{x});
  EXPECT_EQ(free_of(free, doubled(x, 500)), std::vector{x});
  TermId term = x;
  for (int i = 0; i < 100'000; ++i) term = forall({variable("y")}, both(term, variable("y")));
  EXPECT_EQ(free_of(free, term), std::vector{x});
}

TEST_F(FreeVariablesTest, TermsMadeAfterARollback) {
  FreeVariables free(store);
  const TermId x = variable("x");
  const TermId y = variable("y");
  const auto mark = store.mark();
  for (int round = 0; round < 3; ++round) {
    const TermId first = negate(x);
    EXPECT_EQ(free_of(free, first), std::vector{x});
    store.rollback(mark);
    const TermId second = negate(y);
    ASSERT_EQ(second, first);
    EXPECT_EQ(free_of(free, second), std::vector{y});
    store.rollback(mark);
  }
  // A variable's own id may come to mean another variable, or no variable.
  const TermId z = variable("z");
  EXPECT_EQ(free_of(free, z), std::vector{z});
  store.rollback(mark);
  EXPECT_EQ(constant("c"), z);
  EXPECT_TRUE(free_of(free, z).empty());
}

// (and x1 (and x2 ...)) in nested binders: the lists grow quadratically.
TermId wide(TestTerms& terms, int variables) {
  TermId term = terms.variable("x");
  for (int i = 0; i < variables; ++i) {
    const TermId next = terms.variable("x" + std::to_string(i));
    term = terms.both(term, next);
  }
  return term;
}

TEST_F(FreeVariablesTest, ABudgetEndsQuadraticLists) {
  const TermId x = variable("x");
  const auto mark = store.mark();
  FreeVariables free(store, 1'000);
  const TermId small = wide(*this, 20);
  EXPECT_EQ(free_of(free, small).size(), 21U);
  EXPECT_FALSE(free.exhausted());
  EXPECT_TRUE(free_of(free, wide(*this, 100)).empty());
  EXPECT_TRUE(free.exhausted());
  EXPECT_TRUE(free_of(free, small).empty());
  EXPECT_FALSE(free.is_free(x, x));
  // The next test starts afresh.
  store.rollback(mark);
  EXPECT_EQ(free_of(free, negate(x)), std::vector{x});
  EXPECT_FALSE(free.exhausted());
  EXPECT_EQ(free_of(free, wide(*this, 20)).size(), 21U);
}

TEST_F(FreeVariablesTest, RecoversWhenASingleListWasTooLong) {
  std::vector<TermId> many;
  many.reserve(100);
  for (int i = 0; i < 100; ++i) many.push_back(variable("x" + std::to_string(i)));
  const auto mark = store.mark();
  FreeVariables free(store, 150);
  const TermId term = make(Op::kOr, std::vector(many.begin(), many.begin() + 3));
  EXPECT_EQ(free_of(free, term).size(), 3U);
  free.of(make(Op::kAnd, many));
  EXPECT_TRUE(free.exhausted());
  store.rollback(mark);
  EXPECT_EQ(free_of(free, negate(many[5])), std::vector{many[5]});
  EXPECT_FALSE(free.exhausted());
}

// Lists of dropped terms are not kept for ever.
TEST_F(FreeVariablesTest, ManyRollbacksDoNotExhaustTheBudget) {
  const TermId x = variable("x");
  const auto mark = store.mark();
  FreeVariables free(store, 5'000);
  for (int round = 0; round < 1'000; ++round) {
    TermId term = both(x, variable("round" + std::to_string(round)));
    for (int i = 0; i < 20; ++i) {
      term = both(term, variable("y" + std::to_string(i * round)));
    }
    ASSERT_TRUE(free.is_free(x, term));
    ASSERT_FALSE(free.exhausted());
    store.rollback(mark);
  }
}

}  // namespace
}  // namespace elenchus::ir

#include "ir/substitute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "ir/measure.h"
#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class SubstituteTest : public testing::Test, protected TestTerms {
 protected:
  TermId replaced(TermId term, const Substitution& map) {
    return substitute(store, free_, term, map);
  }
  std::set<TermId> free_of(TermId term) {
    const auto list = free_.of(term);
    return {list.begin(), list.end()};
  }
  // The term with `from` for `to` everywhere, bound or not: what a careless substitution does.
  TermId renamed(TermId term, TermId from, TermId to) {
    if (term == from) return to;
    const auto old = store.args(term);
    std::vector<TermId> args(old.begin(), old.end());
    for (TermId& arg : args) arg = renamed(arg, from, to);
    return with_args(store, term, args);
  }

  FreeVariables free_{store};
  const TermId p_ = constant("p");
  const TermId q_ = constant("q");
  const TermId x_ = variable("x");
  const TermId y_ = variable("y");
  const TermId z_ = variable("z");
};

TEST_F(SubstituteTest, AllKeysAtOnce) {
  EXPECT_EQ(replaced(both(x_, y_), {{x_, y_}, {y_, x_}}), both(y_, x_));
  EXPECT_EQ(replaced(x_, {{x_, both(x_, x_)}}), both(x_, x_));
  EXPECT_EQ(replaced(both(p_, x_), {{p_, q_}, {x_, p_}}), both(q_, p_));
  EXPECT_EQ(replaced(both(p_, x_), {}), both(p_, x_));
}

TEST_F(SubstituteTest, UntouchedTermsStayTheSame) {
  const TermId closed = forall({x_}, both(x_, p_));
  const uint32_t before = store.term_count();
  EXPECT_EQ(replaced(closed, {{x_, y_}}), closed);
  EXPECT_EQ(replaced(closed, {{y_, x_}}), closed);
  EXPECT_EQ(replaced(closed, {{q_, y_}}), closed);
  EXPECT_EQ(store.term_count(), before);
}

TEST_F(SubstituteTest, CompoundClosedKeys) {
  const TermId key = both(p_, q_);
  const TermId term = forall({x_}, both(x_, negate(key)));
  EXPECT_EQ(replaced(term, {{key, p_}}), forall({x_}, both(x_, negate(p_))));
  // What replaces a key is not searched again.
  EXPECT_EQ(replaced(key, {{key, negate(key)}}), negate(key));
  EXPECT_EQ(replaced(both(key, p_), {{key, q_}, {p_, key}}), both(q_, key));
}

TEST_F(SubstituteTest, BoundVariablesStepAside) {
  const TermId term = forall({x_}, both(x_, y_));
  const TermId result = replaced(term, {{y_, x_}});
  ASSERT_EQ(store.op(result), Op::kForall);
  const TermId fresh = store.bound_variables(result)[0];
  EXPECT_NE(fresh, x_);
  EXPECT_EQ(store.variable_name(fresh), store.variable_name(x_));
  EXPECT_EQ(result, forall({fresh}, both(fresh, x_)));
  EXPECT_EQ(free_of(result), std::set{x_});
  // Only the variable in the way is renamed.
  const TermId two = replaced(forall({x_, z_}, both(both(x_, z_), y_)), {{y_, negate(z_)}});
  EXPECT_EQ(store.bound_variables(two)[0], x_);
  EXPECT_NE(store.bound_variables(two)[1], z_);
}

TEST_F(SubstituteTest, ConstantsCanBeReplacedByVariables) {
  const TermId term = both(p_, forall({x_}, both(x_, p_)));
  const TermId result = replaced(term, {{p_, x_}});
  EXPECT_EQ(store.args(result)[0], x_);
  EXPECT_EQ(free_of(result), std::set{x_});
  EXPECT_NE(store.bound_variables(store.args(result)[1])[0], x_);
}

TEST_F(SubstituteTest, EveryKindOfBinderIsRespected) {
  const TermId i = variable("i", kIntSort);
  const TermId j = variable("j", kIntSort);
  const TermId less = make(Op::kLt, {i, j});
  const TermId c = constant("c", kIntSort);
  const auto check = [&](TermId term) {
    // The bound i is left alone, and is no trap for a free one.
    EXPECT_EQ(replaced(term, {{i, c}}), term);
    const TermId result = replaced(term, {{j, i}});
    EXPECT_EQ(free_of(result), std::set{i});
    EXPECT_EQ(store.args(result).size(), store.args(term).size());
    // Renaming back gives the careless result.
    const TermId fresh = store.args(result)[0];
    EXPECT_EQ(renamed(result, fresh, i), renamed(term, j, i));
  };
  for (const Op binder : {Op::kForall, Op::kExists, Op::kLambda, Op::kChoice}) {
    check(bind(binder, {i}, less));
  }
  const SortId set = sort_of(SortKind::kSet, {kIntSort});
  const TermId parts[] = {i, less, make(Op::kAdd, {i, j})};
  check(store.make(Op::kComprehension, set, 0, parts));
  const TermId one = match(c, FunId{}, {i}, less);
  check(store.args(one)[1]);
  // The scrutinee is outside of the case.
  const TermId outside = replaced(match(i, FunId{}, {i}, less), {{i, c}});
  EXPECT_EQ(outside, match(c, FunId{}, {i}, less));
}

TEST_F(SubstituteTest, PatternsFollow) {
  const TermId term = forall({x_}, annotate(both(x_, y_), ":pattern", {both(x_, y_)}));
  const TermId result = replaced(term, {{y_, p_}});
  EXPECT_EQ(result, forall({x_}, annotate(both(x_, p_), ":pattern", {both(x_, p_)})));
}

// The meaning of a substitution: evaluating the result is evaluating the term with the keys set to
// the values of their replacements.
TEST_F(SubstituteTest, MeansWhatItShould) {
  const std::vector<TermId> constants = {p_, q_};
  const std::vector<TermId> variables = {x_, y_, z_};
  for (uint64_t seed = 0; seed < 1'500; ++seed) {
    SCOPED_TRACE(seed);
    base::Rng rng(seed);
    const TermId term = random_formula(rng, constants, variables, 12);
    Substitution map;
    std::vector<TermId> keys = {x_, y_, z_, p_, q_};
    rng.shuffle(std::span<TermId>(keys));
    keys.resize(1 + rng.below(3));
    for (const TermId key : keys) {
      map.emplace_back(
          key, random_formula(rng, constants, variables, static_cast<uint32_t>(rng.below(4))));
    }
    const TermId result = replaced(term, map);
    for (uint32_t bits = 0; bits < 32; ++bits) {
      std::map<TermId, bool> outside;
      uint32_t at = 0;
      for (const TermId leaf : {x_, y_, z_, p_, q_}) outside[leaf] = ((bits >> at++) & 1) != 0;
      std::map<TermId, bool> inside = outside;
      for (const auto& [from, to] : map) inside[from] = holds(store, to, outside);
      ASSERT_EQ(holds(store, result, outside), holds(store, term, inside));
    }
  }
}

TEST_F(SubstituteTest, FreeVariablesAreThoseOfThePartsThatAreUsed) {
  const std::vector<TermId> constants = {p_};
  const std::vector<TermId> variables = {x_, y_, z_};
  for (uint64_t seed = 0; seed < 500; ++seed) {
    base::Rng rng(seed);
    const TermId term = random_formula(rng, constants, variables, 12);
    const TermId to = random_formula(rng, constants, variables, 3);
    std::set<TermId> expected = free_of(term);
    if (expected.erase(x_) > 0) expected.merge(free_of(to));
    ASSERT_EQ(free_of(replaced(term, {{x_, to}})), expected) << seed;
  }
}

TEST_F(SubstituteTest, DeepAndShared) {
  EXPECT_EQ(replaced(tower(x_, 200'000), {{x_, p_}}), tower(p_, 200'000));
  EXPECT_EQ(replaced(doubled(x_, 500), {{x_, p_}}), doubled(p_, 500));
  EXPECT_EQ(replaced(doubled(p_, 500), {{p_, q_}}), doubled(q_, 500));
}

// Each level is reached both through a binder and past it, so that what is replaced differs.
TEST_F(SubstituteTest, SharedBindersAreNotVisitedOncePerPath) {
  TermId term = both(x_, both(y_, p_));
  for (int i = 0; i < 500; ++i) term = both(forall({x_}, term), both(term, forall({y_}, term)));
  const TermId result = replaced(term, {{x_, p_}, {y_, q_}});
  EXPECT_TRUE(free_of(result).empty());
}

TEST_F(SubstituteTest, SharedBindersThatStepAsideAreNotMultiplied) {
  TermId term = both(x_, y_);
  for (int i = 0; i < 500; ++i) {
    const TermId one = bind(Op::kForall, {x_}, term);
    const TermId other = bind(Op::kExists, {x_}, term);
    term = both(both(one, other), x_);
  }
  const uint32_t before = store.term_count();
  const TermId result = replaced(term, {{y_, x_}});
  EXPECT_EQ(free_of(result), std::set{x_});
  Measures measures(store);
  EXPECT_EQ(measures.of(result).depth, measures.of(term).depth);
  EXPECT_LT(store.term_count() - before, 5'000U);
}

TEST_F(SubstituteTest, DeepBindersThatStepAside) {
  TermId term = both(x_, y_);
  for (int i = 0; i < 100'000; ++i) term = forall({x_}, both(term, x_));
  EXPECT_EQ(free_of(replaced(term, {{y_, x_}})), std::set{x_});
  // Every binder with a variable of its own, all of them in the way.
  TermId inner = y_;
  TermId all = p_;
  for (int i = 0; i < 300; ++i) {
    const TermId v = variable("v" + std::to_string(i));
    all = both(all, v);
    inner = forall({v}, both(v, inner));
  }
  const TermId result = replaced(inner, {{y_, all}});
  EXPECT_EQ(free_of(result), free_of(all));
}

TEST_F(SubstituteTest, WorksAfterARollback) {
  const auto mark = store.mark();
  const TermId first = replaced(forall({x_}, both(x_, y_)), {{y_, x_}});
  store.rollback(mark);
  EXPECT_EQ(replaced(forall({x_}, both(x_, y_)), {{y_, x_}}), first);
}

TEST(SubstituteDeathTest, AReplacementKeepsTheSort) {
  TestTerms terms;
  FreeVariables free(terms.store);
  const TermId x = terms.variable("x");
  const TermId i = terms.constant("i", kIntSort);
  EXPECT_THROW(substitute(terms.store, free, x, {{x, i}}), base::CheckFailure);
}

}  // namespace
}  // namespace elenchus::ir

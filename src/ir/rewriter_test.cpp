#include "ir/rewriter.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

// Replaces terms, functions and sorts, as they are listed.
struct Listed : RewriteHooks {
  std::map<TermId, TermId> terms;
  std::map<FunId, FunId> functions;
  std::map<SortId, SortId> sorts;
  uint32_t asked = 0;  // how many terms had their arguments rewritten

  TermId before(uint32_t /*environment*/, TermId term) const {
    const auto found = terms.find(term);
    return found == terms.end() ? TermId{} : found->second;
  }
  TermId after(TermId /*term*/, std::span<const TermId> /*args*/) {
    ++asked;
    return {};
  }
  FunId function(FunId fun) const {
    const auto found = functions.find(fun);
    return found == functions.end() ? fun : found->second;
  }
  SortId sort(SortId sort) const {
    const auto found = sorts.find(sort);
    return found == sorts.end() ? sort : found->second;
  }
};

class RewriterTest : public testing::Test, protected TestTerms {
 protected:
  TermId rewritten(TermId term, Listed& hooks) { return Rewriter<>(store).rewrite(term, hooks); }
  TermId indexed(Op op, FunId index, std::vector<TermId> args) {
    const Op ops[] = {op};
    const uint32_t indices[] = {index.value};
    return apply(store, Head{ops, indices}, args);
  }

  const TermId p_ = constant("p");
  const TermId q_ = constant("q");
  const TermId x_ = variable("x");
};

TEST_F(RewriterTest, WithoutHooksNothingChangesAndNothingIsMade) {
  base::Rng rng(1);
  const TermId leaves[] = {p_, q_};
  const TermId variables[] = {x_, variable("y")};
  for (int i = 0; i < 50; ++i) {
    const TermId term = random_formula(rng, leaves, variables, 20);
    const uint32_t before = store.term_count();
    RewriteHooks hooks;
    EXPECT_EQ(Rewriter<>(store).rewrite(term, hooks), term);
    EXPECT_EQ(Rewriter<SparseMemo>(store).rewrite(term, hooks), term);
    EXPECT_EQ(store.term_count(), before);
  }
}

TEST_F(RewriterTest, AMillionNestedTerms) {
  Listed hooks;
  hooks.terms = {{p_, q_}};
  const TermId deep = tower(p_, 1'000'000);
  EXPECT_EQ(rewritten(deep, hooks), tower(q_, 1'000'000));
}

TEST_F(RewriterTest, SharedTermsAreRebuiltOnce) {
  Listed hooks;
  hooks.terms = {{p_, q_}};
  Rewriter<> rewriter(store);
  const TermId wide = doubled(p_, 1000);
  EXPECT_EQ(rewriter.rewrite(wide, hooks), doubled(q_, 1000));
  EXPECT_EQ(hooks.asked, 1000U);
  EXPECT_EQ(rewriter.rebuilt(), 1000U);
  // Neither is what an earlier call has met.
  EXPECT_EQ(rewriter.rewrite(negate(wide), hooks), negate(doubled(q_, 1000)));
  EXPECT_EQ(rewriter.rebuilt(), 1001U);
}

TEST_F(RewriterTest, WhatIsSetIsNotLookedInto) {
  RewriteHooks hooks;
  Rewriter<> rewriter(store);
  const TermId key = both(p_, q_);
  EXPECT_FALSE(rewriter.find(key).valid());
  rewriter.set(key, x_);
  EXPECT_EQ(rewriter.find(key), x_);
  EXPECT_EQ(rewriter.rewrite(negate(key), hooks), negate(x_));
  EXPECT_EQ(rewriter.find(negate(key)), negate(x_));
  EXPECT_FALSE(rewriter.find(p_).valid());
}

TEST_F(RewriterTest, BindersGoOnBindingVariables) {
  Listed hooks;
  const TermId y = variable("y");
  const TermId term = forall({x_}, both(x_, p_));
  hooks.terms = {{x_, y}};
  EXPECT_EQ(rewritten(term, hooks), forall({y}, both(y, p_)));
  hooks.terms = {{x_, q_}};
  EXPECT_EQ(rewritten(term, hooks), forall({x_}, both(q_, p_)));
}

// Below a binder p becomes q, and q becomes p below two.
struct ByDepth : RewriteHooks {
  TermId p;
  TermId q;
  TermId before(uint32_t depth, TermId term) const {
    if (depth == 1 && term == p) return q;
    if (depth == 2 && term == q) return p;
    return {};
  }
  static uint32_t below_binder(uint32_t depth, TermId /*binder*/) { return depth + 1; }
};

TEST_F(RewriterTest, EnvironmentsKeepSharedTermsApart) {
  ByDepth hooks{{}, p_, q_};
  const TermId pair = both(p_, q_);
  const TermId inner = forall({x_}, pair);
  const TermId outer = forall({x_}, both(pair, inner));
  const TermId below = both(q_, q_);
  const TermId two_below = forall({x_}, both(p_, p_));
  EXPECT_EQ(Rewriter<SparseMemo>(store).rewrite(both(pair, outer), hooks),
            both(pair, forall({x_}, both(below, two_below))));
}

TEST_F(RewriterTest, FunctionsInCallsValuesIndicesAndCases) {
  const FunId f = declare("f", {kIntSort}, kIntSort);
  const FunId g = declare("g", {kIntSort}, kIntSort);
  Listed hooks;
  hooks.functions = {{f, g}};
  const TermId n = constant("n", kIntSort);
  const auto uses = [&](FunId fun) {
    std::vector<TermId> args = {n};
    const TermId array = indexed(Op::kAsArray, fun, {});
    const TermId map = indexed(Op::kArrayMap, fun, {array});
    return std::vector{call(store, fun, args), function_value(store, fun), array, map,
                       match(n, fun, {}, p_)};
  };
  const std::vector<TermId> old = uses(f);
  const std::vector<TermId> wanted = uses(g);
  for (size_t i = 0; i < old.size(); ++i) {
    ASSERT_TRUE(old[i].valid() && wanted[i].valid()) << i;
    EXPECT_EQ(rewritten(old[i], hooks), wanted[i]) << i;
  }
}

TEST_F(RewriterTest, NumbersAndNamesAmongIndicesAreNoFunctions) {
  const TermId bits = constant("b", store.sorts().bit_vec(8));
  const FunId fun = store.callee(bits);
  Listed hooks;
  hooks.functions = {{fun, declare("c", {}, store.sort(bits))}};
  const Op extract[] = {Op::kBvExtract};
  const uint32_t numbers[] = {fun.value, 0};
  std::vector<TermId> args = {bits};
  const TermId low = apply(store, Head{extract, numbers}, args);
  ASSERT_TRUE(low.valid());
  EXPECT_EQ(store.payload(rewritten(low, hooks)), store.payload(low));
}

TEST_F(RewriterTest, SortsOfVariablesAndOfAllTerms) {
  const SortId u = sort_of(SortKind::kSet, {kIntSort});
  const SortId v = sort_of(SortKind::kSet, {kBoolSort});
  Listed hooks;
  hooks.sorts = {{u, v}};
  const FunId f = declare("f", {u}, u);
  const FunId g = declare("g", {v}, v);
  hooks.functions = {{f, g}};
  const TermId old_variable = variable("s", u, 3);
  const TermId new_variable = variable("s", v, 3);
  const TermId old_args[] = {old_variable};
  const TermId new_args[] = {new_variable};
  const TermId old_call = store.make(Op::kCall, u, f.value, old_args);
  const TermId new_call = store.make(Op::kCall, v, g.value, new_args);
  const TermId old_term = make(Op::kEq, {old_call, old_variable});
  const TermId new_term = make(Op::kEq, {new_call, new_variable});
  EXPECT_EQ(rewritten(forall({old_variable}, old_term), hooks), forall({new_variable}, new_term));
}

// Writes out calls of constants that were given a term, which is rewritten first.
struct WrittenOut : RewriteHooks {
  Rewriter<>& rewriter;
  std::map<TermId, TermId> meanings;
  TermId also(TermId term) const {
    const auto found = meanings.find(term);
    return found == meanings.end() ? TermId{} : found->second;
  }
  TermId after(TermId term, std::span<const TermId> /*args*/) const {
    const TermId meaning = also(term);
    return meaning.valid() ? rewriter.find(meaning) : TermId{};
  }
};

TEST_F(RewriterTest, TermsBesideTheArguments) {
  Rewriter<> rewriter(store);
  WrittenOut hooks{{}, rewriter, {}};
  hooks.meanings = {{p_, both(q_, q_)}, {q_, negate(x_)}};
  const TermId q = negate(x_);
  EXPECT_EQ(rewriter.rewrite(both(p_, q_), hooks), both(both(q, q), q));
}

TEST_F(RewriterTest, LongChainsOfTermsBesideTheArguments) {
  Rewriter<> rewriter(store);
  WrittenOut hooks{{}, rewriter, {}};
  std::vector<TermId> chain = {q_};
  for (int i = 0; i < 300'000; ++i) {
    chain.push_back(variable("v", kBoolSort, static_cast<uint32_t>(i)));
    hooks.meanings.emplace(chain.back(), chain[chain.size() - 2]);
  }
  EXPECT_EQ(rewriter.rewrite(chain.back(), hooks), q_);
}

// Stops at the first p.
struct Stopping : RewriteHooks {
  TermId p;
  bool has_met = false;
  uint32_t rebuilt = 0;
  TermId after(TermId term, std::span<const TermId> /*args*/) {
    has_met = has_met || term == p;
    ++rebuilt;
    return {};
  }
  bool is_stopped() const { return has_met; }
};

TEST_F(RewriterTest, StopsWhenTold) {
  Stopping hooks{{}, p_};
  Rewriter<> rewriter(store);
  rewriter.rewrite(both(p_, tower(q_, 10)), hooks);
  EXPECT_EQ(hooks.rebuilt, 1U);
  EXPECT_TRUE(hooks.is_stopped());
}

// Rewrites the meaning of p while the arguments of another term wait.
struct Nested : RewriteHooks {
  Rewriter<>& rewriter;
  TermId p;
  TermId meaning;
  TermId after(TermId term, std::span<const TermId> /*args*/) {
    return term == p ? rewriter.rewrite(meaning, *this) : TermId{};
  }
};

TEST_F(RewriterTest, HooksMayRewrite) {
  Rewriter<> rewriter(store);
  Nested hooks{{}, rewriter, p_, doubled(negate(q_), 40)};
  const TermId meaning = doubled(negate(q_), 40);
  EXPECT_EQ(rewriter.rewrite(make(Op::kIte, {q_, p_, both(q_, p_)}), hooks),
            make(Op::kIte, {q_, meaning, both(q_, meaning)}));
}

}  // namespace
}  // namespace elenchus::ir

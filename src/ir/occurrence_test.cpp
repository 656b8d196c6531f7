#include "ir/occurrence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "base/rng.h"
#include "ir/test_terms.h"
#include "ir/walk.h"

namespace elenchus::ir {
namespace {

class OccurrenceTest : public testing::Test, protected TestTerms {
 protected:
  using Wanted = std::function<bool(TermId)>;

  // Every path to an occurrence, by recursion over the tree.
  void collect(TermId term, const Wanted& wanted, Path& path, std::vector<Path>& out) const {
    if (store.op(term) != Op::kMatchCase && wanted(term)) out.push_back(path);
    const auto [first, last] = proper_args(store, term);
    for (uint32_t i = first; i < last; ++i) {
      path.push_back(i);
      collect(store.args(term)[i], wanted, path, out);
      path.pop_back();
    }
  }
  std::vector<Path> all_paths(TermId root, const Wanted& wanted) const {
    std::vector<Path> result;
    Path path;
    collect(root, wanted, path, result);
    return result;
  }

  // Draws `each` times the number of occurrences and compares with equal shares.
  void expect_uniform(TermId root, const Wanted& wanted, uint64_t seed) {
    const std::vector<Path> paths = all_paths(root, wanted);
    OccurrenceSampler sampler(store, wanted);
    ASSERT_EQ(sampler.count(root), paths.size());
    base::Rng rng(seed);
    constexpr double kEach = 200;
    std::map<Path, double> seen;
    for (size_t i = 0; i < paths.size() * static_cast<size_t>(kEach); ++i) {
      const auto path = sampler.sample(rng, root);
      ASSERT_TRUE(path.has_value());
      ++seen[*path];
    }
    double chi_square = 0;
    for (const Path& path : paths) {
      chi_square += (seen[path] - kEach) * (seen[path] - kEach) / kEach;
    }
    ASSERT_EQ(seen.size(), paths.size()) << "a path that is none";
    // The mean is one less than the number of paths, the variance twice that.
    const auto freedom = static_cast<double>(paths.size() - 1);
    EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2 * freedom) + 5);
  }

  const TermId p_ = constant("p");
  const TermId q_ = constant("q");
  const TermId x_ = variable("x");
  const TermId y_ = variable("y");
};

const auto kEverything = [](TermId) { return true; };

TEST_F(OccurrenceTest, UniformOnASmallTree) {
  // Lopsided and shared: counting distinct terms, or stopping level by level, would show.
  const TermId shared = both(p_, negate(q_));
  expect_uniform(both(make(Op::kOr, {shared, shared, p_}), negate(negate(shared))), kEverything, 1);
}

TEST_F(OccurrenceTest, UniformOnRandomTrees) {
  const TermId leaves[] = {p_, q_};
  const TermId variables[] = {x_, y_};
  base::Rng rng(2);
  for (uint64_t i = 0; i < 30; ++i) {
    const TermId root = random_formula(rng, leaves, variables, 9);
    if (OccurrenceSampler(store).count(root) > 200) continue;
    expect_uniform(root, kEverything, i);
    const Wanted variables_only = [&](TermId term) { return store.op(term) == Op::kVar; };
    if (OccurrenceSampler(store, variables_only).count(root) > 0) {
      expect_uniform(root, variables_only, i);
    }
  }
}

TEST_F(OccurrenceTest, NothingWantedNothingDrawn) {
  OccurrenceSampler sampler(store, [&](TermId term) { return term == q_; });
  base::Rng rng(3);
  EXPECT_EQ(sampler.count(both(p_, p_)), 0U);
  EXPECT_FALSE(sampler.sample(rng, both(p_, p_)).has_value());
  EXPECT_EQ(sampler.sample(rng, q_), Path{});
  EXPECT_EQ(sampler.sample(rng, both(p_, q_)), Path{1});
}

TEST_F(OccurrenceTest, BoundVariablesPatternsAndCasesAreNoOccurrences) {
  const TermId inner = annotate(both(x_, p_), ":pattern", {negate(x_), q_});
  const TermId root = match(q_, FunId{}, {y_}, forall({x_, y_}, inner));
  // match, q, forall, annotation, and, x, p
  OccurrenceSampler sampler(store);
  EXPECT_EQ(sampler.count(root), 7U);
  base::Rng rng(4);
  std::set<Path> seen;
  for (int i = 0; i < 500; ++i) seen.insert(sampler.sample(rng, root).value());
  EXPECT_EQ(seen, (std::set<Path>{
                      {}, {0}, {1, 1}, {1, 1, 2}, {1, 1, 2, 0}, {1, 1, 2, 0, 0}, {1, 1, 2, 0, 1}}));
}

TEST_F(OccurrenceTest, DeepTerms) {
  const TermId root = tower(p_, 200'000);
  OccurrenceSampler sampler(store);
  EXPECT_EQ(sampler.count(root), 200'001U);
  base::Rng rng(5);
  uint64_t sum = 0;
  for (int i = 0; i < 20; ++i) {
    const auto path = sampler.sample(rng, root);
    ASSERT_TRUE(path.has_value());
    ASSERT_LE(path->size(), 200'000U);
    sum += path->size();
  }
  EXPECT_NEAR(static_cast<double>(sum) / 20, 100'000, 45'000);
  OccurrenceSampler only_p(store, [&](TermId term) { return term == p_; });
  EXPECT_EQ(only_p.sample(rng, root)->size(), 200'000U);
}

// Counts that are just below, at and far beyond the largest number.
TEST_F(OccurrenceTest, CountlessOccurrences) {
  for (const uint32_t levels : {10U, 61U, 62U, 63U, 64U, 65U, 500U}) {
    SCOPED_TRACE(levels);
    const TermId root = doubled(negate(p_), levels);
    OccurrenceSampler sampler(store);
    OccurrenceSampler only_p(store, [&](TermId term) { return term == p_; });
    base::Rng rng(levels);
    int right = 0;
    for (int i = 0; i < 400; ++i) {
      const auto path = sampler.sample(rng, root);
      ASSERT_TRUE(path.has_value());
      ASSERT_LE(path->size(), levels + 1);
      for (size_t step = 0; step < path->size(); ++step) ASSERT_LE((*path)[step], 1U);
      const auto leaf = only_p.sample(rng, root);
      ASSERT_TRUE(leaf.has_value());
      ASSERT_EQ(leaf->size(), levels + 1);
      ASSERT_EQ(term_at(store, root, *leaf), p_);
      right += static_cast<int>((*leaf)[0]);
    }
    EXPECT_NEAR(right, 200, 60);  // either half as often
  }
}

TEST_F(OccurrenceTest, ACountlessArgumentBesideASmallOne) {
  const TermId huge = doubled(p_, 500);
  const TermId root = make(Op::kOr, {q_, huge, q_, huge});
  OccurrenceSampler sampler(store);
  base::Rng rng(6);
  std::map<uint32_t, int> first_steps;
  for (int i = 0; i < 400; ++i) ++first_steps[sampler.sample(rng, root).value().at(0)];
  EXPECT_EQ(first_steps.size(), 2U);
  EXPECT_NEAR(first_steps[1], 200, 60);
}

TEST_F(OccurrenceTest, CountsAfterARollback) {
  OccurrenceSampler sampler(store, [&](TermId term) { return store.op(term) == Op::kAnd; });
  const auto mark = store.mark();
  const TermId first = both(p_, q_);
  EXPECT_EQ(sampler.count(first), 1U);
  store.rollback(mark);
  const TermId second = negate(p_);
  ASSERT_EQ(second, first);
  EXPECT_EQ(sampler.count(second), 0U);
  store.rollback(mark);
  EXPECT_EQ(sampler.count(both(both(p_, p_), q_)), 2U);
}

TEST_F(OccurrenceTest, ReplacingLeavesTheRestAlone) {
  const TermId leaves[] = {p_, q_};
  const TermId variables[] = {x_, y_};
  base::Rng rng(7);
  const TermId marker = constant("marker");
  for (int i = 0; i < 100; ++i) {
    const TermId root = random_formula(rng, leaves, variables, 10);
    const auto paths = all_paths(root, kEverything);
    if (paths.size() > 500) continue;
    for (const Path& path : paths) {
      const TermId result = replace_at(store, root, path, marker);
      ASSERT_EQ(term_at(store, result, path), marker);
      ASSERT_EQ(all_paths(result, [&](TermId term) { return term == marker; }),
                std::vector<Path>{path});
      ASSERT_EQ(replace_at(store, result, path, term_at(store, root, path)), root);
    }
  }
}

TEST_F(OccurrenceTest, ReplacingOneOfManyCopies) {
  const TermId root = doubled(p_, 500);
  const Path path(500, 1);
  const TermId result = replace_at(store, root, path, q_);
  EXPECT_EQ(term_at(store, result, path), q_);
  EXPECT_EQ(store.args(result)[0], store.args(root)[0]);
  EXPECT_EQ(replace_at(store, root, {}, q_), q_);
  const TermId deep = tower(p_, 200'000);
  EXPECT_EQ(replace_at(store, deep, Path(200'000, 0), q_), tower(q_, 200'000));
}

TEST_F(OccurrenceTest, VariablesInScopeAlongThePath) {
  const TermId z = variable("z");
  const TermId body = both(x_, forall({x_, z}, both(z, y_)));
  const TermId root = forall({x_, y_}, body);
  using Terms = std::vector<TermId>;
  EXPECT_EQ(variables_at(store, root, {}), Terms{});
  EXPECT_EQ(variables_at(store, root, Path{2}), (Terms{x_, y_}));
  EXPECT_EQ(variables_at(store, root, Path{2, 0}), (Terms{x_, y_}));
  // The inner x hides the outer one and is the nearer of the two.
  EXPECT_EQ(variables_at(store, root, Path{2, 1, 2}), (Terms{y_, x_, z}));
  EXPECT_EQ(variables_at(store, root, Path{2, 1, 2, 0}), (Terms{y_, x_, z}));
  const TermId cases = match(p_, FunId{}, {z}, z);
  EXPECT_EQ(variables_at(store, cases, Path{0}), Terms{});
  EXPECT_EQ(variables_at(store, cases, Path{1, 1}), Terms{z});
}

}  // namespace
}  // namespace elenchus::ir

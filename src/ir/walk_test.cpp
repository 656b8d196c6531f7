#include "ir/walk.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/rng.h"
#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class WalkTest : public testing::Test, protected TestTerms {
 protected:
  std::vector<TermId> visited(Walker& walker, TermId root) {
    std::vector<TermId> order;
    walker.walk(root, [&](TermId term) { order.push_back(term); });
    return order;
  }

  void collect(TermId term, std::set<TermId>& out) const {
    out.insert(term);
    for (const TermId arg : store.args(term)) collect(arg, out);
  }
};

TEST_F(WalkTest, EverySubtermOnceArgumentsFirst) {
  const TermId leaves[] = {constant("p"), constant("q")};
  const TermId variables[] = {variable("x"), variable("y")};
  base::Rng rng(1);
  Walker walker(store);
  for (int i = 0; i < 200; ++i) {
    const TermId root = random_formula(rng, leaves, variables, 15);
    walker.restart();
    const auto order = visited(walker, root);
    std::set<TermId> seen;
    for (const TermId term : order) {
      ASSERT_TRUE(seen.insert(term).second);
      for (const TermId arg : store.args(term)) ASSERT_TRUE(seen.contains(arg));
    }
    std::set<TermId> expected;
    collect(root, expected);
    ASSERT_EQ(seen, expected);
  }
}

TEST_F(WalkTest, RemembersUntilRestarted) {
  const TermId p = constant("p");
  const TermId q = constant("q");
  Walker walker(store);
  EXPECT_EQ(visited(walker, negate(p)), (std::vector{p, negate(p)}));
  EXPECT_TRUE(visited(walker, negate(p)).empty());
  const TermId both_of_them = both(negate(p), q);
  EXPECT_EQ(visited(walker, both_of_them), (std::vector{q, both_of_them}));
  walker.restart();
  EXPECT_EQ(visited(walker, negate(p)), (std::vector{p, negate(p)}));
}

TEST_F(WalkTest, VisitorsMayMakeTerms) {
  const TermId p = constant("p");
  const TermId root = tower(p, 50);
  Walker walker(store);
  size_t count = 0;
  walker.walk(root, [&](TermId term) {
    ++count;
    for (int i = 0; i < 100; ++i) both(term, constant("fresh"));
  });
  EXPECT_EQ(count, 51U);
}

TEST_F(WalkTest, DeepAndShared) {
  const TermId p = constant("p");
  Walker walker(store);
  EXPECT_EQ(visited(walker, tower(p, 200'000)).size(), 200'001U);
  walker.restart();
  EXPECT_EQ(visited(walker, doubled(p, 500)).size(), 501U);
}

TEST_F(WalkTest, ProperArgumentsLeaveOutBoundVariablesAndPatterns) {
  using Range = std::pair<uint32_t, uint32_t>;
  const TermId p = constant("p");
  const TermId x = variable("x", kIntSort);
  const TermId y = variable("y", kIntSort);
  const TermId i = constant("i", kIntSort);
  EXPECT_EQ(proper_args(store, p), Range(0, 0));
  EXPECT_EQ(proper_args(store, both(p, p)), Range(0, 2));
  EXPECT_EQ(proper_args(store, forall({x, y}, p)), Range(2, 3));
  EXPECT_EQ(proper_args(store, bind(Op::kLambda, {x}, x)), Range(1, 2));
  EXPECT_EQ(proper_args(store, annotate(p, ":pattern", {i, i})), Range(0, 1));
  const TermId parts[] = {x, y, p, i};
  const SortId set = sort_of(SortKind::kSet, {kIntSort});
  EXPECT_EQ(proper_args(store, store.make(Op::kComprehension, set, 0, parts)), Range(2, 4));
  const TermId one_case = match(i, FunId{}, {x}, p);
  EXPECT_EQ(proper_args(store, one_case), Range(0, 2));
  EXPECT_EQ(proper_args(store, store.args(one_case)[1]), Range(1, 2));
}

}  // namespace
}  // namespace elenchus::ir

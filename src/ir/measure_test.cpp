#include "ir/measure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "ir/test_terms.h"

namespace elenchus::ir {
namespace {

class MeasureTest : public testing::Test, protected TestTerms {
 protected:
  // By recursion over the tree.
  Measure counted(TermId term) const {
    Measure result{1, 1};
    for (const TermId arg : store.args(term)) {
      const Measure below = counted(arg);
      result.size += below.size;
      result.depth = std::max(result.depth, below.depth + 1);
    }
    return result;
  }
};

TEST_F(MeasureTest, SaturatingAdditionStopsAtTheTop) {
  EXPECT_EQ(saturating_add(3, 4), 7U);
  EXPECT_EQ(saturating_add(UINT64_MAX - 1, 1), UINT64_MAX);
  EXPECT_EQ(saturating_add(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(saturating_add(UINT64_MAX, UINT64_MAX), UINT64_MAX);
}

TEST_F(MeasureTest, AgreesWithCountingTheTree) {
  const TermId leaves[] = {constant("p"), constant("q")};
  const TermId variables[] = {variable("x"), variable("y")};
  base::Rng rng(1);
  Measures measures(store);
  for (int i = 0; i < 300; ++i) {
    const TermId term = random_formula(rng, leaves, variables, 12);
    const Measure expected = counted(term);
    ASSERT_EQ(measures.of(term).size, expected.size);
    ASSERT_EQ(measures.of(term).depth, expected.depth);
  }
}

TEST_F(MeasureTest, DeepAndShared) {
  Measures measures(store);
  const TermId p = constant("p");
  const TermId deep = tower(p, 200'000);
  EXPECT_EQ(measures.of(deep).size, 200'001U);
  EXPECT_EQ(measures.of(deep).depth, 200'001U);
  const TermId shared = doubled(p, 62);
  EXPECT_EQ(measures.of(shared).size, (uint64_t{1} << 63) - 1);
  const TermId more = both(shared, shared);
  EXPECT_EQ(measures.of(more).size, UINT64_MAX);  // exactly 2^64 - 1
  const TermId most = doubled(more, 438);
  EXPECT_EQ(measures.of(most).size, UINT64_MAX);
  EXPECT_EQ(measures.of(most).depth, 502U);
}

TEST_F(MeasureTest, TermsMadeAfterARollbackAreMeasuredAnew) {
  Measures measures(store);
  const TermId p = constant("p");
  const auto mark = store.mark();
  const TermId first = both(p, p);
  EXPECT_EQ(measures.of(first).size, 3U);
  for (int round = 0; round < 3; ++round) {
    store.rollback(mark);
    const TermId second = negate(p);
    ASSERT_EQ(second, first);
    EXPECT_EQ(measures.of(second).size, 2U);
    store.rollback(mark);
    EXPECT_EQ(measures.of(both(p, p)).size, 3U);
  }
}

}  // namespace
}  // namespace elenchus::ir

#include "ir/sort.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/rng.h"

namespace elenchus::ir {
namespace {

class SortTest : public testing::Test {
 protected:
  SortId make(SortKind kind, std::vector<SortId> children) { return sorts_.make(kind, children); }
  SortId named(SortKind kind, std::string_view name, std::vector<SortId> children = {}) {
    return sorts_.make(kind, symbols_.intern(name).value, 0, children);
  }
  std::string text(SortId sort) const {
    std::string out;
    append_sort(out, sorts_, symbols_, sort);
    return out;
  }

  SymbolTable symbols_;
  SortTable sorts_;
};

TEST_F(SortTest, PlainSortsHaveFixedIds) {
  EXPECT_EQ(make(SortKind::kInt, {}), kIntSort);
  EXPECT_EQ(sorts_.kind(kRoundingModeSort), SortKind::kRoundingMode);
  EXPECT_EQ(make(SortKind::kUnknown, {}), kUnknownSort);
}

TEST_F(SortTest, EqualSortsAreOne) {
  const SortId bv8 = sorts_.bit_vec(8);
  EXPECT_EQ(sorts_.bit_vec(8), bv8);
  EXPECT_NE(sorts_.bit_vec(9), bv8);
  EXPECT_NE(sorts_.floating_point(5, 11), sorts_.floating_point(11, 5));
  const SortId array = make(SortKind::kArray, {kIntSort, bv8});
  EXPECT_EQ(make(SortKind::kArray, {kIntSort, bv8}), array);
  EXPECT_NE(make(SortKind::kArray, {bv8, kIntSort}), array);
  EXPECT_NE(make(SortKind::kFunction, {kIntSort, bv8}), array);
  EXPECT_NE(make(SortKind::kArray, {kIntSort, kIntSort, bv8}), array);
  EXPECT_NE(named(SortKind::kUninterpreted, "S"), named(SortKind::kParameter, "S"));
}

TEST_F(SortTest, Texts) {
  const SortId list =
      sorts_.make(SortKind::kDatatype, 1, symbols_.intern("a list").value, std::vector{kIntSort});
  const SortId field = named(SortKind::kFiniteField, "17");
  EXPECT_EQ(text(kRegLanSort), "RegLan");
  EXPECT_EQ(text(sorts_.bit_vec(32)), "(_ BitVec 32)");
  EXPECT_EQ(text(sorts_.floating_point(8, 24)), "(_ FloatingPoint 8 24)");
  EXPECT_EQ(text(field), "(_ FiniteField 17)");
  EXPECT_EQ(text(make(SortKind::kArray, {kIntSort, make(SortKind::kSeq, {kBoolSort})})),
            "(Array Int (Seq Bool))");
  EXPECT_EQ(text(make(SortKind::kFunction, {kIntSort, kBoolSort})), "(-> Int Bool)");
  EXPECT_EQ(text(make(SortKind::kTuple, {})), "UnitTuple");
  EXPECT_EQ(text(make(SortKind::kTuple, {kIntSort})), "(Tuple Int)");
  EXPECT_EQ(text(list), "(|a list| Int)");
  EXPECT_EQ(text(named(SortKind::kUninterpreted, "let")), "|let|");
  EXPECT_EQ(text(named(SortKind::kUninterpreted, "Pair", {kIntSort, list})),
            "(Pair Int (|a list| Int))");
  EXPECT_EQ(text(named(SortKind::kOpaque, "(Odd 1 (x))")), "(Odd 1 (x))");
}

TEST_F(SortTest, FactsComeUpFromBelow) {
  const SortId parameter = named(SortKind::kParameter, "A");
  const SortId deep = make(SortKind::kSet, {make(SortKind::kArray, {kIntSort, parameter})});
  EXPECT_TRUE(sorts_[deep].has_parameters);
  EXPECT_FALSE(sorts_[deep].has_unknown);
  const SortId odd = make(SortKind::kSet, {make(SortKind::kSeq, {kUnknownSort})});
  EXPECT_TRUE(sorts_[odd].has_unknown);
  EXPECT_FALSE(sorts_[odd].has_parameters);
}

TEST_F(SortTest, TooDeepIsRefused) {
  SortId sort = kIntSort;
  for (uint32_t depth = 1; depth < kMaxSortDepth; ++depth) {
    sort = make(SortKind::kSeq, {sort});
    ASSERT_TRUE(sort.valid());
  }
  EXPECT_EQ(sorts_[sort].depth, kMaxSortDepth);
  const uint32_t size = sorts_.size();
  EXPECT_FALSE(make(SortKind::kSeq, {sort}).valid());
  EXPECT_FALSE(make(SortKind::kArray, {kIntSort, sort}).valid());
  EXPECT_EQ(sorts_.size(), size);
}

TEST_F(SortTest, TooLargeIsRefused) {
  SortId sort = kIntSort;
  uint32_t levels = 0;
  for (SortId next = sort; next.valid(); ++levels) {
    sort = next;
    next = make(SortKind::kArray, {sort, sort});
  }
  EXPECT_EQ(levels, 13U);  // 2^13 - 1 nodes fit, 2^14 - 1 do not
  EXPECT_LE(sorts_[sort].size, kMaxSortSize);
  const std::vector<SortId> wide(kMaxSortSize, kIntSort);
  EXPECT_FALSE(sorts_.make(SortKind::kTuple, wide).valid());
  EXPECT_TRUE(sorts_.make(SortKind::kTuple, std::span(wide).first(kMaxSortSize - 1)).valid());
}

TEST_F(SortTest, TruncationGivesTheSameIdsAgain) {
  const SortId kept = make(SortKind::kArray, {kIntSort, kBoolSort});
  const uint32_t mark = sorts_.size();
  const auto build = [&](uint64_t seed) {
    base::Rng rng(seed);
    std::vector<SortId> pool = {kIntSort, kBoolSort, kept};
    std::vector<std::string> texts;
    for (int i = 0; i < 2'000; ++i) {
      const SortId a = rng.pick(std::span<const SortId>(pool));
      const SortId b = rng.pick(std::span<const SortId>(pool));
      std::vector<SortId> children(1 + rng.below(6), a);
      children.push_back(b);
      SortId sort = rng.one_in(3) ? sorts_.bit_vec(static_cast<uint32_t>(rng.below(500)) + 1)
                                  : make(SortKind::kTuple, children);
      if (!sort.valid() || sorts_[sort].size > 100) sort = kIntSort;
      pool.push_back(sort);
    }
    texts.reserve(pool.size());
    for (const SortId sort : pool) texts.push_back(std::to_string(sort.value) + text(sort));
    return texts;
  };
  const auto first = build(1);
  for (int round = 0; round < 3; ++round) {
    sorts_.truncate(mark);
    const auto other = build(2);
    sorts_.truncate(mark);
    EXPECT_EQ(build(1), first);
    EXPECT_NE(other, first);
    EXPECT_EQ(text(kept), "(Array Int Bool)");
  }
}

}  // namespace
}  // namespace elenchus::ir

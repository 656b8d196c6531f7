#include "ir/alike.h"

#include <gtest/gtest.h>

#include <vector>

namespace elenchus::ir {
namespace {

TEST(Alike, SetsAreArraysOfBooleans) {
  SortTable sorts;
  const auto make = [&](SortKind kind, std::vector<SortId> parts) {
    return sorts.make(kind, parts);
  };
  const SortId set = make(SortKind::kSet, {kIntSort});
  const SortId array = make(SortKind::kArray, {kIntSort, kBoolSort});
  EXPECT_TRUE(are_alike(sorts, set, set));
  EXPECT_TRUE(are_alike(sorts, set, array));
  EXPECT_TRUE(are_alike(sorts, array, set));
  EXPECT_FALSE(are_alike(sorts, set, make(SortKind::kSet, {kRealSort})));
  EXPECT_FALSE(are_alike(sorts, set, make(SortKind::kArray, {kIntSort, kIntSort})));
  EXPECT_FALSE(are_alike(sorts, set, make(SortKind::kArray, {kIntSort, kIntSort, kBoolSort})));
  EXPECT_FALSE(are_alike(sorts, set, make(SortKind::kSeq, {kIntSort})));
  EXPECT_FALSE(are_alike(sorts, kIntSort, kRealSort));
  EXPECT_TRUE(are_alike(sorts, make(SortKind::kSeq, {set}), make(SortKind::kSeq, {array})));
  EXPECT_TRUE(
      are_alike(sorts, make(SortKind::kSet, {set}), make(SortKind::kArray, {array, kBoolSort})));
}

}  // namespace
}  // namespace elenchus::ir

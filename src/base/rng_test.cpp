#include "base/rng.h"
#include "base/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace elenchus::base {
namespace {

// Pearson's statistic against equal shares.
template <typename Counts>
double chi_square(const Counts& counts, double draws) {
  const double expected = draws / static_cast<double>(counts.size());
  double sum = 0;
  for (const double seen : counts) sum += (seen - expected) * (seen - expected) / expected;
  return sum;
}

TEST(RngTest, IsTheXoshiroOfTheReferenceSeededBySplitmix) {
  Rng zero(0);
  for (const uint64_t expected : {0x99ec5f36cb75f2b4ULL, 0xbf6e1f784956452aULL,
                                  0x1a5f849d4933e6e0ULL, 0x6aa594f1262d2d2cULL}) {
    EXPECT_EQ(zero.next(), expected);
  }
  Rng other(42);
  EXPECT_EQ(other.next(), 0x15780b2e0c2ec716ULL);
  EXPECT_EQ(other.next(), 0x6104d9866d113a7eULL);
}

TEST(RngTest, BelowStaysBelow) {
  Rng rng(1);
  for (const uint64_t bound : {uint64_t{1}, uint64_t{2}, uint64_t{7}, (uint64_t{1} << 63) + 1,
                               UINT64_MAX - 1, UINT64_MAX}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LT(rng.below(bound), bound);
  }
}

TEST(RngTest, BelowIsUniformOverSmallRanges) {
  Rng rng(2);
  std::array<double, 6> counts = {};
  for (int i = 0; i < 60'000; ++i) ++counts[rng.below(6)];
  EXPECT_LT(chi_square(counts, 60'000), 20.5);  // 99.9% of five degrees of freedom
}

// The bound does not divide 2^64: a plain remainder would favour the lowest third, and a plain
// product every third number.
TEST(RngTest, BelowIsUniformOverHugeRanges) {
  Rng rng(3);
  std::array<double, 3> by_third = {};
  std::array<double, 3> by_remainder = {};
  for (int i = 0; i < 30'000; ++i) {
    const uint64_t number = rng.below(uint64_t{3} << 62);
    ++by_third[number >> 62];
    ++by_remainder[number % 3];
  }
  EXPECT_LT(chi_square(by_third, 30'000), 13.8);  // 99.9% of two degrees of freedom
  EXPECT_LT(chi_square(by_remainder, 30'000), 13.8);
}

TEST(RngTest, BetweenReachesBothEnds) {
  Rng rng(4);
  std::map<int64_t, int> seen;
  for (int i = 0; i < 1000; ++i) ++seen[rng.between(-2, 1)];
  EXPECT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen.begin()->first, -2);
  EXPECT_EQ(seen.rbegin()->first, 1);
  EXPECT_EQ(rng.between(INT64_MIN, INT64_MIN), INT64_MIN);
  EXPECT_EQ(rng.between(INT64_MAX, INT64_MAX), INT64_MAX);
}

TEST(RngTest, BetweenCoversAllNumbers) {
  Rng rng(5);
  int negative = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (rng.between(INT64_MIN, INT64_MAX) < 0) ++negative;
  }
  EXPECT_NEAR(negative, 5'000, 250);
}

TEST(RngTest, UnitIsInTheHalfOpenIntervalAndCentred) {
  Rng rng(6);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double value = rng.unit();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(RngTest, OneInHasItsFrequency) {
  Rng rng(7);
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_TRUE(rng.one_in(1));
    if (rng.one_in(10)) ++hits;
  }
  EXPECT_NEAR(hits, 1'000, 120);
}

TEST(RngTest, ShuffleMakesEachOrderEquallyOften) {
  Rng rng(8);
  std::map<std::vector<int>, double> counts;
  for (int i = 0; i < 24'000; ++i) {
    std::vector<int> items = {1, 2, 3, 4};
    rng.shuffle(std::span<int>(items));
    ++counts[items];
  }
  ASSERT_EQ(counts.size(), 24U);
  std::vector<double> flat;
  flat.reserve(counts.size());
  for (const auto& [order, count] : counts) flat.push_back(count);
  EXPECT_LT(chi_square(flat, 24'000), 49.8);  // 99.9% of 23 degrees of freedom
}

TEST(RngTest, ShuffleOfFewerThanTwoDrawsNothing) {
  Rng rng(9);
  Rng untouched = rng;
  std::vector<int> none;
  std::vector<int> one = {1};
  rng.shuffle(std::span<int>(none));
  rng.shuffle(std::span<int>(one));
  EXPECT_EQ(rng.next(), untouched.next());
}

TEST(RngTest, SplitCostsOneDrawAndGivesOtherNumbers) {
  Rng rng(10);
  Rng twin(10);
  Rng child = rng.split();
  Rng twin_child = twin.split();
  EXPECT_EQ(child.next(), twin_child.next());
  Rng plain(10);
  plain.next();
  std::vector<uint64_t> parent_draws;
  for (int i = 0; i < 100; ++i) {
    parent_draws.push_back(rng.next());
    EXPECT_EQ(parent_draws.back(), plain.next());
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(std::count(parent_draws.begin(), parent_draws.end(), child.next()), 0);
  }
}

TEST(RngDeathTest, EmptyRanges) {
  Rng rng(11);
  EXPECT_THROW(rng.below(0), CheckFailure);
  EXPECT_THROW(rng.between(2, 1), CheckFailure);
  EXPECT_THROW(static_cast<void>(rng.pick(std::span<const int>())), CheckFailure);
}

TEST(Rng, WhatNeverHappensDrawsNothing) {
  Rng rng(5);
  Rng twin(5);
  EXPECT_FALSE(rng.happens(0));
  EXPECT_TRUE(rng.happens(1));
  EXPECT_TRUE(twin.one_in(1));
  EXPECT_EQ(rng.next(), twin.next());
}

}  // namespace
}  // namespace elenchus::base

#include "history/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/rng.h"

namespace elenchus::history {
namespace {

RuleSettings settings(uint32_t support, double confidence) {
  RuleSettings result;
  result.support = support;
  result.confidence = confidence;
  return result;
}

// The market baskets of every textbook, by hand: 1 is in four of five, 2 in four, 3 in two, 1 and 2
// in three, 1 and 3 in two, 2 and 3 in one.
const std::vector<ItemSet> kBaskets = {{1, 2}, {1, 2, 3}, {1, 3}, {1, 2}, {2}};

TEST(Rules, SupportAndConfidenceByHand) {
  const MinedRules mined = mine_rules(kBaskets, settings(2, 0.5));
  EXPECT_EQ(mined.frequent_sets, 5U);  // three items, {1 2}, {1 3}
  EXPECT_TRUE(mined.is_complete);
  const std::vector<Rule> expected = {
      {{1}, {2}, 3, 0.75},
      {{1}, {3}, 2, 0.5},
      {{2}, {1}, 3, 0.75},
      {{3}, {1}, 2, 1.0},
  };
  EXPECT_EQ(mined.rules, expected);
}

TEST(Rules, ThresholdsAreInclusive) {
  EXPECT_EQ(mine_rules(kBaskets, settings(3, 0.5)).rules.size(), 2U);
  EXPECT_EQ(mine_rules(kBaskets, settings(2, 0.76)).rules.size(), 1U);
  EXPECT_EQ(mine_rules(kBaskets, settings(2, 1.0)).rules.size(), 1U);
  EXPECT_TRUE(mine_rules(kBaskets, settings(4, 0.0)).rules.empty());
  EXPECT_TRUE(mine_rules({}, settings(1, 0.0)).rules.empty());
}

TEST(Rules, LargerSetsAreCutInEveryWay) {
  const std::vector<ItemSet> sets = {{4, 7, 9}, {4, 7, 9}, {4}};
  const auto rules = mine_rules(sets, settings(2, 0.0)).rules;
  // Six of {4 7 9}, two of each pair.
  EXPECT_EQ(rules.size(), 12U);
  const Rule wanted{{4}, {7, 9}, 2, 2.0 / 3.0};
  EXPECT_NE(std::find(rules.begin(), rules.end(), wanted), rules.end());
  RuleSettings pairs = settings(2, 0.0);
  pairs.max_items = 2;
  EXPECT_EQ(mine_rules(sets, pairs).rules.size(), 6U);
}

// What Apriori finds is what counting all subsets finds.
TEST(Rules, AgreesWithCountingEverything) {
  base::Rng rng(3);
  for (int round = 0; round < 30; ++round) {
    std::vector<ItemSet> sets(1 + rng.below(80));
    for (ItemSet& set : sets) {
      for (uint32_t item = 0; item < 8; ++item) {
        if (rng.one_in(2)) set.push_back(item);
      }
    }
    RuleSettings wanted = settings(static_cast<uint32_t>(1 + rng.below(20)), 0.6);
    wanted.max_items = 8;
    std::map<uint32_t, uint32_t> counts;  // by bits
    for (uint32_t bits = 1; bits < 256; ++bits) {
      for (const ItemSet& set : sets) {
        uint32_t all = 0;
        for (const uint32_t item : set) all |= 1U << item;
        counts[bits] += (all & bits) == bits ? 1 : 0;
      }
    }
    size_t frequent = 0;
    size_t rules = 0;
    for (const auto& [bits, count] : counts) {
      if (count < wanted.support) continue;
      ++frequent;
      for (uint32_t part = (bits - 1) & bits; part != 0; part = (part - 1) & bits) {
        rules += static_cast<double>(count) / counts[part] >= wanted.confidence ? 1 : 0;
      }
    }
    const MinedRules mined = mine_rules(sets, wanted);
    EXPECT_EQ(mined.frequent_sets, frequent);
    EXPECT_EQ(mined.rules.size(), rules);
  }
}

TEST(Rules, ExponentiallyManySetsEndEarly) {
  ItemSet all;
  for (uint32_t i = 0; i < 300; ++i) all.push_back(i);
  const std::vector<ItemSet> sets(10, all);
  const MinedRules mined = mine_rules(sets, settings(9, 0.5));
  EXPECT_FALSE(mined.is_complete);
  EXPECT_LE(mined.frequent_sets, RuleSettings().max_sets);
}

TEST(Rules, SupportIsScaledToTheInputs) {
  EXPECT_EQ(least_support({}, 2898), 9U);
  EXPECT_EQ(least_support({}, 1161), 4U);
  EXPECT_EQ(least_support({}, 20'000), 62U);
  EXPECT_EQ(least_support({}, 10), 3U);
  EXPECT_EQ(least_support(settings(7, 0.5), 10), 7U);
}

}  // namespace
}  // namespace elenchus::history

#include "mutate/edit/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace elenchus::mutate::edit {
namespace {

TEST(OrderTest, AShuffleHasEachNumberOnce) {
  base::Rng rng(1);
  Shuffle shuffle(1000);
  std::set<uint64_t> seen;
  std::vector<uint64_t> order;
  while (const auto next = shuffle.next(rng)) {
    EXPECT_LT(*next, 1000U);
    EXPECT_TRUE(seen.insert(*next).second) << *next;
    order.push_back(*next);
  }
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(shuffle.cells(), 0U);
}

TEST(OrderTest, AShuffleCostsWhatIsDrawn) {
  base::Rng rng(1);
  Shuffle shuffle(UINT64_MAX);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(shuffle.next(rng).has_value());
  EXPECT_LE(shuffle.cells(), 100U);
}

// A place has as many choices as its number says.
TEST(OrderTest, ACursorHasEveryChoiceOnceAndEveryPlaceInTurn) {
  base::Rng rng(1);
  Cursor cursor;
  const auto choices = [](uint64_t place) { return place; };
  std::set<std::pair<uint64_t, uint64_t>> seen;
  std::set<uint64_t> first_round;
  for (int i = 0; !cursor.is_over() && i < 10'000; ++i) {
    const auto step = cursor.next(rng, 10, 3, choices, [](const Step&) { return true; });
    if (!step) continue;
    EXPECT_LT(step->choice, step->place);
    EXPECT_TRUE(seen.insert({step->place, step->choice}).second);
    // All nine places that have choices come before any comes again.
    if (seen.size() <= 9) {
      EXPECT_TRUE(first_round.insert(step->place).second);
    }
  }
  EXPECT_TRUE(cursor.is_over());
  EXPECT_EQ(seen.size(), 45U);
}

TEST(OrderTest, WhatIsNotWantedIsPassedOver) {
  base::Rng rng(1);
  Cursor cursor;
  std::set<uint64_t> places;
  for (int i = 0; !cursor.is_over() && i < 10'000; ++i) {
    const auto step = cursor.next(
        rng, 50, 4, [](uint64_t) { return 5U; },
        [](const Step& one) { return one.place % 2 == 0 && one.choice == 3; });
    if (step) {
      EXPECT_TRUE(places.insert(step->place).second);
    }
  }
  EXPECT_TRUE(cursor.is_over());
  EXPECT_EQ(places.size(), 25U);
}

}  // namespace
}  // namespace elenchus::mutate::edit

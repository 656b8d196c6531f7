#include "campaign/scheduler.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace elenchus::campaign {
namespace {

TEST(SchedulerTest, EverySeedIsVisitedInTheFirstRound) {
  Scheduler scheduler(20, {"a", "b"}, 1, base::Rng(1));
  std::set<size_t> seen;
  for (int i = 0; i < 20; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    EXPECT_TRUE(visit.is_first);
    seen.insert(visit.seed);
    scheduler.report(visit, {});
  }
  EXPECT_EQ(seen.size(), 20U);
}

TEST(SchedulerTest, ADroppedSeedIsNotVisitedAgain) {
  Scheduler scheduler(3, {"a"}, 1, base::Rng(2));
  scheduler.drop(1);
  for (int i = 0; i < 100; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    EXPECT_NE(visit.seed, 1U);
    scheduler.report(visit, {});
  }
  scheduler.drop(0);
  scheduler.drop(2);
  Visit visit;
  EXPECT_FALSE(scheduler.next(visit));
}

TEST(SchedulerTest, AnEngineIsNotSentWhereItRefused) {
  Scheduler scheduler(2, {"a", "b", "c"}, 1, base::Rng(3));
  std::set<std::pair<size_t, size_t>> refused;
  for (int i = 0; i < 300; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    EXPECT_EQ(refused.count({visit.seed, visit.engine}), 0U);
    if (visit.seed == 0 && visit.engine != 2) {
      visit.is_refused = true;
      refused.insert({visit.seed, visit.engine});
    }
    scheduler.report(visit, {});
  }
  EXPECT_EQ(refused.size(), 2U);
}

TEST(SchedulerTest, WhereAllRefuseTheSeedIsStillVisited) {
  Scheduler scheduler(1, {"a", "b"}, 1, base::Rng(4));
  for (int i = 0; i < 10; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    visit.is_refused = true;
    scheduler.report(visit, {});
  }
}

TEST(SchedulerTest, TimeGoesToWhatYields) {
  Scheduler scheduler(10, {"poor", "rich"}, 1, base::Rng(5));
  uint64_t rich = 0;
  uint64_t good_seed = 0;
  for (int i = 0; i < 2000; ++i) {
    Visit visit;
    ASSERT_TRUE(scheduler.next(visit));
    rich += visit.engine;
    good_seed += visit.seed == 7 ? 1 : 0;
    Yield yield;
    yield.seconds = 1;
    yield.decided = visit.engine == 1 && visit.seed == 7 ? 100 : 1;
    scheduler.report(visit, yield);
  }
  EXPECT_GT(rich, 1000U);
  EXPECT_GT(good_seed, 400U);
}

}  // namespace
}  // namespace elenchus::campaign
